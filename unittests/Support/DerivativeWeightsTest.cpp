//===- DerivativeWeightsTest.cpp - Finite differences, exactly ------------===//

#include "StencilDialect/Support/DerivativeWeights.h"

#include "llvm/ADT/STLExtras.h"

#include "gtest/gtest.h"

#include <numeric>
#include <set>
#include <vector>

using namespace stencil;
using llvm::ArrayRef;
using llvm::SmallVector;

/// Why there is no value.
template <typename T>
static std::string getMessage(llvm::Expected<T> &&expected) {
  return llvm::toString(expected.takeError());
}

namespace {
/// Central weights as published: a common denominator, and numerators from the
/// leftmost tap to the centre. The other half mirrors them.
struct Published {
  unsigned derivative, accuracy;
  int64_t denominator;
  std::vector<int64_t> numerators;
};
} // namespace

// Fornberg (1988), table 1: derivatives 1 to 4, orders 2 to 8. The rows of
// order 6 are also eqs 3.17 and 3.18 of the Astaroth thesis.
static std::vector<Published> getTable1() {
  return {
      {1, 2, 2, {-1, 0}},
      {1, 4, 12, {1, -8, 0}},
      {1, 6, 60, {-1, 9, -45, 0}},
      {1, 8, 840, {3, -32, 168, -672, 0}},
      {2, 2, 1, {1, -2}},
      {2, 4, 12, {-1, 16, -30}},
      {2, 6, 180, {2, -27, 270, -490}},
      {2, 8, 5040, {-9, 128, -1008, 8064, -14350}},
      {3, 2, 2, {-1, 2, 0}},
      {3, 4, 8, {1, -8, 13, 0}},
      {3, 6, 240, {-7, 72, -338, 488, 0}},
      {4, 2, 1, {1, -4, 6}},
      {4, 4, 6, {-1, 12, -39, 56}},
      {4, 6, 240, {7, -96, 676, -1952, 2730}},
  };
}

static std::vector<Fraction> getFractions(ArrayRef<int64_t> numerators,
                                          int64_t denominator) {
  std::vector<Fraction> fractions;
  for (int64_t numerator : numerators) {
    int64_t divisor = std::gcd(numerator, denominator);
    fractions.push_back({numerator / divisor, denominator / divisor});
  }
  return fractions;
}

TEST(DerivativeWeights, CentralAsPublished) {
  for (const Published &row : getTable1()) {
    auto got = getDerivative({row.derivative}, row.accuracy);
    ASSERT_TRUE(!!got);
    std::vector<Fraction> half = getFractions(row.numerators, row.denominator);
    int64_t radius = static_cast<int64_t>(half.size()) - 1;
    size_t tap = 0;
    for (int64_t offset = -radius; offset <= radius; ++offset) {
      Fraction want = half[radius - std::abs(offset)];
      if (offset > 0 && row.derivative % 2 != 0)
        want.numerator = -want.numerator;
      if (want.numerator == 0)
        continue;
      ASSERT_LT(tap, got->offsets.size());
      EXPECT_EQ(got->offsets[tap], SmallVector<int64_t>({offset}));
      EXPECT_EQ(got->weights[tap], want) << row.derivative << ' ' << offset;
      ++tap;
    }
    EXPECT_EQ(tap, got->weights.size());
  }
}

TEST(DerivativeWeights, OneSidedAndStaggeredAsPublished) {
  // Fornberg (1988), table 3: the first and the second derivative.
  auto first = getFornbergWeights(1, {0, 1, 2, 3, 4});
  ASSERT_TRUE(!!first);
  EXPECT_EQ(ArrayRef<Fraction>(*first),
            ArrayRef<Fraction>(getFractions({-25, 48, -36, 16, -3}, 12)));
  auto second = getFornbergWeights(2, {0, 1, 2, 3});
  ASSERT_TRUE(!!second);
  EXPECT_EQ(ArrayRef<Fraction>(*second),
            ArrayRef<Fraction>(getFractions({2, -5, 4, -1}, 1)));
  // Table 2, halfway between points: in units of half the spacing, where the
  // weights 1/24, -9/8 ... are half as large.
  auto staggered = getFornbergWeights(1, {-3, -1, 1, 3});
  ASSERT_TRUE(!!staggered);
  EXPECT_EQ(ArrayRef<Fraction>(*staggered),
            ArrayRef<Fraction>(getFractions({1, -27, 27, -1}, 48)));
}

