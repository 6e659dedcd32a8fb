//===- CompileKernels.cpp - Applies to binaries that do not spill ---------===//
//
// Only the compiler of a binary knows what spills. So the way from the choice
// of schedules to binaries is one pass, which goes it again for what spilled.
//
//===----------------------------------------------------------------------===//

#include "StencilDialect/IR/ChoiceAttrs.h"
#include "StencilDialect/IR/StencilOps.h"
#include "StencilDialect/IR/Target.h"
#include "StencilDialect/Pipelines/GPUFront.h"
#include "StencilDialect/Pipelines/GPUPipelines.h"
#include "StencilDialect/Pipelines/Passes.h"
#include "StencilDialect/Target/GPUBinary.h"
#include "StencilDialect/Target/Vendors.h"
#include "StencilDialect/Tile/Tile.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/Remarks.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Threading.h"

namespace stencil {
#define GEN_PASS_DEF_STENCILCOMPILEKERNELS
#include "StencilDialect/Pipelines/Passes.h.inc"
} // namespace stencil

using namespace mlir;
using namespace stencil;

namespace {

/// An apply and what became of the schedules that it had. A schedule may be
/// null: the default.
struct Choice {
  /// False: it was asked for, or measured on this GPU.
  bool isOpen = false;
  ScheduleAttr schedule, best;
  uint64_t bytes = 0, fewest = 0;
  /// Those that spilled: dictionaries of kDeclinedAttr.
  SmallVector<Attribute> declined;
  /// True: there is nothing left to be tried.
  bool isLast = false;
};

struct CompileKernels
    : stencil::impl::StencilCompileKernelsBase<CompileKernels> {
  using StencilCompileKernelsBase::StencilCompileKernelsBase;

  void getDependentDialects(DialectRegistry &registry) const override;
  void runOnOperation() override {
    if (failed(run()))
      signalPassFailure();
  }

private:
  GPUFrontOptions getFront() const;
  void buildBinaries(OpPassManager &manager, GPUVendor vendor) const;
  LogicalResult run();
  LogicalResult compile();
  LogicalResult compileQuietly(bool saysChoice);
  LogicalResult compileAgain(ModuleOp source, bool saysChoice);
  void readChoices();
  void readSpills(const llvm::StringMap<SmallVector<int64_t>> &kernels);
  void compare();
  bool declineSpills(ArrayRef<Location> places);
  void sayRest(ArrayRef<Location> places) const;
  void request(ModuleOp source, bool isLast);

  SmallVector<Choice> choices;
};

} // namespace

/// The applies that stencil-select-schedule looks at.
static SmallVector<ApplyOp> findApplies(ModuleOp module) {
  SmallVector<ApplyOp> applies;
  module.walk([&](ApplyOp apply) {
    if (!apply->getParentOfType<PipelineOp>() &&
        !apply->getParentOfType<tile::KernelOp>())
      applies.push_back(apply);
  });
  return applies;
}

//===----------------------------------------------------------------------===//
// Compiling
//===----------------------------------------------------------------------===//

GPUFrontOptions CompileKernels::getFront() const {
  GPUFrontOptions front;
  front.schedule = schedule;
  front.tuningDatabase = tuningDb;
  front.algebra.math = math;
  front.countSteps = countSteps;
  return front;
}

void CompileKernels::buildBinaries(OpPassManager &manager,
                                   GPUVendor vendor) const {
  GPUBinaryPipelineOptions options;
  options.format = format;
  options.toolkit = toolkit;
  options.optLevel = optLevel;
  buildKernelsToBinaries(manager, vendor, options);
}

void CompileKernels::getDependentDialects(DialectRegistry &registry) const {
  StencilCompileKernelsBase::getDependentDialects(registry);
  OpPassManager manager(ModuleOp::getOperationName());
  addScheduleSelection(manager, getFront());
  buildSchedulesToGPU(manager, getFront());
  for (const VendorInfo &known : getVendors())
    buildBinaries(manager, known.vendor);
  manager.getDependentDialects(registry);
}

/// What was chosen, as the pass before has left it.
void CompileKernels::readChoices() {
  for (auto [choice, apply] :
       llvm::zip_equal(choices, findApplies(getOperation()))) {
    choice.isOpen = !getChoices(apply).empty();
    choice.schedule = ScheduleAttr::of(apply);
    choice.bytes = 0;
  }
}

/// What each choice spills: of its kernels, the most.
void CompileKernels::readSpills(
    const llvm::StringMap<SmallVector<int64_t>> &kernels) {
  for (auto binary : getOperation().getOps<gpu::BinaryOp>())
    for (const KernelResources &resources : getKernelResources(binary))
      for (int64_t number : kernels.lookup(resources.kernel))
        choices[number].bytes =
            std::max(choices[number].bytes, resources.getSpilledBytes());
}

LogicalResult CompileKernels::compile() {
  ModuleOp module = getOperation();
  OpPassManager select(ModuleOp::getOperationName()),
      lower(ModuleOp::getOperationName()), finish(ModuleOp::getOperationName());
  addScheduleSelection(select, getFront());
  buildSchedulesToGPU(lower, getFront());
  const TargetInfo *target = findTarget(module);
  buildBinaries(finish, target ? target->vendor : getVendors().front().vendor);
  if (failed(runPipeline(select, module)))
    return failure();
  readChoices();
  if (failed(runPipeline(lower, module)))
    return failure();
  // By their names, which are those in the binaries.
  llvm::StringMap<SmallVector<int64_t>> kernels;
  module.walk([&](gpu::GPUFuncOp kernel) {
    for (int64_t number : getChoices(kernel))
      if (number >= 0 && number < static_cast<int64_t>(choices.size()))
        kernels[kernel.getName()].push_back(number);
    kernel->removeDiscardableAttr(kChoiceAttr);
  });
  if (failed(runPipeline(finish, module)))
    return failure();
  readSpills(kernels);
  return success();
}

