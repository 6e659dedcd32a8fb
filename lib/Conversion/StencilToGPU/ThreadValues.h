//===- ThreadValues.h - What a thread holds ---------------------*- C++ -*-===//

#ifndef STENCIL_LIB_CONVERSION_STENCILTOGPU_THREADVALUES_H
#define STENCIL_LIB_CONVERSION_STENCILTOGPU_THREADVALUES_H

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
  SmallVector<int64_t> counts;
  /// Points along the last axis, a multiple of which is between the beginning
  /// of the tile and the first point.
  int64_t step = 1;
  /// Per axis: where the first point is, from the beginning of the tile on.
  SmallVector<Value> position;
  /// Whether this thread has such points; null: all threads have.
  Value exists;
  /// The position is one of them for threads that have such points only.
  bool isElsewhere = false;
  DenseMap<Value, TileValues> values;

  bool isOwn() const { return number == 0; }
  /// The power of two that divides it.
  int64_t getAlignment() const { return step & -step; }
};

/// The points of a thread: its own of the tile, and its share of what is beside
/// the tile.
class ThreadPoints {
public:
  ThreadPoints(TileBlock &block, tile::KernelOp op)
      : block(block), math(block.math), layouts(op) {}

  /// The thread's own points.
  TilePoints &addOwn();
  /// Where a point is in each ring, once those have their places.
  void placeInRings(const TilePoints &points);
  /// Deals out what is beside the tile.
  void addRims();

  TilePoints &getOwn() { return *groups.front(); }
  /// What a thread holds of a value beside the tile.
  ArrayRef<TilePoints *> getRim(Value value);
  /// What it has of a layout, which has a rim.
  ArrayRef<TilePoints *> getRim(tile::CoreAndRimAttr layout) {
    return rims[layout];
  }
  /// The layouts of what threads hold, as the kernel has them.
  const tile::ValueLayouts &getLayouts() const { return layouts; }

private:
  void placeByLayout(TilePoints &own, tile::LayoutAttr layout);
  void addRim(tile::CoreAndRimAttr layout);
  SmallVector<Value> findRimPoint(tile::CoreAndRimAttr layout, Value number,
                                  int64_t first, int64_t end);
  void addRimPoints(tile::CoreAndRimAttr layout, ArrayRef<Value> position,
                    int64_t length, Value exists, bool isElsewhere);

  TileBlock &block;
  const Arithmetic &math;
  tile::ValueLayouts layouts;
  std::vector<std::unique_ptr<TilePoints>> groups;
  /// By layout: what is beside the tile, dealt out to the threads.
  llvm::MapVector<mlir::Attribute, SmallVector<TilePoints *>> rims;
};

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

  LaneValue get(Value value, TilePoint point) const;
  void set(Value value, const TilePoint &point, LaneValue held) {
    group->values[value][point] = held;
  }
  /// What is nowhere specified is this everywhere.
  void setPoison(Value value, Value held) { poisons[value] = held; }

  /// A point of the tile, in each plane of a value.
  SmallVector<TilePoint> listPlanes(Value value, TilePoint point) const;
  /// Calls `take` for each point of a value that a thread holds, in each plane,
  /// in its group.
  using TakeHeld = function_ref<void(const TilePoint &)>;
  void forEachHeld(Value value, TakeHeld take);

  /// The first of the points that are computed, in plane p.
  BasePoint getBase(Value plane) const;
  /// Where the thread's first point is in plane p + `plane`: an index.
  Value getRingBase(Value ring, Value cursor, int64_t plane);

  /// Per axis, how far from the thread's first point the one is that is being
  /// computed; empty where there is more than one.
  SmallVector<Value> onePoint;

private:
  TilePoints *group = nullptr;
  DenseMap<Value, Value> poisons;
};

/// The first of the points and those of its row that follow.
ArrayRef<TilePoint> takeRow(ArrayRef<TilePoint> points);

/// Whether a point is the first one of those that come in steps.
bool isFirstOf(ArrayRef<int64_t> point, ArrayRef<int64_t> steps);

/// A point that is some steps from another one.
TilePoint shiftPoint(ArrayRef<int64_t> point, ArrayRef<int64_t> offset);

/// The conditions under which something is done at the thread's points, those
/// of the group that is computed.
class ThreadGuards {
public:
  explicit ThreadGuards(const ThreadValues &held)
      : block(held.block), math(block.math), group(held.getGroup()) {}

  /// Whether some of a thread's rows are among those that the block stores, and
  /// others are not.
  bool splitsRows() const;
  /// Whether the thread's points from this one on, all of them or those of its
  /// row, are among those that the block stores; null if all are.
  Value isInner(const TilePoint &point) const;
  /// Whether as many points from `base` on are ones that the ops of a
  /// tile.where are for; null if they always are.
  Value isWhere(BoundsAttr needs, ArrayRef<int64_t> points,
                const BasePoint &base) const;
  /// Whether the plane of the stages in a tile.where is one that somebody in
  /// this segment needs.
  Value isPlane(tile::WhereOp where) const;
  /// The condition for the points of the rim that a box has; null if it has
  /// all.
  Value isInRim(BoundsAttr box, tile::CoreAndRimAttr layout) const;

private:
  TileBlock &block;
  const Arithmetic &math;
  const TilePoints &group;
};

} // namespace stencil

#endif // STENCIL_LIB_CONVERSION_STENCILTOGPU_THREADVALUES_H
