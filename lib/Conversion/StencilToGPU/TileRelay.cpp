//===- TileRelay.cpp - What legs hand on to each other --------------------===//
//
// The groups of threads of a relay run the same code: what differs is where in
// shared memory a plane is taken from, and where it is put.
//
//===----------------------------------------------------------------------===//

#include "StencilDialect/IR/Elements.h"
#include "TileReads.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace stencil;

/// The first element of a ring that a leg puts planes to.
Value TileKernel::getLegStart(Value ringValue, Value leg) {
  Arithmetic math = kernel.math();
  if (!ringValue.getDefiningOp<tile::RingOp>().getRelay())
    return math.constant(0);
  tile::RingType type = rings[ringValue].type;
  return math.mul(leg, type.getSlots() * type.getSlotElements());
}

/// Loads a thread's own points. Where they are in the memory of the block, all
/// threads of a leg know alike.
void TileKernel::emitTake(tile::TakeOp take) {
  OpBuilder &builder = kernel.body();
  Location loc = take.getLoc();
  Arithmetic math = kernel.math();
  const TileRing &ring = rings[take.getRing()];
  const TileRing &handed = rings[take.getHanded()];
  Type element = ring.type.getElementType();
  int64_t bytes = getElementBytes(element);
  // Of the ring that is taken from, where the one of the copies begins.
  auto getStart = [&](const TileRing &from, Value cursor, int64_t plane) {
    Value slot = getRingSlot(cursor, from, plane);
    return math.add(math.mul(slot, from.type.getSlotElements()),
                    (from.offset - ring.offset) / bytes);
  };
  Value before = math.add(leg, -1);
  Value start =
      math.select(math.compare(arith::CmpIPredicate::eq, leg, math.constant(0)),
                  getStart(ring, take.getCursor(), take.getPlane()),
                  math.add(getStart(handed, take.getHandedCursor(), 0),
                           getLegStart(take.getHanded(), before)));
  Value base = math.toIndex(math.add(ring.positions[group->number], start));
  // The memory of both, as one.
  auto view = ring.elements.getDefiningOp<memref::ViewOp>();
  auto memory = cast<MemRefType>(view.getSource().getType());
  auto whole =
      MemRefType::get({ShapedType::kDynamic}, element,
                      MemRefLayoutAttrInterface(), memory.getMemorySpace());
  int64_t size = (op.getSharedBytes() - ring.offset) / bytes;
  Value elements = memref::ViewOp::create(
      builder, loc, whole, view.getSource(), view.getByteShift(),
      ValueRange(arith::ConstantIndexOp::create(builder, loc, size)));
  int64_t length =
      std::min({ring.vectorLength, handed.vectorLength, group->getAlignment()});
  Arithmetic wide(builder, loc, builder.getIndexType());
  for (const TilePoint &point : group->points) {
    if (point.back() % length != 0)
      continue;
    Value at = wide.add(base, *findInSlot(ring, point));
    TilePoint next = point;
    next[*walk] = take.getLag();
    if (length == 1) {
      Value value = memref::LoadOp::create(builder, loc, elements, at);
      group->values[take.getRes()][next] = {value, {}};
      continue;
    }
    Value vector = vector::LoadOp::create(
        builder, loc, VectorType::get({length}, element), elements, at,
        /*nontemporal=*/false, llvm::MaybeAlign(length * bytes));
    for (int64_t lane = 0; lane < length; ++lane, ++next.back())
      group->values[take.getRes()][next] = {
          vector::ExtractOp::create(builder, loc, vector, lane), {}};
  }
}
