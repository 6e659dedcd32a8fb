//===- TileCopies.cpp - Planes into rings, by threads ---------------------===//

#include "StencilDialect/IR/Elements.h"
#include "TileChunks.h"
#include "TileIterations.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace stencil;
using tile::Fill;

//===----------------------------------------------------------------------===//
// Rings
//===----------------------------------------------------------------------===//

int64_t stencil::findFirstPlane(tile::RingOp ring) {
  std::optional<int64_t> first;
  for (Operation *user : ring.getRes().getUsers())
    if (auto copy = dyn_cast<tile::CopyOp>(user)) {
      auto plane = static_cast<int64_t>(copy.getPlane());
      first = std::min(first.value_or(plane), plane);
    }
  return first.value_or(0);
}

/// Those of one overlay lie beside each other, the overlays at one place behind
/// what is in none.
LogicalResult TileKernel::placeRings() {
  int64_t own = 0;
  llvm::SmallDenseMap<int64_t, int64_t> ends;
  SmallVector<std::pair<tile::RingOp, int64_t>> places;
  for (auto ring : op.getBodyBlock()->getOps<tile::RingOp>()) {
    auto overlay = ring.getOverlay();
    int64_t &end = overlay ? ends[*overlay] : own;
    places.emplace_back(ring, end);
    end += ring.getBytes();
  }
  if (places.empty())
    return success();
  Value memory = kernel.addDynamicShared(op.getSharedBytes());
  OpBuilder &builder = kernel.body();
  Location loc = kernel.getLoc();
  Attribute space = cast<MemRefType>(memory.getType()).getMemorySpace();
  for (auto [ringOp, offset] : places) {
    TileRing &ring = rings[ringOp];
    ring.type = cast<tile::RingType>(ringOp.getType());
    ring.places = ring.type.getPlaces();
    ring.firstPlane = findFirstPlane(ringOp);
    int64_t last = op.getGrid().getRank() - 1;
    ring.vectorLength =
        walk == last ? 1 : ring.type.getVectorLength(group->step);
    int64_t legs = ringOp.getRelay() ? op.getGrid().getRelay() : 1;
    auto type = MemRefType::get(
        {legs * ring.type.getSlots() * ring.type.getSlotElements()},
        ring.type.getElementType(), MemRefLayoutAttrInterface(), space);
    ring.offset = offset + (ringOp.getOverlay() ? own : 0);
    Value start = arith::ConstantIndexOp::create(builder, loc, ring.offset);
    ring.elements =
        memref::ViewOp::create(builder, loc, type, memory, start, ValueRange());
  }
  placeInRings(*group);
  return success();
}

//===----------------------------------------------------------------------===//
// Copies
//===----------------------------------------------------------------------===//

TileChunks &TileKernel::getChunks(tile::CopyOp copy) {
  auto field = cast<BlockArgument>(copy.getField());
  auto &known = chunks[{copy.getRing().getDefiningOp(), field.getArgNumber()}];
  if (!known)
    known = std::make_unique<TileChunks>(*this, rings[copy.getRing()], field,
                                         isStored(field));
  return *known;
}

/// The coordinate of the plane that a copy brings; null without a walk.
Value TileKernel::getCopied(tile::CopyOp copy) {
  if (!walk)
    return {};
  // Counted from the iteration that waits for it, whose number is asked for in
  // any case. Compilers keep fewer numbers in registers then.
  Arithmetic math = kernel.math();
  auto plane = static_cast<int64_t>(copy.getPlane());
  Value iteration = copy.getIteration();
  int64_t later = countUntilAwaited(copy);
  if (later == 0 || !isIteration(iteration))
    return math.add(getNumber(iteration), plane);
  return math.add(
      math.add(firstPlane, math.add(getIteration(iteration), later)),
      plane - later);
}

