//===- StageNest.h - The loops of one stage of a pipeline -------*- C++ -*-===//

#ifndef STENCIL_LIB_CONVERSION_STENCILTOCPU_STAGENEST_H
#define STENCIL_LIB_CONVERSION_STENCILTOCPU_STAGENEST_H

#include "NestEmitter.h"

namespace stencil {

/// Where a thread keeps what a stage makes of a tile and its halo: along the
/// axis of a walk some planes, each at its number modulo theirs.
struct StageBuffer {
  /// A memref of the pipeline's rank.
  mlir::Value memory;
  std::optional<int64_t> axis;
  int64_t planes = 1;
  /// The point, or first plane, at index 0 along each axis.
  llvm::SmallVector<mlir::Value> origin;

  /// The indices of the point that is `offset`, and `further` where there is
  /// more, from `point`.
  llvm::SmallVector<mlir::Value>
  getIndices(LoopBuilder &b, mlir::ValueRange point,
             llvm::ArrayRef<int64_t> offset,
             llvm::ArrayRef<mlir::Value> further = {}) const;
};

/// What the operands and results of a stage are when its loops are made.
struct StageOperands {
  /// Memrefs of loads, and scalars; of what other stages make: null.
  llvm::SmallVector<mlir::Value> args;
  /// Of what other stages make, by the operand's number.
  llvm::SmallVector<const StageBuffer *> kept;
  /// Per result: where it is kept, or null; and the fields that it is stored
  /// to.
  llvm::SmallVector<const StageBuffer *> results;
  llvm::SmallVector<llvm::SmallVector<std::pair<GridType, mlir::Value>, 1>>
      stores;
  /// How far the rows of a stage that is kept begin before those that are
  /// stored, which are aligned in its buffer; nothing if that depends on the
  /// tile.
  std::optional<int64_t> margin;
};

/// Emits the loops of a stage over a box, or one plane of it.
class StageNest : public NestEmitter {
public:
  StageNest(const mlir::OpBuilder &builder, ApplyOp op,
            const StageOperands &operands, const Extents &known, MathMode mode)
      : NestEmitter(builder, op, operands.args, {}, mode), operands(operands) {
    extents = known;
  }

  /// Whether what it stores can be written around the cache, which takes rows
  /// one by one.
  bool canStoreAround();
  mlir::LogicalResult emitBox(const LoopBox &box, bool stream) {
    return emitTile(box, stream);
  }

private:
  std::unique_ptr<InputReader> makeReader(int64_t lanes) override;
  llvm::SmallVector<Place, 1>
  findPlaces(unsigned result, mlir::ValueRange point,
             llvm::ArrayRef<int64_t> position) override;
  bool isAligned() const override;
  mlir::Value countToAlignment(mlir::ValueRange point) override;

  const StageOperands &operands;
};

} // namespace stencil

#endif // STENCIL_LIB_CONVERSION_STENCILTOCPU_STAGENEST_H
