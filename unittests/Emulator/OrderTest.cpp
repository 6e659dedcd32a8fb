//===- OrderTest.cpp - What orders accesses, and what does not ------------===//

#include "EmulatorTest.h"

using namespace stencil::runtime;

namespace {

class OrderTest : public EmulatorTest {
protected:
  /// The thread's access to a byte of shared memory.
  static void touch(int offset, int bytes, bool isWrite) {
    auto *shared = static_cast<char *>(stencilEmulatorSharedArray(0));
    stencilEmulatorCheck(shared + offset, bytes, 1, isWrite ? AccessWrite : 0,
                         "here");
  }
  static bool isRace(const std::string &message) {
    return message.find("race on shared memory") != std::string::npos;
  }
};

TEST_F(OrderTest, BarrierOrders) {
  EXPECT_EQ(run(64, 32,
                [] {
                  touch(8 * getThread(), 8, true);
                  stencilEmulatorBarrier("here");
                  touch(8 * (63 - getThread()), 8, false);
                  stencilEmulatorBarrier("here");
                  touch(8 * (63 - getThread()), 8, true);
                }),
            "");
}

TEST_F(OrderTest, ReadersDoNotRace) {
  EXPECT_EQ(run(64, 32,
                [] {
                  if (getThread() == 0)
                    touch(0, 8, true);
                  stencilEmulatorBarrier("here");
                  touch(0, 8, false);
                }),
            "");
}

TEST_F(OrderTest, WriteAfterReadRaces) {
  EXPECT_TRUE(isRace(run(64, 32, [] {
    if (getThread() == 0)
      touch(0, 8, true);
    stencilEmulatorBarrier("here");
    touch(0, 8, false);
    if (getThread() == 33)
      touch(0, 8, true);
  })));
}

TEST_F(OrderTest, BytesOfAWordDoNotRace) {
  EXPECT_EQ(run(64, 32, [] { touch(getThread(), 1, true); }), "");
  EXPECT_TRUE(isRace(run(64, 32, [] { touch(getThread() / 2, 1, true); })));
  // Found between sizes of accesses, too.
  EXPECT_TRUE(isRace(run(
      2, 32, [] { touch(getThread() ? 4 : 0, getThread() ? 1 : 8, true); })));
}

TEST_F(OrderTest, WarpBarrierOrdersItsWarp) {
  auto kernel = [](int distance) {
    return [distance] {
      touch(8 * getThread(), 8, true);
      stencilEmulatorSyncWarp(0xffffffff, "here");
      touch(8 * (getThread() ^ distance), 8, false);
    };
  };
  EXPECT_EQ(run(64, 32, kernel(1)), "");
  std::string message = run(64, 32, kernel(32));
  // Other warps' values may not even be there.
  EXPECT_TRUE(isRace(message) || message.find("no value") != std::string::npos);
}

TEST_F(OrderTest, ShuffleDoesNotOrder) {
  EXPECT_TRUE(isRace(run(32, 32, [] {
    touch(8 * getThread(), 8, true);
    stencilEmulatorVote(0xffffffff, 1, 0, "here");
    touch(8 * (31 - getThread()), 8, false);
  })));
}

TEST_F(OrderTest, NamedBarrierOrdersItsThreads) {
  // The first warp makes, the second one uses; both go on.
  EXPECT_EQ(run(64, 32,
                [] {
                  int thread = getThread();
                  if (thread < 32) {
                    touch(8 * thread, 8, true);
                    stencilEmulatorNamedBarrier(1, 64, 0, "here");
                  } else {
                    stencilEmulatorNamedBarrier(1, 64, 1, "here");
                    touch(8 * (thread - 32), 8, false);
                  }
                }),
            "");
}

TEST_F(OrderTest, AtomicsDoNotRace) {
  auto kernel = [](int32_t access) {
    return [access] {
      auto *shared = static_cast<char *>(stencilEmulatorSharedArray(0));
      if (getThread() == 0)
        touch(0, 4, true);
      stencilEmulatorBarrier("here");
      stencilEmulatorCheck(shared, 4, 4, access, "here");
    };
  };
  EXPECT_EQ(run(64, 32, kernel(AccessWrite | AccessAtomic)), "");
  EXPECT_TRUE(isRace(run(64, 32, kernel(AccessWrite))));
}

TEST_F(OrderTest, LaunchesAreOrdered) {
  void *memory = backend->allocate(64, nullptr, false);
  auto write = [&] { stencilEmulatorCheck(memory, 8, 8, AccessWrite, "here"); };
  launch({1, 1, 1}, {1, 1, 1}, 32, write);
  launch({1, 1, 1}, {1, 1, 1}, 32, write);
  EXPECT_THROW(launch({2, 1, 1}, {1, 1, 1}, 32, write), std::runtime_error);
  backend->free(memory, nullptr);
}

TEST_F(OrderTest, GraphsRepeat) {
  int runs = 0;
  Kernel count = [&] { ++runs; };
  void *stream = backend->createStream();
  backend->beginCapture(stream);
  launch({3, 1, 1}, {2, 1, 1}, 32, count, stream);
  void *graph = backend->endCapture(stream);
  EXPECT_EQ(runs, 0);
  backend->launchGraph(graph, stream);
  backend->launchGraph(graph, stream);
  EXPECT_EQ(runs, 12);
  backend->destroyGraph(graph);
  backend->destroyStream(stream);
}

/// Launches that touch the same global memory.
class StreamTest : public EmulatorTest {
protected:
  StreamTest() : a(backend->createStream()), b(backend->createStream()) {
    event = backend->createEvent(/*timing=*/false);
    memory = backend->allocate(8, a, /*hostShared=*/true);
  }
  ~StreamTest() override {
    backend->free(memory, a);
    backend->destroyEvent(event);
    backend->destroyStream(a);
    backend->destroyStream(b);
  }

