//===- ComposedPipeline.cpp - Steps that are stages of a pipeline ---------===//
//
//   stencil.pipeline axis 0 {
//     %x = stencil.load %now
//     %h = stencil.load %then
//     step 1 of %x;    a window, around the interior the boundary; keep %h
//     step 2 of that;  a window, around the interior the boundary; keep %x
//     ...
//     the store of the last step to %then
//   }
//
// A step k of the program finds the halo in the field that has its state then,
// which is the same one for every other step. So what halos keep is read of two
// fields in turns.
//
//===----------------------------------------------------------------------===//

#include "BlockTimeOnCPU.h"
#include "ComposedParts.h"
#include "StepBodies.h"

using namespace mlir;
using namespace stencil;

void stencil::loadInputs(StepWriter &writer) {
  ApplyOp step = writer.plan.step;
  for (auto [number, argument] : llvm::enumerate(step.getArgs()))
    if (auto input = argument.getDefiningOp<LoadOp>();
        input && number != writer.plan.input)
      writer.scalars.map(argument, writer.load(writer.scalars.lookupOrDefault(
                                       input.getField())));
}

void stencil::setStage(const StepWriter &writer, ApplyOp stage, unsigned level,
                       std::optional<int64_t> axis) {
  ApplyOp original = writer.plan.step;
  stage->setDiscardableAttrs(original->getDiscardableAttrDictionary());
  stage->removeAttr(ScheduleAttr::kAttrName);
  if (axis)
    StageAttr::give(stage, writer.plan.getLead(level, *axis));
}

/// What a step has made, with the boundary that the next one finds. Every other
/// step finds what the one or the other field keeps.
static Value keepInWindow(StepWriter &writer, ApplyOp stage, unsigned level,
                          std::optional<int64_t> axis, ArrayRef<Value> fields) {
  const StepComposition &plan = writer.plan;
  ImplicitLocOpBuilder &builder = writer.builder;
  std::optional<int64_t> depth, lead;
  if (axis) {
    depth = plan.countPlanes(*axis);
    lead = plan.getLead(level, *axis);
  }
  auto window = WindowOp::create(builder, stage.getRes().front(), Space::Shared,
                                 depth, lead);
  setBoundaryOf(window, plan.time.interior, plan.boundary);
  if (plan.keepsHalo)
    window.getKeepMutable().assign(fields[level % 2]);
  return window;
}

ScheduleAttr stencil::getSchedule(const StepComposition &plan) {
  ApplyOp original = plan.step;
  return ScheduleAttr::of(original);
}

std::optional<int64_t> stencil::getWalkAxis(const StepComposition &plan) {
  ScheduleAttr schedule = getSchedule(plan);
  return schedule ? schedule.getStream() : std::nullopt;
}

void stencil::stepInPipeline(StepWriter &writer, const StateFields &fields,
                             const StateFields &first) {
  const StepComposition &plan = writer.plan;
  ScheduleAttr schedule = getSchedule(plan);
  std::optional<int64_t> axis = getWalkAxis(plan);
  OpBuilder::InsertionGuard guard(writer.builder);
  PipelineOp pipeline = writer.createPipeline();
  Value value = writer.load(fields.now);
  // By whether the number of the step is even, counted from the program's.
  SmallVector<Value> kept(2);
  if (plan.keepsHalo) {
    const StateFields &keeping = plan.copiesState ? first : fields;
    kept = {writer.load(keeping.now), writer.load(keeping.then)};
  }
  loadInputs(writer);
  Type type = value.getType();
  if (plan.copiesState) {
    // A stage makes the state: what memory has around it is of another step.
    ApplyOp copy = makeCopy(writer.builder, writer.getLoc(), value, /*box=*/{});
    setStage(writer, copy, 0, axis);
    value = keepInWindow(writer, copy, 0, axis, kept);
  }
  for (unsigned level = 1; level <= plan.steps; ++level) {
    ApplyOp stage = writer.makeStep(value, type);
    setStage(writer, stage, level, axis);
    value = level == plan.steps
                ? stage.getRes().front()
                : keepInWindow(writer, stage, level, axis, kept);
  }
  StoreOp::create(writer.builder, value, fields.then, plan.getCore());
  walkBySeveral(pipeline, schedule ? schedule.getStep() : std::nullopt);
}
