//===- UlpDiffTest.cpp - Distance of fields in units in the last place ----===//

#include "StencilDialect/Support/UlpDiff.h"

#include "gtest/gtest.h"

#include <cmath>
#include <limits>
#include <vector>

using namespace stencil;

static constexpr double kInfinity = std::numeric_limits<double>::infinity();
static constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
static constexpr ElementKind kFloatKinds[] = {
    ElementKind::F16, ElementKind::BF16, ElementKind::F32, ElementKind::F64};

/// A value moved by some steps upwards.
static double step(double value, int count) {
  for (; count > 0; --count)
    value = std::nextafter(value, kInfinity);
  for (; count < 0; ++count)
    value = std::nextafter(value, -kInfinity);
  return value;
}

static FieldDiff compare(std::vector<double> values,
                         std::vector<double> reference, uint64_t allowed = 5) {
  EXPECT_EQ(values.size(), reference.size());
  return compareFields(ElementKind::F64, values.data(), reference.data(),
                       values.size(), allowed);
}

/// The distance in a kind, through its bit patterns.
static uint64_t distance(ElementKind kind, double a, double b) {
  uint64_t bits[2] = {};
  storeElement(kind, &bits[0], 0, a);
  storeElement(kind, &bits[1], 0, b);
  EXPECT_EQ(getUlpDistance(kind, bits[0], bits[1]),
            getUlpDistance(kind, bits[1], bits[0]));
  return getUlpDistance(kind, bits[0], bits[1]);
}

TEST(UlpDistance, CountsSteps) {
  for (ElementKind kind : kFloatKinds) {
    double eps = getElementEpsilon(kind);
    EXPECT_EQ(distance(kind, 1, 1), 0u);
    EXPECT_EQ(distance(kind, 1, 1 + eps), 1u);
    // Below a power of two the steps are half as large.
    EXPECT_EQ(distance(kind, 1, 1 - eps), 2u);
    EXPECT_EQ(distance(kind, -1, -1 - 3 * eps), 3u);
    EXPECT_EQ(distance(kind, 0.0, -0.0), 0u);
    // 1 and 2 are as many steps apart as there are mantissas.
    EXPECT_EQ(distance(kind, 1, 2), uint64_t(1 / eps));
    EXPECT_EQ(distance(kind, -1, 1), 2 * distance(kind, 0, 1));
  }
  EXPECT_EQ(distance(ElementKind::F64, 5e-324, -5e-324), 2u);
  double max = std::numeric_limits<double>::max();
  EXPECT_EQ(distance(ElementKind::F64, max, -max),
            2 * uint64_t(0x7fefffffffffffff));
}

TEST(UlpDistance, NaNAndInfinityOnlyAgreeWithThemselves) {
  for (ElementKind kind : kFloatKinds) {
    EXPECT_EQ(distance(kind, kNaN, kNaN), 0u);
    EXPECT_EQ(distance(kind, kNaN, -kNaN), 0u);
    EXPECT_EQ(distance(kind, kInfinity, kInfinity), 0u);
    EXPECT_EQ(distance(kind, kInfinity, -kInfinity), UINT64_MAX);
    EXPECT_EQ(distance(kind, kInfinity, kNaN), UINT64_MAX);
    EXPECT_EQ(distance(kind, 1, kNaN), UINT64_MAX);
    EXPECT_EQ(distance(kind, 1, kInfinity), UINT64_MAX);
  }
  // Also the largest value, which is next to infinity.
  EXPECT_EQ(getUlpDistance(ElementKind::F16, 0x7bff, 0x7c00), UINT64_MAX);
}

TEST(UlpDiff, EqualFieldsAreRight) {
  FieldDiff diff =
      compare({1, 0.0, kNaN, -kInfinity}, {1, -0.0, -kNaN, -kInfinity}, 0);
  EXPECT_TRUE(diff.isRight());
  EXPECT_EQ(diff.points, 4);
  EXPECT_EQ(diff.worst, -1);
  EXPECT_EQ(diff.maxUlp, 0);
  EXPECT_TRUE(compare({}, {}).isRight());
}

