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

int CudaBackend::getAttribute(CUdevice_attribute attribute) const {
  int value = 0;
  if (driver.cuDeviceGetAttribute(&value, attribute, device) != CUDA_SUCCESS)
    return 0;
  return value;
}

/// 12080 stands for 12.8.
static std::string formatVersion(int version) {
  return std::to_string(version / 1000) + "." +
         std::to_string(version % 1000 / 10);
}

std::string CudaBackend::initialize(int ordinal) {
  std::string problem = driver.load();
  if (!problem.empty())
    return problem;
  auto explain = [&](CUresult result, const char *call) {
    return describeError(driver.describe(result, call));
  };
  int count = 0;
  if (CUresult result = driver.cuDeviceGetCount(&count))
    return explain(result, "cuDeviceGetCount");
  if (count == 0)
    return "no CUDA device: the driver knows none";
  CUcontext current = nullptr;
  if (ordinal == kAnyDevice)
    if (CUresult result = driver.cuCtxGetCurrent(&current))
      return explain(result, "cuCtxGetCurrent");
  ordinal = ordinal == kAnyDevice ? 0 : ordinal;
  if (ordinal < 0 || ordinal >= count)
    return "expected a CUDA device from 0 to " + std::to_string(count - 1) +
           ", got " + std::to_string(ordinal);
  if (current) {
    context = current;
    if (CUresult result = driver.cuCtxGetDevice(&device))
      return explain(result, "cuCtxGetDevice");
  } else {
    if (CUresult result = driver.cuDeviceGet(&device, ordinal))
      return explain(result, "cuDeviceGet");
    if (CUresult result = driver.cuDevicePrimaryCtxRetain(&context, device))
      return explain(result, "cuDevicePrimaryCtxRetain");
  }
  maxPitch = static_cast<uint64_t>(getAttribute(CU_DEVICE_ATTRIBUTE_MAX_PITCH));
  hasPools = getAttribute(CU_DEVICE_ATTRIBUTE_MEMORY_POOLS_SUPPORTED) != 0;
  constexpr int kFirstWithNodePriorities = 11070;
  int version = 0;
  if (CUresult result = driver.cuDriverGetVersion(&version))
    return explain(result, "cuDriverGetVersion");
  hasNodePriorities = version >= kFirstWithNodePriorities;
  return "";
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

std::string CudaBackend::describe(DeviceInfo &info) {
  auto explain = [&](CUresult result, const char *call) {
    return describeError(driver.describe(result, call));
  };
  char name[256] = "";
  int version = 0;
  size_t free = 0, total = 0;
  if (CUresult result = driver.cuDeviceGetName(name, sizeof(name) - 1, device))
    return explain(result, "cuDeviceGetName");
  if (CUresult result = driver.cuDriverGetVersion(&version))
    return explain(result, "cuDriverGetVersion");
  {
    Scope scope(*this);
    if (CUresult result = driver.cuMemGetInfo_v2(&free, &total))
      return explain(result, "cuMemGetInfo");
  }
  info.name = name;
  info.driverVersion = formatVersion(version);
  info.freeBytes = free;
  info.totalBytes = total;
  info.chip = "sm_" +
              std::to_string(
                  getAttribute(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR)) +
              std::to_string(
                  getAttribute(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR));
  auto get = [&](CUdevice_attribute attribute) {
    return static_cast<uint32_t>(getAttribute(attribute));
  };
  info.multiprocessors = get(CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT);
  info.warpSize = get(CU_DEVICE_ATTRIBUTE_WARP_SIZE);
  info.maxThreadsPerBlock = get(CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK);
  info.maxBlock = {get(CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_X),
                   get(CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Y),
                   get(CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Z)};
  info.maxGrid = {get(CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_X),
                  get(CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Y),
                  get(CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Z)};
  info.maxSharedBytes =
      get(CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN);
  info.l2Bytes = get(CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE);
  info.clockKHz = get(CU_DEVICE_ATTRIBUTE_CLOCK_RATE);
  info.memoryClockKHz = get(CU_DEVICE_ATTRIBUTE_MEMORY_CLOCK_RATE);
  info.memoryBusBits = get(CU_DEVICE_ATTRIBUTE_GLOBAL_MEMORY_BUS_WIDTH);
  description = info;
  return "";
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
  Scope scope(*this);
  RelaxedCapture relaxed(*this);
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
  if (driver.cuCtxPushCurrent_v2(context) != CUDA_SUCCESS)
    return;
  CUresult result = driver.cuModuleUnload(static_cast<CUmodule>(module));
  CUcontext popped = nullptr;
  driver.cuCtxPopCurrent_v2(&popped);
  if (result != CUDA_ERROR_DEINITIALIZED &&
      result != CUDA_ERROR_CONTEXT_IS_DESTROYED)
    driver.check(result, "cuModuleUnload");
}

void *CudaBackend::getFunction(void *module, const char *name) {
  Scope scope(*this);
  RelaxedCapture relaxed(*this);
  CUfunction function = nullptr;
  driver.check(driver.cuModuleGetFunction(&function,
                                          static_cast<CUmodule>(module), name),
               "cuModuleGetFunction", name);
  return function;
}

KernelInfo CudaBackend::getKernelInfo(void *function, const char *name) {
  Scope scope(*this);
  RelaxedCapture relaxed(*this);
  auto get = [&](CUfunction_attribute attribute) {
    int value = 0;
    driver.check(driver.cuFuncGetAttribute(&value, attribute,
                                           static_cast<CUfunction>(function)),
                 "cuFuncGetAttribute", name);
    return static_cast<uint32_t>(value);
  };
  KernelInfo info;
  info.maxThreadsPerBlock = get(CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK);
  info.registers = get(CU_FUNC_ATTRIBUTE_NUM_REGS);
  info.staticSharedBytes = get(CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES);
  info.localBytes = get(CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES);
  return info;
}

void CudaBackend::setMaxDynamicSharedBytes(void *function, const char *name,
                                           uint32_t bytes) {
  Scope scope(*this);
  RelaxedCapture relaxed(*this);
  driver.check(
      driver.cuFuncSetAttribute(static_cast<CUfunction>(function),
                                CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES,
                                static_cast<int>(bytes)),
      "cuFuncSetAttribute", name);
}

//===----------------------------------------------------------------------===//
// Launches
//===----------------------------------------------------------------------===//

void CudaBackend::launch(void *function, const char *name,
                         const LaunchConfig &config) {
  Scope scope(*this);
  auto *kernel = static_cast<CUfunction>(function);
  if (config.cluster.count() > 1) {
    launchClusters(kernel, name, config);
    return;
  }
  Dim3 grid = config.grid, block = config.block;
  driver.check(driver.cuLaunchKernel(kernel, grid.x, grid.y, grid.z, block.x,
                                     block.y, block.z,
                                     config.dynamicSharedBytes,
                                     static_cast<CUstream>(config.stream),
                                     config.params, config.extra),
               "cuLaunchKernel", name);
}

void CudaBackend::launchClusters(CUfunction kernel, const char *name,
                                 const LaunchConfig &config) {
  if (!driver.cuLaunchKernelEx)
    fail(std::string("launch of kernel '") + name +
         "' in clusters: expected a driver for CUDA 11.8 or newer, got one for "
         "CUDA " +
         description.driverVersion);
  // More than any device has, unless it is asked.
  constexpr uint64_t portable = 8;
  if (config.cluster.count() > portable) {
    RelaxedCapture relaxed(*this);
    driver.check(
        driver.cuFuncSetAttribute(
            kernel, CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED, 1),
        "cuFuncSetAttribute", name);
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
  driver.check(
      driver.cuLaunchKernelEx(&launch, kernel, config.params, config.extra),
      "cuLaunchKernelEx", name);
}

void CudaBackend::encodeTensorMap(void *map, const TensorMapRequest &request) {
  if (!driver.cuTensorMapEncodeTiled)
    fail(
        "mgpuTensorMapEncodeTiled: expected a driver for CUDA 12 or newer, got "
        "one for CUDA " +
        description.driverVersion);
  Scope scope(*this);
  driver.check(driver.cuTensorMapEncodeTiled(
                   static_cast<CUtensorMap *>(map),
                   static_cast<CUtensorMapDataType>(request.dataType),
                   request.rank, request.address, request.extents,
                   request.strides, request.box, request.elementStrides,
                   static_cast<CUtensorMapInterleave>(request.interleave),
                   static_cast<CUtensorMapSwizzle>(request.swizzle),
                   static_cast<CUtensorMapL2promotion>(request.l2Promotion),
                   static_cast<CUtensorMapFloatOOBfill>(request.oobFill)),
               "cuTensorMapEncodeTiled");
}
