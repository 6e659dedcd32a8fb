//===- HipMemory.cpp - Memory, streams and graphs of HIP ------------------===//

#include "HipBackend.h"

using namespace stencil::runtime;
using namespace stencil::runtime::hip;

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

void *HipBackend::allocate(uint64_t bytes, void *, bool hostShared) {
  Scope scope(*this);
  void *address = nullptr;
  hipError_t result =
      hostShared ? driver.hipMallocManaged(&address, bytes, hipMemAttachGlobal)
                 : driver.hipMalloc(&address, bytes);
  if (result == hipErrorOutOfMemory)
    return nullptr;
  driver.check(result, hostShared ? "hipMallocManaged" : "hipMalloc");
  return address;
}

void HipBackend::free(void *address, void *) {
  Scope scope(*this);
  driver.check(driver.hipFree(address), "hipFree");
}

void *HipBackend::allocateOrdered(uint64_t bytes, void *stream) {
  Scope scope(*this);
  void *address = nullptr;
  hipError_t result =
      driver.hipMallocAsync(&address, bytes, static_cast<hipStream_t>(stream));
  if (result == hipErrorOutOfMemory)
    return nullptr;
  driver.check(result, "hipMallocAsync");
  return address;
}

void HipBackend::freeOrdered(void *address, void *stream) {
  Scope scope(*this);
  driver.check(driver.hipFreeAsync(address, static_cast<hipStream_t>(stream)),
               "hipFreeAsync");
}

MemoryPlace HipBackend::findMemory(const void *address, uint64_t &) {
  Scope scope(*this);
  auto get = [&](auto &value, hipPointer_attribute attribute) {
    hipError_t result = driver.hipPointerGetAttribute(
        &value, attribute, const_cast<void *>(address));
    // Of memory that it does not know, HIP knows nothing.
    if (result != hipErrorInvalidValue)
      driver.check(result, "hipPointerGetAttribute");
    return result == hipSuccess;
  };
  // HIP 6 has renumbered the types of memory: host 0, device 1, managed 4
  // before, unknown 0, host 1, device 2, managed 3 since.
  bool isNew = majorVersion >= 6;
  unsigned type = 0, inDevice = isNew ? 2 : 1, managed = isNew ? 3 : 4;
  if (!get(type, HIP_POINTER_ATTRIBUTE_MEMORY_TYPE))
    return MemoryPlace::Host;
  if (type != inDevice)
    return type == managed ? MemoryPlace::Device : MemoryPlace::Host;
  int owner = device;
  bool isKnown = get(owner, HIP_POINTER_ATTRIBUTE_DEVICE_ORDINAL);
  return isKnown && owner != device ? MemoryPlace::OtherDevice
                                    : MemoryPlace::Device;
}

void HipBackend::getMemoryInfo(uint64_t &freeBytes, uint64_t &totalBytes) {
  Scope scope(*this);
  size_t free = 0, total = 0;
  driver.check(driver.hipMemGetInfo(&free, &total), "hipMemGetInfo");
  freeBytes = free;
  totalBytes = total;
}

void HipBackend::copy(void *dst, const void *src, uint64_t bytes,
                      void *stream) {
  Scope scope(*this);
  driver.check(driver.hipMemcpyAsync(dst, src, bytes, hipMemcpyDefault,
                                     static_cast<hipStream_t>(stream)),
               "hipMemcpyAsync");
}

void HipBackend::copy2D(void *dst, uint64_t dstPitch, const void *src,
                        uint64_t srcPitch, uint64_t width, uint64_t rows,
                        void *stream) {
  Scope scope(*this);
  driver.check(driver.hipMemcpy2DAsync(dst, dstPitch, src, srcPitch, width,
                                       rows, hipMemcpyDefault,
                                       static_cast<hipStream_t>(stream)),
               "hipMemcpy2DAsync");
}

void HipBackend::set16(void *dst, uint16_t value, uint64_t count,
                       void *stream) {
  Scope scope(*this);
  driver.check(driver.hipMemsetD16Async(dst, value, count,
                                        static_cast<hipStream_t>(stream)),
               "hipMemsetD16Async");
}

void HipBackend::set32(void *dst, uint32_t value, uint64_t count,
                       void *stream) {
  Scope scope(*this);
  driver.check(driver.hipMemsetD32Async(dst, static_cast<int>(value), count,
                                        static_cast<hipStream_t>(stream)),
               "hipMemsetD32Async");
}

void HipBackend::registerHost(void *address, uint64_t bytes) {
  Scope scope(*this);
  driver.check(driver.hipHostRegister(address, bytes, /*Flags=*/0),
               "hipHostRegister");
}

void HipBackend::unregisterHost(void *address) {
  Scope scope(*this);
  driver.check(driver.hipHostUnregister(address), "hipHostUnregister");
}

void *HipBackend::getDeviceAddress(void *host) {
  Scope scope(*this);
  void *address = nullptr;
  driver.check(driver.hipHostGetDevicePointer(&address, host, /*flags=*/0),
               "hipHostGetDevicePointer");
  return address;
}

//===----------------------------------------------------------------------===//
// Streams and events
//===----------------------------------------------------------------------===//