  void write(void *stream) { launch({1, 1, 1}, {1, 1, 1}, 32, body, stream); }
  /// What the emulator says of it.
  std::string run(const std::function<void()> &work) {
    try {
      work();
    } catch (const std::runtime_error &error) {
      return error.what();
    }
    return {};
  }
  static bool isRace(const std::string &message) {
    return message.find("race on global memory") != std::string::npos &&
           message.find("a kernel in another stream, at here, for which no "
                        "event has been waited") != std::string::npos;
  }

  void *a, *b, *event, *memory;
  Kernel body = [this] {
    stencilEmulatorCheck(memory, 8, 1, AccessWrite, "here");
  };
};

TEST_F(StreamTest, StreamsAreNotOrdered) {
  write(a);
  EXPECT_EQ(run([&] { write(a); }), "");
  EXPECT_TRUE(isRace(run([&] { write(b); })));
}

TEST_F(StreamTest, EventsOrder) {
  write(a);
  backend->recordEvent(event, a);
  backend->waitForEvent(b, event);
  EXPECT_EQ(run([&] { write(b); }), "");
  // Not the other way round.
  EXPECT_TRUE(isRace(run([&] { write(a); })));
}

TEST_F(StreamTest, AnEventIsOfItsTime) {
  write(a);
  backend->recordEvent(event, a);
  write(a);
  backend->waitForEvent(b, event);
  EXPECT_TRUE(isRace(run([&] { write(b); })));
}

TEST_F(StreamTest, TheHostOrders) {
  write(a);
  backend->synchronizeStream(a);
  EXPECT_EQ(run([&] { write(b); }), "");
  backend->recordEvent(event, b);
  backend->synchronizeEvent(event);
  EXPECT_EQ(run([&] { write(a); }), "");
}

TEST_F(StreamTest, GraphsBranch) {
  backend->beginCapture(a);
  write(a);
  backend->recordEvent(event, a);
  backend->waitForEvent(b, event);
  write(b);
  backend->recordEvent(event, b);
  backend->waitForEvent(a, event);
  void *graph = backend->endCapture(a);
  EXPECT_EQ(run([&] {
              backend->launchGraph(graph, a);
              backend->launchGraph(graph, a);
              write(a);
            }),
            "");
  backend->destroyGraph(graph);
  // Nothing is recorded any more.
  EXPECT_TRUE(isRace(run([&] { write(b); })));
}

TEST_F(StreamTest, BranchesOfGraphsRace) {
  backend->beginCapture(a);
  backend->recordEvent(event, a);
  backend->waitForEvent(b, event);
  write(a);
  write(b);
  backend->recordEvent(event, b);
  backend->waitForEvent(a, event);
  void *graph = backend->endCapture(a);
  EXPECT_TRUE(isRace(run([&] { backend->launchGraph(graph, a); })));
  backend->destroyGraph(graph);
}

TEST_F(StreamTest, BranchesOfGraphsEnd) {
  backend->beginCapture(a);
  backend->recordEvent(event, a);
  backend->waitForEvent(b, event);
  write(b);
  EXPECT_NE(run([&] { backend->endCapture(a); })
                .find("expected a captured stream that has waited for all that "
                      "was captured with it"),
            std::string::npos);
}

TEST_F(StreamTest, CapturesAreApart) {
  backend->recordEvent(event, b);
  backend->beginCapture(a);
  EXPECT_NE(run([&] {
              backend->waitForEvent(a, event);
            }).find("to wait for events of the same capture only"),
            std::string::npos);
  backend->destroyGraph(backend->endCapture(a));
}

} // namespace
