//===- HaloSide.h - The halo on one side of a box ---------------*- C++ -*-===//

#ifndef STENCIL_LIB_CONVERSION_STENCILTOCPU_HALOSIDE_H
#define STENCIL_LIB_CONVERSION_STENCILTOCPU_HALOSIDE_H

#include "LoopNest.h"
#include "StencilDialect/IR/HaloRule.h"

namespace stencil {

/// Points of a halo with one coordinate along its axis.
struct HaloLayer {
  /// From 1, at the box; 0: it is not known.
  int64_t distance = 0;
  Value coordinate;
  /// Where the values are that it is made of, along the axis: of a copy one, of
  /// an extrapolation several, of a constant none.
  SmallVector<Value> sources;
};

/// The halo on one side of an axis: which points a layer is made of, and what
/// becomes of their values. What is kept is made of nothing.
class HaloSide {
public:
  /// Of a box that is [lb, ub) along the axis, with a halo of `width`.
  HaloSide(LoopBuilder &b, const HaloRule &rule, bool upper, Value lb, Value ub,
           int64_t width)
      : b(b), rule(rule), upper(upper), lb(lb), ub(ub), width(width) {}

  HaloLayer makeLayer(int64_t distance) const;
  /// The layer at a coordinate.
  HaloLayer makeLayerAt(Value coordinate) const;
  /// The value of a point of a layer, from those of its sources.
  Value makeValue(const HaloLayer &layer, ValueRange values,
                  Type element) const;

private:
  Value getEdge() const;
  Value extrapolateAt(Value coordinate, ValueRange values, Type element) const;

  LoopBuilder &b;
  HaloRule rule;
  bool upper;
  Value lb, ub;
  int64_t width;
};

} // namespace stencil

#endif // STENCIL_LIB_CONVERSION_STENCILTOCPU_HALOSIDE_H
