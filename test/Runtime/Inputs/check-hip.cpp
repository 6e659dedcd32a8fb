// Our declarations of HIP, next to those of hip_runtime_api.h.
#include "runtime/hip/HipTypes.h"

namespace ours = stencil::runtime::hip;

#define __HIP_PLATFORM_AMD__
#include <hip/hip_runtime_api.h>

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
SAME_VALUE(hipMemcpyDefault)

// Those that CUDA has, too; some of HIP's are macros.
#define SHARED_VALUE(ours, theirs)                                             \
  static_assert(stencil::runtime::ours == unsigned(theirs), #theirs);
SHARED_VALUE(kAttachGlobal, hipMemAttachGlobal)
SHARED_VALUE(kNonBlocking, hipStreamNonBlocking)
SHARED_VALUE(kWithTiming, hipEventDefault)
SHARED_VALUE(kWithoutTiming, hipEventDisableTiming)
SHARED_VALUE(kNotCapturing, hipStreamCaptureStatusNone)
SHARED_VALUE(kCaptureThreadLocal, hipStreamCaptureModeThreadLocal)
SHARED_VALUE(kCaptureRelaxed, hipStreamCaptureModeRelaxed)
SHARED_VALUE(kFunctionMaxThreads, HIP_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK)
SHARED_VALUE(kFunctionSharedBytes, HIP_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES)
SHARED_VALUE(kFunctionLocalBytes, HIP_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES)
SHARED_VALUE(kFunctionRegisters, HIP_FUNC_ATTRIBUTE_NUM_REGS)
SHARED_VALUE(kPointerMemoryType, HIP_POINTER_ATTRIBUTE_MEMORY_TYPE)
SHARED_VALUE(kPointerDevice, HIP_POINTER_ATTRIBUTE_DEVICE_ORDINAL)
