//===- ComposedLoop.cpp - k steps of a time loop as one -------------------===//
//
// Builds what PlanComposition.cpp has planned:
//
//   m = (number of steps - tail) / k
//   for m times, fields swapped: {
//     the halo of u
//     level 1 near the boundaries, from u; its halo; level 2, ...; to v
//     the composed sum of u elsewhere, or the chained steps; to v
//   }
//
// or, with a rim at once,
//
//   for m times, fields swapped: {
//     w = what of u the rim reads; its images
//     the chained steps near the boundaries, with their halos, from w; to v
//     the chained steps of u elsewhere; to v
//   }
//
// (ComposedEdges.cpp) or of a sum (ComposedRim.cpp),
//
//   for m times, fields swapped: {
//     w = what of u the rim reads
//     both ends of the rim, from w; to v
//     the composed sum of u elsewhere; to v
//   }
//
// and then
//   the loop as it was, for the remaining steps
//
//===----------------------------------------------------------------------===//

#include "Bodies/BodyPruning.h"
#include "ComposedParts.h"
#include "Fusion/ApplyFusion.h"
#include "Regions/RegionLaunches.h"
#include "StencilDialect/IR/DiscardableAttrs.h"
#include "StepBodies.h"
#include "Sums/SumBodies.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace stencil;

//===----------------------------------------------------------------------===//
// The ops of composed steps
//===----------------------------------------------------------------------===//

Value StepWriter::getIndex(int64_t bound, int64_t axis) {
  if (!isSymbolic(bound))
    return arith::ConstantIndexOp::create(builder, bound);
  Value extent = ExtentOp::create(builder, axis);
  return builder.createOrFold<arith::AddIOp>(
      extent, arith::ConstantIndexOp::create(builder, symbolicOffset(bound)));
}

void StepWriter::copyScalars() {
  SmallVector<Value> roots;
  ApplyOp apply = plan.step;
  for (auto [i, argument] : llvm::enumerate(apply.getArgs()))
    if (i != plan.input)
      roots.push_back(argument);
  auto isCopied = [](Operation *) { return true; };
  copyNeeded(builder, *loop.getBody(), roots, isCopied, scalars);
}

PipelineOp StepWriter::createPipeline() {
  return stencil::createPipeline(builder, getSchedule(plan), plan.steps);
}

ApplyOp StepWriter::makeStep(Value source, Type type) {
  ApplyOp original = plan.step;
  SmallVector<Value> args;
  for (auto [i, argument] : llvm::enumerate(original.getArgs()))
    args.push_back(i == plan.input ? source
                                   : scalars.lookupOrDefault(argument));
  return copyApply(builder, getLoc(), original, TypeRange(type), args);
}

void StepWriter::setLaunch(ApplyOp apply, RegionLaunch how) const {
  if (plan.isChained && plan.hasRim())
    stencil::setLaunch(apply, how);
}

ApplyOp StepWriter::step(Value source, BoundsAttr box, Value field) {
  ApplyOp apply = makeStep(source, getValueType(box));
  setLaunch(apply, RegionLaunch::Launch);
  StoreOp::create(builder, apply.getRes().front(), field, box);
  return apply;
}

void StepWriter::copy(Value source, BoundsAttr box, Value field,
                      int64_t shift) {
  ApplyOp apply = makeCopy(builder, getLoc(), source, box, shift);
  // What all steps at once need for the rim is one launch, too.
  if (plan.hasRim() && (plan.isChained || plan.rim == ComposedRim::AtOnce))
    stencil::setLaunch(apply, RegionLaunch::Launch);
  StoreOp::create(builder, apply.getRes().front(), field, box);
}

void StepWriter::fillHalo(Value field, Value source) {
  Value halo = load(source);
  BoundsAttr box = plan.getRimType().getBounds();
  for (BoundsAttr slab : AxisWidths(box, plan.time.interior).getSlabs(box))
    copy(halo, slab, field);
}

void StepWriter::setBoundary(Value field) {
  if (!plan.boundary)
    return;
  BoundaryOp boundary = plan.boundary;
  BoundaryOp::create(builder, boundary.getLoc(), field, boundary.getBounds(),
                     boundary.getConditions());
}

//===----------------------------------------------------------------------===//
// The core
//===----------------------------------------------------------------------===//

