// Our declarations of the CUDA driver, next to those of cuda.h.
#include <cuda.h>

#include "runtime/cuda/CudaTypes.h"

#include <cstddef>
#include <type_traits>

namespace ours = stencil::runtime::cuda;

// Functions, in terms of cuda.h's types. Its macros turn a name into that of
// the version that it declares, which has to be the one we look for.
#define CUDA_FUNCTION(name, ...)                                               \
  static_assert(std::is_same_v<decltype(&::name), CUresult (*)(__VA_ARGS__)>,  \
                #name);
#include "runtime/cuda/CudaFunctions.def"

// Types.
#define SAME_LAYOUT(type)                                                      \
  static_assert(sizeof(ours::type) == sizeof(::type), #type);                  \
  static_assert(alignof(ours::type) == alignof(::type), #type);
SAME_LAYOUT(CUresult)
SAME_LAYOUT(CUdevice)
SAME_LAYOUT(CUdeviceptr)
SAME_LAYOUT(CUdevice_attribute)
SAME_LAYOUT(CUfunction_attribute)
SAME_LAYOUT(CUjit_option)
SAME_LAYOUT(CUstreamCaptureMode)
SAME_LAYOUT(CUstreamCaptureStatus)
SAME_LAYOUT(CUpointer_attribute)
SAME_LAYOUT(CUDA_MEMCPY2D)
SAME_LAYOUT(CUlaunchAttribute)
SAME_LAYOUT(CUlaunchConfig)
SAME_LAYOUT(CUtensorMapDataType)

// CUDA 13 aligns it more than CUDA 12.
static_assert(sizeof(ours::CUtensorMap) == sizeof(::CUtensorMap));
static_assert(alignof(ours::CUtensorMap) >= alignof(::CUtensorMap));

#define SAME_OFFSET(type, member)                                              \
  static_assert(offsetof(ours::type, member) == offsetof(::type, member),      \
                #type "::" #member);
SAME_OFFSET(CUDA_MEMCPY2D, srcXInBytes)
SAME_OFFSET(CUDA_MEMCPY2D, srcY)
SAME_OFFSET(CUDA_MEMCPY2D, srcMemoryType)
SAME_OFFSET(CUDA_MEMCPY2D, srcHost)
SAME_OFFSET(CUDA_MEMCPY2D, srcDevice)
SAME_OFFSET(CUDA_MEMCPY2D, srcArray)
SAME_OFFSET(CUDA_MEMCPY2D, srcPitch)
SAME_OFFSET(CUDA_MEMCPY2D, dstXInBytes)
SAME_OFFSET(CUDA_MEMCPY2D, dstY)
SAME_OFFSET(CUDA_MEMCPY2D, dstMemoryType)
SAME_OFFSET(CUDA_MEMCPY2D, dstHost)
SAME_OFFSET(CUDA_MEMCPY2D, dstDevice)
SAME_OFFSET(CUDA_MEMCPY2D, dstArray)
SAME_OFFSET(CUDA_MEMCPY2D, dstPitch)
SAME_OFFSET(CUDA_MEMCPY2D, WidthInBytes)
SAME_OFFSET(CUDA_MEMCPY2D, Height)
SAME_OFFSET(CUlaunchConfig, gridDimX)
SAME_OFFSET(CUlaunchConfig, gridDimY)
SAME_OFFSET(CUlaunchConfig, gridDimZ)
SAME_OFFSET(CUlaunchConfig, blockDimX)
SAME_OFFSET(CUlaunchConfig, blockDimY)
SAME_OFFSET(CUlaunchConfig, blockDimZ)
SAME_OFFSET(CUlaunchConfig, sharedMemBytes)
SAME_OFFSET(CUlaunchConfig, hStream)
SAME_OFFSET(CUlaunchConfig, attrs)
SAME_OFFSET(CUlaunchConfig, numAttrs)
SAME_OFFSET(CUlaunchAttribute, id)
SAME_OFFSET(CUlaunchAttribute, value)
SAME_OFFSET(CUlaunchAttributeValue, clusterDim.x)
SAME_OFFSET(CUlaunchAttributeValue, clusterDim.y)
SAME_OFFSET(CUlaunchAttributeValue, clusterDim.z)

// Values.
#define SAME_VALUE(name)                                                       \
  static_assert(unsigned(ours::name) == unsigned(::name), #name);
SAME_VALUE(CUDA_SUCCESS)
SAME_VALUE(CUDA_ERROR_INVALID_VALUE)
SAME_VALUE(CUDA_ERROR_OUT_OF_MEMORY)
SAME_VALUE(CUDA_ERROR_DEINITIALIZED)
SAME_VALUE(CUDA_ERROR_STUB_LIBRARY)
SAME_VALUE(CUDA_ERROR_NO_DEVICE)
SAME_VALUE(CUDA_ERROR_INVALID_PTX)
SAME_VALUE(CUDA_ERROR_NOT_FOUND)
SAME_VALUE(CUDA_ERROR_NOT_READY)
SAME_VALUE(CUDA_ERROR_CONTEXT_IS_DESTROYED)
SAME_VALUE(CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK)
SAME_VALUE(CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_X)
SAME_VALUE(CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Y)
SAME_VALUE(CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Z)
SAME_VALUE(CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_X)
SAME_VALUE(CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Y)
SAME_VALUE(CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Z)
SAME_VALUE(CU_DEVICE_ATTRIBUTE_WARP_SIZE)
SAME_VALUE(CU_DEVICE_ATTRIBUTE_MAX_PITCH)
SAME_VALUE(CU_DEVICE_ATTRIBUTE_CLOCK_RATE)
SAME_VALUE(CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT)
SAME_VALUE(CU_DEVICE_ATTRIBUTE_MEMORY_CLOCK_RATE)
SAME_VALUE(CU_DEVICE_ATTRIBUTE_GLOBAL_MEMORY_BUS_WIDTH)
SAME_VALUE(CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE)
SAME_VALUE(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR)
SAME_VALUE(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR)
SAME_VALUE(CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN)
SAME_VALUE(CU_DEVICE_ATTRIBUTE_MEMORY_POOLS_SUPPORTED)
SAME_VALUE(CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES)
SAME_VALUE(CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED)
SAME_VALUE(CU_JIT_ERROR_LOG_BUFFER)
SAME_VALUE(CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES)
SAME_VALUE(CU_JIT_OPTIMIZATION_LEVEL)
SAME_VALUE(CU_POINTER_ATTRIBUTE_IS_MANAGED)
SAME_VALUE(CU_MEMORYTYPE_HOST)
SAME_VALUE(CU_MEMORYTYPE_DEVICE)
SAME_VALUE(CU_MEMORYTYPE_UNIFIED)
SAME_VALUE(CU_LAUNCH_ATTRIBUTE_IGNORE)
SAME_VALUE(CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION)

// Those that HIP has, too.
#define SHARED_VALUE(ours, theirs)                                             \
  static_assert(stencil::runtime::ours == unsigned(::theirs), #theirs);
SHARED_VALUE(kAttachGlobal, CU_MEM_ATTACH_GLOBAL)
SHARED_VALUE(kNonBlocking, CU_STREAM_NON_BLOCKING)
SHARED_VALUE(kWithTiming, CU_EVENT_DEFAULT)
SHARED_VALUE(kWithoutTiming, CU_EVENT_DISABLE_TIMING)
SHARED_VALUE(kNotCapturing, CU_STREAM_CAPTURE_STATUS_NONE)
SHARED_VALUE(kCaptureThreadLocal, CU_STREAM_CAPTURE_MODE_THREAD_LOCAL)
SHARED_VALUE(kCaptureRelaxed, CU_STREAM_CAPTURE_MODE_RELAXED)
SHARED_VALUE(kFunctionMaxThreads, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK)
SHARED_VALUE(kFunctionSharedBytes, CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES)
SHARED_VALUE(kFunctionLocalBytes, CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES)
SHARED_VALUE(kFunctionRegisters, CU_FUNC_ATTRIBUTE_NUM_REGS)
SHARED_VALUE(kPointerMemoryType, CU_POINTER_ATTRIBUTE_MEMORY_TYPE)
SHARED_VALUE(kPointerDevice, CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL)
