//===- Applies.h - Applies and their bodies ---------------------*- C++ -*-===//

#ifndef STENCIL_LIB_INTERPRETER_APPLIES_H
#define STENCIL_LIB_INTERPRETER_APPLIES_H

#include "RunState.h"

namespace stencil::interp {

/// The bodies of applies, each translated once.
class BodyPrograms {
public:
  explicit BodyPrograms(RunState &state) : state(state) {}

  /// The program of an apply, and its scalars.
  mlir::LogicalResult setUp(Evaluation &evaluation, ApplyOp op);
  mlir::LogicalResult run(Evaluation &evaluation);

private:
  RunState &state;
  llvm::DenseMap<mlir::Operation *, std::unique_ptr<Program>> programs;
};

/// Evaluates an apply outside of kernels of tiles. `dying`: what nobody reads
/// behind it.
mlir::LogicalResult evaluate(RunState &state, BodyPrograms &bodies, ApplyOp op,
                             llvm::ArrayRef<mlir::Value> dying);

} // namespace stencil::interp

#endif // STENCIL_LIB_INTERPRETER_APPLIES_H