TEST(DerivativeWeights, DiagonalAsInTheThesis) {
  // Eq. 3.19: 270, -27 and 2 over 720, positive on the main diagonal.
  auto got = getDiagonalDerivative(3, 0, 1, 6);
  ASSERT_TRUE(!!got);
  EXPECT_EQ(got->derivatives, SmallVector<unsigned>({1, 1, 0}));
  ASSERT_EQ(got->offsets.size(), 12u);
  for (auto [offset, weight] : llvm::zip_equal(got->offsets, got->weights)) {
    EXPECT_EQ(std::abs(offset[0]), std::abs(offset[1]));
    EXPECT_EQ(offset[2], 0);
    int64_t numerator =
        std::vector<int64_t>{0, 270, -27, 2}[std::abs(offset[0])];
    if (offset[0] != offset[1])
      numerator = -numerator;
    EXPECT_EQ(weight, getFractions({numerator}, 720).front());
  }
  // The order of the axes does not matter.
  auto swapped = getDiagonalDerivative(3, 1, 0, 6);
  ASSERT_TRUE(!!swapped);
  EXPECT_EQ(got->offsets, swapped->offsets);
}

/// The sum over the taps of x0^powers[0] x1^powers[1] ..., exactly.
static Fraction apply(const DerivativeWeights &weights,
                      ArrayRef<int64_t> powers) {
  // 7560 * 7560 is divided by every denominator of the tests.
  constexpr int64_t common = int64_t(7560) * 7560;
  int64_t total = 0;
  for (auto [offset, weight] :
       llvm::zip_equal(weights.offsets, weights.weights)) {
    EXPECT_EQ(common % weight.denominator, 0) << weight.denominator;
    int64_t term = weight.numerator * (common / weight.denominator);
    for (auto [x, power] : llvm::zip_equal(offset, powers))
      for (int64_t i = 0; i < power; ++i)
        term *= x;
    total += term;
  }
  int64_t divisor = std::gcd(total, common);
  return {total / divisor, common / divisor};
}

/// The derivative of the monomial at 0: the product of the factorials if it
/// has just these powers, else 0.
static Fraction differentiate(ArrayRef<unsigned> derivatives,
                              ArrayRef<int64_t> powers) {
  int64_t value = 1;
  for (auto [derivative, power] : llvm::zip_equal(derivatives, powers)) {
    if (static_cast<int64_t>(derivative) != power)
      return {};
    for (int64_t i = 2; i <= power; ++i)
      value *= i;
  }
  return {value, 1};
}

TEST(DerivativeWeights, DifferentiatePolynomialsExactly) {
  for (unsigned accuracy : {2u, 4u, 6u, 8u}) {
    for (unsigned derivative = 1; derivative <= 4; ++derivative) {
      auto got = getDerivative({derivative}, accuracy);
      ASSERT_TRUE(!!got);
      int64_t exact = derivative + accuracy - 1;
      for (int64_t power = 0; power <= exact; ++power)
        EXPECT_EQ(apply(*got, {power}), differentiate({derivative}, {power}))
            << derivative << ' ' << accuracy << ' ' << power;
      // The error's first term is there: the order is not higher than said.
      int64_t beyond = derivative + accuracy;
      EXPECT_NE(apply(*got, {beyond}), differentiate({derivative}, {beyond}));
    }
  }
}

