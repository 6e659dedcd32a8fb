//===- Algebra.cpp - Rewrites of the mathematics --------------------------===//

#include "StencilDialect/Pipelines/Algebra.h"
#include "StencilDialect/Analysis/ScheduleRequest.h"
#include "StencilDialect/IR/Target.h"
#include "StencilDialect/Transforms/Passes.h"
#include "StencilDialect/Transforms/TunedSchedules.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;
using namespace stencil;

static void composeSteps(OpPassManager &manager, MathMode math) {
  StencilComposeStepsOptions steps;
  steps.automatic = true;
  steps.math = math;
  manager.addPass(createStencilComposeSteps(steps));
}

/// Behind fusion: what is composed to save memory traffic, fusion saves, too.
static void composeSums(OpPassManager &manager, const AlgebraOptions &options,
                        llvm::StringRef schedule) {
  StencilComposeSumsOptions compose;
  compose.math = options.math;
  manager.addPass(createStencilComposeSums(compose));
  StencilFactorSumsOptions factor;
  factor.math = options.math;
  factor.schedule = schedule.str();
  manager.addNestedPass<func::FuncOp>(createStencilFactorSums(factor));
  manager.addPass(createCanonicalizerPass());
  manager.addPass(createCSEPass());
}

namespace {
/// Composes steps, unless a tuning database has schedules for the program
/// without that.
class ComposeUntunedSteps
    : public PassWrapper<ComposeUntunedSteps, OperationPass<ModuleOp>> {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(ComposeUntunedSteps)

  ComposeUntunedSteps(const AlgebraOptions &algebra, TunedSteps tuned)
      : algebra(algebra), tuned(std::move(tuned)) {}

  llvm::StringRef getName() const override { return "ComposeUntunedSteps"; }

  void getDependentDialects(DialectRegistry &registry) const override {
    OpPassManager manager(ModuleOp::getOperationName());
    composeSteps(manager, algebra.math);
    composeSums(manager, algebra, "");
    buildStencilFields(manager);
    manager.getDependentDialects(registry);
  }

  void runOnOperation() override {
    FailureOr<bool> areTuned = findTuned();
    if (failed(areTuned))
      return signalPassFailure();
    OpPassManager manager(ModuleOp::getOperationName());
    composeSteps(manager, algebra.math);
    if (!*areTuned && failed(runPipeline(manager, getOperation())))
      signalPassFailure();
  }

private:
  FailureOr<bool> findTuned() {
    const TargetInfo *target = findTarget(getOperation());
    if (!target)
      return false;
    OwningOpRef<ModuleOp> copy = getOperation().clone();
    PassManager manager(&getContext());
    composeSums(manager, algebra, "");
    buildStencilFields(manager);
    {
      // Whoever compiles the program hears of what is wrong with it.
      ScopedDiagnosticHandler silence(&getContext(), [](Diagnostic &) {});
      if (failed(manager.run(*copy)))
        return false;
    }
    return hasTunedSchedules(*copy, tuned.database, *target, algebra.math,
                             tuned.emulate);
  }

  AlgebraOptions algebra;
  TunedSteps tuned;
};
} // namespace

void stencil::buildStencilFields(OpPassManager &manager) {
  manager.addPass(createStencilHoistBoundaries());
  manager.addPass(createStencilInferShapes());
  manager.addPass(createStencilBufferize());
}

void stencil::buildStencilAlgebra(OpPassManager &manager,
                                  const AlgebraOptions &options,
                                  llvm::StringRef schedule,
                                  const TunedSteps &tuned) {
  manager.addNestedPass<func::FuncOp>(createStencilFoldPowers());
  // What is loaded twice is one input: sums over both are sums over one.
  manager.addPass(createCSEPass());
  manager.addPass(createCanonicalizerPass());
  manager.addPass(createCSEPass());
  StencilRoundProductsOptions round;
  round.math = options.math;
  if (!options.enabled) {
    manager.addNestedPass<func::FuncOp>(createStencilRoundProducts(round));
    return;
  }
  // Whose accesses are still there to be named.
  manager.addPass(createStencilCheckHalos());
  // Sums first: the other passes read them. What they leave without effect goes
  // before somebody weighs it.
  StencilRaiseWeightedSumsOptions raise;
  raise.math = options.math;
  manager.addNestedPass<func::FuncOp>(createStencilRaiseWeightedSums(raise));
  StencilPruneZerosOptions prune;
  prune.math = options.math;
  manager.addNestedPass<func::FuncOp>(createStencilPruneZeros(prune));
  // Before bodies are what fusion makes of them.
  manager.addNestedPass<func::FuncOp>(createStencilRoundProducts(round));
  manager.addPass(createStencilFuseApplies());
  manager.addNestedPass<func::FuncOp>(createStencilPadFields());
  StencilBlockTimeOptions block;
  block.schedule = schedule.str();
  block.math = options.math;
  if (options.cpu) {
    block.coreCacheBytes = options.cpu->coreCache;
    block.cacheBytes = options.cpu->lastCache;
    block.ownCacheBytes = options.cpu->ownCache;
    block.nearLastLevel = options.cpu->nearLastLevel;
    block.threads = options.cpu->threads;
    block.extents.assign(options.cpu->extents.begin(),
                         options.cpu->extents.end());
  }
  manager.addPass(createStencilBlockTime(block));
  // A schedule that is asked for is for a step as it is.
  std::optional<ScheduleChoice> choice = parseScheduleChoice(schedule);
  if (choice && takesModel(*choice)) {
    if (tuned.database.empty() || !takesMeasured(*choice))
      composeSteps(manager, options.math);
    else
      manager.addPass(std::make_unique<ComposeUntunedSteps>(options, tuned));
    // Whatever a database has for a step, it is a sweep.
    StencilBlockTimeOptions automatic = block;
    automatic.schedule.clear();
    automatic.automatic = true;
    manager.addPass(createStencilBlockTime(automatic));
  }
  composeSums(manager, options, schedule);
}

namespace {
struct SimplifyOptions : PassPipelineOptions<SimplifyOptions> {
  AlgebraPipelineOptions algebra{*this};
};
} // namespace

void stencil::registerAlgebraPipeline() {
  PassPipelineRegistration<SimplifyOptions>(
      "stencil-simplify",
      "Rewrite the mathematics of stencil programs (level 0 to level 1)",
      [](OpPassManager &manager, const SimplifyOptions &options) {
        buildStencilAlgebra(manager, options.algebra.get());
      });
}
