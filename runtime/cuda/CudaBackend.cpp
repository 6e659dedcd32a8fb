//===- CudaBackend.cpp - Devices and kernels of CUDA ----------------------===//

#include "CudaBackend.h"
#include "CudaImage.h"

using namespace stencil::runtime;
using namespace stencil::runtime::cuda;

std::unique_ptr<Backend> stencil::runtime::createCudaBackend() {
  return std::make_unique<CudaBackend>();
}

//===----------------------------------------------------------------------===//
// The device
//===----------------------------------------------------------------------===//

/// 12080 stands for 12.8.
static std::string formatVersion(int version) {
  return std::to_string(version / 1000) + "." +
         std::to_string(version % 1000 / 10);
}

/// 103 of "sm_103a", with "a" as what follows the number; 0 of another name.
static long readNumber(const std::string &chip, std::string &rest) {
  if (chip.rfind("sm_", 0) != 0)
    return 0;
  char *end = nullptr;
  long number = std::strtol(chip.c_str() + 3, &end, 10);
  rest = end;
  return number;
}

/// Binaries run on the same major version from their minor version on; those of
/// "a" on that version only, those of "f" as the first.
bool CudaBackend::takes(const std::string &device, const std::string &chip) {
  std::string kind, none;
  long has = readNumber(device, none), wants = readNumber(chip, kind);
  if (!has || !wants)
    return false;
  return kind == "a" ? has == wants : has / 10 == wants / 10 && has >= wants;
}

void CudaBackend::describeDevice(DeviceInfo &info, int version) {
  constexpr int kFirstWithNodePriorities = 11070;
  hasNodePriorities = version >= kFirstWithNodePriorities;
  info.driverVersion = formatVersion(version);
  info.chip = "sm_" +
              std::to_string(
                  getAttribute(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR)) +
              std::to_string(
                  getAttribute(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR));
  info.multiprocessors = getAttribute(CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT);
  info.warpSize = getAttribute(CU_DEVICE_ATTRIBUTE_WARP_SIZE);
  info.maxThreadsPerBlock =
      getAttribute(CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK);
  info.maxBlock = {getAttribute(CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_X),
                   getAttribute(CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Y),
                   getAttribute(CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Z)};
  info.maxGrid = {getAttribute(CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_X),
                  getAttribute(CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Y),
                  getAttribute(CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Z)};
  info.maxSharedBytes =
      getAttribute(CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN);
  info.l2Bytes = getAttribute(CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE);
  info.clockKHz = getAttribute(CU_DEVICE_ATTRIBUTE_CLOCK_RATE);
  info.memoryClockKHz = getAttribute(CU_DEVICE_ATTRIBUTE_MEMORY_CLOCK_RATE);
  info.memoryBusBits =
      getAttribute(CU_DEVICE_ATTRIBUTE_GLOBAL_MEMORY_BUS_WIDTH);
}

//===----------------------------------------------------------------------===//
// Modules
//===----------------------------------------------------------------------===//

/// What ptxas has to say, as one line.
static std::string joinLines(const char *log) {
  std::string text;
  for (; *log; ++log)
    text += *log == '\n' ? ' ' : *log;
  while (!text.empty() && text.back() == ' ')
    text.pop_back();
  return text;
}

void *CudaBackend::loadModule(const void *blob, size_t bytes, int optLevel) {
  Scope scope(driver);
  RelaxedCapture relaxed(driver);
  char log[4096] = "";
  CUjit_option options[] = {CU_JIT_ERROR_LOG_BUFFER,
                            CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES,
                            CU_JIT_OPTIMIZATION_LEVEL};
  void *values[] = {log, reinterpret_cast<void *>(sizeof(log)),
                    reinterpret_cast<void *>(static_cast<intptr_t>(optLevel))};
  unsigned numOptions = optLevel < 0 ? 2 : 3;
  CUmodule module = nullptr;
  CUresult result =
      driver.cuModuleLoadDataEx(&module, blob, numOptions, options, values);
  if (result == CUDA_SUCCESS)
    return module;

  std::string message =
      describeError(driver.describe(result, "cuModuleLoadDataEx"));
  message += "; the device is " + description.chip + " (" + description.name +
             ", driver for CUDA " + description.driverVersion + ")";
  std::string targets = getTargets(blob, bytes);
  if (!targets.empty())
    message += ", the binary is for " + targets;
  if (log[0])
    message += ": " + joinLines(log);
  fail(message);
}

void CudaBackend::unloadModule(void *module) {
  // Destructors run after the driver's own exit handler: then there is nothing
  // left to unload.
  if (driver.cuCtxPushCurrent_v2(driver.context) != CUDA_SUCCESS)
    return;
  CUresult result = driver.cuModuleUnload(static_cast<CUmodule>(module));
  CUcontext popped = nullptr;
  driver.cuCtxPopCurrent_v2(&popped);
  if (result != CUDA_ERROR_DEINITIALIZED &&
      result != CUDA_ERROR_CONTEXT_IS_DESTROYED)
    driver.check(result, "cuModuleUnload");
}