void *HipBackend::createStream() {
  Scope scope(*this);
  hipStream_t stream = nullptr;
  // Not held up by the default stream of other code in the process.
  driver.check(driver.hipStreamCreateWithFlags(&stream, hipStreamNonBlocking),
               "hipStreamCreateWithFlags");
  return stream;
}

void *HipBackend::createPriorStream() {
  Scope scope(*this);
  int least = 0, greatest = 0;
  driver.check(driver.hipDeviceGetStreamPriorityRange(&least, &greatest),
               "hipDeviceGetStreamPriorityRange");
  hipStream_t stream = nullptr;
  driver.check(driver.hipStreamCreateWithPriority(&stream, hipStreamNonBlocking,
                                                  greatest),
               "hipStreamCreateWithPriority");
  return stream;
}

void HipBackend::destroyStream(void *stream) {
  Scope scope(*this);
  driver.check(driver.hipStreamDestroy(static_cast<hipStream_t>(stream)),
               "hipStreamDestroy");
}

void HipBackend::synchronizeStream(void *stream) {
  Scope scope(*this);
  driver.check(driver.hipStreamSynchronize(static_cast<hipStream_t>(stream)),
               "hipStreamSynchronize");
}

bool HipBackend::isCapturing(void *stream) {
  Scope scope(*this);
  hipStreamCaptureStatus status = hipStreamCaptureStatusNone;
  driver.check(
      driver.hipStreamIsCapturing(static_cast<hipStream_t>(stream), &status),
      "hipStreamIsCapturing");
  return status != hipStreamCaptureStatusNone;
}

void HipBackend::waitForEvent(void *stream, void *event) {
  Scope scope(*this);
  driver.check(driver.hipStreamWaitEvent(static_cast<hipStream_t>(stream),
                                         static_cast<hipEvent_t>(event),
                                         /*Flags=*/0),
               "hipStreamWaitEvent");
}

void *HipBackend::createEvent(bool timing) {
  Scope scope(*this);
  hipEvent_t event = nullptr;
  driver.check(driver.hipEventCreateWithFlags(
                   &event, timing ? hipEventDefault : hipEventDisableTiming),
               "hipEventCreateWithFlags");
  return event;
}

void HipBackend::destroyEvent(void *event) {
  Scope scope(*this);
  driver.check(driver.hipEventDestroy(static_cast<hipEvent_t>(event)),
               "hipEventDestroy");
}

void HipBackend::recordEvent(void *event, void *stream) {
  Scope scope(*this);
  driver.check(driver.hipEventRecord(static_cast<hipEvent_t>(event),
                                     static_cast<hipStream_t>(stream)),
               "hipEventRecord");
}

void HipBackend::synchronizeEvent(void *event) {
  Scope scope(*this);
  driver.check(driver.hipEventSynchronize(static_cast<hipEvent_t>(event)),
               "hipEventSynchronize");
}

bool HipBackend::isEventDone(void *event) {
  Scope scope(*this);
  hipError_t result = driver.hipEventQuery(static_cast<hipEvent_t>(event));
  if (result == hipErrorNotReady)
    return false;
  driver.check(result, "hipEventQuery");
  return true;
}

double HipBackend::getElapsedSeconds(void *begin, void *end) {
  Scope scope(*this);
  float milliseconds = 0;
  driver.check(driver.hipEventElapsedTime(&milliseconds,
                                          static_cast<hipEvent_t>(begin),
                                          static_cast<hipEvent_t>(end)),
               "hipEventElapsedTime");
  return double(milliseconds) / 1000;
}

//===----------------------------------------------------------------------===//
// Graphs
//===----------------------------------------------------------------------===//

void HipBackend::beginCapture(void *stream) {
  Scope scope(*this);
  // What other threads do is none of this one's business.
  driver.check(driver.hipStreamBeginCapture(static_cast<hipStream_t>(stream),
                                            hipStreamCaptureModeThreadLocal),
               "hipStreamBeginCapture");
}

void *HipBackend::endCapture(void *stream) {
  Scope scope(*this);
  hipGraph_t graph = nullptr;
  driver.check(
      driver.hipStreamEndCapture(static_cast<hipStream_t>(stream), &graph),
      "hipStreamEndCapture");
  hipGraphExec_t executable = nullptr;
  driver.check(driver.hipGraphInstantiate(&executable, graph,
                                          /*pErrorNode=*/nullptr,
                                          /*pLogBuffer=*/nullptr,
                                          /*bufferSize=*/0),
               "hipGraphInstantiate");
  driver.check(driver.hipGraphDestroy(graph), "hipGraphDestroy");
  return executable;
}

void HipBackend::launchGraph(void *graph, void *stream) {
  Scope scope(*this);
  driver.check(driver.hipGraphLaunch(static_cast<hipGraphExec_t>(graph),
                                     static_cast<hipStream_t>(stream)),
               "hipGraphLaunch");
}

void HipBackend::destroyGraph(void *graph) {
  Scope scope(*this);
  driver.check(driver.hipGraphExecDestroy(static_cast<hipGraphExec_t>(graph)),
               "hipGraphExecDestroy");
}
