//===- Evaluator.h - Evaluates functions ------------------------*- C++ -*-===//

#ifndef STENCIL_LIB_INTERPRETER_EVALUATOR_H
#define STENCIL_LIB_INTERPRETER_EVALUATOR_H

#include "ScalarOps.h"
#include "TileKernel.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

#include <chrono>

namespace stencil::interp {

/// Evaluates ops one after the other, in program order. One object serves one
/// run; it keeps what can be reused between steps: threads, memory, translated
/// bodies.
class Evaluator {
public:
  explicit Evaluator(const InterpreterOptions &options) : state(options) {}

  const ErrorAnalysis *getAnalysis() const {
    return state.analysis ? &*state.analysis : nullptr;
  }

  mlir::LogicalResult call(mlir::func::FuncOp func,
                           llvm::SmallVector<RuntimeValue> arguments,
                           llvm::SmallVectorImpl<RuntimeValue> &results);

private:
  mlir::LogicalResult bindExtents(mlir::func::FuncOp func);
  mlir::LogicalResult evaluateBlock(mlir::Block &block);
  mlir::LogicalResult evaluateOp(mlir::Operation *op);
  mlir::LogicalResult evaluate(mlir::scf::IfOp op);
  mlir::LogicalResult evaluate(mlir::scf::ForOp op);
  mlir::LogicalResult evaluate(mlir::scf::WhileOp op);
  mlir::LogicalResult evaluate(mlir::scf::ParallelOp op, unsigned axis);
  mlir::LogicalResult evaluate(mlir::func::CallOp op);
  llvm::ArrayRef<mlir::Value> getDying(mlir::Operation *op) const;
  void reportProgress(uint64_t done, uint64_t total);

  RunState state;
  BodyPrograms bodies{state};
  ScalarOps scalars{state};
  KernelEvaluator kernels{state, bodies, [this](mlir::Block &block) {
                            return evaluateBlock(block);
                          }};
  llvm::DenseMap<mlir::Block *, llvm::DenseMap<mlir::Operation *,
                                               llvm::SmallVector<mlir::Value>>>
      deaths;
  llvm::DenseMap<mlir::Operation *, bool> checked;
  unsigned callDepth = 0;
  unsigned loopDepth = 0;
  std::chrono::steady_clock::time_point lastReport;
};

} // namespace stencil::interp

#endif // STENCIL_LIB_INTERPRETER_EVALUATOR_H