TEST(UlpDiff, BoundIsInclusive) {
  FieldDiff diff = compare({1, step(3, 5), step(-2, 1)}, {1, 3, -2}, 5);
  EXPECT_TRUE(diff.isRight());
  EXPECT_EQ(diff.maxUlp, 5);
  EXPECT_EQ(diff.worst, 1);
  diff = compare({1, step(3, 6), step(-2, 1)}, {1, 3, -2}, 5);
  EXPECT_EQ(diff.bad, 1);
  EXPECT_EQ(diff.worst, 1);
  EXPECT_EQ(diff.worstUlp, 6);
  EXPECT_EQ(double(diff.worstValue), step(3, 6));
  EXPECT_EQ(double(diff.worstReference), 3);
}

TEST(UlpDiff, ScaleExcusesWhatCancels) {
  // 1024 - 1024 leaves an error of an epsilon of 1024 where 0 is right.
  std::vector<double> reference = {1024, 0, 1, kNaN, kInfinity};
  std::vector<double> values = {1024, 0x1p-42, 1 + 0x1p-42, kNaN, kInfinity};
  auto compare = [&](double scale) {
    return compareFields(ElementKind::F64, values.data(), reference.data(),
                         values.size(), 5, scale);
  };
  EXPECT_EQ(compare(0).bad, 2);
  EXPECT_EQ(compare(0).excused, 0);
  EXPECT_EQ(compare(0.5).bad, 2);
  FieldDiff diff = compare(1);
  EXPECT_TRUE(diff.isRight());
  EXPECT_EQ(diff.excused, 2);
  EXPECT_EQ(diff.largest, 1024);
  values[2] = 1 + 0x1p-41;
  diff = compare(1);
  EXPECT_EQ(diff.bad, 1);
  EXPECT_EQ(diff.worst, 2);
  EXPECT_EQ(diff.excused, 1);
  // A NaN has no scale.
  values[0] = kNaN;
  EXPECT_EQ(compare(1e9).bad, 1);
}

TEST(UlpDiff, CountsBadPointsAndFindsTheWorst) {
  FieldDiff diff =
      compare({step(1, 10), 1, step(1, 30), step(1, 20)}, {1, 1, 1, 1}, 5);
  EXPECT_EQ(diff.bad, 3);
  EXPECT_EQ(diff.worst, 2);
  EXPECT_EQ(diff.worstUlp, 30);
  // The first of several, as it is what others followed from.
  diff = compare({1, step(1, 10), step(1, 10)}, {1, 1, 1}, 5);
  EXPECT_EQ(diff.worst, 1);
}

TEST(UlpDiff, SmallAbsoluteDifferencesAreRight) {
  // All magnitudes are at least 1, so 2^-52 is the limit: near zero, a sum of
  // such terms can be no better.
  std::vector<double> reference = {1, -2, 4};
  std::vector<double> values = {1, -2, 4};
  reference.push_back(1.5);
  values.push_back(1.5);
  EXPECT_EQ(compare(values, reference, 0).bad, 0);
  values[0] = 1 - 0x1p-53;
  FieldDiff diff = compare(values, reference, 0);
  EXPECT_EQ(diff.bad, 0);
  EXPECT_EQ(diff.maxUlp, 1);
  EXPECT_EQ(diff.allowedAbsolute, 0x1p-52);
  // Strictly less.
  values[0] = 1 + 0x1p-52;
  EXPECT_EQ(compare(values, reference, 0).bad, 1);
  // The minimum is of magnitudes, and of the reference alone.
  reference[1] = values[1] = -0.25;
  values[0] = 1 - 0x1p-53;
  diff = compare(values, reference, 0);
  EXPECT_EQ(diff.bad, 1);
  EXPECT_EQ(diff.allowedAbsolute, 0x1p-54);
  // A zero in the field leaves no room.
  reference[1] = values[1] = 0;
  EXPECT_EQ(compare(values, reference, 0).allowedAbsolute, 0);
}

TEST(UlpDiff, MinimumIgnoresNaNAndInfinity) {
  FieldDiff diff =
      compare({1 - 0x1p-53, kNaN, kInfinity}, {1, kNaN, kInfinity}, 0);
  EXPECT_TRUE(diff.isRight());
  diff = compare({kNaN, 1}, {kInfinity, kNaN}, 5);
  EXPECT_EQ(diff.bad, 2);
  EXPECT_EQ(diff.allowedAbsolute, 0);
}

