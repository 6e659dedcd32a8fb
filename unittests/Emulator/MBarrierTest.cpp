//===- MBarrierTest.cpp - Phases of barriers in shared memory -------------===//

#include "EmulatorTest.h"

using namespace stencil::runtime;

namespace {

class MBarrierTest : public EmulatorTest {
protected:
  /// Thread 0 makes a barrier at the beginning of shared memory.
  static void init(int count) {
    if (getThread() == 0)
      stencilEmulatorMBarrierInit(getShared(0), count, "here");
    stencilEmulatorBarrier("here");
  }
  static int64_t arrive() {
    return stencilEmulatorMBarrierArrive(getShared(0), 1, 0, "here");
  }
  static bool wait(int64_t phase, bool isParity, bool waits) {
    return stencilEmulatorMBarrierWait(getShared(0), phase, isParity, waits,
                                       "here");
  }
};

TEST_F(MBarrierTest, PhasesFollowEachOther) {
  EXPECT_EQ(run(64, 32,
                [] {
                  init(64);
                  for (int phase = 0; phase < 5; ++phase) {
                    EXPECT_EQ(arrive(), phase);
                    // Alternately by number and by parity.
                    if (phase % 2)
                      EXPECT_TRUE(wait(phase & 1, true, true));
                    else
                      EXPECT_TRUE(wait(phase, false, true));
                  }
                }),
            "");
}

TEST_F(MBarrierTest, TestWaitDoesNotWait) {
  int notYet = 0;
  EXPECT_EQ(run(32, 32,
                [&] {
                  init(32);
                  if (getThread() == 31)
                    EXPECT_FALSE(wait(0, true, false));
                  int64_t phase = arrive();
                  while (!wait(phase, false, false))
                    ++notYet;
                }),
            "");
  EXPECT_GT(notYet, 0);
}

/// A ring of one slot: the first warp fills it, the second one empties it.
TEST_F(MBarrierTest, OrdersProducerAndConsumer) {
  auto kernel = [](bool waitsForEmpty) {
    return [waitsForEmpty] {
      char *full = getShared(0), *empty = getShared(8), *slot = getShared(16);
      int thread = getThread();
      if (thread == 0) {
        stencilEmulatorMBarrierInit(full, 1, "here");
        stencilEmulatorMBarrierInit(empty, 1, "here");
      }
      stencilEmulatorBarrier("here");
      for (int round = 0; round < 3; ++round)
        if (thread == 0) {
          if (waitsForEmpty && round > 0)
            stencilEmulatorMBarrierWait(empty, round - 1, false, true, "here");
          stencilEmulatorCheck(slot, 8, 8, AccessWrite, "write");
          stencilEmulatorMBarrierArrive(full, 1, 0, "here");
        } else if (thread == 32) {
          stencilEmulatorMBarrierWait(full, round, false, true, "here");
          stencilEmulatorCheck(slot, 8, 8, 0, "read");
          stencilEmulatorMBarrierArrive(empty, 1, 0, "here");
        }
    };
  };
  EXPECT_EQ(run(64, 32, kernel(true)), "");
  EXPECT_NE(run(64, 32, kernel(false)).find("race on shared memory"),
            std::string::npos);
}

TEST_F(MBarrierTest, Errors) {
  EXPECT_NE(run(1, 32, [] { arrive(); }).find("not been initialised"),
            std::string::npos);
  EXPECT_NE(run(1, 32,
                [] {
                  init(2);
                  stencilEmulatorMBarrierArrive(getShared(0), 3, 0, "here");
                })
                .find("3 arrivals, expected at most 2 more of 2"),
            std::string::npos);
  EXPECT_NE(run(2, 32,
                [] {
                  init(2);
                  arrive();
                  if (getThread() == 0)
                    wait(1, false, true);
                })
                .find("threads wait for ever"),
            std::string::npos);
}

} // namespace
