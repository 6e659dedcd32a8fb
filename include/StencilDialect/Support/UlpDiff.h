//===- UlpDiff.h - Distances in units in the last place ---------*- C++ -*-===//
//
// The rule that decides whether a result is right (Pekkilä, Astaroth): every
// point is within N ULP of the reference, or off by less than the machine
// epsilon times the smallest magnitude in the reference field.
//
//===----------------------------------------------------------------------===//

#ifndef STENCILDIALECT_SUPPORT_ULPDIFF_H
#define STENCILDIALECT_SUPPORT_ULPDIFF_H

#include "StencilDialect/Support/Element.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"

#include <cstdint>
#include <string>

namespace stencil {

/// The outcome of comparing two arrays.
struct FieldDiff {
  ElementKind kind = ElementKind::F64;
  int64_t points = 0;
  /// Points that break the rule. The result is right if there are none.
  int64_t bad = 0;
  /// The bad point that is farthest off; without one, the point that is
  /// farthest off in ULP; -1 if the arrays are equal (+0 equals -0).
  int64_t worst = -1;
  /// The values at the worst point and their distance in ULP: infinity if one
  /// of them is NaN or infinite and the other one is not the same.
  long double worstValue = 0;
  long double worstReference = 0;
  double worstUlp = 0;
  /// The largest distance of any point, also of those that are right because
  /// their absolute difference is small.
  double maxUlp = 0;
  /// The bound that was asked for, and eps * min|reference|.
  uint64_t allowedUlp = 0;
  double allowedAbsolute = 0;
  /// What was asked for beyond the rule: points are also right that are off by
  /// at most this many machine epsilons of the largest finite magnitude in the
  /// reference, as many as `excused`. For fields that cross zero, where terms
  /// that cancel leave their rounding errors behind. The magnitude is known
  /// only if a point is beyond allowedUlp.
  double allowedScale = 0;
  double largest = 0;
  int64_t excused = 0;
  /// Of a comparison with a bound for each point (BoundedDiff.h): points whose
  /// value is not finite, as it may be; points of the reference that are not
  /// finite; the bound at the worst point; whether any point may be off at all.
  int64_t spread = 0;
  int64_t notFinite = 0;
  double worstBound = 0;
  bool isBounded = false;
  /// The largest absolute difference of a bad point; infinity if that is
  /// infinite, 0 if there is none but NaN.
  double maxAbsolute = 0;

  bool isRight() const { return bad == 0; }
};

/// Compares `count` elements of `kind` with a reference of the same kind. One
/// ULP is one step to the next value of the kind; +0 and -0 are the same value,
/// NaN agrees with NaN, an infinity with itself only. Integers must be equal
/// (and count their difference as ULP).
FieldDiff compareFields(ElementKind kind, const void *values,
                        const void *reference, int64_t count,
                        uint64_t allowedUlp = 5, double allowedScale = 0);

/// Compares with a reference in 80-bit. One ULP is the spacing of `kind` at the
/// reference, so distances are fractions. A reference that rounds to infinity
/// in `kind` agrees with that infinity. Integers must be equal.
FieldDiff compareFieldsWithF80(ElementKind kind, const void *values,
                               const long double *reference, int64_t count,
                               uint64_t allowedUlp = 5,
                               double allowedScale = 0);

/// Steps between two values of a float kind given as bit patterns; UINT64_MAX
/// if only one is NaN or if they are different and one is infinite.
uint64_t getUlpDistance(ElementKind kind, uint64_t a, uint64_t b);

/// The coordinates of a linear index in a row-major array.
llvm::SmallVector<int64_t, 4> delinearize(int64_t index,
                                          llvm::ArrayRef<int64_t> shape);

/// One line on a diff with bad points, with coordinates that start at `origin`
/// (empty: at zero):
///   17 of 4096 points differ by more than 5 ULP; the worst is [3, 4]: expected
///   1.5, got 1.6 (450359962737050 ULP)
std::string describeDiff(const FieldDiff &diff, llvm::ArrayRef<int64_t> shape,
                         llvm::ArrayRef<int64_t> origin = {});

} // namespace stencil

#endif // STENCILDIALECT_SUPPORT_ULPDIFF_H
