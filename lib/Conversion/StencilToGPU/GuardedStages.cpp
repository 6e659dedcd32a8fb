//===- GuardedStages.cpp - What is computed where somebody needs it -------===//

#include "TileOps.h"
#include "TilePhases.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace stencil;

SmallVector<Value> GuardedStages::collect(ValueRange from, Points at) {
  SmallVector<Value> collected;
  for (Value value : from)
    for (const TilePoint &point : at)
      for (const TilePoint &place : held.listPlanes(value, point))
        collected.push_back(held.get(value, place).value);
  return collected;
}

void GuardedStages::set(Points at, ValueRange computed) {
  for (Value result : results)
    for (const TilePoint &point : at)
      for (const TilePoint &place : held.listPlanes(result, point)) {
        held.set(result, place, {computed.front(), {}});
        computed = computed.drop_front();
      }
}

SmallVector<Type> GuardedStages::getTypes(Points at) {
  SmallVector<Type> types;
  for (Value result : results)
    for (const TilePoint &point : at)
      types.append(held.listPlanes(result, point).size(),
                   getElementType(result));
  return types;
}

void GuardedStages::yield(ValueRange computed) {
  if (!computed.empty())
    scf::YieldOp::create(builder, loc, computed);
}

LogicalResult GuardedStages::emitIf(Value condition, Points at, bool keeps) {
  SmallVector<Type> types = getTypes(at);
  auto branch = scf::IfOp::create(builder, loc, types, condition,
                                  /*withElseRegion=*/!types.empty());
  {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(branch.thenBlock());
    const TileReads known = keeps ? reads.in(branch.thenBlock()) : reads;
    // Alone, it is all that a thread has.
    if (failed(isOneStep() ? emitAll(known) : compute(at, known)))
      return failure();
    yield(collect(yielded, at));
    if (!types.empty()) {
      builder.setInsertionPointToStart(branch.elseBlock());
      SmallVector<Value> zeros;
      for (Type type : types)
        zeros.push_back(arith::getZeroConstant(builder, loc, type));
      yield(zeros);
    }
  }
  set(at, branch.getResults());
  return success();
}

/// Points that bodies return together.
SmallVector<int64_t> GuardedStages::getSteps() const {
  for (Operation *inner : ops)
    if (auto stage = dyn_cast<ApplyOp>(inner)) {
      SmallVector<int64_t> steps = stage.getUnrollFactors();
      if (llvm::product_of(steps) != 1)
        return steps;
    }
  return SmallVector<int64_t>(block.tiles.getRank(), 1);
}

/// The points that a body returns with this one.
static std::vector<TilePoint> listTogether(const TilePoint &first,
                                           ArrayRef<int64_t> steps) {
  std::vector<TilePoint> together;
  for (ArrayRef<int64_t> place : listOffsets(steps))
    together.push_back(shiftPoint(first, place));
  return together;
}

/// Whether values are read that the thread holds for each of its points.
bool GuardedStages::readsHeld() const {
  return llvm::any_of(ops, [&](Operation *inner) {
    return llvm::any_of(inner->getOperands(), [&](Value value) {
      Operation *made = value.getDefiningOp();
      return isa<TempType>(value.getType()) &&
             !isa_and_nonnull<tile::SourceOp>(made) &&
             !llvm::is_contained(ops, made);
    });
  });
}

/// A loop over the points: where a thread holds nothing of one for the next.
LogicalResult GuardedStages::emitLoop(BoundsAttr needs,
                                      ArrayRef<int64_t> steps) {
  OpBuilder::InsertionGuard guard(builder);
  const Arithmetic &math = block.math;
  SmallVector<Value> point;
  for (auto [count, step] : llvm::zip_equal(held.getGroup().counts, steps)) {
    point.push_back(math.constant(0));
    if (count == step)
      continue;
    auto loop = scf::ForOp::create(builder, loc, math.constant(0),
                                   math.constant(count), math.constant(step));
    builder.setInsertionPointToStart(loop.getBody());
    point.back() = loop.getInductionVar();
  }
  held.onePoint = point;
  LogicalResult result =
      emitIf(ThreadGuards(held).isWhere(needs, steps, held.getBase({})),
             listTogether(points.front(), steps), /*keeps=*/false);
  held.onePoint.clear();
  return result;
}

