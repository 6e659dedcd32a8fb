//===- HipTypes.h - The part of HIP's headers that is needed ----*- C++ -*-===//
//
// The runtime is built where there is no ROCm. Values are those of HIP 5 to 7;
// a test compares them with the headers where there are some. What CUDA has,
// too, is in common/DriverNumbers.h.
//
//===----------------------------------------------------------------------===//

#ifndef STENCIL_RUNTIME_HIP_HIPTYPES_H
#define STENCIL_RUNTIME_HIP_HIPTYPES_H

#include "../common/DriverNumbers.h"

#include <cstddef>

namespace stencil::runtime::hip {

// NOLINTBEGIN(readability-identifier-naming): HIP's names.

using hipDevice_t = int;
using hipDeviceptr_t = void *;
using hipModule_t = struct HipMod *;
using hipFunction_t = struct HipFunc *;
using hipStream_t = struct HipStr *;
using hipEvent_t = struct HipEv *;
using hipGraph_t = struct HipGr *;
using hipGraphNode_t = struct HipNode *;
using hipGraphExec_t = struct HipGrExec *;

enum hipError_t : unsigned {
  hipSuccess = 0,
  hipErrorInvalidValue = 1,
  hipErrorOutOfMemory = 2,
  hipErrorDeinitialized = 4,
  hipErrorNoDevice = 100,
  hipErrorInvalidDevice = 101,
  hipErrorNotReady = 600,
  hipErrorContextIsDestroyed = 709,
};

enum hipDeviceAttribute_t : unsigned {
  hipDeviceAttributeClockRate = 5,
  hipDeviceAttributeL2CacheSize = 19,
  hipDeviceAttributeMaxBlockDimX = 26,
  hipDeviceAttributeMaxBlockDimY = 27,
  hipDeviceAttributeMaxBlockDimZ = 28,
  hipDeviceAttributeMaxGridDimX = 29,
  hipDeviceAttributeMaxGridDimY = 30,
  hipDeviceAttributeMaxGridDimZ = 31,
  hipDeviceAttributeMaxThreadsPerBlock = 56,
  hipDeviceAttributeMaxPitch = 58,
  hipDeviceAttributeMemoryBusWidth = 59,
  hipDeviceAttributeMemoryClockRate = 60,
  hipDeviceAttributeMultiprocessorCount = 63,
  hipDeviceAttributeMaxSharedMemoryPerBlock = 74,
  hipDeviceAttributeWarpSize = 87,
  hipDeviceAttributeMemoryPoolsSupported = 88,
};

enum hipFunction_attribute : unsigned {};
enum hipMemcpyKind : unsigned { hipMemcpyDefault = 4 };
enum hipStreamCaptureMode : unsigned {};
enum hipStreamCaptureStatus : unsigned {};
enum hipPointer_attribute : unsigned {};

// NOLINTEND(readability-identifier-naming)

} // namespace stencil::runtime::hip

#endif // STENCIL_RUNTIME_HIP_HIPTYPES_H
