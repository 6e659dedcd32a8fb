//===- ComposedLegs.cpp - Steps that have their halos, in legs ------------===//
//
//   stencil.pipeline axis 0 {
//     %x = stencil.load %now
//     %w = a shared window of %x; around the field it has zeros
//     %1 = step 1 of %w; around the interior, what the halo has after it
//     %q = a window of %1, of which lanes of a row have the columns
//     %2 = step 2 of %q; ...
//     ...
//     the store of the last step to %then
//   }
//
// as in a walk through a volume, but that all legs have to be equal. So the
// last step has its halo, too; and where steps are scaled, each leg begins and
// ends with the state itself:
//
//   v(0) = u(0), v(t + 1) = the scaled step of v(t), or v(t) / s outside
//
// Steps that are scattered have a term for each row that they read, and the sum
// of these. Outside, terms of other rows are zero:
//
//   %t:3 = { outside of row + 1 ? 0 : ..., outside ? v / s : ..., ... }
//   %1 = stencil.accumulate %t#0, %t#1, %t#2 at [-1, 0, 1]
//
// Constants beside rows are chosen by who reads them: a value for each step,
// not for each of its terms.
//
// Columns at the ends of rows are pipelines of their own, beside that of the
// others, which choose nothing along a row (StepColumns.cpp).
//
//===----------------------------------------------------------------------===//

#include "ComposedParts.h"
#include "StencilDialect/Conversion/BoundaryMath.h"
#include "StencilDialect/IR/DiscardableAttrs.h"
#include "StencilDialect/IR/Schedule.h"
#include "Sums/SumBodies.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

#include <map>

using namespace mlir;
using namespace stencil;

namespace {
class LegsWriter {
public:
  LegsWriter(StepWriter &writer, int64_t axis)
      : writer(writer), plan(writer.plan), axis(axis),
        length(plan.steps / plan.legs),
        scaled(scaleSteps(plan.step, plan.input, length, writer.math,
                          plan.areScattered)) {}

  Value addStep(Value source, unsigned level) {
    return plan.areScattered ? addTerms(source, level)
                             : addWhole(source, level);
  }

private:
  Value getHalo(ImplicitLocOpBuilder &body, Value state, Attribute constant,
                unsigned level) const;
  Value addWhole(Value source, unsigned level);
  void readConstants(ApplyOp stage, unsigned level);
  Value addTerms(Value source, unsigned level);

  StepWriter &writer;
  const StepComposition &plan;
  int64_t axis;
  /// Steps of a leg.
  unsigned length;
  std::optional<ScaledStep> scaled;
};
} // namespace

/// What a halo has after a step, of what it had before.
Value LegsWriter::getHalo(ImplicitLocOpBuilder &body, Value state,
                          Attribute constant, unsigned level) const {
  unsigned step = (level - 1) % length + 1;
  bool isLast = step == length;
  if (constant) {
    TypedAttr value = cast<TypedAttr>(constant);
    if (scaled && !isLast)
      value = scaled->scale(value, -static_cast<int64_t>(step));
    return arith::ConstantOp::create(body, value);
  }
  Value before = AccessOp::create(body, state);
  int64_t power = isLast ? static_cast<int64_t>(length) - 1 : -1;
  if (!scaled || power == 0)
    return before;
  auto one = cast<TypedAttr>(body.getFloatAttr(before.getType(), 1.0));
  return arith::MulFOp::create(
      body, before, arith::ConstantOp::create(body, scaled->scale(one, power)),
      scaled->flags);
}

/// A step as one value of a stage.
Value LegsWriter::addWhole(Value source, unsigned level) {
  ApplyOp stage = writer.makeStep(source, source.getType());
  if (scaled)
    scaled->apply(stage, plan.input, /*isLast=*/level % length == 0);
  Operation *end = stage.getBodyBlock()->getTerminator();
  ImplicitLocOpBuilder body(writer.getLoc(), end);
  Value state = stage.getBodyBlock()->getArgument(plan.input);
  SmallVector<int64_t> here(stage.getRank(), 0);
  end->setOperand(0, chooseHalo(writer, body, end->getOperand(0), here,
                                [&](Attribute constant) {
                                  return getHalo(body, state, constant, level);
                                }));
  setStage(writer, stage, level, axis);
  return stage.getRes().front();
}

/// Has a stage of terms choose what it reads beside a row whose halo is a
/// constant. What lies farther outside nobody needs.
void LegsWriter::readConstants(ApplyOp stage, unsigned level) {
  if (failed(expandWeightedSums(stage)))
    llvm_unreachable("sums of what is read cannot fail");
  int64_t last = stage.getRank() - 1;
  BoundsAttr interior = plan.time.interior;
  SmallVector<int64_t> here(stage.getRank(), 0);
  for (AccessOp access :
       llvm::make_early_inc_range(stage.getBodyBlock()->getOps<AccessOp>())) {
    int64_t offset = access.getOffset().getValues()[last];
    HaloRule rule = plan.getRule(last, /*upper=*/offset > 0);
    if (offset == 0 || !rule.isConstant() ||
        !writer.isNear(last, /*upper=*/offset > 0))
      continue;
    ImplicitLocOpBuilder body(writer.getLoc(), access->getContext());
    body.setInsertionPointAfter(access);
    Value at = stencil::IndexOp::create(body, last, here);
    SmallVector<int64_t> beside;
    for (int64_t i = 0; i < std::abs(offset); ++i)
      beside.push_back(offset < 0 ? interior.getLb()[last] + i
                                  : interior.getUb()[last] - 1 - i);
    Value isInside = isNoneOf(body, at, beside);
    // Of the state that is read, some steps of a leg have been taken.
    TypedAttr value =
        cast<TypedAttr>(convertNumber(rule.value, writer.getElementType()));
    value = scaled->scale(value, -static_cast<int64_t>((level - 1) % length));
    auto choice = arith::SelectOp::create(
        body, isInside, access, arith::ConstantOp::create(body, value));
    access.getRes().replaceAllUsesExcept(choice, choice);
  }
}

