//===- CudaDeviceTest.cpp - The runtime on a real device ------------------===//
//
// Skipped where there is none. The same things as with the stand-in, to see
// that the driver takes them as we think it does.
//
//===----------------------------------------------------------------------===//

#include "RuntimeTest.h"

#include <cstring>
#include <vector>

using namespace stencil::runtime;

namespace {

/// Adds 1 to the number that the argument points to.
constexpr char kIncrement[] = R"(
.version 7.0
.target sm_70
.address_size 64
.visible .entry increment(.param .u64 p) {
  .reg .b32 %r<2>;
  .reg .b64 %a<2>;
  ld.param.u64 %a0, [p];
  cvta.to.global.u64 %a1, %a0;
  ld.global.u32 %r0, [%a1];
  add.u32 %r1, %r0, 1;
  st.global.u32 [%a1], %r1;
  ret;
}
.visible .entry spoil(.param .u64 p) {
  .reg .b32 %r<1>;
  .reg .b64 %a<1>;
  mov.u64 %a0, 16;
  mov.u32 %r0, 0;
  st.global.u32 [%a0], %r0;
  ret;
}
)";

class CudaDeviceTest : public testing::Test {
protected:
  void SetUp() override {
    GTEST_FLAG_SET(death_test_style, "threadsafe");
    std::string problem = queryDevice(BackendKind::CUDA, device);
    if (!problem.empty())
      GTEST_SKIP() << problem;
    stencilSelectBackend(0);
    stream = mgpuStreamCreate();
    module = loadPTX(kIncrement);
  }
  void TearDown() override {
    if (!stream)
      return;
    mgpuModuleUnload(module);
    mgpuStreamDestroy(stream);
  }

  void launch(const char *name, void *argument, int32_t shared = 0) {
    void *kernel = mgpuModuleGetFunction(module, name);
    void *params[] = {static_cast<void *>(&argument)};
    mgpuLaunchKernel(kernel, 1, 1, 1, 1, 1, 1, shared, stream, params, nullptr,
                     1);
  }

  static intptr_t toInt(const void *address) {
    return reinterpret_cast<intptr_t>(address);
  }

  DeviceInfo device;
  void *stream = nullptr;
  void *module = nullptr;
};

using CudaDeviceDeathTest = CudaDeviceTest;

TEST_F(CudaDeviceTest, Describes) {
  EXPECT_EQ(device.chip.substr(0, 3), "sm_");
  EXPECT_EQ(device.warpSize, 32U);
  EXPECT_GE(device.maxThreadsPerBlock, 1024U);
  EXPECT_GE(device.maxSharedBytes, 48U << 10);
  EXPECT_GT(device.multiprocessors, 0U);
  EXPECT_GT(device.freeBytes, 0U);
  EXPECT_GE(device.totalBytes, device.freeBytes);
  EXPECT_GT(device.l2Bytes, 0U);
}

/// More rows than fit into one staging buffer of a driver, pageable memory.
TEST_F(CudaDeviceTest, CopiesRowsOfPageableMemory) {
  constexpr intptr_t width = 1000, rows = 20000, hostPitch = 1016,
                     devicePitch = 1024;
  std::vector<char> host(hostPitch * rows), back(hostPitch * rows, 'x');
  for (size_t i = 0; i < host.size(); ++i)
    host[i] = static_cast<char>(i * 7 + i / hostPitch);
  void *memory = mgpuMemAlloc(devicePitch * rows, stream, false);
  stencilMemcpy2D(toInt(memory), devicePitch, toInt(host.data()), hostPitch,
                  width, rows, stream);
  stencilMemcpy2D(toInt(back.data()), hostPitch, toInt(memory), devicePitch,
                  width, rows, stream);
  mgpuStreamSynchronize(stream);
  for (intptr_t row = 0; row < rows; ++row) {
    const char *in = &host[row * hostPitch], *out = &back[row * hostPitch];
    ASSERT_EQ(std::memcmp(in, out, width), 0) << "row " << row;
    ASSERT_EQ(out[width], 'x') << "row " << row;
  }
  mgpuMemFree(memory, stream);
}

TEST_F(CudaDeviceTest, CapturesAndTimes) {
  auto *counter = static_cast<uint32_t *>(mgpuMemAlloc(4, stream, false));
  mgpuMemset32(counter, 5, 1, stream);
  // The kernel is loaded during the capture.
  stencilBeginCapture(stream);
  launch("increment", counter);
  launch("increment", counter);
  void *graph = stencilEndCapture(stream);
  takeDeviceSeconds();
  stencilBeginTiming(stream);
  for (int i = 0; i < 100; ++i)
    stencilLaunchGraph(graph, stream);
  stencilEndTiming(stream);
  uint32_t value = 0;
  mgpuMemcpy(&value, counter, 4, stream);
  mgpuStreamSynchronize(stream);
  EXPECT_EQ(value, 205U);
  double seconds = takeDeviceSeconds();
  EXPECT_GT(seconds, 0);
  EXPECT_LT(seconds, 1);
  stencilDestroyGraph(graph);
  mgpuMemFree(counter, stream);
}

