//===- TileStores.cpp - What a tile stores --------------------------------===//

#include "StencilDialect/IR/Elements.h"
#include "TileOps.h"
#include "Window.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

#include <set>

using namespace mlir;
using namespace stencil;

using Offset = std::vector<int64_t>;

/// The values from `offset` on along the row that are stored together, in any
/// case or under one condition, at most `length`.
static SmallVector<Value> collectRow(const std::map<Offset, LaneValue> &values,
                                     Offset offset, int64_t length) {
  SmallVector<Value> elements;
  Value set = values.find(offset)->second.set;
  for (; static_cast<int64_t>(elements.size()) < length; ++offset.back()) {
    auto it = values.find(offset);
    if (it == values.end() || it->second.set != set)
      break;
    elements.push_back(it->second.value);
  }
  return elements;
}

/// Stores the values at some points near a base point, in vectors where a whole
/// one is stored. `values` has an offset per point.
static void storePoints(KernelBuilder &kernel, RowAddresses &addresses,
                        const KernelField &field, int64_t alignment,
                        const std::map<Offset, LaneValue> &values) {
  ImplicitLocOpBuilder &b = kernel.body();
  int64_t length = getVectorLength(kernel.getSet(), field.type, alignment);
  std::set<Offset> done;
  for (auto &[offset, lane] : values) {
    if (done.count(offset))
      continue;
    Value index = addresses.get(field, offset);
    SmallVector<Value> elements = collectRow(values, offset, length);
    OpBuilder::InsertionGuard guard(b);
    openIf(b, b.getLoc(), lane.set);
    if (length > 1 && offset.back() % length == 0 &&
        static_cast<int64_t>(elements.size()) == length) {
      for (Offset next = offset; next.back() < offset.back() + length;
           ++next.back())
        done.insert(next);
      kernel.requireAlignment(length *
                              getElementBytes(field.type.getElementType()));
    } else {
      elements = {lane.value};
    }
    storeElements(b, b.getLoc(), pack(b, b.getLoc(), elements), field.buffer,
                  index);
  }
}

/// Goes on in a branch for planes that are stored, if there may be others.
/// Returns the plane, none without a walk.
static Value openStore(TileBlock &block, tile::StoreOp store) {
  if (!block.walk)
    return {};
  const Arithmetic &math = block.math;
  OpBuilder &builder = block.kernel.body();
  int64_t lead = store.getLead();
  Value plane = math.add(block.getPlane(store.getIteration()), lead);
  Value isStored;
  if (!isBehindLookback(store.getIteration(), block.lookback))
    isStored = math.lessEqual(block.segmentStart, plane);
  if (lead > 0)
    isStored = math.both(isStored, math.less(plane, block.segmentEnd));
  openIf(builder, store.getLoc(), isStored);
  return plane;
}

void stencil::emitStore(ThreadValues &held, tile::StoreOp store,
                        ArrayRef<TilePoint> row) {
  TileBlock &block = held.block;
  OpBuilder &builder = block.kernel.body();
  OpBuilder::InsertionGuard guard(builder);
  BasePoint base = held.getBase(openStore(block, store));
  RowAddresses addresses(block.kernel, base);
  TileValues stored;
  for (const TilePoint &point : row) {
    TilePoint made = point;
    if (block.walk)
      made[*block.walk] = store.getLead();
    stored[point] = held.get(store.getValues(), made);
  }
  storePoints(block.kernel, addresses, block.fields[store.getField()],
              base.alignment, stored);
}

