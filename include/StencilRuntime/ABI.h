/*===- ABI.h - Programs and libraries that fit together ----------- C -----===*\
|*
|* STENCIL_ABI_VERSION counts the changes after which a compiled program and a
|* library of the runtime cannot be used together. The library's name has it
|* (libStencilRuntime.so.N), and so have its symbols: two libraries may be in
|* one process. Programs call it with the number, for those that meet the wrong
|* one all the same.
|*
\*===----------------------------------------------------------------------===*/

#ifndef STENCILRUNTIME_ABI_H
#define STENCILRUNTIME_ABI_H

/* Has the number. */
#include "StencilRuntime/ErrorCodes.h"

#include <stdint.h>

/* What a compiled program gives to stencilSelectBackend: the backend in the
   lowest 8 bits, the STENCIL_ABI_VERSION that it was compiled for above them. 0
   stands for code by hand, which nobody checks. */
#define STENCIL_ABI_SHIFT 8
#define STENCIL_ABI_BACKEND(backend, version)                                  \
  ((int32_t)((backend) | ((version) << STENCIL_ABI_SHIFT)))

#endif /* STENCILRUNTIME_ABI_H */
