//===- Candidates.cpp - What can be chosen for a program ------------------===//

#include "Candidates.h"
#include "Neighbourhood.h"
#include "RegionCandidates.h"
#include "StencilDialect/Analysis/NamedSchedules.h"
#include "StencilDialect/Analysis/ScheduleModel.h"
#include "StencilDialect/Analysis/ScheduleRequest.h"
#include "StencilDialect/Analysis/ScheduleSpace.h"
#include "StencilDialect/Execution/ScheduleSources.h"
#include "StencilDialect/Pipelines/GPUFront.h"
#include "StencilDialect/Target/Codegen.h"
#include "StencilDialect/Transforms/Passes.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Target/TargetMachine.h"

using namespace mlir;
using namespace stencil;

/// Those whose time nobody predicts have as much of the budget as the others
/// have in the mean.
static void weighUnpredicted(std::vector<SearchAxis> &axes) {
  double sum = 0;
  unsigned count = 0;
  for (const SearchAxis &axis : axes) {
    sum += axis.weight;
    count += axis.weight > 0;
  }
  for (SearchAxis &axis : axes)
    if (axis.weight <= 0)
      axis.weight = count ? sum / count : 1;
}

/// What each apply would get if nothing were known of how it is launched.
static std::vector<ScheduleAttr>
chooseAlone(ModuleOp module, llvm::StringRef chip, MathMode math) {
  OwningOpRef<ModuleOp> copy = module.clone();
  llvm::SmallVector<ApplyOp> applies = getScheduledApplies(*copy);
  std::vector<ScheduleAttr> chosen(applies.size());
  for (ApplyOp apply : applies)
    if (isScheduleOpen(apply))
      apply->removeAttr(ScheduleAttr::kAttrName);
  ScopedDiagnosticHandler silence(module.getContext(), [](Diagnostic &) {});
  StencilSelectScheduleOptions options;
  options.math = math;
  PassManager manager(module.getContext());
  addTarget(manager, chip);
  manager.addPass(createStencilSelectSchedule(options));
  if (failed(manager.run(*copy)))
    return chosen;
  for (auto [apply, schedule] : llvm::zip_equal(applies, chosen))
    schedule = ScheduleAttr::of(apply);
  return chosen;
}

namespace {
/// Makes the axes of a program for a GPU.
struct AxisMaker {
  const Program &program;
  const TargetInfo &target;
  llvm::StringRef chip;
  MathMode math;
  std::shared_ptr<OwningOpRef<ModuleOp>> module;
  /// What to try in place of what the model proposes.
  std::optional<SmallVector<ScheduleAttr>> listed;

  SearchAxis make(ApplyOp apply, size_t number, const ChosenSchedule &untuned,
                  ScheduleAttr alone) const;
};
} // namespace

