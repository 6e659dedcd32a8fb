//===- PipelineToKernel.cpp - Pipelines to kernels ------------------------===//
//
//   stencil.pipeline axis 0 { windows, stages, stores }
//     ==> block: a tile of the box and a segment of the walk
//           for the planes of the segment, unrolled until every register
//           window is in place again:
//             wait for what has been fetched, and for each other
//             fetch a later plane in the place of one that is done with
//             the stages, in order; registers rotate as values
//             store, if the plane is one of the segment
//
// The iterations before the first plane that is stored, and those that the
// unrolled loop leaves, have loops of their own.
//
//===----------------------------------------------------------------------===//

#include "PipelineKernel.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace stencil;

/// Fields and thread positions as numbers of 32 bits, where they fit.
static Type chooseType(PipelineOp op, const GPUSchedule &schedule) {
  SmallVector<GridType> fields;
  int64_t reach = 0;
  for (LoadOp load : op.getBodyBlock()->getOps<LoadOp>())
    fields.push_back(cast<GridType>(load.getField().getType()));
  for (StoreOp store : op.getBodyBlock()->getOps<StoreOp>())
    fields.push_back(cast<GridType>(store.getField().getType()));
  BoundsAttr domain = op.getDomain();
  for (int64_t axis = 0; axis < domain.getRank(); ++axis)
    reach =
        std::max(reach, std::abs(domain.getUb()[axis]) +
                            2 * schedule.block[axis] * schedule.points[axis]);
  return chooseIndexType(op.getContext(), fields, reach);
}

PipelineKernel::PipelineKernel(PipelineOp op, PipelinePlan plan,
                               KernelSet &kernels, GPUSchedule given)
    : op(op), plan(std::move(plan)), kernels(kernels),
      schedule(std::move(given)),
      kernel(kernels, op, "pipeline", ::chooseType(op, schedule),
             schedule.getThreads(), schedule.launchBounds),
      grid(kernels, op.getDomain(), schedule, schedule.points,
           getRowAlignment(op, schedule)),
      context{op,       this->plan, kernels, kernel,
              schedule, {},         {},      {},
              {},       {},         {},      grid.getTileAlignment(),
              {}} {
  for (SmallVector<int64_t> &point : listOffsets(
           schedule.points, SmallVector<int64_t>(schedule.points.size(), 1)))
    points.emplace_back(point.begin(), point.end());
  groups.push_back(std::make_unique<PointGroup>());
  group = groups.front().get();
  group->points = points;
  findGroups();
  findFinals();
}

//===----------------------------------------------------------------------===//
// Arguments
//===----------------------------------------------------------------------===//

/// Says which axes of the pipeline a field has.
void PipelineKernel::setAxes(KernelField &field, ArrayRef<int64_t> axes) {
  auto getBound = [&](int64_t bound, int64_t axis) {
    return kernel.getBound(bound, axis);
  };
  field.axes.assign(axes.begin(), axes.end());
  field.layout.emplace(kernel.math(), field.type, kernels.getRows(), getBound,
                       field.axes);
}

void PipelineKernel::addFields() {
  FieldAliasAnalysis &aliases = kernels.getAliases();
  SmallVector<Value> fields, written;
  for (LoadOp load : op.getBodyBlock()->getOps<LoadOp>())
    fields.push_back(load.getField());
  for (StoreOp store : op.getBodyBlock()->getOps<StoreOp>())
    written.push_back(store.getField());
  llvm::append_range(fields, written);
  auto make = [&](Value field, bool isRead) {
    KernelBuilder::BufferAttrs attributes;
    attributes.isolated = llvm::none_of(fields, [&](Value other) {
      return other != field && aliases.mayAlias(other, field);
    });
    attributes.readOnly = isRead && !llvm::is_contained(written, field);
    KernelField result;
    result.type = cast<GridType>(field.getType());
    result.buffer = kernel.addField(
        field, isRead ? KernelAccess::Read : KernelAccess::Write, attributes);
    // Of those of lower rank, the stages that read them say it.
    setAxes(result, llvm::to_vector(llvm::seq<int64_t>(result.type.getRank())));
    return result;
  };
  for (LoadOp load : op.getBodyBlock()->getOps<LoadOp>())
    loads[load.getRes()] = make(load.getField(), /*isRead=*/true);
  for (Value field : written)
    stores[field] = make(field, /*isRead=*/false);
  for (ApplyOp stage : op.getBodyBlock()->getOps<ApplyOp>()) {
    for (Value value : stage.getArgs())
      if (!isa<GridType>(value.getType()))
        scalars[value] = kernel.addScalar(value);
    stage.getRegion().walk([&](Operation *inner) {
      if (!errorWord && mayFailAtRunTime(inner))
        errorWord =
            kernel.addMemory(kernels.getErrorWord(), KernelAccess::Write, {});
    });
  }
}

