//===- RowStep.cpp - A step that is a sum over one axis -------------------===//
//
// Sources: ConvStencil (kernel fusion of time steps) for the sum of the
// interior.
//
//===----------------------------------------------------------------------===//

#include "ComposedParts.h"
#include "StencilDialect/Conversion/BoundaryMath.h"
#include "StencilDialect/IR/StencilOps.h"
#include "StepComposition.h"
#include "StepPlanner.h"

#include <cmath>

using namespace mlir;
using namespace stencil;

//===----------------------------------------------------------------------===//
// Steps next to a boundary, as a matrix
//===----------------------------------------------------------------------===//

APFloat stencil::roundNumber(long double number, Type type) {
  // As a sum of two doubles, exactly.
  auto high = static_cast<double>(number);
  APFloat sum(high), rest(static_cast<double>(number - high));
  bool isInexact;
  sum.convert(APFloat::IEEEquad(), APFloat::rmNearestTiesToEven, &isInexact);
  rest.convert(APFloat::IEEEquad(), APFloat::rmNearestTiesToEven, &isInexact);
  sum.add(rest, APFloat::rmNearestTiesToEven);
  sum.convert(cast<FloatType>(type).getFloatSemantics(),
              APFloat::rmNearestTiesToEven, &isInexact);
  return sum;
}

namespace {

/// What a point is, in the columns of the matrix; those that can have a weight.
struct Row {
  int64_t begin = 0;
  std::vector<long double> weights;
};

/// The outermost points, as many as the reach outwards, after `steps` steps.
/// What is beyond the reach inwards of the innermost one is not followed.
class RimSteps {
public:
  RimSteps(const RimStep &step, int64_t steps, const RimReach &reach);
  RimMatrix run() &&;

private:
  void advance();
  static void add(Row &sum, const Row &row, long double factor);
  static Row getColumn(int64_t column) { return {column, {1}}; }
  Row getOutside(int64_t distance) const;

  const RimStep &step;
  int64_t steps, level = 0;
  RimMatrix matrix;
  /// The state at this level, from the boundary inwards.
  std::vector<Row> state;
};

} // namespace

RimSteps::RimSteps(const RimStep &step, int64_t steps, const RimReach &reach)
    : step(step), steps(steps) {
  matrix.rows = reach.outwards;
  matrix.interior = reach.outwards + reach.inwards;
  matrix.halo = step.rule.isKept() ? step.outwards : 0;
  matrix.hasConstant = step.constant != 0 || step.value != 0;
  for (int64_t point = 0; point < matrix.interior; ++point)
    state.push_back(getColumn(matrix.getOutside() + point));
}

void RimSteps::add(Row &sum, const Row &row, long double factor) {
  if (row.weights.empty())
    return;
  if (sum.weights.empty())
    sum.begin = row.begin;
  auto size = static_cast<int64_t>(sum.weights.size());
  if (row.begin < sum.begin) {
    sum.weights.insert(sum.weights.begin(), sum.begin - row.begin, 0);
    size += sum.begin - row.begin;
    sum.begin = row.begin;
  }
  int64_t first = row.begin - sum.begin;
  auto count = static_cast<int64_t>(row.weights.size());
  if (first + count > size)
    sum.weights.resize(first + count, 0);
  for (int64_t number = 0; number < count; ++number)
    sum.weights[first + number] += factor * row.weights[number];
}

/// The halo point that is `distance` beyond the outermost interior point.
Row RimSteps::getOutside(int64_t distance) const {
  const HaloRule &rule = step.rule;
  if (rule.isKept()) {
    // From the boundary inwards, as all columns.
    bool isOdd = level % 2 != 0;
    int64_t block = (matrix.hasConstant ? 1 : 0) + (isOdd ? 0 : matrix.halo);
    return getColumn(block + matrix.halo - distance);
  }
  Row row;
  if (rule.isConstant()) {
    if (step.value != 0)
      add(row, getColumn(0), step.value);
  } else if (rule.isPolynomial()) {
    for (int64_t node = 0; node <= rule.order; ++node)
      add(row, state[node], getExtrapolationWeight(rule.order, distance, node));
  } else {
    add(row, state[rule.getPoint(distance)], rule.isNegated ? -1 : 1);
  }
  return row;
}

