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
  /// Of a copy: what has no value has none afterwards.
  AccessCopy = 8,
  /// Of an atomic write: it also reads.
  AccessRead = 16,
  /// Of an atomic operation: orders what follows a read, what precedes a write;
  /// for threads of the block only.
  AccessAcquire = 32,
  AccessRelease = 64,
  AccessBlockScope = 128,
};

/// Of the factors of a matrix instruction.
enum class EmulatorElement : int32_t { F64, TF32, F16, BF16, S8, F32, S32 };

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
/// Whether some of the bytes, which have been checked, have a value.
int32_t stencilEmulatorHasValue(const void *address, int64_t bytes);
/// The bytes just written have a value only if those had that they come from.
void stencilEmulatorMoveValue(const void *address, int64_t bytes,
                              int32_t hasValue);

// Barriers of the block. `threads` 0: all.
void stencilEmulatorBarrier(const char *location);
void stencilEmulatorNamedBarrier(int32_t id, int32_t threads, int32_t waits,
                                 const char *location);

// Fences. `scope` is 0 for the block, 1 for the device.
void stencilEmulatorFence(int32_t scope, const char *location);
/// fence.proxy.async, for these kinds of memory.
void stencilEmulatorFenceProxy(int32_t shared, int32_t global,
                               const char *location);
void stencilEmulatorFenceMBarrierInit(const char *location);

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

// Matrix instructions: D = A B + C, on fragments as the instruction's manual
// has them. `c` is replaced by the result.
/// mma.sync.mMnNkK.row.col; `element` of A and B, `accumulator` of C and D.
void stencilEmulatorMma(int32_t m, int32_t n, int32_t k, int32_t element,
                        int32_t accumulator, const void *a, const void *b,
                        void *c, const char *location);
/// v_mfma_f64_MxNxK, or v_mfma_f32_16x16x16 of f16 or bf16, or 16x16x8 of TF32:
/// `element` of A and B. A, B, C are negated for bits 0, 1, 2 of `negate`.
void stencilEmulatorMfma(int32_t m, int32_t n, int32_t k, int32_t blocks,
                         int32_t element, int32_t negate, const void *a,
                         const void *b, void *c, const char *location);
/// ldmatrix of 1, 2 or 4 matrices of 8 x 8 elements of 16 bits.
void stencilEmulatorLdMatrix(const void *row, void *result, int32_t matrices,
                             int32_t transpose, const char *location);

// Copies from global to shared memory that are complete when they are waited
// for: cp.async, its groups.
void stencilEmulatorAsyncCopy(void *target, const void *source, int64_t bytes,
                              int64_t sourceBytes, const char *location);
void stencilEmulatorAsyncCommit();
void stencilEmulatorAsyncWait(int32_t groups, const char *location);

// Barriers in shared memory (mbarrier).
void stencilEmulatorMBarrierInit(void *barrier, int32_t count,
                                 const char *location);
/// Returns the number of the phase that the arrival belongs to. `count`
/// arrivals, and `bytes` that copies are expected to bring.
int64_t stencilEmulatorMBarrierArrive(void *barrier, int32_t count,
                                      int64_t bytes, const char *location);
/// Waits for the end of phase `phase` (or, `isParity`, of the phases of this
/// parity); or only returns if it is over, unless `waits`.
int32_t stencilEmulatorMBarrierWait(void *barrier, int64_t phase,
                                    int32_t isParity, int32_t waits,
                                    const char *location);

// Copies of boxes of tensors (TMA). `map` is made by encodeTensorMap;
// coordinates are fastest first.
void stencilEmulatorTmaLoad(void *target, const void *map, void *barrier,
                            const int64_t *coordinates, int32_t rank,
                            const char *location);
void stencilEmulatorTmaStore(const void *source, const void *map,
                             const int64_t *coordinates, int32_t rank,
                             const char *location);
void stencilEmulatorBulkCommit();
/// `isRead`: only until the tiles have been read.
void stencilEmulatorBulkWait(int32_t groups, int32_t isRead,
                             const char *location);
}

#endif // STENCILRUNTIME_EMULATORCALLS_H
