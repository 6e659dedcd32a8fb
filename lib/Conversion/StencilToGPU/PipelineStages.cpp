//===- PipelineStages.cpp - What an iteration of a walk computes ----------===//

#include "PipelineKernel.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

#include <set>

using namespace mlir;
using namespace stencil;

namespace stencil {

/// Gives a stage the values of its inputs, at one of the thread's points.
class StageReader : public WindowReader {
public:
  StageReader(PipelineKernel &pipeline, ApplyOp stage, SharedReads &reads,
              CacheWindow &window, llvm::ArrayRef<int64_t> position)
      : WindowReader(window, pipeline.kernel, pipeline.errorWord, pipeline.host,
                     position),
        pipeline(pipeline), stage(stage), reads(reads), position(position) {}

  Value read(OpBuilder &builder, AccessOp op, ValueRange here) override {
    auto argument = cast<BlockArgument>(op.getTemp());
    Value value = stage.getArgs()[argument.getArgNumber()];
    Operation *def = value.getDefiningOp();
    if (isa<LoadOp>(def))
      return WindowReader::read(builder, op, here);
    PointOffset offset(position.begin(), position.end());
    auto window = dyn_cast<WindowOp>(def);
    if (!window)
      return pipeline.values[value][offset].value;
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

Value PipelineKernel::readRegisters(WindowOp window, int64_t age,
                                    const PointOffset &offset) const {
  return queues.find(window)->second.planes[age].at(offset);
}

/// The offsets from the base point, in a plane, at which stages read a window.
std::vector<PointOffset> PipelineKernel::listReads(WindowOp window) const {
  std::set<PointOffset> offsets;
  auto add = [&](ArrayRef<int64_t> step) {
    for (PointOffset point : points) {
      for (auto [axis, along] : llvm::enumerate(step))
        if (context.getWalk() != static_cast<int64_t>(axis))
          point[axis] += along;
      offsets.insert(point);
    }
  };
  SmallVector<int64_t> here(schedule.block.size(), 0);
  for (OpOperand &use : window.getRes().getUses()) {
    auto stage = dyn_cast<ApplyOp>(use.getOwner());
    if (!stage) {
      add(here);
      continue;
    }
    BlockArgument argument =
        stage.getBodyBlock()->getArgument(use.getOperandNumber());
    for (Operation *user : argument.getUsers())
      if (auto access = dyn_cast<AccessOp>(user))
        add(access.getOffset().getValues());
  }
  return {offsets.begin(), offsets.end()};
}

void PipelineKernel::findFinals() {
  for (Operation &inner : llvm::reverse(*op.getBodyBlock()))
    if (isa<ApplyOp>(inner) &&
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
  // nothing has to wait in registers for all of them.
  for (const SmallVector<int64_t> &point : offsets) {
    StageReader reader(*this, stage, reads, window, point);
    BodyEmitter emitter(stage, arguments, reader, /*lanes=*/1,
                        host.getOptions().math);
    SmallVector<Value> position;
    for (auto [coordinate, along] : llvm::zip_equal(base.coordinates, point))
      position.push_back(math.toIndex(math.add(coordinate, along)));
    auto results = BodyEmitter::emitJointly(kernel.body(), emitter, position);
    if (failed(results))
      return failure();
    PointOffset key(point.begin(), point.end());
    for (auto [result, lane] :
         llvm::zip_equal(stage.getRes(), results->front()))
      values[result][key] = lane;
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Registers
//===----------------------------------------------------------------------===//

/// Gives a window of a load or of another window its newest plane.
void PipelineKernel::pushCopy(WindowOp window, PipelineStep &step,
                              SharedReads &reads) {
  RegisterQueue &queue = queues[window];
  std::map<PointOffset, Value> newest;
  auto source = window.getTemp().getDefiningOp<WindowOp>();
  if (!source) {
    loadPlane(window, step, newest);
    queue.planes.insert(queue.planes.begin(), std::move(newest));
    return;
  }
  const PlannedValue &from = plan.get(source.getRes());
  bool isShared = source.getSpace() == WindowSpace::Shared;
  int64_t age = context.getWalk() ? (isShared ? from.newest : from.lead) -
                                        plan.get(window.getRes()).lead
                                  : 0;
  for (const PointOffset &offset : queue.offsets)
    newest[offset] = isShared
                         ? reads.get(kernel.body(), *rings[source], age, offset)
                         : readRegisters(source, age, offset);
  queue.planes.insert(queue.planes.begin(), std::move(newest));
}

static Value addTerm(OpBuilder &builder, Location loc, Value sum, Value term,
                     MathMode mode) {
  if (isa<IntegerType>(sum.getType()))
    return arith::AddIOp::create(builder, loc, sum, term);
  auto flags = mode == MathMode::Strict ? arith::FastMathFlags::none
                                        : arith::FastMathFlags::contract;
  return arith::AddFOp::create(builder, loc, sum, term, flags);
}

/// Adds the terms of the newest plane: the sum that they begin, those that they
/// go on with, and the one that they complete.
void PipelineKernel::pushSums(AccumulateOp sum, const PointOffset &point) {
  RegisterQueue &queue = queues[sum];
  ArrayRef<int64_t> planes = sum.getPlanes();
  std::map<int64_t, Value> terms;
  for (auto [term, plane] : llvm::zip_equal(sum.getTerms(), planes))
    terms[plane] = term;
  Value before;
  for (int64_t plane = planes.front(); plane <= planes.back(); ++plane) {
    Value partial = before;
    if (Value term = terms[plane]) {
      Value value = values[term][point].value;
      partial = partial ? addTerm(kernel.body(), sum.getLoc(), partial, value,
                                  host.getOptions().math)
                        : value;
    }
    if (plane == planes.back()) {
      values[sum.getRes()][point] = {partial, {}};
      return;
    }
    // In its place is the sum that goes on with the next plane's term.
    Value &kept = queue.planes[plane - planes.front()][point];
    before = std::exchange(kept, partial);
  }
}

//===----------------------------------------------------------------------===//
// An iteration
//===----------------------------------------------------------------------===//

LogicalResult PipelineKernel::emitFinalPoints(PipelineStep &step,
                                              ArrayRef<PointOffset> at,
                                              SharedReads reads) {
  BasePoint base = getBase(step, 0);
  RowAddresses addresses(kernel, base);
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
      PointValues stored;
      auto window = store.getTemp().getDefiningOp<WindowOp>();
      int64_t age = window ? plan.get(window).lead : 0;
      for (const PointOffset &point : row)
        stored[point] = window
                            ? LaneValue{readRegisters(window, age, point), {}}
                            : values[store.getTemp()][point];
      storePoints(kernel, addresses, stores[store.getField()], base.alignment,
                  stored);
    }
  }
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
  if (!isInside)
    return emitFinalPoints(step, points, reads);
  bool isSplit = points.size() > 1;
  auto branch = scf::IfOp::create(builder, loc, isInside, isSplit);
  {
    OpBuilder::InsertionGuard inner(builder);
    builder.setInsertionPoint(branch.thenBlock()->getTerminator());
    if (failed(emitFinalPoints(step, points, reads)))
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
    if (auto window = dyn_cast<WindowOp>(inner))
      queues[window].planes.front()[point] =
          values[window.getTemp()][point].value;
    else if (auto sum = dyn_cast<AccumulateOp>(inner))
      pushSums(sum, point);
    else if (failed(emitStage(cast<ApplyOp>(inner), step, reads, point)))
      return failure();
  }
  return success();
}

LogicalResult PipelineKernel::emitStages(PipelineStep &step) {
  values.clear();
  SharedReads reads(context, step, kernel.body().getInsertionBlock());
  SmallVector<Operation *> work;
  for (Operation &inner : *op.getBodyBlock()) {
    if (inner.use_empty() || isFinal(&inner) || isa<LoadOp>(inner))
      continue;
    auto window = dyn_cast<WindowOp>(inner);
    if (window && window.getSpace() == WindowSpace::Shared)
      continue;
    if (window &&
        isa_and_nonnull<WindowOp, LoadOp>(window.getTemp().getDefiningOp())) {
      pushCopy(window, step, reads);
      continue;
    }
    if (window)
      queues[window].planes.insert(queues[window].planes.begin(), {{}});
    work.push_back(&inner);
  }
  // Point by point, but for what is read in memory: in vectors.
  ArrayRef<Operation *> rest = work;
  while (!rest.empty()) {
    auto stage = dyn_cast<ApplyOp>(rest.front());
    if (stage && readsMemory(stage)) {
      if (failed(emitReadingStage(stage, step, reads)))
        return failure();
      rest = rest.drop_front();
      continue;
    }
    auto group = rest.take_until([&](Operation *inner) {
      auto stage = dyn_cast<ApplyOp>(inner);
      return stage && readsMemory(stage);
    });
    rest = rest.drop_front(group.size());
    for (const PointOffset &point : points)
      if (failed(emitWork(group, point, step, reads)))
        return failure();
  }
  if (step.stores && failed(emitFinalStages(step, reads)))
    return failure();
  // The oldest planes are not needed any more.
  for (auto &[window, queue] : queues)
    if (isa<WindowOp>(window))
      queue.planes.pop_back();
  return success();
}
