//===- PipelineStages.cpp - What an iteration of a walk computes ----------===//

#include "PipelineKernel.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace stencil;

namespace stencil {

/// Gives a stage the values of its inputs, at one of the thread's points.
class StageReader : public WindowReader {
public:
  StageReader(PipelineKernel &pipeline, ApplyOp stage, SharedReads &reads,
              CacheWindow &window, llvm::ArrayRef<int64_t> position)
      : WindowReader(window, pipeline.kernel, pipeline.errorWord,
                     pipeline.kernels, position),
        pipeline(pipeline), stage(stage), reads(reads), position(position) {}

  Value readSum(WeightedSumOp op) override {
    auto known = pipeline.group->values.find(op.getRes());
    if (known == pipeline.group->values.end())
      return {};
    return known->second[PointOffset(position.begin(), position.end())].value;
  }

  Value read(OpBuilder &builder, AccessOp op, ValueRange here) override {
    auto argument = cast<BlockArgument>(op.getTemp());
    Value value = stage.getArgs()[argument.getArgNumber()];
    Operation *def = value.getDefiningOp();
    if (isa<LoadOp>(def))
      return WindowReader::read(builder, op, here);
    PointOffset offset(position.begin(), position.end());
    auto window = dyn_cast<WindowOp>(def);
    if (!window)
      return pipeline.group->values[value][offset].value;
    for (auto [whole, part] :
         llvm::zip_equal(offset, op.getOffset().getValues()))
      whole += part;
    auto walk = pipeline.context.getWalk();
    int64_t plane = 0;
    if (walk) {
      plane = pipeline.plan.getLead(stage) + offset[*walk];
      offset[*walk] = 0;
    }
    const PlannedValue &planned = pipeline.plan.get(value);
    if (window.getSpace() == WindowSpace::Shared)
      return reads.get(builder, *pipeline.rings[window],
                       walk ? planned.newest - plane : 0, offset);
    return pipeline.readRegisters(window, walk ? planned.lead - plane : 0,
                                  offset);
  }

private:
  PipelineKernel &pipeline;
  ApplyOp stage;
  SharedReads &reads;
  llvm::ArrayRef<int64_t> position;
};

} // namespace stencil

/// Of several groups of windows, the last one is there when stores are.
void PipelineKernel::findFinals() {
  auto isInTime = [&](Operation &inner) {
    std::optional<unsigned> group = getGroup(&inner);
    return !group || *group + 1 == fetchGroups.size();
  };
  for (Operation &inner : llvm::reverse(*op.getBodyBlock()))
    if (isa<ApplyOp>(inner) && isInTime(inner) &&
        llvm::all_of(inner.getUsers(), [&](Operation *user) {
          return isa<StoreOp>(user) || finals.contains(user);
        }))
      finals.insert(&inner);
}

//===----------------------------------------------------------------------===//
// Stages
//===----------------------------------------------------------------------===//

bool PipelineKernel::readsMemory(ApplyOp stage) const {
  return llvm::any_of(stage.getArgs(), [](Value value) {
    return isa_and_nonnull<LoadOp>(value.getDefiningOp());
  });
}

LogicalResult PipelineKernel::emitStage(ApplyOp stage, PipelineStep &step,
                                        SharedReads &reads,
                                        ArrayRef<PointOffset> at) {
  Arithmetic math = kernel.math();
  BasePoint base = getBase(step, plan.getLead(stage));
  // What is read in memory has to be there, also where nobody needs the result.
  BasePoint source = isFinal(stage) ? base
                                    : getNeededBase(step, plan.getLead(stage),
                                                    plan.getNeeds(stage));
  RowAddresses addresses(kernel, source);
  SmallVector<KernelField> inputs;
  SmallVector<Value> arguments;
  for (auto [index, value] : llvm::enumerate(stage.getArgs())) {
    KernelField field = loads.lookup(value);
    if (field.layout && field.type.getRank() != op.getRank())
      setAxes(field, findAxes(stage, index));
    inputs.push_back(std::move(field));
    arguments.push_back(scalars.lookup(value));
  }
  CacheWindow window(kernel, op.getRank(), inputs, addresses, base.alignment);
  SmallVector<SmallVector<int64_t>> offsets;
  for (const PointOffset &point : at)
    offsets.emplace_back(point.begin(), point.end());
  window.fetch(stage, offsets);
  // Point by point: what one point has computed is used by the next ones, and
  // nothing has to wait in registers for all of them. But of a branch that all
  // points take alike there is one.
  JointPoints joint{offsets, base.alignment};
  bool isJoint =
      llvm::any_of(stage.getBodyBlock()->getOps<scf::IfOp>(),
                   [&](scf::IfOp branch) { return joint.takeAlike(branch); });
  size_t count = isJoint ? offsets.size() : 1;
  for (PointList rest = offsets; !rest.empty(); rest = rest.drop_front(count)) {
    PointList points = rest.take_front(count);
    std::vector<StageReader> readers;
    readers.reserve(count);
    SmallVector<BodyEmitter> emitters;
    SmallVector<SmallVector<Value>> positions;
    for (const SmallVector<int64_t> &point : points) {
      readers.emplace_back(*this, stage, reads, window, point);
      emitters.emplace_back(stage, arguments, readers.back(), /*lanes=*/1,
                            kernels.getOptions().math);
      SmallVector<Value> &position = positions.emplace_back();
      for (auto [coordinate, along] : llvm::zip_equal(base.coordinates, point))
        position.push_back(math.toIndex(math.add(coordinate, along)));
    }
    auto results = BodyEmitter::emitJointly(kernel.body(), emitters, positions,
                                            {points, base.alignment});
    if (failed(results))
      return failure();
    for (auto [point, lanes] : llvm::zip_equal(points, *results)) {
      PointOffset key(point.begin(), point.end());
      for (auto [result, lane] : llvm::zip_equal(stage.getRes(), lanes))
        group->values[result][key] = lane;
    }
  }
  return success();
}

