//===- FakeCuda.cpp - A stand-in for libcuda.so.1 -------------------------===//

#include "../../runtime/cuda/CudaTypes.h"
#include "FakeDevice.h"

using namespace stencil::runtime::cuda;
using namespace fake;

static constexpr CUresult kInvalidValue = static_cast<CUresult>(1);

/// Notes the call, and returns from the function if it has to fail.
#define ENTER(function, ...)                                                   \
  if (unsigned code = device.enter(#function, ##__VA_ARGS__))                  \
  return static_cast<CUresult>(code)
#define ALL(function, ...) device.noteAll(#function, ##__VA_ARGS__)
/// As ENTER, without a note: for what is called often.
#define ENTER_QUIETLY(function)                                                \
  if (unsigned code = Device::getFailure(#function))                           \
  return static_cast<CUresult>(code)

static void *toPointer(CUdeviceptr address) {
  return reinterpret_cast<void *>(address);
}

// NOLINTBEGIN(readability-identifier-naming): the driver's names.
extern "C" {

//===----------------------------------------------------------------------===//
// Devices
//===----------------------------------------------------------------------===//

CUresult cuGetErrorName(CUresult result, const char **name) {
  static const std::map<unsigned, const char *> names = {
      {2, "CUDA_ERROR_OUT_OF_MEMORY"},       {100, "CUDA_ERROR_NO_DEVICE"},
      {209, "CUDA_ERROR_NO_BINARY_FOR_GPU"}, {218, "CUDA_ERROR_INVALID_PTX"},
      {500, "CUDA_ERROR_NOT_FOUND"},         {719, "CUDA_ERROR_LAUNCH_FAILED"},
  };
  auto found = names.find(result);
  if (found == names.end())
    return kInvalidValue;
  *name = found->second;
  return CUDA_SUCCESS;
}

CUresult cuGetErrorString(CUresult result, const char **text) {
  const char *name = nullptr;
  if (cuGetErrorName(result, &name))
    return kInvalidValue;
  *text = "the fake's explanation";
  return CUDA_SUCCESS;
}

CUresult cuInit(unsigned) {
  ENTER(cuInit);
  return CUDA_SUCCESS;
}
CUresult cuDriverGetVersion(int *version) {
  ENTER_QUIETLY(cuDriverGetVersion);
  *version = 12080;
  return CUDA_SUCCESS;
}
CUresult cuDeviceGetCount(int *count) {
  ENTER_QUIETLY(cuDeviceGetCount);
  *count = static_cast<int>(Device::getNumber("FAKE_DEVICES", 1));
  return CUDA_SUCCESS;
}
CUresult cuDeviceGet(CUdevice *result, int ordinal) {
  ENTER_QUIETLY(cuDeviceGet);
  *result = ordinal;
  return CUDA_SUCCESS;
}
CUresult cuDeviceGetName(char *name, int length, CUdevice) {
  ENTER_QUIETLY(cuDeviceGetName);
  const char *own = std::getenv("FAKE_NAME");
  std::strncpy(name, own ? own : "Fake H200", static_cast<size_t>(length));
  return CUDA_SUCCESS;
}
CUresult cuDeviceGetAttribute(int *value, CUdevice_attribute attribute,
                              CUdevice) {
  ENTER_QUIETLY(cuDeviceGetAttribute);
  static const std::map<unsigned, int> values = {
      {CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK, 1024},
      {CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_X, 1024},
      {CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Y, 1023},
      {CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Z, 64},
      {CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_X, 0x7fffffff},
      {CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Y, 65535},
      {CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Z, 65534},
      {CU_DEVICE_ATTRIBUTE_WARP_SIZE, 32},
      {CU_DEVICE_ATTRIBUTE_MAX_PITCH, 1 << 16},
      {CU_DEVICE_ATTRIBUTE_CLOCK_RATE, 1980000},
      {CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT,
       static_cast<int>(Device::getNumber("FAKE_MULTIPROCESSORS", 132))},
      {CU_DEVICE_ATTRIBUTE_MEMORY_CLOCK_RATE, 3201000},
      {CU_DEVICE_ATTRIBUTE_GLOBAL_MEMORY_BUS_WIDTH, 6144},
      {CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE, 50 << 20},
      {CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, 9},
      {CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, 0},
      {CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN, 232448},
      {CU_DEVICE_ATTRIBUTE_MEMORY_POOLS_SUPPORTED,
       static_cast<int>(Device::getNumber("FAKE_POOLS", 1))},
  };
  *value = values.at(attribute);
  return CUDA_SUCCESS;
}
CUresult cuDevicePrimaryCtxRetain(CUcontext *context, CUdevice) {
  ENTER(cuDevicePrimaryCtxRetain);
  *context = reinterpret_cast<CUcontext>(&device);
  return CUDA_SUCCESS;
}
/// That of a thread which has made a device its own.
static char otherContext;
CUresult cuCtxGetCurrent(CUcontext *context) {
  ENTER_QUIETLY(cuCtxGetCurrent);
  *context = std::getenv("FAKE_CURRENT")
                 ? reinterpret_cast<CUcontext>(&otherContext)
                 : nullptr;
  return CUDA_SUCCESS;
}
CUresult cuCtxGetDevice(CUdevice *result) {
  ENTER_QUIETLY(cuCtxGetDevice);
  *result = static_cast<int>(Device::getNumber("FAKE_CURRENT", 0));
  return CUDA_SUCCESS;
}
CUresult cuCtxPushCurrent_v2(CUcontext context) {
  if (context != reinterpret_cast<CUcontext>(&device) &&
      context != reinterpret_cast<CUcontext>(&otherContext))
    return kInvalidValue;
  ENTER_QUIETLY(cuCtxPushCurrent_v2);
  return CUDA_SUCCESS;
}
CUresult cuCtxPopCurrent_v2(CUcontext *) { return CUDA_SUCCESS; }
//===----------------------------------------------------------------------===//
// Kernels
//===----------------------------------------------------------------------===//

CUresult cuModuleLoadDataEx(CUmodule *module, const void *image, unsigned flags,
                            CUjit_option *options, void **values) {
  ALL(cuModuleLoadDataEx, module, image, flags, options, values);
  if (std::strstr(static_cast<const char *>(image), "wrong")) {
    std::strcpy(static_cast<char *>(values[0]),
                "ptxas fatal: line 2\nno such instruction\n");
    return CUDA_ERROR_INVALID_PTX;
  }
  ENTER(cuModuleLoadDataEx);
  *module = reinterpret_cast<CUmodule>(
      device.made("module", new std::vector<Function *>));
  return CUDA_SUCCESS;
}
CUresult cuModuleUnload(CUmodule module) {
  ALL(cuModuleUnload, module);
  ENTER(cuModuleUnload);
  auto *functions = reinterpret_cast<std::vector<Function *> *>(module);
  for (Function *function : *functions)
    delete function;
  delete functions;
  return CUDA_SUCCESS;
}
CUresult cuModuleGetFunction(CUfunction *result, CUmodule module,
                             const char *name) {
  ALL(cuModuleGetFunction, result, module, name);
  ENTER(cuModuleGetFunction, name);
  if (std::strcmp(name, "missing") == 0)
    return CUDA_ERROR_NOT_FOUND;
  auto *function = device.made(name, new Function{name});
  reinterpret_cast<std::vector<Function *> *>(module)->push_back(function);
  *result = reinterpret_cast<CUfunction>(function);
  return CUDA_SUCCESS;
}
CUresult cuFuncGetAttribute(int *value, CUfunction_attribute attribute,
                            CUfunction handle) {
  ENTER_QUIETLY(cuFuncGetAttribute);
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
  return CUDA_SUCCESS;
}
CUresult cuFuncSetAttribute(CUfunction function, CUfunction_attribute attribute,
                            int value) {
  ALL(cuFuncSetAttribute, function, attribute, value);
  ENTER(cuFuncSetAttribute, uint64_t(attribute), uint64_t(value));
  return CUDA_SUCCESS;
}
CUresult cuLaunchKernel(CUfunction handle, unsigned gridX, unsigned gridY,
                        unsigned gridZ, unsigned blockX, unsigned blockY,
                        unsigned blockZ, unsigned shared, CUstream stream,
                        void **params, void **extra) {
  ALL(cuLaunchKernel, handle, gridX, gridY, gridZ, blockX, blockY, blockZ,
      shared, stream, params, extra);
  auto *function = reinterpret_cast<Function *>(handle);
  ENTER(cuLaunchKernel, function->name, dim(gridX, gridY, gridZ),
        dim(blockX, blockY, blockZ), uint64_t(shared));
  device.launch(*function, stream, params);
  return CUDA_SUCCESS;
}
CUresult cuLaunchKernelEx(const CUlaunchConfig *config, CUfunction handle,
                          void **params, void **extra) {
  auto *function = reinterpret_cast<Function *>(handle);
  auto cluster = config->attrs[0].value.clusterDim;
  ALL(cuLaunchKernelEx, config->gridDimX, config->gridDimY, config->gridDimZ,
      config->blockDimX, config->blockDimY, config->blockDimZ,
      config->sharedMemBytes, config->hStream, config->numAttrs,
      config->attrs[0].id, cluster.x, cluster.y, cluster.z, handle, params,
      extra);
  ENTER(cuLaunchKernelEx, function->name,
        dim(config->gridDimX, config->gridDimY, config->gridDimZ),
        uint64_t(config->attrs[0].id), dim(cluster.x, cluster.y, cluster.z));
  device.launch(*function, config->hStream, params);
  return CUDA_SUCCESS;
}
CUresult cuTensorMapEncodeTiled(
    CUtensorMap *map, CUtensorMapDataType type, uint32_t rank, void *address,
    const uint64_t *extents, const uint64_t *strides, const uint32_t *box,
    const uint32_t *steps, CUtensorMapInterleave interleave,
    CUtensorMapSwizzle swizzle, CUtensorMapL2promotion promotion,
    CUtensorMapFloatOOBfill fill) {
  ALL(cuTensorMapEncodeTiled, map, type, rank, address, extents[0], extents[1],
      strides[0], box[0], box[1], steps[0], steps[1], interleave, swizzle,
      promotion, fill);
  ENTER(cuTensorMapEncodeTiled, uint64_t(type), uint64_t(rank), extents[0],
        extents[1], strides[0], uint64_t(box[0]), uint64_t(box[1]));
  map->opaque[0] = reinterpret_cast<uint64_t>(address);
  return CUDA_SUCCESS;
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

CUresult cuMemGetInfo_v2(size_t *free, size_t *total) {
  ENTER_QUIETLY(cuMemGetInfo_v2);
  *free = device.getFreeMemory();
  *total = Device::getMemory();
  return CUDA_SUCCESS;
}
CUresult cuMemAlloc_v2(CUdeviceptr *address, size_t bytes) {
  ALL(cuMemAlloc_v2, address, bytes);
  ENTER(cuMemAlloc_v2, bytes);
  *address = reinterpret_cast<CUdeviceptr>(device.allocate(bytes));
  return *address ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY;
}
CUresult cuMemAllocManaged(CUdeviceptr *address, size_t bytes, unsigned flags) {
  ALL(cuMemAllocManaged, address, bytes, flags);
  ENTER(cuMemAllocManaged, bytes);
  *address = reinterpret_cast<CUdeviceptr>(device.allocate(bytes));
  return *address ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY;
}
CUresult cuMemFree_v2(CUdeviceptr address) {
  ALL(cuMemFree_v2, address);
  ENTER(cuMemFree_v2);
  return device.free(toPointer(address)) ? CUDA_SUCCESS : kInvalidValue;
}
CUresult cuMemAllocAsync(CUdeviceptr *address, size_t bytes, CUstream stream) {
  ALL(cuMemAllocAsync, address, bytes, stream);
  ENTER(cuMemAllocAsync, bytes);
  *address = reinterpret_cast<CUdeviceptr>(device.allocate(bytes));
  return *address ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY;
}
CUresult cuMemFreeAsync(CUdeviceptr address, CUstream stream) {
  ALL(cuMemFreeAsync, address, stream);
  ENTER(cuMemFreeAsync);
  return device.free(toPointer(address)) ? CUDA_SUCCESS : kInvalidValue;
}
CUresult cuPointerGetAttribute(void *value, CUpointer_attribute attribute,
                               CUdeviceptr address) {
  ENTER_QUIETLY(cuPointerGetAttribute);
  if (!device.findAllocation(toPointer(address)))
    return kInvalidValue;
  if (attribute == stencil::runtime::kPointerDevice)
    *static_cast<int *>(value) =
        static_cast<int>(Device::getNumber("FAKE_OWNER", 0));
  else
    *static_cast<unsigned *>(value) =
        attribute == stencil::runtime::kPointerMemoryType ? CU_MEMORYTYPE_DEVICE
                                                          : 0;
  return CUDA_SUCCESS;
}
CUresult cuMemcpyAsync(CUdeviceptr dst, CUdeviceptr src, size_t bytes,
                       CUstream stream) {
  ALL(cuMemcpyAsync, dst, src, bytes, stream);
  ENTER(cuMemcpyAsync, bytes);
  device.copyRows(toPointer(dst), 0, toPointer(src), 0, bytes, 1, stream);
  return CUDA_SUCCESS;
}
CUresult cuMemcpy2DAsync_v2(const CUDA_MEMCPY2D *copy, CUstream stream) {
  ENTER(cuMemcpy2DAsync, copy->dstPitch, copy->srcPitch, copy->WidthInBytes,
        copy->Height);
  ALL(cuMemcpy2DAsync_v2, copy->dstDevice, copy->dstPitch, copy->dstXInBytes,
      copy->dstY, copy->srcDevice, copy->srcPitch, copy->srcXInBytes,
      copy->srcY, copy->WidthInBytes, copy->Height, stream);
  if (copy->srcMemoryType != CU_MEMORYTYPE_UNIFIED ||
      copy->dstMemoryType != CU_MEMORYTYPE_UNIFIED)
    return kInvalidValue;
  device.copyRows(toPointer(copy->dstDevice), copy->dstPitch,
                  toPointer(copy->srcDevice), copy->srcPitch,
                  copy->WidthInBytes, copy->Height, stream);
  return CUDA_SUCCESS;
}
CUresult cuMemsetD16Async(CUdeviceptr dst, unsigned short value, size_t count,
                          CUstream stream) {
  ALL(cuMemsetD16Async, dst, value, count, stream);
  ENTER(cuMemsetD16Async, count);
  device.fill<uint16_t>(toPointer(dst), value, count, stream);
  return CUDA_SUCCESS;
}
CUresult cuMemsetD32Async(CUdeviceptr dst, unsigned value, size_t count,
                          CUstream stream) {
  ALL(cuMemsetD32Async, dst, value, count, stream);
  ENTER(cuMemsetD32Async, count);
  device.fill<uint32_t>(toPointer(dst), value, count, stream);
  return CUDA_SUCCESS;
}
CUresult cuMemHostRegister_v2(void *address, size_t bytes, unsigned flags) {
  ALL(cuMemHostRegister_v2, address, bytes, flags);
  ENTER(cuMemHostRegister, bytes);
  return CUDA_SUCCESS;
}
CUresult cuMemHostGetDevicePointer_v2(CUdeviceptr *address, void *host,
                                      unsigned flags) {
  ALL(cuMemHostGetDevicePointer_v2, address, host, flags);
  ENTER(cuMemHostGetDevicePointer);
  *address = reinterpret_cast<CUdeviceptr>(host) + 4;
  return CUDA_SUCCESS;
}
CUresult cuMemHostUnregister(void *address) {
  ALL(cuMemHostUnregister, address);
  ENTER(cuMemHostUnregister);
  return CUDA_SUCCESS;
}

//===----------------------------------------------------------------------===//
// Streams, events, graphs
//===----------------------------------------------------------------------===//

CUresult cuStreamCreate(CUstream *stream, unsigned flags) {
  ALL(cuStreamCreate, stream, flags);
  ENTER(cuStreamCreate, uint64_t(flags));
  *stream = reinterpret_cast<CUstream>(device.made("stream", new Stream));
  return CUDA_SUCCESS;
}
CUresult cuCtxGetStreamPriorityRange(int *least, int *greatest) {
  ENTER_QUIETLY(cuCtxGetStreamPriorityRange);
  *least = 0;
  *greatest = -5;
  return CUDA_SUCCESS;
}
CUresult cuStreamCreateWithPriority(CUstream *stream, unsigned flags,
                                    int priority) {
  ALL(cuStreamCreateWithPriority, stream, flags, priority);
  ENTER(cuStreamCreateWithPriority, uint64_t(flags), int64_t(priority));
  *stream = reinterpret_cast<CUstream>(device.made("stream", new Stream));
  return CUDA_SUCCESS;
}
CUresult cuStreamDestroy_v2(CUstream stream) {
  ALL(cuStreamDestroy_v2, stream);
  ENTER(cuStreamDestroy);
  delete reinterpret_cast<Stream *>(stream);
  return CUDA_SUCCESS;
}
CUresult cuStreamSynchronize(CUstream stream) {
  ALL(cuStreamSynchronize, stream);
  ENTER(cuStreamSynchronize);
  return CUDA_SUCCESS;
}
CUresult cuStreamGetCtx(CUstream stream, CUcontext *context) {
  ENTER_QUIETLY(cuStreamGetCtx);
  // Streams are all of the primary context.
  bool isDefault = reinterpret_cast<uintptr_t>(stream) <= 2;
  if (!isDefault || cuCtxGetCurrent(context) || !*context)
    *context = reinterpret_cast<CUcontext>(&device);
  return CUDA_SUCCESS;
}
CUresult cuStreamIsCapturing(CUstream stream, CUstreamCaptureStatus *status) {
  ENTER_QUIETLY(cuStreamIsCapturing);
  *status = static_cast<CUstreamCaptureStatus>(Device::getRecorder(stream) !=
                                               nullptr);
  return CUDA_SUCCESS;
}
CUresult cuStreamWaitEvent(CUstream stream, CUevent event, unsigned flags) {
  ALL(cuStreamWaitEvent, stream, event, flags);
  ENTER(cuStreamWaitEvent);
  Device::wait(stream, event);
  return CUDA_SUCCESS;
}
CUresult cuEventCreate(CUevent *event, unsigned flags) {
  ALL(cuEventCreate, event, flags);
  ENTER(cuEventCreate, uint64_t(flags));
  *event = reinterpret_cast<CUevent>(device.made("event", new Event));
  return CUDA_SUCCESS;
}
CUresult cuEventDestroy_v2(CUevent event) {
  ALL(cuEventDestroy_v2, event);
  ENTER(cuEventDestroy);
  delete reinterpret_cast<Event *>(event);
  return CUDA_SUCCESS;
}
CUresult cuEventRecord(CUevent event, CUstream stream) {
  ALL(cuEventRecord, event, stream);
  ENTER(cuEventRecord);
  device.record(event, stream);
  return CUDA_SUCCESS;
}
CUresult cuEventSynchronize(CUevent event) {
  ALL(cuEventSynchronize, event);
  ENTER(cuEventSynchronize);
  return CUDA_SUCCESS;
}
CUresult cuEventQuery(CUevent) {
  ENTER_QUIETLY(cuEventQuery);
  return Device::getNumber("FAKE_BUSY", 0) ? CUDA_ERROR_NOT_READY
                                           : CUDA_SUCCESS;
}
CUresult cuEventElapsedTime(float *milliseconds, CUevent begin, CUevent end) {
  ALL(cuEventElapsedTime, milliseconds, begin, end);
  ENTER(cuEventElapsedTime);
  *milliseconds =
      static_cast<float>(reinterpret_cast<Event *>(end)->milliseconds -
                         reinterpret_cast<Event *>(begin)->milliseconds);
  return CUDA_SUCCESS;
}
CUresult cuStreamBeginCapture_v2(CUstream stream, CUstreamCaptureMode mode) {
  ALL(cuStreamBeginCapture_v2, stream, mode);
  ENTER(cuStreamBeginCapture, uint64_t(mode));
  reinterpret_cast<Stream *>(stream)->capturing = true;
  return CUDA_SUCCESS;
}
CUresult cuStreamEndCapture(CUstream handle, CUgraph *graph) {
  ALL(cuStreamEndCapture, handle, graph);
  ENTER(cuStreamEndCapture);
  auto *stream = reinterpret_cast<Stream *>(handle);
  stream->capturing = false;
  *graph = reinterpret_cast<CUgraph>(
      device.made("graph", new Graph{std::move(stream->recorded)}));
  stream->recorded.clear();
  return CUDA_SUCCESS;
}
CUresult cuThreadExchangeStreamCaptureMode(CUstreamCaptureMode *) {
  return CUDA_SUCCESS;
}
CUresult cuGraphInstantiateWithFlags(CUgraphExec *executable, CUgraph graph,
                                     unsigned long long flags) {
  ALL(cuGraphInstantiateWithFlags, executable, graph, flags);
  ENTER(cuGraphInstantiate);
  *executable = reinterpret_cast<CUgraphExec>(
      device.made("executable", new Graph(*reinterpret_cast<Graph *>(graph))));
  return CUDA_SUCCESS;
}
CUresult cuGraphLaunch(CUgraphExec graph, CUstream stream) {
  ALL(cuGraphLaunch, graph, stream);
  ENTER(cuGraphLaunch);
  for (auto &work : reinterpret_cast<Graph *>(graph)->work)
    device.submit(stream, work);
  return CUDA_SUCCESS;
}
CUresult cuGraphDestroy(CUgraph graph) {
  ALL(cuGraphDestroy, graph);
  ENTER(cuGraphDestroy);
  delete reinterpret_cast<Graph *>(graph);
  return CUDA_SUCCESS;
}
CUresult cuGraphExecDestroy(CUgraphExec graph) {
  ALL(cuGraphExecDestroy, graph);
  ENTER(cuGraphExecDestroy);
  delete reinterpret_cast<Graph *>(graph);
  return CUDA_SUCCESS;
}

} // extern "C"
// NOLINTEND(readability-identifier-naming)
