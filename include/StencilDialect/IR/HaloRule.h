//===- HaloRule.h - What a boundary condition does --------------*- C++ -*-===//

#ifndef STENCILDIALECT_IR_HALORULE_H
#define STENCILDIALECT_IR_HALORULE_H

#include "mlir/IR/BuiltinAttributeInterfaces.h"

#include <algorithm>

namespace stencil {

/// What a boundary condition puts into the halo on one side of an axis. Points
/// are counted from the outermost interior one: d = 1, 2, ... are those of the
/// halo, outwards; i = 0, 1, ... those of the interior, inwards.
struct HaloRule {
  enum class Kind {
    /// The halo is left as it is.
    Keep,
    /// The interior, as if it were repeated: on both sides of an axis.
    Wrap,
    /// `value`, converted to the type of the field.
    Value,
    /// That of interior point i = first + step d, maybe with the other sign.
    Point,
    /// The polynomial of degree `order` through the interior points 0 to order.
    Polynomial
  };

  /// The weights of a polynomial grow like binomial coefficients.
  static constexpr int64_t kMaxOrder = 8;
  /// Of `first`, either way, and of `step`: so no coordinate overflows.
  static constexpr int64_t kMaxDistance = int64_t(1) << 20;

  static HaloRule keep() { return {}; }
  static HaloRule wrap() { return {Kind::Wrap}; }
  static HaloRule constant(mlir::TypedAttr value) {
    return {Kind::Value, value};
  }
  static HaloRule point(int64_t first, int64_t step, bool isNegated = false) {
    return {Kind::Point, {}, first, step, isNegated};
  }
  static HaloRule polynomial(int64_t order) {
    return {Kind::Polynomial, {}, 0, 0, false, order};
  }

  bool isKept() const { return kind == Kind::Keep; }
  bool wraps() const { return kind == Kind::Wrap; }
  bool isConstant() const { return kind == Kind::Value; }
  bool isPolynomial() const { return kind == Kind::Polynomial; }
  /// No step changes it.
  bool isFixed() const { return isKept() || isConstant(); }
  /// A point takes its value, as it is, from one other.
  bool isCopy() const { return wraps() || (kind == Kind::Point && !isNegated); }
  /// The interior point that halo point `distance` is that of.
  int64_t getPoint(int64_t distance) const { return first + step * distance; }
  /// How many interior points a halo of this width, one or more, is made of, if
  /// these are next to it; none if it is a constant, kept, or wraps.
  int64_t countSources(int64_t halo) const {
    if (isPolynomial())
      return order + 1;
    return kind == Kind::Point ? std::max(getPoint(1), getPoint(halo)) + 1 : 0;
  }
  /// How many points the interior must have.
  int64_t countInterior(int64_t halo) const {
    return std::max<int64_t>(1, halo > 0 || isPolynomial() ? countSources(halo)
                                                           : 0);
  }

  /// Whether a halo that is read `reach` points far is made of copies of points
  /// that are no farther inside: who reads one of its points has the other one
  /// no farther away.
  bool isOfNearPoints(int64_t reach) const {
    if (kind != Kind::Point)
      return isFixed();
    auto isNear = [&](int64_t distance) {
      return getPoint(distance) >= 0 && getPoint(distance) <= reach;
    };
    // What nobody reads may be anywhere.
    return reach == 0 || (isNear(1) && isNear(reach));
  }

  Kind kind = Kind::Keep;
  mlir::TypedAttr value = {};
  int64_t first = 0, step = 0;
  bool isNegated = false;
  int64_t order = 0;
};

} // namespace stencil

#endif // STENCILDIALECT_IR_HALORULE_H
