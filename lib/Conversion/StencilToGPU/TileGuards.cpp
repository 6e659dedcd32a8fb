//===- TileGuards.cpp - What is computed where somebody needs it ----------===//

#include "StencilDialect/IR/DiscardableAttrs.h"
#include "TileReads.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace stencil;

/// Emits ops under a condition for a thread's points. Where it does not hold,
/// results are zeros.
class stencil::GuardedStages {
public:
  using Points = ArrayRef<TilePoint>;
  /// Emits the ops at some points, whose values are `yielded` then.
  using Compute = llvm::function_ref<LogicalResult(Points, TileReads)>;

  GuardedStages(TileKernel &kernel, Location loc, ArrayRef<Operation *> ops,
                Compute compute, ValueRange yielded, ValueRange results,
                TileReads &reads, Points points)
      : kernel(kernel), builder(kernel.kernel.body()), loc(loc), ops(ops),
        compute(compute), yielded(yielded), results(results), reads(reads),
        points(points) {}

  /// Once if all points are needed, else point by point.
  LogicalResult emit(BoundsAttr needs);
  /// Under one condition for all points.
  LogicalResult emitIf(Value condition) {
    return emitIf(condition, points, /*keeps=*/true);
  }

private:
  LogicalResult emitWhere(BoundsAttr needs);
  Value isAtOnce(BasePoint base, BoundsAttr needs);
  bool isWholeOrOutside(const BasePoint &base, BoundsAttr needs);
  /// All points, in a branch whose condition holds for them.
  LogicalResult emitAll(const TileReads &known);

  SmallVector<Value> collect(ValueRange from, Points at);
  void set(Points at, ValueRange computed);
  SmallVector<Type> getTypes(Points at);
  void yield(ValueRange computed);
  /// `keeps`: what is read is known to the ops within.
  LogicalResult emitIf(Value condition, Points at, bool keeps);
  LogicalResult emitOneByOne(BoundsAttr needs, const BasePoint &base);
  bool readsHeld() const;
  LogicalResult emitLoop(BoundsAttr needs, ArrayRef<int64_t> steps);
  SmallVector<int64_t> getSteps() const;
  bool isOneStep() const {
    return static_cast<int64_t>(points.size()) == llvm::product_of(getSteps());
  }

  TileKernel &kernel;
  OpBuilder &builder;
  Location loc;
  ArrayRef<Operation *> ops;
  Compute compute;
  ValueRange yielded, results;
  TileReads &reads;
  Points points;
};

SmallVector<Value> GuardedStages::collect(ValueRange from, Points at) {
  SmallVector<Value> collected;
  for (Value value : from)
    for (const TilePoint &point : at)
      for (const TilePoint &held : kernel.listPlanes(value, point))
        collected.push_back(kernel.getValue(value, held).value);
  return collected;
}

void GuardedStages::set(Points at, ValueRange computed) {
  for (Value result : results)
    for (const TilePoint &point : at)
      for (const TilePoint &held : kernel.listPlanes(result, point)) {
        kernel.group->values[result][held] = {computed.front(), {}};
        computed = computed.drop_front();
      }
}

SmallVector<Type> GuardedStages::getTypes(Points at) {
  SmallVector<Type> types;
  for (Value result : results)
    for (const TilePoint &point : at)
      types.append(kernel.listPlanes(result, point).size(),
                   cast<TempType>(result.getType()).getElementType());
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
        zeros.push_back(
            arith::ConstantOp::create(builder, loc, builder.getZeroAttr(type)));
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
  return SmallVector<int64_t>(kernel.schedule.points.size(), 1);
}

/// The points that a body returns with this one.
static std::vector<TilePoint> listTogether(const TilePoint &first,
                                           ArrayRef<int64_t> steps) {
  std::vector<TilePoint> together;
  for (const SmallVector<int64_t> &place :
       listOffsets(steps, SmallVector<int64_t>(steps.size(), 1))) {
    TilePoint &point = together.emplace_back(first);
    for (auto [whole, part] : llvm::zip_equal(point, place))
      whole += part;
  }
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
  Arithmetic math = kernel.kernel.math();
  SmallVector<Value> point;
  for (auto [count, step] : llvm::zip_equal(kernel.group->counts, steps)) {
    point.push_back(math.constant(0));
    if (count == step)
      continue;
    auto loop = scf::ForOp::create(builder, loc, math.constant(0),
                                   math.constant(count), math.constant(step));
    builder.setInsertionPointToStart(loop.getBody());
    point.back() = loop.getInductionVar();
  }
  kernel.onePoint = point;
  LogicalResult result =
      emitIf(kernel.isWhere(needs, steps, kernel.getBase({})),
             listTogether(points.front(), steps), /*keeps=*/false);
  kernel.onePoint.clear();
  return result;
}

