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
#include "StencilDialect/IR/DiscardableAttrs.h"
#include "StepBodies.h"
#include "Windows/PipelineDraft.h"

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
    stage->setAttr(
        StageAttr::kAttrName,
        StageAttr::get(stage.getContext(), writer.plan.getLead(level, *axis)));
}

/// What a step has made, with the boundary that the next one finds. Every other
/// step finds what the one or the other field keeps.
static Value keepInWindow(StepWriter &writer, ApplyOp stage, unsigned level,
                          std::optional<int64_t> axis, ArrayRef<Value> kept) {
  const StepComposition &plan = writer.plan;
  OpBuilder &builder = writer.builder;
  ArrayAttr conditions;
  if (plan.boundary)
    conditions = BoundaryOp(plan.boundary).getConditions();
  else
    conditions = builder.getArrayAttr(SmallVector<Attribute>(
        2 * stage.getRank(), KeepAttr::get(builder.getContext())));
  IntegerAttr depth, lead;
  if (axis) {
    depth = builder.getIndexAttr(plan.countPlanes(*axis));
    lead = builder.getIndexAttr(plan.getLead(level, *axis));
  }
  auto window =
      WindowOp::create(builder, writer.loc, stage.getRes().front().getType(),
                       SpaceAttr::get(builder.getContext(), Space::Shared),
                       stage.getRes().front(), depth, lead, PrefetchAttr());
  window.setBoundsAttr(plan.time.interior);
  window.setConditionsAttr(conditions);
  if (plan.keepsHalo)
    window.getKeepMutable().assign(kept[level % 2]);
  return window;
}

ScheduleAttr stencil::getSchedule(const StepComposition &plan) {
  ApplyOp original = plan.step;
  return original->getAttrOfType<ScheduleAttr>(ScheduleAttr::kAttrName);
}

std::optional<int64_t> stencil::getWalkAxis(const StepComposition &plan) {
  ScheduleAttr schedule = getSchedule(plan);
  return schedule ? schedule.getStream() : std::nullopt;
}

PipelineOp stencil::createPipeline(StepWriter &writer) {
  OpBuilder &builder = writer.builder;
  std::optional<int64_t> axis = getWalkAxis(writer.plan);
  auto pipeline = PipelineOp::create(
      builder, writer.loc, axis ? builder.getIndexAttr(*axis) : IntegerAttr());
  pipeline->setAttr(kStepsAttr, builder.getI64IntegerAttr(writer.plan.steps));
  if (ScheduleAttr schedule = getSchedule(writer.plan))
    pipeline->setAttr(ScheduleAttr::kAttrName, getScheduleOfPipeline(schedule));
  builder.createBlock(&pipeline.getBody());
  return pipeline;
}

void stencil::stepInPipeline(StepWriter &writer, const StateFields &fields,
                             const StateFields &first) {
  const StepComposition &plan = writer.plan;
  ScheduleAttr schedule = getSchedule(plan);
  std::optional<int64_t> axis = getWalkAxis(plan);
  OpBuilder::InsertionGuard guard(writer.builder);
  PipelineOp pipeline = createPipeline(writer);
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
    ApplyOp copy = makeCopy(writer.builder, writer.loc, value, /*box=*/{});
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
  StoreOp::create(writer.builder, writer.loc, value, fields.then,
                  plan.getCore());
  walkBySeveral(pipeline, schedule ? schedule.getStep() : std::nullopt);
}
