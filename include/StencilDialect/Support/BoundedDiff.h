//===- BoundedDiff.h - Comparison with a bound for each point ---*- C++ -*-===//

#ifndef STENCILDIALECT_SUPPORT_BOUNDEDDIFF_H
#define STENCILDIALECT_SUPPORT_BOUNDEDDIFF_H

#include "StencilDialect/Support/PointError.h"
#include "StencilDialect/Support/UlpDiff.h"

namespace stencil {

/// How a reference was made, and what is asked of a value.
struct PointBounds {
  /// Per point, as in PointError.h; null: every value is to be equal.
  const PointError *errors = nullptr;
  /// A value is right within `factor` times the error.
  uint64_t factor = 5;
  /// The reference is in 80-bit, if it is of floating point.
  bool isExtended = false;
  /// Where values are to be equal, -0 is not +0.
  bool distinguishesZeros = false;
};

/// Compares `count` elements of `kind` with a reference. In FieldDiff, `bad`
/// are the points beyond their bounds, `excused` those of which the bound says
/// nothing. NaN agrees with NaN, an infinity with itself.
FieldDiff compareWithBounds(ElementKind kind, const void *values,
                            const void *reference, int64_t count,
                            const PointBounds &bounds);

} // namespace stencil

#endif // STENCILDIALECT_SUPPORT_BOUNDEDDIFF_H
