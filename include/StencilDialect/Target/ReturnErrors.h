//===- ReturnErrors.h - Programs that return their errors -------*- C++ -*-===//

#ifndef STENCILDIALECT_TARGET_RETURNERRORS_H
#define STENCILDIALECT_TARGET_RETURNERRORS_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringMap.h"

namespace mlir {
class ModuleOp;
} // namespace mlir

namespace stencil {

/// What the host of a compiled function sees of it, besides `_mlir_ciface_*`.
inline constexpr char kSetErrorHandlerName[] = "stencilSetErrorHandler";
inline constexpr char kErrorHandlerName[] = "stencilErrorHandler";

/// An array that a function takes: its argument, bytes per element, and whether
/// something may be written to it.
struct InterfaceArray {
  unsigned argument;
  unsigned elementBytes;
  bool isWritten;
};

/// Per public function, in the order of the arguments.
using InterfaceArrays = llvm::StringMap<llvm::SmallVector<InterfaceArray>>;

/// Of a program of level 0.
InterfaceArrays describeInterfaces(mlir::ModuleOp module);

/// Changes a program in the LLVM dialect so that no error ends the process that
/// calls it. `_mlir_ciface_NAME` returns an i32: 0, or one of the codes of
/// StencilRuntime/Runtime.h; one scalar result goes through a pointer that
/// comes first, as several do.
///
/// A check that fails (cf.assert), memory that cannot be had, and an integer
/// division that has no result hand one message to the handler; the function
/// releases what it allocated and returns. Within a parallel region, the
/// iteration that fails is left, the others end, and then the function returns.
///
/// An array that is null, that has gaps, or that overlaps another one, as far
/// as `arrays` describes them, is such an error, too.
///
/// With `hasRuntime` the handler and the status are those of the runtime
/// library; else the program brings its own, and needs libc only.
void returnErrors(mlir::ModuleOp module, bool hasRuntime,
                  const InterfaceArrays &arrays = {});

} // namespace stencil

#endif // STENCILDIALECT_TARGET_RETURNERRORS_H