/// Stores as many points of a row, from `base` on, as lie in the domain.
/// `source` is where they are in the ring.
static void storeChunk(TileBlock &block, const KernelField &field,
                       const TileRing &ring, BasePoint base, Value source,
                       int64_t length) {
  ImplicitLocOpBuilder &b = block.kernel.body();
  BoundsAttr domain = block.tiles.getDomain();
  int64_t last = domain.getRank() - 1;
  SmallVector<int64_t> extents(domain.getRank(), 1);
  extents.back() = length;
  OpBuilder::InsertionGuard guard(b);
  if (Value whole = block.grid.isInside(base, extents)) {
    // A vector may lie half in the domain, unless its ends are between vectors.
    bool isSplit = length > 1 && !block.grid.endsBetween(length);
    auto branch = scf::IfOp::create(b, whole, isSplit);
    if (isSplit) {
      b.setInsertionPoint(branch.elseBlock()->getTerminator());
      for (int64_t lane = 0; lane < length; ++lane) {
        BasePoint one = base;
        one.coordinates[last] = block.math.add(base.coordinates[last], lane);
        storeChunk(block, field, ring, one, block.math.add(source, lane), 1);
      }
    }
    b.setInsertionPoint(branch.thenBlock()->getTerminator());
  }
  RowAddresses addresses(block.kernel, base);
  Value target =
      addresses.get(field, SmallVector<int64_t>(domain.getRank(), 0));
  source = block.math.toIndex(source);
  if (length > 1)
    block.kernel.requireAlignment(length *
                                  getElementBytes(ring.type.getElementType()));
  Value values = loadElements(b, b.getLoc(), length, ring.elements, source);
  storeElements(b, b.getLoc(), values, field.buffer, target);
}

void stencil::emitSharedStore(ThreadValues &held, tile::StoreOp store) {
  TileBlock &block = held.block;
  OpBuilder &builder = block.kernel.body();
  const Arithmetic &math = block.math;
  auto shared = store.getValues().getDefiningOp<tile::SourceOp>();
  const TileRing &ring = block.rings[shared.getMemory()];
  const KernelField &field = block.fields[store.getField()];
  tile::GridAttr tiles = block.tiles;
  int64_t last = tiles.getRank() - 1;
  BoundsAttr stored = tiles.getInner() ? tiles.getInner() : tiles.getTileBox();
  int64_t length = block.walk == last
                       ? 1
                       : getVectorLength(block.kernels, field.type,
                                         block.grid.getTileAlignment());
  int64_t factors = length | ring.type.getBox().getLb()[last] |
                    ring.type.getPitch() | ring.type.getSlotElements() |
                    stored.getLb()[last] | stored.getUb()[last];
  if (ring.type.getGap() != 0)
    factors |= ring.type.getSegment() | ring.type.getGap();
  length = factors & -factors;
  OpBuilder::InsertionGuard guard(builder);
  Value plane = openStore(block, store);
  Value slot = block.getRingSlot(shared.getIteration(), ring, store.getLead());
  Value lastLeg = math.constant(tiles.getRelay() - 1);
  Value start = math.add(getLegStart(block, shared.getMemory(), lastLeg),
                         math.mul(slot, ring.type.getSlotElements()));
  int64_t count = 1;
  for (int64_t axis = 0; axis <= last; ++axis)
    if (block.walk != axis)
      count *= tiles.getStep(axis);
  count /= length;
  int64_t threads = tiles.countThreads();
  for (int64_t first = 0; first < count; first += threads) {
    Value number = math.add(block.threadNumber, first);
    OpBuilder::InsertionGuard inner(builder);
    if (first + threads > count)
      openIf(builder, store.getLoc(), math.less(number, count));
    BasePoint base = held.getBase(plane);
    Value source = start, rest = number;
    int64_t left = count;
    for (int64_t axis = last; axis >= 0; --axis) {
      if (block.walk == axis)
        continue;
      int64_t width = axis == last ? length : 1;
      int64_t extent = tiles.getStep(axis) / width;
      // What is left of the number needs no remainder along the last digit.
      left /= extent;
      Value digit = left == 1 ? rest : math.rem(rest, extent);
      Value along = math.add(math.mul(digit, width), stored.getLb()[axis]);
      rest = left == 1 ? math.constant(0) : math.div(rest, extent);
      base.coordinates[axis] = math.add(block.tileStart[axis], along);
      Value inRing = math.add(along, -ring.type.getBox().getLb()[axis]);
      source = math.add(
          source, ring.places.findPlace(math, axis, inRing,
                                        ring.type.getBox().getLb()[axis]));
    }
    storeChunk(block, field, ring, base, source, length);
  }
}
