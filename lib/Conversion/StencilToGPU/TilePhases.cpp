//===- TilePhases.cpp - What a thread does between two barriers -----------===//
//
// Point by point, through all stages to the stores. Ops in a tile.where are for
// the points that somebody needs.
//
//===----------------------------------------------------------------------===//

#include "TileReads.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace stencil;

/// Row by row, each of which is stored before the next one is computed. Of
/// caches, a tile reads once what its points share.
LogicalResult TileKernel::emitRows(ArrayRef<Operation *> ops,
                                   ArrayRef<TilePoint> points,
                                   TileReads &reads) {
  while (!points.empty()) {
    auto row = points.take_while([&](const TilePoint &point) {
      return isOfCaches() ||
             std::equal(point.begin(), point.end() - 1, points.front().begin());
    });
    points = points.drop_front(row.size());
    for (Operation *inner : ops) {
      if (auto stage = dyn_cast<ApplyOp>(inner)) {
        if (failed(emitStage(stage, row, reads)))
          return failure();
      } else if (auto store = dyn_cast<tile::StoreOp>(inner)) {
        emitStore(store, row);
      }
    }
  }
  return success();
}

/// Row by row, or, if that takes too many registers, all at once.
LogicalResult TileKernel::emitStages(ArrayRef<Operation *> ops,
                                     ArrayRef<TilePoint> points,
                                     TileReads reads) {
  OpBuilder &builder = kernel.body();
  Block *block = builder.getInsertionBlock();
  Block::iterator end = builder.getInsertionPoint();
  bool isFirst = end == block->begin();
  Block::iterator before = isFirst ? end : std::prev(end);
  if (failed(emitRows(ops, points, reads)))
    return failure();
  if (!rings.empty() && llvm::any_of(ops, llvm::IsaPred<tile::StoreOp>))
    orderByArrival(
        isFirst ? block->begin() : std::next(before), end,
        [&](Operation *load) { return reads.getPlace(load); },
        kernels.getOptions().target.registersPerThread);
  return success();
}

