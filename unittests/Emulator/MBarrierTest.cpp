//===- MBarrierTest.cpp - Phases of barriers in shared memory -------------===//

#include "CopyTest.h"

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
                  // While it asks, each of the others does.
                  for (int i = 0; i < 3 && getThread() == 31; ++i)
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

/// Copies that bring what nobody expects, or that nobody waits for.
class TransferTest : public CopyTest {
protected:
  /// Thread 0 loads as many tiles as there are numbers, each of which it
  /// expects before, and waits for the first `waits` phases.
  std::string loadTiles(const std::vector<int64_t> &expected, int waits) {
    return run(32, 32, [&] {
      prepare();
      if (getThread() != 0)
        return;
      int tile = 0;
      for (int64_t bytes : expected) {
        if (bytes >= 0)
          expect(0, bytes);
        load(tile++, 0, 0);
      }
      for (int phase = 0; phase < waits; ++phase)
        wait(0, phase & 1);
    });
  }
  static bool isSurplus(const std::string &message, int bytes) {
    return message.find(
               "mbarrier: copies have brought " + std::to_string(bytes) +
               " bytes more than were expected in their phase, in "
               "kernel test, block (0, 0, 0), at load") != std::string::npos;
  }
};

TEST_P(TransferTest, WhatIsExpectedComes) {
  EXPECT_EQ(loadTiles({kTileBytes}, 1), "");
  // No more expectation: for both.
  EXPECT_EQ(loadTiles({2 * kTileBytes, -1}, 1), "");
}

TEST_P(TransferTest, MoreBytesThanExpected) {
  EXPECT_TRUE(isSurplus(loadTiles({kTileBytes - 16}, 1), 16));
  // The phase ends with the first copy; the second one is of no phase.
  std::string message = loadTiles({kTileBytes, -1}, 1);
  if (std::string(GetParam()) == "1")
    EXPECT_TRUE(isSurplus(message, kTileBytes));
  else
    EXPECT_NE(message, "");
}

TEST_P(TransferTest, FewerBytesThanExpected) {
  EXPECT_NE(loadTiles({kTileBytes + 16}, 1).find("threads wait for ever"),
            std::string::npos);
}

TEST_P(TransferTest, MoreBytesThanABarrierCounts) {
  EXPECT_NE(run(1, 32,
                [] {
                  prepare();
                  expect(0, 1 << 20);
                })
                .find("mbarrier: expected at most 1048575 bytes under way in a "
                      "phase, got 1048576"),
            std::string::npos);
}

TEST_P(TransferTest, TooManyArrivals) {
  EXPECT_NE(run(1, 32,
                [&] {
                  prepare();
                  expect(0);
                  stencilEmulatorMBarrierArrive(getBarrier(0), 1, 0, "again");
                })
                .find("mbarrier: 1 arrivals, expected at most 0 more of 1 in "
                      "this phase"),
            std::string::npos);
}

TEST_P(TransferTest, ABlockWaitsForItsCopies) {
  EXPECT_NE(loadTiles({kTileBytes}, 0)
                .find("the block ends before its bulk copies, which a thread "
                      "must wait for, in kernel test, block (0, 0, 0), at "
                      "load"),
            std::string::npos);
}

TEST_P(TransferTest, AThreadWaitsForItsStores) {
  auto kernel = [&](bool waits, bool isRead) {
    return run(1, 32, [&, waits, isRead] {
      prepare();
      store(0, 0);
      if (waits)
        waitForStores(isRead);
    });
  };
  EXPECT_EQ(kernel(true, false), "");
  // What has been read may be written when the block has ended.
  EXPECT_EQ(kernel(true, true), "");
  EXPECT_EQ(*static_cast<double *>(buffers[0]), 0);
  EXPECT_NE(kernel(false, false).find("the thread ends before its bulk copies"),
            std::string::npos);
}

/// A tile that has been read is free, the tensor is not there yet.
TEST_P(TransferTest, StoresAreReadBeforeTheyAreWritten) {
  auto kernel = [&](bool readsTensor) {
    return run(1, 32, [&, readsTensor] {
      prepare();
      store(0, 0);
      waitForStores(/*isRead=*/true);
      if (readsTensor)
        access(buffers[0], /*isWrite=*/false);
      else
        access(getTile(0), /*isWrite=*/true);
      waitForStores();
    });
  };
  EXPECT_EQ(kernel(false), "");
  EXPECT_NE(kernel(true).find("race on global memory: read of 8 bytes"),
            std::string::npos);
}

INSTANTIATE_TEST_SUITE_P(Seeds, TransferTest, testing::Values("1", "2", "3"));

} // namespace