TEST(UlpDiff, NaNAndInfinityAreBad) {
  for (auto [value, reference] :
       {std::pair(kNaN, 1.0), std::pair(1.0, kNaN), std::pair(kInfinity, 1.0),
        std::pair(-kInfinity, kInfinity), std::pair(kNaN, kInfinity)}) {
    FieldDiff diff = compare({1, value}, {1, reference}, 1000000);
    EXPECT_EQ(diff.bad, 1);
    EXPECT_EQ(diff.worst, 1);
    EXPECT_EQ(diff.worstUlp, kInfinity);
    // However much is allowed.
    EXPECT_EQ(compare({1, value}, {1, reference}, UINT64_MAX).bad, 1);
  }
}

TEST(UlpDiff, ComparesEveryKind) {
  for (ElementKind kind : kAllElementKinds) {
    if (kind == ElementKind::I1)
      continue;
    uint64_t values[3] = {}, reference[3] = {};
    for (int i = 0; i < 3; ++i) {
      storeElement(kind, values, i, 2 + i);
      storeElement(kind, reference, i, 2 + i);
    }
    EXPECT_TRUE(compareFields(kind, values, reference, 3).isRight());
    storeElement(kind, values, 1, 3.5);
    // 0.5 is more than 5 steps in each float kind; 3 is 3 as an integer.
    FieldDiff diff = compareFields(kind, values, reference, 3);
    EXPECT_EQ(diff.isRight(), !isFloatKind(kind)) << getElementName(kind).str();
    storeElement(kind, values, 1, 4);
    diff = compareFields(kind, values, reference, 3);
    EXPECT_EQ(diff.bad, 1) << getElementName(kind).str();
    EXPECT_EQ(diff.worst, 1);
    EXPECT_EQ(double(diff.worstValue), 4);
    EXPECT_EQ(double(diff.worstReference), 3);
  }
}

TEST(UlpDiff, IntegersMustBeEqual) {
  int64_t values[] = {INT64_MAX, 7}, reference[] = {INT64_MIN, 7};
  FieldDiff diff =
      compareFields(ElementKind::I64, values, reference, 2, UINT64_MAX - 1);
  EXPECT_EQ(diff.bad, 1);
  EXPECT_EQ(diff.worstValue, (long double)INT64_MAX);
  uint8_t flags[] = {0, 1}, others[] = {0, 0};
  EXPECT_EQ(compareFields(ElementKind::I1, flags, others, 2).bad, 1);
}

TEST(UlpDiff, LargeFieldsInChunks) {
  // More than one chunk, the last one not full, bad points at its edges.
  constexpr int64_t count = 3 * 65536 + 17;
  std::vector<float> values(count, 1), reference(count, 1);
  EXPECT_TRUE(
      compareFields(ElementKind::F32, values.data(), reference.data(), count)
          .isRight());
  for (int64_t at : {int64_t(0), int64_t(65535), int64_t(65536), count - 1}) {
    values[at] = 1.5f;
    FieldDiff diff =
        compareFields(ElementKind::F32, values.data(), reference.data(), count);
    EXPECT_EQ(diff.bad, 1);
    EXPECT_EQ(diff.worst, at);
    values[at] = std::nextafter(1.0f, 2.0f);
    diff =
        compareFields(ElementKind::F32, values.data(), reference.data(), count);
    EXPECT_EQ(diff.bad, 0);
    EXPECT_EQ(diff.worst, at);
    values[at] = 1;
  }
  values[3] = values[70000] = values[140000] = 2;
  values[70001] = 3;
  FieldDiff diff =
      compareFields(ElementKind::F32, values.data(), reference.data(), count);
  EXPECT_EQ(diff.bad, 4);
  EXPECT_EQ(diff.worst, 70001);
}

TEST(UlpDiffF80, CountsFractions) {
  double values[] = {1, 1};
  long double reference[] = {1, 1 + 0x0.4p-52L};
  FieldDiff diff = compareFieldsWithF80(ElementKind::F64, values, reference, 2);
  EXPECT_TRUE(diff.isRight());
  EXPECT_EQ(diff.worst, 1);
  EXPECT_EQ(diff.worstUlp, 0.25);
  reference[1] = 1 + 0x6p-52L;
  diff = compareFieldsWithF80(ElementKind::F64, values, reference, 2);
  EXPECT_EQ(diff.bad, 1);
  EXPECT_EQ(diff.worstUlp, 6);
  EXPECT_EQ(diff.worstReference, reference[1]);
}

