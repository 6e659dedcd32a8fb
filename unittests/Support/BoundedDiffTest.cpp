//===- BoundedDiffTest.cpp - Comparison with a bound for each point -------===//

#include "StencilDialect/Support/BoundedDiff.h"

#include "gtest/gtest.h"

#include <cmath>
#include <limits>
#include <vector>

using namespace stencil;

static constexpr double kInf = std::numeric_limits<double>::infinity();
static constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

/// Compares one number, of which another may be off by 5 times `error`.
static FieldDiff compare(double value, double reference, double error,
                         bool distinguishesZeros = false) {
  PointError bound{error, 0, 0};
  PointBounds bounds{&bound, 5, false, distinguishesZeros};
  return compareWithBounds(ElementKind::F64, &value, &reference, 1, bounds);
}

TEST(BoundedDiff, BoundIsInclusive) {
  EXPECT_EQ(compare(1.5, 1, 0.1).bad, 0);
  EXPECT_EQ(compare(1.5, 1, 0.09).bad, 1);
  EXPECT_EQ(compare(1.5, 1, 0.1).excused, 0);
}

TEST(BoundedDiff, WithoutAnErrorValuesAreEqual) {
  EXPECT_EQ(compare(1, 1, 0).bad, 0);
  EXPECT_EQ(compare(std::nextafter(1, 2), 1, 0).bad, 1);
  EXPECT_EQ(compare(-0.0, 0.0, 0).bad, 0);
  EXPECT_EQ(compare(-0.0, 0.0, 0, true).bad, 1);
  EXPECT_EQ(compare(-0.0, -0.0, 0, true).bad, 0);
}

TEST(BoundedDiff, NotFiniteIsEqualInKind) {
  for (double value : {kNaN, kInf, -kInf, 1.0})
    for (double reference : {kNaN, kInf, -kInf}) {
      bool isSame =
          value == reference || (std::isnan(value) && std::isnan(reference));
      EXPECT_EQ(compare(value, reference, 0.1).bad, isSame ? 0 : 1);
      // In reach: of any kind, but a number is not checked.
      FieldDiff near = compare(value, reference, -0.1);
      EXPECT_EQ(near.bad, 0);
      EXPECT_EQ(near.excused, std::isfinite(value) ? 1 : 0);
    }
  EXPECT_EQ(compare(kNaN, 1, 0.1).bad, 1);
  EXPECT_EQ(compare(kInf, 1, 0.1).bad, 1);
  EXPECT_EQ(compare(kNaN, 1, -0.1).spread, 1);
  // What may round to infinity.
  double largest = std::numeric_limits<double>::max();
  EXPECT_EQ(compare(kInf, largest, largest * 0x1p-52).bad, 0);
  EXPECT_EQ(compare(-kInf, largest, largest * 0x1p-52).bad, 1);
}

TEST(BoundedDiff, CountsWhatIsNotChecked) {
  EXPECT_EQ(compare(7, 1, kInf).excused, 1);
  double blind = markBlind(0.1, true);
  EXPECT_TRUE(isBlind(blind));
  EXPECT_FALSE(isBlind(markBlind(blind, false)));
  EXPECT_EQ(compare(1.1, 1, blind).excused, 1);
  EXPECT_EQ(compare(2, 1, blind).bad, 1);
}

TEST(BoundedDiff, IntegersHaveBoundsToo) {
  int32_t value = 7, reference = 6;
  PointError bound{0.2, 0, 0};
  PointBounds bounds{&bound, 5};
  EXPECT_EQ(
      compareWithBounds(ElementKind::I32, &value, &reference, 1, bounds).bad,
      0);
  bounds.errors = nullptr;
  EXPECT_EQ(
      compareWithBounds(ElementKind::I32, &value, &reference, 1, bounds).bad,
      1);
}

TEST(BoundedDiff, FindsTheWorstOfManyPieces) {
  std::vector<float> values(300000, 1), reference(300000, 1);
  std::vector<PointError> errors(300000, {0x1p-23, 0, 0});
  values[70000] = 1.5F;
  values[200000] = 2;
  PointBounds bounds{errors.data(), 5};
  FieldDiff diff = compareWithBounds(ElementKind::F32, values.data(),
                                     reference.data(), 300000, bounds);
  EXPECT_EQ(diff.bad, 2);
  EXPECT_EQ(diff.worst, 200000);
  EXPECT_EQ(double(diff.worstValue), 2);
  EXPECT_DOUBLE_EQ(diff.worstBound, 5 * 0x1p-23);
}
