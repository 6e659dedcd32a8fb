//===- ComposedLoop.cpp - k steps of a time loop as one -------------------===//
//
// Builds what StepComposition.cpp has planned:
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

#include "ComposedLoop.h"
#include "Bodies/BodyPruning.h"
#include "ComposedForm.h"
#include "Fusion/ApplyFusion.h"
#include "ScaledSteps.h"
#include "StencilDialect/Analysis/SymbolicExtents.h"
#include "StencilDialect/IR/DiscardableAttrs.h"
#include "StencilDialect/IR/Schedule.h"
#include "StepBodies.h"
#include "StepCount.h"
#include "Sums/EmitSums.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace stencil;

//===----------------------------------------------------------------------===//
// One iteration
//===----------------------------------------------------------------------===//

Value ComposedLoop::load(Value field) {
  auto type = cast<GridType>(field.getType());
  return LoadOp::create(builder, loc,
                        TempType::get(type.getRank(), type.getElementType()),
                        field);
}

/// What the step computes besides stencils: scalars that it takes.
void ComposedLoop::copyScalars() {
  SmallVector<Value> roots;
  ApplyOp apply = plan.step;
  for (auto [i, argument] : llvm::enumerate(apply.getArgs()))
    if (i != plan.input)
      roots.push_back(argument);
  auto isCopied = [](Operation *) { return true; };
  copyNeeded(builder, *loop.getBody(), roots, isCopied, scalars);
}

/// Of what is computed on a box. By that the slabs of a rim are told apart,
/// which CSE would join.
Type ComposedLoop::getValueType(BoundsAttr box) const {
  return TempType::get(box, plan.getRimType().getElementType());
}

/// An apply with an empty body.
ApplyOp ComposedLoop::makeApply(ValueRange args, BoundsAttr box) {
  return ApplyOp::create(builder, loc, TypeRange(getValueType(box)), args);
}

/// One step, as the program has it.
ApplyOp ComposedLoop::makeStep(Value source, Type type) {
  ApplyOp original = plan.step;
  SmallVector<Value> args;
  for (auto [i, argument] : llvm::enumerate(original.getArgs()))
    args.push_back(i == plan.input ? source
                                   : scalars.lookupOrDefault(argument));
  return copyApply(builder, loc, original, TypeRange(type), args);
}

static void askFor(ApplyOp apply, RegionLaunch how) {
  auto own = apply->getAttrOfType<ScheduleAttr>(ScheduleAttr::kAttrName);
  ScheduleKeys keys = own ? ScheduleKeys(own) : ScheduleKeys();
  keys.regions = how;
  apply->setAttr(ScheduleAttr::kAttrName, keys.get(apply.getContext()));
}

/// Slabs of one level are one launch, that of the last one beside the apply
/// that takes all steps.
void ComposedLoop::setLaunch(ApplyOp apply, RegionLaunch how) const {
  if (plan.isChained && plan.hasRim())
    askFor(apply, how);
}

/// One step on a box.
ApplyOp ComposedLoop::step(Value source, BoundsAttr box, Value field) {
  ApplyOp apply = makeStep(source, getValueType(box));
  setLaunch(apply, RegionLaunch::Launch);
  StoreOp::create(builder, loc, apply.getRes().front(), field, box);
  return apply;
}

/// The composed sum without its ends.
std::optional<ComposedForm> ComposedLoop::makeCutForm(ApplyOp apply) const {
  std::string why;
  Type type = plan.getRimType().getElementType();
  std::optional<ComposedForm> form = findStepForm(apply, plan.input, math, why);
  form->form = LinearForm(type);
  Value state = apply.getBodyBlock()->getArgument(plan.input);
  auto toNumber = [&](long double number) {
    return Coefficient(Number::get(roundNumber(number, type)));
  };
  for (auto [offset, weight] : plan.cutTaps)
    form->form.add({state, {0}}, {offset}, toNumber(weight));
  form->form.addConstant(toNumber(plan.cutConstant));
  form->form.dropZeros();
  return form;
}

