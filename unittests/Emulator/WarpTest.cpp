//===- WarpTest.cpp - Each operation of a warp against its definition -----===//

#include "EmulatorTest.h"

#include <cmath>

using namespace stencil::runtime;

namespace {

class WarpTest : public EmulatorTest,
                 public ::testing::WithParamInterface<uint32_t> {};
INSTANTIATE_TEST_SUITE_P(Sizes, WarpTest, ::testing::Values(32, 64));

/// gpu.shuffle of the thread's number; -1 if not valid.
int shuffle(EmulatorShuffle mode, int offset, int width) {
  int64_t value = stencilEmulatorId(0);
  int32_t valid = stencilEmulatorShuffle(&value, sizeof(value), offset, width,
                                         static_cast<int32_t>(mode), "here");
  return valid ? static_cast<int>(value) : -1;
}

TEST_P(WarpTest, ShuffleInGroups) {
  for (int width : {4, 16, static_cast<int>(GetParam())})
    for (int offset : {0, 1, 3}) {
      std::vector<int> results[5];
      for (auto &result : results)
        result.resize(128);
      ASSERT_EQ(run(128, GetParam(),
                    [&] {
                      for (int mode = 0; mode < 5; ++mode)
                        results[mode][getThread()] = shuffle(
                            static_cast<EmulatorShuffle>(mode), offset, width);
                    }),
                "");
      for (int thread = 0; thread < 128; ++thread) {
        int lane = thread % width, first = thread - lane;
        auto expected = [&](int source) {
          return source >= 0 && source < width ? first + source : -1;
        };
        EXPECT_EQ(results[0][thread], expected(lane ^ offset));
        EXPECT_EQ(results[1][thread], expected(lane + offset));
        EXPECT_EQ(results[2][thread], expected(lane - offset));
        EXPECT_EQ(results[3][thread], expected(offset));
        EXPECT_EQ(results[4][thread], expected((lane + offset) % width));
      }
    }
}

TEST_P(WarpTest, InvalidShuffleGivesPoison) {
  double value = 1;
  EXPECT_EQ(run(1, GetParam(),
                [&] {
                  EXPECT_FALSE(stencilEmulatorShuffle(
                      &value, sizeof(value), 1, 1,
                      static_cast<int32_t>(EmulatorShuffle::Down), "here"));
                }),
            "");
  EXPECT_TRUE(std::isnan(value));
}

TEST_P(WarpTest, ShuffleNeedsItsSource) {
  // The second warp has 8 lanes.
  EXPECT_NE(run(GetParam() + 8, GetParam(),
                [&] {
                  shuffle(EmulatorShuffle::Xor, 16,
                          static_cast<int>(GetParam()));
                })
                .find("which does not take part"),
            std::string::npos);
}

TEST_P(WarpTest, Votes) {
  auto vote = [](bool predicate, EmulatorVote kind) {
    return stencilEmulatorVote(-1, predicate, static_cast<int32_t>(kind),
                               "here");
  };
  EXPECT_EQ(run(GetParam(), GetParam(),
                [&] {
                  int lane = getId(EmulatorId::Lane);
                  uint64_t all = GetParam() == 64 ? ~uint64_t(0) : 0xffffffff;
                  EXPECT_EQ(vote(lane == 5, EmulatorVote::Any), 1);
                  EXPECT_EQ(vote(lane > 99, EmulatorVote::Any), 0);
                  EXPECT_EQ(vote(lane != 5, EmulatorVote::All), 0);
                  EXPECT_EQ(vote(lane < 99, EmulatorVote::All), 1);
                  EXPECT_EQ(vote(lane == 5, EmulatorVote::Uni), 0);
                  EXPECT_EQ(vote(lane > 99, EmulatorVote::Uni), 1);
                  EXPECT_EQ(vote(lane % 2 == 0, EmulatorVote::Ballot),
                            static_cast<int64_t>(all & 0x5555555555555555));
                }),
            "");
}

TEST_F(EmulatorTest, MatchReduceElect) {
  EXPECT_EQ(
      run(32, 32,
          [&] {
            int lane = getThread();
            EXPECT_EQ(stencilEmulatorMatch(0xffffffff, lane / 16, 0, "here"),
                      lane < 16 ? 0xffff : 0xffff0000);
            EXPECT_EQ(stencilEmulatorMatch(0xffffffff, lane / 16, 1, "here"),
                      0);
            EXPECT_EQ(stencilEmulatorMatch(0xffffffff, 7, 1, "here"),
                      0xffffffff);
            // add, and, max, min, or, umax, umin of -1, 0, ... 30
            const int32_t expected[] = {464, 0, 30, -1, -1, -1, 0};
            for (int kind : {0, 1, 2, 3, 4, 5, 6})
              EXPECT_EQ(
                  stencilEmulatorRedux(0xffffffff, lane - 1, kind, "here"),
                  expected[kind])
                  << kind;
            EXPECT_EQ(stencilEmulatorRedux(0xffffffff, lane, 7, "here"), 0);
            // Lanes 4 to 7 only.
            if (lane / 4 == 1)
              EXPECT_EQ(stencilEmulatorElect(0xf0, "here"), lane == 4);
          }),
      "");
}

TEST_F(EmulatorTest, MaskNamesTheLane) {
  EXPECT_NE(run(32, 32, [] { stencilEmulatorVote(0xfffffffe, 1, 0, "here"); })
                .find("vote with mask 0xfffffffe, which does not name lane 0"),
            std::string::npos);
}

/// PTX ISA, section shfl.sync, its pseudocode.
TEST_F(EmulatorTest, ShuffleSync) {
  struct Case {
    EmulatorShuffle mode;
    int b, c;
    /// Lane 9 gets this lane's value.
    int source;
    bool valid;
  };
  const Case cases[] = {
      {EmulatorShuffle::Up, 2, 0, 7, true},
      {EmulatorShuffle::Up, 12, 0, 9, false},
      {EmulatorShuffle::Down, 2, 31, 11, true},
      // Groups of 8: lane 9 is number 1 of 8 to 15.
      {EmulatorShuffle::Down, 7, 24 << 8 | 31, 9, false},
      {EmulatorShuffle::Xor, 2, 31, 11, true},
      {EmulatorShuffle::Idx, 3, 24 << 8 | 31, 11, true},
      {EmulatorShuffle::Idx, 30, 31, 30, true},
  };
  for (const Case &test : cases)
    EXPECT_EQ(run(32, 32,
                  [&] {
                    int32_t value = getThread();
                    int32_t valid = stencilEmulatorShuffleSync(
                        0xffffffff, &value, test.b, test.c,
                        static_cast<int32_t>(test.mode), "here");
                    if (getThread() == 9) {
                      EXPECT_EQ(value, test.source);
                      EXPECT_EQ(valid, test.valid);
                    }
                  }),
              "");
}

} // namespace