void RimSteps::advance() {
  std::vector<Row> halo;
  for (int64_t distance = 1; distance <= step.outwards; ++distance)
    halo.push_back(getOutside(distance));
  // Those that the rows of the matrix still depend on.
  auto size = static_cast<int64_t>(state.size());
  std::vector<Row> next(
      std::min(size, matrix.rows + (steps - level - 1) * step.inwards));
  for (auto [point, row] : llvm::enumerate(next)) {
    for (auto [offset, weight] : step.taps) {
      int64_t at = static_cast<int64_t>(point) + offset;
      // Beyond what is followed: too far away for the rows of the matrix.
      if (at < size)
        add(row, at < 0 ? halo[-at - 1] : state[at], weight);
    }
    if (step.constant != 0)
      add(row, getColumn(0), step.constant);
  }
  state = std::move(next);
  ++level;
}

RimMatrix RimSteps::run() && {
  while (level < steps)
    advance();
  int64_t columns = matrix.countColumns();
  matrix.elements.assign(matrix.rows * columns, 0);
  for (int64_t number = 0; number < matrix.rows; ++number) {
    const Row &row = state[number];
    llvm::copy(row.weights,
               matrix.elements.begin() + number * columns + row.begin);
  }
  return std::move(matrix);
}

/// Elements of the matrix of so many steps, at most.
static uint64_t countRimElements(const RimStep &step, const RimReach &reach) {
  auto rows = static_cast<uint64_t>(reach.outwards);
  return rows * (rows + reach.inwards + 2 * step.outwards + 1);
}

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
    why.refuse(plan.step, reason);
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
    return why.refuse(plan.step,
                      "the composed sum would reach over more than " +
                          Twine(kMostPoints) + " points");
  if (length * plan.steps / 2 * step.taps.size() > kMostProducts)
    return why.refuse(plan.step,
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
      return why.refuse(plan.step,
                        "a composed weight is too large for its type");
  if (plan.cutTaps.size() > kMaxComposedTaps)
    return why.refuse(plan.step, "the composed sum would have more than " +
                                     Twine(kMaxComposedTaps) + " taps");
  return true;
}

bool RowStep::makeMatrices(double tolerance, StepComposition &plan,
                           NoTimeLoop &why) const {
  for (bool isUpper : {false, true}) {
    int64_t own = isUpper ? plan.reach.inwards : plan.reach.outwards;
    if (plan.countSources(/*axis=*/0, isUpper) > own)
      return why.refuse(plan.boundary,
                        "the boundary condition reads beyond the rim");
  }
  // 2^29 products are a second, of which a tolerance is worth some.
  const uint64_t most = uint64_t(1) << (tolerance > 0 ? 32 : 29);
  RimReach reversed{plan.reach.inwards, plan.reach.outwards};
  auto rows = static_cast<uint64_t>(plan.reach.outwards + plan.reach.inwards);
  if (plan.steps * rows * rows * lower.taps.size() > most)
    return why.refuse(plan.step, "the matrix of its rim would take more than " +
                                     Twine(most) + " products");
  if (countRimElements(lower, plan.reach) > MatVecOp::kMostElements ||
      countRimElements(upper, reversed) > MatVecOp::kMostElements)
    return why.refuse(plan.step, "the matrix of its rim would have more than " +
                                     Twine(MatVecOp::kMostElements) +
                                     " elements");
  Type element = plan.getRimType().getElementType();
  auto make = [&](const RimStep &end, const RimReach &reach,
                  RimMatrix &matrix) {
    matrix = RimSteps(end, plan.steps, reach).run();
    bool isFinite = llvm::all_of(matrix.elements, [&](long double number) {
      return roundNumber(number, element).isFinite();
    });
    return isFinite ||
           why.refuse(plan.step, "a number in the matrix of its rim is "
                                 "not finite, or too large for its type");
  };
  return make(lower, plan.reach, plan.lowerRim) &&
         make(upper, reversed, plan.upperRim);
}
