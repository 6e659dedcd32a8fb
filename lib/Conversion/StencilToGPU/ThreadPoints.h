//===- ThreadPoints.h - Which points a thread has ---------------*- C++ -*-===//

#ifndef STENCIL_LIB_CONVERSION_STENCILTOGPU_THREADPOINTS_H
#define STENCIL_LIB_CONVERSION_STENCILTOGPU_THREADPOINTS_H

#include "StencilDialect/Tile/ValueLayouts.h"
#include "TileBlock.h"
#include "llvm/ADT/MapVector.h"

namespace stencil {

using TilePoint = std::vector<int64_t>;
/// The values that a thread holds, by tile coordinates less those of its first
/// point; along the walk, by the plane.
using TileValues = std::map<TilePoint, LaneValue>;

/// Points of a thread at which stages are computed, and what it holds there:
/// its own of the tile, or one of those beside it.
struct TilePoints {
  /// That of each thread's own points is 0.
  unsigned number = 0;
  /// Offsets from the first point, in plane 0.
  std::vector<TilePoint> points;
  /// Points side by side along each axis.
  llvm::SmallVector<int64_t> counts;
  /// Points along the last axis, a multiple of which is between the beginning
  /// of the tile and the first point.
  int64_t step = 1;
  /// Per axis: where the first point is, from the beginning of the tile on.
  llvm::SmallVector<mlir::Value> position;
  /// Whether this thread has such points; null: all threads have.
  mlir::Value exists;
  /// The position is one of them for threads that have such points only.
  bool isElsewhere = false;
  llvm::DenseMap<mlir::Value, TileValues> values;

  bool isOwn() const { return number == 0; }
  /// The power of two that divides it.
  int64_t getAlignment() const { return step & -step; }
};

/// The points of a thread: its own of the tile, and its share of what is beside
/// the tile.
class ThreadPoints {
public:
  ThreadPoints(TileBlock &block, tile::KernelOp op)
      : block(block), layouts(op) {}

  /// The thread's own points.
  TilePoints &addOwn();
  /// Where a point is in each ring, once those have their places.
  void placeInRings(const TilePoints &points);
  /// Deals out what is beside the tile.
  void addRims();

  TilePoints &getOwn() { return *groups.front(); }
  /// What a thread holds of a value beside the tile.
  llvm::ArrayRef<TilePoints *> getRim(mlir::Value value);
  /// What it has of a layout, which has a rim.
  llvm::ArrayRef<TilePoints *> getRim(tile::CoreAndRimAttr layout) {
    return rims[layout];
  }
  /// The layouts of what threads hold, as the kernel has them.
  const tile::ValueLayouts &getLayouts() const { return layouts; }

private:
  void placeByLayout(TilePoints &own, tile::LayoutAttr layout);
  void addRim(tile::CoreAndRimAttr layout);
  llvm::SmallVector<mlir::Value> findRimPoint(tile::CoreAndRimAttr layout,
                                              mlir::Value number, int64_t first,
                                              int64_t end);
  void addRimPoints(tile::CoreAndRimAttr layout,
                    llvm::ArrayRef<mlir::Value> position, int64_t length,
                    mlir::Value exists, bool isElsewhere);

  TileBlock &block;
  tile::ValueLayouts layouts;
  std::vector<std::unique_ptr<TilePoints>> groups;
  /// By layout: what is beside the tile, dealt out to the threads.
  llvm::MapVector<mlir::Attribute, llvm::SmallVector<TilePoints *>> rims;
};

} // namespace stencil

#endif // STENCIL_LIB_CONVERSION_STENCILTOGPU_THREADPOINTS_H
