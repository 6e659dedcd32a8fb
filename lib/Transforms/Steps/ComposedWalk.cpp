//===- ComposedWalk.cpp - Steps that have their halos, as stages ----------===//
//
//   stencil.pipeline axis 0 {
//     %x = stencil.load %now
//     %w = a shared window of %x; around the field it has zeros
//     %1 = step 1 of %w; around the interior, what the halo has after it
//     %q = a window of %1 in registers
//     %2 = step 2 of %q; ...
//     ...
//     the store of the last step to %then
//   }
//
// A halo has a constant after a step, or what it had before. If that is kept,
// it is the halo of the other field that the program finds after an odd number
// of steps: both have to be equal, which is looked at once, before the loop.
// What a stage computes farther outside is as good as any: nobody reads it.
//
// Other conditions take values from points inside, which each step has changed.
// What is beyond such a side is as good as any, too: who reads it chooses, by
// the coordinate of its own point, what the condition says instead. That is at
// a fixed offset from there, and among the points that a step reads.
//
//===----------------------------------------------------------------------===//

#include "Boundaries/HaloReads.h"
#include "ComposedParts.h"
#include "StencilDialect/Conversion/BoundaryMath.h"
#include "StencilDialect/IR/DiscardableAttrs.h"
#include "Sums/SumBodies.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace stencil;

/// A window of a load in shared memory.
static Value fetch(StepWriter &writer, Value state, int64_t depth, int64_t lead,
                   ScheduleAttr schedule) {
  auto window =
      WindowOp::create(writer.builder, state, Space::Shared, depth, lead,
                       schedule.getPrefetch().value_or(Prefetch::None));
  auto field =
      cast<GridType>(state.getDefiningOp<LoadOp>().getField().getType());
  SmallVector<Attribute> zeros(2 * field.getRank(),
                               getZeroCondition(field.getElementType()));
  window.setBoundary(field.getBounds(), writer.builder.getArrayAttr(zeros));
  return window;
}

Value stencil::fetchState(StepWriter &writer, Value state, int64_t axis) {
  const StepComposition &plan = writer.plan;
  ScheduleAttr schedule = getSchedule(plan);
  int64_t planes = plan.countPlanes(axis);
  // Rows of a plane are short: more of them are on their way.
  const int64_t kAhead = plan.legs > 1 ? 5 : 2;
  int64_t depth = schedule.getStages().value_or(planes + kAhead);
  int64_t lead = plan.getLead(0, axis) + depth - planes;
  return fetch(writer, state, depth, lead, schedule);
}

/// What steps read besides the state: of each, the planes from the one that the
/// first step reads to the one that the last step does, and one more on its
/// way.
static void fetchInputs(StepWriter &writer, int64_t axis) {
  const StepComposition &plan = writer.plan;
  ScheduleAttr schedule = getSchedule(plan);
  loadInputs(writer);
  ApplyOp step = plan.step;
  for (auto [number, argument] : llvm::enumerate(step.getArgs())) {
    if (number == plan.input || !isa<GridType>(argument.getType()))
      continue;
    int64_t newest = 0, oldest = 0;
    Footprint(step).forEachRead(number, [&](const InputRead &read) {
      newest = std::max(newest, read.upper[axis]);
      oldest = std::min(oldest, read.lower[axis]);
    });
    int64_t lead = plan.getLead(1, axis) + newest + 1;
    writer.scalars.map(argument, fetch(writer, writer.scalars.lookup(argument),
                                       lead - oldest + 1, lead, schedule));
  }
}

/// Whether what is at an offset of a point is between two bounds along an axis.
static Value isBetween(ImplicitLocOpBuilder &body, int64_t axis, BoundsAttr box,
                       ArrayRef<int64_t> offset) {
  SmallVector<int64_t> along(box.getRank(), 0);
  along[axis] = offset[axis];
  Value at = stencil::IndexOp::create(body, axis, along);
  int64_t first = box.getLb()[axis];
  auto makeConstant = [&](int64_t value) -> Value {
    return arith::ConstantIndexOp::create(body, value);
  };
  if (first != 0)
    at = arith::SubIOp::create(body, at, makeConstant(first));
  return arith::CmpIOp::create(body, arith::CmpIPredicate::ult, at,
                               makeConstant(box.getUb()[axis] - first));
}

