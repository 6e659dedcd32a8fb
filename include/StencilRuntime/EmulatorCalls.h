//===- EmulatorCalls.h - What kernels call in the emulator --------*- C++
//-*-===//
//
// Made by the conversion to the emulator, implemented in runtime/emulator. The
// last argument, `location`, is the place of the op as text. Values whose type
// an op leaves open are passed in memory. Masks name lanes, the lowest bit lane
// 0; a lane that the block does not have is ignored.
//
//===----------------------------------------------------------------------===//

#ifndef STENCILRUNTIME_EMULATORCALLS_H
#define STENCILRUNTIME_EMULATORCALLS_H

#include <cstdint>

namespace stencil::runtime {

/// What a thread can ask about itself; three numbers (x, y, z) for the first
/// four, so that `Thread + 1` is the y of the thread.
enum class EmulatorId : int32_t {
  Thread = 0,
  Block = 3,
  BlockSize = 6,
  GridSize = 9,
  Lane = 12,
  Warp = 13,
  NumWarps = 14,
  WarpSize = 15,
};

/// Bits of the kind of an access.
enum EmulatorAccess : int32_t {
  AccessWrite = 1,
  AccessAtomic = 2,
  /// Of a vector: part of it may be uninitialised.
  AccessVector = 4,
};

enum class EmulatorShuffle : int32_t { Xor, Down, Up, Idx, Rotate };
/// The numbers are those of NVVM::VoteSyncKind.
enum class EmulatorVote : int32_t { Any, All, Ballot, Uni };

} // namespace stencil::runtime

extern "C" {
int64_t stencilEmulatorId(int32_t which);

// Memory.
void *stencilEmulatorSharedArray(int32_t number);
void *stencilEmulatorDynamicShared();
int64_t stencilEmulatorDynamicSharedBytes();
/// Called before each access. `alignment` is what the access promises.
void stencilEmulatorCheck(const void *address, int64_t bytes, int64_t alignment,
                          int32_t access, const char *location);

// Barriers of the block. `threads` 0: all.
void stencilEmulatorBarrier(const char *location);
void stencilEmulatorNamedBarrier(int32_t id, int32_t threads, int32_t waits,
                                 const char *location);

// Operations of a warp.
/// gpu.shuffle, gpu.rotate; replaces the value, returns whether it is valid.
int32_t stencilEmulatorShuffle(void *value, int64_t bytes, int32_t offset,
                               int32_t width, int32_t mode,
                               const char *location);
/// shfl.sync of 32 bits.
int32_t stencilEmulatorShuffleSync(int64_t mask, void *value, int32_t offset,
                                   int32_t maskAndClamp, int32_t mode,
                                   const char *location);
int64_t stencilEmulatorVote(int64_t mask, int32_t predicate, int32_t kind,
                            const char *location);
int64_t stencilEmulatorMatch(int64_t mask, int64_t value, int32_t all,
                             const char *location);
int32_t stencilEmulatorRedux(int64_t mask, int32_t value, int32_t kind,
                             const char *location);
int32_t stencilEmulatorElect(int64_t mask, const char *location);
void stencilEmulatorSyncWarp(int64_t mask, const char *location);
}

#endif // STENCILRUNTIME_EMULATORCALLS_H
