//===- HipTest.cpp - What HIP gets to do ----------------------------------===//

#include "RuntimeTest.h"

#include <cstring>

using namespace stencil::runtime;

namespace {

/// The header of an AMD code object for a chip.
std::string makeObject(uint8_t machine) {
  std::string object(64, '\0');
  std::memcpy(object.data(), "\177ELF", 4);
  object[18] = static_cast<char>(224);
  object[48] = static_cast<char>(machine);
  return object;
}

constexpr uint8_t kGfx942 = 0x4c, kGfx90a = 0x3f;

class HipTest : public testing::Test {
protected:
  void SetUp() override {
    stencilSelectBackend(1);
    getBackend();
    log();
  }

  static std::string log() { return takeLog("libamdhip64.so.6"); }
};

TEST_F(HipTest, CopiesLaunchesAndCaptures) {
  std::string object = makeObject(kGfx942);
  void *module = mgpuModuleLoad(object.data(), object.size());
  void *stream = mgpuStreamCreate();
  auto *device = static_cast<int *>(mgpuMemAlloc(64, stream, false));
  int32_t host[] = {10, 20, 0, 0};
  stencilMemcpy2D(reinterpret_cast<intptr_t>(device), 32,
                  reinterpret_cast<intptr_t>(host), 8, 4, 2, stream);
  EXPECT_EQ(log(), "hipStreamCreateWithFlags 1\nhipMalloc 64\n"
                   "hipMemcpy2DAsync 32 8 4 2 4\n");
  stencilBeginCapture(stream);
  void *params[] = {static_cast<void *>(&device)};
  mgpuLaunchKernel(mgpuModuleGetFunction(module, "increment"), 1, 1, 1, 64, 1,
                   1, 0, stream, params, nullptr, 1);
  void *graph = stencilEndCapture(stream);
  for (int i = 0; i < 5; ++i)
    stencilLaunchGraph(graph, stream);
  stencilDestroyGraph(graph);
  mgpuMemcpy(host, device, 4, stream);
  EXPECT_EQ(host[0], 15);
  EXPECT_EQ(log(), "hipStreamBeginCapture 1\nhipModuleLoadData\n"
                   "hipModuleGetFunction increment\n"
                   "hipModuleLaunchKernel increment 1x1x1 64x1x1 0\n"
                   "hipStreamEndCapture\nhipGraphInstantiate\nhipGraphDestroy\n"
                   "hipGraphLaunch\nhipGraphLaunch\nhipGraphLaunch\n"
                   "hipGraphLaunch\nhipGraphLaunch\nhipGraphExecDestroy\n"
                   "hipMemcpyAsync 4 4\n");
  mgpuMemset32(device, 3, 2, stream);
  mgpuMemset16(device, 4, 1, stream);
  EXPECT_EQ(device[1], 3);
  mgpuMemFree(device, stream);
  mgpuStreamDestroy(stream);
  mgpuModuleUnload(module);
}

TEST_F(HipTest, GraphsHaveBranches) {
  std::string object = makeObject(kGfx942);
  void *module = mgpuModuleLoad(object.data(), object.size());
  void *kernel = mgpuModuleGetFunction(module, "increment");
  void *main = mgpuStreamCreate(), *side = mgpuStreamCreate();
  void *event = mgpuEventCreate();
  int counter = 0;
  auto increment = [&](void *stream) {
    int *address = &counter;
    void *params[] = {static_cast<void *>(&address)};
    mgpuLaunchKernel(kernel, 1, 1, 1, 64, 1, 1, 0, stream, params, nullptr, 1);
  };
  increment(main);
  log();
  stencilBeginCapture(main);
  mgpuEventRecord(event, main);
  mgpuStreamWaitEvent(side, event);
  increment(main);
  increment(side);
  mgpuEventRecord(event, side);
  mgpuStreamWaitEvent(main, event);
  void *graph = stencilEndCapture(main);
  // Neither of the two has been launched yet.
  EXPECT_EQ(counter, 1);
  stencilLaunchGraph(graph, main);
  EXPECT_EQ(counter, 3);
  EXPECT_EQ(log(), "hipStreamBeginCapture 1\n"
                   "hipEventRecord\nhipStreamWaitEvent\n"
                   "hipModuleLaunchKernel increment 1x1x1 64x1x1 0\n"
                   "hipModuleLaunchKernel increment 1x1x1 64x1x1 0\n"
                   "hipEventRecord\nhipStreamWaitEvent\n"
                   "hipStreamEndCapture\nhipGraphInstantiate\n"
                   "hipGraphDestroy\nhipGraphLaunch\n");
  stencilDestroyGraph(graph);
  mgpuEventDestroy(event);
  mgpuStreamDestroy(side);
  mgpuStreamDestroy(main);
  mgpuModuleUnload(module);
}

TEST_F(HipTest, FindsRegisteredMemory) {
  float data[4];
  mgpuMemHostRegister(data, sizeof(data));
  StencilMemRef1D memref =
      mgpuMemGetDeviceMemRef1dFloat(data, data, /*offset=*/1, 3, 1);
  // The stand-in finds it four bytes further on.
  EXPECT_EQ(memref.aligned, data + 1);
  EXPECT_EQ(memref.size, 3);
  mgpuMemHostUnregister(data);
  EXPECT_EQ(log(), "hipHostRegister 16\nhipHostGetDevicePointer\n"
                   "hipHostUnregister\n");
}

TEST_F(HipTest, MeasuresTime) {
  std::string object = makeObject(kGfx942);
  void *module = mgpuModuleLoad(object.data(), object.size());
  void *kernel = mgpuModuleGetFunction(module, "k");
  takeDeviceSeconds();
  stencilBeginTiming(nullptr);
  mgpuLaunchKernel(kernel, 1, 1, 1, 1, 1, 1, 0, nullptr, nullptr, nullptr, 0);
  stencilEndTiming(nullptr);
  EXPECT_NEAR(takeDeviceSeconds(), 0.001, 1e-9);
  mgpuModuleUnload(module);
}

TEST_F(HipTest, DescribesTheDevice) {
  void *memory = mgpuMemAlloc(4096, nullptr, false);
  DeviceInfo info;
  EXPECT_EQ(queryDevice(BackendKind::HIP, info), "");
  mgpuMemFree(memory, nullptr);
  EXPECT_EQ(info.totalBytes, 1U << 20);
  EXPECT_EQ(info.totalBytes - info.freeBytes, 4096U);
  EXPECT_EQ(info.name, "Fake MI300X");
  EXPECT_EQ(info.chip, "gfx942");
  EXPECT_EQ(info.driverVersion, "6.2.41134");
  EXPECT_EQ(info.multiprocessors, 304U);
  EXPECT_EQ(info.warpSize, 64U);
  EXPECT_EQ(info.maxSharedBytes, 65536U);
}

class HipErrorDeathTest : public testing::Test {
protected:
  // The process starts anew, whatever other tests have done in this one.
  void SetUp() override { GTEST_FLAG_SET(death_test_style, "threadsafe"); }
};

void launch(uint8_t machine, int32_t shared, intptr_t cluster,
            const char *fail = "") {
  setenv("FAKE_FAIL", fail, 1);
  stencilSelectBackend(1);
  static std::string object = makeObject(machine);
  void *module = mgpuModuleLoad(object.data(), object.size());
  mgpuLaunchClusterKernel(mgpuModuleGetFunction(module, "k"), cluster, 1, 1, 4,
                          1, 1, 64, 1, 1, shared, nullptr, nullptr, nullptr);
}

TEST_F(HipErrorDeathTest, Messages) {
  EXPECT_FAILURE(launch(kGfx90a, 0, 1),
                 "hipModuleLoadData: no code for this device; the device is "
                 "gfx942 \\(Fake MI300X, HIP 6.2.41134\\), the binary is for "
                 "gfx90a");
  EXPECT_FAILURE(launch(kGfx942, 65537, 1),
                 "launch of kernel 'k': expected at most 65536 bytes of shared "
                 "memory in a block, the limit of Fake MI300X, got 65537 "
                 "\\(static 0, dynamic 65537\\)");
  EXPECT_FAILURE(launch(kGfx942, 0, 2),
                 "launch of kernel 'k': expected a launch without clusters, "
                 "which HIP devices do not have");
  EXPECT_FAILURE(launch(kGfx942, 0, 1, "hipModuleLaunchKernel=719"),
                 "hipModuleLaunchKernel failed for kernel 'k': "
                 "hipErrorLaunchFailure \\(719\\): the fake's explanation");
  EXPECT_FAILURE(launch(kGfx942, 0, 1, "hipInit=100"),
                 "no HIP device: hipInit failed: hipErrorNoDevice \\(100\\): "
                 "the fake's explanation");
  EXPECT_FAILURE((mgpuSetDefaultDevice(1), launch(kGfx942, 0, 1)),
                 "expected a HIP device from 0 to 0, got 1");
  EXPECT_FAILURE((mgpuSetDefaultDevice(-3), launch(kGfx942, 0, 1)),
                 "expected a HIP device from 0 to 0, got -3");
  EXPECT_FAILURE(
      (stencilSelectBackend(1), mgpuMemAlloc(2 << 20, nullptr, false)),
      "out of device memory: 2 MiB \\(2097152 bytes\\) needed, 1 MiB "
      "\\(1048576 bytes\\) of 1 MiB \\(1048576 bytes\\) free");
  EXPECT_FAILURE(
      (stencilSelectBackend(1),
       mgpuTensorMapEncodeTiled(nullptr, 0, 1, nullptr, nullptr, nullptr,
                                nullptr, nullptr, 0, 0, 0, 0)),
      "mgpuTensorMapEncodeTiled: expected a device with TMA, got the "
      "hip backend, which has none");
}

TEST_F(HipTest, MatchesCode) {
  EXPECT_EQ(stencilMatchDevice(1, "gfx942"), 2);
  EXPECT_EQ(stencilMatchDevice(1, "gfx90a"), 1);
}

} // namespace