Value stencil::isNoneOf(ImplicitLocOpBuilder &body, Value at,
                        ArrayRef<int64_t> coordinates) {
  Value isNone;
  for (int64_t coordinate : coordinates) {
    Value isOther =
        arith::CmpIOp::create(body, arith::CmpIPredicate::ne, at,
                              arith::ConstantIndexOp::create(body, coordinate));
    isNone = isNone ? arith::AndIOp::create(body, isNone, isOther).getResult()
                    : isOther;
  }
  return isNone;
}

namespace {
/// What a halo has on one side of an axis, or on both: a constant, or null if
/// it is kept. The box is what is not beyond it along the axis; so many points
/// before and behind the interior are read.
struct Side {
  Attribute constant;
  BoundsAttr inner;
  int64_t axis;
  int64_t before, behind;
};
} // namespace

/// Whether what is at an offset of a point is on neither side of a row, but
/// maybe farther outside than what is read. A thread has few such points.
static Value isBeside(ImplicitLocOpBuilder &body, const Side &side,
                      BoundsAttr interior, ArrayRef<int64_t> offset) {
  SmallVector<int64_t> along(interior.getRank(), 0);
  along[side.axis] = offset[side.axis];
  Value at = stencil::IndexOp::create(body, side.axis, along);
  SmallVector<int64_t> outside;
  for (int64_t i = 1; i <= side.before; ++i)
    outside.push_back(interior.getLb()[side.axis] - i);
  for (int64_t i = 0; i < side.behind; ++i)
    outside.push_back(interior.getUb()[side.axis] + i);
  return isNoneOf(body, at, outside);
}

/// The sides of which something is read, axis by axis.
static SmallVector<Side> listSides(const StepWriter &writer) {
  const StepComposition &plan = writer.plan;
  BoundsAttr interior = plan.time.interior;
  Type element = plan.getRimType().getElementType();
  SmallVector<Side> sides;
  for (int64_t axis = 0; axis < interior.getRank(); ++axis) {
    HaloRule rules[] = {plan.getRule(axis, false), plan.getRule(axis, true)};
    bool areEqual = rules[0].kind == rules[1].kind &&
                    rules[0].value == rules[1].value &&
                    writer.isNear(axis, false) == writer.isNear(axis, true);
    for (bool isUpper : {false, true}) {
      if (!writer.isNear(axis, isUpper) || rules[isUpper].wraps() ||
          plan.followsFromInside(axis, isUpper))
        continue;
      SmallVector<int64_t> lower(interior.getLb()), upper(interior.getUb());
      int64_t across = plan.steps * plan.getReach(axis, !isUpper);
      // A stage computes no farther than all steps together read.
      if (!areEqual)
        (isUpper ? lower : upper)[axis] += isUpper ? -across : across;
      Attribute constant;
      if (rules[isUpper].isConstant())
        constant = convertNumber(rules[isUpper].value, element);
      bool isLower = !isUpper || areEqual;
      sides.push_back({constant,
                       BoundsAttr::get(interior.getContext(), lower, upper),
                       axis, isLower ? plan.getReach(axis, false) : 0,
                       isUpper || areEqual ? plan.getReach(axis, true) : 0});
      if (areEqual)
        break;
    }
  }
  return sides;
}

