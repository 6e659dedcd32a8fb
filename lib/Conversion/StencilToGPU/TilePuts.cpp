//===- TilePuts.cpp - What threads write to rings, and store together -----===//
//
// What threads have written to a ring, a thread need not store to memory where
// it has computed it: neighbouring threads store neighbouring vectors, and
// memory is written in whole sectors, however many points of a row a thread
// computes.
//
//===----------------------------------------------------------------------===//

#include "StencilDialect/IR/Elements.h"
#include "TileReads.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace stencil;

/// Rings with edges: what is beside the tile, and before the first plane, is
/// read and not specified, but it is some number. So are the first planes that
/// legs take.
void TileKernel::clearEdges() {
  OpBuilder &builder = kernel.body();
  Arithmetic math = kernel.math();
  bool isCleared = false;
  for (auto ringOp : op.getBodyBlock()->getOps<tile::RingOp>()) {
    const TileRing &ring = rings[ringOp];
    if (!ring.type.hasEdges() && !ringOp.getRelay())
      continue;
    isCleared = true;
    Location loc = ringOp.getLoc();
    int64_t count = cast<MemRefType>(ring.elements.getType()).getNumElements();
    auto loop =
        scf::ForOp::create(builder, loc, math.toIndex(threadNumber),
                           arith::ConstantIndexOp::create(builder, loc, count),
                           arith::ConstantIndexOp::create(
                               builder, loc, op.getGrid().countThreads()));
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(loop.getBody());
    Value zero = arith::ConstantOp::create(
        builder, loc, builder.getZeroAttr(ring.type.getElementType()));
    memref::StoreOp::create(builder, loc, zero, ring.elements,
                            loop.getInductionVar());
  }
  if (isCleared)
    gpu::BarrierOp::create(builder, op.getLoc());
}

/// Writes the values of a row of points.
void TileKernel::emitPut(tile::PutOp put, ArrayRef<TilePoint> row) {
  OpBuilder &builder = kernel.body();
  Location loc = put.getLoc();
  Arithmetic math = kernel.math();
  const TileRing &ring = rings[put.getRing()];
  auto plane = static_cast<int64_t>(put.getPlane());
  Value slot = getRingSlot(put.getCursor(), ring, plane);
  Value start = math.add(getLegStart(put.getRing(), leg),
                         math.mul(slot, ring.type.getSlotElements()));
  Value base = math.toIndex(math.add(ring.positions[group->number], start));
  int64_t length = std::min(ring.vectorLength, group->getAlignment());
  if (known && !walk)
    known->forget(put.getRing());
  Type element = ring.type.getElementType();
  Arithmetic wide(builder, loc, builder.getIndexType());
  for (const TilePoint &point : row) {
    if (point.back() % length != 0)
      continue;
    std::optional<int64_t> position = findInSlot(ring, point);
    if (!position)
      continue;
    Value at = wide.add(base, *position);
    SmallVector<Value> lanes;
    TilePoint next = point;
    if (walk)
      next[*walk] = plane;
    for (int64_t lane = 0; lane < length; ++lane, ++next.back())
      lanes.push_back(getValue(put.getValues(), next).value);
    if (length == 1) {
      memref::StoreOp::create(builder, loc, lanes.front(), ring.elements, at);
      continue;
    }
    Value vector = vector::FromElementsOp::create(
        builder, loc, VectorType::get({length}, element), lanes);
    vector::StoreOp::create(
        builder, loc, vector, ring.elements, at, /*nontemporal=*/false,
        llvm::MaybeAlign(length * getElementBytes(element)));
  }
}

