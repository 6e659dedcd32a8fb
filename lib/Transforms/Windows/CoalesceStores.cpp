//===- CoalesceStores.cpp - Results through shared memory -----------------===//
//
// Before:
//   %r = stencil.apply(%x = %w) -> (TEMP) { ... }
//   stencil.store %r to %v(BOX)
// After:
//   %r = stencil.apply(%x = %w) -> (TEMP) { ... }
//   %s = stencil.window shared %r
//   stencil.store %s to %v(BOX)
//
//===----------------------------------------------------------------------===//

#include "StencilDialect/Analysis/FieldAccesses.h"
#include "StencilDialect/Analysis/KernelNumbers.h"
#include "StencilDialect/Analysis/PipelineSize.h"
#include "StencilDialect/Analysis/TiledSchedule.h"
#include "StencilDialect/IR/Elements.h"
#include "StencilDialect/IR/OpWalks.h"
#include "StencilDialect/IR/Remarks.h"
#include "StencilDialect/IR/TapBoxes.h"
#include "StencilDialect/IR/Target.h"
#include "StencilDialect/Transforms/Passes.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/Support/FormatVariadic.h"

namespace stencil {
#define GEN_PASS_DEF_STENCILCOALESCESTORES
#include "StencilDialect/Transforms/Passes.h.inc"
} // namespace stencil

using namespace mlir;
using namespace stencil;

namespace {

struct CoalesceStores
    : stencil::impl::StencilCoalesceStoresBase<CoalesceStores> {
  void runOnOperation() override;

private:
  bool isPossible(PipelineOp op);
  void coalesce(PipelineOp op);

  const TargetInfo *target = nullptr;
};

} // namespace

/// Whether what threads have of a row is an odd number of points, or of the
/// widest vectors: then a thread that writes them to shared memory meets no
/// other one in its bank. Such tiles are chosen for long sums, and for several
/// steps over a row.
static bool hasOddRows(PipelineOp op, const TargetInfo &target) {
  KernelNumbers numbers(FormFacts("stores"), FormDevice());
  auto schedule = ScheduleAttr::of(op);
  if (!schedule || schedule.getPoints().empty())
    return getLongestTapRow(op) > 0;
  int64_t points = schedule.getPoints().back();
  if (points % 2 == 1)
    return points >= numbers.getCount("fewest_points");
  int64_t bytes = 0;
  for (StoreOp store : op.getBodyBlock()->getOps<StoreOp>())
    bytes = points * getElementBytes(getElementType(store.getTemp()));
  int64_t widest = target.sharedVectorBytes, vectors = bytes / widest;
  return bytes % widest == 0 && vectors % 2 == 1 &&
         vectors >= numbers.getCount("fewest_vectors");
}

/// Whether a stage stores its result at all points.
static bool isWhole(OpResult result) {
  auto stage = dyn_cast<ApplyOp>(result.getOwner());
  return stage && !isa<ResultType>(stage.getBodyBlock()
                                       ->getTerminator()
                                       ->getOperand(result.getResultNumber())
                                       .getType());
}

/// What the tiles of a pipeline take, with those that stencil-tile-registers
/// falls back to where its schedule leaves them open.
static int64_t getSharedBytes(PipelineOp op, const PipelinePlan &plan,
                              const TargetInfo &target) {
  auto schedule = ScheduleAttr::of(op);
  constexpr int64_t kMany = int64_t(1) << 40;
  SmallVector<int64_t> block(op.getRank(), 1), points(op.getRank(), 1);
  block.back() = target.warpSize;
  points.back() = chooseTapLoopPoints(/*taps=*/kMany, target);
  if (schedule && !schedule.getBlock().empty())
    block.assign(schedule.getBlock().begin(), schedule.getBlock().end());
  if (schedule && !schedule.getPoints().empty())
    points.assign(schedule.getPoints().begin(), schedule.getPoints().end());
  return PipelineSize(op, plan).getSharedBytes(getTilePoints(block, points));
}

bool CoalesceStores::isPossible(PipelineOp op) {
  FieldAliasAnalysis aliases;
  return !op.getWalkAxis() &&
         llvm::all_of(op.getBodyBlock()->getOps<StoreOp>(), [&](StoreOp store) {
           auto result = dyn_cast<OpResult>(store.getTemp());
           return result && isWhole(result) &&
                  hasVectorLayout(getElementType(result)) &&
                  isStoredAlone(store, aliases);
         });
}

void CoalesceStores::coalesce(PipelineOp op) {
  llvm::MapVector<Value, WindowOp> windows;
  for (StoreOp store : op.getBodyBlock()->getOps<StoreOp>()) {
    WindowOp &window = windows[store.getTemp()];
    if (!window) {
      OpBuilder builder(op.getContext());
      builder.setInsertionPointAfterValue(store.getTemp());
      window = WindowOp::create(builder, store.getLoc(), store.getTemp(),
                                Space::Shared);
    }
    store.getTempMutable().assign(window.getRes());
  }
  auto plan = PipelinePlan::create(op);
  if (failed(plan))
    return signalPassFailure();
  int64_t bytes = getSharedBytes(op, *plan, *target);
  if (bytes <= static_cast<int64_t>(target->sharedPerBlock))
    return;
  for (auto &[result, window] : windows) {
    window.getRes().replaceAllUsesWith(result);
    window.erase();
  }
  remarkMissed(
      op.getLoc(), "Schedule", "Stores",
      llvm::formatv("each thread stores its own points: with windows for "
                    "what is stored there would be {0} bytes of shared "
                    "memory, of which a block on {1} has {2}",
                    bytes, target->chip, target->sharedPerBlock));
}

void CoalesceStores::runOnOperation() {
  ModuleOp module = getOperation();
  auto pipelines =
      listWithin(module, [&](PipelineOp op) { return isPossible(op); });
  if (pipelines.empty())
    return;
  FailureOr<const TargetInfo *> known = requireTarget(module);
  if (failed(known))
    return signalPassFailure();
  target = *known;
  for (PipelineOp op : pipelines)
    if (hasOddRows(op, *target))
      coalesce(op);
}