Value stencil::chooseHalo(StepWriter &writer, ImplicitLocOpBuilder &body,
                          Value value, ArrayRef<int64_t> offset,
                          llvm::function_ref<Value(Attribute)> getBeyond) {
  BoundsAttr interior = writer.plan.time.interior;
  int64_t last = interior.getRank() - 1;
  bool isOfLegs = writer.plan.legs > 1;
  SmallVector<Side> sides = listSides(writer);
  llvm::erase_if(sides, [&](const Side &side) {
    return side.constant && side.axis == last && writer.plan.areScattered;
  });
  for (ArrayRef<Side> rest = sides; !rest.empty();) {
    auto equal = rest.take_while([&](const Side &side) {
      return side.constant == rest.front().constant;
    });
    rest = rest.drop_front(equal.size());
    Value isInside;
    for (const Side &side : equal) {
      Value isAlong = isOfLegs && side.axis == last
                          ? isBeside(body, side, interior, offset)
                          : isBetween(body, side.axis, side.inner, offset);
      isInside =
          isInside ? arith::AndIOp::create(body, isInside, isAlong).getResult()
                   : isAlong;
    }
    value = arith::SelectOp::create(body, isInside, value,
                                    getBeyond(equal.front().constant));
  }
  return value;
}

/// A step, and around the interior what is there after it.
static ApplyOp makeStepWithHalo(StepWriter &writer, Value source, Type type) {
  ApplyOp stage = writer.makeStep(source, type);
  Operation *end = stage.getBodyBlock()->getTerminator();
  ImplicitLocOpBuilder body(writer.getLoc(), end);
  Value before;
  SmallVector<int64_t> here(stage.getRank(), 0);
  auto getBeyond = [&](Attribute constant) -> Value {
    if (constant)
      return arith::ConstantOp::create(body, cast<TypedAttr>(constant));
    if (!before)
      before = AccessOp::create(
          body, stage.getBodyBlock()->getArgument(writer.plan.input));
    return before;
  };
  end->setOperand(
      0, chooseHalo(writer, body, end->getOperand(0), here, getBeyond));
  return stage;
}

void stencil::setInner(const StepWriter &writer, PipelineOp pipeline) {
  const StepComposition &plan = writer.plan;
  GridBox box(plan.time.interior);
  auto countPoints = [&](int64_t along, bool isUpper) -> int64_t {
    // Of a part, all blocks choose along a row, or none does.
    if (writer.part && along == plan.time.interior.getRank() - 1)
      return 0;
    int64_t reach = plan.getReach(along, isUpper);
    bool isOfReaders =
        plan.followsFromInside(along, isUpper) || plan.areScattered;
    return isOfReaders ? reach : std::min<int64_t>(reach, 1);
  };
  for (int64_t along = 0, rank = plan.below.size(); along < rank; ++along) {
    if (plan.getRule(along, /*upper=*/false).wraps()) {
      box.lb[along] -= plan.images.lower[along];
      box.ub[along] += plan.images.upper[along];
      continue;
    }
    box.lb[along] += countPoints(along, /*isUpper=*/false);
    box.ub[along] -= countPoints(along, /*isUpper=*/true);
    if (box.lb[along] >= box.ub[along])
      return;
  }
  pipeline->setDiscardableAttr(kInnerAttr, box.get(pipeline.getContext()));
}

void stencil::readThroughHalos(const StepWriter &writer, PipelineOp pipeline) {
  const StepComposition &plan = writer.plan;
  if (!plan.followsFromInside())
    return;
  MLIRContext *context = pipeline.getContext();
  SmallVector<Attribute> conditions;
  for (int64_t along = 0, rank = plan.below.size(); along < rank; ++along)
    for (bool isUpper : {false, true})
      conditions.push_back(
          plan.followsFromInside(along, isUpper) &&
                  writer.isNear(along, isUpper)
              ? BoundaryOp(plan.boundary).getCondition(along, isUpper)
              : KeepAttr::get(context));
  WindowHalo halo{
      plan.time.interior, ArrayAttr::get(context, conditions), {}, {}};
  FailureOr<PipelinePlan> known = PipelinePlan::create(pipeline);
  assert(succeeded(known) && "expected a pipeline as others are");
  HaloInputs inputs(pipeline, *known);
  // Others than the points of the interior may have any value.
  OffsetBox here = OffsetBox::zero(plan.below.size());
  for (ApplyOp stage : pipeline.getBodyBlock()->getOps<ApplyOp>()) {
    // Sums of what is read, and reads at few offsets, cannot fail.
    LogicalResult result = expandWeightedSums(stage);
    if (succeeded(result))
      result = HaloReads(stage, halo, plan.time.interior, here, inputs)
                   .run(plan.input);
    assert(succeeded(result));
  }
}

