//===- MapStages.cpp - Level 3 to kernels of tiles ------------------------===//
//
// What a block and a thread compute, what is in shared memory and where in an
// iteration it is fetched, is decided here, and nowhere behind.
//
//===----------------------------------------------------------------------===//

#include "../StencilToGPU/FieldFunction.h"
#include "StencilDialect/Conversion/Passes.h"
#include "StencilDialect/IR/OpWalks.h"
#include "StencilDialect/IR/Remarks.h"
#include "StencilDialect/IR/Target.h"
#include "StencilToTile.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "llvm/ADT/TypeSwitch.h"
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

  /// Boundary ops that the kernel of an earlier op stands for; they are gone.
  llvm::SmallPtrSet<Operation *, 16> joined;
};

} // namespace

/// Builds the kernels of an op, which goes.
LogicalResult MapStages::map(Operation *op, const TargetInfo &target,
                             StringRef name) {
  FieldAliasAnalysis aliases;
  if (failed(checkFields(op)))
    return failure();
  SmallVector<Operation *> done = {op};
  LogicalResult result =
      llvm::TypeSwitch<Operation *, LogicalResult>(op)
          .Case([&](BoundaryOp boundary) {
            done.clear();
            mapBoundary(boundary, aliases, done);
            return success();
          })
          .Case([&](FoldOp fold) { return mapFold(fold); })
          .Case([&](PipelineOp pipeline) {
            return mapPipeline(pipeline, target, aliases, name);
          })
          .Case([&](ApplyOp apply) {
            return mapApply(apply, target, aliases, name, done);
          });
  if (failed(result))
    return failure();
  joined.insert(done.begin() + 1, done.end());
  for (Operation *mapped : done)
    mapped->erase();
  return success();
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
