//===- ArgumentsTest.cpp - Every argument of every call of a driver -------===//
//
// All sizes differ, so that none can take the place of another one. What the
// numbers are is said beside the calls; pointers are told apart by name.
//
//===----------------------------------------------------------------------===//

#include "RuntimeTest.h"

using namespace stencil::runtime;

namespace {

/// The same calls of the runtime, for both drivers.
class ArgumentsTest : public testing::Test {
protected:
  ArgumentsTest(int backend, const char *library) : library(library) {
    stencilSelectBackend(backend);
    getBackend();
    takeArguments(library);

    module = backend == 0 ? loadPTX() : mgpuModuleLoad(makeObject(), 64);
    stream = mgpuStreamCreate();
    mgpuStreamCreate();
    name(static_cast<void *>(params), sizeof(params), "params");
    name(static_cast<void *>(extra), sizeof(extra), "extra");
    name(host, sizeof(host), "host");
    name(other, sizeof(other), "other");
  }
  ~ArgumentsTest() override {
    unload();
    for (const void *memory :
         {static_cast<void *>(params), static_cast<void *>(extra),
          static_cast<void *>(host), static_cast<void *>(other)})
      name(memory, 0, nullptr);
  }

  void name(const void *address, size_t bytes, const char *text) {
    nameMemory(library, address, bytes, text);
  }
  std::string take() { return takeArguments(library); }
  /// The header of an AMD code object for gfx942.
  static void *makeObject() {
    static char object[64] = "\177ELF";
    object[18] = static_cast<char>(224);
    object[48] = 0x4c;
    return object;
  }

  void unload() {
    if (module)
      mgpuModuleUnload(module);
    module = nullptr;
  }
  /// A grid of 2 x 3 x 5, a block of 7 x 11 x 13, 17 bytes.
  void launch() {
    void *kernel = mgpuModuleGetFunction(module, "k");
    mgpuLaunchKernel(kernel, 2, 3, 5, 7, 11, 13, 17, stream, params, extra, 1);
  }
  void copy() {
    mgpuMemcpy(host, other, 24, stream);
    // Pitches of 40 and 48, 32 bytes of each row, 2 rows.
    stencilMemcpy2D(reinterpret_cast<intptr_t>(host), 40,
                    reinterpret_cast<intptr_t>(other), 48, 32, 2, stream);
    mgpuMemset16(host, 9, 3, stream);
    mgpuMemset32(other, 10, 4, stream);
    EXPECT_EQ(reinterpret_cast<uint16_t *>(host)[2], 9);
    EXPECT_EQ(reinterpret_cast<uint32_t *>(other)[3], 10U);
  }
  void pin() {
    mgpuMemHostRegister(host, 80);
    mgpuMemGetDeviceMemRef1dFloat(reinterpret_cast<float *>(host),
                                  reinterpret_cast<float *>(host), 0, 4, 1);
    mgpuMemHostUnregister(host);
  }
  /// Three floats from the third of `host` on.
  void pinPart() {
    struct {
      void *allocated, *aligned;
      int64_t offset, sizes[1], strides[1];
    } memref = {host, host, 2, {3}, {1}};
    mgpuMemHostRegisterMemRef(1, &memref, sizeof(float));
    mgpuMemHostUnregisterMemRef(1, &memref, sizeof(float));
  }
  void allocate() {
    void *one = mgpuMemAlloc(100, stream, /*isHostShared=*/false);
    void *two = mgpuMemAlloc(200, stream, /*isHostShared=*/true);
    name(one, 100, "one");
    name(two, 200, "two");
    mgpuMemFree(two, stream);
    mgpuMemFree(one, stream);
  }
  void synchronise() {
    void *event = mgpuEventCreate();
    mgpuEventCreate();
    mgpuEventRecord(event, stream);
    mgpuStreamWaitEvent(stream, event);
    mgpuEventSynchronize(event);
    mgpuStreamSynchronize(stream);
    mgpuEventDestroy(event);
    mgpuStreamDestroy(stream);
  }
  void time() {
    takeDeviceSeconds();
    take();
    stencilBeginTiming(stream);
    stencilEndTiming(stream);
    takeDeviceSeconds();
  }
  void capture() {
    stencilBeginCapture(stream);
    void *graph = stencilEndCapture(stream);
    stencilLaunchGraph(graph, stream);
    stencilDestroyGraph(graph);
  }