/// A step as the sum of terms of rows, which are read as they come.
Value LegsWriter::addTerms(Value source, unsigned level) {
  ImplicitLocOpBuilder &builder = writer.builder;
  int64_t rank = plan.below.size();
  bool isLast = level % length == 0;
  DenseElementsAttr weights = isLast ? scaled->lastWeights : scaled->weights;
  // By row: what it contributes, and where that is read in it.
  std::map<int64_t, std::pair<SmallVector<int64_t>, SmallVector<Attribute>>>
      rows;
  ArrayRef<int64_t> rest(scaled->offsets);
  for (Attribute weight : weights.getValues<Attribute>()) {
    SmallVector<int64_t> offset(rest.take_front(rank));
    rest = rest.drop_front(rank);
    auto &[offsets, ofRow] = rows[std::exchange(offset[axis], 0)];
    llvm::append_range(offsets, offset);
    ofRow.push_back(weight);
  }
  SmallVector<Type> types(rows.size(), source.getType());
  auto stage = ApplyOp::create(builder, types, ValueRange(source));
  auto body =
      ImplicitLocOpBuilder::atBlockEnd(writer.getLoc(), stage.getBodyBlock());
  Value state = stage.getBodyBlock()->getArgument(0);
  SmallVector<Value> terms;
  SmallVector<int64_t> planes;
  for (auto &[row, taps] : rows) {
    auto type = RankedTensorType::get(
        {static_cast<int64_t>(taps.second.size())}, writer.getElementType());
    Value term = WeightedSumOp::create(
        body, state, taps.first, DenseElementsAttr::get(type, taps.second),
        stencil::IndexAttr(), scaled->flags);
    SmallVector<int64_t> target(rank, 0);
    target[axis] = -row;
    auto getBeyond = [&, row = row](Attribute constant) -> Value {
      if (row == 0)
        return getHalo(body, state, constant, level);
      return arith::ConstantOp::create(
          body, builder.getZeroAttr(writer.getElementType()));
    };
    terms.push_back(chooseHalo(writer, body, term, target, getBeyond));
    planes.push_back(row);
  }
  ReturnOp::create(body, terms);
  readConstants(stage, level);
  setStage(writer, stage, level - 1, axis);
  auto sum =
      AccumulateOp::create(builder, source.getType(), stage.getRes(), planes);
  sum->setDiscardableAttr(kAnyOrderAttr, builder.getUnitAttr());
  return sum;
}

bool stencil::canScatterLegs(const StepComposition &plan, unsigned legs,
                             MathMode math) {
  // What a halo takes from inside is of other rows than those that are read.
  return !plan.followsFromInside() &&
         scaleSteps(plan.step, plan.input, plan.steps / legs, math,
                    /*areScattered=*/true)
             .has_value();
}

static PipelineOp stepInPart(StepWriter &writer, const StateFields &fields,
                             BoundsAttr core) {
  const StepComposition &plan = writer.plan;
  ImplicitLocOpBuilder &builder = writer.builder;
  int64_t axis = *getWalkAxis(plan);
  OpBuilder::InsertionGuard guard(builder);
  PipelineOp pipeline = writer.createPipeline();
  Value value = fetchState(writer, writer.load(fields.now), axis);
  LegsWriter legs(writer, axis);
  for (unsigned level = 1; level <= plan.steps; ++level) {
    value = legs.addStep(value, level);
    if (level < plan.steps)
      value = WindowOp::create(builder, value, Space::Shuffle,
                               plan.areScattered ? 1 : plan.countPlanes(axis),
                               plan.getLead(level, axis));
  }
  StoreOp::create(builder, value, fields.then, core);
  setInner(writer, pipeline);
  readThroughHalos(writer, pipeline);
  return pipeline;
}

void stencil::stepInLegs(StepWriter &writer, const StateFields &fields) {
  const StepComposition &plan = writer.plan;
  if (plan.parts.empty())
    stepInPart(writer, fields, plan.getCore());
  for (const StepPart &part : plan.parts) {
    writer.part = part.core;
    PipelineOp pipeline = stepInPart(writer, fields, part.core);
    ScheduleKeys keys(ScheduleAttr::of(pipeline));
    keys.segments = part.segments;
    keys.regions = RegionLaunch::Streams;
    keys.give(pipeline);
  }
  writer.part = {};
}