TEST(UlpDiffF80, UnitIsTheSpacingAtTheReference) {
  auto ulp = [](ElementKind kind, double value, long double reference) {
    uint64_t bits = 0;
    storeElement(kind, &bits, 0, value);
    return compareFieldsWithF80(kind, &bits, &reference, 1).maxUlp;
  };
  for (ElementKind kind : kFloatKinds) {
    double eps = getElementEpsilon(kind);
    EXPECT_EQ(ulp(kind, 1 + 2 * eps, 1), 2);
    EXPECT_EQ(ulp(kind, -4 - 4 * eps, -4), 1);
  }
  // Subnormals are equally spaced down to zero.
  EXPECT_EQ(ulp(ElementKind::F16, 0x3p-24, 0x1p-24L), 2);
  EXPECT_EQ(ulp(ElementKind::F16, 0x1p-24, 0), 1);
  EXPECT_EQ(ulp(ElementKind::F64, 0x1p-1074, 0x0.8p-1074L), 0.5);
}

TEST(UlpDiffF80, WhatRoundsToInfinityAgreesWithIt) {
  auto isRight = [](ElementKind kind, double value, long double reference) {
    uint64_t bits = 0;
    storeElement(kind, &bits, 0, value);
    return compareFieldsWithF80(kind, &bits, &reference, 1).isRight();
  };
  EXPECT_TRUE(isRight(ElementKind::F16, kInfinity, 65520));
  EXPECT_TRUE(isRight(ElementKind::F16, -kInfinity, -1e30L));
  EXPECT_FALSE(isRight(ElementKind::F16, kInfinity, -1e30L));
  EXPECT_FALSE(isRight(ElementKind::F16, kInfinity, 65519));
  EXPECT_TRUE(isRight(ElementKind::F16, 65504, 65519));
  EXPECT_TRUE(isRight(ElementKind::F64, kInfinity, 1e400L));
  EXPECT_TRUE(isRight(ElementKind::F64, kNaN, kNaN));
  EXPECT_FALSE(isRight(ElementKind::F64, kNaN, 1));
  EXPECT_FALSE(isRight(ElementKind::F64, 1, kNaN));
}

TEST(UlpDiffF80, IntegersMustBeEqual) {
  int64_t values[] = {INT64_MAX, 5};
  long double reference[] = {(long double)INT64_MAX, 5};
  EXPECT_TRUE(
      compareFieldsWithF80(ElementKind::I64, values, reference, 2).isRight());
  reference[0] -= 1;
  EXPECT_EQ(compareFieldsWithF80(ElementKind::I64, values, reference, 2).bad,
            1);
}

TEST(UlpDiff, DescribesTheWorstPoint) {
  std::vector<double> reference(12, 1.5), values(12, 1.5);
  values[7] = 1.625;
  FieldDiff diff = compare(values, reference);
  EXPECT_EQ(describeDiff(diff, {3, 4}),
            "1 of 12 points differ by more than 5 ULP; the worst is [1, 3]: "
            "expected 1.5, got 1.625 (5.6295e+14 ULP)");
  EXPECT_EQ(describeDiff(diff, {3, 4}, {-1, -1}),
            "1 of 12 points differ by more than 5 ULP; the worst is [0, 2]: "
            "expected 1.5, got 1.625 (5.6295e+14 ULP)");
  // Neighbours are told apart.
  values[7] = step(1.5, 7);
  EXPECT_EQ(describeDiff(compare(values, reference), {12}),
            "1 of 12 points differ by more than 5 ULP; the worst is [7]: "
            "expected 1.5, got 1.5000000000000016 (7 ULP)");
  int32_t got[] = {1, 2}, want[] = {1, -3};
  EXPECT_EQ(describeDiff(compareFields(ElementKind::I32, got, want, 2), {2}),
            "1 of 2 points differ; the worst is [1]: expected -3, got 2");
}

TEST(UlpDiff, Delinearizes) {
  llvm::SmallVector<int64_t, 4> expected = {1, 2, 3};
  EXPECT_EQ(delinearize(1 * 20 + 2 * 5 + 3, {2, 4, 5}), expected);
  EXPECT_TRUE(delinearize(0, {}).empty());
}
