/*===- Runtime.h - What compiled programs call ----------------------*- C
-*-===*\
|*
|* MLIR's names (mgpu*) with MLIR's meaning, and ours (stencil*). Programs made
by
|* the compiler declare them for themselves; this header is for code by hand.
|* No error ends the process. docs/runtime.md.
|*
\*===----------------------------------------------------------------------===*/

#ifndef STENCILRUNTIME_RUNTIME_H
#define STENCILRUNTIME_RUNTIME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "StencilRuntime/ErrorCodes.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The code of the first error of this thread since the last call, 0 if there
   was none. Until it is called, other calls do nothing after an error, except
   that they release what they are given. */
int32_t stencilTakeStatus(void);
/* Whether the texts of the calling thread's errors are kept for
   stencilTakeMessage, instead of being given to the handler. Returns what held
   before; false at first. */
bool stencilKeepMessages(bool keep);
/* The text that was kept last, of up to 2047 bytes; empty if there is none. It
   is valid until the thread's next call of this function. */
const char *stencilTakeMessage(void);
/* Reports an error that the program found itself. Only the first counts. A null
   message is not reported. */
void stencilFail(int32_t code, const char *message);

/* Modules are loaded at the first use of a function of theirs, or by
   stencilReserveMemory. */
void *mgpuModuleLoad(void *blob, size_t bytes);
void *mgpuModuleLoadJIT(void *blob, int optLevel); /* PTX with a null */
void mgpuModuleUnload(void *module);
void *mgpuModuleGetFunction(void *module, const char *name);

void mgpuLaunchKernel(void *function, intptr_t gridX, intptr_t gridY,
                      intptr_t gridZ, intptr_t blockX, intptr_t blockY,
                      intptr_t blockZ, int32_t sharedBytes, void *stream,
                      void **params, void **extra, size_t numParams);
void mgpuLaunchClusterKernel(void *function, intptr_t clusterX,
                             intptr_t clusterY, intptr_t clusterZ,
                             intptr_t gridX, intptr_t gridY, intptr_t gridZ,
                             intptr_t blockX, intptr_t blockY, intptr_t blockZ,
                             int32_t sharedBytes, void *stream, void **params,
                             void **extra);

void *mgpuStreamCreate(void);
void mgpuStreamDestroy(void *stream);
void mgpuStreamSynchronize(void *stream);
void mgpuStreamWaitEvent(void *stream, void *event);
void *mgpuEventCreate(void);
void mgpuEventDestroy(void *event);
void mgpuEventSynchronize(void *event);
void mgpuEventRecord(void *event, void *stream);

void *mgpuMemAlloc(uint64_t bytes, void *stream, bool isHostShared);
void mgpuMemFree(void *address, void *stream);
void mgpuMemcpy(void *dst, void *src, size_t bytes, void *stream);
void mgpuMemset16(void *dst, unsigned short value, size_t count, void *stream);
void mgpuMemset32(void *dst, unsigned int value, size_t count, void *stream);
void mgpuMemHostRegister(void *address, uint64_t bytes);
void mgpuMemHostUnregister(void *address);
/* `descriptor` is MLIR's of a memref of this rank. */
void mgpuMemHostRegisterMemRef(int64_t rank, void *descriptor,
                               int64_t elementBytes);
void mgpuMemHostUnregisterMemRef(int64_t rank, void *descriptor,
                                 int64_t elementBytes);

/* For a kernel, the memref of host memory that was registered. */
struct StencilMemRef1D {
  void *allocated;
  void *aligned;
  int64_t offset, size, stride;
};
struct StencilMemRef1D
mgpuMemGetDeviceMemRef1dFloat(void *allocated, void *aligned, int64_t offset,
                              int64_t size, int64_t stride);
struct StencilMemRef1D
mgpuMemGetDeviceMemRef1dInt32(void *allocated, void *aligned, int64_t offset,
                              int64_t size, int64_t stride);

/* Before the device is first used. */
void mgpuSetDefaultDevice(int32_t device);

