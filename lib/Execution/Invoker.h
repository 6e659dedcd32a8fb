//===- Invoker.h - A uniform way to call a compiled function ------*- C++
//-*-===//

#ifndef STENCILDIALECT_LIB_EXECUTION_INVOKER_H
#define STENCILDIALECT_LIB_EXECUTION_INVOKER_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <cstdint>

namespace llvm {
class Module;
} // namespace llvm

namespace stencil {

/// Name of the function that addInvoker adds.
inline constexpr llvm::StringLiteral kInvokerName = "stencil_invoke";

struct ResultLayout {
  /// Bytes of all results, and where each of them starts.
  uint64_t size = 0;
  llvm::SmallVector<uint64_t> offsets;
};

/// Adds `int32_t stencil_invoke(void **arguments, char *results)`, which calls
/// the C interface of the function `name`, of a program that returns its errors
/// (Target/ReturnErrors.h): an argument is a pointer to a memref descriptor, or
/// to a scalar. Everything else becomes internal. `module` has its data layout.
llvm::Expected<ResultLayout> addInvoker(llvm::Module &module,
                                        llvm::StringRef name);

} // namespace stencil

#endif // STENCILDIALECT_LIB_EXECUTION_INVOKER_H
