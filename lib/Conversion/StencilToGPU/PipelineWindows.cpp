//===- PipelineWindows.cpp - What the windows of a kernel are -------------===//

#include "PipelineKernel.h"
#include "StencilDialect/Analysis/PipelineSize.h"

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
  case Prefetch::L2:
    break;
  }
  llvm_unreachable("unknown prefetch");
}

//===----------------------------------------------------------------------===//
// Groups
//===----------------------------------------------------------------------===//

void PipelineKernel::findGroups() {
  std::set<int64_t> numbers;
  for (WindowOp window : op.getBodyBlock()->getOps<WindowOp>())
    if (auto number = window.getGroupNumber(); number && isSharedWindow(window))
      numbers.insert(*number);
  groupNumbers.assign(numbers.begin(), numbers.end());
  fetchGroups.resize(std::max<size_t>(groupNumbers.size(), 1));
}

/// Position of a window's group; none if it is in none.
std::optional<unsigned> PipelineKernel::getGroup(WindowOp window) const {
  std::optional<int64_t> number = window.getGroupNumber();
  if (!number)
    return {};
  return llvm::lower_bound(groupNumbers, *number) - groupNumbers.begin();
}

/// Which of the groups has to be there for an op; none if any will do.
std::optional<unsigned> PipelineKernel::getGroup(Operation *inner) const {
  for (Value operand : inner->getOperands())
    if (auto window = operand.getDefiningOp<WindowOp>())
      if (std::optional<unsigned> group = getGroup(window))
        return group;
  return {};
}

//===----------------------------------------------------------------------===//
// Boundaries
//===----------------------------------------------------------------------===//

/// Has the boundary conditions of a window applied, where it reaches beyond
/// their box.
LogicalResult PipelineKernel::addPatch(SharedRing &ring,
                                       const KernelField &field,
                                       FetchGroup &group) {
  WindowOp window = ring.getWindow();
  bool isTma = window.getPrefetch() == Prefetch::Tma;
  HaloTile tile = {context.getWalk(),      plan.getDomain(),
                   context.getTile(),      context.tileStart,
                   context.segmentStart,   context.segmentEnd,
                   context.countThreads(), context.threadNumber};
  HaloFrame frame(kernel, std::move(tile), ring.getPlanned().needs,
                  *window.getBounds(), *window.getConditions());
  HaloMemory memory = {&field,
                       ring.getElementType(),
                       llvm::to_vector(ring.getOrigin()),
                       llvm::to_vector(ring.getStrides()),
                       ring.getPlaneElements(),
                       Value(),
                       isTma};
  auto patch =
      std::make_unique<HaloPatch>(kernel, std::move(frame), std::move(memory));
  if (failed(patch->check(window)))
    return failure();
  ring.setPatch(*patch);
  group.needsPatchBarrier |= !isTma;
  group.patches.push_back({&ring, std::move(patch)});
  return success();
}

/// Whether this block is at the edge of the box of a boundary; null if there is
/// none.
Value PipelineKernel::findEdge() {
  Value edge;
  for (FetchGroup &group : fetchGroups)
    for (PatchedRing &patched : group.patches)
      if (Value here = patched.patch->getFrame().findEdge())
        edge = edge ? kernel.body().createOrFold<arith::OrIOp>(op.getLoc(),
                                                               edge, here)
                    : here;
  return edge;
}

/// The plane with this number of a window with a boundary; null without a walk.
Value PipelineKernel::getPatched(const PatchedRing &patched, Value number) {
  if (!number)
    return {};
  Arithmetic math = kernel.math();
  return math.add(math.add(context.firstPlane, number),
                  patched.ring->getPlanned().newest);
}

/// Loads what is to be written to the planes with this number.
void PipelineKernel::loadPatches(FetchGroup &group, Value number) {
  for (PatchedRing &patched : group.patches)
    patched.patch->load(getPatched(patched, number));
}

/// Applies boundary conditions to the planes that have arrived.
void PipelineKernel::patchPlanes(FetchGroup &group, const PipelineStep &step) {
  if (!context.isAtEdge || group.patches.empty())
    return;
  if (group.needsPatchBarrier)
    gpu::BarrierOp::create(kernel.body(), op.getLoc());
  for (PatchedRing &patched : group.patches)
    patched.patch->store(getPatched(patched, step.number),
                         patched.ring->getSlot(step, 0));
}

//===----------------------------------------------------------------------===//
// Shared windows
//===----------------------------------------------------------------------===//

