//===- StagedLoop.cpp - T steps of several states as stages ---------------===//
//
// Builds what StagedSteps.cpp has planned:
//
//   m = (number of steps - tail) / T
//   for m times: {
//     the halos of the states
//     stencil.pipeline {
//       loads of the states
//       the applies of step 1; windows, around the interior the boundary
//       ...
//       the applies of step T; copies of what others read, too
//       stores to the fields of the states after T steps, or to other ones
//     }
//   }
//   the loop as it was, for the remaining steps
//
// A wave reads u(n) and u(n-1), and makes u(n+T) and u(n+T-1). Its two fields
// are still read where neighbouring tiles are computed. So there are two other
// fields, and iterations go there and back.
//
//===----------------------------------------------------------------------===//

#include "BlockTimeOnCPU.h"
#include "Fusion/ApplyFusion.h"
#include "StagedSteps.h"
#include "StencilDialect/IR/DiscardableAttrs.h"
#include "StencilDialect/IR/Schedule.h"
#include "StepBodies.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace stencil;

namespace {
class StagedLoop {
public:
  StagedLoop(const StagedSteps &plan, ScheduleAttr schedule)
      : plan(plan), schedule(schedule), loop(plan.time.loop),
        builder(loop.getLoc(), loop) {
    if (plan.inPipeline)
      axis = schedule.getStream();
  }
  void build();

private:
  Value makeOther(unsigned position, ValueRange carried);
  void copyScalars(Value iteration);
  void copyScalarsOf(unsigned step, IRMapping &mapping);
  void buildIteration();
  void buildPipeline();
  void buildApply();
  Value load(Value field);
  Value getInput(const Stage &stage, unsigned number);
  ApplyOp addStage(const Stage &stage);
  Value keepInWindow(const StagedValue &value, Value made);
  Value copyHere(Value value);
  void storeLast();
  Value getTarget(unsigned position) const;
  SmallVector<Value> getYielded() const;

  const StagedSteps &plan;
  ScheduleAttr schedule;
  std::optional<int64_t> axis;
  scf::ForOp loop;
  ImplicitLocOpBuilder builder;
  /// By position: the fields that an iteration reads, and those that stand in
  /// for them; null: none does.
  SmallVector<Value> fields, others;
  /// By position: the fields of the rim, if there is one.
  SmallVector<Value> rim;
  llvm::DenseMap<Value, Value> loads;
  /// By number, what stages read.
  SmallVector<Value> values;
  /// By step.
  SmallVector<IRMapping> scalars;
};
} // namespace

//===----------------------------------------------------------------------===//
// Fields
//===----------------------------------------------------------------------===//

/// A field that stands in for the one at a position after T steps, with its
/// halo.
Value StagedLoop::makeOther(unsigned position, ValueRange carried) {
  Value field = makeFieldBefore(loop, builder, carried[position].getType());
  // Tiles of a GPU compute what nobody stores, of what nobody has stored.
  if (!plan.inPipeline)
    fillZeros(builder, field);
  if (plan.keepsHalos())
    copyHalo(plan, builder, field, carried[plan.origins[position]]);
  return field;
}

/// Where the state at a position after T steps is stored.
Value StagedLoop::getTarget(unsigned position) const {
  return plan.writesApart ? fields[plan.origins[position]] : others[position];
}

/// Fields are in the places that they have after T steps, or change places
/// with those that stand in for them.
SmallVector<Value> StagedLoop::getYielded() const {
  SmallVector<Value> yielded(fields);
  for (unsigned position = 0; position < fields.size(); ++position)
    if (plan.writesApart || !plan.isState[position])
      yielded[position] = fields[plan.origins[position]];
  if (plan.writesApart)
    return yielded;
  for (auto [position, other] : llvm::enumerate(plan.others))
    if (other)
      std::swap(yielded[position], yielded[*other]);
  SmallVector<Value> made;
  for (unsigned position = 0; position < fields.size(); ++position)
    if (plan.needsOther[position]) {
      made.push_back(yielded[position]);
      yielded[position] = others[position];
    }
  yielded.append(made);
  return yielded;
}

//===----------------------------------------------------------------------===//
// Stages
//===----------------------------------------------------------------------===//

