//===- Error.h - What becomes of an error -----------------------*- C++ -*-===//
//
// Code made by a compiler cannot handle an error of the driver. An entry point
// (Runtime.h) that fails hands one message to the handler, leaves a code for
// stencilTakeStatus, and returns nothing, null or zero. Until the code is
// taken, the thread's further calls do nothing, except that they release what
// there is.
//
//===----------------------------------------------------------------------===//

#ifndef STENCILRUNTIME_ERROR_H
#define STENCILRUNTIME_ERROR_H

#include "StencilRuntime/Runtime.h"

#include <stdexcept>
#include <string>

namespace stencil::runtime {

/// An error on its way to the entry point, or to who called a Backend. `what()`
/// is a line without "error: " and without a line end.
class Failure : public std::runtime_error {
public:
  using std::runtime_error::runtime_error;
};

/// Reports the message, as stencilFail, and throws it.
[[noreturn]] void fail(const std::string &message,
                       int32_t code = STENCIL_DEVICE_FAILED);

} // namespace stencil::runtime

#endif // STENCILRUNTIME_ERROR_H
