//===- HaloFrame.h - What a block reads beyond a box ------------*- C++ -*-===//

#ifndef STENCIL_LIB_CONVERSION_STENCILTOGPU_HALOFRAME_H
#define STENCIL_LIB_CONVERSION_STENCILTOGPU_HALOFRAME_H

#include "StencilDialect/Conversion/Arithmetic.h"
#include "StencilDialect/IR/PipelinePlan.h"
#include "TileBlock.h"

namespace stencil {

/// One axis of a box, the conditions of its two sides, and how wide the halo is
/// there; lower side first.
struct HaloAxis {
  Value lb, ub;
  std::array<mlir::Attribute, 2> conditions;
  std::array<int64_t, 2> widths;
};

/// A point that is moved, axis by axis, to where it has its value from. The
/// halos of axes are filled in order, so the last axis comes first. Not for
/// extrapolation, which combines several values.
class HaloSource {
public:
  HaloSource(KernelBuilder &kernel, Type elementType, ArrayRef<Value> point)
      : point(point), b(kernel.body()), math(kernel.math()),
        elementType(elementType) {}

  /// If the point is in the halo of this axis, moves it.
  void follow(int64_t axis, const HaloAxis &along);
  /// The value of the halo point, given that of where it has been moved to.
  Value finish(Value loaded) const;

  /// Where the point is now; a point of the interior, also where the value does
  /// not depend on it, or of a halo that is kept.
  SmallVector<Value> point;
  /// Whether the value is a constant, and has the other sign; null if never.
  Value isFixed, isNegated;

private:
  ImplicitLocOpBuilder &b;
  Arithmetic math;
  Type elementType;
  Value fixed, isKept;
};

/// A box, the conditions around it, and what a block needs of the two.
class HaloFrame {
public:
  /// Points of `needs` around each one that is stored are needed.
  HaloFrame(TileBlock &block, BoundsAttr needs, tile::BoundaryAttr boundary);

  int64_t getRank() const { return block.tiles.getRank(); }
  TileBlock &getBlock() const { return block; }
  const OffsetBox &getNeeds() const { return needs; }
  mlir::Attribute getCondition(int64_t axis, bool upper) const {
    return boundary.getCondition(axis, upper);
  }
  /// Points beyond a side that somebody reads.
  int64_t getReach(int64_t axis, bool upper) const {
    return upper ? reach.upper[axis] : reach.lower[axis];
  }
  /// Whether values beyond a side are others than those in memory.
  bool isChanged(int64_t axis, bool upper) const;
  /// Points of the tile and of what is needed around it.
  int64_t getSpan(int64_t axis) const;
  /// The first of them.
  Value getStart(int64_t axis) const;
  HaloAxis getAxis(int64_t axis) const;

  /// Whether this block reads beyond the box on a side that has a condition;
  /// null if none does.
  Value findEdge() const;
  /// Whether somebody in this segment reads a plane.
  Value isNeeded(Value plane) const;
  /// The plane from which plane `plane` has its values.
  Value getSourcePlane(Type elementType, Value plane) const;

private:
  TileBlock &block;
  const Arithmetic &math;
  OffsetBox needs, reach;
  tile::BoundaryAttr boundary;
};

} // namespace stencil

#endif // STENCIL_LIB_CONVERSION_STENCILTOGPU_HALOFRAME_H
