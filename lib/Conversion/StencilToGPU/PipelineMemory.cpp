//===- PipelineMemory.cpp - What walks read in memory, ahead of stores ----===//
//
// A stage that others follow, and a register window of a load, read memory in
// every iteration and for every thread, also where nobody needs the values: of
// a plane that is not needed, the nearest one is read instead; where not all
// points of a thread lie in the box, each has a test, and zero if it fails.
//
//===----------------------------------------------------------------------===//

#include "PipelineKernel.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

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

/// Computes values at offsets from the base point: all at once for a thread
/// whose points lie in the box, else one by one where they are needed.
/// `compute` appends, offset by offset, values of these types.
LogicalResult PipelineKernel::computeWhereNeeded(
    ArrayRef<PointOffset> offsets, TypeRange types, const OffsetBox &needs,
    const BasePoint &base,
    llvm::function_ref<LogicalResult(ArrayRef<PointOffset>,
                                     SmallVectorImpl<Value> &)>
        compute,
    SmallVectorImpl<Value> &results) {
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
  for (const PointOffset &offset : offsets) {
    auto one =
        scf::IfOp::create(builder, loc, types, isNeeded(base, offset, needs),
                          /*withElseRegion=*/true);
    OpBuilder::InsertionGuard inner(builder);
    SmallVector<Value> values;
    builder.setInsertionPointToStart(one.thenBlock());
    if (failed(compute(offset, values)))
      return failure();
    scf::YieldOp::create(builder, loc, values);
    builder.setInsertionPointToStart(one.elseBlock());
    values.clear();
    for (Type type : types)
      values.push_back(
          arith::ConstantOp::create(builder, loc, builder.getZeroAttr(type)));
    scf::YieldOp::create(builder, loc, values);
    computed.append(one.result_begin(), one.result_end());
  }
  scf::YieldOp::create(builder, loc, computed);
  results.append(branch.result_begin(), branch.result_end());
  return success();
}

/// A stage that others follow and that reads memory itself.
LogicalResult PipelineKernel::emitReadingStage(ApplyOp stage,
                                               PipelineStep &step,
                                               SharedReads &reads) {
  SmallVector<Type> types;
  for (unsigned i = 0; i < stage.getNumOutputs(); ++i)
    types.push_back(stage.getOutputElementType(i));
  auto compute = [&](ArrayRef<PointOffset> at, SmallVectorImpl<Value> &out) {
    // In a branch, what shared windows are read for is known there only.
    SharedReads own = reads;
    if (failed(emitStage(stage, step, own, at)))
      return failure();
    for (const PointOffset &point : at)
      for (Value result : stage.getRes())
        out.push_back(values[result][point].value);
    return success();
  };
  SmallVector<Value> computed;
  BasePoint base = getBase(step, plan.getLead(stage));
  if (failed(computeWhereNeeded(points, types, plan.getNeeds(stage), base,
                                compute, computed)))
    return failure();
  size_t next = 0;
  for (const PointOffset &point : points)
    for (Value result : stage.getRes())
      values[result][point] = {computed[next++], {}};
  return success();
}

/// The newest plane of a register window of a load.
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
  const std::vector<PointOffset> &offsets = queues[window].offsets;
  (void)computeWhereNeeded(offsets, queues[window].elementType, planned.needs,
                           base, compute, loaded);
  for (auto [offset, value] : llvm::zip_equal(offsets, loaded))
    plane[offset] = value;
}
