//===- ThreadCopies.cpp - Planes into rings, by threads -------------------===//

#include "RingFills.h"
#include "TileOps.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace stencil;
using tile::Fill;

TileChunks &ThreadCopies::getChunks(tile::CopyOp copy) {
  auto field = cast<BlockArgument>(copy.getField());
  auto &known = chunks[{copy.getRing().getDefiningOp(), field.getArgNumber()}];
  if (!known)
    known = std::make_unique<TileChunks>(block, block.rings[copy.getRing()],
                                         field, block.isStored(field));
  return *known;
}

Value ThreadCopies::getCopied(tile::CopyOp copy) {
  if (!block.walk)
    return {};
  // Counted from the iteration that waits for it, whose number is asked for in
  // any case. Compilers keep fewer numbers in registers then.
  int64_t plane = copy.getPlane();
  Value iteration = copy.getIteration();
  int64_t later = countUntilAwaited(copy);
  if (later == 0 || !isIteration(iteration))
    return math.add(block.getNumber(iteration), plane);
  return math.add(math.add(block.firstPlane,
                           math.add(block.getIteration(iteration), later)),
                  plane - later);
}

Value ThreadCopies::isNeeded(tile::CopyOp copy, Value plane) {
  if (!block.walk)
    return {};
  BoundsAttr field = getBounds(copy.getField());
  BoundsAttr domain = block.tiles.getDomain();
  Value needed;
  bool isInField = false;
  if (auto needs = copy.getNeedsAttr()) {
    int64_t before = needs.getLb()[*block.walk],
            after = needs.getUb()[*block.walk] - 1;
    needed = math.less(plane, math.add(block.segmentEnd, after));
    // What comes behind the first plane that is needed does so in all
    // iterations. Of planes that wait in registers that is tested all the
    // same: without the test, eight kernels that spill on gfx942 spill
    // otherwise, 172 bytes more in all.
    bool isDelayed =
        block.rings[copy.getRing()].type.getFill() == tile::Fill::Delayed;
    if (isDelayed || !isIteration(copy.getIteration()) ||
        copy.getPlane() < block.lookback + before)
      needed = math.both(
          math.lessEqual(math.add(block.segmentStart, before), plane), needed);
    // Beyond the box of a boundary it comes from within.
    isInField =
        copy.getBoundary() ||
        (field.getLb()[*block.walk] <= domain.getLb()[*block.walk] + before &&
         domain.getUb()[*block.walk] + after <= field.getUb()[*block.walk]);
  }
  if (isInField)
    return needed;
  needed = math.both(
      needed, math.lessEqual(block.kernel.getBound(field.getLb()[*block.walk],
                                                   *block.walk),
                             plane));
  return math.both(
      needed, math.less(plane, block.kernel.getBound(field.getUb()[*block.walk],
                                                     *block.walk)));
}

void ThreadCopies::load(tile::CopyOp copy) {
  Location loc = copy.getLoc();
  TileChunks &chunks = getChunks(copy);
  Value plane = getCopied(copy), isPlane = isNeeded(copy, plane);
  plane = getSourcePlane(copy, plane);
  VectorType type = chunks.getType();
  Value zero = arith::getZeroConstant(b, loc, type);
  SmallVector<Value> &loaded = state.loaded[copy.getRing()].emplace_back();
  delayed[copy.getRing()] = &chunks;
  for (const TileChunks::Chunk &chunk : chunks.getChunks()) {
    Value position = chunks.getSource(chunk, plane);
    auto load = [&]() -> Value {
      return vector::LoadOp::create(
          b, loc, type, chunks.getField().buffer, position,
          /*nontemporal=*/false, llvm::MaybeAlign(chunks.getBytes()));
    };
    loaded.push_back(
        makeIf(b, loc, chunks.isLoaded(chunk, isPlane), load, zero));
  }
}

/// Stores the oldest plane that has been loaded.
void ThreadCopies::storeChunks(Value ringValue, TileChunks &chunks,
                               Value slot) {
  const TileRing &ring = block.rings[ringValue];
  std::vector<SmallVector<Value>> &planes = state.loaded[ringValue];
  SmallVector<Value> loaded = std::move(planes.front());
  planes.erase(planes.begin());
  for (auto [chunk, value] : llvm::zip_equal(chunks.getChunks(), loaded)) {
    Value position = chunks.getTarget(chunk, slot);
    OpBuilder::InsertionGuard guard(b);
    openIf(b, b.getLoc(), chunk.exists);
    vector::StoreOp::create(b, value, ring.elements, position,
                            /*nontemporal=*/false,
                            llvm::MaybeAlign(chunks.getBytes()));
  }
}

