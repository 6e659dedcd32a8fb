//===- MapStages.cpp - Pipelines and applies to kernels of tiles ----------===//
//
// What a block and a thread compute, what is in shared memory and where in an
// iteration it is fetched, is decided here, and nowhere behind.
//
//===----------------------------------------------------------------------===//

#include "StencilDialect/Conversion/Passes.h"
#include "StencilDialect/IR/Target.h"
#include "StencilToTile.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/IR/Remarks.h"

namespace stencil {
#define GEN_PASS_DEF_STENCILMAPSTAGES
#include "StencilDialect/Conversion/Passes.h.inc"
} // namespace stencil

using namespace mlir;
using namespace stencil;

namespace {

struct MapStages : stencil::impl::StencilMapStagesBase<MapStages> {
  using StencilMapStagesBase::StencilMapStagesBase;

  void runOnOperation() override {
    if (failed(run()))
      signalPassFailure();
  }

private:
  LogicalResult run();
  LogicalResult map(func::FuncOp function, const TargetInfo &target);
  LogicalResult map(Operation *op, const TargetInfo &target, StringRef name);
};

} // namespace

/// What is known of an op; fails with an error at what cannot be.
static LogicalResult collect(Operation *op, KernelFacts &facts) {
  if (auto pipeline = dyn_cast<PipelineOp>(op)) {
    auto plan = PipelinePlan::create(pipeline);
    auto schedule = choosePipelineSchedule(pipeline, facts.target);
    if (failed(plan) || failed(schedule))
      return failure();
    facts.plan.emplace(std::move(*plan));
    facts.schedule = std::move(*schedule);
  } else if (auto apply = dyn_cast<ApplyOp>(op);
             apply && apply.isBufferised()) {
    auto schedule = chooseGPUSchedule(apply, facts.target);
    if (failed(schedule))
      return failure();
    facts.schedule = std::move(*schedule);
  }
  return success();
}

LogicalResult MapStages::map(Operation *op, const TargetInfo &target,
                             StringRef name) {
  FieldAliasAnalysis aliases;
  KernelFacts facts{target, aliases, {}, {}};
  if (failed(collect(op, facts)))
    return failure();
  if (std::string why = findUnmapped(op, facts); !why.empty()) {
    if (require)
      return op->emitOpError("is not mapped to tiles: ") << why;
    remark::missed(op->getLoc(),
                   remark::RemarkOpts::name("NotMapped").category("Tiles"))
        << why;
    return success();
  }
  auto pipeline = dyn_cast<PipelineOp>(op);
  LogicalResult result = pipeline ? mapPipeline(pipeline, facts, name)
                                  : mapApply(cast<ApplyOp>(op), facts, name);
  if (succeeded(result))
    op->erase();
  return result;
}

LogicalResult MapStages::map(func::FuncOp function, const TargetInfo &target) {
  SmallVector<Operation *> ops;
  function.walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (isa<ApplyOp, PipelineOp, BoundaryOp, FoldOp>(op))
      ops.push_back(op);
    return isa<ApplyOp, PipelineOp, tile::KernelOp>(op) ? WalkResult::skip()
                                                        : WalkResult::advance();
  });
  // Numbered as kernels are, those that are not mapped, too.
  llvm::StringMap<unsigned> numbers;
  for (Operation *op : ops) {
    StringRef role = isa<PipelineOp>(op) ? "pipeline" : "apply";
    std::string name = role.str();
    if (isa<PipelineOp, ApplyOp>(op))
      name += std::to_string(numbers[role]++);
    if (failed(map(op, target, name)))
      return failure();
  }
  return success();
}

LogicalResult MapStages::run() {
  FailureOr<const TargetInfo *> target = requireTarget(getOperation());
  if (failed(target))
    return failure();
  for (auto function : getOperation().getOps<func::FuncOp>())
    if (failed(map(function, **target)))
      return failure();
  return success();
}
