//===- MapToTensorCores.cpp - Sums to products of matrices ----------------===//
//
// Which instruction, and which patch of outputs a row of A serves, is chosen by
// ProductChooser; what #tile.mma makes of it is in lib/Tile/MatrixProduct.cpp.
//
//===----------------------------------------------------------------------===//

#include "ProductChooser.h"
#include "StencilDialect/Conversion/Passes.h"
#include "StencilDialect/IR/OpWalks.h"
#include "StencilDialect/IR/Target.h"
#include "StencilDialect/Transforms/ComposeBody.h"

namespace stencil {
#define GEN_PASS_DEF_STENCILMAPTOTENSORCORES
#include "StencilDialect/Conversion/Passes.h.inc"
} // namespace stencil

using namespace mlir;
using namespace stencil;

namespace {

struct MapToTensorCores
    : stencil::impl::StencilMapToTensorCoresBase<MapToTensorCores> {
  using StencilMapToTensorCoresBase::StencilMapToTensorCoresBase;

  void runOnOperation() override;

private:
  LogicalResult map(PipelineOp op, const TargetInfo &target);
};

} // namespace

LogicalResult MapToTensorCores::map(PipelineOp op, const TargetInfo &target) {
  ScheduleAttr schedule = ScheduleAttr::of(op);
  if (!schedule || schedule.getEngine() != Engine::Mma)
    return success();
  if (!mayReassociate(math))
    return op.emitOpError(
        "expected 'math = reassociate' or 'tf32' for 'engine = mma', "
        "which sums in the order of the matrix unit");
  if (target.matrixInstructions.empty())
    return op.emitOpError("expected a GPU with matrix instructions for 'engine "
                          "= mma', got ")
           << target.chip;
  if (static_cast<int64_t>(schedule.getBlock().size()) != op.getRank() ||
      static_cast<int64_t>(schedule.getPoints().size()) != op.getRank())
    return op.emitOpError("expected 'block' and 'points' for 'engine = mma'; "
                          "run stencil-tile-registers");
  SmallVector<WeightedSumOp> sums;
  for (ApplyOp stage : op.getBodyBlock()->getOps<ApplyOp>()) {
    // Partial sums that points share are of no use here: where nobody asked for
    // matrices before (stencil-factor-sums), they are multiplied out.
    constexpr size_t kMaxTaps = 1 << 16;
    if (!composeWholeBody(stage, math, kMaxTaps) && hasSumsOverValues(stage))
      composeBody(stage, math, kMaxTaps);
    // What is left are sums of what else the body computes.
    llvm::copy_if(stage.getBodyBlock()->getOps<WeightedSumOp>(),
                  std::back_inserter(sums),
                  [](WeightedSumOp sum) { return sum.isOverInput(); });
  }
  // A kernel has one layout: the longest sum chooses it.
  auto *longest = llvm::max_element(sums, [](WeightedSumOp l, WeightedSumOp r) {
    return l.getNumTaps() < r.getNumTaps();
  });
  if (longest != sums.end())
    std::rotate(sums.begin(), longest, std::next(longest));
  FailureOr<PipelinePlan> plan = PipelinePlan::create(op);
  if (failed(plan))
    return failure();
  ProductChooser chooser(op, *plan, target, math);
  for (WeightedSumOp sum : sums)
    if (failed(chooser.choose(sum, sum->getParentOfType<ApplyOp>())))
      return failure();
  if (!sums.empty())
    return success();
  return op.emitOpError("has no sum for 'engine = mma': expected a "
                        "stencil.weighted_sum with constant weights of an "
                        "input in a shared window");
}

void MapToTensorCores::runOnOperation() {
  auto pipelines = listWithin<PipelineOp>(getOperation());
  if (pipelines.empty())
    return;
  FailureOr<const TargetInfo *> target = requireTarget(getOperation());
  if (failed(target))
    return signalPassFailure();
  for (PipelineOp op : pipelines)
    if (failed(map(op, **target)))
      return signalPassFailure();
}
