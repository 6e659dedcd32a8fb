//===- RimMatrix.cpp - k steps next to a boundary, as a matrix ------------===//

#include "StencilDialect/Conversion/BoundaryMath.h"
#include "StencilDialect/IR/StencilOps.h"
#include "StepComposition.h"

using namespace mlir;
using namespace stencil;

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

class RimSteps {
public:
  RimSteps(const RimStep &step, int64_t steps, const RimReach &reach);
  void advance();
  RimMatrix take() &&;

private:
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

RimMatrix RimSteps::take() && {
  int64_t columns = matrix.countColumns();
  matrix.elements.assign(matrix.rows * columns, 0);
  for (int64_t number = 0; number < matrix.rows; ++number) {
    const Row &row = state[number];
    llvm::copy(row.weights,
               matrix.elements.begin() + number * columns + row.begin);
  }
  return std::move(matrix);
}

uint64_t stencil::countRimProducts(const RimStep &step, int64_t steps,
                                   const RimReach &reach) {
  auto rows = static_cast<uint64_t>(reach.outwards + reach.inwards);
  return static_cast<uint64_t>(steps) * rows * rows * step.taps.size();
}

uint64_t stencil::countRimElements(const RimStep &step, const RimReach &reach) {
  auto rows = static_cast<uint64_t>(reach.outwards);
  return rows * (rows + reach.inwards + 2 * step.outwards + 1);
}

RimMatrix stencil::makeRimMatrix(const RimStep &step, int64_t steps,
                                 const RimReach &reach) {
  RimSteps rim(step, steps, reach);
  for (int64_t level = 0; level < steps; ++level)
    rim.advance();
  return std::move(rim).take();
}