/// The composed sum without its ends.
static ComposedForm makeCutForm(const StepWriter &writer, ApplyOp apply) {
  const StepComposition &plan = writer.plan;
  std::string why;
  Type type = writer.getElementType();
  ComposedForm form = *findStepForm(apply, plan.input, writer.math, why);
  form.form = LinearForm(type);
  Value state = apply.getBodyBlock()->getArgument(plan.input);
  auto toNumber = [&](long double number) {
    return Coefficient(Number::get(roundNumber(number, type)));
  };
  for (auto [offset, weight] : plan.cutTaps)
    form.form.add({state, {0}}, {offset}, toNumber(weight));
  form.form.addConstant(toNumber(plan.cutConstant));
  form.form.dropZeros();
  return form;
}

void stencil::stepComposed(StepWriter &writer, Value source, BoundsAttr box,
                           Value field) {
  const StepComposition &plan = writer.plan;
  ApplyOp apply = writer.step(source, box, field);
  ApplyOp original = plan.step;
  apply->setDiscardableAttrs(original->getDiscardableAttrDictionary());
  // Parts that do not wait for each other.
  if (plan.rim == ComposedRim::AtOnce && plan.hasRim())
    apply->setDiscardableAttr(kRegionAttr, plan.time.interior);
  std::string why;
  std::optional<ComposedForm> composed =
      plan.cutTaps.empty()
          ? composeForm(apply, plan.input, plan.steps, writer.math, why)
          : makeCutForm(writer, apply);
  Operation *terminator = apply.getBodyBlock()->getTerminator();
  OpBuilder body(terminator);
  terminator->setOperand(0, emitForm(body, writer.getLoc(), apply.getRank(),
                                     composed->form, composed->flags));
  eraseUnusedOps(apply.getRegion());
}

/// All steps at once, each a value that the next one reads. No halo is among
/// these.
static void stepChained(StepWriter &writer, Value source, BoundsAttr box,
                        Value field) {
  const StepComposition &plan = writer.plan;
  Type between = TempType::get(box.getRank(), writer.getElementType());
  unsigned length = plan.steps / plan.legs;
  std::optional<ScaledStep> scaled =
      scaleSteps(plan.step, plan.input, length, writer.math, plan.areScattered);
  auto makeLevel = [&](Value state, unsigned level) {
    bool isLast = level == plan.steps;
    ApplyOp next =
        writer.makeStep(state, isLast ? writer.getValueType(box) : between);
    if (scaled)
      scaled->apply(next, plan.input, /*isLast=*/level % length == 0);
    return next;
  };
  ApplyOp apply = makeLevel(source, 1);
  for (unsigned level = 2; level <= plan.steps; ++level) {
    ApplyOp next = makeLevel(apply.getRes().front(), level);
    apply = inlineProducer(apply, next, /*keepsResults=*/false, next);
  }
  ApplyOp original = plan.step;
  apply->setDiscardableAttrs(original->getDiscardableAttrDictionary());
  apply->setDiscardableAttr(kStepsAttr,
                            writer.builder.getI64IntegerAttr(plan.steps));
  writer.setLaunch(apply, RegionLaunch::Streams);
  StoreOp::create(writer.builder, apply.getRes().front(), field, box);
}

static void stepCore(StepWriter &writer, Value state, const StateFields &fields,
                     const StateFields &first) {
  const StepComposition &plan = writer.plan;
  if (plan.hasHaloInSteps && plan.legs > 1)
    stepInLegs(writer, fields);
  else if (plan.hasHaloInSteps)
    stepInWalk(writer, fields);
  else if (plan.hasWindows)
    stepInPipeline(writer, fields, first);
  else if (plan.isChained)
    stepChained(writer, state, plan.getCore(), fields.then);
  else
    stepComposed(writer, state, plan.getCore(), fields.then);
}

//===----------------------------------------------------------------------===//
// A rim of one step after the other
//===----------------------------------------------------------------------===//

static RimFields prepareLevels(StepWriter &writer, const StateFields &first) {
  const StepComposition &plan = writer.plan;
  auto make = [&] {
    Value field =
        makeFieldBefore(writer.loop, writer.builder, plan.getRimType());
    // Boundary ops take images of points that are not in the rim, too.
    if (plan.hasImages())
      fillZeros(writer.builder, field);
    return field;
  };
  RimFields rim;
  if (plan.steps >= 2)
    rim.odd = make();
  if (plan.steps >= 3 || plan.copiesState)
    rim.even = make();
  // Level 1 is where the older field is.
  if (plan.keepsHalo && rim.odd)
    writer.fillHalo(rim.odd, first.then);
  if (plan.keepsHalo && rim.even)
    writer.fillHalo(rim.even, first.now);
  return rim;
}

