//===- CutTest.cpp - How many segments a launch has -----------------------===//

#include "StencilDialect/Tile/Tile.h"
#include "mlir/IR/MLIRContext.h"

#include "gtest/gtest.h"

using namespace mlir;
using namespace stencil::tile;

namespace {
class CutTest : public testing::Test {
protected:
  CutTest() { context.loadDialect<TileDialect>(); }

  int64_t count(int64_t planes, int64_t halo, int64_t blocks, int64_t extent,
                int64_t tiles, int64_t multiprocessors = 132) {
    return CutAttr::get(&context, planes, halo, multiprocessors, blocks)
        .countSegments(extent, tiles);
  }

  MLIRContext context;
};
} // namespace

TEST_F(CutTest, AsManyAsThereAreOfPlanes) {
  EXPECT_EQ(count(16, 1, 1, 512, 1320), 32);
  EXPECT_EQ(count(16, 1, 1, 8, 1320), 1);
  EXPECT_EQ(count(16, 1, 1, 512, 4, 0), 32);
}

TEST_F(CutTest, MoreWhereMultiprocessorsWouldBeIdle) {
  // 11 tiles: twelve segments for 132 multiprocessors.
  EXPECT_EQ(count(512, 1, 1, 512, 11), 12);
  // No segment is shorter than four halos.
  EXPECT_EQ(count(512, 8, 1, 96, 4), 3);
}

TEST_F(CutTest, MoreWhereTheLastWaveIsShort) {
  // 140 blocks take two turns, of which the second one has 8.
  EXPECT_GT(count(128, 1, 1, 512, 35), 4);
  // 264 are two full ones.
  EXPECT_EQ(count(128, 1, 1, 512, 66), 4);
}

TEST_F(CutTest, TinyBoxes) {
  EXPECT_EQ(count(16, 4, 2, 1, 1), 1);
  EXPECT_EQ(count(16, 4, 2, 0, 1), 1);
  EXPECT_EQ(count(16, 4, 2, 1, 0), 1);
}