/// Whether as many points from `base` on are ones that the ops within are for;
/// null if they always are.
Value TileKernel::isWhere(BoundsAttr needs, ArrayRef<int64_t> points,
                          const BasePoint &base) {
  if (!needs)
    return grid.isInside(kernel, base, points);
  Arithmetic math = kernel.math();
  BoundsAttr domain = op.getGrid().getDomain();
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

/// Emits ops under a condition for a thread's points, once if it holds for all
/// of them, else point by point. Where it does not hold, results are zeros.
class stencil::GuardedStages {
public:
  /// `isDue` (null: always): whether any of the points are needed.
  GuardedStages(TileKernel &kernel, Location loc, BoundsAttr needs, Value isDue,
                ArrayRef<Operation *> ops, ValueRange yielded,
                ValueRange results, TileReads &reads)
      : kernel(kernel), builder(kernel.kernel.body()), loc(loc), needs(needs),
        isDue(isDue), ops(ops), yielded(yielded), results(results),
        reads(reads),
        points(kernel.listPoints(kernel.op.getGrid().getTileBox())) {}

  LogicalResult emit();

private:
  using Points = ArrayRef<TilePoint>;

  LogicalResult emitStages();
  /// All points, in a branch whose condition holds for them.
  LogicalResult emitAll(const TileReads &known);

  SmallVector<Value> collect(ValueRange from, Points at);
  void set(Points at, ValueRange computed);
  SmallVector<Type> getTypes(Points at);
  void yield(ValueRange computed);
  /// Computes what is needed at some points if a condition holds.
  LogicalResult emitIf(Value condition, Points at, bool keeps);
  LogicalResult emitOneByOne(const BasePoint &base);
  SmallVector<int64_t> getSteps() const;
  Value isWhere(ArrayRef<int64_t> steps, const BasePoint &base) {
    return kernel.kernel.math().both(isDue, kernel.isWhere(needs, steps, base));
  }
  bool isOneStep() const {
    return static_cast<int64_t>(points.size()) == llvm::product_of(getSteps());
  }
  LogicalResult emitLoop(ArrayRef<int64_t> steps);
  bool readsHeld() const;

  TileKernel &kernel;
  OpBuilder &builder;
  Location loc;
  BoundsAttr needs;
  Value isDue;
  ArrayRef<Operation *> ops;
  ValueRange yielded, results;
  TileReads &reads;
  std::vector<TilePoint> points;
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
        kernel.values[result][held] = {computed.front(), {}};
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
    if (failed(isOneStep() ? emitAll(known)
                           : kernel.emitStages(ops, at, known)))
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
LogicalResult GuardedStages::emitLoop(ArrayRef<int64_t> steps) {
  OpBuilder::InsertionGuard guard(builder);
  Arithmetic math = kernel.kernel.math();
  SmallVector<Value> point;
  for (auto [count, step] : llvm::zip_equal(kernel.schedule.points, steps)) {
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
      emitIf(isWhere(steps, kernel.getBase({})),
             listTogether(points.front(), steps), /*keeps=*/false);
  kernel.onePoint.clear();
  return result;
}

LogicalResult GuardedStages::emitOneByOne(const BasePoint &base) {
  SmallVector<int64_t> steps = getSteps();
  if (kernel.isOfCaches() && results.empty() && !readsHeld())
    return emitLoop(steps);
  Arithmetic math = kernel.kernel.math();
  for (const TilePoint &first : points) {
    if (!isFirstOf(first, steps))
      continue;
    BasePoint own = base;
    for (auto [axis, along] : llvm::enumerate(first))
      if (kernel.walk != static_cast<int64_t>(axis))
        own.coordinates[axis] = math.add(own.coordinates[axis], along);
    if (failed(emitIf(isWhere(steps, own), listTogether(first, steps),
                      /*keeps=*/false)))
      return failure();
  }
  return success();
}

LogicalResult GuardedStages::emitAll(const TileReads &known) {
  for (Operation *inner : ops)
    if (auto prefetch = dyn_cast<tile::PrefetchOp>(inner);
        prefetch && failed(kernel.emitPrefetch(prefetch)))
      return failure();
  return kernel.emitStages(ops, points, known);
}

LogicalResult GuardedStages::emit() {
  if (failed(emitStages()))
    return failure();
  SmallVector<tile::StoreOp> stores;
  for (Operation *inner : ops)
    if (auto store = dyn_cast<tile::StoreOp>(inner); store && store.getImages())
      stores.push_back(store);
  kernel.emitImages(stores);
  return success();
}

LogicalResult GuardedStages::emitStages() {
  BasePoint base =
      kernel.getBase(kernel.walk ? kernel.kernel.math().constant(0) : Value());
  Value inside = isWhere(kernel.schedule.points, base);
  if (!inside) {
    if (failed(emitAll(reads)))
      return failure();
    set(points, collect(yielded, points));
    return success();
  }
  // Rows share what they read. What one row reads is not kept: registers are
  // short there, where regions share a launch.
  bool isRow = llvm::all_of(points, [&](const TilePoint &point) {
    return std::equal(point.begin(), point.end() - 1, points.front().begin());
  });
  if (isOneStep())
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
    if (failed(emitOneByOne(base)))
      return failure();
    yield(collect(results, points));
  }
  set(points, branch.getResults());
  return success();
}

LogicalResult TileKernel::emitWhere(tile::WhereOp where, TileReads &reads) {
  SmallVector<Operation *> ops;
  for (Operation &inner : where.getBodyBlock()->without_terminator()) {
    if (isa<tile::SourceOp, tile::JoinOp, tile::ShiftOp>(inner))
      continue;
    if (!isa<ApplyOp, tile::StoreOp, tile::PrefetchOp>(inner))
      return inner.emitOpError("has no distribution to threads in a "
                               "tile.where");
    ops.push_back(&inner);
  }
  FailureOr<Value> isDue = this->isDue(where);
  if (failed(isDue))
    return failure();
  auto takesAll = [](Operation *inner) {
    auto stage = dyn_cast<ApplyOp>(inner);
    return stage && tile::getEngine(stage).takesAllThreads();
  };
  if (llvm::any_of(ops, takesAll)) {
    if (!llvm::all_of(ops, takesAll))
      return where.emitOpError("has no distribution to threads: expected "
                               "stages whose engines take all threads, or none "
                               "of them");
    std::vector<TilePoint> points = listPoints(op.getGrid().getTileBox());
    if (failed(emitStages(ops, points, reads)))
      return failure();
    for (auto [result, value] :
         llvm::zip_equal(where.getResults(),
                         where.getBodyBlock()->getTerminator()->getOperands()))
      for (const TilePoint &point : points)
        for (const TilePoint &held : listPlanes(result, point))
          values[result][held] = getValue(value, held);
    return success();
  }
  return GuardedStages(*this, where.getLoc(), where.getNeedsAttr(), *isDue, ops,
                       where.getBodyBlock()->getTerminator()->getOperands(),
                       where.getResults(), reads)
      .emit();
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

/// Whether a stage returns what it reads of a ring.
static bool isCopy(Operation *op) {
  auto stage = dyn_cast<ApplyOp>(op);
  if (!stage || !llvm::hasNItems(*stage.getBodyBlock(), 2) ||
      !isa<AccessOp>(stage.getBodyBlock()->front()))
    return false;
  return llvm::all_of(stage.getArgs(), [](Value value) {
    auto source = value.getDefiningOp<tile::SourceOp>();
    return source && isa<tile::RingType>(source.getMemory().getType());
  });
}

/// Stages that others follow, at all points of a tile: point by point across
/// them, so that what one has made is used by the next.
LogicalResult TileKernel::emitWork(ArrayRef<Operation *> ops,
                                   TileReads &reads) {
  std::vector<TilePoint> points = listPoints(op.getGrid().getTileBox());
  bool isPointwise = llvm::none_of(ops, [](Operation *inner) {
    return isCopy(inner) ||
           inner->hasAttr(tile::TileDialect::kEngineAttrName) ||
           llvm::product_of(cast<ApplyOp>(inner).getUnrollFactors()) != 1;
  });
  if (!isPointwise)
    return emitRows(ops, points, reads);
  for (const TilePoint &point : points)
    for (Operation *inner : ops)
      if (failed(emitStage(cast<ApplyOp>(inner), point, reads)))
        return failure();
  return success();
}

LogicalResult TileKernel::emitPhase() {
  TileReads reads(*this, kernel.body().getInsertionBlock());
  // Copies need nothing but what is in memory.
  SmallVector<Operation *> ops;
  llvm::copy_if(phase, std::back_inserter(ops), isCopy);
  llvm::copy_if(phase, std::back_inserter(ops),
                [](Operation *inner) { return !isCopy(inner); });
  phase.clear();
  ArrayRef<Operation *> rest = ops;
  while (!rest.empty()) {
    if (auto where = dyn_cast<tile::WhereOp>(rest.front())) {
      if (failed(emitWhere(where, reads)))
        return failure();
      rest = rest.drop_front();
      continue;
    }
    auto isAlike = [first = rest.front()](Operation *inner) {
      return !isa<tile::WhereOp>(inner) &&
             isa<tile::StoreOp>(inner) == isa<tile::StoreOp>(first) &&
             isCopy(inner) == isCopy(first);
    };
    auto part = rest.take_while(isAlike);
    rest = rest.drop_front(part.size());
    bool stores = isa<tile::StoreOp>(part.front());
    if (failed(stores ? GuardedStages(*this, part.front()->getLoc(), {}, {},
                                      part, {}, {}, reads)
                            .emit()
                      : emitWork(part, reads)))
      return failure();
  }
  return success();
}