/// `untuned`: what the apply of this number gets without tuning; `alone`: if it
/// were no region among others, or null. The weight is in seconds, 0 if nobody
/// knows.
SearchAxis AxisMaker::make(ApplyOp apply, size_t number,
                           const ChosenSchedule &untuned,
                           ScheduleAttr alone) const {
  SearchAxis axis;
  axis.weight = 0;
  // Who has a schedule keeps it.
  if (!isScheduleOpen(apply)) {
    axis.choices.emplace_back("unit");
    return axis;
  }
  KernelProfile profile = profileKernel(apply, program.getExtents(), math);
  std::vector<RankedSchedule> ranked = rankSchedules(apply, profile, target);
  double best = ranked.empty() ? 0 : ranked.front().prediction.seconds;
  ScheduleAttr first = parseSchedule(untuned.schedule, apply.getContext());
  // However the region is launched, it stays so.
  auto launched = first ? first : ScheduleAttr::of(apply);
  auto add = [&](ScheduleAttr schedule) {
    ScheduleKeys keys(schedule);
    keys.regions = launched ? launched.getRegions() : std::nullopt;
    std::string text = printSchedule(keys.get(apply.getContext()));
    if (!llvm::is_contained(axis.choices, text))
      axis.choices.push_back(std::move(text));
  };
  if (first)
    add(first);
  else if (!ranked.empty())
    add(getDefaultSchedule(apply, profile, target));
  auto start = parseSchedule(axis.choices.empty() ? "" : axis.choices.front(),
                             apply.getContext());
  ScheduleAttr whole =
      start ? writeOut(**module, number, start, chip, math) : ScheduleAttr();
  Neighbourhood around(module, number, apply, profile, target, chip, start,
                       whole, math);
  axis.getNeighbours = around;
  if (listed) {
    for (ScheduleAttr schedule : *listed)
      if (suits(schedule, apply))
        add(schedule);
  } else if (isRegion(apply)) {
    // Nobody has asked for one launch of several regions.
    if (!apply->hasAttr(ScheduleAttr::kAttrName) && first &&
        first.getRegions() == RegionLaunch::Launch) {
      ScheduleKeys keys(first);
      keys.regions = RegionLaunch::Streams;
      axis.choices.push_back(printSchedule(keys.get(apply.getContext())));
    }
    if (alone)
      add(alone);
    ScheduleAttr from = whole ? whole : first;
    std::vector<ScheduleAttr> close;
    if (from)
      close = around.list(from);
    for (ScheduleAttr schedule :
         orderRegionCandidates(apply, from, close, profile, target, ranked))
      add(schedule);
  } else {
    if (start)
      for (std::string &neighbour : axis.getNeighbours(axis.choices.front()))
        axis.choices.push_back(std::move(neighbour));
    for (ScheduleAttr schedule : orderByVariety(ranked))
      add(schedule);
  }
  // What it takes now decides how much there is to gain.
  axis.weight = best;
  if (first && best > 0)
    axis.weight = ScheduleModel(profile, target)
                      .predict(completeSchedule(apply, profile, first, target))
                      .seconds;
  // What people have found out elsewhere; all that there is for a GPU whose
  // rates are not known.
  for (StringRef name : listed ? ArrayRef<StringRef>() : getScheduleNames()) {
    std::string why;
    ScheduleAttr schedule = getNamedSchedule(name, getKernelShape(apply),
                                             target, apply.getContext(), why);
    bool mayAddByPlane =
        stencil::mayReassociate(math) || profile.scatterSums > 0;
    if (schedule && (mayAddByPlane || !addsByPlane(schedule)))
      add(schedule);
  }
  if (axis.choices.empty())
    axis.choices.emplace_back("unit");
  return axis;
}

/// The options of stencil-to-cpu that shape loops.
static llvm::Expected<std::vector<SearchAxis>> makeCPUAxes(unsigned rank) {
  auto machine = createTargetMachine("native");
  if (!machine)
    return machine.takeError();
  std::vector<SearchAxis> axes;
  auto add = [&](StringRef option, llvm::ArrayRef<StringRef> values,
                 double weight = 1) {
    SearchAxis &axis = axes.emplace_back();
    axis.weight = weight;
    axis.choices.emplace_back();
    for (StringRef value : values)
      axis.choices.push_back((option + "=" + value).str());
  };
  if (rank == 1)
    add("tile", {"4096", "16384", "65536"}, 2);
  else if (rank == 2)
    add("tile", {"4,0", "16,0", "64,0", "16,512", "64,256", "64,1024"}, 2);
  else if (rank == 3)
    add("tile",
        {"1,4,0", "1,8,0", "1,16,0", "1,32,0", "4,8,0", "4,16,0", "8,8,0",
         "8,32,0", "16,16,0", "8,8,256", "16,16,128"},
        4);
  if (rank > 1)
    add("rows", {"1", "2", "4"});
  add("columns", {"1", "2", "4"});
  unsigned most = getVectorBits(**machine);
  std::vector<std::string> widths;
  for (unsigned bits : {128, 256, 512})
    if (bits < most ||
        (bits == 512 && most == 256 &&
         (*machine)->getTargetFeatureString().contains("+avx512f")))
      widths.push_back(std::to_string(bits));
  llvm::SmallVector<StringRef> names(widths.begin(), widths.end());
  if (!names.empty())
    add("vector-bits", names);
  add("stream-stores", {"false"}, 0.5);
  if (rank >= 3)
    add("stream-row", {"256"}, 0.5);
  return axes;
}

