//===- PipelineMemory.cpp - What walks read in memory, ahead of stores ----===//
//
// A stage that others follow, and a register window of a load, read memory in
// every iteration and for every thread, also where nobody needs the values: of
// a plane that is not needed, the nearest one is read instead; where not all
// points of a thread lie in the box, each has a test, and zero if it fails.
//
//===----------------------------------------------------------------------===//

#include "LaneShuffle.h"
#include "PipelineKernel.h"
#include "StencilDialect/IR/Elements.h"
#include "StencilDialect/IR/Footprint.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/Support/MathExtras.h"

#include <set>

using namespace mlir;
using namespace stencil;

BasePoint PipelineKernel::getNeededBase(const PipelineStep &step, int64_t lead,
                                        const OffsetBox &needs) {
  BasePoint base = getBase(step, lead);
  auto walk = context.getWalk();
  if (!walk)
    return base;
  Arithmetic math = kernel.math();
  Value first = math.add(context.segmentStart, needs.lower[*walk]);
  Value last = math.add(context.segmentEnd, needs.upper[*walk] - 1);
  Value &plane = base.coordinates[*walk];
  plane = math.select(math.less(plane, first), first, plane);
  plane = math.select(math.less(last, plane), last, plane);
  return base;
}

/// Whether a point of the plane is one at which somebody needs a value.
Value PipelineKernel::isNeeded(const BasePoint &base, const PointOffset &offset,
                               const OffsetBox &needs) {
  Arithmetic math = kernel.math();
  BoundsAttr domain = op.getDomain();
  Value needed;
  for (int64_t axis = 0; axis < op.getRank(); ++axis) {
    if (context.getWalk() == axis)
      continue;
    Value at = math.add(base.coordinates[axis], offset[axis]);
    Value first = math.add(kernel.getBound(domain.getLb()[axis], axis),
                           needs.lower[axis]);
    Value end = math.add(kernel.getBound(domain.getUb()[axis], axis),
                         needs.upper[axis]);
    needed = math.both(needed, math.lessEqual(first, at));
    needed = math.both(needed, math.less(at, end));
  }
  return needed;
}

/// Appends values of these types: where the condition (null: any) does not
/// hold, zeros.
LogicalResult PipelineKernel::computeWhere(Value condition, TypeRange types,
                                           ComputeValues compute,
                                           SmallVectorImpl<Value> &results) {
  if (!condition)
    return compute(results);
  OpBuilder &builder = kernel.body();
  Location loc = op.getLoc();
  auto branch = scf::IfOp::create(builder, loc, types, condition,
                                  /*withElseRegion=*/true);
  OpBuilder::InsertionGuard guard(builder);
  SmallVector<Value> values;
  builder.setInsertionPointToStart(branch.thenBlock());
  if (failed(compute(values)))
    return failure();
  scf::YieldOp::create(builder, loc, values);
  builder.setInsertionPointToStart(branch.elseBlock());
  values.clear();
  for (Type type : types)
    values.push_back(
        arith::ConstantOp::create(builder, loc, builder.getZeroAttr(type)));
  scf::YieldOp::create(builder, loc, values);
  results.append(branch.result_begin(), branch.result_end());
  return success();
}

/// Computes values at offsets from the base point: if they may be computed
/// `together` for a thread whose points lie in the box, all at once there, and
/// else one by one where they are needed. `compute` appends, offset by offset,
/// values of these types.
LogicalResult PipelineKernel::computeWhereNeeded(
    ArrayRef<PointOffset> offsets, TypeRange types, const OffsetBox &needs,
    const BasePoint &base, bool together, ComputePoints compute,
    SmallVectorImpl<Value> &results) {
  auto computeEach = [&](SmallVectorImpl<Value> &out) {
    for (const PointOffset &offset : offsets)
      if (failed(computeWhere(
              isNeeded(base, offset, needs), types,
              [&](SmallVectorImpl<Value> &one) { return compute(offset, one); },
              out)))
        return failure();
    return success();
  };
  if (!together)
    return computeEach(results);
  if (!isInside)
    return compute(offsets, results);
  OpBuilder &builder = kernel.body();
  Location loc = op.getLoc();
  SmallVector<Type> all;
  for (size_t i = 0; i < offsets.size(); ++i)
    all.append(types.begin(), types.end());
  auto branch = scf::IfOp::create(builder, loc, all, isInside,
                                  /*withElseRegion=*/true);
  OpBuilder::InsertionGuard guard(builder);
  SmallVector<Value> computed;
  builder.setInsertionPointToStart(branch.thenBlock());
  if (failed(compute(offsets, computed)))
    return failure();
  scf::YieldOp::create(builder, loc, computed);
  computed.clear();
  builder.setInsertionPointToStart(branch.elseBlock());
  if (failed(computeEach(computed)))
    return failure();
  scf::YieldOp::create(builder, loc, computed);
  results.append(branch.result_begin(), branch.result_end());
  return success();
}

