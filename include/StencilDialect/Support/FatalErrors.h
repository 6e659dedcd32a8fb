//===- FatalErrors.h - What LLVM ends a process for -------------*- C++ -*-===//
//
// LLVM's code generators end the process where they have no instruction for
// what they are given (llvm::report_fatal_error). A library must not.
//
//===----------------------------------------------------------------------===//

#ifndef STENCILDIALECT_SUPPORT_FATALERRORS_H
#define STENCILDIALECT_SUPPORT_FATALERRORS_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/ErrorHandling.h"

namespace stencil {

/// Calls `work`. Where LLVM would end the process, `work` is left, and LLVM's
/// reason is the error; so it is where LLVM crashes. What `work` had on its
/// stack is then lost: it is not to own what must be destroyed.
///
/// Threads may do this at the same time. Meanwhile LLVM has our handler of
/// fatal errors, afterwards that of `setFatalErrorHandler`: LLVM has no way to
/// ask for one that was installed past us.
llvm::Error catchFatalErrors(llvm::function_ref<void()> work);

/// llvm::install_fatal_error_handler, and LLVM's own handling for null.
void setFatalErrorHandler(llvm::fatal_error_handler_t handler);

} // namespace stencil

#endif // STENCILDIALECT_SUPPORT_FATALERRORS_H
