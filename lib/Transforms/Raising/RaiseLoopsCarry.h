//===- RaiseLoopsCarry.h - Fields of memrefs --------------------*- C++ -*-===//
//
// Private to stencil-raise-loops.
//
//===----------------------------------------------------------------------===//

#ifndef STENCILDIALECT_LIB_TRANSFORMS_RAISELOOPSCARRY_H
#define STENCILDIALECT_LIB_TRANSFORMS_RAISELOOPSCARRY_H

#include "StencilDialect/IR/StencilTypes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/DenseMap.h"

namespace stencil::raise {

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

} // namespace stencil::raise

#endif // STENCILDIALECT_LIB_TRANSFORMS_RAISELOOPSCARRY_H
