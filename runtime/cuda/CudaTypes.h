//===- CudaTypes.h - The part of cuda.h that the runtime needs --*- C++ -*-===//
//
// The runtime is built where there is no CUDA toolkit. Names, values and
// layouts are those of the driver's interface, which is stable; a test compares
// them with cuda.h where there is one. What HIP has, too, is in
// common/DriverNumbers.h.
//
//===----------------------------------------------------------------------===//

#ifndef STENCIL_RUNTIME_CUDA_CUDATYPES_H
#define STENCIL_RUNTIME_CUDA_CUDATYPES_H

#include "../common/DriverNumbers.h"

#include <cstddef>
#include <cstdint>

namespace stencil::runtime::cuda {

// The driver's names and structures.
// NOLINTBEGIN(readability-identifier-naming,bugprone-tagged-union-member-count)

using CUdevice = int;
using CUdeviceptr = unsigned long long;
using cuuint32_t = uint32_t;
using cuuint64_t = uint64_t;

using CUcontext = struct CUctx *;
using CUmodule = struct CUmod *;
using CUfunction = struct CUfunc *;
using CUstream = struct CUstr *;
using CUevent = struct CUev *;
using CUgraph = struct CUgr *;
using CUgraphExec = struct CUgrExec *;
using CUarray = struct CUarr *;

enum CUresult : unsigned {
  CUDA_SUCCESS = 0,
  CUDA_ERROR_INVALID_VALUE = 1,
  CUDA_ERROR_OUT_OF_MEMORY = 2,
  CUDA_ERROR_DEINITIALIZED = 4,
  CUDA_ERROR_STUB_LIBRARY = 34,
  CUDA_ERROR_NO_DEVICE = 100,
  CUDA_ERROR_INVALID_IMAGE = 200,
  CUDA_ERROR_NO_BINARY_FOR_GPU = 209,
  CUDA_ERROR_INVALID_PTX = 218,
  CUDA_ERROR_UNSUPPORTED_PTX_VERSION = 222,
  CUDA_ERROR_NOT_FOUND = 500,
  CUDA_ERROR_NOT_READY = 600,
  CUDA_ERROR_CONTEXT_IS_DESTROYED = 709,
};

enum CUdevice_attribute : unsigned {
  CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK = 1,
  CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_X = 2,
  CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Y = 3,
  CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Z = 4,
  CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_X = 5,
  CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Y = 6,
  CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Z = 7,
  CU_DEVICE_ATTRIBUTE_WARP_SIZE = 10,
  CU_DEVICE_ATTRIBUTE_MAX_PITCH = 11,
  CU_DEVICE_ATTRIBUTE_CLOCK_RATE = 13,
  CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT = 16,
  CU_DEVICE_ATTRIBUTE_MEMORY_CLOCK_RATE = 36,
  CU_DEVICE_ATTRIBUTE_GLOBAL_MEMORY_BUS_WIDTH = 37,
  CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE = 38,
  CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR = 75,
  CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR = 76,
  CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN = 97,
  CU_DEVICE_ATTRIBUTE_MEMORY_POOLS_SUPPORTED = 115,
};

enum CUfunction_attribute : unsigned {
  CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES = 8,
  CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED = 14,
};

enum CUjit_option : unsigned {
  CU_JIT_ERROR_LOG_BUFFER = 5,
  CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES = 6,
  CU_JIT_OPTIMIZATION_LEVEL = 7,
};

enum CUstreamCaptureMode : unsigned {};
enum CUstreamCaptureStatus : unsigned {};

enum CUpointer_attribute : unsigned { CU_POINTER_ATTRIBUTE_IS_MANAGED = 8 };

inline constexpr unsigned long long
    CUDA_GRAPH_INSTANTIATE_FLAG_USE_NODE_PRIORITY = 8;

using CUmemorytype = unsigned;
inline constexpr CUmemorytype CU_MEMORYTYPE_HOST = 1;
inline constexpr CUmemorytype CU_MEMORYTYPE_DEVICE = 2;
inline constexpr CUmemorytype CU_MEMORYTYPE_UNIFIED = 4;

struct CUDA_MEMCPY2D {
  size_t srcXInBytes, srcY;
  CUmemorytype srcMemoryType;
  const void *srcHost;
  CUdeviceptr srcDevice;
  CUarray srcArray;
  size_t srcPitch;
  size_t dstXInBytes, dstY;
  CUmemorytype dstMemoryType;
  void *dstHost;
  CUdeviceptr dstDevice;
  CUarray dstArray;
  size_t dstPitch;
  size_t WidthInBytes, Height;
};

enum CUlaunchAttributeID : unsigned {
  CU_LAUNCH_ATTRIBUTE_IGNORE = 0,
  CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION = 4,
};

union alignas(8) CUlaunchAttributeValue {
  char pad[64];
  struct {
    unsigned x, y, z;
  } clusterDim;
};

struct CUlaunchAttribute {
  CUlaunchAttributeID id;
  char pad[8 - sizeof(CUlaunchAttributeID)];
  CUlaunchAttributeValue value;
};

struct CUlaunchConfig {
  unsigned gridDimX, gridDimY, gridDimZ;
  unsigned blockDimX, blockDimY, blockDimZ;
  unsigned sharedMemBytes;
  CUstream hStream;
  CUlaunchAttribute *attrs;
  unsigned numAttrs;
};

struct alignas(128) CUtensorMap {
  cuuint64_t opaque[16];
};

// Their values come from the program.
enum CUtensorMapDataType : unsigned {};
enum CUtensorMapInterleave : unsigned {};
enum CUtensorMapSwizzle : unsigned {};
enum CUtensorMapL2promotion : unsigned {};
enum CUtensorMapFloatOOBfill : unsigned {};

// NOLINTEND(readability-identifier-naming,bugprone-tagged-union-member-count)

} // namespace stencil::runtime::cuda

#endif // STENCIL_RUNTIME_CUDA_CUDATYPES_H
