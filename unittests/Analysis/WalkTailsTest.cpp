//===- WalkTailsTest.cpp - Rounds of blocks, and what they leave ----------===//

#include "StencilDialect/Analysis/WalkTails.h"
#include "gtest/gtest.h"

using namespace stencil;

namespace {

/// 132 multiprocessors with a block each.
WalkRounds makeRounds(int64_t planes, int64_t tiles, int64_t halo) {
  WalkRounds rounds;
  rounds.planes = planes;
  rounds.tiles = tiles;
  rounds.halo = halo;
  rounds.blocks = 132;
  return rounds;
}

TEST(WalkTailsTest, CountsPlanesOfRounds) {
  WalkRounds rounds = makeRounds(384, 144, 5);
  EXPECT_EQ(rounds.count(144, 1), 2 * (384 + 10));
  EXPECT_EQ(rounds.count(144, 6), 7 * (64 + 10));
  EXPECT_EQ(rounds.count(12, 11), 35 + 10);
  // Of one segment to eight, or as many as are given.
  EXPECT_EQ(rounds.countFewest(1), 7 * (64 + 10));
  EXPECT_EQ(rounds.countFewest(11), 7 * (64 + 10));
}

TEST(WalkTailsTest, FillsRoundsWithWhatIsLeft) {
  std::optional<WalkTail> tail = findTail(makeRounds(384, 144, 5));
  ASSERT_TRUE(tail);
  EXPECT_EQ(tail->segments, 1);
  EXPECT_EQ(tail->tiles, 12);
  EXPECT_EQ(tail->cut, 11);
  EXPECT_EQ(tail->planes, 394 + 45);
}

TEST(WalkTailsTest, HasNoneWhereNothingIsLeft) {
  EXPECT_FALSE(findTail(makeRounds(512, 132, 2)));
  // All tiles are less than a round, in any number of segments up to eight.
  EXPECT_FALSE(findTail(makeRounds(512, 16, 2)));
}

TEST(WalkTailsTest, KeepsSegmentsFromBeingTooShort) {
  WalkRounds rounds = makeRounds(384, 144, 5);
  rounds.shortest = 100;
  std::optional<WalkTail> tail = findTail(rounds);
  ASSERT_TRUE(tail);
  EXPECT_LE(tail->cut, 3);
}

} // namespace
