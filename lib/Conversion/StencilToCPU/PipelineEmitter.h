//===- PipelineEmitter.h - The loops of a pipeline --------------*- C++ -*-===//

#ifndef STENCIL_LIB_CONVERSION_STENCILTOCPU_PIPELINEEMITTER_H
#define STENCIL_LIB_CONVERSION_STENCILTOCPU_PIPELINEEMITTER_H

#include "LoopKeys.h"
#include "Patterns.h"
#include "PipelineTiles.h"
#include "StageHalo.h"
#include "StageNest.h"

namespace stencil {

/// Emits the loops of a pipeline, tile by tile (PipelineToLoops.cpp).
class PipelineEmitter {
public:
  using GetMemory = llvm::function_ref<mlir::Value(mlir::Value)>;
  PipelineEmitter(const mlir::OpBuilder &builder, PipelineOp op,
                  const PipelineWalk &walk, MathMode mode, GetMemory getMemory)
      : b(op.getLoc(), builder), math(b.math), op(op), walk(walk),
        axis(walk.getAxis()), mode(mode), loops(getLoops(op)),
        getMemory(getMemory) {}

  mlir::LogicalResult emit(FactsOfFunctions &facts);

  /// For who has tiles of his own: what is known of the fields; buffers for
  /// tiles of at most these sizes, so many copies if that is not null; whose
  /// copies tiles use from here on; and their end.
  void setDomain(const Extents &known, const LoopBox &box) {
    extents = known;
    domain = box;
  }
  void allocate(llvm::ArrayRef<mlir::Value> tile, mlir::Value copies = {});
  /// Goes where this builder is.
  PipelineEmitter &at(const mlir::OpBuilder &builder) {
    b.restoreInsertionPoint(builder.saveInsertionPoint());
    return *this;
  }
  void useCopy(mlir::Value number);
  mlir::LogicalResult emitTile(const LoopBox &tile);
  void release();

private:
  mlir::LogicalResult learnExtents(FactsOfFunctions &facts);
  void place(const LoopBox &tile);
  int64_t getLine(mlir::Type element) const;
  int64_t getFirst(const PlannedStage &stage, mlir::Type element,
                   int64_t along) const;
  StageOperands getOperands(const PlannedStage &stage);
  mlir::Value isLarge();
  StageBoxes getBoxes(const PlannedStage &stage, const LoopBox &tile);
  mlir::LogicalResult
  fillHalos(const PlannedStage &stage, const StageBoxes &boxes,
            llvm::function_ref<mlir::LogicalResult(StageHalo &)> fill);
  mlir::LogicalResult emitNest(const PlannedStage &stage,
                               const StageBoxes &boxes, const LoopBox &box);
  mlir::LogicalResult emitStage(const PlannedStage &stage, const LoopBox &tile,
                                mlir::Value plane);

  LoopBuilder b;
  const Arithmetic &math;
  PipelineOp op;
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
