//===- BlockGrid.h - Which block computes which tile ------------*- C++ -*-===//

#ifndef STENCIL_LIB_CONVERSION_STENCILTOGPU_BLOCKGRID_H
#define STENCIL_LIB_CONVERSION_STENCILTOGPU_BLOCKGRID_H

#include "KernelBuilder.h"
#include "StencilDialect/Tile/Tile.h"

namespace stencil {

/// All offsets in a box from the origin, in steps.
llvm::SmallVector<llvm::SmallVector<int64_t>>
listOffsets(llvm::ArrayRef<int64_t> counts, llvm::ArrayRef<int64_t> steps);

/// The base point of a thread, or of one part of its work.
struct BasePoint {
  /// Coordinates, in the kernel's integer type.
  llvm::SmallVector<mlir::Value> coordinates;
  /// Largest power of two that divides the last coordinate.
  int64_t alignment = 1;
};

/// Cuts a box into tiles, one per block, which may reach beyond it.
class BlockGrid {
public:
  BlockGrid(KernelBuilder &kernel, tile::GridAttr grid)
      : kernel(kernel), math(kernel.math()), grid(grid) {}

  /// Blocks per axis, for the kernel; `total` gets the blocks of the grid, on
  /// the host.
  llvm::SmallVector<mlir::Value> countBlocks(mlir::Value &total);
  /// Position of this block along every axis.
  llvm::SmallVector<mlir::Value> findBlock(llvm::ArrayRef<mlir::Value> counts);
  /// The first coordinate of the tile at a position along an axis.
  mlir::Value getTileStart(int64_t axis, mlir::Value position);
  /// Planes of a segment of the axis that the kernel walks along.
  mlir::Value getSegmentLength();

  /// Whether as many points from `base` on lie in the box; null if they always
  /// do. The axis that the kernel walks along does not count.
  mlir::Value isInside(const BasePoint &base, llvm::ArrayRef<int64_t> points);

  /// Whether vectors of as many points lie in the box or outside of it.
  bool endsBetween(int64_t length) const;

  /// Loops over the points of a thread from `base` on, in steps; what is inside
  /// is built in the innermost one, for those in the box.
  BasePoint visitPoints(mlir::Location loc, const BasePoint &base,
                        llvm::ArrayRef<int64_t> steps);

  /// The power of two that divides the coordinate along the last axis at which
  /// a thread's points begin, multiples of `step` from where the tile does; and
  /// a tile.
  int64_t getAlignment(int64_t step) const;
  int64_t getTileAlignment() const {
    return getAlignment(grid.getStep(grid.getRank() - 1));
  }

private:
  std::optional<int64_t> getStart(int64_t axis) const;
  mlir::Value getExtent(const Arithmetic &math, BoundValue getBound,
                        int64_t axis) const;
  /// In the kernel.
  mlir::Value getExtent(int64_t axis) const {
    return getExtent(math, kernel.listBounds(), axis);
  }
  bool needsTest(int64_t axis, bool upper) const;
  mlir::Value countSegments(const Arithmetic &math, mlir::Value extent,
                            mlir::Value tiles) const;

  KernelBuilder &kernel;
  const Arithmetic math;
  tile::GridAttr grid;
  /// Planes of a segment, as the kernel is told them.
  mlir::Value cutLength;
};

} // namespace stencil

#endif // STENCIL_LIB_CONVERSION_STENCILTOGPU_BLOCKGRID_H
