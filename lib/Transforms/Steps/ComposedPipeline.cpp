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
#include "ComposedLoop.h"
#include "StencilDialect/IR/DiscardableAttrs.h"
#include "StepBodies.h"
#include "Windows/PipelineDraft.h"

using namespace mlir;
using namespace stencil;

/// What a step reads besides the state, in the pipeline.
void ComposedLoop::loadInputs() {
  ApplyOp step = plan.step;
  for (auto [number, argument] : llvm::enumerate(step.getArgs()))
    if (auto input = argument.getDefiningOp<LoadOp>();
        input && number != plan.input)
      scalars.map(argument, load(scalars.lookupOrDefault(input.getField())));
}

void ComposedLoop::setStage(ApplyOp stage, unsigned level) {
  ApplyOp original = plan.step;
  stage->setDiscardableAttrs(original->getDiscardableAttrDictionary());
  stage->removeAttr(ScheduleAttr::kAttrName);
  if (axis)
    stage->setAttr(
        StageAttr::kAttrName,
        StageAttr::get(builder.getContext(), plan.getLead(level, *axis)));
}

/// What a step has made, with the boundary that the next one finds. Every other
/// step finds what the one or the other field keeps.
Value ComposedLoop::keepInWindow(ApplyOp stage, unsigned level,
                                 ArrayRef<Value> kept) {
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
      WindowOp::create(builder, loc, stage.getRes().front().getType(),
                       SpaceAttr::get(builder.getContext(), Space::Shared),
                       stage.getRes().front(), depth, lead, PrefetchAttr());
  window.setBoundsAttr(plan.time.interior);
  window.setConditionsAttr(conditions);
  if (plan.keepsHalo)
    window.getKeepMutable().assign(kept[level % 2]);
  return window;
}

void ComposedLoop::stepInPipeline(Value now, Value then) {
  ApplyOp original = plan.step;
  auto schedule =
      original->getAttrOfType<ScheduleAttr>(ScheduleAttr::kAttrName);
  IntegerAttr axisAttr;
  axis = schedule ? schedule.getStream() : std::nullopt;
  if (axis)
    axisAttr = builder.getIndexAttr(*axis);
  auto pipeline = PipelineOp::create(builder, loc, axisAttr);
  pipeline->setAttr(kStepsAttr, builder.getI64IntegerAttr(plan.steps));
  if (schedule)
    pipeline->setAttr(ScheduleAttr::kAttrName, getScheduleOfPipeline(schedule));
  OpBuilder::InsertionGuard guard(builder);
  builder.createBlock(&pipeline.getBody());
  Value value = load(now);
  // By whether the number of the step is even, counted from the program's.
  SmallVector<Value> kept(2);
  if (plan.keepsHalo)
    kept = {load(plan.copiesState ? firstNow : now),
            load(plan.copiesState ? firstThen : then)};
  loadInputs();
  Type type = value.getType();
  if (plan.copiesState) {
    // A stage makes the state: what memory has around it is of another step.
    ApplyOp copy = makeCopy(builder, loc, value, /*box=*/{});
    setStage(copy, 0);
    value = keepInWindow(copy, 0, kept);
  }
  for (unsigned level = 1; level <= plan.steps; ++level) {
    ApplyOp stage = makeStep(value, type);
    setStage(stage, level);
    value = level == plan.steps ? stage.getRes().front()
                                : keepInWindow(stage, level, kept);
  }
  StoreOp::create(builder, loc, value, then, plan.getCore());
  walkBySeveral(pipeline, schedule ? schedule.getStep() : std::nullopt);
}
