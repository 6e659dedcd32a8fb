//===- CudaTest.cpp - What the CUDA driver gets to do ---------------------===//

#include "RuntimeTest.h"

using namespace stencil::runtime;

namespace {

class CudaTest : public testing::Test {
protected:
  void SetUp() override {
    stencilSelectBackend(0);
    getBackend();
    takeLog("libcuda.so.1");
    stream = mgpuStreamCreate();
    module = loadPTX();
  }
  void TearDown() override {
    mgpuModuleUnload(module);
    mgpuStreamDestroy(stream);
  }

  static std::string log() { return takeLog("libcuda.so.1"); }

  /// Counts launches in `counter`.
  void increment(int *counter) {
    void *kernel = mgpuModuleGetFunction(module, "increment");
    void *params[] = {static_cast<void *>(&counter)};
    mgpuLaunchKernel(kernel, 2, 1, 1, 32, 4, 1, 0, stream, params, nullptr, 1);
  }

  void *stream = nullptr;
  void *module = nullptr;
};

TEST_F(CudaTest, LoadsAModuleAtItsFirstUse) {
  EXPECT_EQ(log(), "cuStreamCreate 1\n");
  int counter = 0;
  increment(&counter);
  increment(&counter);
  EXPECT_EQ(counter, 2);
  EXPECT_EQ(log(), "cuModuleLoadDataEx\n"
                   "cuModuleGetFunction increment\n"
                   "cuLaunchKernel increment 2x1x1 32x4x1 0\n"
                   "cuLaunchKernel increment 2x1x1 32x4x1 0\n");
}

TEST_F(CudaTest, LoadsModulesAheadOfARun) {
  std::string object = "__CLANG_OFFLOAD_BUNDLE__: for another backend";
  void *other = mgpuModuleLoad(object.data(), object.size());
  log();
  stencilReserveMemory(1000);
  EXPECT_EQ(log(), "cuModuleLoadDataEx\n");
  stencilReserveMemory(1000);
  mgpuModuleGetFunction(module, "increment");
  EXPECT_EQ(log(), "cuModuleGetFunction increment\n");
  mgpuModuleUnload(other);
}

TEST_F(CudaTest, LaunchesAGraphManyTimes) {
  int counter = 0;
  log();
  stencilBeginCapture(stream);
  increment(&counter);
  increment(&counter);
  void *graph = stencilEndCapture(stream);
  EXPECT_EQ(counter, 0);
  for (int i = 0; i < 3; ++i)
    stencilLaunchGraph(graph, stream);
  EXPECT_EQ(counter, 6);
  stencilDestroyGraph(graph);
  EXPECT_EQ(log(), "cuStreamBeginCapture 1\n"
                   "cuModuleLoadDataEx\n"
                   "cuModuleGetFunction increment\n"
                   "cuLaunchKernel increment 2x1x1 32x4x1 0\n"
                   "cuLaunchKernel increment 2x1x1 32x4x1 0\n"
                   "cuStreamEndCapture\n"
                   "cuGraphInstantiate\n"
                   "cuGraphDestroy\n"
                   "cuGraphLaunch\ncuGraphLaunch\ncuGraphLaunch\n"
                   "cuGraphExecDestroy\n");
}

TEST_F(CudaTest, GraphsHaveBranches) {
  int counter = 0;
  void *main = stream, *side = mgpuStreamCreate();
  void *event = mgpuEventCreate();
  increment(&counter);
  log();
  stencilBeginCapture(main);
  mgpuEventRecord(event, main);
  mgpuStreamWaitEvent(side, event);
  increment(&counter);
  stream = side;
  increment(&counter);
  stream = main;
  mgpuEventRecord(event, side);
  mgpuStreamWaitEvent(main, event);
  void *graph = stencilEndCapture(main);
  // Neither of the two has been launched yet.
  EXPECT_EQ(counter, 1);
  stencilLaunchGraph(graph, main);
  EXPECT_EQ(counter, 3);
  EXPECT_EQ(log(), "cuStreamBeginCapture 1\n"
                   "cuEventRecord\ncuStreamWaitEvent\n"
                   "cuLaunchKernel increment 2x1x1 32x4x1 0\n"
                   "cuLaunchKernel increment 2x1x1 32x4x1 0\n"
                   "cuEventRecord\ncuStreamWaitEvent\n"
                   "cuStreamEndCapture\n"
                   "cuGraphInstantiate\n"
                   "cuGraphDestroy\n"
                   "cuGraphLaunch\n");
  stencilDestroyGraph(graph);
  mgpuEventDestroy(event);
  mgpuStreamDestroy(side);
}

TEST_F(CudaTest, NothingToDoIsNoLaunch) {
  void *kernel = mgpuModuleGetFunction(module, "increment");
  log();
  mgpuLaunchKernel(kernel, 0, 1, 1, 32, 1, 1, 0, stream, nullptr, nullptr, 0);
  mgpuMemcpy(nullptr, nullptr, 0, stream);
  stencilMemcpy2D(0, 8, 0, 8, 8, 0, stream);
  EXPECT_EQ(log(), "");
}

TEST_F(CudaTest, LaunchesClusters) {
  void *kernel = mgpuModuleGetFunction(module, "other");
  log();
  mgpuLaunchClusterKernel(kernel, 2, 1, 1, 4, 2, 1, 32, 1, 1, 0, stream,
                          nullptr, nullptr);
  mgpuLaunchClusterKernel(kernel, 16, 1, 1, 16, 1, 1, 32, 1, 1, 0, stream,
                          nullptr, nullptr);
  EXPECT_EQ(log(), "cuLaunchKernelEx other 4x2x1 4 2x1x1\n"
                   "cuFuncSetAttribute 14 1\n"
                   "cuLaunchKernelEx other 16x1x1 4 16x1x1\n");
}

TEST_F(CudaTest, AsksForMuchSharedMemoryOnce) {
  void *kernel = mgpuModuleGetFunction(module, "shared");
  log();
  for (int bytes : {1024, 48 * 1024, 100000, 100000})
    mgpuLaunchKernel(kernel, 1, 1, 1, 32, 1, 1, bytes, stream, nullptr, nullptr,
                     0);
  EXPECT_EQ(log(), "cuLaunchKernel shared 1x1x1 32x1x1 1024\n"
                   "cuFuncSetAttribute 8 49152\n"
                   "cuLaunchKernel shared 1x1x1 32x1x1 49152\n"
                   "cuFuncSetAttribute 8 100000\n"
                   "cuLaunchKernel shared 1x1x1 32x1x1 100000\n"
                   "cuLaunchKernel shared 1x1x1 32x1x1 100000\n");
}

/// Copies three rows of two numbers each and back.
TEST_F(CudaTest, CopiesRows) {
  const int32_t host[] = {1, 2, -1, 3, 4, -1, 5, 6, -1};
  int32_t back[9] = {};
  void *device = mgpuMemAlloc(3 * 16, stream, false);
  log();
  auto toInt = [](const void *address) {
    return reinterpret_cast<intptr_t>(address);
  };
  stencilMemcpy2D(toInt(device), 16, toInt(host), 12, 8, 3, stream);
  stencilMemcpy2D(toInt(back), 12, toInt(device), 16, 8, 3, stream);
  EXPECT_EQ(log(), "cuMemcpy2DAsync 16 12 8 3\n"
                   "cuMemcpy2DAsync 12 16 8 3\n");
  for (int i = 0; i < 9; ++i)
    EXPECT_EQ(back[i], i % 3 == 2 ? 0 : host[i]);
  // Without gaps it is one copy, and so is one row, whatever the pitches.
  stencilMemcpy2D(toInt(device), 12, toInt(host), 12, 12, 3, stream);
  stencilMemcpy2D(toInt(device), 16, toInt(host), 12, 8, 1, stream);
  stencilMemcpy2D(toInt(device), 4, toInt(host), 4, 8, 1, stream);
  EXPECT_EQ(log(), "cuMemcpyAsync 36\ncuMemcpyAsync 8\ncuMemcpyAsync 8\n");
  mgpuMemFree(device, stream);
}

TEST_F(CudaTest, CopiesLongRowsOneByOne) {
  // The stand-in's limit is 65536.
  constexpr intptr_t pitch = 70000;
  void *device = mgpuMemAlloc(2 * pitch, stream, false);
  std::string host(2 * pitch, 'x');
  log();
  stencilMemcpy2D(reinterpret_cast<intptr_t>(device), pitch,
                  reinterpret_cast<intptr_t>(host.data()), pitch, pitch - 8, 2,
                  stream);
  EXPECT_EQ(log(), "cuMemcpyAsync 69992\ncuMemcpyAsync 69992\n");
  mgpuMemFree(device, stream);
}

TEST_F(CudaTest, FillsMemory) {
  auto *device = static_cast<uint32_t *>(mgpuMemAlloc(12, stream, true));
  mgpuMemset32(device, 7, 3, stream);
  EXPECT_EQ(device[2], 7U);
  mgpuMemset16(device, 1, 2, stream);
  EXPECT_EQ(device[0], 0x00010001U);
  mgpuMemFree(device, stream);
  EXPECT_EQ(log(), "cuStreamCreate 1\ncuMemAllocManaged 12\n"
                   "cuMemsetD32Async 3\ncuMemsetD16Async 2\ncuMemFree_v2\n");
}

TEST_F(CudaTest, SumsTheTimeOfIntervals) {
  int counter = 0;
  takeDeviceSeconds();
  for (int i = 0; i < 2; ++i) {
    stencilBeginTiming(stream);
    increment(&counter);
    increment(&counter);
    stencilEndTiming(stream);
    increment(&counter);
  }
  // A kernel takes a millisecond.
  EXPECT_NEAR(takeDeviceSeconds(), 0.004, 1e-9);
  EXPECT_EQ(takeDeviceSeconds(), 0);
}

TEST_F(CudaTest, EventsOfIntervalsDoNotPileUp) {
  int counter = 0;
  takeDeviceSeconds();
  log();
  constexpr int many = 300;
  for (int i = 0; i < many; ++i) {
    stencilBeginTiming(stream);
    increment(&counter);
    stencilEndTiming(stream);
  }
  // Nobody has asked yet; nothing is lost when somebody does.
  EXPECT_NE(log().find("cuEventDestroy"), std::string::npos);
  EXPECT_NEAR(takeDeviceSeconds(), many * 0.001, 1e-9);
}

TEST_F(CudaTest, SynchronisesThroughEvents) {
  log();
  void *event = mgpuEventCreate();
  mgpuEventRecord(event, stream);
  mgpuStreamWaitEvent(stream, event);
  mgpuEventSynchronize(event);
  mgpuStreamSynchronize(stream);
  mgpuEventDestroy(event);
  EXPECT_EQ(log(), "cuEventCreate 2\ncuEventRecord\ncuStreamWaitEvent\n"
                   "cuEventSynchronize\ncuStreamSynchronize\n"
                   "cuEventDestroy\n");
}

TEST_F(CudaTest, PinsMemRefs) {
  float data[6];
  struct {
    void *allocated, *aligned;
    int64_t offset, sizes[2], strides[2];
  } memref = {data, data, 0, {2, 3}, {3, 1}};
  log();
  mgpuMemHostRegisterMemRef(2, &memref, sizeof(float));
  mgpuMemHostUnregisterMemRef(2, &memref, sizeof(float));
  EXPECT_EQ(log(), "cuMemHostRegister 24\ncuMemHostUnregister\n");
  memref.strides[0] = 4;
  EXPECT_FAILURE(mgpuMemHostRegisterMemRef(2, &memref, sizeof(float)),
                 "mgpuMemHostRegisterMemRef: expected a dense memref, got "
                 "stride 4 instead of 3 in dimension 0");
}

/// The driver counts dimensions from the fastest one.
TEST_F(CudaTest, DescribesTensors) {
  char data[1];
  struct {
    void *allocated, *aligned;
    int64_t offset, sizes[2], strides[2];
  } memref = {data, data, 0, {64, 128}, {256, 1}};
  int64_t box[] = {4, 32};
  log();
  void *map = mgpuTensorMapEncodeTiledMemref(2, &memref, /*dataType=*/8, 0, 0,
                                             0, 0, box);
  EXPECT_EQ(log(), "cuTensorMapEncodeTiled 8 2 128 64 2048 32 4\n"
                   "cuMemAlloc_v2 128\ncuMemcpyAsync 128\n"
                   "cuStreamSynchronize\n");
  EXPECT_EQ(*static_cast<void **>(map), data);
  mgpuMemFree(map, nullptr);
}

// The driver refuses it, but nothing will be launched either.
TEST_F(CudaTest, EmptyTensorMap) {
  alignas(kTensorMapAlign) char map[kTensorMapBytes] = {1};
  uint64_t extents[] = {64, 0}, strides[] = {512};
  uint32_t box[] = {8, 4}, steps[] = {1, 1};
  mgpuTensorMapEncodeTiled(map, /*dataType=*/8, 2, nullptr, extents, strides,
                           box, steps, 0, 0, 0, 0);
  EXPECT_EQ(log().find("cuTensorMapEncodeTiled"), std::string::npos);
  EXPECT_EQ(map[0], 0);
}

TEST_F(CudaTest, DescribesTheDevice) {
  void *memory = mgpuMemAlloc(4096, nullptr, false);
  DeviceInfo info;
  EXPECT_EQ(queryDevice(BackendKind::CUDA, info), "");
  mgpuMemFree(memory, nullptr);
  EXPECT_EQ(info.totalBytes - info.freeBytes, 4096U);
  EXPECT_EQ(info.name, "Fake H200");
  EXPECT_EQ(info.chip, "sm_90");
  EXPECT_EQ(info.driverVersion, "12.8");
  EXPECT_EQ(info.multiprocessors, 132U);
  EXPECT_EQ(info.warpSize, 32U);
  EXPECT_EQ(info.maxSharedBytes, 232448U);
  EXPECT_EQ(info.totalBytes, 1U << 20);
  EXPECT_EQ(info.memoryClockKHz, 3201000U);
  EXPECT_EQ(info.memoryBusBits, 6144U);
}

TEST_F(CudaTest, MatchesCode) {
  EXPECT_EQ(stencilMatchDevice(0, "sm_90"), 2);
  EXPECT_EQ(stencilMatchDevice(0, "sm_90a"), 2);
  EXPECT_EQ(stencilMatchDevice(0, "sm_80"), 1);
  EXPECT_EQ(stencilMatchDevice(0, "sm_100"), 1);
  EXPECT_EQ(stencilMatchDevice(0, "gfx942"), 1);
  EXPECT_EQ(stencilMatchDevice(0, nullptr), 0);
  EXPECT_EQ(stencilMatchDevice(2, "sm_80"), 2); // The emulator.
  EXPECT_EQ(stencilMatchDevice(3, "sm_90"), 0);
  EXPECT_EQ(stencilTakeStatus(), STENCIL_OK);
}

} // namespace
