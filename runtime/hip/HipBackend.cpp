//===- HipBackend.cpp - Devices and kernels of HIP ------------------------===//

#include "HipBackend.h"
#include "HipImage.h"

using namespace stencil::runtime;
using namespace stencil::runtime::hip;

std::unique_ptr<Backend> stencil::runtime::createHipBackend() {
  return std::make_unique<HipBackend>();
}

//===----------------------------------------------------------------------===//
// The device
//===----------------------------------------------------------------------===//

uint32_t HipBackend::getAttribute(hipDeviceAttribute_t attribute) const {
  int value = 0;
  if (driver.hipDeviceGetAttribute(&value, attribute, device) != hipSuccess)
    return 0;
  return static_cast<uint32_t>(value);
}

/// 60241134 stands for 6.2.41134.
static std::string formatVersion(int version) {
  return std::to_string(version / 10000000) + "." +
         std::to_string(version / 100000 % 100) + "." +
         std::to_string(version % 100000);
}

std::string HipBackend::initialize(int ordinal) {
  std::string problem = driver.load();
  if (!problem.empty())
    return problem;
  int count = 0;
  hipError_t result = driver.hipGetDeviceCount(&count);
  if (result != hipSuccess && result != hipErrorNoDevice)
    return describeError(driver.describe(result, "hipGetDeviceCount"));
  if (count == 0)
    return "no HIP device: the driver knows none";
  if (ordinal == kAnyDevice)
    if (hipError_t current = driver.hipGetDevice(&ordinal))
      return describeError(driver.describe(current, "hipGetDevice"));
  if (ordinal < 0 || ordinal >= count)
    return "expected a HIP device from 0 to " + std::to_string(count - 1) +
           ", got " + std::to_string(ordinal);
  device = ordinal;
  maxPitch = getAttribute(hipDeviceAttributeMaxPitch);
  hasPools = getAttribute(hipDeviceAttributeMemoryPoolsSupported) != 0;
  return "";
}

std::string HipBackend::describe(DeviceInfo &info) {
  auto explain = [&](hipError_t result, const char *call) {
    return describeError(driver.describe(result, call));
  };
  char name[256] = "";
  int version = 0;
  size_t free = 0, total = 0;
  if (hipError_t result =
          driver.hipDeviceGetName(name, sizeof(name) - 1, device))
    return explain(result, "hipDeviceGetName");
  if (hipError_t result = driver.hipRuntimeGetVersion(&version))
    return explain(result, "hipRuntimeGetVersion");
  {
    Scope scope(*this);
    if (hipError_t result = driver.hipMemGetInfo(&free, &total))
      return explain(result, "hipMemGetInfo");
  }
  info.name = name;
  info.chip = driver.getChip(device);
  info.driverVersion = formatVersion(version);
  majorVersion = version / 10000000;
  info.freeBytes = free;
  info.totalBytes = total;
  info.multiprocessors = getAttribute(hipDeviceAttributeMultiprocessorCount);
  info.warpSize = getAttribute(hipDeviceAttributeWarpSize);
  info.maxThreadsPerBlock = getAttribute(hipDeviceAttributeMaxThreadsPerBlock);
  info.maxBlock = {getAttribute(hipDeviceAttributeMaxBlockDimX),
                   getAttribute(hipDeviceAttributeMaxBlockDimY),
                   getAttribute(hipDeviceAttributeMaxBlockDimZ)};
  info.maxGrid = {getAttribute(hipDeviceAttributeMaxGridDimX),
                  getAttribute(hipDeviceAttributeMaxGridDimY),
                  getAttribute(hipDeviceAttributeMaxGridDimZ)};
  info.maxSharedBytes = getAttribute(hipDeviceAttributeMaxSharedMemoryPerBlock);
  info.l2Bytes = getAttribute(hipDeviceAttributeL2CacheSize);
  info.clockKHz = getAttribute(hipDeviceAttributeClockRate);
  info.memoryClockKHz = getAttribute(hipDeviceAttributeMemoryClockRate);
  info.memoryBusBits = getAttribute(hipDeviceAttributeMemoryBusWidth);
  description = info;
  return "";
}

//===----------------------------------------------------------------------===//
// Modules
//===----------------------------------------------------------------------===//

void *HipBackend::loadModule(const void *blob, size_t bytes, int) {
  std::string target = getTarget(blob, bytes);
  std::string where = "; the device is " + description.chip + " (" +
                      description.name + ", HIP " + description.driverVersion +
                      ")";
  if (!target.empty())
    where += ", the binary is for " + target;
  // Some versions of HIP abort instead of saying so.
  if (!target.empty() && !description.chip.empty() &&
      target != description.chip)
    fail("hipModuleLoadData: no code for this device" + where);

  Scope scope(*this);
  RelaxedCapture relaxed(*this);
  hipModule_t module = nullptr;
  hipError_t result = driver.hipModuleLoadData(&module, blob);
  if (result != hipSuccess)
    fail(describeError(driver.describe(result, "hipModuleLoadData")) + where);
  return module;
}

void HipBackend::unloadModule(void *module) {
  // Destructors run after HIP's own: then there is nothing left to unload.
  hipError_t result = driver.hipModuleUnload(static_cast<hipModule_t>(module));
  if (result != hipErrorDeinitialized && result != hipErrorContextIsDestroyed)
    driver.check(result, "hipModuleUnload");
}

void *HipBackend::getFunction(void *module, const char *name) {
  Scope scope(*this);
  RelaxedCapture relaxed(*this);
  hipFunction_t function = nullptr;
  driver.check(driver.hipModuleGetFunction(
                   &function, static_cast<hipModule_t>(module), name),
               "hipModuleGetFunction", name);
  return function;
}

KernelInfo HipBackend::getKernelInfo(void *function, const char *name) {
  Scope scope(*this);
  RelaxedCapture relaxed(*this);
  auto get = [&](hipFunction_attribute attribute) {
    int value = 0;
    driver.check(driver.hipFuncGetAttribute(
                     &value, attribute, static_cast<hipFunction_t>(function)),
                 "hipFuncGetAttribute", name);
    return static_cast<uint32_t>(value);
  };
  KernelInfo info;
  info.maxThreadsPerBlock = get(HIP_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK);
  info.registers = get(HIP_FUNC_ATTRIBUTE_NUM_REGS);
  info.staticSharedBytes = get(HIP_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES);
  info.localBytes = get(HIP_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES);
  return info;
}

void HipBackend::setMaxDynamicSharedBytes(void *, const char *, uint32_t) {
  // AMD's kernels may use all there is without asking.
}

void HipBackend::launch(void *function, const char *name,
                        const LaunchConfig &config) {
  if (config.cluster.count() > 1)
    fail(
        std::string("launch of kernel '") + name +
        "': expected a launch without clusters, which HIP devices do not have");
  Scope scope(*this);
  Dim3 grid = config.grid, block = config.block;
  driver.check(driver.hipModuleLaunchKernel(
                   static_cast<hipFunction_t>(function), grid.x, grid.y, grid.z,
                   block.x, block.y, block.z, config.dynamicSharedBytes,
                   static_cast<hipStream_t>(config.stream), config.params,
                   config.extra),
               "hipModuleLaunchKernel", name);
}
