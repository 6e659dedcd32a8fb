/*===- StencilDialect-c/Executable.h - Compile and call ---------*- C -*-===*\
|*                                                                          *|
|* A program is compiled once and called many times, on arrays that stay    *|
|* where they are. Knows nothing of MLIR, and is made for languages that    *|
|* call C: handles are numbers, structures are plain, and no function needs *|
|* a macro.                                                                 *|
|*                                                                          *|
|* Handles may be shared by threads; many threads may compile, and call one *|
|* executable, at once, on arrays of their own. A handle that was released, *|
|* or never was one, is an error.                                           *|
|*                                                                          *|
\*===--------------------------------------------------------------------===*/

#ifndef STENCILDIALECT_C_EXECUTABLE_H
#define STENCILDIALECT_C_EXECUTABLE_H

#include "StencilDialect-c/Version.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif

/*===--------------------------------------------------------------------===*\
|* Errors                                                                   *|
\*===--------------------------------------------------------------------===*/

/* What functions return. After an error what they would have written is as it
 * was. The codes of compiled programs are those of the runtime
 * (StencilRuntime/Runtime.h). */
typedef enum StencilStatus {
  STENCIL_STATUS_OK = 0,
  STENCIL_STATUS_CHECK_FAILED = 1,  /* what the program expects does not hold */
  STENCIL_STATUS_OUT_OF_MEMORY = 2, /* of the host or of the device */
  STENCIL_STATUS_DEVICE_FAILED =
      3, /* no device, or its driver reports an error */
  STENCIL_STATUS_INVALID_HANDLE = 16,   /* released, or never was one */
  STENCIL_STATUS_INVALID_ARGUMENT = 17, /* of the function, or of the program */
  STENCIL_STATUS_COMPILATION_FAILED = 18 /* the program or an option is wrong */
} StencilStatus;

/* The text of the last error of the calling thread, as the tools print it:
 * lines with places in the source, and notes. Empty if there was none. It is
 * valid until the thread's next error. */
STENCIL_CAPI_EXPORTED const char *stencilGetLastError(void);

/*===--------------------------------------------------------------------===*\
|* Options                                                                  *|
\*===--------------------------------------------------------------------===*/

/* How a program is compiled. Options that are not set are as said below. Values
 * are checked when a program is compiled. */
typedef uint64_t StencilOptions;

/* Never 0. */
STENCIL_CAPI_EXPORTED StencilOptions stencilOptionsCreate(void);
/* What was compiled with them stays. */
STENCIL_CAPI_EXPORTED int32_t stencilOptionsDestroy(StencilOptions options);

/* "cpu", which is the default, "cuda", "hip" or "emulator". */
STENCIL_CAPI_EXPORTED int32_t stencilOptionsSetTarget(StencilOptions options,
                                                      const char *target);
/* Of a GPU, such as "sm_90". Default: that of the device at hand. */
STENCIL_CAPI_EXPORTED int32_t stencilOptionsSetChip(StencilOptions options,
                                                    const char *chip);
/* The function to call. Default: the only public one. */
STENCIL_CAPI_EXPORTED int32_t stencilOptionsSetEntry(StencilOptions options,
                                                     const char *entry);
/* "strict", "contract", which is the default, "reassociate" or "tf32". */
STENCIL_CAPI_EXPORTED int32_t stencilOptionsSetMath(StencilOptions options,
                                                    const char *math);
/* For applies that have none, the text of a #stencil.schedule or, of GPUs, the
 * name of one, or "timed": as the device at hand is fastest, for known extents.
 * Default: chosen by the compiler. */
STENCIL_CAPI_EXPORTED int32_t stencilOptionsSetSchedule(StencilOptions options,
                                                        const char *schedule);
