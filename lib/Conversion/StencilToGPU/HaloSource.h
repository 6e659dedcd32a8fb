//===- HaloSource.h - Where halo points have their values from --*- C++ -*-===//

#ifndef STENCIL_LIB_CONVERSION_STENCILTOGPU_HALOSOURCE_H
#define STENCIL_LIB_CONVERSION_STENCILTOGPU_HALOSOURCE_H

#include "StencilDialect/Conversion/Arithmetic.h"

namespace stencil {

/// One axis of a box, the conditions of its two sides, and how wide the halo is
/// there; lower side first.
struct HaloAxis {
  mlir::Value lb, ub;
  std::array<mlir::Attribute, 2> conditions;
  std::array<int64_t, 2> widths;
};

/// A point that is moved, axis by axis, to where it has its value from. The
/// halos of axes are filled in order, so the last axis comes first. Not for
/// extrapolation, which combines several values.
class HaloSource {
public:
  HaloSource(mlir::OpBuilder &builder, mlir::Location loc,
             mlir::Type elementType, llvm::ArrayRef<mlir::Value> point)
      : point(point), builder(builder), loc(loc), elementType(elementType) {}

  /// If the point is in the halo of this axis, moves it.
  void follow(const Arithmetic &math, int64_t axis, const HaloAxis &along);
  /// The value of the halo point, given that of where it has been moved to.
  mlir::Value finish(mlir::Value loaded) const;

  /// Where the point is now; a point of the interior, also where the value does
  /// not depend on it, or of a halo that is kept.
  llvm::SmallVector<mlir::Value> point;
  /// Whether the value is a constant, and has the other sign; null if never.
  mlir::Value isFixed, isNegated;

private:
  void join(mlir::Value &flag, mlir::Value here) const;

  mlir::OpBuilder &builder;
  mlir::Location loc;
  mlir::Type elementType;
  mlir::Value fixed, isKept;
};

} // namespace stencil

#endif // STENCIL_LIB_CONVERSION_STENCILTOGPU_HALOSOURCE_H
