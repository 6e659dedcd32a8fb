// Our declarations of HIP, next to those of hip_runtime_api.h; ours first,
// because some of HIP's are macros.
#include "runtime/hip/HipTypes.h"

namespace ours = stencil::runtime::hip;

static constexpr unsigned streamNonBlocking = ours::hipStreamNonBlocking;
static constexpr unsigned eventDefault = ours::hipEventDefault;
static constexpr unsigned eventDisableTiming = ours::hipEventDisableTiming;
static constexpr unsigned memAttachGlobal = ours::hipMemAttachGlobal;

#define __HIP_PLATFORM_AMD__
#include <hip/hip_runtime_api.h>

static_assert(streamNonBlocking == hipStreamNonBlocking);
static_assert(eventDefault == hipEventDefault);
static_assert(eventDisableTiming == hipEventDisableTiming);
static_assert(memAttachGlobal == hipMemAttachGlobal);

// Functions, in terms of HIP's types. Some have overloads for C++.
#define HIP_FUNCTION(name, ...)                                                \
  using check_##name =                                                         \
      decltype(static_cast<hipError_t (*)(__VA_ARGS__)>(&::name));
#include "runtime/hip/HipFunctions.def"

// Values.
#define SAME_VALUE(name)                                                       \
  static_assert(unsigned(ours::name) == unsigned(::name), #name);
SAME_VALUE(hipSuccess)
SAME_VALUE(hipErrorInvalidValue)
SAME_VALUE(hipErrorOutOfMemory)
SAME_VALUE(hipErrorDeinitialized)
SAME_VALUE(hipErrorNoDevice)
SAME_VALUE(hipErrorInvalidDevice)
SAME_VALUE(hipErrorNotReady)
SAME_VALUE(hipErrorContextIsDestroyed)
SAME_VALUE(hipDeviceAttributeClockRate)
SAME_VALUE(hipDeviceAttributeL2CacheSize)
SAME_VALUE(hipDeviceAttributeMaxBlockDimX)
SAME_VALUE(hipDeviceAttributeMaxBlockDimY)
SAME_VALUE(hipDeviceAttributeMaxBlockDimZ)
SAME_VALUE(hipDeviceAttributeMaxGridDimX)
SAME_VALUE(hipDeviceAttributeMaxGridDimY)
SAME_VALUE(hipDeviceAttributeMaxGridDimZ)
SAME_VALUE(hipDeviceAttributeMaxThreadsPerBlock)
SAME_VALUE(hipDeviceAttributeMaxPitch)
SAME_VALUE(hipDeviceAttributeMemoryBusWidth)
SAME_VALUE(hipDeviceAttributeMemoryClockRate)
SAME_VALUE(hipDeviceAttributeMultiprocessorCount)
SAME_VALUE(hipDeviceAttributeMaxSharedMemoryPerBlock)
SAME_VALUE(hipDeviceAttributeWarpSize)
SAME_VALUE(hipDeviceAttributeMemoryPoolsSupported)
SAME_VALUE(HIP_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK)
SAME_VALUE(HIP_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES)
SAME_VALUE(HIP_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES)
SAME_VALUE(HIP_FUNC_ATTRIBUTE_NUM_REGS)
SAME_VALUE(hipMemcpyDefault)
SAME_VALUE(HIP_POINTER_ATTRIBUTE_MEMORY_TYPE)
SAME_VALUE(HIP_POINTER_ATTRIBUTE_DEVICE_ORDINAL)
SAME_VALUE(hipStreamCaptureStatusNone)
SAME_VALUE(hipStreamCaptureModeThreadLocal)
SAME_VALUE(hipStreamCaptureModeRelaxed)