/* A file of measured schedules. Default: none. */
STENCIL_CAPI_EXPORTED int32_t
stencilOptionsSetTuningDatabase(StencilOptions options, const char *path);
/* Directory of the CUDA toolkit or of ROCm. Default: searched for. */
STENCIL_CAPI_EXPORTED int32_t stencilOptionsSetToolkit(StencilOptions options,
                                                       const char *path);
/* Where compiled programs are kept for later processes. Default: nowhere. */
STENCIL_CAPI_EXPORTED int32_t
stencilOptionsSetCacheDirectory(StencilOptions options, const char *path);
/* Where tools and other languages keep them: $STENCIL_CACHE_DIR, else
 * $XDG_CACHE_HOME/stencil, else ~/.cache/stencil. Empty if there is no home.
 * The text is valid until the thread's next call of this function. */
STENCIL_CAPI_EXPORTED const char *stencilGetDefaultCacheDirectory(void);
/* Threads of a program for the CPU; 0, the default: OMP_NUM_THREADS, or one on
 * each usable CPU. */
STENCIL_CAPI_EXPORTED int32_t stencilOptionsSetThreads(StencilOptions options,
                                                       uint32_t threads);
/* Interior points per axis, for code that is good for these extents only; 0 for
 * an axis, and the default: every call brings its own. */
STENCIL_CAPI_EXPORTED int32_t stencilOptionsSetExtents(StencilOptions options,
                                                       intptr_t count,
                                                       const int64_t *extents);
/* Arrays are in the memory of the device, and calls return when the work has
 * been given to the stream. For "cuda", "hip" and "emulator". Default: false.
 */
STENCIL_CAPI_EXPORTED int32_t
stencilOptionsSetDeviceArrays(StencilOptions options, bool deviceArrays);

/*===--------------------------------------------------------------------===*\
|* Executables                                                              *|
\*===--------------------------------------------------------------------===*/

/* A compiled program; 0 is none. It has one owner, plus one for each retain,
 * less one for each release; without owners the handle is no longer one. Calls
 * that are under way go on. */
typedef uint64_t StencilExecutable;

/* Compiles text or bytecode; `name` stands for the file in messages. Options 0:
 * the defaults. */
STENCIL_CAPI_EXPORTED int32_t
stencilExecutableCompile(const char *program, size_t length, const char *name,
                         StencilOptions options, StencilExecutable *executable);
STENCIL_CAPI_EXPORTED int32_t stencilExecutableCompileFile(
    const char *path, StencilOptions options, StencilExecutable *executable);
STENCIL_CAPI_EXPORTED int32_t
stencilExecutableRetain(StencilExecutable executable);
STENCIL_CAPI_EXPORTED int32_t
stencilExecutableRelease(StencilExecutable executable);

/* Elements of arrays, and scalars. I1 is a byte, 0 or 1. */
typedef enum StencilElement {
  STENCIL_F16 = 0,
  STENCIL_BF16 = 1,
  STENCIL_F32 = 2,
  STENCIL_F64 = 3,
  STENCIL_I1 = 4,
  STENCIL_I8 = 5,
  STENCIL_I16 = 6,
  STENCIL_I32 = 7,
  STENCIL_I64 = 8 /* `index`, too */
} StencilElement;

/* What the function takes in one place. */
typedef struct StencilParameter {
  const char *name; /* as in the source, without the `%` */
  int32_t element;  /* StencilElement */
  int32_t rank;     /* of an array */
  /* Of an array: extents, halo included; -1 where the call decides. */
  const int64_t *shape;
  bool isArray;
  /* Of an array: whether the program reads what is in it, and changes it. */
  bool isRead, isWritten;
} StencilParameter;

/* Texts and shapes are valid as long as the executable. */
STENCIL_CAPI_EXPORTED int32_t
stencilExecutableGetName(StencilExecutable executable, const char **name);
STENCIL_CAPI_EXPORTED int32_t
stencilExecutableGetTarget(StencilExecutable executable, const char **target);
STENCIL_CAPI_EXPORTED int32_t stencilExecutableGetNumParameters(
    StencilExecutable executable, intptr_t *count);
