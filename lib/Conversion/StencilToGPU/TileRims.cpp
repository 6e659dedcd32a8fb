//===- TileRims.cpp - Stages beside the tile ------------------------------===//
//
//   the box of a stage, with the layout #tile.core_and_rim
//     +-----------+   each thread: its own points of the tile, through all
//     |  +-----+  |   stages of a phase; then its share of what is beside the
//     |  |tile |  |   tile, a group of a row at a time, or beside a row a
//     |  +-----+  |   point, through those that have this layout.
//     +-----------+
//
//===----------------------------------------------------------------------===//

#include "StencilDialect/Tile/LayoutDigits.h"
#include "TileReads.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

#include <numeric>

using namespace mlir;
using namespace stencil;
using tile::CoreAndRimAttr;

//===----------------------------------------------------------------------===//
// Who computes which points
//===----------------------------------------------------------------------===//

/// A thread's points where a layout of the kernel says so, row by row.
void TileKernel::placeByLayout(TilePoints &own, tile::LayoutAttr layout) {
  int64_t rank = layout.getRank(), last = rank - 1;
  own.counts.assign(rank, 1);
  for (int64_t reg = 0; reg < layout.countRegisters(); ++reg) {
    SmallVector<int64_t> point = layout.getPoint(0, reg);
    own.points.emplace_back(point.begin(), point.end());
    for (auto [count, along] : llvm::zip_equal(own.counts, point))
      count = std::max(count, along + 1);
  }
  llvm::sort(own.points);
  own.position = tile::findPoint(kernel.math(), layout.getThreads(),
                                 threadNumber, layout.countThreads(), rank);
  own.step = op.getGrid().getTile(last);
  for (const tile::LayoutDigit &digit : layout.getThreads())
    if (digit.axis == last && digit.count > 1)
      own.step = std::gcd(own.step, digit.stride);
}

void TileKernel::addOwnPoints() {
  Arithmetic math = kernel.math();
  auto own = std::make_unique<TilePoints>();
  if (tile::LayoutAttr layout = op.getGrid().getLayout()) {
    placeByLayout(*own, layout);
  } else {
    own->counts = schedule.points;
    for (SmallVector<int64_t> &point : listOffsets(
             schedule.points, SmallVector<int64_t>(schedule.points.size(), 1)))
      own->points.emplace_back(point.begin(), point.end());
    for (auto [thread, count] : llvm::zip_equal(threads, schedule.points))
      own->position.push_back(math.mul(thread, count));
    own->step = schedule.points.back();
  }
  group = own.get();
  groups.push_back(std::move(own));
}

