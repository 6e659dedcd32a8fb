//===- CallerStreamTest.cpp - Work in a stream of the caller's ------------===//
//
// What a driver gets to do when the caller has set the stream, and nothing
// else: for both drivers.
//
//===----------------------------------------------------------------------===//

#include "RuntimeTest.h"

using namespace stencil::runtime;

namespace {

struct Driver {
  int backend;
  const char *library;
  /// What its functions begin with.
  const char *prefix;
};

// NOLINTNEXTLINE(readability-identifier-naming): GoogleTest's name.
void PrintTo(const Driver &driver, std::ostream *os) { *os << driver.prefix; }

class CallerStreamTest : public testing::TestWithParam<Driver> {
protected:
  void SetUp() override {
    GTEST_FLAG_SET(death_test_style, "threadsafe");
    stencilSelectBackend(GetParam().backend);
    stencilSetStream(nullptr);
    stream = mgpuStreamCreate();
    log();
    stencilSetStream(stream);
  }
  void TearDown() override {
    stencilSetStream(nullptr);
    mgpuStreamDestroy(stream);
    stencilTakeStatus();
  }

  static std::string log() { return takeLog(GetParam().library); }
  /// With the function's name of the driver.
  static std::string call(const std::string &name) {
    return GetParam().prefix + name + "\n";
  }