/// Whether somebody in this segment reads a plane, and the field has it; null
/// without a walk.
Value TileKernel::isNeeded(tile::CopyOp copy, Value plane) {
  if (!walk)
    return {};
  Arithmetic math = kernel.math();
  BoundsAttr field = cast<FieldType>(copy.getField().getType()).getBounds();
  BoundsAttr domain = op.getGrid().getDomain();
  Value needed;
  bool isInField = false;
  if (auto needs = copy.getNeedsAttr()) {
    int64_t before = needs.getLb()[*walk], after = needs.getUb()[*walk] - 1;
    needed = math.less(plane, math.add(segmentEnd, after));
    // What comes behind the first plane that is needed does so in all
    // iterations. Of planes that wait in registers that is tested all the same:
    // without the test, eight kernels that spill on gfx942 spill otherwise, 172
    // bytes more in all.
    bool isDelayed =
        rings[copy.getRing()].type.getFill() == tile::Fill::Delayed;
    if (isDelayed || !isIteration(copy.getIteration()) ||
        static_cast<int64_t>(copy.getPlane()) < lookback + before)
      needed = math.both(math.lessEqual(math.add(segmentStart, before), plane),
                         needed);
    // Beyond the box of a boundary it comes from within.
    isInField = copy.getBoundary() ||
                (field.getLb()[*walk] <= domain.getLb()[*walk] + before &&
                 domain.getUb()[*walk] + after <= field.getUb()[*walk]);
  }
  if (isInField)
    return needed;
  needed = math.both(
      needed,
      math.lessEqual(kernel.getBound(field.getLb()[*walk], *walk), plane));
  return math.both(
      needed, math.less(plane, kernel.getBound(field.getUb()[*walk], *walk)));
}

void TileKernel::loadChunks(tile::CopyOp copy) {
  OpBuilder &builder = kernel.body();
  Location loc = copy.getLoc();
  TileChunks &chunks = getChunks(copy);
  Value plane = getCopied(copy), isPlane = isNeeded(copy, plane);
  plane = getSourcePlane(copy, plane);
  VectorType type = chunks.getType();
  Value zero =
      arith::ConstantOp::create(builder, loc, builder.getZeroAttr(type));
  SmallVector<Value> &loaded = rings[copy.getRing()].loaded.emplace_back();
  for (const TileChunks::Chunk &chunk : chunks.getChunks()) {
    Value position = chunks.getSource(chunk, plane);
    auto branch = scf::IfOp::create(builder, loc, TypeRange(type),
                                    chunks.isLoaded(chunk, isPlane),
                                    /*withElseRegion=*/true);
    OpBuilder inside = branch.getThenBodyBuilder();
    Value value = vector::LoadOp::create(
        inside, loc, type, chunks.getField().buffer, position,
        /*nontemporal=*/false, llvm::MaybeAlign(chunks.getBytes()));
    scf::YieldOp::create(inside, loc, value);
    OpBuilder outside = branch.getElseBodyBuilder();
    scf::YieldOp::create(outside, loc, zero);
    loaded.push_back(branch.getResult(0));
  }
}

/// Stores the oldest plane that has been loaded.
void TileKernel::storeChunks(TileRing &ring, TileChunks &chunks, Value slot) {
  OpBuilder &builder = kernel.body();
  Location loc = kernel.getLoc();
  SmallVector<Value> loaded = std::move(ring.loaded.front());
  ring.loaded.erase(ring.loaded.begin());
  for (auto [chunk, value] : llvm::zip_equal(chunks.getChunks(), loaded)) {
    Value position = chunks.getTarget(chunk, slot);
    OpBuilder::InsertionGuard guard(builder);
    if (chunk.exists) {
      auto branch = scf::IfOp::create(builder, loc, chunk.exists);
      builder.setInsertionPoint(branch.thenBlock()->getTerminator());
    }
    vector::StoreOp::create(builder, loc, value, ring.elements, position,
                            /*nontemporal=*/false,
                            llvm::MaybeAlign(chunks.getBytes()));
  }
}

