//===- EmulatorImage.h - Kernels compiled for the emulator --------*- C++
//-*-===//
//
// What the conversion to the emulator (lib/Conversion/GPUToEmulator) writes
// into a program, and what the emulator reads: the image that takes the place
// of a cubin or an HSACO. Both sides follow these structures.
//
//===----------------------------------------------------------------------===//

#ifndef STENCILRUNTIME_EMULATORIMAGE_H
#define STENCILRUNTIME_EMULATORIMAGE_H

#include <cstdint>

namespace stencil::runtime {

/// The first 16 bytes of an image, zero included.
inline constexpr char kEmulatorImageMagic[16] = "STENCILEMULATOR";
/// Changes with the structures and the functions of EmulatorCalls.h.
inline constexpr uint32_t kEmulatorVersion = 2;

/// An array in shared memory that a kernel declares.
struct EmulatorArray {
  uint64_t bytes;
  uint64_t alignment;
};

/// Runs one thread, whose identity the emulator keeps. A parameter is the
/// address of the argument: a bare pointer for a memref, 64 bits for an index.
using EmulatorEntry = void (*)(void **params);

struct EmulatorKernel {
  const char *name;
  EmulatorEntry entry;
  const EmulatorArray *arrays;
  const uint64_t *paramBytes;
  uint32_t numArrays;
  uint32_t numParams;
  /// Not zero if threads wait for each other: each then gets a stack.
  uint32_t usesFibers;
  uint32_t reserved;
};

struct EmulatorImage {
  char magic[16];
  uint32_t version;
  /// Lanes of a warp: 32 or 64.
  uint32_t warpSize;
  /// Limits of the chip: threads of a block; bytes of shared memory.
  uint64_t maxThreads;
  uint64_t maxSharedBytes;
  const EmulatorKernel *kernels;
  uint64_t numKernels;
};

} // namespace stencil::runtime

#endif // STENCILRUNTIME_EMULATORIMAGE_H
