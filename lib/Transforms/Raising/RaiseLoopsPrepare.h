//===- RaiseLoopsPrepare.h - Loops of one form ------------------*- C++ -*-===//
//
// Private to stencil-raise-loops.
//
//===----------------------------------------------------------------------===//

#ifndef STENCILDIALECT_LIB_TRANSFORMS_RAISELOOPSPREPARE_H
#define STENCILDIALECT_LIB_TRANSFORMS_RAISELOOPSPREPARE_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace stencil::raise {

/// Called with an op that stays as it is, and the reason.
using Report =
    llvm::function_ref<void(mlir::Operation *op, const llvm::Twine &reason)>;

/// Makes loops of the ops of linalg that look like stencils, scf of affine, and
/// straight code of the loops over the taps of a point.
void prepareLoops(mlir::func::FuncOp function, Report report);

/// Accesses of memref.subview become those of what they are views of, copies of
/// them loops.
void lowerViews(mlir::func::FuncOp function);

/// Loops that combine what their points give at one place of memory carry it
/// instead.
void carrySums(mlir::func::FuncOp function);

} // namespace stencil::raise

#endif // STENCILDIALECT_LIB_TRANSFORMS_RAISELOOPSPREPARE_H