/// cp.async by all threads.
LogicalResult TileKernel::copyAsync(tile::CopyOp copy) {
  constexpr int64_t kWidest = 16, kNarrowest = 4;
  OpBuilder &builder = kernel.body();
  Location loc = copy.getLoc();
  TileRing &ring = rings[copy.getRing()];
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
  if (!openCopies.insert(copy.getRing().getDefiningOp()).second) {
    closeAsyncGroup();
    openCopies.insert(copy.getRing().getDefiningOp());
  }
  Value plane = getCopied(copy), isPlane = isNeeded(copy, plane);
  plane = getSourcePlane(copy, plane);
  Value slot = getRingSlot(copy.getCursor(), ring,
                           static_cast<int64_t>(copy.getPlane()));
  auto token = nvgpu::DeviceAsyncTokenType::get(builder.getContext());
  Value none = arith::ConstantIndexOp::create(builder, loc, 0);
  Value all = arith::ConstantIndexOp::create(builder, loc, length);
  for (const TileChunks::Chunk &chunk : chunks.getChunks()) {
    Value target = chunks.getTarget(chunk, slot);
    Value position = chunks.getSource(chunk, plane);
    Value isLoaded = chunks.isLoaded(chunk, isPlane);
    OpBuilder::InsertionGuard guard(builder);
    if (chunk.exists) {
      auto branch = scf::IfOp::create(builder, loc, chunk.exists);
      builder.setInsertionPoint(branch.thenBlock()->getTerminator());
    }
    // Of what is not there nothing is read, and zeros are written.
    Value count = arith::SelectOp::create(builder, loc, isLoaded, all, none);
    Value safe =
        arith::SelectOp::create(builder, loc, isLoaded, position, none);
    nvgpu::DeviceAsyncCopyOp::create(
        builder, loc, token, ring.elements, target, chunks.getField().buffer,
        safe, builder.getIndexAttr(length), count,
        chunks.getBytes() == kWidest ? builder.getUnitAttr() : UnitAttr());
  }
  return success();
}

Value TileKernel::closeAsyncGroup() {
  OpBuilder &builder = kernel.body();
  openCopies.clear();
  auto token = nvgpu::DeviceAsyncTokenType::get(builder.getContext());
  return nvgpu::DeviceAsyncCreateGroupOp::create(builder, kernel.getLoc(),
                                                 token, ValueRange());
}

/// Groups of asynchronous copies that may be on their way when the planes of a
/// wait have to be there: there is one per iteration.
int64_t TileKernel::countPending() {
  if (!walk)
    return 0;
  std::optional<int64_t> nearest;
  for (auto ring : op.getBodyBlock()->getOps<tile::RingOp>()) {
    if (rings[ring].type.getFill() != Fill::Async)
      continue;
    std::optional<int64_t> copied, waited;
    for (Operation *user : ring.getRes().getUsers()) {
      if (auto copy = dyn_cast<tile::CopyOp>(user))
        copied = std::max<int64_t>(copied.value_or(copy.getPlane()),
                                   copy.getPlane());
      if (auto wait = dyn_cast<tile::WaitOp>(user))
        waited = std::max<int64_t>(waited.value_or(wait.getPlane()),
                                   wait.getPlane());
    }
    if (copied && waited)
      nearest =
          std::min(nearest.value_or(*copied - *waited), *copied - *waited);
  }
  return std::max<int64_t>(nearest.value_or(1) - 1, 0);
}

LogicalResult TileKernel::emitCopy(tile::CopyOp copy) {
  TileRing &ring = rings[copy.getRing()];
  switch (ring.type.getFill()) {
  case Fill::Threads:
    loadChunks(copy);
    storeChunks(ring, getChunks(copy),
                getRingSlot(copy.getCursor(), ring,
                            static_cast<int64_t>(copy.getPlane())));
    return success();
  case Fill::Delayed:
    loadChunks(copy);
    ring.delayed = &getChunks(copy);
    return success();
  case Fill::Async:
    return copyAsync(copy);
  case Fill::Tma:
    return copyTma(copy);
  case Fill::Stage:
    break;
  }
  llvm_unreachable("a copy has no such ring");
}

LogicalResult TileKernel::emitWait(tile::WaitOp wait) {
  OpBuilder &builder = kernel.body();
  TileRing &ring = rings[wait.getRing()];
  switch (ring.type.getFill()) {
  case Fill::Threads:
  case Fill::Stage:
    break;
  case Fill::Delayed:
    if (ring.loaded.empty())
      return wait.emitOpError("expected a copy to the ring before it");
    storeChunks(ring, *ring.delayed,
                getRingSlot(wait.getCursor(), ring,
                            static_cast<int64_t>(wait.getPlane())));
    break;
  case Fill::Async:
    nvgpu::DeviceAsyncWaitOp::create(
        builder, wait.getLoc(), closeAsyncGroup(),
        builder.getI32IntegerAttr(static_cast<int32_t>(countPending())));
    break;
  case Fill::Tma:
    waitTma(wait);
    break;
  }
  return success();
}
