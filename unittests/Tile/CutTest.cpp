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
    return CutAttr::get(&context, planes, halo, multiprocessors, blocks,
                        /*tail=*/0)
        .countSegments(extent, tiles);
  }

  CutAttr::Segments cut(int64_t halo, int64_t extent, int64_t tiles,
                        int64_t tail = 32) {
    return CutAttr::get(&context, /*planes=*/256, halo,
                        /*multiprocessors=*/132, /*blocks=*/1, tail)
        .cutSegments(extent, tiles);
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

TEST_F(CutTest, TailsOfWhatRoundsLeave) {
  // 144 tiles are one round of 132, and twelve tiles in eleven segments.
  CutAttr::Segments segments = cut(5, 384, 144);
  EXPECT_EQ(segments.count, 1);
  EXPECT_EQ(segments.tail, 12);
  EXPECT_EQ(segments.ofTail, 11);
  // Not if nothing is left, if all that there is would be, or if a round is
  // nearly full anyway.
  EXPECT_EQ(cut(5, 384, 132).tail, 0);
  EXPECT_EQ(cut(5, 384, 40).tail, 0);
  EXPECT_EQ(cut(5, 512, 256).tail, 0);
  EXPECT_EQ(cut(5, 384, 144, /*tail=*/0).tail, 0);
  // No segment of it is shorter than four halos.
  EXPECT_LE(cut(20, 384, 144).ofTail, 4);
}

TEST_F(CutTest, TailsOfTinyBoxes) {
  EXPECT_EQ(cut(5, 0, 144).tail, 0);
  EXPECT_EQ(cut(5, 1, 144).tail, 0);
  EXPECT_EQ(cut(5, 384, 0).tail, 0);
}
