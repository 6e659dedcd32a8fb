//===- DiamondHalo.h - Halos of steps in diamonds ---------------*- C++ -*-===//

#ifndef STENCIL_LIB_CONVERSION_STENCILTOCPU_DIAMONDHALO_H
#define STENCIL_LIB_CONVERSION_STENCILTOCPU_DIAMONDHALO_H

#include "HaloSide.h"
#include "LoopNest.h"
#include "StencilDialect/IR/StencilOps.h"

namespace stencil {

/// Fills the halo of a step where points of the step have been computed: a
/// point of the halo that is that of a point of the box. Whoever reads it reads
/// that point as well, or has it between what it reads, and so comes later; and
/// earlier than what is computed there two steps later.
class DiamondHalo {
public:
  DiamondHalo(const mlir::OpBuilder &builder, BoundaryOp op,
              const Extents &extents, const LoopBox &box, mlir::Value memory)
      : b(op.getLoc(), builder), op(op), extents(extents), box(box),
        memory(memory), rank(op.getBounds().getRank()) {}

  mlir::LogicalResult fill();

private:
  using Body = llvm::function_ref<mlir::LogicalResult(mlir::Value coordinate,
                                                      mlir::Value source)>;

  int64_t getWidth(int64_t axis, bool upper);
  mlir::Value getEdge(int64_t axis, bool upper);
  HaloSide makeSide(int64_t axis, bool upper);
  mlir::LogicalResult forEachLayer(int64_t axis, bool upper, Body body);
  mlir::LogicalResult fillLayer(int64_t other);
  void fillPoint();

  LoopBuilder b;
  BoundaryOp op;
  const Extents &extents;
  const LoopBox &box;
  mlir::Value memory;
  int64_t rank;

  /// The layer that is filled, and the point of it so far.
  int64_t axis = 0;
  bool isUpper = false;
  mlir::Value source;
  llvm::SmallVector<mlir::Value> point;
};

} // namespace stencil

#endif // STENCIL_LIB_CONVERSION_STENCILTOCPU_DIAMONDHALO_H
