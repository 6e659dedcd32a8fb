//===- Error.h - The end of a program that failed ---------------*- C++ -*-===//
//
// Code made by a compiler cannot handle an error of the driver. Every such
// error becomes one message that goes to one handler.
//
//===----------------------------------------------------------------------===//

#ifndef STENCILRUNTIME_ERROR_H
#define STENCILRUNTIME_ERROR_H

#include <string>

namespace stencil::runtime {

/// Gets a message of one line, without "error: " and without a line end, on the
/// thread that failed. The process ends with exit code 1 if it returns.
using ErrorHandler = void (*)(const char *message);

/// Replaces the handler and returns the one before. Null stands for the
/// default: `error: MESSAGE` on the standard error stream.
ErrorHandler setErrorHandler(ErrorHandler handler);

[[noreturn]] void fail(const std::string &message);

} // namespace stencil::runtime

#endif // STENCILRUNTIME_ERROR_H