LogicalResult GuardedStages::emitOneByOne(BoundsAttr needs,
                                          const BasePoint &base) {
  SmallVector<int64_t> steps = getSteps();
  // A layout may leave gaps between a thread's points.
  bool isBox = static_cast<int64_t>(points.size()) ==
               llvm::product_of(held.getGroup().counts);
  if (block.isOfCaches() && isBox && results.empty() && !readsHeld())
    return emitLoop(needs, steps);
  for (const TilePoint &first : points) {
    if (!isFirstOf(first, steps))
      continue;
    BasePoint own = base;
    for (auto [axis, along] : llvm::enumerate(first))
      if (block.walk != static_cast<int64_t>(axis))
        own.coordinates[axis] = block.math.add(own.coordinates[axis], along);
    if (failed(emitIf(ThreadGuards(held).isWhere(needs, steps, own),
                      listTogether(first, steps), /*keeps=*/false)))
      return failure();
  }
  return success();
}

LogicalResult GuardedStages::emitAll(const TileReads &known) {
  for (Operation *inner : ops)
    if (auto prefetch = dyn_cast<tile::PrefetchOp>(inner);
        prefetch && failed(emitPrefetch(held, prefetch)))
      return failure();
  return compute(points, known);
}

LogicalResult GuardedStages::emit(BoundsAttr needs) {
  // Of tiles that overlap, some threads store nothing, or some of their rows.
  // What others read is not for stores alone.
  bool isForStores = !needs && results.empty();
  Points all = points;
  bool splitsRows = isForStores && ThreadGuards(held).splitsRows();
  while (!points.empty()) {
    if (splitsRows)
      points = takeRow(points);
    OpBuilder::InsertionGuard guard(builder);
    openIf(builder, loc,
           isForStores ? ThreadGuards(held).isInner(points.front()) : Value());
    if (failed(emitWhere(needs)))
      return failure();
    all = all.drop_front(points.size());
    points = all;
  }
  SmallVector<tile::StoreOp> stores;
  for (Operation *inner : ops)
    if (auto store = dyn_cast<tile::StoreOp>(inner); store && store.getImages())
      stores.push_back(store);
  emitImages(held, stores);
  return success();
}

/// Whether all points are ones that the ops are for: the thread's, or of one of
/// its rows.
Value GuardedStages::isAtOnce(BasePoint base, BoundsAttr needs) {
  SmallVector<int64_t> counts(held.getGroup().counts);
  if (points.size() < held.getGroup().points.size()) {
    for (size_t axis = 0; axis + 1 < counts.size(); ++axis) {
      counts[axis] = 1;
      if (block.walk != static_cast<int64_t>(axis))
        base.coordinates[axis] =
            block.math.add(base.coordinates[axis], points.front()[axis]);
    }
  }
  return ThreadGuards(held).isWhere(needs, counts, base);
}

/// Whether a thread's row that is not in the domain as a whole has no point in
/// it: both ends of the domain are between the rows of threads.
bool GuardedStages::isWholeOrOutside(const BasePoint &base, BoundsAttr needs) {
  int64_t last = block.tiles.getDomain().getRank() - 1;
  auto length = static_cast<int64_t>(points.size());
  return !needs && ThreadGuards(held).splitsRows() && block.walk != last &&
         length == held.getGroup().counts[last] &&
         base.alignment % length == 0 && block.grid.endsBetween(length);
}

LogicalResult GuardedStages::emitWhere(BoundsAttr needs) {
  BasePoint base = held.getBase(block.walk ? block.math.constant(0) : Value());
  Value inside = isAtOnce(base, needs);
  if (!inside) {
    if (failed(emitAll(reads)))
      return failure();
    set(points, collect(yielded, points));
    return success();
  }
  // Rows share what they read. What one row of the tile reads is not kept:
  // registers are short there, where regions share a launch.
  bool isRow =
      held.getGroup().isOwn() && takeRow(points).size() == points.size();
  if (isOneStep() || (results.empty() && isWholeOrOutside(base, needs)))
    return emitIf(inside, points, /*keeps=*/!isRow);
  auto branch = scf::IfOp::create(builder, loc, getTypes(points), inside,
                                  /*withElseRegion=*/true);
  {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(branch.thenBlock());
    if (failed(emitAll(isRow ? reads : reads.in(branch.thenBlock()))))
      return failure();
    yield(collect(yielded, points));
    builder.setInsertionPointToStart(branch.elseBlock());
    if (failed(emitOneByOne(needs, base)))
      return failure();
    yield(collect(results, points));
  }
  set(points, branch.getResults());
  return success();
}
