//===- BoundaryMath.h - Values of halo points -------------------*- C++ -*-===//

#ifndef STENCILDIALECT_CONVERSION_BOUNDARYMATH_H
#define STENCILDIALECT_CONVERSION_BOUNDARYMATH_H

#include "StencilDialect/Conversion/Arithmetic.h"
#include "StencilDialect/IR/StencilAttrs.h"

namespace stencil {

/// The value of a condition (HaloRule::value) in the element type of the field.
mlir::TypedAttr convertNumber(mlir::TypedAttr number, Type elementType);

/// #stencil.dirichlet with the zero of an element type.
DirichletAttr getZeroCondition(Type elementType);

/// The coordinate that a halo point takes its value from, along an axis whose
/// interior is [lb, ub), by a rule that wraps, or takes that of a point. `halo`
/// is the width of the halo on this side.
Value getBoundarySource(const Arithmetic &math, const HaloRule &rule,
                        bool upper, Value lb, Value ub, int64_t halo,
                        Value coordinate);

/// The value with the other sign.
Value negate(OpBuilder &builder, Location loc, Value value);

/// The weight of interior point `node`, counted from the boundary inwards, in
/// halo layer `layer` = 1, 2, ... of an extrapolation: the polynomial through
/// the interior points 0..order at -layer, so the Lagrange weights are the
/// integers prod_{l != j} (-m - l) / (j - l).
double getExtrapolationWeight(int64_t order, int64_t layer, int64_t node);

/// The sum of values times their weights, in the order of the values.
Value extrapolate(OpBuilder &builder, Location loc, ValueRange values,
                  int64_t order, int64_t layer);

} // namespace stencil

#endif // STENCILDIALECT_CONVERSION_BOUNDARYMATH_H
