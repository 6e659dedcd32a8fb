//===- FakeHip.cpp - A stand-in for libamdhip64.so.6 ----------------------===//

#include "../../runtime/hip/HipTypes.h"
#include "FakeDevice.h"

using namespace stencil::runtime::hip;
using namespace fake;

static constexpr hipError_t kInvalidValue = static_cast<hipError_t>(1);

/// Notes the call, and returns from the function if it has to fail.
#define ENTER(function, ...)                                                   \
  if (unsigned code = device.enter(#function, ##__VA_ARGS__))                  \
  return static_cast<hipError_t>(code)
/// Notes all arguments.
#define ALL(function, ...) device.noteAll(#function, ##__VA_ARGS__)
/// As ENTER, without a note: for what is called very often.
#define ENTER_QUIETLY(function)                                                \
  if (unsigned code = Device::getFailure(#function))                           \
  return static_cast<hipError_t>(code)

// NOLINTBEGIN(readability-identifier-naming): the driver's names.
extern "C" {

//===----------------------------------------------------------------------===//
// Devices
//===----------------------------------------------------------------------===//

const char *hipGetErrorName(hipError_t result) {
  switch (static_cast<unsigned>(result)) {
  case 2:
    return "hipErrorOutOfMemory";
  case 100:
    return "hipErrorNoDevice";
  case 719:
    return "hipErrorLaunchFailure";
  default:
    return "hipErrorUnknown";
  }
}

const char *hipGetErrorString(hipError_t) { return "the fake's explanation"; }

hipError_t hipInit(unsigned) {
  ENTER(hipInit);
  return hipSuccess;
}
hipError_t hipRuntimeGetVersion(int *version) {
  ENTER_QUIETLY(hipRuntimeGetVersion);
  *version = 60241134;
  return hipSuccess;
}
hipError_t hipGetDeviceCount(int *count) {
  ENTER_QUIETLY(hipGetDeviceCount);
  *count = static_cast<int>(Device::getNumber("FAKE_DEVICES", 1));
  return hipSuccess;
}
hipError_t hipGetDevice(int *result) {
  *result = static_cast<int>(Device::getNumber("FAKE_CURRENT", 0));
  return hipSuccess;
}
hipError_t hipSetDevice(int) {
  ENTER(hipSetDevice);
  return hipSuccess;
}
hipError_t hipDeviceGetName(char *name, int length, int) {
  ENTER_QUIETLY(hipDeviceGetName);
  std::strncpy(name, "Fake MI300X", static_cast<size_t>(length));
  return hipSuccess;
}
hipError_t hipDeviceGetAttribute(int *value, hipDeviceAttribute_t attribute,
                                 int) {
  ENTER_QUIETLY(hipDeviceGetAttribute);
  static const std::map<unsigned, int> values = {
      {hipDeviceAttributeClockRate, 2100000},
      {hipDeviceAttributeL2CacheSize, 4 << 20},
      {hipDeviceAttributeMaxBlockDimX, 1024},
      {hipDeviceAttributeMaxBlockDimY, 1023},
      {hipDeviceAttributeMaxBlockDimZ, 1022},
      {hipDeviceAttributeMaxGridDimX, 0x7fffffff},
      {hipDeviceAttributeMaxGridDimY, 65535},
      {hipDeviceAttributeMaxGridDimZ, 65534},
      {hipDeviceAttributeMaxThreadsPerBlock, 1024},
      {hipDeviceAttributeMaxPitch, 1 << 16},
      {hipDeviceAttributeMemoryBusWidth, 8192},
      {hipDeviceAttributeMemoryClockRate, 1300000},
      {hipDeviceAttributeMultiprocessorCount, 304},
      {hipDeviceAttributeMaxSharedMemoryPerBlock, 65536},
      {hipDeviceAttributeWarpSize, 64},
      {hipDeviceAttributeMemoryPoolsSupported,
       static_cast<int>(Device::getNumber("FAKE_POOLS", 1))},
  };
  *value = values.at(attribute);
  return hipSuccess;
}
/// Only what is read: a name, and the chip with its features somewhere behind
/// it.
hipError_t hipGetDevicePropertiesR0600(void *properties, int) {
  constexpr size_t offset = 1160;
  std::strcpy(static_cast<char *>(properties), "Fake MI300X");
  std::strcpy(static_cast<char *>(properties) + offset,
              "gfx942:sramecc+:xnack-");
  return hipSuccess;
}

//===----------------------------------------------------------------------===//
// Kernels
//===----------------------------------------------------------------------===//

hipError_t hipModuleLoadData(hipModule_t *module, const void *image) {
  ALL(hipModuleLoadData, module, image);
  ENTER(hipModuleLoadData);
  *module = reinterpret_cast<hipModule_t>(
      device.made("module", new std::vector<Function *>));
  return hipSuccess;
}
hipError_t hipModuleUnload(hipModule_t module) {
  ALL(hipModuleUnload, module);
  ENTER(hipModuleUnload);
  auto *functions = reinterpret_cast<std::vector<Function *> *>(module);
  for (Function *function : *functions)
    delete function;
  delete functions;
  return hipSuccess;
}
hipError_t hipModuleGetFunction(hipFunction_t *result, hipModule_t module,
                                const char *name) {
  ALL(hipModuleGetFunction, result, module, name);
  ENTER(hipModuleGetFunction, name);
  if (std::strcmp(name, "missing") == 0)
    return static_cast<hipError_t>(500);
  auto *function = device.made(name, new Function{name});
  reinterpret_cast<std::vector<Function *> *>(module)->push_back(function);
  *result = reinterpret_cast<hipFunction_t>(function);
  return hipSuccess;
}
hipError_t hipFuncGetAttribute(int *value, hipFunction_attribute attribute,
                               hipFunction_t handle) {
  ENTER_QUIETLY(hipFuncGetAttribute);
  auto *function = reinterpret_cast<Function *>(handle);
  bool heavy = function->name == "heavy";
  static const int threads[] = {1024, 256}, registers[] = {32, 255};
  *value = 0;
  if (attribute == stencil::runtime::kFunctionMaxThreads)
    *value = threads[heavy];
  else if (attribute == stencil::runtime::kFunctionRegisters)
    *value = registers[heavy];
  else if (attribute == stencil::runtime::kFunctionSharedBytes)
    *value = function->name == "shared" ? 1024 : 0;
  return hipSuccess;
}
hipError_t hipModuleLaunchKernel(hipFunction_t handle, unsigned gridX,
                                 unsigned gridY, unsigned gridZ,
                                 unsigned blockX, unsigned blockY,
                                 unsigned blockZ, unsigned shared,
                                 hipStream_t stream, void **params,
                                 void **extra) {
  ALL(hipModuleLaunchKernel, handle, gridX, gridY, gridZ, blockX, blockY,
      blockZ, shared, stream, params, extra);
  auto *function = reinterpret_cast<Function *>(handle);
  ENTER(hipModuleLaunchKernel, function->name, dim(gridX, gridY, gridZ),
        dim(blockX, blockY, blockZ), uint64_t(shared));
  device.launch(*function, stream, params);
  return hipSuccess;
}
//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

hipError_t hipMemGetInfo(size_t *free, size_t *total) {
  ENTER_QUIETLY(hipMemGetInfo);
  *free = device.getFreeMemory();
  *total = Device::getMemory();
  return hipSuccess;
}
hipError_t hipMalloc(void **address, size_t bytes) {
  ALL(hipMalloc, address, bytes);
  ENTER(hipMalloc, bytes);
  *address = device.allocate(bytes);
  return *address ? hipSuccess : hipErrorOutOfMemory;
}
hipError_t hipMallocManaged(void **address, size_t bytes, unsigned flags) {
  ALL(hipMallocManaged, address, bytes, flags);
  ENTER(hipMallocManaged, bytes);
  *address = device.allocate(bytes);
  return *address ? hipSuccess : hipErrorOutOfMemory;
}
hipError_t hipFree(void *address) {
  ALL(hipFree, address);
  ENTER(hipFree);
  return device.free(address) ? hipSuccess : kInvalidValue;
}
hipError_t hipMallocAsync(void **address, size_t bytes, hipStream_t stream) {
  ALL(hipMallocAsync, address, bytes, stream);
  ENTER(hipMallocAsync, bytes);
  *address = device.allocate(bytes);
  return *address ? hipSuccess : hipErrorOutOfMemory;
}
hipError_t hipFreeAsync(void *address, hipStream_t stream) {
  ALL(hipFreeAsync, address, stream);
  ENTER(hipFreeAsync);
  return device.free(address) ? hipSuccess : kInvalidValue;
}
hipError_t hipPointerGetAttribute(void *value, hipPointer_attribute attribute,
                                  hipDeviceptr_t address) {
  ENTER_QUIETLY(hipPointerGetAttribute);
  if (!device.findAllocation(address))
    return kInvalidValue;
  if (attribute == stencil::runtime::kPointerDevice)
    *static_cast<int *>(value) =
        static_cast<int>(Device::getNumber("FAKE_OWNER", 0));
  else // As HIP 6.
    *static_cast<unsigned *>(value) = 2;
  return hipSuccess;
}
hipError_t hipMemcpyAsync(void *dst, const void *src, size_t bytes,
                          hipMemcpyKind kind, hipStream_t stream) {
  ALL(hipMemcpyAsync, dst, src, bytes, kind, stream);
  ENTER(hipMemcpyAsync, bytes, uint64_t(kind));
  device.copyRows(dst, 0, src, 0, bytes, 1, stream);
  return hipSuccess;
}
hipError_t hipMemcpy2DAsync(void *dst, size_t dstPitch, const void *src,
                            size_t srcPitch, size_t width, size_t height,
                            hipMemcpyKind kind, hipStream_t stream) {
  ALL(hipMemcpy2DAsync, dst, dstPitch, src, srcPitch, width, height, kind,
      stream);
  ENTER(hipMemcpy2DAsync, dstPitch, srcPitch, width, height, uint64_t(kind));
  device.copyRows(dst, dstPitch, src, srcPitch, width, height, stream);
  return hipSuccess;
}
hipError_t hipMemsetD16Async(void *dst, unsigned short value, size_t count,
                             hipStream_t stream) {
  ALL(hipMemsetD16Async, dst, value, count, stream);
  ENTER(hipMemsetD16Async, count);
  device.fill<uint16_t>(dst, value, count, stream);
  return hipSuccess;
}
hipError_t hipMemsetD32Async(void *dst, int value, size_t count,
                             hipStream_t stream) {
  ALL(hipMemsetD32Async, dst, value, count, stream);
  ENTER(hipMemsetD32Async, count);
  device.fill<uint32_t>(dst, static_cast<uint32_t>(value), count, stream);
  return hipSuccess;
}
hipError_t hipHostRegister(void *address, size_t bytes, unsigned flags) {
  ALL(hipHostRegister, address, bytes, flags);
  ENTER(hipHostRegister, bytes);
  return hipSuccess;
}
hipError_t hipHostGetDevicePointer(void **address, void *host, unsigned flags) {
  ALL(hipHostGetDevicePointer, address, host, flags);
  ENTER(hipHostGetDevicePointer);
  *address = static_cast<char *>(host) + 4;
  return hipSuccess;
}
hipError_t hipHostUnregister(void *address) {
  ALL(hipHostUnregister, address);
  ENTER(hipHostUnregister);
  return hipSuccess;
}

//===----------------------------------------------------------------------===//
// Streams, events, graphs
//===----------------------------------------------------------------------===//

hipError_t hipStreamCreateWithFlags(hipStream_t *stream, unsigned flags) {
  ALL(hipStreamCreateWithFlags, stream, flags);
  ENTER(hipStreamCreateWithFlags, uint64_t(flags));
  *stream = reinterpret_cast<hipStream_t>(device.made("stream", new Stream));
  return hipSuccess;
}
hipError_t hipDeviceGetStreamPriorityRange(int *least, int *greatest) {
  ENTER_QUIETLY(hipDeviceGetStreamPriorityRange);
  *least = 0;
  *greatest = -1;
  return hipSuccess;
}
hipError_t hipStreamCreateWithPriority(hipStream_t *stream, unsigned flags,
                                       int priority) {
  ALL(hipStreamCreateWithPriority, stream, flags, priority);
  ENTER(hipStreamCreateWithPriority, uint64_t(flags), int64_t(priority));
  *stream = reinterpret_cast<hipStream_t>(device.made("stream", new Stream));
  return hipSuccess;
}
hipError_t hipStreamDestroy(hipStream_t stream) {
  ALL(hipStreamDestroy, stream);
  ENTER(hipStreamDestroy);
  delete reinterpret_cast<Stream *>(stream);
  return hipSuccess;
}
hipError_t hipStreamSynchronize(hipStream_t stream) {
  ALL(hipStreamSynchronize, stream);
  ENTER(hipStreamSynchronize);
  return hipSuccess;
}
hipError_t hipStreamIsCapturing(hipStream_t stream,
                                hipStreamCaptureStatus *status) {
  ENTER_QUIETLY(hipStreamIsCapturing);
  *status = static_cast<hipStreamCaptureStatus>(Device::getRecorder(stream) !=
                                                nullptr);
  return hipSuccess;
}
hipError_t hipStreamWaitEvent(hipStream_t stream, hipEvent_t event,
                              unsigned flags) {
  ALL(hipStreamWaitEvent, stream, event, flags);
  ENTER(hipStreamWaitEvent);
  Device::wait(stream, event);
  return hipSuccess;
}
hipError_t hipEventCreateWithFlags(hipEvent_t *event, unsigned flags) {
  ALL(hipEventCreateWithFlags, event, flags);
  ENTER(hipEventCreateWithFlags, uint64_t(flags));
  *event = reinterpret_cast<hipEvent_t>(device.made("event", new Event));
  return hipSuccess;
}
hipError_t hipEventDestroy(hipEvent_t event) {
  ALL(hipEventDestroy, event);
  ENTER(hipEventDestroy);
  delete reinterpret_cast<Event *>(event);
  return hipSuccess;
}
hipError_t hipEventRecord(hipEvent_t event, hipStream_t stream) {
  ALL(hipEventRecord, event, stream);
  ENTER(hipEventRecord);
  device.record(event, stream);
  return hipSuccess;
}
hipError_t hipEventSynchronize(hipEvent_t event) {
  ALL(hipEventSynchronize, event);
  ENTER(hipEventSynchronize);
  return hipSuccess;
}
hipError_t hipEventQuery(hipEvent_t) {
  ENTER_QUIETLY(hipEventQuery);
  return Device::getNumber("FAKE_BUSY", 0) ? hipErrorNotReady : hipSuccess;
}
hipError_t hipEventElapsedTime(float *milliseconds, hipEvent_t begin,
                               hipEvent_t end) {
  ALL(hipEventElapsedTime, milliseconds, begin, end);
  ENTER(hipEventElapsedTime);
  *milliseconds =
      static_cast<float>(reinterpret_cast<Event *>(end)->milliseconds -
                         reinterpret_cast<Event *>(begin)->milliseconds);
  return hipSuccess;
}
hipError_t hipStreamBeginCapture(hipStream_t stream,
                                 hipStreamCaptureMode mode) {
  ALL(hipStreamBeginCapture, stream, mode);
  ENTER(hipStreamBeginCapture, uint64_t(mode));
  reinterpret_cast<Stream *>(stream)->capturing = true;
  return hipSuccess;
}
hipError_t hipStreamEndCapture(hipStream_t handle, hipGraph_t *graph) {
  ALL(hipStreamEndCapture, handle, graph);
  ENTER(hipStreamEndCapture);
  auto *stream = reinterpret_cast<Stream *>(handle);
  stream->capturing = false;
  *graph = reinterpret_cast<hipGraph_t>(
      device.made("graph", new Graph{std::move(stream->recorded)}));
  stream->recorded.clear();
  return hipSuccess;
}
hipError_t hipThreadExchangeStreamCaptureMode(hipStreamCaptureMode *) {
  return hipSuccess;
}
hipError_t hipGraphInstantiate(hipGraphExec_t *executable, hipGraph_t graph,
                               hipGraphNode_t *errorNode, char *log,
                               size_t logBytes) {
  ALL(hipGraphInstantiate, executable, graph, errorNode, log, logBytes);
  ENTER(hipGraphInstantiate);
  *executable = reinterpret_cast<hipGraphExec_t>(
      device.made("executable", new Graph(*reinterpret_cast<Graph *>(graph))));
  return hipSuccess;
}
hipError_t hipGraphLaunch(hipGraphExec_t graph, hipStream_t stream) {
  ALL(hipGraphLaunch, graph, stream);
  ENTER(hipGraphLaunch);
  for (auto &work : reinterpret_cast<Graph *>(graph)->work)
    device.submit(stream, work);
  return hipSuccess;
}
hipError_t hipGraphDestroy(hipGraph_t graph) {
  ALL(hipGraphDestroy, graph);
  ENTER(hipGraphDestroy);
  delete reinterpret_cast<Graph *>(graph);
  return hipSuccess;
}
hipError_t hipGraphExecDestroy(hipGraphExec_t graph) {
  ALL(hipGraphExecDestroy, graph);
  ENTER(hipGraphExecDestroy);
  delete reinterpret_cast<Graph *>(graph);
  return hipSuccess;
}

} // extern "C"
// NOLINTEND(readability-identifier-naming)