//===----------------------------------------------------------------------===//
// An iteration
//===----------------------------------------------------------------------===//

/// The value of a store's plane at a point.
LaneValue PipelineKernel::getStored(StoreOp store, SharedReads &reads,
                                    const PointOffset &point) {
  auto window = store.getTemp().getDefiningOp<WindowOp>();
  if (!window)
    return group->values[store.getTemp()][point];
  const PlannedValue &planned = plan.get(window.getRes());
  if (window.getSpace() == WindowSpace::Shared)
    return {reads.get(kernel.body(), *rings[window], planned.newest, point),
            {}};
  return {readRegisters(window, planned.lead, point), {}};
}

LogicalResult PipelineKernel::emitFinalPoints(PipelineStep &step,
                                              ArrayRef<PointOffset> at,
                                              SharedReads reads) {
  BasePoint base = getBase(step, 0);
  RowAddresses addresses(kernel, base);
  OpBuilder &builder = kernel.body();
  Block *block = builder.getInsertionBlock();
  Block::iterator end = builder.getInsertionPoint();
  bool isFirst = end == block->begin();
  Block::iterator before = isFirst ? end : std::prev(end);
  // Row by row, each of which is stored before the next one is computed.
  while (!at.empty()) {
    ArrayRef<PointOffset> row = at.take_while([&](const PointOffset &point) {
      return std::equal(point.begin(), point.end() - 1, at.front().begin());
    });
    at = at.drop_front(row.size());
    for (ApplyOp stage : op.getBodyBlock()->getOps<ApplyOp>())
      if (isFinal(stage) && failed(emitStage(stage, step, reads, row)))
        return failure();
    for (StoreOp store : op.getBodyBlock()->getOps<StoreOp>()) {
      if (isCooperative(store))
        continue;
      PointValues stored;
      for (const PointOffset &point : row)
        stored[point] = getStored(store, reads, point);
      storePoints(kernel, addresses, stores[store.getField()], base.alignment,
                  stored);
    }
  }
  // Or, if that takes too many registers, all at once.
  orderByArrival(
      isFirst ? block->begin() : std::next(before), end,
      [&](Operation *load) { return reads.getPlace(load); },
      kernels.getOptions().target.registersPerThread);
  return success();
}

