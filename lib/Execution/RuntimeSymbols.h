//===- RuntimeSymbols.h - What compiled programs call -------------*- C++
//-*-===//

#ifndef STENCILDIALECT_LIB_EXECUTION_RUNTIMESYMBOLS_H
#define STENCILDIALECT_LIB_EXECUTION_RUNTIMESYMBOLS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include <string>

namespace stencil {

struct RuntimeSymbol {
  llvm::StringRef name;
  void *address;
};

/// Functions that take the place of the C library's in a compiled program:
/// - `malloc`, which returns null where the memory that there is would not
///   last, and the `free` that belongs to it;
/// - conversions to and from f16, which no shared library may have;
/// - Devito's timers (isTimer in Analysis/Signature.h);
/// - the runtime library (StencilRuntime/Runtime.h).
llvm::ArrayRef<RuntimeSymbol> getRuntimeSymbols();

/// Why `malloc` returned null to the calling thread last; empty if it did not
/// since this was asked before.
std::string takeAllocationFailure();

} // namespace stencil

#endif // STENCILDIALECT_LIB_EXECUTION_RUNTIMESYMBOLS_H