STENCIL_CAPI_EXPORTED int32_t stencilExecutableGetParameter(
    StencilExecutable executable, intptr_t index, StencilParameter *parameter);
STENCIL_CAPI_EXPORTED int32_t
stencilExecutableGetNumResults(StencilExecutable executable, intptr_t *count);
/* The StencilElement of a scalar result. */
STENCIL_CAPI_EXPORTED int32_t stencilExecutableGetResult(
    StencilExecutable executable, intptr_t index, int32_t *element);
/* Whether it was found in the cache. */
STENCIL_CAPI_EXPORTED int32_t
stencilExecutableWasCached(StencilExecutable executable, bool *wasCached);

/* Remarks and warnings of the compilation; lines, empty if there are none. */
STENCIL_CAPI_EXPORTED int32_t
stencilExecutableGetRemarks(StencilExecutable executable, const char **remarks);

/*===--------------------------------------------------------------------===*\
|* Calls                                                                    *|
\*===--------------------------------------------------------------------===*/

enum {
  STENCIL_ARGUMENT_ARRAY = 0,
  STENCIL_ARGUMENT_INTEGER = 1, /* of any width, and `index` */
  STENCIL_ARGUMENT_FLOAT = 2    /* of any width */
};

/* Flags of an array. */
enum {
  STENCIL_ARRAY_ON_DEVICE = 1, /* in the memory of the device */
  STENCIL_ARRAY_READ_ONLY = 2
};

/* An argument. Members that its kind does not have are not looked at. */
typedef struct StencilArgument {
  int32_t kind;
  /* Of an array. */
  int32_t element; /* StencilElement */
  int32_t rank;
  uint32_t flags;
  void *data;
  const int64_t *shape;   /* extents, halo included */
  const int64_t *strides; /* in elements; null: row-major without gaps */
  /* Of a scalar. */
  int64_t integer;
  double floating;
} StencilArgument;

/* A scalar result: `integer` or `floating`, as its element says. */
typedef struct StencilScalar {
  int32_t element; /* StencilElement */
  int32_t reserved;
  int64_t integer;
  double floating;
} StencilScalar;

/* Runs the program. All arguments are checked first: their number, kinds,
 * elements, ranks, extents, strides, where they are, and that nothing that is
 * written is read-only or overlaps something else; nothing has been done after
 * such an error. After an error of the program (the codes 1 to 3), arrays that
 * it writes hold anything. `stream` is of the device's driver (CUstream,
 * hipStream_t); null: its default stream. */
STENCIL_CAPI_EXPORTED int32_t
stencilExecutableCall(StencilExecutable executable, intptr_t numArguments,
                      const StencilArgument *arguments, intptr_t numResults,
                      StencilScalar *results, void *stream);

/* Arguments, for C. An array is row-major, without gaps, and in the memory of
 * the host. */
static inline StencilArgument stencilArray(StencilElement element, int32_t rank,
                                           void *data, const int64_t *shape) {
  StencilArgument argument;
  memset(&argument, 0, sizeof argument);
  argument.kind = STENCIL_ARGUMENT_ARRAY;
  argument.element = element;
  argument.rank = rank;
  argument.data = data;
  argument.shape = shape;
  return argument;
}

static inline StencilArgument stencilInteger(int64_t value) {
  StencilArgument argument;
  memset(&argument, 0, sizeof argument);
  argument.kind = STENCIL_ARGUMENT_INTEGER;
  argument.integer = value;
  return argument;
}

static inline StencilArgument stencilFloat(double value) {
  StencilArgument argument;
  memset(&argument, 0, sizeof argument);
  argument.kind = STENCIL_ARGUMENT_FLOAT;
  argument.floating = value;
  return argument;
}

#ifdef __cplusplus
}
#endif

#endif /* STENCILDIALECT_C_EXECUTABLE_H */
