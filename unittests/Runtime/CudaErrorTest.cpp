//===- CudaErrorTest.cpp - One message for each error ---------------------===//

#include "RuntimeTest.h"
#include "StencilRuntime/ABI.h"
#include "StencilRuntime/Error.h"

using namespace stencil::runtime;

namespace {

/// Every statement runs in a process of its own, where nothing was called yet.
class CudaErrorTest : public testing::Test {
protected:
  // The process starts anew, whatever other tests have done in this one.
  void SetUp() override { GTEST_FLAG_SET(death_test_style, "threadsafe"); }

  static void launch(const char *kernel, intptr_t grid, intptr_t block,
                     int32_t shared = 0) {
    void *function = mgpuModuleGetFunction(loadPTX(), kernel);
    void *params[] = {nullptr};
    mgpuLaunchKernel(function, grid, 1, 1, block, 1, 1, shared, nullptr, params,
                     nullptr, 1);
  }

  /// Makes a call of the driver fail.
  static void let(const char *fail) {
    setenv("FAKE_FAIL", fail, /*overwrite=*/1);
    stencilSelectBackend(0);
  }
};

using CudaErrorDeathTest = CudaErrorTest;

TEST_F(CudaErrorDeathTest, NoDevice) {
  EXPECT_FAILURE((let("cuInit=100"), mgpuStreamCreate()),
                 "no CUDA device: cuInit failed: CUDA_ERROR_NO_DEVICE "
                 "\\(100\\): the fake's explanation");
  EXPECT_FAILURE((let("cuInit=999"), mgpuStreamCreate()),
                 "no CUDA driver that works: cuInit failed: unknown error "
                 "\\(999\\)");
  EXPECT_FAILURE((let("cuInit=34"), mgpuStreamCreate()),
                 "no CUDA driver that works: cuInit failed: "
                 "CUDA_ERROR_STUB_LIBRARY \\(34\\): libcuda.so.1 is the "
                 "toolkit's stub, not a driver");
  EXPECT_FAILURE((setenv("FAKE_DEVICES", "0", 1), let(""), mgpuStreamCreate()),
                 "no CUDA device: the driver knows none");
  EXPECT_FAILURE((mgpuSetDefaultDevice(1), let(""), mgpuStreamCreate()),
                 "expected a CUDA device from 0 to 0, got 1");
  EXPECT_FAILURE((mgpuSetDefaultDevice(-3), let(""), mgpuStreamCreate()),
                 "expected a CUDA device from 0 to 0, got -3");
}

TEST_F(CudaErrorDeathTest, DeviceChosenTooLate) {
  EXPECT_FAILURE((let(""), mgpuStreamCreate(), mgpuSetDefaultDevice(1)),
                 "mgpuSetDefaultDevice: expected the device to be chosen "
                 "before it is used, got device 1 while device 0 is in use");
}

TEST_F(CudaErrorDeathTest, QueriesDoNotEndTheProcess) {
  auto query = [] {
    let("cuInit=100");
    DeviceInfo info;
    bool failed =
        queryDevice(BackendKind::CUDA, info).find("no CUDA device") == 0;
    std::_Exit(failed ? 3 : 4);
  };
  EXPECT_EXIT(query(), testing::ExitedWithCode(3), "");
}

TEST_F(CudaErrorDeathTest, OutOfMemory) {
  EXPECT_FAILURE(
      (let(""), mgpuMemAlloc(3 << 20, nullptr, false)),
      "out of device memory: 3 MiB \\(3145728 bytes\\) needed, 1 MiB "
      "\\(1048576 bytes\\) of 1 MiB \\(1048576 bytes\\) free");
  EXPECT_FAILURE((let(""), mgpuMemAlloc(1000, nullptr, false),
                  stencilReserveMemory(1 << 20)),
                 "out of device memory: 1 MiB \\(1048576 bytes\\) needed, 1023 "
                 "KiB \\(1047576 bytes\\) of 1 MiB \\(1048576 bytes\\) free");
  EXPECT_FAILURE((let("cuMemAlloc_v2=719"), mgpuMemAlloc(8, nullptr, false)),
                 "cuMemAlloc failed: CUDA_ERROR_LAUNCH_FAILED \\(719\\): the "
                 "fake's explanation");
}

TEST_F(CudaErrorDeathTest, WrongImage) {
  EXPECT_FAILURE((let("cuModuleLoadDataEx=209"), launch("k", 1, 1)),
                 "cuModuleLoadDataEx failed: CUDA_ERROR_NO_BINARY_FOR_GPU "
                 "\\(209\\): the fake's explanation; the device is sm_90 "
                 "\\(Fake H200, driver for CUDA 12.8\\), the binary is for PTX "
                 "for sm_90");
  EXPECT_FAILURE(
      (let(""), mgpuModuleGetFunction(loadPTX(".version 8.0\nwrong"), "k")),
      "cuModuleLoadDataEx failed: CUDA_ERROR_INVALID_PTX \\(218\\): "
      "the fake's explanation; the device is sm_90 \\(Fake H200, "
      "driver for CUDA 12.8\\): ptxas fatal: line 2 no such "
      "instruction");
}

TEST_F(CudaErrorDeathTest, NoSuchKernel) {
  EXPECT_FAILURE((let(""), launch("missing", 1, 1)),
                 "cuModuleGetFunction failed for kernel 'missing': "
                 "CUDA_ERROR_NOT_FOUND \\(500\\): the fake's explanation");
}

TEST_F(CudaErrorDeathTest, LaunchFailure) {
  EXPECT_FAILURE((let("cuLaunchKernel=719"), launch("heat", 1, 1)),
                 "cuLaunchKernel failed for kernel 'heat': "
                 "CUDA_ERROR_LAUNCH_FAILED \\(719\\): the fake's explanation");
  // A kernel that goes wrong is noticed later.
  EXPECT_FAILURE((let("cuStreamSynchronize=719"), launch("heat", 1, 1),
                  mgpuStreamSynchronize(nullptr)),
                 "cuStreamSynchronize failed: CUDA_ERROR_LAUNCH_FAILED "
                 "\\(719\\): the fake's explanation; the kernel launched last "
                 "is 'heat'");
}

TEST_F(CudaErrorDeathTest, TooManyThreads) {
  EXPECT_FAILURE((let(""), launch("heavy", 1, 512)),
                 "launch of kernel 'heavy': expected at most 256 threads in a "
                 "block, the limit of the kernel, with its launch bounds and "
                 "255 registers, got 512 \\(512 x 1 x 1\\)");
  EXPECT_FAILURE((let(""), launch("light", 1, 2048)),
                 "launch of kernel 'light': expected a block from 1 x 1 x 1 to "
                 "1024 x 1023 x 64, got 2048 x 1 x 1");
  EXPECT_FAILURE((let(""), launch("light", -1, 32)),
                 "launch of kernel 'light': expected a grid from 1 x 1 x 1 to "
                 "2147483647 x 65535 x 65534, got -1 x 1 x 1");
}

TEST_F(CudaErrorDeathTest, Clusters) {
  auto launch = [](intptr_t cluster) {
    let("");
    mgpuLaunchClusterKernel(mgpuModuleGetFunction(loadPTX(), "k"), cluster, 1,
                            1, 9, 1, 1, 32, 1, 1, 0, nullptr, nullptr, nullptr);
  };
  EXPECT_FAILURE(launch(2), "launch of kernel 'k': expected a grid of whole "
                            "clusters of 2 x 1 x 1 blocks, got 9 x 1 x 1");
  EXPECT_FAILURE(launch(10),
                 "launch of kernel 'k': expected a cluster from 1 x "
                 "1 x 1 to 9 x 1 x 1, got 10 x 1 x 1");
}

TEST_F(CudaErrorDeathTest, TooMuchSharedMemory) {
  EXPECT_FAILURE((let(""), launch("shared", 1, 32, 232000)),
                 "launch of kernel 'shared': expected at most 232448 bytes of "
                 "shared memory in a block, the limit of Fake H200, got 233024 "
                 "\\(static 1024, dynamic 232000\\)");
}

TEST_F(CudaErrorDeathTest, WrongUse) {
  EXPECT_FAILURE((let(""), stencilEndTiming(nullptr)),
                 "stencilEndTiming: expected a stencilBeginTiming of the same "
                 "stream before it");
  EXPECT_FAILURE((let(""), stencilMemcpy2D(0, 4, 0, 8, 8, 2, nullptr)),
                 "stencilMemcpy2D: expected pitches of at least the width, got "
                 "2 rows of 8 bytes with pitches 4 and 8");
  EXPECT_FAILURE((let(""), stencilMemcpy2D(0, 8, 0, 7, 8, 2, nullptr)),
                 "stencilMemcpy2D: expected .* with pitches 8 and 7");
  EXPECT_FAILURE((let(""), mgpuModuleGetFunction(nullptr, "k")),
                 "mgpuModuleGetFunction: expected a module, got null, for "
                 "kernel 'k'");
}

TEST_F(CudaErrorDeathTest, HandlerIsReplaced) {
  auto handler = [](int32_t code, const char *message) {
    std::fprintf(stderr, "handled: %d, %s\n", code, message);
  };
  auto run = [&] {
    stencilSetErrorHandler(handler);
    stencilSelectBackend(9);
    std::_Exit(5);
  };
  EXPECT_EXIT(run(), testing::ExitedWithCode(5),
              "^handled: 3, stencilSelectBackend: expected a number from 0 to "
              "., got 9\n$");
}

TEST_F(CudaErrorDeathTest, ProgramForAnotherABI) {
  auto run = [&] {
    stencilSelectBackend(STENCIL_ABI_BACKEND(0, 2));
    std::_Exit(stencilTakeStatus());
  };
  EXPECT_EXIT(
      run(), testing::ExitedWithCode(STENCIL_DEVICE_FAILED),
      "^error: expected a program for version 1 of the runtime library, "
      "got one for version 2: it has to be compiled again, or linked "
      "with libStencilRuntime.so.2\n$");
}

TEST_F(CudaErrorDeathTest, UnloadFails) {
  auto run = [] {
    void *module = loadPTX();
    mgpuModuleGetFunction(module, "k");
    let("cuModuleUnload=1");
    mgpuModuleUnload(module);
    std::_Exit(stencilTakeStatus());
  };
  EXPECT_EXIT(run(), testing::ExitedWithCode(STENCIL_DEVICE_FAILED),
              "cuModuleUnload");
}

/// A driver that is gone at the end of the process is no error.
TEST_F(CudaErrorDeathTest, UnloadAfterTheDriver) {
  auto run = [] {
    let("cuModuleUnload=4");
    void *module = loadPTX();
    mgpuModuleGetFunction(module, "k");
    mgpuModuleUnload(module);
    std::_Exit(0);
  };
  EXPECT_EXIT(run(), testing::ExitedWithCode(0), "^$");
}

} // namespace
