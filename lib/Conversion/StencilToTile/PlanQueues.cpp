//===- PlanQueues.cpp - What threads keep from plane to plane -------------===//

#include "KernelDraft.h"

#include <set>

using namespace mlir;
using namespace stencil;

/// Offsets in the plane at which a window is read.
static SmallVector<SmallVector<int64_t>>
listOffsets(const TiledPipeline &pipeline, WindowOp window) {
  SmallVector<int64_t> here(pipeline.grid.getRank(), 0);
  if (pipeline.hasLanes(window) ||
      !pipeline.isBesideTile(pipeline.plan.get(window.getRes()).reads))
    return {here};
  std::set<std::vector<int64_t>> found;
  if (!llvm::all_of(window.getRes().getUsers(), llvm::IsaPred<ApplyOp>))
    found.emplace(here.begin(), here.end());
  for (auto [stage, input] : pipeline.listReaders(window))
    for (Operation *user :
         stage.getBodyBlock()->getArgument(input).getUsers()) {
      ArrayRef<int64_t> at = cast<AccessOp>(user).getOffset().getValues();
      std::vector<int64_t> offset(at.begin(), at.end());
      if (pipeline.axis)
        offset[*pipeline.axis] = 0;
      found.insert(std::move(offset));
    }
  SmallVector<SmallVector<int64_t>> offsets;
  for (const std::vector<int64_t> &offset : found)
    offsets.emplace_back(offset.begin(), offset.end());
  return offsets;
}

/// Whether neighbours are read of what a stage makes that no thread gives.
static bool isReadBeyond(const TiledPipeline &pipeline, WindowOp window) {
  if (pipeline.isRelay() || !pipeline.isOfStage(window))
    return false;
  const OffsetBox &reads = pipeline.plan.get(window.getRes()).reads;
  for (int64_t i = 0; i < pipeline.grid.getRank(); ++i) {
    bool isGiven = pipeline.axis == i ||
                   (pipeline.hasLanes(window) &&
                    (i + 1 == pipeline.grid.getRank() || window.exchanges(i)));
    if (!isGiven && (reads.lower[i] != 0 || reads.upper[i] != 0))
      return true;
  }
  return false;
}

/// The queue of a window in registers.
static FailureOr<MappedQueue> planWindow(const TiledPipeline &pipeline,
                                         const Chains &chains,
                                         WindowOp window) {
  const PlannedValue &planned = pipeline.plan.get(window.getRes());
  if (isReadBeyond(pipeline, window))
    return window.emitOpError("has no lowering here: neighbours are read "
                              "that other threads have; run "
                              "stencil-share-neighbours");
  // Neighbours that a thread keeps are read one by one.
  if (!pipeline.hasLanes(window) && pipeline.isBesideTile(planned.reads))
    for (auto [stage, input] : pipeline.listReaders(window))
      if (failed(checkAccesses(stage, input)))
        return failure();
  MappedQueue queue;
  queue.offsets = listOffsets(pipeline, window);
  for (int64_t at = planned.lead - 1; pipeline.axis && at >= planned.oldest;
       --at)
    queue.types.push_back(
        chains.getHeldType(window, getElementType(window.getRes()), at));
  return queue;
}

/// The partial sums that an accumulation keeps.
static MappedQueue planSum(const TiledPipeline &pipeline, const Chains &chains,
                           AccumulateOp sum) {
  MappedQueue queue;
  queue.offsets.emplace_back(pipeline.getRank(), 0);
  ArrayRef<int64_t> planes = sum.getPlanes();
  int64_t lead = pipeline.plan.get(sum.getTerms().front()).lead;
  for (int64_t at = planes.front(); at < planes.back(); ++at)
    queue.types.push_back(
        chains.getHeldType(sum, getElementType(sum.getRes()), lead - at - 1));
  return queue;
}

FailureOr<QueueMap> stencil::planQueues(const TiledPipeline &pipeline,
                                        const Chains &chains) {
  QueueMap queues;
  for (Operation &inner : *pipeline.getOp().getBodyBlock()) {
    if (auto window = dyn_cast<WindowOp>(inner);
        window && pipeline.isQueue(window)) {
      FailureOr<MappedQueue> queue = planWindow(pipeline, chains, window);
      if (failed(queue))
        return failure();
      queues[window] = std::move(*queue);
    }
    if (auto sum = dyn_cast<AccumulateOp>(inner);
        sum && pipeline.plan.isNeeded(sum.getRes()))
      queues[sum] = planSum(pipeline, chains, sum);
  }
  return queues;
}
