//===- DriverNumbers.h - Numbers that HIP has from CUDA ---------*- C++ -*-===//

#ifndef STENCIL_RUNTIME_COMMON_DRIVERNUMBERS_H
#define STENCIL_RUNTIME_COMMON_DRIVERNUMBERS_H

namespace stencil::runtime {

// Tests compare them with the headers of both.
inline constexpr unsigned kAttachGlobal = 1, kNonBlocking = 1, kWithTiming = 0,
                          kWithoutTiming = 2;
inline constexpr unsigned kNotCapturing = 0, kCaptureThreadLocal = 1,
                          kCaptureRelaxed = 2;
inline constexpr unsigned kFunctionMaxThreads = 0, kFunctionSharedBytes = 1,
                          kFunctionLocalBytes = 3, kFunctionRegisters = 4;
inline constexpr unsigned kPointerMemoryType = 2, kPointerDevice = 9;

} // namespace stencil::runtime

#endif // STENCIL_RUNTIME_COMMON_DRIVERNUMBERS_H