/// Where the block's tile and segment, and the thread in them, are.
void PipelineKernel::findTile() {
  Arithmetic math = kernel.math();
  int64_t rank = op.getRank();
  Value total;
  SmallVector<Value> counts = grid.countBlocks(kernel, total);
  SmallVector<Value> block = grid.findBlock(kernel, counts);
  blocks = total;
  context.threadNumber = math.constant(0);
  for (int64_t axis = 0; axis < rank; ++axis) {
    context.tileStart.push_back(grid.getTileStart(kernel, axis, block[axis]));
    int64_t dimension = rank - 1 - axis;
    Value thread =
        dimension < 3 ? kernel.getThread(static_cast<gpu::Dimension>(dimension))
                      : math.constant(0);
    context.threads.push_back(thread);
    context.threadNumber =
        math.add(math.mul(context.threadNumber, schedule.block[axis]), thread);
  }
  isInside = grid.isInside(kernel, getBase(PipelineStep(), 0), schedule.points);
  auto walk = context.getWalk();
  if (!walk)
    return;
  context.segmentStart = context.tileStart[*walk];
  Value end = math.add(context.segmentStart, grid.getSegmentLength(kernel));
  Value limit = kernel.getBound(op.getDomain().getUb()[*walk], *walk);
  context.segmentEnd = math.select(math.less(end, limit), end, limit);
  context.firstPlane = math.add(context.segmentStart, -plan.getLookback());
  // The last segments may have nothing left.
  Value count = math.sub(context.segmentEnd, context.firstPlane);
  Value hasPlanes = math.less(context.segmentStart, context.segmentEnd);
  // Nor have the blocks of a panel that is not full.
  for (int64_t axis = 0; axis < rank; ++axis)
    if (axis != *walk && schedule.panel[axis])
      hasPlanes = math.both(
          hasPlanes,
          math.less(context.tileStart[axis],
                    kernel.getBound(op.getDomain().getUb()[axis], axis)));
  count = math.select(hasPlanes, count, math.constant(0));
  context.iterations = count;
}

BasePoint PipelineKernel::getBase(const PipelineStep &step,
                                  int64_t lead) const {
  Arithmetic math = context.kernel.math();
  BasePoint base;
  base.alignment = group->isOwn() ? grid.getAlignment() : 1;
  for (auto [axis, start] : llvm::enumerate(context.tileStart)) {
    if (context.getWalk() == static_cast<int64_t>(axis)) {
      base.coordinates.push_back(step.plane ? math.add(step.plane, lead)
                                            : start);
      continue;
    }
    Value along = group->isOwn()
                      ? math.mul(context.threads[axis], schedule.points[axis])
                      : group->position[axis];
    base.coordinates.push_back(math.add(start, along));
  }
  return base;
}

//===----------------------------------------------------------------------===//
// The walk
//===----------------------------------------------------------------------===//

void PipelineKernel::appendState(SmallVectorImpl<Value> &state) const {
  for (int64_t depth : depths) {
    state.push_back(slots.lookup(depth));
    state.push_back(parities.lookup(depth));
  }
  for (const auto &group : groups)
    for (const auto &[window, queue] : group->queues)
      for (const auto &plane : queue.planes)
        for (const PointOffset &offset : queue.offsets)
          state.push_back(plane.at(offset));
  for (const FetchGroup &group : fetchGroups) {
    for (const auto &fetch : group.fetches)
      fetch->appendState(state);
    if (context.isAtEdge)
      for (const PatchedRing &patched : group.patches)
        patched.patch->appendState(state);
  }
}

void PipelineKernel::restoreState(ValueRange state) {
  auto take = [&] {
    Value value = state.front();
    state = state.drop_front();
    return value;
  };
  for (int64_t depth : depths) {
    slots[depth] = take();
    parities[depth] = take();
  }
  for (auto &group : groups)
    for (auto &[window, queue] : group->queues)
      for (auto &plane : queue.planes)
        for (const PointOffset &offset : queue.offsets)
          plane[offset] = take();
  for (FetchGroup &group : fetchGroups) {
    for (auto &fetch : group.fetches)
      fetch->restoreState(state);
    if (context.isAtEdge)
      for (PatchedRing &patched : group.patches)
        patched.patch->restoreState(state);
  }
}

/// Lets the threads of a block meet where one reads what another one, or the
/// copy engine, has written.
void PipelineKernel::synchronise(const PipelineStep &step) {
  if (rings.empty())
    return;
  if (needsEarlyBarrier)
    gpu::BarrierOp::create(kernel.body(), op.getLoc());
  FetchGroup &first = fetchGroups.front();
  for (auto &fetch : first.fetches)
    fetch->arrive(step);
  patchPlanes(first, step);
  gpu::BarrierOp::create(kernel.body(), op.getLoc());
  for (auto &fetch : first.fetches)
    fetch->proceed(step);
  if (context.isAtEdge && step.number)
    loadPatches(first, kernel.math().add(step.number, 1));
}