/* Descriptors for TMA; the enumerations are those of the CUDA driver. The first
   writes 128 bytes at `tensorMap`; the second returns a copy in device memory
   that lives as long as the process. */
void mgpuTensorMapEncodeTiled(void *tensorMap, int32_t dataType, uint32_t rank,
                              void *address, const uint64_t *extents,
                              const uint64_t *strides, const uint32_t *box,
                              const uint32_t *elementStrides,
                              int32_t interleave, int32_t swizzle,
                              int32_t l2Promotion, int32_t oobFill);
void *mgpuTensorMapEncodeTiledMemref(int64_t rank, void *descriptor,
                                     int32_t dataType, int32_t interleave,
                                     int32_t swizzle, int32_t l2Promotion,
                                     int32_t oobFill, int64_t *box);

#ifndef STENCIL_SET_STREAM
#define STENCIL_SET_STREAM
/* What the calling thread's further calls give work to: a CUstream,
   cudaStream_t or hipStream_t. Null: to a stream of the call's own, which is
   waited for. */
void stencilSetStream(void *stream);
#endif
/* A stream whose kernels' blocks get multiprocessors before those of other
   streams; the caller's stream, if there is one. mgpuStreamDestroy ends it. */
void *stencilCreatePriorStream(void);
/* Of functions that take arrays on the device: the caller's stream, or a new
   one. Waits for a new one; then destroys it. */
void *stencilOpenStream(void);
void stencilFinishStream(void *stream);
void stencilCloseStream(void *stream);
/* Fails if the caller records the stream, which cannot be waited for then. */
void stencilExpectWait(void *stream);
/* 0 for an array of the caller that a program can use in place; 1 if it is not
   in device memory, 2 if in that of another device, 3 if it is not aligned to
   so many bytes, 4 if less memory than that is known to be there. */
int32_t stencilCheckArray(intptr_t address, intptr_t bytes, intptr_t alignment);

/* 0 CUDA, 1 HIP, 2 emulator: what the calling thread's further calls mean. */
void stencilSelectBackend(int32_t kind);
/* 2: there is a device of this backend, and it takes code that was compiled for
   `chip` ("sm_90", "gfx942"); 1: there is one, of another kind; 0: there is
   none. Reports nothing. */
int32_t stencilMatchDevice(int32_t kind, const char *chip);
/* Called first in a run, to fail early: loads the binaries, and fails, with
   both numbers, if there are fewer free bytes of device memory. */
void stencilReserveMemory(intptr_t bytes);
/* `rows` rows of `width` bytes between host and device, either way. */
void stencilMemcpy2D(intptr_t dst, intptr_t dstPitch, intptr_t src,
                     intptr_t srcPitch, intptr_t width, intptr_t rows,
                     void *stream);
/* What is given to the stream between the two becomes a graph that can be
   launched many times, and is not done at once. */
void stencilBeginCapture(void *stream);
void *stencilEndCapture(void *stream);
void stencilLaunchGraph(void *graph, void *stream);
void stencilDestroyGraph(void *graph);
/* As stencilDestroyGraph, when the stream is past all launches. */
void stencilRetireGraph(void *graph, void *stream);
/* 0 if the stream is being recorded by the caller, or cannot be: 1 else. */
int32_t stencilMayCapture(void *stream);
/* Of programs that say how far they are (getStepProgress in Backend.h): a loop
   of `total` steps begins, and ends. If it is none that is within another one,
   it is number `before`, from 0, of `loops`. */
void stencilBeginSteps(int64_t total, int64_t before, int64_t loops);
void stencilEndSteps(void);
/* So many more steps of the innermost loop are done, or given to the stream,
   which is waited for now and then. */
void stencilCountSteps(int64_t steps);
void stencilCountLaunchedSteps(int64_t steps, void *stream);
/* Device time between them counts for takeDeviceSeconds (Backend.h). */
void stencilBeginTiming(void *stream);
void stencilEndTiming(void *stream);

#ifdef __cplusplus
}
#endif

#endif /* STENCILRUNTIME_RUNTIME_H */