/// Whether all points of the box may be computed: what is read from there, at
/// these offsets in the plane, is in the field.
bool PipelineKernel::isInField(LoadOp load, ArrayRef<int64_t> axes,
                               const OffsetBox &reads) const {
  BoundsAttr bounds = cast<GridType>(load.getField().getType()).getBounds();
  BoundsAttr domain = plan.getDomain();
  for (auto [i, axis] : llvm::enumerate(axes))
    if (context.getWalk() != axis &&
        (domain.getLb()[axis] + reads.lower[axis] < bounds.getLb()[i] ||
         domain.getUb()[axis] + reads.upper[axis] > bounds.getUb()[i]))
      return false;
  return true;
}

/// Whether a stage may be computed at all points of the box, also where nobody
/// needs it.
bool PipelineKernel::isSafe(ApplyOp stage) const {
  int64_t rank = plan.getDomain().getRank();
  OffsetBox here = OffsetBox::zero(rank);
  here.join(plan.getNeeds(stage));
  if (mayBodyFail(stage) && !isSamePlane(here, plan.getNeeds(stage)))
    return false;
  bool isSafe = true;
  Footprint(stage).forEachRead([&](const InputRead &read) {
    auto load =
        stage.getArgs()[read.input.getArgNumber()].getDefiningOp<LoadOp>();
    if (!load)
      return;
    OffsetBox reads = OffsetBox::zero(rank);
    for (auto [i, axis] : llvm::enumerate(read.axes)) {
      reads.lower[axis] = read.lower[i];
      reads.upper[axis] = read.upper[i];
    }
    isSafe &= isInField(load, read.axes, reads);
  });
  return isSafe;
}

/// A stage that others follow, and that is not simply computed everywhere: it
/// reads memory itself, or may fail, or is computed under a condition (null:
/// none).
LogicalResult PipelineKernel::emitGuardedStage(ApplyOp stage,
                                               PipelineStep &step,
                                               SharedReads &reads,
                                               Value condition) {
  ArrayRef<PointOffset> points = group->points;
  const OffsetBox &needs = plan.getNeeds(stage);
  BasePoint base = getBase(step, plan.getLead(stage));
  SmallVector<Type> types, all;
  for (unsigned i = 0; i < stage.getNumOutputs(); ++i)
    types.push_back(stage.getOutputElementType(i));
  for (size_t i = 0; i < points.size(); ++i)
    llvm::append_range(all, types);
  auto compute = [&](ArrayRef<PointOffset> at, SmallVectorImpl<Value> &out) {
    // In a branch, what shared windows are read for is known there only.
    SharedReads own = reads;
    if (failed(emitStage(stage, step, own, at)))
      return failure();
    for (const PointOffset &point : at)
      for (Value result : stage.getRes())
        out.push_back(group->values[result][point].value);
    return success();
  };
  // What nobody needs must not fail.
  if (auto walk = context.getWalk(); walk && mayBodyFail(stage))
    condition = kernel.math().both(
        condition, context.isNeeded(needs, base.coordinates[*walk]));
  SmallVector<Value> computed;
  if (failed(computeWhere(
          condition, all,
          [&](SmallVectorImpl<Value> &out) {
            if (readsMemory(stage) || mayBodyFail(stage))
              return computeWhereNeeded(points, types, needs, base,
                                        group->isOwn() && isSafe(stage),
                                        compute, out);
            return compute(points, out);
          },
          computed)))
    return failure();
  size_t next = 0;
  for (const PointOffset &point : points)
    for (Value result : stage.getRes())
      group->values[result][point] = {computed[next++], {}};
  return success();
}

/// In the iterations before the first store, who reads older planes than the
/// newest, or what a stage makes, may come before them.
bool PipelineKernel::mayBeEarly(Operation *inner,
                                const PipelineStep &step) const {
  if (!context.getWalk() || step.stores)
    return false;
  for (OpOperand &use : inner->getOpOperands()) {
    auto window = use.get().getDefiningOp<WindowOp>();
    if (!window || window.getSpace() != WindowSpace::Shared)
      continue;
    int64_t oldest = findPlanes(inner, use.getOperandNumber()).first;
    if (isOfStage(window) || oldest < plan.get(use.get()).newest)
      return true;
  }
  return false;
}

/// Whether the plane of an op is needed; null if it may be computed anyway.
Value PipelineKernel::isDue(Operation *inner, const PipelineStep &step) {
  if (!mayBeEarly(inner, step))
    return {};
  auto stage = dyn_cast<ApplyOp>(inner);
  const OffsetBox &needs =
      stage ? plan.getNeeds(stage) : plan.get(inner->getResult(0)).needs;
  int64_t lead =
      stage ? plan.getLead(stage) : plan.get(inner->getResult(0)).lead;
  return context.isNeeded(needs, kernel.math().add(step.plane, lead));
}