  void *stream = nullptr;
};

TEST_P(CallerStreamTest, FunctionsCreateNoStreamAndDoNotWait) {
  void *own = stencilOpenStream();
  EXPECT_EQ(own, stream);
  // The side streams of a sweep's regions.
  EXPECT_EQ(mgpuStreamCreate(), stream);
  mgpuStreamDestroy(stream);
  stencilExpectWait(own);
  stencilBeginTiming(own);
  stencilEndTiming(own);
  stencilFinishStream(own);
  stencilCloseStream(own);
  EXPECT_EQ(log(), "");
}

TEST_P(CallerStreamTest, WithoutOneAFunctionWaits) {
  stencilSetStream(nullptr);
  void *own = stencilOpenStream();
  log();
  stencilFinishStream(own);
  stencilCloseStream(own);
  EXPECT_EQ(log(), call("StreamSynchronize") + call("StreamDestroy"));
}

TEST_P(CallerStreamTest, FunctionsOnArraysOfTheHostWait) {
  void *own = mgpuStreamCreate();
  EXPECT_EQ(own, stream);
  mgpuStreamSynchronize(own);
  mgpuStreamDestroy(own);
  EXPECT_EQ(log(), call("StreamSynchronize"));
}

TEST_P(CallerStreamTest, TemporariesAreInTheOrderOfTheStream) {
  void *memory = mgpuMemAlloc(100, stream, false);
  mgpuMemFree(memory, stream);
  bool isCuda = GetParam().backend == 0;
  EXPECT_EQ(log(), call(isCuda ? "MemAllocAsync 100" : "MallocAsync 100") +
                       call(isCuda ? "MemFreeAsync" : "FreeAsync"));
  // A function that fails releases without a stream.
  memory = mgpuMemAlloc(100, stream, false);
  log();
  mgpuMemFree(memory, nullptr);
  EXPECT_EQ(log(), call(isCuda ? "MemFreeAsync" : "FreeAsync"));
}

TEST_P(CallerStreamTest, TemporariesThatAreTooLarge) {
  EXPECT_FAILURE(mgpuMemAlloc(2 << 20, stream, false),
                 "out of device memory: 2 MiB .* needed, 1 MiB .* free");
}

TEST_P(CallerStreamTest, OtherMemoryIsNot) {
  stencilSetStream(nullptr);
  void *memory = mgpuMemAlloc(100, stream, false);
  mgpuMemFree(memory, stream);
  EXPECT_EQ(log().find("Async"), std::string::npos);
}

TEST_P(CallerStreamTest, GraphsEndBehindTheirLaunches) {
  stencilSetStream(nullptr);
  stencilBeginCapture(stream);
  void *graph = stencilEndCapture(stream);
  stencilSetStream(stream);
  setenv("FAKE_BUSY", "1", 1);
  log();
  stencilRetireGraph(graph, stream);
  EXPECT_EQ(log().find("Destroy"), std::string::npos);
  unsetenv("FAKE_BUSY");
  // The next one finds that the first is over, and itself.
  stencilBeginCapture(stream);
  graph = stencilEndCapture(stream);
  log();
  stencilRetireGraph(graph, stream);
  std::string ends = call("GraphExecDestroy") + call("EventDestroy");
  EXPECT_NE(log().find(ends + ends), std::string::npos);
}

TEST_P(CallerStreamTest, GraphsOfOwnStreamsEndAtOnce) {
  stencilSetStream(nullptr);
  stencilBeginCapture(stream);
  void *graph = stencilEndCapture(stream);
  log();
  stencilRetireGraph(graph, stream);
  EXPECT_EQ(log(), call("StreamSynchronize") + call("GraphExecDestroy"));
}

TEST_P(CallerStreamTest, WhatTheCallerRecordsIsRecordedOnce) {
  EXPECT_EQ(stencilMayCapture(stream), 1);
  stencilBeginCapture(stream);
  log();
  EXPECT_EQ(stencilMayCapture(stream), 0);
  void *own = stencilOpenStream();
  EXPECT_EQ(own, stream);
  stencilFinishStream(own);
  stencilCloseStream(own);
  EXPECT_EQ(log(), "");
  stencilDestroyGraph(stencilEndCapture(stream));
  // Nobody can record the default stream of old.
  void *legacy = reinterpret_cast<void *>(1);
  stencilSetStream(legacy);
  EXPECT_EQ(stencilMayCapture(legacy), 0);
}

TEST_P(CallerStreamTest, WaitingForWhatIsRecorded) {
  auto record = [this] { stencilBeginCapture(stream); };
  EXPECT_FAILURE((record(), stencilOpenStream(), stencilExpectWait(stream)),
                 "expected a stream that is not being captured, as the program "
                 "needs a value of the device on the host, which has to be "
                 "waited for");
  EXPECT_FAILURE((record(), mgpuStreamCreate()),
                 "expected a stream that is not being captured, as arrays of "
                 "the host are copied, which has to be waited for");
}

TEST_P(CallerStreamTest, ChecksArrays) {
  void *memory = mgpuMemAlloc(100, stream, false);
  auto address = reinterpret_cast<intptr_t>(memory);
  int host = 0;
  EXPECT_EQ(stencilCheckArray(address, 100, 4), 0);
  EXPECT_EQ(stencilCheckArray(address + 4, 96, 4), 0);
  EXPECT_EQ(stencilCheckArray(reinterpret_cast<intptr_t>(&host), 4, 4), 1);
  EXPECT_EQ(stencilCheckArray(0, 4, 4), 1);
  EXPECT_EQ(stencilCheckArray(0, 0, 4), 0);
  setenv("FAKE_OWNER", "1", 1);
  EXPECT_EQ(stencilCheckArray(address, 100, 4), 2);
  unsetenv("FAKE_OWNER");
  EXPECT_EQ(stencilCheckArray(address + 4, 96, 16), 3);
  mgpuMemFree(memory, stream);
}

/// Blocks are kept for later calls: who gets one waits for who had it.
TEST_P(CallerStreamTest, WithoutPoolsBlocksAreKept) {
  auto run = [this] {
    void *memory = mgpuMemAlloc(100, stream, false);
    mgpuMemFree(memory, stream);
    bool isSame = mgpuMemAlloc(90, stream, false) == memory;
    bool isOther = mgpuMemAlloc(100, stream, false) != memory;
    std::string calls = log();
    std::fputs(calls.c_str(), stderr);
    std::_Exit(isSame && isOther ? 0 : 1);
  };
  // In a process in which the driver has not been asked yet.
  setenv("FAKE_POOLS", "0", 1);
  std::string record = GetParam().prefix + std::string("EventRecord\n");
  EXPECT_EXIT(run(), testing::ExitedWithCode(0),
              record + GetParam().prefix + "StreamWaitEvent\n" +
                  GetParam().prefix + "EventDestroy\n");
  EXPECT_FAILURE((stencilBeginCapture(stream), mgpuMemAlloc(8, stream, false)),
                 "expected a stream that is not being captured, as the program "
                 "needs memory of its own, and the driver has no allocations "
                 "in the order of a stream");
  unsetenv("FAKE_POOLS");
  // A driver that cannot tell has none.
  std::string fail = GetParam().prefix + std::string("DeviceGetAttribute=1");
  setenv("FAKE_FAIL", fail.c_str(), 1);
  EXPECT_FAILURE((stencilBeginCapture(stream), mgpuMemAlloc(8, stream, false)),
                 ".*the driver has no allocations in the order of a stream");
  unsetenv("FAKE_FAIL");
}

/// They are given back before memory is said to be out, once they are not used
/// any more.
TEST_P(CallerStreamTest, WithoutPoolsBlocksAreGivenBack) {
  auto run = [this] {
    // Of 1 MiB.
    mgpuMemFree(mgpuMemAlloc(700'000, stream, false), stream);
    log();
    void *memory = mgpuMemAlloc(800'000, stream, false);
    std::string calls = log();
    std::fputs(calls.c_str(), stderr);
    std::_Exit(memory && stencilTakeStatus() == STENCIL_OK ? 0 : 1);
  };
  setenv("FAKE_POOLS", "0", 1);
  std::string prefix = GetParam().prefix;
  EXPECT_EXIT(run(), testing::ExitedWithCode(0),
              prefix + "EventSynchronize\n" + prefix + "EventDestroy\n" +
                  prefix + "(MemFree_v2|Free)\n" + prefix +
                  "(MemAlloc_v2|Malloc) 800000\n");
  unsetenv("FAKE_POOLS");
}

INSTANTIATE_TEST_SUITE_P(Drivers, CallerStreamTest,
                         testing::Values(Driver{0, "libcuda.so.1", "cu"},
                                         Driver{1, "libamdhip64.so.6", "hip"}),
                         testing::PrintToStringParamName());

/// The device that the thread has made its own comes first.
TEST(CallerContextDeathTest, Cuda) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  auto prepare = [](const char *current) {
    setenv("FAKE_DEVICES", "2", 1);
    setenv("FAKE_CURRENT", current, 1);
    setenv("FAKE_OWNER", "1", 1);
    stencilSelectBackend(0);
  };
  EXPECT_EXIT(
      {
        prepare("1");
        void *memory = mgpuMemAlloc(8, nullptr, false);
        auto address = reinterpret_cast<intptr_t>(memory);
        std::_Exit(stencilCheckArray(address, 8, 8));
      },
      testing::ExitedWithCode(0), "");
  EXPECT_FAILURE(
      (prepare("1"), stencilSetStream(mgpuStreamCreate()), stencilOpenStream()),
      "stencilSetStream: expected a stream of the context in use, that of "
      "device 1, got one of another context");
}

TEST(CallerContextDeathTest, Hip) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(
      {
        setenv("FAKE_DEVICES", "2", 1);
        setenv("FAKE_CURRENT", "1", 1);
        setenv("FAKE_OWNER", "1", 1);
        stencilSelectBackend(1);
        void *memory = mgpuMemAlloc(8, nullptr, false);
        auto address = reinterpret_cast<intptr_t>(memory);
        std::_Exit(stencilCheckArray(address, 8, 8));
      },
      testing::ExitedWithCode(0), "");
}

} // namespace
