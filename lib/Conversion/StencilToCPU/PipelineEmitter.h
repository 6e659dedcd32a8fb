//===- PipelineEmitter.h - The loops of a pipeline --------------*- C++ -*-===//

#ifndef STENCIL_LIB_CONVERSION_STENCILTOCPU_PIPELINEEMITTER_H
#define STENCIL_LIB_CONVERSION_STENCILTOCPU_PIPELINEEMITTER_H

#include "LoopKeys.h"
#include "Patterns.h"
#include "PipelineTiles.h"
#include "StageHalo.h"
#include "StageNest.h"
#include "StencilDialect/Conversion/Arithmetic.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

namespace stencil {

/// Emits the loops of a pipeline, tile by tile (PipelineToLoops.cpp).
class PipelineEmitter {
public:
  using GetMemory = llvm::function_ref<mlir::Value(mlir::Value)>;
  PipelineEmitter(PipelineOp op, const PipelineWalk &walk, MathMode mode,
                  GetMemory getMemory)
      : op(op), loc(op.getLoc()), walk(walk), axis(walk.getAxis()), mode(mode),
        loops(getLoops(op)), getMemory(getMemory) {}

  mlir::LogicalResult emit(mlir::OpBuilder &builder, FactsOfFunctions &facts);

  /// For who has tiles of his own: what is known of the fields; buffers for
  /// tiles of at most these sizes, so many copies if that is not null; whose
  /// copies tiles use from here on; and their end.
  void setDomain(const Extents &known, const LoopBox &box) {
    extents = known;
    domain = box;
  }
  void allocate(mlir::OpBuilder &builder, llvm::ArrayRef<mlir::Value> tile,
                mlir::Value copies = {});
  void useCopy(mlir::OpBuilder &builder, mlir::Value number);
  mlir::LogicalResult emitTile(mlir::OpBuilder &builder, const LoopBox &tile);
  void release(mlir::OpBuilder &builder);

private:
  mlir::LogicalResult learnExtents(mlir::OpBuilder &builder,
                                   FactsOfFunctions &facts);
  void place(mlir::OpBuilder &builder, const LoopBox &tile);
  int64_t getLine(mlir::Type element) const;
  int64_t getFirst(const PlannedStage &stage, mlir::Type element,
                   int64_t along) const;
  StageOperands getOperands(const PlannedStage &stage);
  mlir::Value isLarge(mlir::OpBuilder &builder);
  StageBoxes getBoxes(mlir::OpBuilder &builder, const PlannedStage &stage,
                      const LoopBox &tile);
  mlir::LogicalResult
  fillHalos(const PlannedStage &stage, const StageBoxes &boxes,
            llvm::function_ref<mlir::LogicalResult(StageHalo &)> fill);
  mlir::LogicalResult emitNest(mlir::OpBuilder &builder,
                               const PlannedStage &stage,
                               const StageBoxes &boxes, const LoopBox &box);
  mlir::LogicalResult emitStage(mlir::OpBuilder &builder,
                                const PlannedStage &stage, const LoopBox &tile,
                                mlir::Value plane);

  mlir::Value constant(mlir::OpBuilder &builder, int64_t value) {
    return mlir::arith::ConstantIndexOp::create(builder, loc, value);
  }
  mlir::Value shift(mlir::OpBuilder &builder, mlir::Value value, int64_t by) {
    return Arithmetic(builder, loc, value.getType()).add(value, by);
  }

  PipelineOp op;
  mlir::Location loc;
  const PipelineWalk &walk;
  std::optional<int64_t> axis;
  MathMode mode;
  CPULoopsAttr loops;
  GetMemory getMemory;
  Extents extents;
  /// The points that are stored.
  LoopBox domain;
  /// Of the results that are kept.
  llvm::MapVector<mlir::Value, StageBuffer> buffers;
  llvm::SmallVector<mlir::Value> memories;
  /// Whether what is stored is larger than the last cache; null: it is not
  /// written around it.
  mlir::Value storesAround;
};

} // namespace stencil

#endif // STENCIL_LIB_CONVERSION_STENCILTOCPU_PIPELINEEMITTER_H
