//===- CudaMemory.cpp - Memory, streams and graphs of CUDA ----------------===//

#include "CudaBackend.h"

using namespace stencil::runtime;
using namespace stencil::runtime::cuda;

static CUdeviceptr toDevice(const void *address) {
  return reinterpret_cast<CUdeviceptr>(address);
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

void *CudaBackend::allocate(uint64_t bytes, void *, bool hostShared) {
  Scope scope(*this);
  CUdeviceptr address = 0;
  CUresult result = hostShared ? driver.cuMemAllocManaged(&address, bytes,
                                                          CU_MEM_ATTACH_GLOBAL)
                               : driver.cuMemAlloc_v2(&address, bytes);
  if (result == CUDA_ERROR_OUT_OF_MEMORY)
    return nullptr;
  driver.check(result, hostShared ? "cuMemAllocManaged" : "cuMemAlloc");
  return reinterpret_cast<void *>(address);
}

void CudaBackend::free(void *address, void *) {
  Scope scope(*this);
  driver.check(driver.cuMemFree_v2(toDevice(address)), "cuMemFree");
}

void *CudaBackend::allocateOrdered(uint64_t bytes, void *stream) {
  Scope scope(*this);
  CUdeviceptr address = 0;
  CUresult result =
      driver.cuMemAllocAsync(&address, bytes, static_cast<CUstream>(stream));
  if (result == CUDA_ERROR_OUT_OF_MEMORY)
    return nullptr;
  driver.check(result, "cuMemAllocAsync");
  return reinterpret_cast<void *>(address);
}

void CudaBackend::freeOrdered(void *address, void *stream) {
  Scope scope(*this);
  driver.check(
      driver.cuMemFreeAsync(toDevice(address), static_cast<CUstream>(stream)),
      "cuMemFreeAsync");
}

MemoryPlace CudaBackend::findMemory(const void *address, uint64_t &) {
  Scope scope(*this);
  auto get = [&](auto &value, CUpointer_attribute attribute) {
    CUresult result =
        driver.cuPointerGetAttribute(&value, attribute, toDevice(address));
    // Of memory that it does not know, the driver knows nothing.
    if (result != CUDA_ERROR_INVALID_VALUE)
      driver.check(result, "cuPointerGetAttribute");
    return result == CUDA_SUCCESS;
  };
  CUmemorytype type = 0;
  if (!get(type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE))
    return MemoryPlace::Host;
  if (type != CU_MEMORYTYPE_DEVICE) {
    unsigned isManaged = 0;
    bool isKnown = get(isManaged, CU_POINTER_ATTRIBUTE_IS_MANAGED);
    return isKnown && isManaged ? MemoryPlace::Device : MemoryPlace::Host;
  }
  int owner = device;
  bool isKnown = get(owner, CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL);
  return isKnown && owner != device ? MemoryPlace::OtherDevice
                                    : MemoryPlace::Device;
}

void CudaBackend::getMemoryInfo(uint64_t &freeBytes, uint64_t &totalBytes) {
  Scope scope(*this);
  size_t free = 0, total = 0;
  driver.check(driver.cuMemGetInfo_v2(&free, &total), "cuMemGetInfo");
  freeBytes = free;
  totalBytes = total;
}

void CudaBackend::copy(void *dst, const void *src, uint64_t bytes,
                       void *stream) {
  Scope scope(*this);
  driver.check(driver.cuMemcpyAsync(toDevice(dst), toDevice(src), bytes,
                                    static_cast<CUstream>(stream)),
               "cuMemcpyAsync");
}

void CudaBackend::copy2D(void *dst, uint64_t dstPitch, const void *src,
                         uint64_t srcPitch, uint64_t width, uint64_t rows,
                         void *stream) {
  Scope scope(*this);
  CUDA_MEMCPY2D request = {};
  // The driver knows its own addresses from the host's.
  request.srcMemoryType = CU_MEMORYTYPE_UNIFIED;
  request.srcDevice = toDevice(src);
  request.srcPitch = srcPitch;
  request.dstMemoryType = CU_MEMORYTYPE_UNIFIED;
  request.dstDevice = toDevice(dst);
  request.dstPitch = dstPitch;
  request.WidthInBytes = width;
  request.Height = rows;
  driver.check(
      driver.cuMemcpy2DAsync_v2(&request, static_cast<CUstream>(stream)),
      "cuMemcpy2DAsync");
}

void CudaBackend::set16(void *dst, uint16_t value, uint64_t count,
                        void *stream) {
  Scope scope(*this);
  driver.check(driver.cuMemsetD16Async(toDevice(dst), value, count,
                                       static_cast<CUstream>(stream)),
               "cuMemsetD16Async");
}

void CudaBackend::set32(void *dst, uint32_t value, uint64_t count,
                        void *stream) {
  Scope scope(*this);
  driver.check(driver.cuMemsetD32Async(toDevice(dst), value, count,
                                       static_cast<CUstream>(stream)),
               "cuMemsetD32Async");
}

void CudaBackend::registerHost(void *address, uint64_t bytes) {
  Scope scope(*this);
  driver.check(driver.cuMemHostRegister_v2(address, bytes, /*Flags=*/0),
               "cuMemHostRegister");
}

void CudaBackend::unregisterHost(void *address) {
  Scope scope(*this);
  driver.check(driver.cuMemHostUnregister(address), "cuMemHostUnregister");
}

void *CudaBackend::getDeviceAddress(void *host) {
  Scope scope(*this);
  CUdeviceptr address = 0;
  driver.check(driver.cuMemHostGetDevicePointer_v2(&address, host, /*Flags=*/0),
               "cuMemHostGetDevicePointer");
  return reinterpret_cast<void *>(address);
}

//===----------------------------------------------------------------------===//
// Streams and events
//===----------------------------------------------------------------------===//

void *CudaBackend::createStream() {
  Scope scope(*this);
  CUstream stream = nullptr;
  // Not held up by the default stream of other code in the process.
  driver.check(driver.cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING),
               "cuStreamCreate");
  return stream;
}

