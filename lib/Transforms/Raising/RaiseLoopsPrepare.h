//===- RaiseLoopsPrepare.h - Before and behind what is raised ---*- C++ -*-===//
//
// Private to stencil-raise-loops.
//
//===----------------------------------------------------------------------===//

#ifndef STENCIL_LIB_TRANSFORMS_RAISING_RAISELOOPSPREPARE_H
#define STENCIL_LIB_TRANSFORMS_RAISING_RAISELOOPSPREPARE_H

#include "StencilDialect/IR/StencilTypes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace stencil::raise {

/// Called with an op that stays as it is, and the reason.
using Report =
    llvm::function_ref<void(mlir::Operation *op, const llvm::Twine &reason)>;

/// Makes loops of the ops of linalg that look like stencils, scf of affine, and
/// straight code of the loops over the taps of a point.
void prepareLoops(mlir::func::FuncOp function, Report report);

/// Loops that combine what their points give at one place of memory carry it
/// instead.
void carrySums(mlir::func::FuncOp function);

class LoopCarrier;

/// The fields that were made of memrefs, each where its memref is defined.
class RaisedFields {
public:
  /// The field of `memref`, which has this type.
  mlir::Value get(mlir::Value memref, FieldType type);

  /// Loops that carry such memrefs carry their fields instead, where they
  /// yield what they carry in another order.
  void carryFields(mlir::func::FuncOp function);

  /// Function arguments that are used as fields only become fields.
  void makeArguments(mlir::func::FuncOp function);

private:
  friend class LoopCarrier;

  llvm::DenseMap<mlir::Value, mlir::Value> fields;
  /// The last field made of an argument of a block.
  llvm::DenseMap<mlir::Block *, mlir::Operation *> last;
};

/// Arrays that are allocated for what applies hand to each other go, where they
/// are stored as a whole before they are loaded.
void forwardTemporaries(mlir::func::FuncOp function);

} // namespace stencil::raise

#endif // STENCIL_LIB_TRANSFORMS_RAISING_RAISELOOPSPREPARE_H
