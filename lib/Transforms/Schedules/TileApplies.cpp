//===- TileApplies.cpp - Tiles of applies that are kernels ----------------===//
//
// What the schedules of applies without a pipeline leave open is chosen here,
// so that stencil-map-stages finds all of it in the program.
//
//===----------------------------------------------------------------------===//

#include "StencilDialect/Analysis/KernelNumbers.h"
#include "StencilDialect/Analysis/TiledSchedule.h"
#include "StencilDialect/IR/OpWalks.h"
#include "StencilDialect/IR/Schedule.h"
#include "StencilDialect/IR/Target.h"
#include "StencilDialect/Transforms/Passes.h"

namespace stencil {
#define GEN_PASS_DEF_STENCILTILEAPPLIES
#include "StencilDialect/Transforms/Passes.h.inc"
} // namespace stencil

using namespace mlir;
using namespace stencil;

/// Neighbours are read again by other blocks, what is stored is not. Of bodies
/// that read several fields nothing was gained, or something lost; of many taps
/// LLVM cannot share and move loads as it does plain ones. Of regions, which
/// run beside others, nothing is known.
static bool paysToKeepLines(ApplyOp op, const TargetInfo &target) {
  auto isNeighbour = [](AccessOp access) {
    return !access.getOffset().isZero();
  };
  bool pays =
      target.hasEvictionPolicies && target.hasAsyncCopy(AsyncCopyTensor) &&
      countFieldInputs(op) == 1 && !op->hasAttr(RegionGroupAttr::kAttrName);
  auto reads = llvm::to_vector(op.getBodyBlock()->getOps<AccessOp>());
  if (!pays || llvm::none_of(reads, isNeighbour))
    return false;
  FormFacts facts("plain tile", op.getRank());
  facts.taps = reads.size();
  return KernelNumbers(facts, target).get("keeps_lines") > 0;
}

static void completeSchedule(ApplyOp op, const TargetInfo &target) {
  ScheduleAttr given = ScheduleAttr::of(op);
  // That is for a pipeline, and nobody has made one: an error of
  // stencil-map-stages.
  if (given && given.needsPipeline())
    return;
  ScheduleKeys keys(given);
  completeTiledSchedule(op, target, op.getDomain().getShape(), keys,
                        /*isOrdered=*/true);
  if (!keys.eviction && paysToKeepLines(op, target))
    keys.eviction = Eviction::Last;
  keys.give(op);
}

namespace {

struct TileApplies : stencil::impl::StencilTileAppliesBase<TileApplies> {
  void runOnOperation() override {
    SmallVector<ApplyOp> applies;
    // Stages of pipelines are tiled with these.
    for (Operation *op : listProgram(getOperation()))
      if (auto apply = dyn_cast<ApplyOp>(op); apply && apply.isBufferised())
        applies.push_back(apply);
    if (applies.empty())
      return;
    FailureOr<const TargetInfo *> target = requireTarget(getOperation());
    if (failed(target))
      return signalPassFailure();
    for (ApplyOp op : applies)
      completeSchedule(op, **target);
  }
};

} // namespace
