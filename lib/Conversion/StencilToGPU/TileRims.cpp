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

#include "TilePhases.h"

using namespace mlir;
using namespace stencil;
using tile::CoreAndRimAttr;

/// The layout of an op of a phase, if that has a rim.
CoreAndRimAttr RimPhase::getLayout(Operation *inner) const {
  Attribute layout;
  if (auto stage = dyn_cast<ApplyOp>(inner))
    layout = tile::getLayout(stage);
  else if (auto put = dyn_cast<tile::PutOp>(inner))
    layout = held.points.getLayouts().get(put.getValues());
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

/// A stage at points of which the condition says whether they are its own.
LogicalResult RimPhase::emitStageIf(Value condition, ApplyOp stage,
                                    TileReads &reads) {
  auto compute = [&](Points at, TileReads known) {
    return emitStage(held, stage, at, known);
  };
  Operation *op = stage;
  return GuardedStages(held, stage.getLoc(), op, compute, stage.getRes(),
                       stage.getRes(), reads, held.getGroup().points)
      .emitIf(condition);
}

LogicalResult RimPhase::emitOp(Operation *inner, Points row, Value exists,
                               TileReads &reads) {
  OpBuilder &builder = block.kernel.body();
  CoreAndRimAttr layout = getLayout(inner);
  ThreadGuards guards(held);
  if (auto where = dyn_cast<tile::WhereOp>(inner))
    return emitWhere(where, reads);
  if (auto put = dyn_cast<tile::PutOp>(inner)) {
    BoundsAttr box = cutTo(getBounds(put.getValues()),
                           block.rings[put.getRing()].type.getBox());
    Value condition = block.math.both(exists, guards.isInRim(box, layout));
    OpBuilder::InsertionGuard guard(builder);
    openIf(builder, put.getLoc(), condition);
    emitPut(put, row);
    return success();
  }
  auto stage = dyn_cast<ApplyOp>(inner);
  if (!stage)
    return inner->emitOpError("has no distribution to threads beside the tile");
  if (Value condition = guards.isInRim(stage.getDomain(), layout))
    return emitStageIf(condition, stage, reads);
  return emitStage(held, stage, row, reads);
}

/// Whether somebody reads a value who is none of some ops.
static bool isUsedBeyond(Value value, ArrayRef<Operation *> ops) {
  return llvm::any_of(value.getUsers(), [&](Operation *user) {
    if (user->hasTrait<tile::ValueView>())
      return isUsedBeyond(user->getResult(0), ops);
    return llvm::none_of(ops,
                         [&](Operation *op) { return op->isAncestor(user); });
  });
}

/// Ops at the points of the group. If no value is kept, or a thread may have
/// nothing of its kind, only those that have it compute it.
LogicalResult RimPhase::emitGroup(Ops ops, ArrayRef<Value> kept) {
  const TilePoints &group = held.getGroup();
  TileReads reads(held, block.kernel.body().getInsertionBlock());
  if (!group.exists || (!kept.empty() && !group.isElsewhere))
    return emitAll(ops, group.points, group.exists, reads);
  auto compute = [&](Points at, TileReads known) {
    return emitStages(ops, at, known);
  };
  return GuardedStages(held, block.op.getLoc(), ops, compute, kept, kept, reads,
                       group.points)
      .emitIf(group.exists);
}

LogicalResult RimPhase::emit(Ops ops) {
  llvm::MapVector<Attribute, SmallVector<Operation *>> byLayout;
  for (Operation *inner : ops)
    if (CoreAndRimAttr layout = getLayout(inner))
      byLayout[layout].push_back(inner);
  for (auto &entry : byLayout) {
    Ops of = entry.second;
    SmallVector<Value> kept;
    for (Operation *inner : of)
      llvm::copy_if(inner->getResults(), std::back_inserter(kept),
                    [&](Value result) { return isUsedBeyond(result, of); });
    for (TilePoints *rim :
         held.points.getRim(cast<CoreAndRimAttr>(entry.first))) {
      held.setGroup(*rim);
      LogicalResult result = emitGroup(of, kept);
      held.setGroup(held.points.getOwn());
      if (failed(result))
        return failure();
    }
  }
  return success();
}