LogicalResult PipelineKernel::emitIteration(PipelineStep &step) {
  step.slots = slots;
  step.parities = parities;
  synchronise(step);
  if (failed(emitStages(step)))
    return failure();
  Arithmetic math = kernel.math();
  OpBuilder &builder = kernel.body();
  for (int64_t depth : depths) {
    Value next = math.add(slots[depth], 1);
    Value wraps =
        math.compare(arith::CmpIPredicate::eq, next, math.constant(depth));
    slots[depth] = math.select(wraps, math.constant(0), next);
    parities[depth] =
        arith::XOrIOp::create(builder, op.getLoc(), parities[depth], wraps);
  }
  return success();
}

LogicalResult PipelineKernel::emitWalk() {
  OpBuilder &builder = kernel.body();
  Location loc = op.getLoc();
  Arithmetic math = kernel.math();
  PipelineStep step;
  if (!context.getWalk()) {
    synchronise(step);
    return emitStages(step);
  }
  for (int64_t depth : depths) {
    slots[depth] = math.constant(0);
    parities[depth] = arith::ConstantIntOp::create(builder, loc, 0, 1);
  }
  // A loop of their own for what comes before the first plane that is stored,
  // and for what the unrolled loop leaves: a test around the stores would let
  // the compiler move the sums into it, and hold all of their terms until then.
  int64_t unrolled = countUnrolled();
  Value first = math.constant(plan.getLookback());
  Value last = context.iterations;
  Value whole =
      math.sub(last, math.rem(math.sub(last, first), math.constant(unrolled)));
  Value isEmpty =
      math.compare(arith::CmpIPredicate::eq, last, math.constant(0));
  first = math.select(isEmpty, last, first);
  whole = unrolled == 1 ? last : math.select(isEmpty, last, whole);
  if (plan.getLookback() > 0 &&
      failed(emitLoop(math.constant(0), first, 1, /*stores=*/false)))
    return failure();
  if (failed(emitLoop(first, whole, unrolled, /*stores=*/true)))
    return failure();
  return unrolled == 1 ? success() : emitLoop(whole, last, 1, /*stores=*/true);
}

/// The walk of all blocks, or two: one of blocks at the edge, which apply
/// boundary conditions, and one of the others, which have no test of them.
LogicalResult PipelineKernel::emitWalks() {
  OpBuilder &builder = kernel.body();
  auto emitOne = [&]() -> LogicalResult {
    for (auto &known : groups)
      known->queues.clear();
    addQueues();
    for (auto &fetch : fetchGroups.front().fetches)
      fetch->start();
    return emitWalk();
  };
  Value edge = findEdge();
  if (!edge)
    return emitOne();
  auto branch =
      scf::IfOp::create(builder, op.getLoc(), edge, /*withElseRegion=*/true);
  for (Block *block : {branch.thenBlock(), branch.elseBlock()}) {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPoint(block->getTerminator());
    context.isAtEdge = block == branch.thenBlock();
    if (context.isAtEdge) {
      for (FetchGroup &group : fetchGroups)
        for (PatchedRing &patched : group.patches)
          patched.patch->prepare();
      loadPatches(fetchGroups.front(),
                  context.getWalk() ? kernel.math().constant(0) : Value());
    }
    if (failed(emitOne()))
      return failure();
  }
  return success();
}

/// Iterations from `begin` to `end`, so many at a time.
LogicalResult PipelineKernel::emitLoop(Value begin, Value end, int64_t unrolled,
                                       bool stores) {
  OpBuilder &builder = kernel.body();
  Location loc = op.getLoc();
  Arithmetic math = kernel.math();
  SmallVector<Value> state;
  appendState(state);
  auto loop = scf::ForOp::create(builder, loc, begin, end,
                                 math.constant(unrolled), state);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(loop.getBody());
  restoreState(loop.getRegionIterArgs());
  for (int64_t i = 0; i < unrolled; ++i) {
    PipelineStep step;
    step.stores = stores;
    step.number = math.add(loop.getInductionVar(), i);
    step.plane = math.add(context.firstPlane, step.number);
    if (failed(emitIteration(step)))
      return failure();
  }
  state.clear();
  appendState(state);
  if (!state.empty())
    scf::YieldOp::create(builder, loc, state);
  restoreState(loop.getResults());
  return success();
}

LogicalResult PipelineKernel::emit() {
  if (failed(checkStages()))
    return failure();
  addFields();
  if (schedule.keepsLines && failed(kernel.keepLines(op)))
    return failure();
  findTile();
  if (failed(addWindows()))
    return failure();
  findPhases();
  findChains();
  for (FetchGroup &group : fetchGroups)
    for (auto &fetch : group.fetches)
      if (failed(fetch->prepare()))
        return failure();
  if (failed(emitWalks()))
    return failure();
  kernel.launch(blocks);
  return success();
}

LogicalResult stencil::lowerPipeline(PipelineOp op, KernelSet &kernels) {
  auto plan = PipelinePlan::create(op);
  if (failed(plan))
    return failure();
  auto schedule = choosePipelineSchedule(op, kernels.getOptions().target);
  if (failed(schedule))
    return failure();
  return PipelineKernel(op, std::move(*plan), kernels, std::move(*schedule))
      .emit();
}
