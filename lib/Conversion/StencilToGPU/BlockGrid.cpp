//===- BlockGrid.cpp - Which block computes which tile --------------------===//

#include "BlockGrid.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace stencil;

SmallVector<SmallVector<int64_t>>
stencil::listOffsets(ArrayRef<int64_t> counts, ArrayRef<int64_t> steps) {
  SmallVector<int64_t> extents(counts), tile(steps);
  tile.resize(counts.size(), 1);
  for (auto [extent, step] : llvm::zip_equal(extents, tile))
    extent *= step;
  return llvm::to_vector(StaticTileOffsetRange(extents, tile));
}

/// The coordinate at which the first block begins: on the last axis aligned, so
/// that vectors are. A walk begins with the first plane.
std::optional<int64_t> BlockGrid::getStart(int64_t axis) const {
  int64_t lb = grid.getDomain().getLb()[axis];
  if (isSymbolic(lb))
    return std::nullopt;
  bool isAligned = axis == grid.getRank() - 1 && grid.getWalk() != axis;
  return isAligned ? lb - llvm::mod(lb, grid.getAlign()) : lb;
}

int64_t BlockGrid::getAlignment(int64_t step) const {
  int64_t last = grid.getRank() - 1;
  auto start = getStart(last);
  // From plane to plane, a walk along the last axis is at any coordinate.
  if (!start || grid.getWalk() == last)
    return 1;
  int64_t factors = step | *start | grid.getStep(last) | grid.getMargin(last);
  return factors & -factors;
}

/// The points from the first block's on.
Value BlockGrid::getExtent(const Arithmetic &math, BoundValue getBound,
                           int64_t axis) const {
  auto start = getStart(axis);
  Value lb = start ? math.constant(*start)
                   : getBound(grid.getDomain().getLb()[axis], axis);
  return math.sub(getBound(grid.getDomain().getUb()[axis], axis), lb);
}

static Value ceilDiv(const Arithmetic &math, Value a, Value b) {
  return math.div(math.sub(math.add(a, b), math.constant(1)), b);
}

/// The same as CutAttr::countSegments, of what only the run knows.
Value BlockGrid::countSegments(const Arithmetic &math, Value extent,
                               Value tiles) const {
  tile::CutAttr cut = grid.getCut();
  Value one = math.constant(1);
  Value segments = math.larger(one, math.div(extent, cut.getPlanes()));
  int64_t multiprocessors = cut.getMultiprocessors();
  if (multiprocessors == 0)
    return segments;
  Value few = math.constant(multiprocessors);
  Value many = math.constant(multiprocessors * cut.getBlocks());
  Value most = math.larger(one, math.div(extent, cut.getShortest()));
  segments =
      math.larger(segments, math.smaller(most, ceilDiv(math, few, tiles)));
  auto rate = [&](Value segments) {
    Value blocks = math.mul(tiles, segments);
    Value atOnce = math.select(math.less(many, blocks), many, few);
    Value full = math.mul(ceilDiv(math, blocks, atOnce), atOnce);
    Value read = math.add(extent, math.mul(segments, 2 * cut.getHalo()));
    return math.mul(math.div(math.mul(blocks, tile::CutAttr::kWhole), full),
                    math.div(math.mul(extent, tile::CutAttr::kWhole), read));
  };
  Value best = segments;
  Value least = math.mul(rate(segments), tile::CutAttr::kWorthwhile);
  for (int64_t times : tile::CutAttr::kTimes) {
    Value more = math.mul(segments, times);
    Value better = math.mul(rate(more), 100);
    Value isBest =
        math.both(math.lessEqual(more, most), math.less(least, better));
    best = math.select(isBest, more, best);
    least = math.select(isBest, better, least);
  }
  return best;
}

/// The same as CutAttr::cutSegments.
BlockGrid::Segments BlockGrid::cutSegments(const Arithmetic &math, Value extent,
                                           Value tiles) const {
  tile::CutAttr cut = grid.getCut();
  Segments best{countSegments(math, extent, tiles), math.constant(0),
                math.constant(1)};
  if (cut.getTail() == 0)
    return best;
  Value zero = math.constant(0), one = math.constant(1);
  int64_t atOnce = cut.getMultiprocessors() * cut.getBlocks();
  auto countPlanes = [&](Value ofTiles, Value segments) {
    return math.mul(
        ceilDiv(math, math.mul(ofTiles, segments), math.constant(atOnce)),
        math.add(ceilDiv(math, extent, segments), 2 * cut.getHalo()));
  };
  Value fewest = math.div(math.mul(countPlanes(tiles, best.count), 100),
                          tile::CutAttr::kMorePlanes);
  for (int64_t number : tile::CutAttr::kBeforeTail) {
    Value count = math.constant(number);
    Value before = math.div(
        math.mul(math.div(math.mul(tiles, number), atOnce), atOnce), number);
    Value tail = math.sub(tiles, before);
    Value ofTail =
        math.smaller(math.smaller(math.constant(cut.getTail()),
                                  math.div(extent, cut.getShortestOfTail())),
                     math.div(math.constant(atOnce), math.larger(one, tail)));
    Value planes = math.add(countPlanes(before, count),
                            countPlanes(tail, math.larger(one, ofTail)));
    Value isBetter = math.both(math.less(zero, before), math.less(zero, tail));
    isBetter = math.both(isBetter, math.less(count, ofTail));
    isBetter = math.both(isBetter, math.less(planes, fewest));
    fewest = math.select(isBetter, planes, fewest);
    best.count = math.select(isBetter, count, best.count);
    best.tail = math.select(isBetter, tail, best.tail);
    best.ofTail = math.select(isBetter, ofTail, best.ofTail);
  }
  return best;
}

