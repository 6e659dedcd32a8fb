//===- RuntimeSymbols.h - What compiled programs call -------------*- C++
//-*-===//

#ifndef STENCILDIALECT_LIB_EXECUTION_RUNTIMESYMBOLS_H
#define STENCILDIALECT_LIB_EXECUTION_RUNTIMESYMBOLS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

namespace stencil {

struct RuntimeSymbol {
  llvm::StringRef name;
  void *address;
};

/// Functions that take the place of the C library's in a compiled program:
/// - `puts` and `abort`, which a failing check calls: an `error:` line and exit
///   code 1;
/// - `malloc`, which fails in the same way instead of returning null, and the
///   `free` that belongs to it;
/// - conversions to and from f16, which no shared library may have;
/// - the runtime library for GPUs (StencilRuntime/Runtime.h).
llvm::ArrayRef<RuntimeSymbol> getRuntimeSymbols();

/// While it lives, an integer division by zero or an access outside of any
/// memory is an error of the program and ends the process with exit code 1.
class FaultGuard {
public:
  FaultGuard();
  ~FaultGuard();
  FaultGuard(const FaultGuard &) = delete;
  FaultGuard &operator=(const FaultGuard &) = delete;
};

} // namespace stencil

#endif // STENCILDIALECT_LIB_EXECUTION_RUNTIMESYMBOLS_H
