//===- TileRings.cpp - Rings in the memory of a block ---------------------===//
//
// What threads write to rings, and take of them. The groups of threads of a
// relay run the same code: what differs is where in shared memory a plane is
// taken from, and where it is put.
//
//===----------------------------------------------------------------------===//

#include "StencilDialect/IR/Elements.h"
#include "TileOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace stencil;

/// Those of one overlay lie beside each other, the overlays at one place behind
/// what is in none.
void stencil::placeRings(ThreadValues &held) {
  TileBlock &block = held.block;
  int64_t own = 0;
  llvm::SmallDenseMap<int64_t, int64_t> ends;
  SmallVector<std::pair<tile::RingOp, int64_t>> places;
  for (auto ring : block.listRings()) {
    auto overlay = ring.getOverlay();
    int64_t &end = overlay ? ends[*overlay] : own;
    places.emplace_back(ring, end);
    end += ring.getBytes();
  }
  if (places.empty())
    return;
  Value memory = block.kernel.addDynamicShared(block.op.getSharedBytes());
  ImplicitLocOpBuilder &b = block.kernel.body();
  Attribute space = cast<MemRefType>(memory.getType()).getMemorySpace();
  for (auto [ringOp, offset] : places) {
    TileRing &ring = block.rings[ringOp];
    ring.type = cast<tile::RingType>(ringOp.getType());
    ring.places = ring.type.getPlaces();
    ring.firstPlane = findFirstPlane(ringOp);
    int64_t last = block.tiles.getRank() - 1;
    ring.vectorLength = block.walk == last
                            ? 1
                            : ring.type.getVectorLength(held.getGroup().step);
    int64_t legs = ringOp.getRelay() ? block.tiles.getRelay() : 1;
    auto type = MemRefType::get(
        {legs * ring.type.getSlots() * ring.type.getSlotElements()},
        ring.type.getElementType(), MemRefLayoutAttrInterface(), space);
    ring.offset = offset + (ringOp.getOverlay() ? own : 0);
    Value start = arith::ConstantIndexOp::create(b, ring.offset);
    ring.elements =
        memref::ViewOp::create(b, type, memory, start, ValueRange());
  }
  held.points.placeInRings(held.getGroup());
}

void stencil::clearEdges(TileBlock &block) {
  OpBuilder &builder = block.kernel.body();
  bool isCleared = false;
  for (auto ringOp : block.listRings()) {
    const TileRing &ring = block.rings[ringOp];
    if (!ring.type.hasEdges() && !ringOp.getRelay())
      continue;
    isCleared = true;
    Location loc = ringOp.getLoc();
    int64_t count = cast<MemRefType>(ring.elements.getType()).getNumElements();
    auto loop =
        scf::ForOp::create(builder, loc, block.math.toIndex(block.threadNumber),
                           arith::ConstantIndexOp::create(builder, loc, count),
                           arith::ConstantIndexOp::create(
                               builder, loc, block.tiles.countThreads()));
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(loop.getBody());
    Value zero =
        arith::getZeroConstant(builder, loc, ring.type.getElementType());
    memref::StoreOp::create(builder, loc, zero, ring.elements,
                            loop.getInductionVar());
  }
  if (isCleared)
    gpu::BarrierOp::create(builder, block.op.getLoc());
}

Value stencil::getLegStart(TileBlock &block, Value ringValue, Value leg) {
  if (!ringValue.getDefiningOp<tile::RingOp>().getRelay())
    return block.math.constant(0);
  tile::RingType type = block.rings[ringValue].type;
  return block.math.mul(leg, type.getSlots() * type.getSlotElements());
}

void stencil::emitTake(ThreadValues &held, tile::TakeOp take) {
  TileBlock &block = held.block;
  OpBuilder &builder = block.kernel.body();
  Location loc = take.getLoc();
  const Arithmetic &math = block.math;
  const TileRing &ring = block.rings[take.getRing()];
  const TileRing &handed = block.rings[take.getHanded()];
  Type element = ring.type.getElementType();
  int64_t bytes = getElementBytes(element);
  // Of the ring that is taken from, where the one of the copies begins.
  auto getStart = [&](const TileRing &from, Value cursor, int64_t plane) {
    Value slot = block.getRingSlot(cursor, from, plane);
    return math.add(math.mul(slot, from.type.getSlotElements()),
                    (from.offset - ring.offset) / bytes);
  };
  Value before = math.add(block.leg, -1);
  Value start =
      math.select(math.equal(block.leg, 0),
                  getStart(ring, take.getCursor(), take.getPlane()),
                  math.add(getStart(handed, take.getHandedCursor(), 0),
                           getLegStart(block, take.getHanded(), before)));
  Value base =
      math.toIndex(math.add(ring.positions[held.getGroup().number], start));
  // The memory of both, as one.
  auto view = ring.elements.getDefiningOp<memref::ViewOp>();
  auto memory = cast<MemRefType>(view.getSource().getType());
  auto whole =
      MemRefType::get({ShapedType::kDynamic}, element,
                      MemRefLayoutAttrInterface(), memory.getMemorySpace());
  int64_t size = (block.op.getSharedBytes() - ring.offset) / bytes;
  Value elements = memref::ViewOp::create(
      builder, loc, whole, view.getSource(), view.getByteShift(),
      ValueRange(arith::ConstantIndexOp::create(builder, loc, size)));
  int64_t length = std::min(
      {ring.vectorLength, handed.vectorLength, held.getGroup().getAlignment()});
  Arithmetic wide(builder, loc, builder.getIndexType());
  for (const TilePoint &point : held.getGroup().points) {
    if (point.back() % length != 0)
      continue;
    Value at = wide.add(base, *block.findInSlot(ring, point));
    TilePoint next = point;
    next[*block.walk] = take.getLag();
    Value values = loadElements(builder, loc, length, elements, at);
    for (int64_t lane = 0; lane < length; ++lane, ++next.back())
      held.set(take.getRes(), next, {extract(builder, loc, values, lane), {}});
  }
}

void stencil::emitPut(ThreadValues &held, tile::PutOp put,
                      ArrayRef<TilePoint> row) {
  TileBlock &block = held.block;
  OpBuilder &builder = block.kernel.body();
  Location loc = put.getLoc();
  const Arithmetic &math = block.math;
  const TileRing &ring = block.rings[put.getRing()];
  int64_t plane = put.getPlane();
  Value slot = block.getRingSlot(put.getCursor(), ring, plane);
  Value start = math.add(getLegStart(block, put.getRing(), block.leg),
                         math.mul(slot, ring.type.getSlotElements()));
  Value base =
      math.toIndex(math.add(ring.positions[held.getGroup().number], start));
  int64_t length = std::min(ring.vectorLength, held.getGroup().getAlignment());
  Arithmetic wide(builder, loc, builder.getIndexType());
  for (const TilePoint &point : row) {
    if (point.back() % length != 0)
      continue;
    std::optional<int64_t> position = block.findInSlot(ring, point);
    if (!position)
      continue;
    Value at = wide.add(base, *position);
    SmallVector<Value> lanes;
    TilePoint next = point;
    if (block.walk)
      next[*block.walk] = plane;
    for (int64_t lane = 0; lane < length; ++lane, ++next.back())
      lanes.push_back(held.get(put.getValues(), next).value);
    storeElements(builder, loc, pack(builder, loc, lanes), ring.elements, at);
  }
}
