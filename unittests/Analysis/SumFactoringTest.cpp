//===- SumFactoringTest.cpp - Partial sums that neighbours share ----------===//

#include "StencilDialect/Analysis/SumFactoring.h"
#include "gtest/gtest.h"

#include <cmath>
#include <functional>
#include <map>

using namespace stencil;

namespace {

struct Taps {
  std::vector<int64_t> offsets;
  TapList list;
};

/// A tap for every offset from -radius to radius at which `weight` is not 0.
Taps makeTaps(
    int64_t rank, int64_t radius,
    const std::function<FactorWeight(const std::vector<int64_t> &)> &weight) {
  Taps taps;
  taps.list.rank = rank;
  std::vector<int64_t> offset(rank, -radius);
  while (true) {
    FactorWeight value = weight(offset);
    if (value.number != 0) {
      taps.offsets.insert(taps.offsets.end(), offset.begin(), offset.end());
      taps.list.weights.push_back(value);
    }
    int64_t axis = rank - 1;
    while (axis >= 0 && offset[axis] == radius)
      offset[axis--] = -radius;
    if (axis < 0)
      break;
    ++offset[axis];
  }
  return taps;
}

FactorWeight number(long double value) { return {value, -1}; }

/// A number per class of points at the same distances from the axes.
FactorWeight ofClass(std::vector<int64_t> offset) {
  for (int64_t &distance : offset)
    distance = std::abs(distance);
  std::sort(offset.begin(), offset.end());
  long double value = 0.1;
  for (int64_t distance : offset)
    value = static_cast<double>(value * 0.7 + std::cos(distance + value));
  return number(value);
}

FactoringLimits getLimits(const TapList &taps) {
  FactoringLimits limits;
  limits.semantics = &llvm::APFloat::IEEEdouble();
  limits.tolerance = taps.size() * 0x1p-53L;
  return limits;
}

std::optional<FactoredSum> factor(const Taps &taps) {
  TapList list = taps.list;
  list.offsets = taps.offsets;
  std::string reason;
  return factorAlongAxes(list, getLimits(list), reason);
}

/// The weights that the steps of a sum amount to.
std::map<std::vector<int64_t>, long double>
multiplyOut(const FactoredSum &sum, int64_t rank,
            const std::vector<long double> &symbols = {}) {
  using Kernel = std::map<std::vector<int64_t>, long double>;
  std::vector<Kernel> kernels;
  for (const FactoredSum::Step &step : sum.steps) {
    Kernel &kernel = kernels.emplace_back();
    for (const FactoredSum::Term &term : step.terms) {
      Kernel source = {{std::vector<int64_t>(rank, 0), 1.0L}};
      if (term.source >= 0)
        source = kernels[term.source];
      long double weight = term.weight.number;
      if (term.weight.symbol >= 0)
        weight *= symbols[term.weight.symbol];
      for (const auto &[at, value] : source) {
        std::vector<int64_t> offset = at;
        for (size_t axis = 0; axis < term.offset.size(); ++axis)
          offset[axis] += term.offset[axis];
        kernel[offset] += weight * value;
      }
    }
  }
  return kernels.back();
}

/// The weights that the steps amount to are off by what the sum says, which is
/// no more than was allowed.
void expectSame(const Taps &taps, const FactoredSum &sum,
                const std::vector<long double> &symbols = {}) {
  auto kernel = multiplyOut(sum, taps.list.rank, symbols);
  long double total = 0, off = 0;
  for (int64_t tap = 0; tap < taps.list.size(); ++tap) {
    std::vector<int64_t> offset(taps.offsets.begin() + tap * taps.list.rank,
                                taps.offsets.begin() +
                                    (tap + 1) * taps.list.rank);
    long double weight = taps.list.weights[tap].number;
    if (taps.list.weights[tap].symbol >= 0)
      weight *= symbols[taps.list.weights[tap].symbol];
    total += std::abs(weight);
    off += std::abs(kernel[offset] - weight);
    kernel.erase(offset);
  }
  for (const auto &[offset, weight] : kernel)
    off += std::abs(weight);
  EXPECT_LE(sum.error, getLimits(taps.list).tolerance);
  // Multiplying out rounds in 80 bits: a product and a sum for each of the
  // terms behind a weight, of which there are as many as taps at most.
  EXPECT_LE(off, (sum.error + 2 * taps.list.size() * 0x1p-64L) * total);
}

TEST(SumFactoring, SymmetricCubes) {
  // 15 additions, 2 products, 16 products with sums (PERFORMANCE.md counts the
  // same 33 for the 125 points).
  Taps cube125 = makeTaps(3, 2, ofClass), cube27 = makeTaps(3, 1, ofClass);
  std::optional<FactoredSum> sum = factor(cube125);
  ASSERT_TRUE(sum);
  EXPECT_EQ(sum->countShared(), 33);
  expectSame(cube125, *sum);
  sum = factor(cube27);
  ASSERT_TRUE(sum);
  EXPECT_EQ(sum->countShared(), 12);
  expectSame(cube27, *sum);
}

TEST(SumFactoring, GaussianIsSeparable) {
  Taps taps = makeTaps(2, 3, [](const std::vector<int64_t> &o) {
    return number(std::exp(-0.3 * (o[0] * o[0] + o[1] * o[1])));
  });
  std::optional<FactoredSum> sum = factor(taps);
  ASSERT_TRUE(sum);
  EXPECT_LE(sum->countShared(), 14);
  expectSame(taps, *sum);
}

TEST(SumFactoring, MixedDerivative) {
  const double first[] = {-1.0 / 60, 9.0 / 60,  -45.0 / 60, 0,
                          45.0 / 60, -9.0 / 60, 1.0 / 60};
  Taps taps = makeTaps(3, 3, [&](const std::vector<int64_t> &o) {
    return number(o[0] == 0 ? first[o[1] + 3] * first[o[2] + 3] : 0.0);
  });
  EXPECT_EQ(taps.list.size(), 36);
  std::optional<FactoredSum> sum = factor(taps);
  ASSERT_TRUE(sum);
  EXPECT_LE(sum->countShared(), 12);
  expectSame(taps, *sum);
}

TEST(SumFactoring, NothingIsGainedForStarsAndAnyWeights) {
  Taps star = makeTaps(3, 4, [](const std::vector<int64_t> &o) {
    return (o[0] != 0) + (o[1] != 0) + (o[2] != 0) > 1 ? number(0) : ofClass(o);
  });
  std::optional<FactoredSum> sum = factor(star);
  if (sum) {
    EXPECT_GE(sum->countShared(), 25);
    expectSame(star, *sum);
  }
  int seed = 1;
  Taps general = makeTaps(2, 3, [&](const std::vector<int64_t> &) {
    seed = seed * 1103515245 + 12345;
    return number((seed >> 8 & 0xffff) / 65536.0 + 0.1);
  });
  sum = factor(general);
  if (sum) {
    EXPECT_GE(sum->countShared(), 49);
    expectSame(general, *sum);
  }
}

TEST(SumFactoring, WeightsThatAreNotKnown) {
  Taps taps = makeTaps(2, 1, [](const std::vector<int64_t> &o) {
    return FactorWeight{1, std::abs(o[0]) + std::abs(o[1])};
  });
  std::optional<FactoredSum> sum = factor(taps);
  ASSERT_TRUE(sum);
  // 1 pair sum, 2 * 2 products and sums, 2 additions: 7 of 9.
  EXPECT_EQ(sum->countShared(), 7);
  expectSame(taps, *sum, {3, 5, 7});
}

TEST(SumFactoring, Integers) {
  Taps taps = makeTaps(2, 1, [](const std::vector<int64_t> &o) {
    const int64_t binomial[] = {1, 2, 1};
    return number(binomial[o[0] + 1] * binomial[o[1] + 1]);
  });
  TapList list = taps.list;
  list.offsets = taps.offsets;
  std::string reason;
  std::optional<FactoredSum> sum =
      factorAlongAxes(list, FactoringLimits(), reason);
  ASSERT_TRUE(sum);
  EXPECT_EQ(sum->countShared(), 4);
  expectSame(taps, *sum);
}

TEST(SumFactoring, ToleranceDecidesTheRank) {
  // A Gaussian and one per mille of another.
  Taps taps = makeTaps(2, 3, [](const std::vector<int64_t> &o) {
    return number(std::exp(-0.3 * (o[0] * o[0] + o[1] * o[1])) +
                  1e-3 * std::exp(-0.9 * (o[0] * o[0] + 2 * o[1] * o[1])));
  });
  TapList list = taps.list;
  list.offsets = taps.offsets;
  std::string reason;
  FactoringLimits limits = getLimits(list);
  std::optional<FactoredSum> exact = factorAlongAxes(list, limits, reason);
  ASSERT_TRUE(exact);
  expectSame(taps, *exact);
  limits.tolerance = 1e-2;
  std::optional<FactoredSum> rough = factorAlongAxes(list, limits, reason);
  ASSERT_TRUE(rough);
  EXPECT_LE(rough->countShared(), 14);
  EXPECT_LT(rough->countShared(), exact->countShared());
  EXPECT_GT(rough->error, 0);
  EXPECT_LE(rough->error, 1e-2);
  // One vector per axis does not do for 1e-12.
  limits.tolerance = 1e-12;
  limits.rank = 1;
  std::optional<FactoredSum> forced = factorAlongAxes(list, limits, reason);
  if (forced)
    EXPECT_LE(forced->error, 1e-12);
}

TEST(SumFactoring, SharingBetweenFewPoints) {
  Taps taps = makeTaps(3, 2, ofClass);
  std::optional<FactoredSum> sum = factor(taps);
  ASSERT_TRUE(sum);
  EXPECT_GT(sum->countWithin(1), 100);
  EXPECT_LT(sum->countWithin(8), sum->countWithin(4));
  EXPECT_LT(sum->countWithin(8), 100);
}

TEST(SumFactoring, ClassesOfEqualWeight) {
  Taps taps = makeTaps(2, 1, [](const std::vector<int64_t> &o) {
    int64_t distance = std::abs(o[0]) + std::abs(o[1]);
    return number(distance == 0 ? -4.0 : distance == 1 ? 1.5 : -1.5);
  });
  TapList list = taps.list;
  list.offsets = taps.offsets;
  FactoredSum sum = factorByWeight(list);
  // -4 x and 1.5 * (the other eight).
  EXPECT_EQ(sum.steps.size(), 3u);
  EXPECT_EQ(sum.countShared(), 9);
  expectSame(taps, sum);
}

TEST(SumFactoring, TapsOnALine) {
  Taps taps = makeTaps(1, 3, ofClass);
  TapList list = taps.list;
  list.offsets = taps.offsets;
  std::string reason;
  EXPECT_FALSE(factorAlongAxes(list, getLimits(list), reason));
  EXPECT_EQ(reason, "its taps lie on a line");
}

} // namespace
