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

/// 60241134 stands for 6.2.41134.
static std::string formatVersion(int version) {
  return std::to_string(version / 10000000) + "." +
         std::to_string(version / 100000 % 100) + "." +
         std::to_string(version % 100000);
}

void HipBackend::describeDevice(DeviceInfo &info, int version) {
  info.chip = driver.getChip();
  info.driverVersion = formatVersion(version);
  majorVersion = version / 10000000;
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

  Scope scope(driver);
  RelaxedCapture relaxed(driver);
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

void HipBackend::launchClusters(void *, const char *name,
                                const LaunchConfig &) {
  fail(std::string("launch of kernel '") + name +
       "': expected a launch without clusters, which HIP devices do not have");
}

//===----------------------------------------------------------------------===//
// Memory and graphs
//===----------------------------------------------------------------------===//

// HIP 6 has renumbered the types of memory: host 0, device 1, managed 4 before,
// unknown 0, host 1, device 2, managed 3 since.
bool HipBackend::isInDevice(unsigned type) const {
  return type == (majorVersion >= 6 ? 2 : 1);
}

bool HipBackend::isManaged(unsigned type, const void *) const {
  return type == (majorVersion >= 6 ? 3 : 4);
}

void HipBackend::copy(void *dst, const void *src, uint64_t bytes,
                      void *stream) {
  call(driver.hipMemcpyAsync, dst, src, bytes, hipMemcpyDefault, stream);
}

void HipBackend::copy2D(void *dst, uint64_t dstPitch, const void *src,
                        uint64_t srcPitch, uint64_t width, uint64_t rows,
                        void *stream) {
  call(driver.hipMemcpy2DAsync, dst, dstPitch, src, srcPitch, width, rows,
       hipMemcpyDefault, stream);
}

void *HipBackend::instantiate(hipGraph_t graph) {
  hipGraphNode_t *noError = nullptr;
  char *noLog = nullptr;
  return driver.get(driver.hipGraphInstantiate, graph, noError, noLog,
                    /*bufferSize=*/0);
}