/// cp.async by all threads.
LogicalResult ThreadCopies::copyAsync(tile::CopyOp copy) {
  constexpr int64_t kWidest = 16, kNarrowest = 4;
  Location loc = copy.getLoc();
  TileRing &ring = block.rings[copy.getRing()];
  TileChunks &chunks = getChunks(copy);
  int64_t length = chunks.getLength();
  if (chunks.getBytes() < kNarrowest)
    return copy.emitOpError("expected rows that are aligned to at least ")
           << kNarrowest
           << " bytes for 'fill = async', which is 'prefetch = async' of a "
              "schedule, got "
           << chunks.getBytes();
  if (!hasVectorLayout(ring.type.getElementType()) ||
      getElementBytes(ring.type.getElementType()) > kWidest)
    return copy.emitOpError("no asynchronous copy has elements of type ")
           << ring.type.getElementType();
  // A group has a plane of each ring: who waits for one knows how many may be
  // on their way behind it.
  if (!state.openCopies.insert(copy.getRing().getDefiningOp()).second) {
    closeAsyncGroup();
    state.openCopies.insert(copy.getRing().getDefiningOp());
  }
  Value plane = getCopied(copy), isPlane = isNeeded(copy, plane);
  plane = getSourcePlane(copy, plane);
  Value slot = block.getRingSlot(copy.getCursor(), ring, copy.getPlane());
  auto token = nvgpu::DeviceAsyncTokenType::get(b.getContext());
  Value none = arith::ConstantIndexOp::create(b, loc, 0);
  Value all = arith::ConstantIndexOp::create(b, loc, length);
  for (const TileChunks::Chunk &chunk : chunks.getChunks()) {
    Value target = chunks.getTarget(chunk, slot);
    Value position = chunks.getSource(chunk, plane);
    Value isLoaded = chunks.isLoaded(chunk, isPlane);
    OpBuilder::InsertionGuard guard(b);
    openIf(b, loc, chunk.exists);
    // Of what is not there nothing is read, and zeros are written.
    Value count = arith::SelectOp::create(b, loc, isLoaded, all, none);
    Value safe = arith::SelectOp::create(b, loc, isLoaded, position, none);
    nvgpu::DeviceAsyncCopyOp::create(
        b, loc, token, ring.elements, target, chunks.getField().buffer, safe,
        b.getIndexAttr(length), count,
        chunks.getBytes() == kWidest ? b.getUnitAttr() : UnitAttr());
  }
  return success();
}

Value ThreadCopies::closeAsyncGroup() {
  state.openCopies.clear();
  auto token = nvgpu::DeviceAsyncTokenType::get(b.getContext());
  return nvgpu::DeviceAsyncCreateGroupOp::create(b, token, ValueRange());
}

/// Groups of asynchronous copies that may be on their way when the planes of a
/// wait have to be there: there is one per iteration.
int64_t ThreadCopies::countPending() {
  if (!block.walk)
    return 0;
  std::optional<int64_t> nearest;
  for (auto ring : block.listRings()) {
    if (block.rings[ring].type.getFill() != Fill::Async)
      continue;
    std::optional<int64_t> copied, waited = getAwaited(ring);
    for (Operation *user : ring.getRes().getUsers())
      if (auto copy = dyn_cast<tile::CopyOp>(user))
        copied = std::max(copied.value_or(copy.getPlane()), copy.getPlane());
    if (copied && waited)
      nearest =
          std::min(nearest.value_or(*copied - *waited), *copied - *waited);
  }
  return std::max<int64_t>(nearest.value_or(1) - 1, 0);
}

Value ThreadCopies::getSourcePlane(tile::CopyOp copy, Value plane) {
  if (!block.walk || !copy.getBoundary())
    return plane;
  return HaloFrame(block, *copy.getNeeds(), *copy.getBoundary())
      .getSourcePlane(block.rings[copy.getRing()].type.getElementType(), plane);
}

void ThreadCopies::copy(tile::CopyOp copy, Value slot) {
  load(copy);
  if (!slot)
    slot = block.getRingSlot(copy.getCursor(), block.rings[copy.getRing()],
                             copy.getPlane());
  storeChunks(copy.getRing(), getChunks(copy), slot);
}

LogicalResult ThreadCopies::store(tile::WaitOp wait) {
  if (state.loaded[wait.getRing()].empty())
    return wait.emitOpError("expected a copy to the ring before it");
  storeChunks(wait.getRing(), *delayed[wait.getRing()],
              block.getRingSlot(wait.getCursor(), block.rings[wait.getRing()],
                                wait.getPlane()));
  return success();
}

void ThreadCopies::waitAsync(tile::WaitOp wait) {
  nvgpu::DeviceAsyncWaitOp::create(
      b, wait.getLoc(), closeAsyncGroup(),
      b.getI32IntegerAttr(static_cast<int32_t>(countPending())));
}
