//===- FenceTest.cpp - Proxy fences, membars, atomic operations -----------===//

#include "CopyTest.h"

using namespace stencil::runtime;

namespace {

class FenceTest : public CopyTest {
protected:
  /// Thread 0 initialises a barrier, `fence` is called by all threads, and
  /// thread 0 loads a tile with it.
  std::string loadAfterInit(const std::function<void()> &before,
                            const std::function<void()> &after) {
    return run(32, 32, [&] {
      before();
      if (getThread() == 0)
        stencilEmulatorMBarrierInit(getBarrier(0), 1, "init");
      after();
      sync();
      if (getThread() == 0) {
        expect(0);
        load(0, 0, 0);
      }
      wait(0);
    });
  }

  static constexpr int32_t kStore = AccessWrite | AccessAtomic;
  static constexpr int32_t kLoad = AccessAtomic;
  /// Of thread 0, which writes a number and then a flag, and of thread 33,
  /// which waits for the flag and reads the number.
  std::string passMessage(int32_t store, int32_t load,
                          const std::function<void()> &release,
                          const std::function<void()> &acquire) {
    int flag = 0;
    return run(64, 32, [&] {
      char *number = getTile(0), *shown = getTile(1);
      if (getThread() == 1)
        stencilEmulatorCheck(shown, 4, 4, AccessWrite, "flag");
      sync();
      if (getThread() == 0) {
        stencilEmulatorCheck(number, 4, 4, AccessWrite, "number");
        release();
        stencilEmulatorCheck(shown, 4, 4, store, "flag");
        flag = 1;
      } else if (getThread() == 33) {
        do
          stencilEmulatorCheck(shown, 4, 4, load, "flag");
        while (flag == 0);
        acquire();
        stencilEmulatorCheck(number, 4, 4, 0, "number");
      }
    });
  }
};

void nothing() {}
void fenceBlock() { stencilEmulatorFence(0, "fence"); }

TEST_P(FenceTest, BarriersAreFencedBeforeCopies) {
  auto fenceInit = [] { stencilEmulatorFenceMBarrierInit("fence"); };
  auto fenceShared = [] { stencilEmulatorFenceProxy(1, 0, "fence"); };
  auto fenceGlobal = [] { stencilEmulatorFenceProxy(0, 1, "fence"); };
  EXPECT_EQ(loadAfterInit(nothing, fenceInit), "");
  EXPECT_EQ(loadAfterInit(nothing, fenceShared), "");
  auto isMissing = [](const std::string &message) {
    return message.find("missing fence.mbarrier_init or fence.proxy.async: an "
                        "asynchronous copy uses an mbarrier") !=
               std::string::npos &&
           message.find("it was initialised at init") != std::string::npos;
  };
  EXPECT_TRUE(isMissing(loadAfterInit(nothing, nothing)));
  EXPECT_TRUE(isMissing(loadAfterInit(nothing, fenceGlobal)));
  EXPECT_TRUE(isMissing(loadAfterInit(fenceInit, nothing)));
  EXPECT_TRUE(isMissing(loadAfterInit(fenceShared, nothing)));
}

/// The fence of whoever issues the copy is as good as that of who has written.
TEST_P(FenceTest, AnyThreadOnTheWayFences) {
  for (int fencing : {-1, 0, 1, 2, 33}) {
    bool isOnTheWay = fencing == 0 || fencing == 1;
    std::string message = run(64, 32, [&] {
      prepare();
      int thread = getThread();
      // Thread 1 tells thread 0 through a barrier, and nobody else.
      if (thread == 1)
        access(getTile(0), /*isWrite=*/true);
      if (thread == fencing && thread != 0)
        fenceProxy();
      if (thread == 1)
        stencilEmulatorMBarrierArrive(getBarrier(0), 1, 0, "arrive");
      if (thread != 0)
        return;
      wait(0);
      if (fencing == 0)
        fenceProxy();
      store(0, 0);
      waitForStores();
    });
    SCOPED_TRACE(fencing);
    if (isOnTheWay)
      EXPECT_EQ(message, "");
    else
      EXPECT_NE(message.find("missing fence.proxy.async: read of 128 bytes of "
                             "shared memory"),
                std::string::npos);
  }
}

/// A fence behind a barrier of the block is one for all that came before it, of
/// any thread, by cp.async, too.
TEST_P(FenceTest, TheIssuersFenceIsForAll) {
  for (bool fences : {true, false}) {
    std::string message = run(64, 32, [&] {
      prepare();
      int thread = getThread();
      if (thread < 8)
        access(getTile(0) + 8 * thread, /*isWrite=*/true);
      if (thread == 40) {
        stencilEmulatorAsyncCopy(getTile(0) + 64, buffers[1], 16, 16, "copy");
        stencilEmulatorAsyncCommit();
        stencilEmulatorAsyncWait(0, "wait");
      }
      sync();
      if (thread != 0)
        return;
      if (fences)
        fenceProxy();
      store(0, 0);
      waitForStores();
    });
    EXPECT_EQ(message.find("missing fence.proxy.async") != std::string::npos,
              !fences);
    EXPECT_EQ(message.empty(), fences);
  }
}

/// A fence before a barrier of the block is one for all of its threads.
TEST_P(FenceTest, BlocksBarriersPassFencesOn) {
  EXPECT_EQ(run(64, 32,
                [&] {
                  prepare();
                  access(getTile(0) + 8 * (getThread() % 16),
                         /*isWrite=*/false);
                  fenceProxy();
                  sync();
                  if (getThread() == 7) {
                    expect(0);
                    load(0, 0, 0);
                  }
                  wait(0);
                }),
            "");
}

TEST_P(FenceTest, MembarsPassMessages) {
  EXPECT_EQ(passMessage(kStore, kLoad, fenceBlock, fenceBlock), "");
  EXPECT_EQ(passMessage(kStore | AccessRelease, kLoad | AccessAcquire, nothing,
                        nothing),
            "");
  EXPECT_EQ(passMessage(kStore | AccessRelease, kLoad, nothing, fenceBlock),
            "");
  auto isRace = [](const std::string &message) {
    return message.find("race on shared memory: read of 4 bytes") !=
           std::string::npos;
  };
  EXPECT_TRUE(isRace(passMessage(kStore, kLoad, nothing, fenceBlock)));
  EXPECT_TRUE(isRace(passMessage(kStore, kLoad, fenceBlock, nothing)));
  EXPECT_TRUE(isRace(passMessage(kStore, kLoad, nothing, nothing)));
}

/// Blocks: a fence of a block is none.
TEST_P(FenceTest, BlocksNeedFencesOfTheDevice) {
  auto kernel = [&](int release, int acquire) {
    int count = 0;
    try {
      launch({3, 1, 1}, {1, 1, 1}, 32, [&] {
        auto *count64 = static_cast<char *>(buffers[1]);
        auto *parts = static_cast<char *>(buffers[0]);
        int block = getId(EmulatorId::Block);
        stencilEmulatorCheck(parts + 8 * block, 8, 8, AccessWrite, "part");
        stencilEmulatorFence(release, "fence");
        stencilEmulatorCheck(count64, 8, 8,
                             AccessWrite | AccessRead | AccessAtomic, "count");
        if (++count < 3)
          return;
        stencilEmulatorFence(acquire, "fence");
        for (int i = 0; i < 3; ++i)
          stencilEmulatorCheck(parts + 8 * i, 8, 8, 0, "part");
      });
    } catch (const std::runtime_error &error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_EQ(kernel(1, 1), "");
  for (auto [release, acquire] : {std::pair(0, 1), {1, 0}, {0, 0}})
    EXPECT_NE(
        kernel(release, acquire).find("race on global memory: read of 8 bytes"),
        std::string::npos);
}

/// Seeds differ in the order of blocks and threads, and in when copies arrive.
TEST(SeedTest, OrdersDiffer) {
  class Run : public EmulatorTest {
  public:
    explicit Run(const char *seed) : EmulatorTest(seed) {
      launch({7, 1, 1}, {64, 1, 1}, 32, [&] {
        if (getThread() == 0)
          blocks.push_back(getId(EmulatorId::Block));
        threads.push_back(getThread());
        stencilEmulatorBarrier("here");
      });
    }
    void TestBody() override {}
    std::vector<int> blocks, threads;
  };
  Run one("1"), two("2"), three("3"), again("2");
  EXPECT_NE(one.blocks, two.blocks);
  EXPECT_NE(two.blocks, three.blocks);
  EXPECT_NE(one.threads, two.threads);
  EXPECT_NE(two.threads, three.threads);
  EXPECT_EQ(two.threads, again.threads);
}

TEST_P(FenceTest, CopiesArriveLateOrEarly) {
  int64_t early = 0, late = 0;
  for (int i = 0; i < 20; ++i)
    EXPECT_EQ(run(32, 32,
                  [&] {
                    prepare();
                    if (getThread() == 0) {
                      expect(0);
                      load(0, 0, 0);
                      ++(wait(0, 0, /*waits=*/false) ? early : late);
                    }
                    wait(0);
                  }),
              "");
  std::string seed = GetParam();
  EXPECT_EQ(early > 0, seed != "1");
  EXPECT_EQ(late > 0, seed != "2");
}

INSTANTIATE_TEST_SUITE_P(Seeds, FenceTest, testing::Values("1", "2", "3"));

} // namespace
