/*===- ErrorCodes.h - Codes of errors, and who hears of them ------ C -----===*\
|*
|* Generated headers and sources need no other file: they have a copy of what
|* follows. All copies have one guard. STENCIL_ABI_VERSION has its number here;
|* CMake reads it.
|*
\*===----------------------------------------------------------------------===*/

#ifndef STENCIL_ERRORS
#define STENCIL_ERRORS
#include <stdint.h>
/* Objects, headers and libraries of different numbers cannot be mixed. */
#define STENCIL_ABI_VERSION 1
#ifdef __cplusplus
extern "C" {
#endif
enum {
  STENCIL_OK = 0,
  STENCIL_CHECK_FAILED = 1,  /* what the program expects does not hold */
  STENCIL_OUT_OF_MEMORY = 2, /* of the host or of the device */
  STENCIL_DEVICE_FAILED = 3  /* no device, or its driver reports an error */
};
/* What a code means, in a few words; the handler gets the reason. */
#ifdef __cplusplus
inline
#else
static inline
#endif
    const char *stencilErrorText(int32_t code) {
  switch (code) {
  case STENCIL_OK:
    return "no error";
  case STENCIL_CHECK_FAILED:
    return "a check of the program failed";
  case STENCIL_OUT_OF_MEMORY:
    return "out of memory";
  case STENCIL_DEVICE_FAILED:
    return "no device, or it failed";
  default:
    return "unknown error";
  }
}
/* Gets the code and one line of text, on the thread that found the error. Calls
   no function of the runtime library. */
typedef void (*StencilErrorHandler)(int32_t code, const char *message);
/* Replaces the handler of the process and returns the one before. Null stands
   for the default, which prints `error: MESSAGE` to the standard error
   stream. */
StencilErrorHandler stencilSetErrorHandler(StencilErrorHandler handler);
#ifdef __cplusplus
}
#endif
#endif /* STENCIL_ERRORS */
