//===- Status.h - Codes and texts of errors ---------------------*- C++ -*-===//

#ifndef LIB_CAPI_STATUS_H
#define LIB_CAPI_STATUS_H

#include "llvm/ADT/Twine.h"
#include "llvm/Support/Error.h"

#include <cstdint>

namespace stencil::capi {

/// Keeps the text for stencilGetLastError; returns the code.
int32_t fail(int32_t code, const llvm::Twine &message);

/// The same of an error; an error of a program has a code of its own.
int32_t fail(int32_t code, llvm::Error error);

/// For a handle of `what` that is none.
int32_t failHandle(llvm::StringRef what, uint64_t handle);

} // namespace stencil::capi

#endif // LIB_CAPI_STATUS_H
