//===- TileKernel.h - Kernels of tiles, block by block ----------*- C++ -*-===//

#ifndef STENCIL_LIB_INTERPRETER_TILEKERNEL_H
#define STENCIL_LIB_INTERPRETER_TILEKERNEL_H

#include "Applies.h"

namespace stencil::interp {

/// Evaluates kernels of tiles, and what has regions in them.
class KernelEvaluator {
public:
  using EvaluateBlock = std::function<mlir::LogicalResult(mlir::Block &)>;

  KernelEvaluator(RunState &state, BodyPrograms &bodies,
                  EvaluateBlock evaluateBlock)
      : state(state), bodies(bodies), evaluateBlock(std::move(evaluateBlock)) {}

  mlir::LogicalResult evaluate(tile::KernelOp op);
  /// An op of the program of the block that runs.
  mlir::LogicalResult evaluateOp(mlir::Operation *op);

private:
  mlir::LogicalResult prepare(tile::KernelOp op, const Box &domain);
  mlir::LogicalResult runBlock(TileBlock &here);
  mlir::LogicalResult runBoxes(tile::KernelOp op, const Box &domain);
  mlir::LogicalResult runList(tile::KernelOp op);
  mlir::LogicalResult evaluateWalk(TileBlock &block, tile::WalkOp op);
  mlir::LogicalResult evaluateWhere(TileBlock &block, tile::WhereOp op);

  RunState &state;
  BodyPrograms &bodies;
  EvaluateBlock evaluateBlock;
};

} // namespace stencil::interp

#endif // STENCIL_LIB_INTERPRETER_TILEKERNEL_H
