//===- TileChunks.cpp - What each thread copies of a plane ----------------===//

#include "RingFills.h"

using namespace mlir;
using namespace stencil;

/// Points of a ring's slot along an axis.
static int64_t getExtent(const TileRing &ring, int64_t axis) {
  BoundsAttr box = ring.type.getBox();
  return box.getUb()[axis] - box.getLb()[axis];
}

TileChunks::TileChunks(TileBlock &block, TileRing &ring, BlockArgument arg,
                       bool isTileOnly)
    : block(block), math(block.math), ring(ring),
      field(block.fields.find(arg)->second), isTileOnly(isTileOnly) {
  constexpr int64_t kWidestBytes = 16;
  Type element = ring.type.getElementType();
  int64_t bytes = getElementBytes(element);
  int64_t last = field.type.getRank() - 1;
  length = 1;
  // Where rows are aligned, and tiles begin at the same distance from it.
  if (block.walk != last && hasVectorLayout(element)) {
    int64_t factors =
        block.grid.getTileAlignment() | getExtent(ring, last) |
        ring.type.getBox().getLb()[last] | ring.type.getPitch() |
        ring.type.getSlotElements() |
        DeviceLayout::getAlignment(field.type, block.kernels.getRows());
    if (ring.type.getGap() != 0)
      factors |= ring.type.getSegment() | ring.type.getGap();
    if (isTileOnly)
      factors |= block.tiles.getTile(last);
    // Behind the only row of an array of the caller there may be nothing.
    if (block.kernels.getRows() == RowLayout::Dense && last == 0) {
      int64_t extent = field.type.getBounds().getShape().back();
      factors |= ShapedType::isDynamic(extent) ? 1 : extent;
    }
    length = std::min(std::max<int64_t>(1, kWidestBytes / bytes),
                      factors & -factors);
  }
  if (length > 1)
    block.kernel.requireAlignment(length * bytes);
  int64_t count = 1;
  for (int64_t axis = 0; axis <= last; ++axis)
    count *= getExtent(ring, axis);
  count /= length;
  int64_t threads = block.tiles.countThreads();
  for (int64_t first = 0; first < count; first += threads) {
    Value number = math.add(block.threadNumber, first);
    Chunk chunk = makeChunk(number);
    if (first + threads > count)
      chunk.exists = math.less(number, count);
    chunks.push_back(chunk);
  }
}

TileChunks::Chunk TileChunks::makeChunk(Value number) {
  int64_t rank = field.type.getRank(), last = rank - 1;
  bool isDense = ring.type.getPitch() == getExtent(ring, last);
  Chunk chunk;
  chunk.inRing = isDense ? math.mul(number, length) : math.constant(0);
  SmallVector<Value> point(rank);
  Value rest = number;
  BoundsAttr bounds = field.type.getBounds();
  for (int64_t axis = last; axis >= 0; --axis) {
    if (block.walk == axis) {
      point[axis] = math.constant(0);
      continue;
    }
    int64_t step = axis == last ? length : 1;
    Value count = math.constant(getExtent(ring, axis) / step);
    Value along = math.mul(math.rem(rest, count), step);
    rest = math.div(rest, count);
    if (!isDense)
      chunk.inRing =
          math.add(chunk.inRing,
                   ring.places.findPlace(math, axis, along,
                                         ring.type.getBox().getLb()[axis]));
    point[axis] = math.add(
        math.add(block.tileStart[axis], ring.type.getBox().getLb()[axis]),
        along);
    Value lower = block.kernel.getBound(bounds.getLb()[axis], axis);
    Value upper = block.kernel.getBound(bounds.getUb()[axis], axis);
    chunk.isInField = math.both(chunk.isInField,
                                math.less(lower, math.add(point[axis], step)));
    chunk.isInField = math.both(chunk.isInField, math.less(point[axis], upper));
    if (!isTileOnly)
      continue;
    int64_t before = ring.type.getBox().getLb()[axis];
    int64_t tile = block.tiles.getTile(axis);
    if (before < 0)
      chunk.isInField =
          math.both(chunk.isInField, math.lessEqual(-before, along));
    if (ring.type.getBox().getUb()[axis] > tile)
      chunk.isInField =
          math.both(chunk.isInField, math.less(along, tile - before));
  }
  chunk.inField = field.layout->getPosition(math, point);
  return chunk;
}

Value TileChunks::getTarget(const Chunk &chunk, Value slot) const {
  return math.toIndex(
      math.add(chunk.inRing, math.mul(slot, ring.type.getSlotElements())));
}

Value TileChunks::getSource(const Chunk &chunk, Value plane) const {
  if (!block.walk)
    return math.toIndex(chunk.inField);
  Value stride = field.layout->getStrides()[*block.walk];
  return math.toIndex(math.add(chunk.inField, math.mul(plane, stride)));
}

Value TileChunks::isLoaded(const Chunk &chunk, Value isPlane) const {
  return math.both(math.both(chunk.isInField, chunk.exists), isPlane);
}