  const char *library;
  void *module = nullptr, *stream = nullptr;
  void *params[1] = {}, *extra[1] = {};
  alignas(8) char host[160] = {}, other[160] = {};
};

class CudaArgumentsTest : public ArgumentsTest {
protected:
  CudaArgumentsTest() : ArgumentsTest(0, "libcuda.so.1") {}
};

class HipArgumentsTest : public ArgumentsTest {
protected:
  HipArgumentsTest() : ArgumentsTest(1, "libamdhip64.so.6") {}
};

TEST_F(CudaArgumentsTest, Kernels) {
  // Not held up by the default stream: 1.
  EXPECT_EQ(take(), "cuStreamCreate * 1\ncuStreamCreate * 1\n");
  launch();
  EXPECT_EQ(take(),
            "cuModuleLoadDataEx * * 3 * *\n"
            "cuModuleGetFunction * module1 *\n"
            "cuLaunchKernel k1 2 3 5 7 11 13 17 stream1 params extra\n");
  unload();
  EXPECT_EQ(take(), "cuModuleUnload module1\n");
}

TEST_F(CudaArgumentsTest, PriorStreams) {
  take();
  void *prior = stencilCreatePriorStream();
  // The greatest of its priorities, from 0 to -5.
  EXPECT_EQ(take(), "cuStreamCreateWithPriority * 1 -5\n");
  mgpuStreamDestroy(prior);
}

TEST_F(CudaArgumentsTest, Clusters) {
  void *kernel = mgpuModuleGetFunction(module, "k");
  take();
  mgpuLaunchClusterKernel(kernel, 1, 3, 5, 2, 6, 15, 7, 11, 13, 17, stream,
                          params, extra);
  // More than 8 blocks have to be allowed (14) first. Then the grid, the block,
  // the memory, one attribute, the clusters (4), how many they are.
  EXPECT_EQ(take(), "cuFuncSetAttribute k1 14 1\n"
                    "cuLaunchKernelEx 2 6 15 7 11 13 17 stream1 1 4 1 3 5 k1 "
                    "params extra\n");
}

TEST_F(CudaArgumentsTest, SharedMemory) {
  void *kernel = mgpuModuleGetFunction(module, "k");
  take();
  mgpuLaunchKernel(kernel, 2, 3, 5, 7, 11, 13, 50000, stream, params, extra, 1);
  EXPECT_EQ(take(),
            "cuFuncSetAttribute k1 8 50000\n"
            "cuLaunchKernel k1 2 3 5 7 11 13 50000 stream1 params extra\n");
}

TEST_F(CudaArgumentsTest, Memory) {
  take();
  copy();
  EXPECT_EQ(take(), "cuMemcpyAsync host other 24 stream1\n"
                    "cuMemcpy2DAsync_v2 host 40 0 0 other 48 0 0 32 2 stream1\n"
                    "cuMemsetD16Async host 9 3 stream1\n"
                    "cuMemsetD32Async other 10 4 stream1\n");
  allocate();
  // Attached to all streams: 1.
  EXPECT_EQ(take(), "cuMemAlloc_v2 * 100\ncuMemAllocManaged * 200 1\n"
                    "cuMemFree_v2 two\ncuMemFree_v2 one\n");
  pin();
  EXPECT_EQ(take(), "cuMemHostRegister_v2 host 80 0\n"
                    "cuMemHostGetDevicePointer_v2 * host 0\n"
                    "cuMemHostUnregister host\n");
  pinPart();
  EXPECT_EQ(take(), "cuMemHostRegister_v2 host+8 12 0\n"
                    "cuMemHostUnregister host+8\n");
}

TEST_F(CudaArgumentsTest, StreamsAndEvents) {
  take();
  synchronise();
  // Without time: 2.
  EXPECT_EQ(take(), "cuEventCreate * 2\ncuEventCreate * 2\n"
                    "cuEventRecord event1 stream1\n"
                    "cuStreamWaitEvent stream1 event1 0\n"
                    "cuEventSynchronize event1\n"
                    "cuStreamSynchronize stream1\n"
                    "cuEventDestroy_v2 event1\ncuStreamDestroy_v2 stream1\n");
}

TEST_F(CudaArgumentsTest, Time) {
  time();
  EXPECT_EQ(take(), "cuEventCreate * 0\ncuEventRecord event1 stream1\n"
                    "cuEventCreate * 0\ncuEventRecord event2 stream1\n"
                    "cuEventSynchronize event2\n"
                    "cuEventElapsedTime * event1 event2\n"
                    "cuEventDestroy_v2 event1\ncuEventDestroy_v2 event2\n");
}

TEST_F(CudaArgumentsTest, Graphs) {
  take();
  capture();
  // What other threads do is no concern: 1.
  EXPECT_EQ(take(), "cuStreamBeginCapture_v2 stream1 1\n"
                    "cuStreamEndCapture stream1 *\n"
                    "cuGraphInstantiateWithFlags * graph1 8\n"
                    "cuGraphDestroy graph1\n"
                    "cuGraphLaunch executable1 stream1\n"
                    "cuGraphExecDestroy executable1\n");
}

TEST_F(CudaArgumentsTest, TensorMaps) {
  take();
  alignas(kTensorMapAlign) char map[kTensorMapBytes];
  name(map, sizeof(map), "map");
  const uint64_t extents[] = {64, 32}, strides[] = {512};
  const uint32_t box[] = {8, 4}, steps[] = {1, 2};
  // A type of 9; then interleaving, swizzling, promotion, fill.
  mgpuTensorMapEncodeTiled(map, 9, 2, host, extents, strides, box, steps, 1, 3,
                           2, 0);
  EXPECT_EQ(take(),
            "cuTensorMapEncodeTiled map 9 2 host 64 32 512 8 4 1 2 1 3 2 0\n");
  struct {
    void *allocated, *aligned;
    int64_t offset, sizes[2], strides[2];
  } memref = {other, host, 2, {6, 64}, {80, 1}};
  int64_t boxes[] = {4, 16};
  // Of memrefs, the fastest axis comes first: it is the last one.
  void *made = mgpuTensorMapEncodeTiledMemref(2, &memref, 8, 1, 3, 2, 0, boxes);
  std::string calls = take();
  EXPECT_EQ(calls.substr(0, calls.find('\n')),
            "cuTensorMapEncodeTiled * 8 2 host+16 64 6 640 16 4 1 1 1 3 2 0");
  mgpuMemFree(made, nullptr);
  name(map, 0, nullptr);
}

TEST_F(CudaArgumentsTest, DescriptionOfTheDevice) {
  DeviceInfo info;
  EXPECT_EQ(queryDevice(BackendKind::CUDA, info), "");
  EXPECT_EQ(info.maxThreadsPerBlock, 1024U);
  EXPECT_EQ(info.maxBlock.x, 1024U);
  EXPECT_EQ(info.maxBlock.y, 1023U);
  EXPECT_EQ(info.maxBlock.z, 64U);
  EXPECT_EQ(info.maxGrid.x, 0x7fffffffU);
  EXPECT_EQ(info.maxGrid.y, 65535U);
  EXPECT_EQ(info.maxGrid.z, 65534U);
  EXPECT_EQ(info.l2Bytes, 50U << 20);
  EXPECT_EQ(info.clockKHz, 1980000U);
}

TEST_F(HipArgumentsTest, Kernels) {
  EXPECT_EQ(take(), "hipStreamCreateWithFlags * 1\n"
                    "hipStreamCreateWithFlags * 1\n");
  name(makeObject(), 64, "object");
  launch();
  EXPECT_EQ(take(),
            "hipModuleLoadData * object\n"
            "hipModuleGetFunction * module1 *\n"
            "hipModuleLaunchKernel k1 2 3 5 7 11 13 17 stream1 params extra\n");
  unload();
  EXPECT_EQ(take(), "hipModuleUnload module1\n");
}

TEST_F(HipArgumentsTest, Memory) {
  take();
  copy();
  // Which memory is meant follows from the addresses: 4.
  EXPECT_EQ(take(), "hipMemcpyAsync host other 24 4 stream1\n"
                    "hipMemcpy2DAsync host 40 other 48 32 2 4 stream1\n"
                    "hipMemsetD16Async host 9 3 stream1\n"
                    "hipMemsetD32Async other 10 4 stream1\n");
  allocate();
  EXPECT_EQ(take(), "hipMalloc * 100\nhipMallocManaged * 200 1\n"
                    "hipFree two\nhipFree one\n");
  pin();
  EXPECT_EQ(take(), "hipHostRegister host 80 0\n"
                    "hipHostGetDevicePointer * host 0\n"
                    "hipHostUnregister host\n");
}

TEST_F(HipArgumentsTest, StreamsAndEvents) {
  take();
  synchronise();
  EXPECT_EQ(take(), "hipEventCreateWithFlags * 2\nhipEventCreateWithFlags * 2\n"
                    "hipEventRecord event1 stream1\n"
                    "hipStreamWaitEvent stream1 event1 0\n"
                    "hipEventSynchronize event1\n"
                    "hipStreamSynchronize stream1\n"
                    "hipEventDestroy event1\nhipStreamDestroy stream1\n");
}

TEST_F(HipArgumentsTest, Time) {
  time();
  EXPECT_EQ(take(), "hipEventCreateWithFlags * 0\n"
                    "hipEventRecord event1 stream1\n"
                    "hipEventCreateWithFlags * 0\n"
                    "hipEventRecord event2 stream1\n"
                    "hipEventSynchronize event2\n"
                    "hipEventElapsedTime * event1 event2\n"
                    "hipEventDestroy event1\nhipEventDestroy event2\n");
}

TEST_F(HipArgumentsTest, Graphs) {
  take();
  capture();
  EXPECT_EQ(take(), "hipStreamBeginCapture stream1 1\n"
                    "hipStreamEndCapture stream1 *\n"
                    "hipGraphInstantiate * graph1 null null 0\n"
                    "hipGraphDestroy graph1\n"
                    "hipGraphLaunch executable1 stream1\n"
                    "hipGraphExecDestroy executable1\n");
}

TEST_F(HipArgumentsTest, DescriptionOfTheDevice) {
  DeviceInfo info;
  EXPECT_EQ(queryDevice(BackendKind::HIP, info), "");
  EXPECT_EQ(info.maxThreadsPerBlock, 1024U);
  EXPECT_EQ(info.maxBlock.x, 1024U);
  EXPECT_EQ(info.maxBlock.y, 1023U);
  EXPECT_EQ(info.maxBlock.z, 1022U);
  EXPECT_EQ(info.maxGrid.x, 0x7fffffffU);
  EXPECT_EQ(info.maxGrid.y, 65535U);
  EXPECT_EQ(info.maxGrid.z, 65534U);
  EXPECT_EQ(info.l2Bytes, 4U << 20);
  EXPECT_EQ(info.clockKHz, 2100000U);
  EXPECT_EQ(info.memoryClockKHz, 1300000U);
  EXPECT_EQ(info.memoryBusBits, 8192U);
}

} // namespace