/// Whether the window can be filled as it says.
LogicalResult PipelineKernel::checkFetch(const SharedRing &ring,
                                         LoadOp load) const {
  WindowOp window = ring.getWindow();
  Prefetch kind = window.getPrefetch().value_or(Prefetch::None);
  const TargetInfo &target = kernels.getOptions().target;
  if ((kind == Prefetch::Tma && !target.hasAsyncCopy(AsyncCopyTensor)) ||
      (kind == Prefetch::Async && !target.hasAsyncCopy(AsyncCopyElements)))
    return window.emitOpError("expected a GPU with ")
           << (kind == Prefetch::Tma ? "the tensor memory accelerator"
                                     : "cp.async")
           << " for prefetch = " << stringifyPrefetch(kind) << ", got "
           << target.chip;
  bool isAsync = kind == Prefetch::Async || kind == Prefetch::Tma;
  if (context.getWalk() && isAsync && ring.getAhead() < 1)
    return window.emitOpError("expected a lead beyond plane p + ")
           << ring.getPlanned().newest
           << ", the newest that is read, for prefetch = "
           << stringifyPrefetch(kind) << ", got " << ring.getPlanned().lead;
  int64_t last = static_cast<int64_t>(ring.getShape().size()) - 1;
  if (kind == Prefetch::Tma && context.isStored(load) &&
      context.getWalk() != last &&
      ring.getShape()[last] != context.getTile(last))
    return window.emitOpError("expected tiles of a multiple of ")
           << ring.getRowAlignment() << " points along axis " << last
           << " for prefetch = tma of a field that is stored to, got "
           << context.getTile(last);
  return success();
}

/// Chooses who fills a window of a load.
LogicalResult PipelineKernel::addFetch(SharedRing &ring, LoadOp load) {
  if (failed(checkFetch(ring, load)))
    return failure();
  WindowOp window = ring.getWindow();
  Prefetch kind = window.getPrefetch().value_or(Prefetch::None);
  unsigned number = getGroup(window).value_or(0);
  FetchGroup &group = fetchGroups[number];
  PlaneFetch *&fetch = fetchers[{number, kind}];
  if (!fetch) {
    group.fetches.push_back(createFetch(kind, context));
    fetch = group.fetches.back().get();
  }
  group.needsFence |= kind == Prefetch::Tma;
  const KernelField &field = loads[load.getRes()];
  fetch->add(ring, field, load.getField());
  needsEarlyBarrier |= fetch->writesEarly(ring);
  return window.hasBoundary() ? addPatch(ring, field, group) : success();
}

/// Gives the shared windows their places.
LogicalResult PipelineKernel::placeWindows() {
  SharedLayout layout(
      op, [&](WindowOp window) { return rings[window]->getBytes(); });
  if (int64_t limit =
          static_cast<int64_t>(kernels.getOptions().target.sharedPerBlock);
      layout.bytes > limit)
    return op.emitOpError("expected windows of at most ")
           << limit << " bytes, the shared memory of a block on "
           << kernels.getOptions().target.chip << ", got " << layout.bytes;
  Value memory = kernel.addDynamicShared(layout.bytes);
  for (auto [window, offset] : layout.windows)
    rings[window]->place(memory, offset);
  for (FetchGroup &group : fetchGroups)
    for (PatchedRing &patched : group.patches)
      patched.patch->place(patched.ring->getElements());
  return success();
}

/// Makes the shared windows and chooses who fills them.
LogicalResult PipelineKernel::addWindows() {
  for (WindowOp window : op.getBodyBlock()->getOps<WindowOp>()) {
    if (!isSharedWindow(window))
      continue;
    auto &ring = rings[window];
    ring = std::make_unique<SharedRing>(window, context);
    if (!llvm::is_contained(depths, ring->getDepth()))
      depths.push_back(ring->getDepth());
    // That of what a stage makes, the stage fills.
    auto load = window.getTemp().getDefiningOp<LoadOp>();
    if (load && failed(addFetch(*ring, load)))
      return failure();
  }
  return rings.empty() ? success() : placeWindows();
}

/// Brings the windows of another group to where those of the last one are, when
/// all threads are done with these.
void PipelineKernel::fetchGroup(unsigned number, const PipelineStep &step) {
  OpBuilder &builder = kernel.body();
  Location loc = op.getLoc();
  FetchGroup &next = fetchGroups[number];
  if (next.needsFence)
    fenceCopyEngine(builder, loc);
  gpu::BarrierOp::create(builder, loc);
  for (auto &fetch : next.fetches)
    fetch->start();
  if (context.isAtEdge)
    loadPatches(next, {});
  for (auto &fetch : next.fetches)
    fetch->arrive(step);
  patchPlanes(next, step);
  gpu::BarrierOp::create(builder, loc);
}

//===----------------------------------------------------------------------===//
// Registers
//===----------------------------------------------------------------------===//

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
