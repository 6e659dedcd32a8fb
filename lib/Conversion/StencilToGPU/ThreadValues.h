//===- ThreadValues.h - What a thread holds ---------------------*- C++ -*-===//

#ifndef STENCIL_LIB_CONVERSION_STENCILTOGPU_THREADVALUES_H
#define STENCIL_LIB_CONVERSION_STENCILTOGPU_THREADVALUES_H

#include "ThreadPoints.h"

namespace stencil {

/// The values that a thread holds, at the group of its points that is computed.
class ThreadValues {
public:
  explicit ThreadValues(TileBlock &block)
      : block(block), points(block, block.op) {}

  TileBlock &block;
  ThreadPoints points;

  /// The group that is computed.
  TilePoints &getGroup() const { return *group; }
  /// From here on, points of this group are computed. Returns the one before.
  TilePoints *setGroup(TilePoints &next) { return std::exchange(group, &next); }

  LaneValue get(mlir::Value value, TilePoint point) const;
  void set(mlir::Value value, const TilePoint &point, LaneValue held) {
    group->values[value][point] = held;
  }
  /// What is nowhere specified is this everywhere.
  void setPoison(mlir::Value value, mlir::Value held) { poisons[value] = held; }

  /// A point of the tile, in each plane of a value.
  llvm::SmallVector<TilePoint> listPlanes(mlir::Value value,
                                          TilePoint point) const;
  /// Calls `take` for each point of a value that a thread holds, in each plane,
  /// in its group.
  using TakeHeld = llvm::function_ref<void(const TilePoint &)>;
  void forEachHeld(mlir::Value value, TakeHeld take);

  /// The first of the points that are computed, in plane p.
  BasePoint getBase(mlir::Value plane) const;
  /// Where the thread's first point is in plane p + `plane`: an index.
  mlir::Value getRingBase(mlir::Value ring, mlir::Value cursor, int64_t plane);

  /// Per axis, how far from the thread's first point the one is that is being
  /// computed; empty where there is more than one.
  llvm::SmallVector<mlir::Value> onePoint;

private:
  TilePoints *group = nullptr;
  llvm::DenseMap<mlir::Value, mlir::Value> poisons;
};

/// The first of the points and those of its row that follow.
llvm::ArrayRef<TilePoint> takeRow(llvm::ArrayRef<TilePoint> points);

/// Whether a point is the first one of those that come in steps.
bool isFirstOf(llvm::ArrayRef<int64_t> point, llvm::ArrayRef<int64_t> steps);

/// A point that is some steps from another one.
TilePoint shiftPoint(llvm::ArrayRef<int64_t> point,
                     llvm::ArrayRef<int64_t> offset);

} // namespace stencil

#endif // STENCIL_LIB_CONVERSION_STENCILTOGPU_THREADVALUES_H