static void buildLevels(StepWriter &writer, const RimFields &rim, Value state,
                        Value then) {
  const StepComposition &plan = writer.plan;
  Value level = state;
  if (plan.copiesState) {
    for (BoundsAttr box : plan.getRim(0))
      writer.copy(state, box, rim.even);
    writer.setBoundary(rim.even);
    level = writer.load(rim.even);
  }
  for (unsigned i = 1; i <= plan.steps; ++i) {
    Value field = i == plan.steps ? then : i % 2 == 0 ? rim.even : rim.odd;
    for (BoundsAttr box : plan.getRim(i))
      writer.step(level, box, field);
    if (i == plan.steps)
      break;
    writer.setBoundary(field);
    level = writer.load(field);
  }
}

//===----------------------------------------------------------------------===//
// The loop
//===----------------------------------------------------------------------===//

static RimFields prepareAnyRim(StepWriter &writer, const StateFields &first) {
  if (!writer.plan.hasRim())
    return {};
  if (writer.plan.rim != ComposedRim::AtOnce)
    return prepareLevels(writer, first);
  return writer.plan.isChained ? prepareEdges(writer, first)
                               : prepareRim(writer, first);
}

static void buildIteration(StepWriter &writer, const RimFields &rim,
                           const StateFields &fields,
                           const StateFields &first) {
  const StepComposition &plan = writer.plan;
  bool isAtOnce = plan.rim == ComposedRim::AtOnce;
  writer.copyScalars();
  bool isSetBefore = plan.hasHaloInSteps && !plan.hasImages();
  if (!isAtOnce && !plan.copiesState && !isSetBefore)
    writer.setBoundary(fields.now);
  Value state = writer.load(fields.now);
  if (plan.hasRim()) {
    if (!isAtOnce)
      buildLevels(writer, rim, state, fields.then);
    else if (plan.isChained)
      buildEdges(writer, rim, state, fields.then);
    else
      buildRim(writer, rim, state, fields);
  }
  stepCore(writer, state, fields, first);
}

void stencil::composeSteps(const StepComposition &plan, MathMode math) {
  StepWriter writer(plan, math);
  scf::ForOp loop = writer.loop;
  ImplicitLocOpBuilder &builder = writer.builder;
  requireExtents(loop, plan.time.interior, plan.rims);
  SmallVector<Value> carried(loop.getInitArgs());
  StateFields first{carried[plan.now], carried[plan.then]};
  RimFields rim = prepareAnyRim(writer, first);
  bool swapsRims = plan.keepsHalo && plan.steps % 2 == 1 && rim.odd && rim.even;
  if (swapsRims)
    carried.append({rim.odd, rim.even});

  // The fields end in the places that they have after so many steps.
  StepCount count(loop, builder);
  bool isEven = plan.keepsPlaces && plan.steps % 2 == 0;
  Value composed = count.countIterations(plan.steps, plan.tail, isEven);
  if (plan.hasHaloInSteps && plan.keepsHalo)
    composed = builder.createOrFold<arith::SelectOp>(
        areHalosEqual(writer, first), composed,
        arith::ConstantIndexOp::create(builder, 0));
  if (plan.hasHaloInSteps && !plan.hasImages())
    setHalos(writer, first, composed);
  Value begin = count.getNumber(composed, plan.steps, /*further=*/0);

  auto created = scf::ForOp::create(
      builder, builder.createOrFold<arith::ConstantIndexOp>(0), composed,
      builder.createOrFold<arith::ConstantIndexOp>(1), carried);
  builder.setInsertionPointToStart(created.getBody());
  ValueRange arguments = created.getRegionIterArgs();
  if (swapsRims) {
    rim.odd = arguments[2];
    rim.even = arguments[3];
  }
  buildIteration(writer, rim, {arguments[plan.now], arguments[plan.then]},
                 first);
  SmallVector<Value> yielded = {arguments[1], arguments[0]};
  if (swapsRims)
    yielded.append({rim.even, rim.odd});
  scf::YieldOp::create(builder, yielded);
  loop.getLowerBoundMutable().assign(begin);
  loop.getInitArgsMutable().assign(created.getResults().take_front(2));
}