/// Tiles of the tail that is asked for, of so many in all.
static Value countTail(const Arithmetic &math, tile::GridAttr grid,
                       Value tiles) {
  return math.smaller(tiles, math.constant(grid.getTail()[0]));
}

/// The blocks of so many tiles, of which the last ones are cut otherwise.
Value BlockGrid::countWithTail(const Arithmetic &math, Value tiles) const {
  Value tail = countTail(math, grid, tiles);
  return math.add(math.mul(math.sub(tiles, tail), grid.getSegments()),
                  math.mul(tail, grid.getTail()[1]));
}

/// The blocks of so many tiles, as the launch cuts the walk, which the kernel
/// is told. Segments that would have no planes are no blocks.
Value BlockGrid::countCut(const Arithmetic &host, Value extent, Value tiles) {
  // Nothing is divided by the tiles of an empty box.
  Value one = host.constant(1), some = host.larger(one, tiles);
  Segments segments = cutSegments(host, extent, some);
  Value length = ceilDiv(host, extent, segments.count);
  cutLength = math.fromIndex(kernel.addScalar(length, "planes"));
  Value blocks = ceilDiv(host, extent, length);
  if (!hasTail())
    return host.mul(tiles, blocks);
  Value ofTail = ceilDiv(host, extent, segments.ofTail);
  Value before = host.sub(some, segments.tail);
  tailLength = math.fromIndex(kernel.addScalar(ofTail, "tail_planes"));
  beforeTail = math.fromIndex(kernel.addScalar(before, "before_tail"));
  Value total =
      host.add(host.mul(before, blocks),
               host.mul(segments.tail, ceilDiv(host, extent, ofTail)));
  return host.select(host.less(tiles, one), tiles, total);
}

/// The tile and the segment of this block: first come all segments of the tiles
/// before the tail, then those of the tail.
Value BlockGrid::findInTail(Value tiles, Value &segment) {
  Value extent = getExtent(*grid.getWalk()), count;
  if (grid.getTail()) {
    beforeTail = math.sub(tiles, countTail(math, grid, tiles));
    count = math.constant(grid.getSegments());
    cutLength = math.ceilDiv(extent, grid.getSegments());
    tailLength = math.ceilDiv(extent, grid.getTail()[1]);
  } else {
    Value planes = math.larger(math.constant(1), extent);
    count = ceilDiv(math, planes, cutLength);
  }
  Value blocks = math.mul(beforeTail, count);
  Value isBefore = math.less(kernel.getBlock(), blocks);
  Value own = math.select(isBefore, beforeTail, math.sub(tiles, beforeTail));
  Value number = math.sub(kernel.getBlock(),
                          math.select(isBefore, math.constant(0), blocks));
  segment = math.div(number, own);
  cutLength = math.select(isBefore, cutLength, tailLength);
  return math.add(math.rem(number, own),
                  math.select(isBefore, math.constant(0), beforeTail));
}

SmallVector<Value> BlockGrid::countBlocks(Value &total) {
  // Without those of an axis whose segments are counted.
  auto count = [&](const Arithmetic &math, BoundValue getBound) {
    SmallVector<Value> counts;
    for (int64_t axis = 0; axis < grid.getRank(); ++axis)
      counts.push_back(grid.getWalk() == axis
                           ? math.constant(grid.getSegments())
                           : math.ceilDiv(getExtent(math, getBound, axis),
                                          grid.getStep(axis)));
    return counts;
  };
  Arithmetic host = kernel.host();
  auto getBound = [&](int64_t bound, int64_t axis) {
    return kernel.getSet().getBound(kernel.outside(), kernel.getLoc(), bound,
                                    axis);
  };
  SmallVector<Value> counts = count(host, getBound);
  total = host.constant(1);
  for (auto [axis, blocks] : llvm::enumerate(counts)) {
    // The last panel may have less blocks, but is as large.
    if (int64_t panel = grid.getPanel(axis))
      blocks = host.alignTo(blocks, panel);
    bool isCounted = grid.getTail() && grid.getWalk() == axis;
    if (!isCounted)
      total = host.mul(total, blocks);
  }
  if (grid.getTail())
    total = countWithTail(host, total);
  if (!grid.getCut())
    return count(math, kernel.listBounds());
  // Nor by its planes.
  int64_t walk = *grid.getWalk();
  Value extent = host.larger(host.constant(1), getExtent(host, getBound, walk));
  total = countCut(host, extent, total);
  SmallVector<Value> own = count(math, kernel.listBounds());
  Value planes = math.larger(math.constant(1), getExtent(walk));
  own[walk] = ceilDiv(math, planes, cutLength);
  return own;
}