LogicalResult GuardedStages::emitOneByOne(BoundsAttr needs,
                                          const BasePoint &base) {
  SmallVector<int64_t> steps = getSteps();
  // A layout may leave gaps between a thread's points.
  bool isBox = static_cast<int64_t>(points.size()) ==
               llvm::product_of(kernel.group->counts);
  if (kernel.isOfCaches() && isBox && results.empty() && !readsHeld())
    return emitLoop(needs, steps);
  Arithmetic math = kernel.kernel.math();
  for (const TilePoint &first : points) {
    if (!isFirstOf(first, steps))
      continue;
    BasePoint own = base;
    for (auto [axis, along] : llvm::enumerate(first))
      if (kernel.walk != static_cast<int64_t>(axis))
        own.coordinates[axis] = math.add(own.coordinates[axis], along);
    if (failed(emitIf(kernel.isWhere(needs, steps, own),
                      listTogether(first, steps), /*keeps=*/false)))
      return failure();
  }
  return success();
}

LogicalResult GuardedStages::emitAll(const TileReads &known) {
  for (Operation *inner : ops)
    if (auto prefetch = dyn_cast<tile::PrefetchOp>(inner);
        prefetch && failed(kernel.emitPrefetch(prefetch)))
      return failure();
  return compute(points, known);
}

LogicalResult GuardedStages::emit(BoundsAttr needs) {
  // Of tiles that overlap, some threads store nothing, or some of their rows.
  // What others read is not for stores alone.
  bool isForStores = !needs && results.empty();
  Points all = points;
  bool splitsRows = isForStores && kernel.splitsRows();
  while (!points.empty()) {
    if (splitsRows)
      points = takeRow(points);
    OpBuilder::InsertionGuard guard(builder);
    if (Value isInner =
            isForStores ? kernel.isInner(points.front()) : Value()) {
      auto branch = scf::IfOp::create(builder, loc, isInner);
      builder.setInsertionPointToStart(branch.thenBlock());
    }
    if (failed(emitWhere(needs)))
      return failure();
    all = all.drop_front(points.size());
    points = all;
  }
  SmallVector<tile::StoreOp> stores;
  for (Operation *inner : ops)
    if (auto store = dyn_cast<tile::StoreOp>(inner); store && store.getImages())
      stores.push_back(store);
  kernel.emitImages(stores);
  return success();
}

/// Whether all points are ones that the ops are for: the thread's, or of one of
/// its rows.
Value GuardedStages::isAtOnce(BasePoint base, BoundsAttr needs) {
  SmallVector<int64_t> counts(kernel.group->counts);
  if (points.size() < kernel.group->points.size()) {
    Arithmetic math = kernel.kernel.math();
    for (size_t axis = 0; axis + 1 < counts.size(); ++axis) {
      counts[axis] = 1;
      if (kernel.walk != static_cast<int64_t>(axis))
        base.coordinates[axis] =
            math.add(base.coordinates[axis], points.front()[axis]);
    }
  }
  return kernel.isWhere(needs, counts, base);
}

/// Whether a thread's row that is not in the domain as a whole has no point in
/// it: both ends of the domain are between the rows of threads.
bool GuardedStages::isWholeOrOutside(const BasePoint &base, BoundsAttr needs) {
  tile::KernelOp op = kernel.op;
  BoundsAttr domain = op.getGrid().getDomain();
  int64_t last = domain.getRank() - 1, length = points.size();
  auto isBetween = [&](int64_t bound) {
    return !isSymbolic(bound) && bound % length == 0;
  };
  return !needs && kernel.splitsRows() && kernel.walk != last &&
         length == kernel.group->counts[last] && base.alignment % length == 0 &&
         isBetween(domain.getLb()[last]) && isBetween(domain.getUb()[last]);
}

