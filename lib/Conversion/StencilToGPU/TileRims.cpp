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

#include "TileReads.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace stencil;
using tile::CoreAndRimAttr;

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
    layout = threadPoints->getLayouts().get(put.getValues());
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
    for (TilePoints *rim :
         threadPoints->getRim(cast<CoreAndRimAttr>(entry.first))) {
      group = rim;
      LogicalResult result = emitRim(of, kept);
      group = &threadPoints->getOwn();
      if (failed(result))
        return failure();
    }
  }
  return success();
}
