//===- WildFieldTest.cpp - Values that show errors ------------------------===//

#include "StencilDialect/Execution/WildField.h"

#include "gtest/gtest.h"

#include <cmath>
#include <set>
#include <vector>

using namespace stencil;

static std::vector<double> make(uint64_t seed, bool finite,
                                std::vector<int64_t> shape) {
  int64_t points = 1;
  for (int64_t extent : shape)
    points *= extent;
  std::vector<double> values(points);
  WildField(seed, finite, ElementKind::F64, shape)
      .fill(values.data(), 0, points);
  return values;
}

TEST(WildField, HasWhatShowsErrors) {
  for (uint64_t seed : {1, 2, 3}) {
    int positive = 0, negative = 0, zeros = 0, negativeZeros = 0, sources = 0;
    double least = INFINITY, most = 0;
    std::vector<double> values = make(seed, true, {64, 64});
    for (size_t i = 0; i < values.size(); ++i) {
      ASSERT_TRUE(std::isfinite(values[i]));
      double magnitude = std::fabs(values[i]);
      if (magnitude == 0) {
        ++(std::signbit(values[i]) ? negativeZeros : zeros);
        continue;
      }
      ++(values[i] > 0 ? positive : negative);
      least = std::min(least, magnitude);
      most = std::max(most, magnitude);
      sources += i > 0 && i + 1 < values.size() && values[i - 1] == 0 &&
                 values[i + 1] == 0;
    }
    EXPECT_GT(positive, 800);
    EXPECT_GT(negative, 800);
    EXPECT_GT(zeros, 100);
    EXPECT_GT(negativeZeros, 100);
    EXPECT_GT(sources, 2);
    EXPECT_GT(std::log10(most / least), 30);
  }
}

TEST(WildField, HasAPlaneOfNaNAndTwoInfinities) {
  std::set<std::pair<unsigned, size_t>> planes;
  for (uint64_t seed = 0; seed < 20; ++seed) {
    std::vector<int64_t> shape = {9, 1, 17};
    std::vector<double> values = make(seed, false, shape);
    std::set<size_t> rows, columns;
    size_t count = 0;
    int infinities[2] = {};
    for (size_t i = 0; i < values.size(); ++i) {
      if (std::isinf(values[i]))
        ++infinities[values[i] > 0];
      if (!std::isnan(values[i]))
        continue;
      ++count;
      rows.insert(i / 17);
      columns.insert(i % 17);
    }
    EXPECT_EQ(infinities[0], 1);
    EXPECT_EQ(infinities[1], 1);
    bool isRow = rows.size() == 1;
    EXPECT_EQ(count, isRow ? 17 : 9);
    planes.insert({isRow, isRow ? *rows.begin() : *columns.begin()});
  }
  EXPECT_GT(planes.size(), 8u);
}

TEST(WildField, DoesNotDependOnPieces) {
  std::vector<int64_t> shape = {10, 20};
  std::vector<double> whole = make(7, true, shape), pieces(200);
  WildField wild(7, true, ElementKind::F64, shape);
  for (int64_t begin = 0; begin < 200; begin += 25)
    wild.fill(pieces.data(), begin, begin + 25);
  EXPECT_EQ(whole, pieces);
  EXPECT_NE(whole, make(8, true, shape));
}

TEST(WildField, TakesEveryKindAndShape) {
  for (ElementKind kind : kAllElementKinds) {
    std::vector<uint64_t> memory(100);
    std::vector<int64_t> shape = {100};
    WildField(3, true, kind, shape).fill(memory.data(), 0, 100);
    std::set<double> seen;
    for (int64_t i = 0; i < 100; ++i)
      seen.insert(loadElement(kind, memory.data(), i));
    EXPECT_GE(seen.size(), kind == ElementKind::I1 ? 2u : 20u);
    if (!isFloatKind(kind) && kind != ElementKind::I1) {
      double limit = std::ldexp(1, 8 * int(getElementSize(kind)) - 1);
      EXPECT_TRUE(seen.count(-limit));
      EXPECT_TRUE(seen.count(kind == ElementKind::I64 ? limit : limit - 1));
    }
  }
  for (std::vector<int64_t> shape :
       {std::vector<int64_t>{}, {1}, {1, 1}, {2}, {1, 2}})
    for (double value : make(1, false, shape))
      if (shape.empty() || shape.back() == 1)
        EXPECT_TRUE(std::isfinite(value));
}
