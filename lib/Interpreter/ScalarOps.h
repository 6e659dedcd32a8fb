//===- ScalarOps.h - Elementwise ops on scalars -----------------*- C++ -*-===//

#ifndef STENCIL_LIB_INTERPRETER_SCALAROPS_H
#define STENCIL_LIB_INTERPRETER_SCALAROPS_H

#include "RunState.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

namespace stencil::interp {

/// Evaluates elementwise ops in the code of functions.
class ScalarOps {
public:
  explicit ScalarOps(RunState &state) : state(state) {}

  mlir::LogicalResult evaluate(mlir::arith::ConstantOp op);
  /// Of any kind of values.
  mlir::LogicalResult evaluate(mlir::arith::SelectOp op);
  mlir::LogicalResult evaluate(mlir::Operation *op);

private:
  /// The error of a result.
  void propagateError(mlir::Operation *op, unsigned index, Scalar &result);

  RunState &state;
  llvm::DenseMap<mlir::Operation *, llvm::SmallVector<ElementOp, 2>> elementOps;
};

} // namespace stencil::interp

#endif // STENCIL_LIB_INTERPRETER_SCALAROPS_H