/// The stages that only stores follow, and these, for the points that lie in
/// the box.
LogicalResult PipelineKernel::emitFinalStages(PipelineStep &step,
                                              const SharedReads &reads) {
  OpBuilder &builder = kernel.body();
  Location loc = op.getLoc();
  Arithmetic math = kernel.math();
  OpBuilder::InsertionGuard guard(builder);
  for (ApplyOp stage : op.getBodyBlock()->getOps<ApplyOp>())
    if (isFinal(stage) && failed(emitSumLoops(stage, step)))
      return failure();
  for (StoreOp store : op.getBodyBlock()->getOps<StoreOp>())
    if (isCooperative(store))
      emitCooperativeStore(store, step);
  if (llvm::all_of(op.getBodyBlock()->getOps<StoreOp>(),
                   [&](StoreOp store) { return isCooperative(store); }))
    return success();
  if (!isInside)
    return emitFinalPoints(step, points, reads);
  bool isSplit = points.size() > 1;
  // Rows share what they read. What one row reads is not kept: registers are
  // short there, where regions share a launch.
  bool isRow = llvm::all_of(points, [&](const PointOffset &point) {
    return std::equal(point.begin(), point.end() - 1, points.front().begin());
  });
  auto branch = scf::IfOp::create(builder, loc, isInside, isSplit);
  {
    OpBuilder::InsertionGuard inner(builder);
    builder.setInsertionPoint(branch.thenBlock()->getTerminator());
    if (failed(emitFinalPoints(step, points,
                               isRow ? reads : reads.in(branch.thenBlock()))))
      return failure();
  }
  if (!isSplit)
    return success();
  builder.setInsertionPoint(branch.elseBlock()->getTerminator());
  for (const PointOffset &point : points) {
    OpBuilder::InsertionGuard inner(builder);
    BasePoint base = getBase(step, 0);
    for (auto [coordinate, along] : llvm::zip_equal(base.coordinates, point))
      coordinate = math.add(coordinate, along);
    SmallVector<int64_t> one(op.getRank(), 1);
    auto inBox =
        scf::IfOp::create(builder, loc, grid.isInside(kernel, base, one));
    builder.setInsertionPoint(inBox.thenBlock()->getTerminator());
    if (failed(emitFinalPoints(step, point, reads)))
      return failure();
  }
  return success();
}

LogicalResult PipelineKernel::emitWork(ArrayRef<Operation *> work,
                                       const PointOffset &point,
                                       PipelineStep &step, SharedReads &reads) {
  for (Operation *inner : work) {
    if (auto window = dyn_cast<WindowOp>(inner)) {
      if (window.getSpace() != WindowSpace::Shared)
        group->queues[window].planes.front()[point] =
            group->values[window.getTemp()][point].value;
    } else if (auto sum = dyn_cast<AccumulateOp>(inner)) {
      pushSums(sum, point);
    } else if (failed(emitStage(cast<ApplyOp>(inner), step, reads, point))) {
      return failure();
    }
  }
  return success();
}

/// What is computed between two barriers, at the thread's own points.
LogicalResult PipelineKernel::emitPhase(const StagePhase &phase,
                                        PipelineStep &step,
                                        SharedReads &reads) {
  for (Operation *copy : phase.copies)
    pushCopy(cast<WindowOp>(copy), step, reads);
  // Point by point, but for what is read in memory: in vectors.
  auto isAlone = [&](Operation *inner) {
    auto stage = dyn_cast<ApplyOp>(inner);
    return stage && (isGuarded(stage) || mayBeEarly(stage, step));
  };
  for (Operation *inner : phase.work)
    if (auto stage = dyn_cast<ApplyOp>(inner);
        stage && failed(emitSumLoops(stage, step)))
      return failure();
  ArrayRef<Operation *> rest = phase.work;
  while (!rest.empty()) {
    if (isAlone(rest.front())) {
      auto stage = cast<ApplyOp>(rest.front());
      if (failed(emitGuardedStage(stage, step, reads, isDue(stage, step))))
        return failure();
      rest = rest.drop_front();
      continue;
    }
    auto part = rest.take_until(isAlone);
    rest = rest.drop_front(part.size());
    for (const PointOffset &point : points)
      if (failed(emitWork(part, point, step, reads)))
        return failure();
    for (Operation *inner : part)
      if (auto window = dyn_cast<WindowOp>(inner);
          window && window.getSpace() == WindowSpace::Shared)
        storePlane(window, step);
  }
  return success();
}

LogicalResult PipelineKernel::emitStages(PipelineStep &step) {
  for (auto &known : groups)
    known->values.clear();
  SharedReads reads(context, step, kernel.body().getInsertionBlock());
  unsigned group = 0;
  for (auto [number, phase] : llvm::enumerate(phases)) {
    if (phase.group != group)
      fetchGroup(phase.group, step);
    else if (number > 0)
      gpu::BarrierOp::create(kernel.body(), op.getLoc());
    group = phase.group;
    openQueues(phase);
    if (failed(emitPhase(phase, step, reads)))
      return failure();
    for (auto &chain : chains)
      if (failed(emitHalo(*chain, phase, step)))
        return failure();
  }
  if (group + 1 < fetchGroups.size())
    fetchGroup(fetchGroups.size() - 1, step);
  else if (finalsWait && step.stores)
    gpu::BarrierOp::create(kernel.body(), op.getLoc());
  if (step.stores && failed(emitFinalStages(step, reads)))
    return failure();
  // The oldest planes are not needed any more.
  for (auto &known : groups)
    for (auto &[window, queue] : known->queues)
      if (isa<WindowOp>(window))
        queue.planes.pop_back();
  return success();
}
