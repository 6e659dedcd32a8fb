//===- RunErrors.h - Errors of programs that a tool runs --------*- C++ -*-===//

#ifndef STENCILDIALECT_TOOLS_RUNERRORS_H
#define STENCILDIALECT_TOOLS_RUNERRORS_H

namespace stencil {

/// While it lives, an integer division by zero or an access outside of any
/// memory, in a program that the tool runs, prints an `error:` line and ends
/// the process with exit code 1. Libraries never do this to their host.
class FaultGuard {
public:
  FaultGuard();
  ~FaultGuard();
  FaultGuard(const FaultGuard &) = delete;
  FaultGuard &operator=(const FaultGuard &) = delete;
};

/// From now on an error of the runtime library that nobody asked to keep, such
/// as one of a device that is measured, ends the process in the same way.
void installRuntimeErrorHandler();

} // namespace stencil

#endif // STENCILDIALECT_TOOLS_RUNERRORS_H