/// Where a number leads along axes, the first ones of `order` first.
SmallVector<Value> BlockGrid::findTile(Value number, ArrayRef<Value> counts,
                                       ArrayRef<int64_t> order) {
  Value rest = number;
  SmallVector<Value> block(counts.size());
  SmallVector<std::pair<int64_t, Value>> digits; // axis, number of values
  for (int64_t axis : order)
    digits.emplace_back(axis, grid.getPanel(axis)
                                  ? math.constant(grid.getPanel(axis))
                                  : counts[axis]);
  for (int64_t axis : order)
    if (int64_t panel = grid.getPanel(axis))
      digits.emplace_back(axis, math.ceilDiv(counts[axis], panel));
  for (auto [index, digit] : llvm::enumerate(digits)) {
    auto [axis, count] = digit;
    bool isConstantOne = Arithmetic::getConstant(count) == 1;
    Value value = isConstantOne               ? math.constant(0)
                  : index + 1 < digits.size() ? math.rem(rest, count)
                                              : rest;
    if (!isConstantOne)
      rest = math.div(rest, count);
    if (block[axis])
      value = math.add(math.mul(value, grid.getPanel(axis)), block[axis]);
    block[axis] = value;
  }
  return block;
}

SmallVector<Value> BlockGrid::findBlock(ArrayRef<Value> counts) {
  SmallVector<int64_t> order = grid.listOrder();
  if (!hasTail())
    return findTile(kernel.getBlock(), counts, order);
  llvm::erase(order, *grid.getWalk());
  Value tiles = math.constant(1);
  for (int64_t axis : order)
    tiles = math.mul(tiles, counts[axis]);
  Value segment;
  Value tile = findInTail(tiles, segment);
  SmallVector<Value> block = findTile(tile, counts, order);
  block[*grid.getWalk()] = segment;
  return block;
}

Value BlockGrid::getSegmentLength() {
  if (cutLength)
    return cutLength;
  return math.ceilDiv(getExtent(*grid.getWalk()), grid.getSegments());
}

Value BlockGrid::getTileStart(int64_t axis, Value position) {
  auto start = getStart(axis);
  Value first = start ? math.constant(*start) : getLb(axis);
  Value offset = grid.getWalk() == axis
                     ? math.mul(position, getSegmentLength())
                     : math.mul(position, grid.getStep(axis));
  return math.add(math.add(first, offset), -grid.getMargin(axis));
}

/// True if a thread's points can lie outside of the box on a side.
bool BlockGrid::needsTest(int64_t axis, bool upper) const {
  auto start = getStart(axis);
  if (!upper)
    return start && *start != grid.getDomain().getLb()[axis];
  int64_t ub = grid.getDomain().getUb()[axis];
  if (!start || isSymbolic(ub))
    return true;
  // Blocks of a panel that is not full lie outside.
  int64_t panel = std::max<int64_t>(1, grid.getPanel(axis));
  return (ub - *start) % (grid.getStep(axis) * panel) != 0;
}

Value BlockGrid::isInside(const BasePoint &base, ArrayRef<int64_t> points) {
  Value inside;
  for (int64_t axis = 0; axis < grid.getRank(); ++axis) {
    if (grid.getWalk() == axis)
      continue;
    Value coordinate = base.coordinates[axis];
    if (needsTest(axis, /*upper=*/false))
      inside = math.both(inside, math.lessEqual(getLb(axis), coordinate));
    if (needsTest(axis, /*upper=*/true))
      inside =
          math.both(inside, math.lessEqual(math.add(coordinate, points[axis]),
                                           getUb(axis)));
  }
  return inside;
}

bool BlockGrid::endsBetween(int64_t length) const {
  auto isBetween = [&](int64_t end) {
    return !isSymbolic(end) && end % length == 0;
  };
  return isBetween(grid.getDomain().getLb().back()) &&
         isBetween(grid.getDomain().getUb().back());
}

BasePoint BlockGrid::visitPoints(Location loc, const BasePoint &base,
                                 ArrayRef<int64_t> steps) {
  OpBuilder &builder = kernel.body();
  BasePoint point;
  for (auto [coordinate, count, step] : llvm::zip_equal(
           base.coordinates, grid.getPoints().asArrayRef(), steps)) {
    Value along = coordinate;
    if (count > step) {
      auto loop = scf::ForOp::create(builder, loc, math.constant(0),
                                     math.constant(count), math.constant(step));
      builder.setInsertionPoint(loop.getBody()->getTerminator());
      along = math.add(along, loop.getInductionVar());
    }
    point.coordinates.push_back(along);
  }
  openIf(builder, loc, isInside(point, steps));
  return point;
}