LogicalResult GuardedStages::emitWhere(BoundsAttr needs) {
  BasePoint base =
      kernel.getBase(kernel.walk ? kernel.kernel.math().constant(0) : Value());
  Value inside = isAtOnce(base, needs);
  if (!inside) {
    if (failed(emitAll(reads)))
      return failure();
    set(points, collect(yielded, points));
    return success();
  }
  // Rows share what they read. What one row of the tile reads is not kept:
  // registers are short there, where regions share a launch.
  bool isRow = kernel.group->isOwn() && takeRow(points).size() == points.size();
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

//===----------------------------------------------------------------------===//
// Conditions
//===----------------------------------------------------------------------===//

/// Whether some of a thread's rows are among those that the block stores, and
/// others are not.
bool TileKernel::splitsRows() const {
  tile::KernelOp self = op;
  BoundsAttr inner = self.getGrid().getInner();
  if (!inner || !group->isOwn())
    return false;
  for (int64_t axis = 0; axis + 1 < inner.getRank(); ++axis)
    if (inner.getLb()[axis] % schedule.points[axis] != 0 ||
        inner.getUb()[axis] % schedule.points[axis] != 0)
      return true;
  return false;
}

/// Whether the thread's points from this one on, all of them or those of its
/// row, are among those that the block stores; null if all are.
Value TileKernel::isInner(const TilePoint &point) {
  BoundsAttr inner = op.getGrid().getInner();
  if (!inner || !group->isOwn())
    return {};
  Arithmetic math = kernel.math();
  Value isInside;
  for (int64_t axis = 0; axis < inner.getRank(); ++axis) {
    if (axis == walk)
      continue;
    Value first = math.add(group->position[axis], point[axis]);
    if (int64_t lower = inner.getLb()[axis])
      isInside =
          math.both(isInside, math.lessEqual(math.constant(lower), first));
    if (int64_t upper = inner.getUb()[axis]; upper < grid.tileOf(axis))
      isInside = math.both(isInside, math.less(first, math.constant(upper)));
  }
  return isInside;
}

/// Whether as many points from `base` on are ones that the ops within are for;
/// null if they always are.
Value TileKernel::isWhere(BoundsAttr needs, ArrayRef<int64_t> points,
                          const BasePoint &base) {
  if (!needs && group->isOwn())
    return grid.isInside(kernel, base, points);
  Arithmetic math = kernel.math();
  BoundsAttr domain = op.getGrid().getDomain();
  if (!needs)
    needs = BoundsAttr::get(op.getContext(),
                            SmallVector<int64_t>(domain.getRank(), 0),
                            SmallVector<int64_t>(domain.getRank(), 1));
  Value inside;
  for (int64_t axis = 0; axis < domain.getRank(); ++axis) {
    // Planes are computed for those that come.
    if (axis == walk)
      continue;
    Value lower = math.add(kernel.getBound(domain.getLb()[axis], axis),
                           needs.getLb()[axis]);
    Value upper = math.add(kernel.getBound(domain.getUb()[axis], axis),
                           needs.getUb()[axis] - 1);
    inside = math.both(inside, math.lessEqual(lower, base.coordinates[axis]));
    inside = math.both(
        inside,
        math.lessEqual(math.add(base.coordinates[axis], points[axis]), upper));
  }
  return inside;
}

/// Whether the plane of the stages in a tile.where is one that somebody in this
/// segment needs.
Value TileKernel::isPlane(tile::WhereOp where) {
  Arithmetic math = kernel.math();
  std::optional<int64_t> own;
  where.getBody().walk<WalkOrder::PreOrder>([&](ApplyOp stage) {
    own = stage.getDomain().getLb()[*walk];
    return WalkResult::interrupt();
  });
  Value plane = math.add(getPlane(where.getIteration()), own.value_or(0));
  // `box`: how far it reaches beyond these planes, and one more.
  auto isAround = [&](Value first, Value end, BoundsAttr box) {
    first = math.add(first, box.getLb()[*walk]);
    end = math.add(end, box.getUb()[*walk] - 1);
    return math.both(math.lessEqual(first, plane), math.less(plane, end));
  };
  Value isWanted = isAround(segmentStart, segmentEnd, *where.getNeeds());
  auto within = where->getAttrOfType<BoundsAttr>(kWithinAttr);
  if (!within)
    return isWanted;
  BoundsAttr domain = op.getGrid().getDomain();
  Value first = kernel.getBound(domain.getLb()[*walk], *walk);
  Value end = kernel.getBound(domain.getUb()[*walk], *walk);
  return math.both(isWanted, isAround(first, end, within));
}

//===----------------------------------------------------------------------===//
// Ops of a phase
//===----------------------------------------------------------------------===//

/// Stages whose engines take all threads, which compute all points.
LogicalResult TileKernel::emitEverywhere(tile::WhereOp where,
                                         ArrayRef<Operation *> ops,
                                         TileReads &reads) {
  if (failed(emitStages(ops, group->points, reads)))
    return failure();
  for (auto [result, value] :
       llvm::zip_equal(where.getResults(),
                       where.getBodyBlock()->getTerminator()->getOperands()))
    for (const TilePoint &point : group->points)
      for (const TilePoint &held : listPlanes(result, point))
        group->values[result][held] = getValue(value, held);
  return success();
}

LogicalResult TileKernel::emitWhere(tile::WhereOp where, TileReads &reads) {
  bool isOfPlanes = static_cast<bool>(where.getIteration());
  SmallVector<Operation *> ops;
  for (Operation &inner : where.getBodyBlock()->without_terminator()) {
    if (isa<tile::SourceOp, tile::JoinOp, tile::ShiftOp>(inner))
      continue;
    bool isWhere = isOfPlanes && isa<tile::WhereOp>(inner);
    if (!isa<ApplyOp, tile::StoreOp, tile::PrefetchOp>(inner) && !isWhere)
      return inner.emitOpError("has no distribution to threads in a "
                               "tile.where");
    ops.push_back(&inner);
  }
  auto takesAll = [](Operation *inner) {
    auto stage = dyn_cast<ApplyOp>(inner);
    return stage && tile::getEngine(stage).takesAllThreads();
  };
  if (!isOfPlanes && llvm::any_of(ops, takesAll)) {
    if (!llvm::all_of(ops, takesAll))
      return where.emitOpError("has no distribution to threads: expected "
                               "stages whose engines take all threads, or none "
                               "of them");
    return emitEverywhere(where, ops, reads);
  }
  auto compute = [&](ArrayRef<TilePoint> at, TileReads known) {
    if (!isOfPlanes)
      return emitStages(ops, at, known);
    return group->isOwn() ? emitOps(ops, known)
                          : emitRimOps(ops, at, /*exists=*/{}, known);
  };
  GuardedStages guarded(*this, where.getLoc(), ops, compute,
                        where.getBodyBlock()->getTerminator()->getOperands(),
                        where.getResults(), reads, group->points);
  return isOfPlanes ? guarded.emitIf(isPlane(where))
                    : guarded.emit(where.getNeedsAttr());
}

/// Stores, at those of the points that are in the domain.
LogicalResult TileKernel::emitInDomain(ArrayRef<Operation *> ops,
                                       ArrayRef<TilePoint> points,
                                       TileReads &reads) {
  auto compute = [&](ArrayRef<TilePoint> at, TileReads known) {
    return emitStages(ops, at, known);
  };
  return GuardedStages(*this, ops.front()->getLoc(), ops, compute, {}, {},
                       reads, points)
      .emit(BoundsAttr());
}

/// Ops beside the tile, for threads that have such points. `kept` are the
/// results that others read.
LogicalResult TileKernel::emitRimIf(Value condition, ArrayRef<Operation *> ops,
                                    ArrayRef<Value> kept, TileReads &reads) {
  auto compute = [&](ArrayRef<TilePoint> at, TileReads known) {
    return emitRimOps(ops, at, /*exists=*/{}, known);
  };
  return GuardedStages(*this, op.getLoc(), ops, compute, kept, kept, reads,
                       group->points)
      .emitIf(condition);
}

/// A stage at points of which the condition says whether they are its own.
LogicalResult TileKernel::emitStageIf(Value condition, ApplyOp stage,
                                      TileReads &reads) {
  auto compute = [&](ArrayRef<TilePoint> at, TileReads known) {
    return emitStage(stage, at, known);
  };
  Operation *op = stage;
  return GuardedStages(*this, stage.getLoc(), op, compute, stage.getRes(),
                       stage.getRes(), reads, group->points)
      .emitIf(condition);
}

/// A point of the tile, in each plane of a value.
SmallVector<TilePoint> TileKernel::listPlanes(Value value,
                                              TilePoint point) const {
  if (!walk)
    return {point};
  SmallVector<TilePoint> points;
  BoundsAttr box = cast<TempType>(value.getType()).getBounds();
  for (int64_t plane = box.getLb()[*walk]; plane < box.getUb()[*walk];
       ++plane) {
    point[*walk] = plane;
    points.push_back(point);
  }
  return points;
}
