//===- PipelineWindows.cpp - What the windows of a kernel are -------------===//

#include "PipelineKernel.h"

#include <numeric>

using namespace mlir;
using namespace stencil;

static std::unique_ptr<PlaneFetch> createFetch(Prefetch kind,
                                               const PipelineContext &context) {
  switch (kind) {
  case Prefetch::None:
  case Prefetch::Registers:
    return createThreadFetch(context, kind == Prefetch::Registers);
  case Prefetch::Async:
    return createAsyncFetch(context);
  case Prefetch::Tma:
    return createTmaFetch(context);
  }
  llvm_unreachable("unknown prefetch");
}

/// Has the boundary conditions of a window applied, where it reaches beyond
/// their box.
LogicalResult PipelineKernel::addPatch(SharedRing &ring,
                                       const KernelField &field) {
  auto patch = std::make_unique<HaloPatch>(context, ring, field);
  if (failed(patch->check()))
    return failure();
  ring.setPatch(*patch);
  needsPatchBarrier |= ring.getWindow().getPrefetch() != Prefetch::Tma;
  patches.push_back(std::move(patch));
  return success();
}

/// Whether this block is at the edge of the box of a boundary; null if there is
/// none.
Value PipelineKernel::findEdge() {
  Value edge;
  for (auto &patch : patches)
    if (Value here = patch->findEdge())
      edge = edge ? kernel.body().createOrFold<arith::OrIOp>(op.getLoc(), edge,
                                                             here)
                  : here;
  return edge;
}

/// Applies boundary conditions to the planes that have arrived.
void PipelineKernel::patchPlanes(const PipelineStep &step) {
  if (!context.isAtEdge)
    return;
  if (needsPatchBarrier)
    gpu::BarrierOp::create(kernel.body(), op.getLoc());
  for (auto &patch : patches)
    patch->store(step);
}

/// Lays out the shared windows and chooses who fills them.
LogicalResult PipelineKernel::addWindows() {
  std::map<Prefetch, PlaneFetch *> byKind;
  int64_t bytes = 0;
  for (WindowOp window : op.getBodyBlock()->getOps<WindowOp>()) {
    if (window.getSpace() != WindowSpace::Shared || window.getRes().use_empty())
      continue;
    auto &ring = rings[window];
    ring = std::make_unique<SharedRing>(window, context);
    if (!llvm::is_contained(depths, ring->getDepth()))
      depths.push_back(ring->getDepth());
    bytes += ring->getBytes();
    auto load = window.getTemp().getDefiningOp<LoadOp>();
    if (!load)
      continue; // The stage fills it.
    Prefetch kind = window.getPrefetch().value_or(Prefetch::None);
    const TargetInfo &target = host.getOptions().target;
    if ((kind == Prefetch::Tma && !target.hasAsyncCopy(AsyncCopyTensor)) ||
        (kind == Prefetch::Async && !target.hasAsyncCopy(AsyncCopyElements)))
      return window.emitOpError("expected a GPU with ")
             << (kind == Prefetch::Tma ? "the tensor memory accelerator"
                                       : "cp.async")
             << " for prefetch = " << stringifyPrefetch(kind) << ", got "
             << target.chip;
    bool isAsync = kind == Prefetch::Async || kind == Prefetch::Tma;
    if (context.getWalk() && isAsync && ring->getAhead() < 1)
      return window.emitOpError("expected a lead beyond plane p + ")
             << ring->getPlanned().newest
             << ", the newest that is read, for prefetch = "
             << stringifyPrefetch(kind) << ", got " << ring->getPlanned().lead;
    int64_t last = op.getRank() - 1;
    if (kind == Prefetch::Tma && context.isStored(load) &&
        context.getWalk() != last &&
        ring->getShape()[last] != context.getTile(last))
      return window.emitOpError("expected tiles of a multiple of ")
             << ring->getRowAlignment() << " points along axis " << last
             << " for prefetch = tma of a field that is stored to, got "
             << context.getTile(last);
    PlaneFetch *&fetch = byKind[kind];
    if (!fetch) {
      fetches.push_back(createFetch(kind, context));
      fetch = fetches.back().get();
    }
    fetch->add(*ring, loads[load.getRes()], host.getBuffer(load.getField()));
    if (window.hasBoundary() && failed(addPatch(*ring, loads[load.getRes()])))
      return failure();
    needsEarlyBarrier |= fetch->writesEarly(*ring);
  }
  if (rings.empty())
    return success();
  if (int64_t limit =
          static_cast<int64_t>(host.getOptions().target.sharedPerBlock);
      bytes > limit)
    return op.emitOpError("expected windows of at most ")
           << limit << " bytes, the shared memory of a block on "
           << host.getOptions().target.chip << ", got " << bytes;
  Value memory = kernel.addDynamicShared(bytes);
  int64_t offset = 0;
  for (WindowOp window : op.getBodyBlock()->getOps<WindowOp>())
    if (auto it = rings.find(window); it != rings.end()) {
      it->second->place(memory, offset);
      offset += it->second->getBytes();
    }
  return success();
}