/// Another choice that turns out to be impossible is no error: there is one
/// that is not. What was chosen and why is said, unless it has been.
LogicalResult CompileKernels::compileQuietly(bool saysChoice) {
  uint64_t thread = llvm::get_threadid();
  ScopedDiagnosticHandler handler(&getContext(), [&](Diagnostic &diagnostic) {
    bool isSaid =
        saysChoice && diagnostic.getSeverity() == DiagnosticSeverity::Remark;
    // What others report is theirs.
    return success(llvm::get_threadid() == thread && !isSaid);
  });
  return compile();
}

/// The module becomes a copy of `source`, and binaries.
static void become(ModuleOp module, ModuleOp source) {
  OwningOpRef<ModuleOp> copy = source.clone();
  module.getBodyRegion().takeBody(copy->getBodyRegion());
  module->setAttrs((*copy)->getAttrDictionary());
}

LogicalResult CompileKernels::compileAgain(ModuleOp source, bool saysChoice) {
  become(getOperation(), source);
  return compileQuietly(saysChoice);
}

//===----------------------------------------------------------------------===//
// Declining
//===----------------------------------------------------------------------===//

/// Remembers what spills least.
void CompileKernels::compare() {
  for (Choice &choice : choices) {
    bool isFirst = choice.declined.empty();
    // Nothing else was found.
    choice.isLast |= llvm::any_of(choice.declined, [&](Attribute entry) {
      return cast<DictionaryAttr>(entry).getAs<ScheduleAttr>("schedule") ==
             choice.schedule;
    });
    if (!isFirst && choice.bytes >= choice.fewest)
      continue;
    choice.best = choice.schedule;
    choice.fewest = choice.bytes;
  }
}

static std::string describe(ScheduleAttr schedule) {
  return schedule ? llvm::formatv("{0}", schedule).str() : "the default";
}

static void remarkSpill(Location place, std::string text) {
  remark::missed(place, remark::RemarkOpts::name("Spills").category("Schedule"))
      << text;
}

/// Marks what spills as declined, with a remark for each. True if there is
/// something to be compiled again.
bool CompileKernels::declineSpills(ArrayRef<Location> places) {
  constexpr uint64_t kRegisterBytes = 4;
  Builder builder(&getContext());
  bool isAny = false;
  for (auto [choice, place] : llvm::zip_equal(choices, places)) {
    if (!choice.isOpen || choice.bytes == 0 || choice.isLast)
      continue;
    isAny = true;
    SmallVector<NamedAttribute> entry = {builder.getNamedAttr(
        "registers", builder.getI64IntegerAttr(static_cast<int64_t>(
                         llvm::divideCeil(choice.bytes, kRegisterBytes))))};
    if (choice.schedule)
      entry.push_back(builder.getNamedAttr("schedule", choice.schedule));
    choice.declined.push_back(builder.getDictionaryAttr(entry));
    remarkSpill(place, llvm::formatv("declined: {0}: compiled, it spills {1} "
                                     "bytes per thread",
                                     describe(choice.schedule), choice.bytes));
  }
  return isAny;
}

/// Says which schedules stay although they spill.
void CompileKernels::sayRest(ArrayRef<Location> places) const {
  for (auto [choice, place] : llvm::zip_equal(choices, places))
    if (choice.isOpen && choice.fewest > 0)
      remarkSpill(place, llvm::formatv("kept: {0}: it spills {1} bytes per "
                                       "thread, and nothing that was tried "
                                       "spills less",
                                       describe(choice.best), choice.fewest));
}

/// What the applies of a copy of the source are to get: what spilled something
/// else, unless `isLast`; all others what they had.
void CompileKernels::request(ModuleOp source, bool isLast) {
  for (auto [choice, apply] : llvm::zip_equal(choices, findApplies(source))) {
    if (!choice.isOpen)
      continue;
    if (!isLast && choice.fewest > 0 && !choice.isLast) {
      apply->setDiscardableAttr(kDeclinedAttr,
                                ArrayAttr::get(&getContext(), choice.declined));
      continue;
    }
    apply->setDiscardableAttr(kDeclinedAttr, UnitAttr::get(&getContext()));
    if (choice.best)
      apply->setAttr(ScheduleAttr::kAttrName, choice.best);
  }
}

LogicalResult CompileKernels::run() {
  ModuleOp module = getOperation();
  SmallVector<Location> places;
  for (auto [number, apply] : llvm::enumerate(findApplies(module))) {
    apply->setDiscardableAttr(
        kChoiceAttr,
        DenseI64ArrayAttr::get(&getContext(), static_cast<int64_t>(number)));
    places.push_back(apply.getLoc());
  }
  choices.assign(places.size(), {});
  OwningOpRef<ModuleOp> source = module.clone();
  if (failed(compile()))
    return failure();
  compare();
  constexpr int kTries = 3;
  bool isMade = true;
  for (int i = 0; i < kTries && isMade && declineSpills(places); ++i) {
    OwningOpRef<ModuleOp> next = source->clone();
    request(*next, /*isLast=*/false);
    isMade = succeeded(compileAgain(*next, /*saysChoice=*/true));
    if (isMade)
      compare();
  }
  sayRest(places);
  if (isMade && llvm::all_of(choices, [](const Choice &choice) {
        return choice.schedule == choice.best;
      }))
    return success();
  request(*source, /*isLast=*/true);
  if (succeeded(compileAgain(*source, /*saysChoice=*/false)))
    return success();
  return emitError(module.getLoc()) << "what was compiled before cannot be "
                                       "compiled again";
}
