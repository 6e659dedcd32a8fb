//===- RowStep.cpp - A step that is a sum over one axis -------------------===//
//
// Sources: ConvStencil (kernel fusion of time steps) for the sum of the
// interior.
//
//===----------------------------------------------------------------------===//

#include "ComposedParts.h"
#include "StencilDialect/Conversion/BoundaryMath.h"
#include "StepPlanner.h"

#include <cmath>

using namespace mlir;
using namespace stencil;

/// More precise than any type of a program, where the host has such a type.
static long double toLongDouble(MLIRContext *context, const Number &number) {
  auto wide = cast<FloatAttr>(number.round(Float128Type::get(context)));
  APFloat rest = wide.getValue();
  long double sum = 0;
  // Twice as many digits as a double has.
  for (int part = 0; part < 2; ++part) {
    APFloat high = rest;
    bool isInexact;
    high.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven,
                 &isInexact);
    sum += high.convertToDouble();
    high.convert(rest.getSemantics(), APFloat::rmNearestTiesToEven, &isInexact);
    rest.subtract(high, APFloat::rmNearestTiesToEven);
  }
  return sum;
}

/// What is beyond one end.
static void setCondition(const StepComposition &plan, RimStep &end,
                         bool upper) {
  if (!plan.boundary || end.outwards == 0)
    return;
  end.rule = plan.getRule(/*axis=*/0, upper);
  if (end.rule.isConstant())
    end.value =
        cast<FloatAttr>(
            convertNumber(end.rule.value, plan.getRimType().getElementType()))
            .getValueAsDouble();
}

std::optional<RowStep> RowStep::find(const StepComposition &plan, MathMode math,
                                     NoTimeLoop &why) {
  auto fail = [&](const Twine &reason) {
    refuse(why, plan.step, reason);
    return std::nullopt;
  };
  Type element = plan.getRimType().getElementType();
  if (!isa<FloatType>(element))
    return fail("a rim at once is one of floats, got " +
                Twine(isa<IndexType>(element) ? "indices" : "integers"));
  std::string reason;
  std::optional<ComposedForm> form =
      findStepForm(plan.step, plan.input, math, reason);
  if (!form)
    return fail(reason);
  MLIRContext *context = element.getContext();
  RowStep row;
  RimStep &lower = row.lower, &upper = row.upper;
  lower.outwards = upper.inwards = plan.below[0];
  lower.inwards = upper.outwards = plan.above[0];
  bool isConstant = form->form.getConstant().isConstant();
  for (const auto &[source, taps] : form->form.getSources())
    for (const auto &[offset, coefficient] : taps) {
      isConstant &= coefficient.isConstant();
      long double weight = toLongDouble(context, coefficient.getNumber());
      lower.taps[offset[0]] = weight;
      upper.taps[-offset[0]] = weight;
    }
  if (!isConstant)
    return fail("the weights of the step are not constants, which "
                "those of a rim at once are");
  lower.constant = upper.constant =
      toLongDouble(context, form->form.getConstant().getNumber());
  setCondition(plan, lower, false);
  setCondition(plan, upper, true);
  return row;
}

bool RowStep::composeAndCut(double tolerance, StepComposition &plan,
                            NoTimeLoop &why) const {
  const RimStep &step = lower;
  int64_t below = step.outwards, width = below + step.inwards;
  // A second has 2^29 products.
  constexpr uint64_t kMostPoints = uint64_t(1) << 20;
  constexpr uint64_t kMostProducts = uint64_t(1) << 30;
  uint64_t length = static_cast<uint64_t>(width) * plan.steps;
  if (length > kMostPoints)
    return refuse(why, plan.step,
                  "the composed sum would reach over more than " +
                      Twine(kMostPoints) + " points");
  if (length * plan.steps / 2 * step.taps.size() > kMostProducts)
    return refuse(why, plan.step,
                  "multiplying out its sums would take more than " +
                      Twine(kMostProducts) + " products");
  std::vector<long double> sum = {1};
  long double constant = 0, total = 0;
  for (auto [offset, weight] : step.taps)
    total += weight;
  for (unsigned i = 0; i < plan.steps; ++i) {
    std::vector<long double> next(sum.size() + width, 0);
    for (auto [offset, weight] : step.taps)
      for (auto [place, value] : llvm::enumerate(sum))
        next[place + below + offset] += weight * value;
    sum = std::move(next);
    constant = total * constant + step.constant;
  }
  long double left = 0;
  for (long double value : sum)
    left += std::fabs(value);
  left *= tolerance;
  // The end that is smaller goes first.
  int64_t first = 0, last = static_cast<int64_t>(sum.size()) - 1;
  while (first < last) {
    bool isLower = std::fabs(sum[first]) <= std::fabs(sum[last]);
    left -= std::fabs(sum[isLower ? first : last]);
    if (left < 0)
      break;
    (isLower ? first : last) += isLower ? 1 : -1;
  }
  int64_t center = static_cast<int64_t>(plan.steps) * below;
  for (int64_t place = first; place <= last; ++place)
    plan.cutTaps[place - center] = sum[place];
  plan.cutConstant = constant;
  plan.reach = {std::max<int64_t>(center - first, 0),
                std::max<int64_t>(last - center, 0)};
  Type element = plan.getRimType().getElementType();
  for (long double value : sum)
    if (!roundNumber(value, element).isFinite())
      return refuse(why, plan.step,
                    "a composed weight is too large for its type");
  if (plan.cutTaps.size() > kMaxComposedTaps)
    return refuse(why, plan.step,
                  "the composed sum would have more than " +
                      Twine(kMaxComposedTaps) + " taps");
  return true;
}

bool RowStep::makeMatrices(double tolerance, StepComposition &plan,
                           NoTimeLoop &why) const {
  for (bool isUpper : {false, true}) {
    int64_t own = isUpper ? plan.reach.inwards : plan.reach.outwards;
    if (plan.countSources(/*axis=*/0, isUpper) > own)
      return refuse(why, plan.boundary,
                    "the boundary condition reads beyond the rim");
  }
  // Seconds, of which a tolerance is worth some.
  const uint64_t most = uint64_t(1) << (tolerance > 0 ? 32 : 29);
  RimReach reversed{plan.reach.inwards, plan.reach.outwards};
  if (countRimProducts(lower, plan.steps, plan.reach) > most ||
      countRimProducts(upper, plan.steps, reversed) > most)
    return refuse(why, plan.step,
                  "the matrix of its rim would take more than " + Twine(most) +
                      " products");
  if (countRimElements(lower, plan.reach) > MatVecOp::kMostElements ||
      countRimElements(upper, reversed) > MatVecOp::kMostElements)
    return refuse(why, plan.step,
                  "the matrix of its rim would have more than " +
                      Twine(MatVecOp::kMostElements) + " elements");
  Type element = plan.getRimType().getElementType();
  auto make = [&](const RimStep &end, const RimReach &reach,
                  RimMatrix &matrix) {
    matrix = makeRimMatrix(end, plan.steps, reach);
    bool isFinite = llvm::all_of(matrix.elements, [&](long double number) {
      return roundNumber(number, element).isFinite();
    });
    return isFinite || refuse(why, plan.step,
                              "a number in the matrix of its rim is "
                              "not finite, or too large for its type");
  };
  return make(lower, plan.reach, plan.lowerRim) &&
         make(upper, reversed, plan.upperRim);
}
