//===- TileRims.cpp - Stages beside the tile ------------------------------===//
//
//   the box of a stage, with the layout #tile.core_and_rim
//     +-----------+   each thread: its own points of the tile, through all
//     |  +-----+  |   stages of a phase; then its share of what is beside the
//     |  |tile |  |   tile, a point at a time, through those that have this
//     |  +-----+  |   layout.
//     +-----------+
//
//===----------------------------------------------------------------------===//

#include "TileReads.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace stencil;
using tile::CoreAndRimAttr;

//===----------------------------------------------------------------------===//
// Who computes which points
//===----------------------------------------------------------------------===//

void TileKernel::addOwnPoints() {
  Arithmetic math = kernel.math();
  auto own = std::make_unique<TilePoints>();
  own->counts = schedule.points;
  for (SmallVector<int64_t> &point : listOffsets(
           schedule.points, SmallVector<int64_t>(schedule.points.size(), 1)))
    own->points.emplace_back(point.begin(), point.end());
  for (auto [thread, count] : llvm::zip_equal(threads, schedule.points))
    own->position.push_back(math.mul(thread, count));
  group = own.get();
  groups.push_back(std::move(own));
}

/// Where a point is in each ring.
void TileKernel::placeInRings(const TilePoints &points) {
  Arithmetic math = kernel.math();
  for (auto ringOp : op.getBodyBlock()->getOps<tile::RingOp>()) {
    TileRing &ring = rings[ringOp];
    Value place = math.constant(0);
    for (auto [axis, stride] : llvm::enumerate(ring.strides)) {
      if (walk == static_cast<int64_t>(axis))
        continue;
      Value along =
          math.add(points.position[axis], -ring.type.getBox().getLb()[axis]);
      place = math.add(place, math.mul(along, stride));
    }
    ring.positions.push_back(place);
  }
}

/// Numbers the points of the rim: what is beside the tile along the first axis,
/// then what is left beside it along the next.
void TileKernel::findRimPoint(TilePoints &rim, CoreAndRimAttr layout,
                              Value number) {
  Arithmetic math = kernel.math();
  int64_t rank = op.getGrid().getRank();
  rim.position.assign(rank, math.constant(0));
  int64_t first = 0;
  for (int64_t beside = 0; beside < rank; ++beside) {
    if (walk == beside)
      continue;
    Value rest = math.sub(number, math.constant(first));
    SmallVector<Value> position(rank, math.constant(0));
    int64_t size = 1;
    for (int64_t axis = rank - 1; axis >= 0; --axis) {
      if (walk == axis)
        continue;
      int64_t before = layout.getBefore(axis), after = layout.getBehind(axis);
      int64_t tile = op.getGrid().getTile(axis);
      int64_t count = axis < beside    ? tile
                      : axis == beside ? before + after
                                       : before + tile + after;
      size *= count;
      if (count == 0)
        break;
      Value digit = math.rem(rest, math.constant(count));
      rest = math.div(rest, math.constant(count));
      if (axis < beside)
        position[axis] = digit;
      else if (axis > beside)
        position[axis] = math.add(digit, -before);
      else
        position[axis] = math.select(math.less(digit, math.constant(before)),
                                     math.add(digit, -before),
                                     math.add(digit, tile - before));
    }
    if (size == 0)
      continue;
    Value isHere = math.lessEqual(math.constant(first), number);
    for (auto [known, here] : llvm::zip_equal(rim.position, position))
      known = first == 0 ? here : math.select(isHere, here, known);
    first += size;
  }
}

void TileKernel::addRim(CoreAndRimAttr layout) {
  Arithmetic math = kernel.math();
  int64_t rank = op.getGrid().getRank();
  int64_t count = layout.countRim(), threads = op.getGrid().countThreads();
  for (int64_t first = 0; first < count; first += threads) {
    auto rim = std::make_unique<TilePoints>();
    rim->number = groups.size();
    rim->points.emplace_back(rank, 0);
    rim->counts.assign(rank, 1);
    Value number = math.add(threadNumber, first);
    if (first + threads > count) {
      rim->exists = math.less(number, math.constant(count));
      // The others compute some point again, if values are to be known.
      number = math.select(rim->exists, number, math.constant(first));
    }
    findRimPoint(*rim, layout, number);
    placeInRings(*rim);
    rims[layout].push_back(rim.get());
    groups.push_back(std::move(rim));
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

/// Whether the first point of the group is one of a box.
Value TileKernel::isWithin(BoundsAttr box) {
  Arithmetic math = kernel.math();
  Value within;
  for (int64_t axis = 0; axis < box.getRank(); ++axis) {
    if (walk == axis)
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
                                    Value exists, TileReads &reads) {
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
    emitPut(put, group->points);
    return success();
  }
  auto stage = dyn_cast<ApplyOp>(inner);
  if (!stage)
    return inner->emitOpError("has no distribution to threads beside the tile");
  if (Value condition = isInRim(stage.getDomain(), layout))
    return emitStageIf(condition, stage, reads);
  return emitStage(stage, group->points, reads);
}

LogicalResult TileKernel::emitRimOps(ArrayRef<Operation *> ops, Value exists,
                                     TileReads &reads) {
  for (Operation *inner : ops)
    if (failed(emitRimOp(inner, getRimLayout(inner), exists, reads)))
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

/// What a phase computes beside the tile, of each layout. If no value is kept,
/// only the threads that have a point compute it.
LogicalResult TileKernel::emitRims(ArrayRef<Operation *> ops) {
  OpBuilder &builder = kernel.body();
  llvm::MapVector<Attribute, SmallVector<Operation *>> byLayout;
  for (Operation *inner : ops)
    if (CoreAndRimAttr layout = getRimLayout(inner))
      byLayout[layout].push_back(inner);
  for (auto &entry : byLayout) {
    ArrayRef<Operation *> of = entry.second;
    bool keepsValues = llvm::any_of(of, [&](Operation *inner) {
      return llvm::any_of(inner->getResults(), [&](Value result) {
        return isUsedBeyond(result, of);
      });
    });
    for (TilePoints *rim : rims[entry.first]) {
      OpBuilder::InsertionGuard guard(builder);
      if (rim->exists && !keepsValues) {
        auto branch = scf::IfOp::create(builder, op.getLoc(), rim->exists);
        builder.setInsertionPoint(branch.thenBlock()->getTerminator());
      }
      group = rim;
      TileReads reads(*this, builder.getInsertionBlock());
      LogicalResult result =
          emitRimOps(of, keepsValues ? rim->exists : Value(), reads);
      group = groups.front().get();
      if (failed(result))
        return failure();
    }
  }
  return success();
}