/// All steps at once: in a copy of the step, so that its scalars are there.
void ComposedLoop::stepComposed(Value source, BoundsAttr box, Value field) {
  ApplyOp apply = step(source, box, field);
  ApplyOp original = plan.step;
  apply->setDiscardableAttrs(original->getDiscardableAttrDictionary());
  // Parts that do not wait for each other.
  if (plan.rim == ComposedRim::AtOnce && plan.hasRim())
    apply->setDiscardableAttr(kRegionAttr, plan.time.interior);
  std::string why;
  std::optional<ComposedForm> composed =
      plan.cutTaps.empty()
          ? composeForm(apply, plan.input, plan.steps, math, why)
          : makeCutForm(apply);
  Operation *terminator = apply.getBodyBlock()->getTerminator();
  OpBuilder body(terminator);
  terminator->setOperand(
      0, emitForm(body, loc, apply.getRank(), composed->form, composed->flags));
  eraseUnusedOps(apply.getRegion());
}

/// All steps at once, each a value that the next one reads. No halo is among
/// these.
void ComposedLoop::stepChained(Value source, BoundsAttr box, Value field) {
  Type element = plan.getRimType().getElementType();
  Type between = TempType::get(box.getRank(), element);
  unsigned length = plan.steps / plan.legs;
  std::optional<ScaledStep> scaled =
      scaleSteps(plan.step, plan.input, length, math, plan.areScattered);
  auto makeLevel = [&](Value state, unsigned level) {
    bool isLast = level == plan.steps;
    ApplyOp next = makeStep(state, isLast ? getValueType(box) : between);
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
  apply->setDiscardableAttr(kStepsAttr, builder.getI64IntegerAttr(plan.steps));
  setLaunch(apply, RegionLaunch::Streams);
  StoreOp::create(builder, loc, apply.getRes().front(), field, box);
}

void ComposedLoop::stepCore(Value source, Value now, Value then) {
  if (plan.hasHaloInSteps)
    stepInWalk(now, then);
  else if (plan.hasWindows)
    stepInPipeline(now, then);
  else if (plan.isChained)
    stepChained(source, plan.getCore(), then);
  else
    stepComposed(source, plan.getCore(), then);
}

void ComposedLoop::copy(Value source, BoundsAttr box, Value field,
                        int64_t shift) {
  ApplyOp apply = makeApply(source, box);
  // What all steps at once need for the rim is one launch, too.
  if (plan.hasRim() && (plan.isChained || plan.rim == ComposedRim::AtOnce))
    askFor(apply, RegionLaunch::Launch);
  OpBuilder body = OpBuilder::atBlockEnd(apply.getBodyBlock());
  SmallVector<int64_t> here(box.getRank(), shift);
  Value value =
      AccessOp::create(body, loc, apply.getBodyBlock()->getArgument(0), here);
  ReturnOp::create(body, loc, ValueRange(value), stencil::IndexAttr());
  StoreOp::create(builder, loc, apply.getRes().front(), field, box);
}

void ComposedLoop::fill(Value field, BoundsAttr box, TypedAttr value) {
  ApplyOp apply = makeApply({}, box);
  OpBuilder body = OpBuilder::atBlockEnd(apply.getBodyBlock());
  Value number = arith::ConstantOp::create(body, loc, value);
  ReturnOp::create(body, loc, ValueRange(number), stencil::IndexAttr());
  StoreOp::create(builder, loc, apply.getRes().front(), field, box);
}

void ComposedLoop::setBoundary(Value field) {
  if (!plan.boundary)
    return;
  BoundaryOp boundary = plan.boundary;
  BoundaryOp::create(builder, boundary.getLoc(), field, boundary.getBounds(),
                     boundary.getConditions());
}

void ComposedLoop::buildIteration(Value now, Value then) {
  copyScalars();
  if (plan.rim == ComposedRim::AtOnce) {
    Value state = load(now);
    if (plan.isChained)
      buildEdges(state, then);
    else
      buildRim(state, {now, then});
    stepCore(state, now, then);
    return;
  }
  if (!plan.copiesState && !plan.hasHaloInSteps)
    setBoundary(now);
  Value state = load(now);
  auto fieldOf = [&](unsigned level) { return level % 2 == 0 ? even : odd; };
  Value level = state;
  if (plan.hasRim()) {
    if (plan.copiesState) {
      for (BoundsAttr box : plan.getRim(0))
        copy(state, box, fieldOf(0));
      setBoundary(fieldOf(0));
      level = load(fieldOf(0));
    }
    for (unsigned i = 1; i <= plan.steps; ++i) {
      Value field = i == plan.steps ? then : fieldOf(i);
      for (BoundsAttr box : plan.getRim(i))
        step(level, box, field);
      if (i == plan.steps)
        break;
      setBoundary(field);
      level = load(field);
    }
  }
  stepCore(state, now, then);
}

//===----------------------------------------------------------------------===//
// The loop
//===----------------------------------------------------------------------===//

/// Outside of all loops, where no memory is lost.
Value ComposedLoop::makeField(FieldType type) {
  return makeFieldBefore(loop, builder, type);
}

/// Copies the halo of `source` to that of a field of the rim.
void ComposedLoop::fillHalo(Value field, Value source) {
  Value halo = load(source);
  GridBox rest(plan.getRimType().getBounds()), interior(plan.time.interior);
  for (size_t axis = 0; axis < rest.lb.size(); ++axis) {
    GridBox slab = rest;
    slab.ub[axis] = interior.lb[axis];
    if (slab.lb[axis] < slab.ub[axis])
      copy(halo, BoundsAttr::get(loop.getContext(), slab.lb, slab.ub), field);
    slab.lb[axis] = interior.ub[axis];
    slab.ub[axis] = rest.ub[axis];
    if (slab.lb[axis] < slab.ub[axis])
      copy(halo, BoundsAttr::get(loop.getContext(), slab.lb, slab.ub), field);
    rest.lb[axis] = interior.lb[axis];
    rest.ub[axis] = interior.ub[axis];
  }
}

void ComposedLoop::build() {
  BoundsAttr interior = plan.time.interior;
  SmallVector<int64_t> slabs(interior.getRank(), 0);
  for (const StepComposition::Widths &widths : plan.rims)
    for (auto [axis, lower, upper] :
         llvm::enumerate(widths.lower, widths.upper))
      slabs[axis] = std::max(slabs[axis], lower + upper);
  requireExtents(loop, interior, slabs);
  unsigned steps = plan.steps;
  SmallVector<Value> carried(loop.getInitArgs());
  firstNow = carried[plan.now];
  firstThen = carried[plan.then];
  bool isAtOnce = plan.rim == ComposedRim::AtOnce;
  bool isByStep = !isAtOnce && plan.hasRim();
  bool swapsRims = plan.keepsHalo && steps % 2 == 1 && plan.hasRim() &&
                   (isByStep || plan.isChained);
  if (isAtOnce && plan.isChained)
    prepareEdges({carried[plan.now], carried[plan.then]});
  else if (isAtOnce)
    prepareRim({carried[plan.now], carried[plan.then]});
  if (isByStep) {
    if (steps >= 2)
      odd = makeField(plan.getRimType());
    if (steps >= 3 || plan.copiesState)
      even = makeField(plan.getRimType());
    // Level 1 is where the older field is.
    if (plan.keepsHalo && odd)
      fillHalo(odd, carried[plan.then]);
    if (plan.keepsHalo && even)
      fillHalo(even, carried[plan.now]);
  }
  if (swapsRims)
    carried.append({odd, even});

  // The fields end in the places that they have after so many steps.
  StepCount count(loop, builder);
  Value composed =
      count.countIterations(steps, plan.tail, /*isEven=*/steps % 2 == 0);
  if (plan.hasHaloInSteps && plan.keepsHalo)
    composed = builder.createOrFold<arith::SelectOp>(
        loc, areHalosEqual(firstNow, firstThen), composed,
        arith::ConstantIndexOp::create(builder, loc, 0));
  if (plan.hasHaloInSteps)
    setHalos(composed);
  Value begin = count.getNumber(composed, steps, /*further=*/0);

  auto created = scf::ForOp::create(
      builder, loc, builder.createOrFold<arith::ConstantIndexOp>(loc, 0),
      composed, builder.createOrFold<arith::ConstantIndexOp>(loc, 1), carried);
  {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(created.getBody());
    ValueRange arguments = created.getRegionIterArgs();
    if (swapsRims) {
      odd = arguments[2];
      even = arguments[3];
    }
    buildIteration(arguments[plan.now], arguments[plan.then]);
    SmallVector<Value> yielded = {arguments[1], arguments[0]};
    if (swapsRims)
      yielded.append({even, odd});
    scf::YieldOp::create(builder, loc, yielded);
  }
  loop.getLowerBoundMutable().assign(begin);
  loop.getInitArgsMutable().assign(created.getResults().take_front(2));
}

void stencil::composeSteps(const StepComposition &plan, MathMode math) {
  ComposedLoop(plan, math).build();
}
