//===- ScheduleSources.cpp - Where schedules come from --------------------===//

#include "StencilDialect/Execution/ScheduleSources.h"
#include "StencilDialect/Analysis/ScheduleRequest.h"
#include "StencilDialect/Execution/CompiledProgram.h"
#include "StencilDialect/IR/DiscardableAttrs.h"
#include "StencilDialect/Pipelines/GPUFront.h"
#include "StencilDialect/Transforms/Passes.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace stencil;

std::string stencil::joinOptions(const TuningPoint &point) {
  return llvm::join(
      llvm::make_filter_range(
          point, [](const std::string &choice) { return !choice.empty(); }),
      " ");
}

static Evidence readEvidence(llvm::StringRef name) {
  for (Evidence evidence :
       {Evidence::Asked, Evidence::Measured, Evidence::Model})
    if (getEvidenceName(evidence) == name)
      return evidence;
  return Evidence::Default;
}

/// Runs stencil-select-schedule, and says of the schedules that it gives where
/// they come from: what they were chosen by, if `from` is empty.
static LogicalResult select(ModuleOp module, llvm::StringRef chip,
                            const StencilSelectScheduleOptions &options,
                            llvm::StringRef from,
                            std::vector<ChosenSchedule> &chosen) {
  llvm::SmallVector<ApplyOp> applies = getScheduledApplies(module);
  llvm::SmallVector<Attribute> before;
  for (ApplyOp apply : applies)
    before.push_back(apply->getAttr(ScheduleAttr::kAttrName));
  PassManager manager(module.getContext());
  addTarget(manager, chip);
  manager.addPass(createStencilSelectSchedule(options));
  if (failed(manager.run(module)))
    return failure();
  for (auto [apply, schedule, choice] :
       llvm::zip_equal(applies, before, chosen)) {
    // How a region is launched may be all that is chosen.
    bool isNew = apply->getAttr(ScheduleAttr::kAttrName) != schedule;
    if ((isScheduleOpen(apply) && !isNew) || !choice.schedule.empty())
      continue;
    llvm::raw_string_ostream(choice.schedule)
        << apply->getAttr(ScheduleAttr::kAttrName);
    if (auto evidence = apply->getAttrOfType<StringAttr>(kEvidenceAttr))
      choice.evidence = readEvidence(evidence.getValue());
    choice.from =
        from.empty() ? getEvidenceName(choice.evidence).str() : from.str();
  }
  return success();
}

std::vector<ChosenSchedule>
stencil::describeSchedules(func::FuncOp entry, const GPUCompileOptions &options,
                           bool areComposed) {
  // Whoever compiles the program hears of what is wrong with it.
  ScopedDiagnosticHandler silence(entry.getContext(), [](Diagnostic &) {});
  llvm::StringRef asked = llvm::StringRef(options.schedule).trim();
  std::optional<ScheduleChoice> choice = parseScheduleChoice(asked);
  bool isOpen = choice && *choice != ScheduleChoice::Default;
  OwningOpRef<ModuleOp> module = lowerToFields(
      entry, options.algebra, options.extents,
      areComposed && choice && takesModel(*choice) ? &options : nullptr);
  if (!module)
    return {};
  std::vector<ChosenSchedule> chosen(getScheduledApplies(*module).size(),
                                     {"", "default", Evidence::Default});
  StencilSelectScheduleOptions pass;
  pass.math = options.algebra.math;
  pass.emulate = options.target->isEmulator();
  pass.sayEvidence = true;
  // With this one it gives none.
  pass.schedule = "default";
  if (failed(select(*module, options.chip, pass, "program", chosen)))
    return {};
  pass.schedule = options.schedule;
  pass.tuningDb = options.tuningDatabase;
  pass.model = false;
  if (failed(select(*module, options.chip, pass,
                    isOpen ? "database" : "request", chosen)))
    return {};
  // What the database has of forms is measured, as those that are shipped.
  pass.model = true;
  if (isOpen && failed(select(*module, options.chip, pass, "", chosen)))
    return {};
  return chosen;
}

bool stencil::takesSeveralSteps(func::FuncOp entry,
                                const GPUCompileOptions &options,
                                ModuleOp module) {
  OwningOpRef<ModuleOp> composed =
      lowerToFields(entry, options.algebra, options.extents, &options);
  return composed && getScheduledApplies(*composed).size() !=
                         getScheduledApplies(module).size();
}

FailureOr<TunedChoice> stencil::findTuned(func::FuncOp entry,
                                          const AlgebraOptions &algebra,
                                          llvm::ArrayRef<int64_t> extents,
                                          TuningKey wanted,
                                          llvm::StringRef path) {
  auto database = TuningDatabase::load(path);
  if (!database)
    return emitError(UnknownLoc::get(entry.getContext()))
           << llvm::toString(database.takeError());
  OwningOpRef<ModuleOp> module = lowerToFields(entry, algebra, extents);
  if (!module)
    return failure();
  wanted.program = getFingerprint(*module);
  wanted.math = getMathModeName(algebra.math).str();
  wanted.toolchain = getToolchain();
  TuningMatch match = lookUp(*database, wanted);
  TunedChoice choice;
  choice.remark = match.remark;
  if (match.entry)
    choice.schedule = match.entry->best->schedule;
  return choice;
}