/// Stores as many points of a row, from `base` on, as lie in the domain.
/// `source` is where they are in the ring.
void TileKernel::storeChunk(const KernelField &field, const TileRing &ring,
                            BasePoint base, Value source, int64_t length) {
  OpBuilder &builder = kernel.body();
  Location loc = kernel.getLoc();
  Arithmetic math = kernel.math();
  BoundsAttr domain = op.getGrid().getDomain();
  int64_t last = domain.getRank() - 1;
  SmallVector<int64_t> extents(domain.getRank(), 1);
  extents.back() = length;
  OpBuilder::InsertionGuard guard(builder);
  if (Value whole = grid.isInside(kernel, base, extents)) {
    // A vector may lie half in the domain, unless its ends are between vectors.
    auto isBetween = [&](int64_t bound) {
      return !isSymbolic(bound) && bound % length == 0;
    };
    bool isSplit = length > 1 && !(isBetween(domain.getLb()[last]) &&
                                   isBetween(domain.getUb()[last]));
    auto branch = scf::IfOp::create(builder, loc, whole, isSplit);
    if (isSplit) {
      builder.setInsertionPoint(branch.elseBlock()->getTerminator());
      for (int64_t lane = 0; lane < length; ++lane) {
        BasePoint one = base;
        one.coordinates[last] = math.add(base.coordinates[last], lane);
        storeChunk(field, ring, one, math.add(source, lane), 1);
      }
    }
    builder.setInsertionPoint(branch.thenBlock()->getTerminator());
  }
  RowAddresses addresses(kernel, base);
  Value target =
      addresses.get(field, SmallVector<int64_t>(domain.getRank(), 0));
  source = math.toIndex(source);
  if (length == 1) {
    Value value = memref::LoadOp::create(builder, loc, ring.elements, source);
    memref::StoreOp::create(builder, loc, value, field.buffer, target);
    return;
  }
  Type element = ring.type.getElementType();
  int64_t bytes = length * getElementBytes(element);
  kernel.requireAlignment(bytes);
  llvm::MaybeAlign alignment(bytes);
  Value vector = vector::LoadOp::create(
      builder, loc, VectorType::get({length}, element), ring.elements, source,
      /*nontemporal=*/false, alignment);
  vector::StoreOp::create(builder, loc, vector, field.buffer, target,
                          /*nontemporal=*/false, alignment);
}

/// Deals what the block stores of its tile out to the threads in vectors.
void TileKernel::emitSharedStore(tile::StoreOp store) {
  OpBuilder &builder = kernel.body();
  Arithmetic math = kernel.math();
  auto shared = store.getValues().getDefiningOp<tile::SourceOp>();
  const TileRing &ring = rings[shared.getMemory()];
  const KernelField &field = fields[store.getField()];
  int64_t last = op.getGrid().getRank() - 1;
  tile::GridAttr tiles = op.getGrid();
  BoundsAttr stored = tiles.getInner() ? tiles.getInner() : tiles.getTileBox();
  int64_t length = walk == last
                       ? 1
                       : stencil::getVectorLength(kernels, field.type,
                                                  grid.getTileAlignment());
  int64_t factors = length | ring.type.getBox().getLb()[last] |
                    ring.type.getPitch() | ring.type.getSlotElements() |
                    stored.getLb()[last] | stored.getUb()[last];
  if (ring.type.getGap() != 0)
    factors |= ring.type.getSegment() | ring.type.getGap();
  length = factors & -factors;
  OpBuilder::InsertionGuard guard(builder);
  Value plane = openStore(store);
  Value slot = getRingSlot(shared.getIteration(), ring, store.getLead());
  Value lastLeg = math.constant(op.getGrid().getRelay() - 1);
  Value start = math.add(getLegStart(shared.getMemory(), lastLeg),
                         math.mul(slot, ring.type.getSlotElements()));
  int64_t count = 1;
  for (int64_t axis = 0; axis <= last; ++axis)
    if (walk != axis)
      count *= tiles.getStep(axis);
  count /= length;
  int64_t threads = op.getGrid().countThreads();
  for (int64_t first = 0; first < count; first += threads) {
    Value number = math.add(threadNumber, first);
    OpBuilder::InsertionGuard inner(builder);
    if (first + threads > count) {
      auto branch = scf::IfOp::create(builder, store.getLoc(),
                                      math.less(number, math.constant(count)));
      builder.setInsertionPoint(branch.thenBlock()->getTerminator());
    }
    BasePoint base = getBase(plane);
    Value source = start, rest = number;
    int64_t left = count;
    for (int64_t axis = last; axis >= 0; --axis) {
      if (walk == axis)
        continue;
      int64_t width = axis == last ? length : 1;
      int64_t extent = tiles.getStep(axis) / width;
      // What is left of the number needs no remainder along the last digit.
      left /= extent;
      Value digit = left == 1 ? rest : math.rem(rest, math.constant(extent));
      Value along = math.add(math.mul(digit, width), stored.getLb()[axis]);
      rest =
          left == 1 ? math.constant(0) : math.div(rest, math.constant(extent));
      base.coordinates[axis] = math.add(tileStart[axis], along);
      Value inRing = math.add(along, -ring.type.getBox().getLb()[axis]);
      source = math.add(
          source, ring.places.findPlace(math, axis, inRing,
                                        ring.type.getBox().getLb()[axis]));
    }
    storeChunk(field, ring, base, source, length);
  }
}