/// Makes room for the planes of a window or the incomplete sums, at the points
/// of the group.
void PipelineKernel::addQueue(Operation *inner, StageChain *chain) {
  int64_t count = 0;
  RegisterQueue queue;
  queue.elementType =
      cast<GridType>(inner->getResult(0).getType()).getElementType();
  queue.offsets = group->points;
  if (auto sum = dyn_cast<AccumulateOp>(inner)) {
    count = sum.getPlanes().back() - sum.getPlanes().front();
  } else {
    auto window = cast<WindowOp>(inner);
    queue.offsets = listReads(window, chain);
    count = context.getWalk() ? window.getDepth()->getSExtValue() - 1 : 0;
  }
  OpBuilder &builder = kernel.body();
  Value zero = arith::ConstantOp::create(
      builder, op.getLoc(), builder.getZeroAttr(queue.elementType));
  queue.planes.resize(count);
  for (auto &plane : queue.planes)
    for (const PointOffset &offset : queue.offsets)
      plane[offset] = zero;
  group->queues[inner] = std::move(queue);
}

static bool isQueue(Operation *inner) {
  auto window = dyn_cast<WindowOp>(inner);
  return isa<AccumulateOp>(inner) ||
         (window && window.getSpace() != WindowSpace::Shared);
}

/// What a thread keeps from iteration to iteration: of windows, all offsets
/// that somebody reads.
void PipelineKernel::addQueues() {
  for (Operation &inner : *op.getBodyBlock())
    if (!inner.use_empty() && isQueue(&inner))
      addQueue(&inner, /*chain=*/nullptr);
  for (auto &chain : chains)
    for (PointGroup *halo : chain->halo) {
      group = halo;
      for (Operation *inner : chain->ops)
        if (isQueue(inner))
          addQueue(inner, chain.get());
      for (Operation *copy : chain->copies)
        addQueue(copy, chain.get());
    }
  group = &getOwn();
}

/// Iterations after which all queues are in place again.
int64_t PipelineKernel::countUnrolled() {
  // Beyond, some registers are moved instead.
  constexpr int64_t kMaxUnrolled = 32;
  int64_t common = 1, longest = 1;
  for (Operation &inner : *op.getBodyBlock()) {
    int64_t length = 1;
    if (auto window = dyn_cast<WindowOp>(inner);
        window && window.getSpace() != WindowSpace::Shared)
      length = window.getDepth()->getSExtValue();
    else if (auto sum = dyn_cast<AccumulateOp>(inner))
      length = sum.getPlanes().back() - sum.getPlanes().front() + 1;
    common = std::min(std::lcm(common, length), 2 * kMaxUnrolled);
    longest = std::max(longest, length);
  }
  return common <= kMaxUnrolled ? common : longest;
}