/// Where a point is in each ring.
void TileKernel::placeInRings(const TilePoints &points) {
  Arithmetic math = kernel.math();
  for (auto ringOp : op.getBodyBlock()->getOps<tile::RingOp>()) {
    TileRing &ring = rings[ringOp];
    Value place = math.constant(0);
    for (int64_t axis = 0; axis < op.getGrid().getRank(); ++axis) {
      if (walk == axis)
        continue;
      Value position = points.position[axis];
      // Of each thread's rows, some are there.
      if (ring.type.hasEdges() && axis + 2 == op.getGrid().getRank())
        position = math.mul(threads[axis],
                            ring.type.countStoredRows(schedule.points[axis]));
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
SmallVector<Value> TileKernel::findRimPoint(CoreAndRimAttr layout, Value number,
                                            int64_t first, int64_t end) {
  Arithmetic math = kernel.math();
  int64_t rank = op.getGrid().getRank(), last = rank - 1, start = 0;
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
      Value digit = left == 1 ? rest : math.rem(rest, math.constant(count));
      rest =
          left == 1 ? math.constant(0) : math.div(rest, math.constant(count));
      int64_t before = layout.getBefore(axis);
      int64_t tile = op.getGrid().getTile(axis);
      if (walk == axis)
        continue;
      if (axis == part.beside)
        position[axis] = math.select(math.less(digit, math.constant(before)),
                                     math.add(digit, -before),
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
    Value isHere = math.lessEqual(math.constant(begin), number);
    for (auto [known, here] : llvm::zip_equal(found, position))
      known = math.select(isHere, here, known);
  }
  return found;
}

/// As many neighbouring points of a row, which threads have, or some of them.
void TileKernel::addRimPoints(CoreAndRimAttr layout, ArrayRef<Value> position,
                              int64_t length, Value exists, bool isElsewhere) {
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

void TileKernel::addRim(CoreAndRimAttr layout) {
  Arithmetic math = kernel.math();
  int64_t count = layout.countDealt(), threads = op.getGrid().countThreads();
  int64_t vector = layout.getVector(), rows = layout.countRows() / vector;
  for (int64_t first = 0; first < count; first += threads) {
    int64_t end = std::min(first + threads, count);
    Value exists, own = math.add(threadNumber, first), number = own;
    if (first + threads > count) {
      exists = math.less(own, math.constant(count));
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
    addRimPoints(layout, position, vector, math.less(own, math.constant(rows)),
                 /*isElsewhere=*/true);
    Value isColumn = math.lessEqual(math.constant(rows), own);
    addRimPoints(layout, position, 1, math.both(exists, isColumn),
                 /*isElsewhere=*/true);
  }
}

void TileKernel::addRims() {
  op.getBody().walk([&](ApplyOp stage) {
    if (auto layout = dyn_cast_or_null<CoreAndRimAttr>(tile::getLayout(stage));
        layout && !rims.contains(layout))
      addRim(layout);
  });
}

/// What a thread holds of a value beside the tile.
ArrayRef<TilePoints *> TileKernel::getRim(Value value) {
  auto *known = rims.find(layouts->get(value));
  return known == rims.end() ? ArrayRef<TilePoints *>() : known->second;
}

//===----------------------------------------------------------------------===//
// A phase
//===----------------------------------------------------------------------===//

/// Whether the points of the group, of the rim, are of a box that has the tile.
Value TileKernel::isWithin(BoundsAttr box) {
  Arithmetic math = kernel.math();
  Value within;
  for (int64_t axis = 0; axis < box.getRank(); ++axis) {
    // Several points of a row lie before or behind the tile, not beside it.
    if (walk == axis || group->counts[axis] > 1)
      continue;
    Value at = group->position[axis];
    within =
        math.both(within, math.lessEqual(math.constant(box.getLb()[axis]), at));
    within = math.both(within, math.less(at, math.constant(box.getUb()[axis])));
  }
  return within;
}

/// The condition for the points of the rim that a box has; null if it has all.
Value TileKernel::isInRim(BoundsAttr box, CoreAndRimAttr layout) {
  for (int64_t axis = 0; axis < box.getRank(); ++axis)
    if (walk != axis && (box.getLb()[axis] != layout.getBox().getLb()[axis] ||
                         box.getUb()[axis] != layout.getBox().getUb()[axis]))
      return isWithin(box);
  return {};
}

/// The layout of an op of a phase, if that has a rim.
CoreAndRimAttr TileKernel::getRimLayout(Operation *inner) const {
  Attribute layout;
  if (auto stage = dyn_cast<ApplyOp>(inner))
    layout = tile::getLayout(stage);
  else if (auto put = dyn_cast<tile::PutOp>(inner))
    layout = layouts->get(put.getValues());
  else if (auto where = dyn_cast<tile::WhereOp>(inner))
    where.getBody().walk([&](ApplyOp stage) {
      layout = tile::getLayout(stage);
      return WalkResult::interrupt();
    });
  return dyn_cast_or_null<CoreAndRimAttr>(layout);
}

/// The points that two boxes have in common.
static BoundsAttr cutTo(BoundsAttr a, BoundsAttr b) {
  SmallVector<int64_t> lower(a.getLb()), upper(a.getUb());
  for (auto [axis, end] : llvm::enumerate(b.getUb())) {
    lower[axis] = std::max(lower[axis], b.getLb()[axis]);
    upper[axis] = std::max(lower[axis] + 1, std::min(upper[axis], end));
  }
  return BoundsAttr::get(a.getContext(), lower, upper);
}

LogicalResult TileKernel::emitRimOp(Operation *inner, CoreAndRimAttr layout,
                                    ArrayRef<TilePoint> row, Value exists,
                                    TileReads &reads) {
  OpBuilder &builder = kernel.body();
  if (auto where = dyn_cast<tile::WhereOp>(inner))
    return emitWhere(where, reads);
  if (auto put = dyn_cast<tile::PutOp>(inner)) {
    BoundsAttr box =
        cutTo(cast<TempType>(put.getValues().getType()).getBounds(),
              rings[put.getRing()].type.getBox());
    Value condition = kernel.math().both(exists, isInRim(box, layout));
    OpBuilder::InsertionGuard guard(builder);
    if (condition) {
      auto branch = scf::IfOp::create(builder, put.getLoc(), condition);
      builder.setInsertionPoint(branch.thenBlock()->getTerminator());
    }
    emitPut(put, row);
    return success();
  }
  auto stage = dyn_cast<ApplyOp>(inner);
  if (!stage)
    return inner->emitOpError("has no distribution to threads beside the tile");
  if (Value condition = isInRim(stage.getDomain(), layout))
    return emitStageIf(condition, stage, reads);
  return emitStage(stage, row, reads);
}

LogicalResult TileKernel::emitRimOps(ArrayRef<Operation *> ops,
                                     ArrayRef<TilePoint> row, Value exists,
                                     TileReads &reads) {
  for (Operation *inner : ops)
    if (failed(emitRimOp(inner, getRimLayout(inner), row, exists, reads)))
      return failure();
  return success();
}

/// Whether somebody reads a value who is none of some ops.
static bool isUsedBeyond(Value value, ArrayRef<Operation *> ops) {
  return llvm::any_of(value.getUsers(), [&](Operation *user) {
    if (isa<tile::ShiftOp, tile::JoinOp>(user))
      return isUsedBeyond(user->getResult(0), ops);
    return llvm::none_of(ops,
                         [&](Operation *op) { return op->isAncestor(user); });
  });
}

/// Ops at the points of the group, of the rim. If no value is kept, or a thread
/// may have nothing of its kind, only those that have it compute it.
LogicalResult TileKernel::emitRim(ArrayRef<Operation *> ops,
                                  ArrayRef<Value> kept) {
  TileReads reads(*this, kernel.body().getInsertionBlock());
  if (group->exists && (kept.empty() || group->isElsewhere))
    return emitRimIf(group->exists, ops, kept, reads);
  return emitRimOps(ops, group->points, group->exists, reads);
}

/// What a phase computes beside the tile, of each layout.
LogicalResult TileKernel::emitRims(ArrayRef<Operation *> ops) {
  llvm::MapVector<Attribute, SmallVector<Operation *>> byLayout;
  for (Operation *inner : ops)
    if (CoreAndRimAttr layout = getRimLayout(inner))
      byLayout[layout].push_back(inner);
  for (auto &entry : byLayout) {
    ArrayRef<Operation *> of = entry.second;
    SmallVector<Value> kept;
    for (Operation *inner : of)
      llvm::copy_if(inner->getResults(), std::back_inserter(kept),
                    [&](Value result) { return isUsedBeyond(result, of); });
    for (TilePoints *rim : rims[entry.first]) {
      group = rim;
      LogicalResult result = emitRim(of, kept);
      group = groups.front().get();
      if (failed(result))
        return failure();
    }
  }
  return success();
}
