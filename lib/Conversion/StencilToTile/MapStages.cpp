//===- MapStages.cpp - Level 3 to kernels of tiles ------------------------===//
//
// What a block and a thread compute, what is in shared memory and where in an
// iteration it is fetched, is decided here, and nowhere behind.
//
//===----------------------------------------------------------------------===//

#include "../StencilToGPU/FieldFunction.h"
#include "StencilDialect/Analysis/PeriodicImages.h"
#include "StencilDialect/Conversion/Passes.h"
#include "StencilDialect/IR/OpWalks.h"
#include "StencilDialect/IR/Remarks.h"
#include "StencilDialect/IR/Target.h"
#include "StencilToTile.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "llvm/Support/FormatVariadic.h"

namespace stencil {
#define GEN_PASS_DEF_STENCILMAPSTAGES
#include "StencilDialect/Conversion/Passes.h.inc"
} // namespace stencil

using namespace mlir;
using namespace stencil;

namespace {

struct MapStages : stencil::impl::StencilMapStagesBase<MapStages> {
  using StencilMapStagesBase::StencilMapStagesBase;

  void runOnOperation() override;

private:
  LogicalResult map(func::FuncOp function, const TargetInfo &target);
  LogicalResult map(Operation *op, const TargetInfo &target, StringRef name);
  LogicalResult emit(Operation *op, KernelFacts &facts, StringRef name);

  /// Boundary ops that the kernel of an earlier op stands for; they are gone.
  llvm::SmallPtrSet<Operation *, 16> joined;
};

} // namespace

/// What is known of an op; fails with an error at what cannot be.
static LogicalResult collect(Operation *op, KernelFacts &facts) {
  if (auto pipeline = dyn_cast<PipelineOp>(op)) {
    for (ApplyOp stage : pipeline.getBodyBlock()->getOps<ApplyOp>())
      if (StageAttr when = StageAttr::of(stage); when && when.isSkewed())
        return stage.emitOpError(
            "expected stencil-skew-stages before, for its skew");
    facts.step = takeStep(pipeline);
    ScheduleAttr given = ScheduleAttr::of(pipeline);
    if (given && given.getRelay()) {
      auto needs = cutLegs(pipeline, *given.getRelay());
      if (failed(needs))
        return failure();
      facts.relayNeeds = *needs;
    }
    auto plan = PipelinePlan::create(pipeline);
    auto schedule = readPipelineSchedule(pipeline, facts.target);
    if (failed(plan) || failed(schedule))
      return failure();
    facts.plan.emplace(std::move(*plan));
    facts.schedule = std::move(*schedule);
  } else if (auto apply = dyn_cast<ApplyOp>(op)) {
    if (!apply.isBufferised())
      return apply.emitOpError(
          "expected a bufferised apply; run stencil-bufferize");
    auto schedule = readApplySchedule(apply, facts.target);
    if (failed(schedule))
      return failure();
    auto images = findStoredImages(apply, facts.aliases);
    if (failed(images))
      return failure();
    facts.schedule = std::move(*schedule);
    facts.images = std::move(*images);
  } else if (auto fold = dyn_cast<FoldOp>(op);
             fold && !llvm::all_of(fold.getTemps().getTypes(),
                                   llvm::IsaPred<FieldType>)) {
    return fold.emitOpError("expected fields; run stencil-bufferize");
  }
  return success();
}

/// Builds the kernels of an op, which goes.
LogicalResult MapStages::emit(Operation *op, KernelFacts &facts,
                              StringRef name) {
  LogicalResult result = success();
  SmallVector<Operation *> done = {op};
  if (auto boundary = dyn_cast<BoundaryOp>(op)) {
    done.clear();
    mapBoundary(boundary, facts.aliases, done);
    joined.insert(done.begin() + 1, done.end());
  } else if (auto fold = dyn_cast<FoldOp>(op)) {
    mapFold(fold);
  } else if (auto pipeline = dyn_cast<PipelineOp>(op)) {
    result = mapPipeline(pipeline, facts, name);
  } else {
    result = mapApply(cast<ApplyOp>(op), facts, name);
    done.append(facts.images.begin(), facts.images.end());
    joined.insert(facts.images.begin(), facts.images.end());
  }
  if (succeeded(result))
    for (Operation *mapped : done)
      mapped->erase();
  return result;
}

LogicalResult MapStages::map(Operation *op, const TargetInfo &target,
                             StringRef name) {
  FieldAliasAnalysis aliases;
  KernelFacts facts{target, aliases, {}, {}, {}, /*step=*/1, {}};
  if (failed(checkFields(op)) || failed(collect(op, facts)))
    return failure();
  return emit(op, facts, name);
}

/// Says what each stage takes of a thread, if somebody wants to know.
static void remarkEngines(func::FuncOp function) {
  if (!function.getContext()->getRemarkEngine())
    return;
  function.walk([](ApplyOp stage) {
    auto kernel = stage->getParentOfType<tile::KernelOp>();
    if (!kernel)
      return;
    tile::EngineAttrInterface engine = tile::getEngine(stage);
    int64_t points =
        kernel.getGrid().getPoints()[kernel.getGrid().getRank() - 1];
    tile::EngineCount count = engine.count(stage, points);
    remarkPassed(stage.getLoc(), "Engines", "Engine",
                 llvm::formatv("{0}, for a row of {1} points: {2} values and "
                               "{3} weights from memory, {4} products",
                               engine, points, count.values, count.weights,
                               count.products));
  });
}

LogicalResult MapStages::map(func::FuncOp function, const TargetInfo &target) {
  joined.clear();
  SmallVector<Operation *> ops = listProgram(function);
  llvm::erase_if(ops, [](Operation *op) {
    return !isa<ApplyOp, PipelineOp, BoundaryOp, FoldOp>(op);
  });
  llvm::StringMap<unsigned> numbers;
  for (Operation *op : ops) {
    if (joined.contains(op))
      continue;
    StringRef role = isa<PipelineOp>(op) ? "pipeline" : "apply";
    std::string name = role.str();
    if (op->hasTrait<KernelLike>())
      name += std::to_string(numbers[role]++);
    if (failed(map(op, target, name)))
      return failure();
  }
  remarkEngines(function);
  return success();
}

void MapStages::runOnOperation() {
  FailureOr<const TargetInfo *> target = requireTarget(getOperation());
  if (failed(target))
    return signalPassFailure();
  ModuleOp module = getOperation();
  for (auto function : module.getOps<func::FuncOp>())
    if (failed(map(function, **target)))
      return signalPassFailure();
}