TEST_F(CudaDeviceTest, ChecksArrays) {
  std::vector<int> host(64);
  void *memory = mgpuMemAlloc(256, stream, false);
  void *managed = mgpuMemAlloc(256, stream, true);
  EXPECT_EQ(stencilCheckArray(toInt(memory), 256, 16), 0);
  EXPECT_EQ(stencilCheckArray(toInt(managed), 256, 16), 0);
  EXPECT_EQ(stencilCheckArray(toInt(memory) + 4, 8, 16), 3);
  EXPECT_EQ(stencilCheckArray(toInt(host.data()), 256, 4), 1);
  mgpuMemHostRegister(host.data(), 256);
  EXPECT_EQ(stencilCheckArray(toInt(host.data()), 256, 4), 1);
  mgpuMemHostUnregister(host.data());
  mgpuMemFree(memory, stream);
  mgpuMemFree(managed, stream);
}

/// Temporaries come and go in the order of the stream, also in a graph that the
/// caller records.
TEST_F(CudaDeviceTest, WorksInTheCallersStream) {
  auto *counter = static_cast<uint32_t *>(mgpuMemAlloc(4, stream, false));
  mgpuMemset32(counter, 5, 1, stream);
  launch("increment", counter);
  auto step = [&] {
    void *own = stencilOpenStream();
    EXPECT_EQ(own, stream);
    auto *temporary = static_cast<uint32_t *>(mgpuMemAlloc(4, stream, false));
    mgpuMemcpy(temporary, counter, 4, stream);
    launch("increment", temporary);
    mgpuMemcpy(counter, temporary, 4, stream);
    mgpuMemFree(temporary, stream);
    stencilFinishStream(own);
    stencilCloseStream(own);
  };
  stencilSetStream(stream);
  step();
  EXPECT_EQ(stencilMayCapture(stream), 1);
  stencilBeginCapture(stream);
  EXPECT_EQ(stencilMayCapture(stream), 0);
  step();
  step();
  void *graph = stencilEndCapture(stream);
  for (int i = 0; i < 10; ++i)
    stencilLaunchGraph(graph, stream);
  stencilRetireGraph(graph, stream);
  stencilSetStream(nullptr);
  uint32_t value = 0;
  mgpuMemcpy(&value, counter, 4, stream);
  mgpuStreamSynchronize(stream);
  EXPECT_EQ(value, 27U);
  EXPECT_EQ(stencilTakeStatus(), STENCIL_OK);
  mgpuMemFree(counter, stream);
}

/// The default streams have names; that of old cannot be recorded.
TEST_F(CudaDeviceTest, WorksInDefaultStreams) {
  for (intptr_t name : {1, 2}) {
    void *given = reinterpret_cast<void *>(name);
    stencilSetStream(given);
    EXPECT_EQ(stencilOpenStream(), given);
    EXPECT_EQ(stencilMayCapture(given), name == 2);
    void *memory = mgpuMemAlloc(4, given, false);
    mgpuMemset32(memory, 5, 1, given);
    mgpuMemFree(memory, given);
    stencilCloseStream(given);
    stencilSetStream(nullptr);
    EXPECT_EQ(stencilTakeStatus(), STENCIL_OK);
  }
}

TEST_F(CudaDeviceTest, GetsMuchSharedMemory) {
  auto *counter = static_cast<uint32_t *>(mgpuMemAlloc(4, stream, false));
  launch("increment", counter, static_cast<int32_t>(device.maxSharedBytes));
  mgpuStreamSynchronize(stream);
  mgpuMemFree(counter, stream);
}

TEST_F(CudaDeviceDeathTest, Fails) {
  EXPECT_FAILURE(stencilReserveMemory(intptr_t(1) << 50),
                 "out of device memory: 1024 TiB .* needed, .* free");
  EXPECT_FAILURE(mgpuMemAlloc(uint64_t(1) << 50, stream, false),
                 "out of device memory: 1024 TiB .* needed, .* free");
  EXPECT_FAILURE(launch("nothing", nullptr),
                 "cuModuleGetFunction failed for kernel 'nothing': "
                 "CUDA_ERROR_NOT_FOUND .*");
  EXPECT_FAILURE((launch("spoil", nullptr), mgpuStreamSynchronize(stream)),
                 "cuStreamSynchronize failed: CUDA_ERROR_ILLEGAL_ADDRESS .*; "
                 "the kernel launched last is 'spoil'");
  EXPECT_FAILURE(mgpuModuleGetFunction(loadPTX(".version 7.0\n.target sm_70\n"
                                               "garbage"),
                                       "k"),
                 "cuModuleLoadDataEx failed: CUDA_ERROR_INVALID_PTX .*; the "
                 "device is sm_.* ptxas .*");
}

} // namespace
