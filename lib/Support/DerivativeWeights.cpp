//===- DerivativeWeights.cpp - Finite differences, exactly ----------------===//

#include "StencilDialect/Support/DerivativeWeights.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/MathExtras.h"

#include <cmath>
#include <numeric>

using namespace llvm;
using namespace stencil;

namespace {
/// Integers that remember whether one of them did not fit.
class Checked {
public:
  int64_t multiply(int64_t a, int64_t b) {
    int64_t result = 0;
    overflow |= MulOverflow(a, b, result);
    return result;
  }
  int64_t subtract(int64_t a, int64_t b) {
    int64_t result = 0;
    overflow |= SubOverflow(a, b, result);
    return result;
  }
  /// numerator / denominator in lowest terms.
  Fraction divide(int64_t numerator, int64_t denominator) {
    // Their magnitudes have to exist for std::gcd.
    constexpr int64_t least = std::numeric_limits<int64_t>::min();
    overflow |= numerator == least || denominator == least;
    if (overflow)
      return {};
    int64_t divisor = std::gcd(numerator, denominator);
    if (denominator < 0)
      divisor = -divisor;
    return {numerator / divisor, denominator / divisor};
  }
  Fraction multiply(Fraction a, Fraction b) {
    Fraction crossed = divide(a.numerator, b.denominator);
    Fraction other = divide(b.numerator, a.denominator);
    return {multiply(crossed.numerator, other.numerator),
            multiply(crossed.denominator, other.denominator)};
  }

  bool overflow = false;
};
} // namespace

static Error makeError(const Twine &message) {
  return createStringError(message.str());
}

static Error makeOverflowError() {
  return makeError("expected weights that are fractions of 64-bit integers; "
                   "fewer or closer nodes have such");
}

double DerivativeWeights::scale(ArrayRef<double> spacing) const {
  double result = 1;
  for (auto [step, count] : zip_equal(spacing, derivatives))
    result /= std::pow(step, static_cast<double>(count));
  return result;
}

Expected<SmallVector<Fraction>>
stencil::getFornbergWeights(unsigned derivative, ArrayRef<int64_t> nodes) {
  if (nodes.size() <= derivative)
    return makeError("expected more nodes than the derivative " +
                     Twine(derivative) + ", got " + Twine(nodes.size()));
  SmallVector<Fraction> weights;
  Checked checked;
  for (auto [own, node] : enumerate(nodes)) {
    // The polynomial that is 1 at this node and 0 at the others is
    //   product of (x - other) / product of (node - other);
    // its derivative at 0 is derivative! times the coefficient of that power.
    SmallVector<int64_t> coefficients = {1};
    int64_t denominator = 1;
    for (auto [index, other] : enumerate(nodes)) {
      if (index == own)
        continue;
      int64_t distance = checked.subtract(node, other);
      if (distance == 0)
        return makeError("expected distinct nodes, got " + Twine(node) +
                         " twice");
      denominator = checked.multiply(denominator, distance);
      coefficients.push_back(0);
      for (size_t power = coefficients.size() - 1; power > 0; --power)
        coefficients[power] =
            checked.subtract(coefficients[power - 1],
                             checked.multiply(other, coefficients[power]));
      coefficients[0] =
          checked.subtract(0, checked.multiply(other, coefficients[0]));
      // A large set of nodes need not be gone through.
      if (checked.overflow)
        return makeOverflowError();
    }
    int64_t numerator = coefficients[derivative];
    for (unsigned factor = 2; factor <= derivative; ++factor)
      numerator = checked.multiply(numerator, factor);
    weights.push_back(checked.divide(numerator, denominator));
    if (checked.overflow)
      return makeOverflowError();
  }
  return weights;
}

/// A derivative along one axis: offsets from -radius and their weights.
static Expected<SmallVector<Fraction>> getCentralWeights(unsigned derivative,
                                                         unsigned accuracy) {
  if (accuracy == 0 || accuracy % 2 != 0)
    return makeError("expected an even order of accuracy from 2, got " +
                     Twine(accuracy));
  // Symmetry gives every even derivative one order for nothing. The cap keeps
  // the nodes countable; weights overflow far below it.
  uint64_t radius = (static_cast<uint64_t>(derivative) + 1) / 2 +
                    static_cast<uint64_t>(accuracy) / 2 - 1;
  if (radius > 100)
    return makeOverflowError();
  int64_t reach = static_cast<int64_t>(radius);
  return getFornbergWeights(derivative,
                            to_vector(seq_inclusive<int64_t>(-reach, reach)));
}

Expected<DerivativeWeights>
stencil::getDerivative(ArrayRef<unsigned> derivatives, unsigned accuracy) {
  if (all_of(derivatives, [](unsigned count) { return count == 0; }))
    return makeError("expected an axis to differentiate along, got none");
  DerivativeWeights result;
  result.derivatives.assign(derivatives.begin(), derivatives.end());
  result.offsets.emplace_back();
  result.weights.push_back({1, 1});
  Checked checked;
  for (unsigned count : derivatives) {
    SmallVector<Fraction> factors = {{1, 1}};
    if (count != 0) {
      auto central = getCentralWeights(count, accuracy);
      if (!central)
        return central.takeError();
      factors = std::move(*central);
    }
    int64_t radius = static_cast<int64_t>(factors.size()) / 2;
    DerivativeWeights product;
    for (auto [offset, weight] : zip_equal(result.offsets, result.weights)) {
      for (auto [index, factor] : enumerate(factors)) {
        if (factor.numerator == 0)
          continue;
        product.offsets.push_back(offset);
        product.offsets.back().push_back(static_cast<int64_t>(index) - radius);
        product.weights.push_back(checked.multiply(weight, factor));
      }
    }
    result.offsets = std::move(product.offsets);
    result.weights = std::move(product.weights);
    if (checked.overflow)
      return makeOverflowError();
  }
  return result;
}

Expected<DerivativeWeights> stencil::getDiagonalDerivative(unsigned rank,
                                                           unsigned firstAxis,
                                                           unsigned secondAxis,
                                                           unsigned accuracy) {
  if (firstAxis >= rank || secondAxis >= rank || firstAxis == secondAxis)
    return makeError("expected two different axes below the rank " +
                     Twine(rank) + ", got " + Twine(firstAxis) + " and " +
                     Twine(secondAxis));
  auto second = getCentralWeights(2, accuracy);
  if (!second)
    return second.takeError();
  unsigned low = std::min(firstAxis, secondAxis);
  unsigned high = std::max(firstAxis, secondAxis);
  DerivativeWeights result;
  result.derivatives.assign(rank, 0);
  result.derivatives[low] = result.derivatives[high] = 1;
  int64_t radius = static_cast<int64_t>(second->size()) / 2;
  Checked checked;
  for (auto [index, weight] : enumerate(*second)) {
    int64_t along = static_cast<int64_t>(index) - radius;
    // At the centre the diagonals cancel.
    if (along == 0)
      continue;
    int64_t across = std::abs(along);
    for (int64_t other : {-across, across}) {
      SmallVector<int64_t> offset(rank, 0);
      offset[low] = along;
      offset[high] = other;
      result.offsets.push_back(std::move(offset));
      result.weights.push_back(
          checked.multiply(weight, {along == other ? 1 : -1, 4}));
    }
  }
  if (checked.overflow)
    return makeOverflowError();
  return result;
}
