//===- ThreadPoints.cpp - Which points a thread has -----------------------===//

#include "StencilDialect/Tile/LayoutDigits.h"
#include "ThreadValues.h"

#include <numeric>

using namespace mlir;
using namespace stencil;
using tile::CoreAndRimAttr;

/// A thread's points where a layout of the kernel says so, row by row.
void ThreadPoints::placeByLayout(TilePoints &own, tile::LayoutAttr layout) {
  int64_t rank = layout.getRank(), last = rank - 1;
  own.counts.assign(rank, 1);
  for (int64_t reg = 0; reg < layout.countRegisters(); ++reg) {
    SmallVector<int64_t> point = layout.getPoint(0, reg);
    own.points.emplace_back(point.begin(), point.end());
    for (auto [count, along] : llvm::zip_equal(own.counts, point))
      count = std::max(count, along + 1);
  }
  llvm::sort(own.points);
  own.position = tile::findPoint(math, layout.getThreads(), block.threadNumber,
                                 layout.countThreads(), rank);
  own.step = block.tiles.getTile(last);
  for (const tile::LayoutDigit &digit : layout.getThreads())
    if (digit.axis == last && digit.count > 1)
      own.step = std::gcd(own.step, digit.stride);
}

TilePoints &ThreadPoints::addOwn() {
  auto own = std::make_unique<TilePoints>();
  if (tile::LayoutAttr layout = block.tiles.getLayout()) {
    placeByLayout(*own, layout);
  } else {
    ArrayRef<int64_t> counts = block.tiles.getPoints();
    own->counts.assign(counts.begin(), counts.end());
    for (SmallVector<int64_t> &point : listOffsets(counts))
      own->points.emplace_back(point.begin(), point.end());
    for (auto [thread, count] : llvm::zip_equal(block.threads, counts))
      own->position.push_back(math.mul(thread, count));
    own->step = counts.back();
  }
  groups.push_back(std::move(own));
  return *groups.back();
}

void ThreadPoints::placeInRings(const TilePoints &points) {
  for (tile::RingOp ringOp : block.listRings()) {
    TileRing &ring = block.rings[ringOp];
    Value place = math.constant(0);
    for (int64_t axis = 0; axis < block.tiles.getRank(); ++axis) {
      if (block.walk == axis)
        continue;
      Value position = points.position[axis];
      // Of each thread's rows, some are there.
      if (ring.type.hasEdges() && axis + 2 == block.tiles.getRank())
        position =
            math.mul(block.threads[axis],
                     ring.type.countStoredRows(block.tiles.getPoints()[axis]));
      int64_t first = ring.type.getBox().getLb()[axis];
      Value along = math.add(position, -first);
      place = math.add(place, ring.places.findPlace(math, axis, along, first));
    }
    ring.positions.push_back(place);
  }
}

namespace {

/// Numbers of the rim that lie one behind the other: those of rows beside the
/// tile along one axis, or those of the columns.
struct RimPart {
  int64_t beside;
  /// Along each axis, how many numbers there are.
  SmallVector<int64_t> counts;

  int64_t getSize() const { return llvm::product_of(counts); }
};

} // namespace

/// The parts of a rim, in the order of their numbers: what is beside the tile
/// along one axis, of what is not beside it along an axis before. The columns
/// come last, and have all that the box has along the others.
static SmallVector<RimPart> listParts(CoreAndRimAttr layout) {
  SmallVector<RimPart> parts;
  int64_t rank = layout.getCore().getRank(), last = rank - 1;
  for (int64_t beside = 0; beside < rank; ++beside) {
    RimPart &part = parts.emplace_back();
    part.beside = beside;
    for (int64_t axis = 0; axis < rank; ++axis) {
      int64_t tile = layout.getCore().getExtent(axis);
      int64_t around = layout.getBefore(axis) + layout.getBehind(axis);
      if (axis == beside)
        part.counts.push_back(around);
      else if (axis == last)
        part.counts.push_back(tile / layout.getVector());
      else
        part.counts.push_back(axis < beside && beside != last ? tile
                                                              : tile + around);
    }
  }
  return parts;
}