TEST(DerivativeWeights, MixedOnesDifferentiatePolynomialsExactly) {
  for (unsigned accuracy : {2u, 4u, 6u, 8u}) {
    int64_t degree = accuracy + 1;
    auto product = getDerivative({1, 0, 1}, accuracy);
    ASSERT_TRUE(!!product);
    EXPECT_EQ(product->offsets.size(), accuracy * accuracy);
    auto diagonal = getDiagonalDerivative(3, 2, 0, accuracy);
    ASSERT_TRUE(!!diagonal);
    EXPECT_EQ(diagonal->offsets.size(), 2 * accuracy);
    for (int64_t x = 0; x <= degree; ++x) {
      for (int64_t y = 0; y <= 1; ++y) {
        for (int64_t z = 0; z + y + x <= degree; ++z) {
          Fraction want = differentiate({1, 0, 1}, {x, y, z});
          EXPECT_EQ(apply(*product, {x, y, z}), want);
          EXPECT_EQ(apply(*diagonal, {x, y, z}), want);
        }
      }
    }
  }
}

TEST(DerivativeWeights, HigherMixedDerivatives) {
  auto got = getDerivative({2, 0, 1}, 4);
  ASSERT_TRUE(!!got);
  EXPECT_EQ(got->offsets.size(), 5u * 4u);
  EXPECT_EQ(apply(*got, {2, 0, 1}), (Fraction{2, 1}));
  EXPECT_EQ(apply(*got, {4, 0, 1}), (Fraction{0, 1}));
  EXPECT_TRUE(llvm::is_sorted(got->offsets));
}

TEST(DerivativeWeights, NeighbourhoodOf55Points) {
  std::set<SmallVector<int64_t>> points;
  auto add = [&](llvm::Expected<DerivativeWeights> weights) {
    ASSERT_TRUE(!!weights);
    EXPECT_TRUE(llvm::is_sorted(weights->offsets));
    points.insert(weights->offsets.begin(), weights->offsets.end());
  };
  for (unsigned axis = 0; axis < 3; ++axis) {
    for (unsigned derivative : {1u, 2u}) {
      SmallVector<unsigned> derivatives(3, 0);
      derivatives[axis] = derivative;
      add(getDerivative(derivatives, 6));
    }
  }
  EXPECT_EQ(points.size(), 19u);
  add(getDiagonalDerivative(3, 0, 1, 6));
  add(getDiagonalDerivative(3, 0, 2, 6));
  add(getDiagonalDerivative(3, 1, 2, 6));
  EXPECT_EQ(points.size(), 55u);
}

TEST(DerivativeWeights, Scale) {
  auto got = getDerivative({1, 0, 2}, 2);
  ASSERT_TRUE(!!got);
  EXPECT_EQ(got->scale({0.5, 7.0, 0.25}), 32.0);
  EXPECT_EQ((Fraction{-1, 4}).toDouble(), -0.25);
}

TEST(DerivativeWeights, Errors) {
  EXPECT_EQ(getMessage(getDerivative({1, 0}, 3)),
            "expected an even order of accuracy from 2, got 3");
  EXPECT_EQ(getMessage(getDerivative({1}, 0)),
            "expected an even order of accuracy from 2, got 0");
  EXPECT_EQ(getMessage(getDerivative({0, 0}, 2)),
            "expected an axis to differentiate along, got none");
  EXPECT_EQ(getMessage(getDiagonalDerivative(3, 1, 3, 6)),
            "expected two different axes below the rank 3, got 1 and 3");
  EXPECT_EQ(getMessage(getFornbergWeights(2, {0, 1})),
            "expected more nodes than the derivative 2, got 2");
  EXPECT_EQ(getMessage(getFornbergWeights(1, {0, 3, 3})),
            "expected distinct nodes, got 3 twice");
  const char *tooLarge = "expected weights that are fractions of 64-bit "
                         "integers; fewer or closer nodes have such";
  EXPECT_EQ(getMessage(getDerivative({1}, 4000000000u)), tooLarge);
  EXPECT_EQ(getMessage(getDerivative({4000000000u}, 2)), tooLarge);
  EXPECT_EQ(getMessage(getFornbergWeights(1, {INT64_MIN, INT64_MAX})),
            tooLarge);
}
