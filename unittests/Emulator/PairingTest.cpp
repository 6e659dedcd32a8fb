//===- PairingTest.cpp - Every two accesses that nothing orders -----------===//
//
// Of every two accesses to the same memory, by threads and by asynchronous
// copies, of which one is a write: that they are found to race where one thing
// is missing that would order them, and not to race where all is there.
//
//===----------------------------------------------------------------------===//

#include "CopyTest.h"

using namespace stencil::runtime;

namespace {

enum class Agent { Thread, AsyncCopy, BulkLoad, BulkStore };

/// An access to the memory that is shared by both.
struct Access {
  Agent agent;
  bool isWrite;
  const char *name;
};

const Access kOfShared[] = {{Agent::Thread, false, "read"},
                            {Agent::Thread, true, "write"},
                            {Agent::AsyncCopy, true, "cp.async"},
                            {Agent::BulkLoad, true, "bulk load"},
                            {Agent::BulkStore, false, "bulk store"}};
const Access kOfGlobal[] = {{Agent::Thread, false, "read"},
                            {Agent::Thread, true, "write"},
                            {Agent::AsyncCopy, false, "cp.async"},
                            {Agent::BulkLoad, false, "bulk load"},
                            {Agent::BulkStore, true, "bulk store"}};

/// What the kernel leaves out.
enum class Missing { Nothing, Barrier, Wait, ProxyFence };

class PairingTest : public CopyTest {
protected:
  /// Issues an access to tile or buffer 0. Copies have their other end in tile
  /// or buffer `role`, 1 or 2, and barrier `role` - 1.
  void issue(const Access &what, bool isShared, int role) {
    int tile = isShared ? 0 : role, buffer = isShared ? role : 0;
    switch (what.agent) {
    case Agent::Thread:
      access(isShared ? getTile(0) : buffers[0], what.isWrite);
      break;
    case Agent::AsyncCopy:
      stencilEmulatorAsyncCopy(getTile(tile), buffers[buffer], 16, 16, "copy");
      stencilEmulatorAsyncCommit();
      break;
    case Agent::BulkLoad:
      expect(role - 1);
      load(tile, buffer, role - 1);
      break;
    case Agent::BulkStore:
      store(tile, buffer);
      break;
    }
  }
  static void finish(const Access &what, int role) {
    if (what.agent == Agent::AsyncCopy)
      stencilEmulatorAsyncWait(0, "wait");
    else if (what.agent == Agent::BulkLoad)
      wait(role - 1);
    else if (what.agent == Agent::BulkStore)
      waitForStores();
  }

  /// Thread 0 makes the first access, and then thread `other` the second one.
  std::string runPair(const Access &first, const Access &second, bool isShared,
                      int other, Missing missing) {
    int turn = 0;
    return run(40, 32, [&] {
      prepare();
      int thread = getThread();
      if (thread == 0) {
        issue(first, isShared, 1);
        if (missing != Missing::Wait)
          finish(first, 1);
        if (missing != Missing::ProxyFence)
          fenceProxy();
        turn = 1;
      }
      if (missing != Missing::Barrier)
        sync();
      if (thread == other) {
        waitForTurn(turn, 1);
        issue(second, isShared, 2);
        finish(second, 2);
      }
      sync();
      if (thread == 0)
        finish(first, 1);
    });
  }

  /// Two blocks; nothing orders them.
  std::string runBlocks(const Access &first, const Access &second) {
    int turn = 0;
    try {
      launch({2, 1, 1}, {32, 1, 1}, 32, [&] {
        prepare();
        if (getThread() != 0)
          return;
        const Access &own = turn == 0 ? first : second;
        issue(own, /*isShared=*/false, ++turn);
        finish(own, turn);
      });
    } catch (const std::runtime_error &error) {
      return error.what();
    }
    return {};
  }
};

bool isRace(const std::string &message) {
  return message.find("emulator: race") != std::string::npos;
}

/// cp.async is as a thread is.
bool isBulk(Agent agent) {
  return agent == Agent::BulkLoad || agent == Agent::BulkStore;
}

TEST_P(PairingTest, OfABlock) {
  for (bool isShared : {true, false})
    for (const Access &first : isShared ? kOfShared : kOfGlobal)
      for (const Access &second : isShared ? kOfShared : kOfGlobal)
        for (int other : {0, 1, 33}) {
          SCOPED_TRACE(std::string(isShared ? "shared: " : "global: ") +
                       first.name + ", then " + second.name + " by thread " +
                       std::to_string(other));
          bool conflicts = first.isWrite || second.isWrite;
          auto runWithout = [&](Missing missing) {
            return runPair(first, second, isShared, other, missing);
          };
          EXPECT_EQ(runWithout(Missing::Nothing), "");
          if (other != 0)
            EXPECT_EQ(isRace(runWithout(Missing::Barrier)), conflicts);
          if (first.agent != Agent::Thread)
            EXPECT_EQ(isRace(runWithout(Missing::Wait)), conflicts);
          if (conflicts && !isBulk(first.agent) && isBulk(second.agent))
            EXPECT_NE(runWithout(Missing::ProxyFence)
                          .find("missing fence.proxy.async"),
                      std::string::npos);
          else
            EXPECT_EQ(runWithout(Missing::ProxyFence), "");
        }
}

TEST_P(PairingTest, OfTwoBlocks) {
  for (const Access &first : kOfGlobal)
    for (const Access &second : kOfGlobal) {
      SCOPED_TRACE(std::string(first.name) + ", then " + second.name);
      EXPECT_EQ(isRace(runBlocks(first, second)),
                first.isWrite || second.isWrite);
    }
}

INSTANTIATE_TEST_SUITE_P(Seeds, PairingTest, testing::Values("1", "2", "3"));

} // namespace