/// The first point of what has a number in the rim, which is one from `first`
/// to before `end`.
SmallVector<Value> ThreadPoints::findRimPoint(CoreAndRimAttr layout,
                                              Value number, int64_t first,
                                              int64_t end) {
  int64_t rank = block.tiles.getRank(), last = rank - 1, start = 0;
  SmallVector<Value> found;
  for (const RimPart &part : listParts(layout)) {
    int64_t size = part.getSize(), begin = start;
    start += size;
    if (size == 0 || start <= first || end <= begin)
      continue;
    Value rest = math.sub(number, math.constant(begin));
    SmallVector<Value> position(rank, math.constant(0));
    int64_t left = size;
    for (int64_t axis = last; axis >= 0; --axis) {
      int64_t count = part.counts[axis];
      // What is left of the number needs no remainder along the last digit.
      left /= count;
      Value digit = left == 1 ? rest : math.rem(rest, count);
      rest = left == 1 ? math.constant(0) : math.div(rest, count);
      int64_t before = layout.getBefore(axis);
      int64_t tile = block.tiles.getTile(axis);
      if (block.walk == axis)
        continue;
      if (axis == part.beside)
        position[axis] =
            math.select(math.less(digit, before), math.add(digit, -before),
                        math.add(digit, tile - before));
      else if (axis == last)
        position[axis] = math.mul(digit, layout.getVector());
      else
        position[axis] = count == tile ? digit : math.add(digit, -before);
    }
    if (found.empty()) {
      found = position;
      continue;
    }
    Value isHere = math.lessEqual(begin, number);
    for (auto [known, here] : llvm::zip_equal(found, position))
      known = math.select(isHere, here, known);
  }
  return found;
}

/// As many neighbouring points of a row, which threads have, or some of them.
void ThreadPoints::addRimPoints(CoreAndRimAttr layout, ArrayRef<Value> position,
                                int64_t length, Value exists,
                                bool isElsewhere) {
  auto rim = std::make_unique<TilePoints>();
  rim->number = groups.size();
  rim->position.assign(position.begin(), position.end());
  rim->counts.assign(position.size(), 1);
  rim->counts.back() = rim->step = length;
  for (int64_t along = 0; along < length; ++along) {
    rim->points.emplace_back(position.size(), 0);
    rim->points.back().back() = along;
  }
  rim->exists = exists;
  rim->isElsewhere = isElsewhere;
  placeInRings(*rim);
  rims[layout].push_back(rim.get());
  groups.push_back(std::move(rim));
}

void ThreadPoints::addRim(CoreAndRimAttr layout) {
  int64_t count = layout.countDealt(), threads = block.tiles.countThreads();
  int64_t vector = layout.getVector(), rows = layout.countRows() / vector;
  for (int64_t first = 0; first < count; first += threads) {
    int64_t end = std::min(first + threads, count);
    Value exists, own = math.add(block.threadNumber, first), number = own;
    if (first + threads > count) {
      exists = math.less(own, count);
      // The others compute something again, if values are to be known.
      number = math.select(exists, own, math.constant(first));
    }
    SmallVector<Value> position = findRimPoint(layout, number, first, end);
    if (vector == 1 || rows <= first || end <= rows) {
      addRimPoints(layout, position, first < rows ? vector : 1, exists,
                   /*isElsewhere=*/false);
      continue;
    }
    // Some threads have groups, others points; nobody has both.
    addRimPoints(layout, position, vector, math.less(own, rows),
                 /*isElsewhere=*/true);
    Value isColumn = math.lessEqual(rows, own);
    addRimPoints(layout, position, 1, math.both(exists, isColumn),
                 /*isElsewhere=*/true);
  }
}

void ThreadPoints::addRims() {
  block.op.getBody().walk([&](ApplyOp stage) {
    if (auto layout = dyn_cast_or_null<CoreAndRimAttr>(tile::getLayout(stage));
        layout && !rims.contains(layout))
      addRim(layout);
  });
}

ArrayRef<TilePoints *> ThreadPoints::getRim(Value value) {
  auto *known = rims.find(layouts.get(value));
  return known == rims.end() ? ArrayRef<TilePoints *>() : known->second;
}