void *CudaBackend::createPriorStream() {
  Scope scope(*this);
  int least = 0, greatest = 0;
  driver.check(driver.cuCtxGetStreamPriorityRange(&least, &greatest),
               "cuCtxGetStreamPriorityRange");
  CUstream stream = nullptr;
  driver.check(driver.cuStreamCreateWithPriority(
                   &stream, CU_STREAM_NON_BLOCKING, greatest),
               "cuStreamCreateWithPriority");
  return stream;
}

void CudaBackend::destroyStream(void *stream) {
  Scope scope(*this);
  driver.check(driver.cuStreamDestroy_v2(static_cast<CUstream>(stream)),
               "cuStreamDestroy");
}

void CudaBackend::synchronizeStream(void *stream) {
  Scope scope(*this);
  driver.check(driver.cuStreamSynchronize(static_cast<CUstream>(stream)),
               "cuStreamSynchronize");
}

void CudaBackend::checkStream(void *stream) {
  Scope scope(*this);
  CUcontext owner = nullptr;
  driver.check(driver.cuStreamGetCtx(static_cast<CUstream>(stream), &owner),
               "cuStreamGetCtx");
  if (owner != context)
    fail("stencilSetStream: expected a stream of the context in use, that of "
         "device " +
         std::to_string(device) + ", got one of another context");
}

bool CudaBackend::isCapturing(void *stream) {
  Scope scope(*this);
  CUstreamCaptureStatus status = CU_STREAM_CAPTURE_STATUS_NONE;
  driver.check(
      driver.cuStreamIsCapturing(static_cast<CUstream>(stream), &status),
      "cuStreamIsCapturing");
  return status != CU_STREAM_CAPTURE_STATUS_NONE;
}

void CudaBackend::waitForEvent(void *stream, void *event) {
  Scope scope(*this);
  driver.check(driver.cuStreamWaitEvent(static_cast<CUstream>(stream),
                                        static_cast<CUevent>(event),
                                        /*Flags=*/0),
               "cuStreamWaitEvent");
}

void *CudaBackend::createEvent(bool timing) {
  Scope scope(*this);
  CUevent event = nullptr;
  driver.check(driver.cuEventCreate(&event, timing ? CU_EVENT_DEFAULT
                                                   : CU_EVENT_DISABLE_TIMING),
               "cuEventCreate");
  return event;
}

void CudaBackend::destroyEvent(void *event) {
  Scope scope(*this);
  driver.check(driver.cuEventDestroy_v2(static_cast<CUevent>(event)),
               "cuEventDestroy");
}

void CudaBackend::recordEvent(void *event, void *stream) {
  Scope scope(*this);
  driver.check(driver.cuEventRecord(static_cast<CUevent>(event),
                                    static_cast<CUstream>(stream)),
               "cuEventRecord");
}

void CudaBackend::synchronizeEvent(void *event) {
  Scope scope(*this);
  driver.check(driver.cuEventSynchronize(static_cast<CUevent>(event)),
               "cuEventSynchronize");
}

bool CudaBackend::isEventDone(void *event) {
  Scope scope(*this);
  CUresult result = driver.cuEventQuery(static_cast<CUevent>(event));
  if (result == CUDA_ERROR_NOT_READY)
    return false;
  driver.check(result, "cuEventQuery");
  return true;
}

double CudaBackend::getElapsedSeconds(void *begin, void *end) {
  Scope scope(*this);
  float milliseconds = 0;
  driver.check(driver.cuEventElapsedTime(&milliseconds,
                                         static_cast<CUevent>(begin),
                                         static_cast<CUevent>(end)),
               "cuEventElapsedTime");
  return double(milliseconds) / 1000;
}

//===----------------------------------------------------------------------===//
// Graphs
//===----------------------------------------------------------------------===//

void CudaBackend::beginCapture(void *stream) {
  Scope scope(*this);
  // What other threads do is none of this one's business.
  driver.check(
      driver.cuStreamBeginCapture_v2(static_cast<CUstream>(stream),
                                     CU_STREAM_CAPTURE_MODE_THREAD_LOCAL),
      "cuStreamBeginCapture");
}

void *CudaBackend::endCapture(void *stream) {
  Scope scope(*this);
  CUgraph graph = nullptr;
  driver.check(driver.cuStreamEndCapture(static_cast<CUstream>(stream), &graph),
               "cuStreamEndCapture");
  CUgraphExec executable = nullptr;
  driver.check(driver.cuGraphInstantiateWithFlags(
                   &executable, graph,
                   hasNodePriorities
                       ? CUDA_GRAPH_INSTANTIATE_FLAG_USE_NODE_PRIORITY
                       : 0),
               "cuGraphInstantiate");
  driver.check(driver.cuGraphDestroy(graph), "cuGraphDestroy");
  return executable;
}

void CudaBackend::launchGraph(void *graph, void *stream) {
  Scope scope(*this);
  driver.check(driver.cuGraphLaunch(static_cast<CUgraphExec>(graph),
                                    static_cast<CUstream>(stream)),
               "cuGraphLaunch");
}

void CudaBackend::destroyGraph(void *graph) {
  Scope scope(*this);
  driver.check(driver.cuGraphExecDestroy(static_cast<CUgraphExec>(graph)),
               "cuGraphExecDestroy");
}