/// What a step computes besides stencils: scalars that it takes.
void StagedLoop::copyScalarsOf(unsigned step, IRMapping &mapping) {
  SmallVector<Value> roots;
  for (const Stage &stage : plan.stages)
    if (stage.step == step)
      for (auto [number, argument] :
           llvm::enumerate(ApplyOp(stage.op).getArgs())) {
        roots.push_back(argument);
        auto load = argument.getDefiningOp<LoadOp>();
        const StageInput &input = stage.inputs[number];
        if (load && !input.value && !input.owner)
          roots.push_back(load.getField());
      }
  auto isCopied = [](Operation *op) { return !isa<LoadOp, ApplyOp>(op); };
  copyNeeded(builder, *loop.getBody(), roots, isCopied, mapping);
}

/// By step, with the number that the program's loop has for it.
void StagedLoop::copyScalars(Value iteration) {
  StepCount count(loop, builder);
  scalars.resize(plan.steps + 1);
  for (unsigned step = 1; step <= plan.steps; ++step) {
    if (step > 1 && !plan.time.isStepDependent) {
      scalars[step] = scalars[1];
      continue;
    }
    scalars[step].map(loop.getInductionVar(),
                      count.getNumber(iteration, plan.steps, step - 1));
    copyScalarsOf(step, scalars[step]);
  }
}

Value StagedLoop::load(Value field) {
  Value &known = loads[field];
  if (!known) {
    OpBuilder::InsertionGuard guard(builder);
    if (plan.inPipeline)
      builder.setInsertionPointToStart(builder.getInsertionBlock());
    known = LoadOp::create(builder, field);
  }
  return known;
}

Value StagedLoop::getInput(const Stage &stage, unsigned number) {
  Value argument = ApplyOp(stage.op).getArgs()[number];
  const StageInput &input = stage.inputs[number];
  if (input.value) {
    const StagedValue &known = plan.values[*input.value];
    return known.isFirst() ? load(fields[*known.owner]) : values[*input.value];
  }
  const IRMapping &mapping = scalars[stage.step];
  if (input.owner)
    return load(fields[*input.owner]);
  if (auto loaded = argument.getDefiningOp<LoadOp>())
    return load(mapping.lookupOrDefault(loaded.getField()));
  return mapping.lookupOrDefault(argument);
}

/// With the boundary that the value finds in its field.
Value StagedLoop::keepInWindow(const StagedValue &value, Value made) {
  std::optional<int64_t> depth, lead;
  if (axis) {
    depth = value.lead - value.oldest + 1;
    lead = value.lead;
  }
  auto window = WindowOp::create(builder, made, Space::Shared, depth, lead);
  if (value.needsHalo)
    setBoundaryOf(window, plan.time.interior, value.boundary);
  if (value.keepsHalo())
    window.getKeepMutable().assign(load(fields[*value.owner]));
  return window;
}

ApplyOp StagedLoop::addStage(const Stage &stage) {
  ApplyOp original = stage.op;
  SmallVector<Value> args;
  for (unsigned number = 0; number < stage.inputs.size(); ++number)
    args.push_back(getInput(stage, number));
  ApplyOp apply = copyApply(builder, builder.getLoc(), original,
                            original.getTempTypes(), args);
  apply->setDiscardableAttrs(original->getDiscardableAttrDictionary());
  apply->removeAttr(ScheduleAttr::kAttrName);
  if (axis)
    StageAttr::give(apply, stage.lead);
  for (auto [number, made] : llvm::zip_equal(stage.results, apply.getRes())) {
    const StagedValue &value = plan.values[number];
    bool isKept = plan.inPipeline && value.needsWindow;
    values[number] = isKept ? keepInWindow(value, made) : made;
  }
  return apply;
}

/// What other stages of a pipeline read is stored by a stage of its own: a tile
/// has more of it than its own points.
Value StagedLoop::copyHere(Value value) {
  ApplyOp copy = makeCopy(builder, builder.getLoc(), value, /*box=*/{});
  if (axis)
    StageAttr::give(copy, /*lead=*/0);
  return copy.getRes().front();
}

void StagedLoop::storeLast() {
  SmallVector<std::pair<Value, Value>> stores;
  for (auto [position, number] : llvm::enumerate(plan.last)) {
    if (!number)
      continue;
    const StagedValue &value = plan.values[*number];
    Value made = value.isFirst() ? load(fields[*value.owner]) : values[*number];
    if (value.isFirst() || (plan.inPipeline && value.isRead))
      made = copyHere(made);
    stores.emplace_back(made, getTarget(position));
  }
  for (auto [value, field] : stores)
    StoreOp::create(builder, value, field, plan.getCore());
}

