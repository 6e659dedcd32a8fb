//===- LayoutTest.cpp - Who holds which point -----------------------------===//

#include "StencilDialect/Tile/Tile.h"
#include "mlir/IR/MLIRContext.h"
#include "gtest/gtest.h"
#include <map>

using namespace mlir;
using namespace stencil;
using namespace stencil::tile;

namespace {

class LayoutTest : public testing::Test {
protected:
  LayoutTest() { context.loadDialect<TileDialect>(); }

  LayoutAttr get(int64_t rank, ArrayRef<LayoutDigit> registers,
                 ArrayRef<LayoutDigit> threads) {
    return LayoutAttr::get(&context, rank, registers, threads);
  }
  /// Null, and no message, where the verifier has something against it.
  LayoutAttr getChecked(int64_t rank, ArrayRef<LayoutDigit> registers,
                        ArrayRef<LayoutDigit> threads) {
    ScopedDiagnosticHandler quiet(&context, [](Diagnostic &) {});
    Location loc = UnknownLoc::get(&context);
    return LayoutAttr::getChecked([&] { return emitError(loc); }, &context,
                                  rank, registers, threads);
  }
  BoundsAttr box(ArrayRef<int64_t> lower, ArrayRef<int64_t> upper) {
    return BoundsAttr::get(&context, lower, upper);
  }

  MLIRContext context;
};

/// The points that all threads hold, each with how often.
std::map<SmallVector<int64_t>, int> countPoints(LayoutAttr layout) {
  std::map<SmallVector<int64_t>, int> counts;
  for (int64_t thread = 0; thread < layout.countThreads(); ++thread)
    for (int64_t reg = 0; reg < layout.countRegisters(); ++reg)
      ++counts[layout.getPoint(thread, reg)];
  return counts;
}

using Point = SmallVector<int64_t>;

} // namespace

// The example of the attribute's description.
TEST_F(LayoutTest, Digits) {
  LayoutAttr layout = get(3, {{1, 2, 1}}, {{2, 32, 1}, {1, 4, 2}});
  EXPECT_EQ(layout.countRegisters(), 2);
  EXPECT_EQ(layout.countThreads(), 128);
  EXPECT_EQ(layout.getPoint(37, 0), (Point{0, 2, 5}));
  EXPECT_EQ(layout.getPoint(37, 1), (Point{0, 3, 5}));
  EXPECT_EQ(layout.getExtent(0), 1);
  EXPECT_EQ(layout.getExtent(1), 8);
  EXPECT_EQ(layout.getExtent(2), 32);
}

TEST_F(LayoutTest, BlockedIsBlockTimesPoints) {
  LayoutAttr layout = LayoutAttr::getBlocked(&context, {1, 4, 32}, {1, 2, 1});
  EXPECT_EQ(layout, get(3, {{1, 2, 1}}, {{2, 32, 1}, {1, 4, 2}}));
  // The thread's points are side by side.
  LayoutAttr row = LayoutAttr::getBlocked(&context, {32}, {3});
  EXPECT_EQ(row.getPoint(7, 0), (Point{21}));
  EXPECT_EQ(row.getPoint(7, 2), (Point{23}));
}

TEST_F(LayoutTest, EachPointOnce) {
  for (LayoutAttr layout :
       {LayoutAttr::getBlocked(&context, {2, 4, 8}, {3, 1, 5}),
        // Counts that are no powers of two; points of a thread far apart.
        get(1, {{0, 3, 1}}, {{0, 32, 3}}), get(1, {{0, 3, 32}}, {{0, 32, 1}}),
        // A fragment: threads and registers by turns.
        get(2, {{1, 2, 1}, {0, 2, 8}}, {{1, 4, 2}, {0, 8, 1}})}) {
    auto counts = countPoints(layout);
    int64_t points = 1;
    for (int64_t axis = 0; axis < layout.getRank(); ++axis)
      points *= layout.getExtent(axis);
    EXPECT_EQ(static_cast<int64_t>(counts.size()), points);
    for (auto &[point, count] : counts) {
      EXPECT_EQ(count, 1);
      for (int64_t axis = 0; axis < layout.getRank(); ++axis)
        EXPECT_LT(point[axis], layout.getExtent(axis));
    }
  }
}

TEST_F(LayoutTest, Invalid) {
  EXPECT_TRUE(getChecked(64, {}, {}));
  EXPECT_FALSE(getChecked(0, {}, {}));
  EXPECT_FALSE(getChecked(65, {}, {}));
  EXPECT_FALSE(getChecked(INT64_MAX, {}, {}));
  // A hole, and two threads with one point.
  EXPECT_FALSE(getChecked(1, {{0, 2, 2}}, {{0, 8, 4}}));
  EXPECT_FALSE(getChecked(1, {{0, 2, 1}}, {{0, 8, 1}}));
  EXPECT_FALSE(getChecked(1, {{1, 2, 1}}, {}));
  EXPECT_FALSE(getChecked(1, {{-1, 2, 1}}, {}));
  EXPECT_FALSE(getChecked(1, {{0, 0, 1}}, {}));
  EXPECT_FALSE(getChecked(1, {{0, 1, 0}}, {}));
  // No product of counts overflows.
  EXPECT_FALSE(getChecked(1, {{0, INT64_MAX, 1}}, {{0, 2, INT64_MAX}}));
  EXPECT_FALSE(getChecked(3, {{0, 4096, 1}}, {{1, 4096, 1}, {2, 4096, 1}}));
  EXPECT_TRUE(getChecked(2, {{0, 4096, 1}}, {{1, 4096, 1}}));
  SmallVector<LayoutDigit> many(64, {0, 2, 1});
  EXPECT_FALSE(getChecked(1, many, {}));
}