/// Completes a plane of a shuffle window, of which `own` has the columns of the
/// thread's points: the other ones are in other lanes of the row, or beyond the
/// part of it that is in one warp, where they are loaded.
void PipelineKernel::shuffleColumns(
    WindowOp window, const BasePoint &base, std::map<PointOffset, Value> &plane,
    llvm::function_ref<Value(const PointOffset &)> load) {
  OpBuilder &builder = kernel.body();
  Location loc = op.getLoc();
  Arithmetic math = kernel.math();
  int64_t last = op.getRank() - 1, columns = schedule.points[last];
  int64_t warp = kernels.getOptions().target.warpSize;
  int64_t row = std::min(warp, schedule.block[last]);
  Value lane = math.rem(context.threadNumber, math.constant(warp));
  Value inRow = math.rem(context.threads[last], math.constant(row));
  for (const PointOffset &offset : group->queues[window].offsets) {
    if (plane.count(offset))
      continue;
    PointOffset owned = offset;
    owned[last] = llvm::mod(offset[last], columns);
    int64_t distance = (offset[last] - owned[last]) / columns;
    Value source = math.add(lane, distance);
    Value isThere =
        math.both(math.lessEqual(math.constant(0), math.add(inRow, distance)),
                  math.less(math.add(inRow, distance), math.constant(row)));
    Value number = math.select(isThere, source, lane);
    if (number.getType() != builder.getI32Type())
      number =
          arith::TruncIOp::create(builder, loc, builder.getI32Type(), number);
    Value moved = shuffleLanes(builder, loc, plane[owned], number, warp);
    Value yes = arith::ConstantIntOp::create(builder, loc, 1, 1);
    Value isLoaded =
        math.both(arith::XOrIOp::create(builder, loc, isThere, yes),
                  isNeeded(base, offset, plan.get(window.getRes()).needs));
    auto branch = scf::IfOp::create(builder, loc, moved.getType(), isLoaded,
                                    /*withElseRegion=*/true);
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(branch.thenBlock());
    scf::YieldOp::create(builder, loc, load(offset));
    builder.setInsertionPointToStart(branch.elseBlock());
    scf::YieldOp::create(builder, loc, moved);
    plane[offset] = branch.getResult(0);
  }
}

/// The newest plane of a register or shuffle window of a load.
void PipelineKernel::loadPlane(WindowOp window, PipelineStep &step,
                               std::map<PointOffset, Value> &plane) {
  const PlannedValue &planned = plan.get(window.getRes());
  int64_t lead = context.getWalk() ? planned.lead : 0;
  BasePoint base = getNeededBase(step, lead, planned.needs);
  const KernelField &field = loads[window.getTemp()];
  auto compute = [&](ArrayRef<PointOffset> at, SmallVectorImpl<Value> &out) {
    RowAddresses addresses(kernel, base);
    CacheWindow cache(kernel, op.getRank(), field, addresses, base.alignment);
    cache.fetch(0, at);
    for (const PointOffset &offset : at)
      out.push_back(cache.get(0, offset));
    return success();
  };
  SmallVector<Value> loaded;
  std::vector<PointOffset> offsets = group->queues[window].offsets;
  // Beside the tile there are no rows of threads.
  bool isShuffled = window.getSpace() == WindowSpace::Shuffle && group->isOwn();
  OffsetBox reads = planned.reads;
  if (isShuffled) {
    offsets = listOwnColumns(offsets);
    reads.join(OffsetBox::zero(op.getRank()));
  }
  auto axes = llvm::to_vector(llvm::seq<int64_t>(0, op.getRank()));
  bool together =
      group->isOwn() &&
      isInField(window.getTemp().getDefiningOp<LoadOp>(), axes, reads);
  (void)computeWhereNeeded(offsets, group->queues[window].elementType,
                           planned.needs, base, together, compute, loaded);
  for (auto [offset, value] : llvm::zip_equal(offsets, loaded))
    plane[offset] = value;
  if (isShuffled)
    shuffleColumns(window, base, plane, [&](const PointOffset &offset) {
      SmallVector<Value> one;
      (void)compute(offset, one);
      return one.front();
    });
}

/// Of every row of some offsets, the columns of the thread's points.
std::vector<PointOffset>
PipelineKernel::listOwnColumns(ArrayRef<PointOffset> offsets) const {
  std::set<PointOffset> own;
  for (PointOffset offset : offsets)
    for (int64_t column = 0; column < schedule.points.back(); ++column) {
      offset.back() = column;
      own.insert(offset);
    }
  return {own.begin(), own.end()};
}