void stencil::stepInWalk(StepWriter &writer, const StateFields &fields) {
  const StepComposition &plan = writer.plan;
  ImplicitLocOpBuilder &builder = writer.builder;
  int64_t axis = *getWalkAxis(plan);
  OpBuilder::InsertionGuard guard(builder);
  PipelineOp pipeline = writer.createPipeline();
  Value state = writer.load(fields.now);
  Type type = state.getType();
  Value value = fetchState(writer, state, axis);
  fetchInputs(writer, axis);
  int64_t planes = plan.countPlanes(axis);
  for (unsigned level = 1; level < plan.steps; ++level) {
    ApplyOp stage = makeStepWithHalo(writer, value, type);
    setStage(writer, stage, level, axis);
    auto window =
        WindowOp::create(builder, stage.getRes().front(), Space::Shuffle,
                         planes, plan.getLead(level, axis));
    window.setExchange(ArrayRef<int64_t>(stage.getRank() - 2));
    value = window;
  }
  ApplyOp last = writer.makeStep(value, type);
  setStage(writer, last, plan.steps, axis);
  StoreOp::create(builder, last.getRes().front(), fields.then, plan.getCore());
  // Of constants, a volume was no faster with code of its own for inner blocks.
  if (plan.followsFromInside())
    setInner(writer, pipeline);
  readThroughHalos(writer, pipeline);
}

void stencil::setHalos(StepWriter &writer, const StateFields &first,
                       Value iterations) {
  ImplicitLocOpBuilder &builder = writer.builder;
  SmallVector<Side> sides = listSides(writer);
  if (llvm::none_of(sides, [](const Side &side) { return side.constant; }))
    return;
  Value isAny =
      arith::CmpIOp::create(builder, arith::CmpIPredicate::ne, iterations,
                            arith::ConstantIndexOp::create(builder, 0));
  auto branch = scf::IfOp::create(builder, isAny);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(branch.thenBlock());
  writer.setBoundary(first.now);
  writer.setBoundary(first.then);
}

/// The bits of a value.
static Value getBits(ImplicitLocOpBuilder &body, Value value) {
  Type type = body.getIntegerType(value.getType().getIntOrFloatBitWidth());
  return arith::BitcastOp::create(body, type, value);
}

Value stencil::areHalosEqual(StepWriter &writer, const StateFields &first) {
  const StepComposition &plan = writer.plan;
  ImplicitLocOpBuilder &builder = writer.builder;
  Value ofNow = writer.load(first.now), ofThen = writer.load(first.then);
  Type i32 = builder.getI32Type();
  Value differ;
  for (int64_t along = 0, rank = plan.below.size(); along < rank; ++along)
    for (bool isUpper : {false, true}) {
      if (plan.getReach(along, isUpper) == 0 ||
          !plan.getRule(along, isUpper).isKept())
        continue;
      BoundsAttr box = plan.getHalo(along, isUpper);
      ApplyOp compare =
          ApplyOp::create(builder, TypeRange(TempType::get(box, i32)),
                          ValueRange{ofNow, ofThen});
      auto body = ImplicitLocOpBuilder::atBlockEnd(writer.getLoc(),
                                                   compare.getBodyBlock());
      SmallVector<Value> bits;
      for (BlockArgument argument : compare.getBodyBlock()->getArguments())
        bits.push_back(getBits(body, AccessOp::create(body, argument)));
      Value isOther = arith::CmpIOp::create(body, arith::CmpIPredicate::ne,
                                            bits[0], bits[1]);
      Value number = arith::ExtUIOp::create(body, i32, isOther);
      ReturnOp::create(body, number);
      Value most =
          FoldOp::create(builder, i32, compare.getRes(), box, FoldKind::Max);
      differ = differ ? builder.createOrFold<arith::OrIOp>(differ, most) : most;
    }
  return arith::CmpIOp::create(
      builder, arith::CmpIPredicate::eq, differ,
      arith::ConstantOp::create(builder, builder.getI32IntegerAttr(0)));
}