/// T steps are stages of one kernel.
void StagedLoop::buildPipeline() {
  OpBuilder::InsertionGuard guard(builder);
  PipelineOp pipeline = createPipeline(builder, schedule, plan.steps);
  for (const Stage &stage : plan.stages)
    addStage(stage);
  storeLast();
  walkBySeveral(pipeline, schedule.getStep());
}

/// T steps are one apply, each a value that later ones read.
void StagedLoop::buildApply() {
  auto applies = llvm::map_to_vector(
      plan.stages, [&](const Stage &stage) { return addStage(stage); });
  storeLast();
  ApplyOp whole = applies.front();
  for (ApplyOp next : llvm::drop_begin(applies)) {
    bool isRead = llvm::any_of(next.getArgs(), [&](Value argument) {
      return argument.getDefiningOp() == whole;
    });
    whole = isRead ? inlineProducer(whole, next, /*keepsResults=*/true, next)
                   : mergeSiblings(whole, next, next);
  }
  whole->setDiscardableAttr(kStepsAttr, builder.getI64IntegerAttr(plan.steps));
  if (!schedule && !plan.hasRim())
    return;
  ScheduleKeys keys(schedule);
  if (plan.hasRim())
    keys.regions = RegionLaunch::Streams;
  keys.give(whole);
}

void StagedLoop::buildIteration() {
  for (auto [boundary, position] : plan.boundaries) {
    BoundaryOp op = boundary;
    BoundaryOp::create(builder, op.getLoc(), fields[position], op.getBounds(),
                       op.getConditions());
  }
  if (plan.hasRim()) {
    SmallVector<Value> targets(fields.size());
    for (auto [position, last] : llvm::enumerate(plan.last))
      if (last)
        targets[position] = getTarget(position);
    StagedRim(plan, builder).build(fields, targets, rim, scalars);
  }
  values.resize(plan.values.size());
  if (plan.inPipeline)
    buildPipeline();
  else
    buildApply();
}

//===----------------------------------------------------------------------===//
// The loop
//===----------------------------------------------------------------------===//

void StagedLoop::build() {
  // Behind what the loop carries, the fields of outside that it stores to.
  ArrayRef<Value> known = plan.time.fields;
  SmallVector<Value> carried(loop.getInitArgs());
  llvm::append_range(carried, known.drop_front(carried.size()));
  size_t count = carried.size();
  others.resize(count);
  for (unsigned position = 0; position < count; ++position)
    if (plan.needsOther[position])
      carried.push_back(
          makeOther(position, ValueRange(carried).take_front(count)));

  if (plan.hasRim())
    for (Value field : StagedRim(plan, builder)
                           .makeFields(ValueRange(carried).take_front(count)))
      if (field)
        carried.push_back(field);
  SmallVector<AxisWidths> slabs = {plan.rim};
  for (const StagedValue &value : plan.values)
    slabs.push_back(value.rim);
  requireExtents(loop, plan.time.interior, slabs);

  StepCount steps(loop, builder);
  Value iterations = steps.countIterations(plan.steps, plan.tail,
                                           /*isEven=*/!plan.writesApart);
  Value begin = steps.getNumber(iterations, plan.steps, 0);
  auto created = scf::ForOp::create(
      builder, builder.createOrFold<arith::ConstantIndexOp>(0), iterations,
      builder.createOrFold<arith::ConstantIndexOp>(1), carried);
  {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(created.getBody());
    ValueRange arguments = created.getRegionIterArgs();
    fields.assign(arguments.begin(), arguments.begin() + count);
    unsigned next = count;
    for (unsigned position = 0; position < count; ++position) {
      if (plan.needsOther[position])
        others[position] = arguments[next++];
      else if (plan.others[position])
        others[position] = arguments[*plan.others[position]];
    }
    rim.resize(count);
    for (unsigned position = 0; position < count; ++position)
      if (plan.hasRim() && plan.isState[position])
        rim[position] = arguments[next++];
    copyScalars(created.getInductionVar());
    buildIteration();
    SmallVector<Value> yielded = getYielded();
    for (Value field : rim)
      if (field)
        yielded.push_back(field);
    scf::YieldOp::create(builder, yielded);
  }
  loop.getLowerBoundMutable().assign(begin);
  loop.getInitArgsMutable().assign(
      created.getResults().take_front(loop.getInitArgs().size()));
}

void stencil::stageSteps(const StagedSteps &plan, ScheduleAttr schedule) {
  StagedLoop(plan, schedule).build();
}