void CudaBackend::setMaxDynamicSharedBytes(void *function, const char *name,
                                           uint32_t bytes) {
  Scope scope(driver);
  RelaxedCapture relaxed(driver);
  driver.callFor(name, driver.cuFuncSetAttribute, function,
                 CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, bytes);
}

void CudaBackend::launchClusters(void *function, const char *name,
                                 const LaunchConfig &config) {
  Scope scope(driver);
  if (!driver.cuLaunchKernelEx)
    fail(std::string("launch of kernel '") + name +
         "' in clusters: expected a driver for CUDA 11.8 or newer, got one for "
         "CUDA " +
         description.driverVersion);
  // More than any device has, unless it is asked.
  constexpr uint64_t portable = 8;
  if (config.cluster.count() > portable) {
    RelaxedCapture relaxed(driver);
    driver.callFor(name, driver.cuFuncSetAttribute, function,
                   CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED, 1);
  }
  CUlaunchAttribute attribute = {};
  attribute.id = CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION;
  attribute.value.clusterDim.x = config.cluster.x;
  attribute.value.clusterDim.y = config.cluster.y;
  attribute.value.clusterDim.z = config.cluster.z;
  CUlaunchConfig launch = {};
  launch.gridDimX = config.grid.x;
  launch.gridDimY = config.grid.y;
  launch.gridDimZ = config.grid.z;
  launch.blockDimX = config.block.x;
  launch.blockDimY = config.block.y;
  launch.blockDimZ = config.block.z;
  launch.sharedMemBytes = config.dynamicSharedBytes;
  launch.hStream = static_cast<CUstream>(config.stream);
  launch.attrs = &attribute;
  launch.numAttrs = 1;
  driver.callFor(name, driver.cuLaunchKernelEx, &launch, function,
                 config.params, config.extra);
}

void CudaBackend::encodeTensorMap(void *map, const TensorMapRequest &request) {
  if (!driver.cuTensorMapEncodeTiled)
    fail(
        "mgpuTensorMapEncodeTiled: expected a driver for CUDA 12 or newer, got "
        "one for CUDA " +
        description.driverVersion);
  Scope scope(driver);
  driver.call(driver.cuTensorMapEncodeTiled, map, request.dataType,
              request.rank, request.address, request.extents, request.strides,
              request.box, request.elementStrides, request.interleave,
              request.swizzle, request.l2Promotion, request.oobFill);
}

//===----------------------------------------------------------------------===//
// Memory, streams and graphs
//===----------------------------------------------------------------------===//

bool CudaBackend::isInDevice(unsigned type) const {
  return type == CU_MEMORYTYPE_DEVICE;
}

bool CudaBackend::isManaged(unsigned, const void *address) const {
  unsigned managed = 0;
  return getPointerAttribute(managed, CU_POINTER_ATTRIBUTE_IS_MANAGED,
                             address) &&
         managed;
}

void CudaBackend::copy(void *dst, const void *src, uint64_t bytes,
                       void *stream) {
  call(driver.cuMemcpyAsync, dst, src, bytes, stream);
}

void CudaBackend::copy2D(void *dst, uint64_t dstPitch, const void *src,
                         uint64_t srcPitch, uint64_t width, uint64_t rows,
                         void *stream) {
  CUDA_MEMCPY2D request = {};
  // The driver knows its own addresses from the host's.
  request.srcMemoryType = CU_MEMORYTYPE_UNIFIED;
  request.srcDevice = as<CUdeviceptr>(src);
  request.srcPitch = srcPitch;
  request.dstMemoryType = CU_MEMORYTYPE_UNIFIED;
  request.dstDevice = as<CUdeviceptr>(dst);
  request.dstPitch = dstPitch;
  request.WidthInBytes = width;
  request.Height = rows;
  call(driver.cuMemcpy2DAsync_v2, &request, stream);
}

void CudaBackend::checkStream(void *stream) {
  Scope scope(driver);
  CUcontext owner = nullptr;
  driver.call(driver.cuStreamGetCtx, stream, &owner);
  if (owner != driver.context)
    fail("stencilSetStream: expected a stream of the context in use, that of "
         "device " +
         std::to_string(driver.device) + ", got one of another context");
}

void *CudaBackend::instantiate(CUgraph graph) {
  CUgraphExec executable = nullptr;
  driver.check(driver.cuGraphInstantiateWithFlags(
                   &executable, graph,
                   hasNodePriorities
                       ? CUDA_GRAPH_INSTANTIATE_FLAG_USE_NODE_PRIORITY
                       : 0),
               "cuGraphInstantiate");
  return executable;
}