/// Whether what is fast for one is for the other: the same body over as many
/// points of the same fields, as in layers on either side.
static bool areAlike(ApplyOp a, ApplyOp b, const Program &program,
                     MathMode math) {
  if (a->getOperands() != b->getOperands() ||
      a->getAttr(ScheduleAttr::kAttrName) !=
          b->getAttr(ScheduleAttr::kAttrName) ||
      !OperationEquivalence::isRegionEquivalentTo(
          &a->getRegion(0), &b->getRegion(0),
          OperationEquivalence::IgnoreLocations))
    return false;
  return profileKernel(a, program.getExtents(), math).shape ==
         profileKernel(b, program.getExtents(), math).shape;
}

llvm::Expected<Candidates> stencil::findCandidates(Program &program,
                                                   const TuneOptions &options,
                                                   llvm::StringRef chip) {
  auto owner = std::make_shared<OwningOpRef<ModuleOp>>(
      lowerToFields(program.entry, options.algebra, program.getExtents()));
  if (!*owner)
    return llvm::createStringError("");
  ModuleOp module = **owner;
  Candidates candidates;
  candidates.fingerprint = getFingerprint(module);
  llvm::SmallVector<ApplyOp> applies = getScheduledApplies(module);
  if (applies.empty())
    return llvm::createStringError("'" + program.entry.getName() +
                                   "' has no stencil.apply to tune");
  if (!options.gpu) {
    unsigned rank = 0;
    for (ApplyOp apply : applies)
      rank = std::max<unsigned>(rank, apply.getRank());
    auto axes = makeCPUAxes(rank);
    if (!axes)
      return axes.takeError();
    candidates.axes = std::move(*axes);
    return candidates;
  }
  auto target = getTargetInfo(chip);
  if (!target)
    return target.takeError();
  CompileOptions compile = program.getCompileOptions(options, chip, {});
  candidates.hasComposedForm =
      takesSeveralSteps(program.entry, *compile.device, module);
  std::vector<ChosenSchedule> untuned =
      describeSchedules(program.entry, *compile.device, /*areComposed=*/false);
  untuned.resize(applies.size());
  MathMode math = options.algebra.math;
  std::vector<ScheduleAttr> alone = chooseAlone(module, chip, math);
  AxisMaker maker{program, *target, chip, math, owner, std::nullopt};
  if (!options.schedules.empty()) {
    auto listed = readScheduleList(options.schedules, module.getContext(),
                                   UnknownLoc::get(module.getContext()));
    if (failed(listed))
      return llvm::createStringError("");
    // No text is no candidate: that is what the search begins with.
    llvm::erase(*listed, nullptr);
    maker.listed = std::move(*listed);
  }
  llvm::SmallVector<ApplyOp> first;
  for (auto [position, apply] : llvm::enumerate(applies)) {
    auto *known = llvm::find_if(first, [&, other = apply](ApplyOp apply) {
      return areAlike(apply, other, program, math);
    });
    if (known == first.end()) {
      first.push_back(apply);
      candidates.axes.push_back(
          maker.make(apply, position, untuned[position], alone[position]));
      known = std::prev(first.end());
    }
    candidates.axes[known - first.begin()].positions.push_back(position);
  }
  for (SearchAxis &axis : candidates.axes)
    axis.weight *= static_cast<double>(axis.positions.size());
  weighUnpredicted(candidates.axes);
  return candidates;
}

void stencil::printCandidates(const Candidates &candidates,
                              bool hasNeighbours) {
  llvm::raw_ostream &os = llvm::outs();
  double weights = 0;
  for (const SearchAxis &axis : candidates.axes)
    if (axis.choices.size() > 1)
      weights += axis.weight;
  for (const SearchAxis &axis : candidates.axes) {
    if (axis.choices.size() == 1)
      continue;
    os << llvm::formatv("{0} candidates in {1:f0} % of the time",
                        axis.choices.size(), 100 * axis.weight / weights);
    if (!axis.positions.empty())
      os << (axis.positions.size() == 1 ? ", apply " : ", applies ");
    llvm::interleaveComma(axis.positions, os);
    os << ":\n";
    for (const std::string &choice : axis.choices) {
      os << "  " << (choice.empty() ? "as it is without tuning" : choice)
         << "\n";
      if (hasNeighbours && axis.getNeighbours)
        for (const std::string &neighbour : axis.getNeighbours(choice))
          os << "    " << neighbour << "\n";
    }
  }
}
