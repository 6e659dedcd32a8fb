//===- ReturnErrors.h - Programs that return their errors -------*- C++ -*-===//

#ifndef STENCILDIALECT_TARGET_RETURNERRORS_H
#define STENCILDIALECT_TARGET_RETURNERRORS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringMap.h"

namespace stencil {

/// What the host of a compiled function sees of it, besides `_mlir_ciface_*`.
inline constexpr char kSetErrorHandlerName[] = "stencilSetErrorHandler";
inline constexpr char kErrorHandlerName[] = "stencilErrorHandler";

/// An array that a function takes: its argument, bytes per element, whether
/// something may be written to it, and whether there may be gaps between its
/// rows.
struct InterfaceArray {
  unsigned argument;
  unsigned elementBytes;
  bool isWritten;
  bool hasPaddedRows = false;
};

/// Per public function, in the order of the arguments.
using InterfaceArrays = llvm::StringMap<llvm::SmallVector<InterfaceArray>>;

/// The arrays of one function of a program of level 0. `paddedRows`: it is
/// compiled for fields that have gaps between their rows.
llvm::SmallVector<InterfaceArray> describeInterface(mlir::func::FuncOp function,
                                                    bool paddedRows = false);

/// Of all public functions.
InterfaceArrays describeInterfaces(mlir::ModuleOp module,
                                   bool paddedRows = false);

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
/// An array that is null, that has gaps where it may have none, or that
/// overlaps another one, as far as `arrays` describes them, is such an error,
/// too.
///
/// With `hasRuntime` the handler and the status are those of the runtime
/// library; else the program brings its own, and needs libc only.
void returnErrors(mlir::ModuleOp module, bool hasRuntime,
                  const InterfaceArrays &arrays = {});

} // namespace stencil

#endif // STENCILDIALECT_TARGET_RETURNERRORS_H
