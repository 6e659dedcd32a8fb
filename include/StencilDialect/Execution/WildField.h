//===- WildField.h - Values that show errors --------------------*- C++ -*-===//

#ifndef STENCILDIALECT_EXECUTION_WILDFIELD_H
#define STENCILDIALECT_EXECUTION_WILDFIELD_H

#include "StencilDialect/Support/Element.h"
#include "llvm/ADT/ArrayRef.h"

namespace stencil {

/// Elements of the array that `wild:SEED` makes, the same on every machine. A
/// sum of uniform numbers hides what is small in it: here, every weight and
/// every point of a boundary decides some result by itself.
///
/// A floating-point array is cut into tiles of 8 points per axis, each of one
/// of four sorts by its hash:
/// - one magnitude, 2^k, with random signs and mantissas (two tiles of four);
/// - a magnitude of its own for each point;
/// - a point source: one value among zeros of both signs.
/// Exponents k are between -E and E: E is 7 for f16, 30 for bf16 and f32, 80
/// for f64, so that squares, cubes and long sums of products stay finite.
///
/// Unless `finite`, one plane is NaN: across the axis and at the place that the
/// seed chooses, halo included; and one point each, off that plane where the
/// array has such points, is +inf and -inf.
///
/// Integers are the smallest and the largest of their type, 0, 1, -1, or any
/// bits; i1 is any bit.
class WildField {
public:
  WildField(uint64_t seed, bool finite, ElementKind kind,
            llvm::ArrayRef<int64_t> shape);

  /// Sets the elements [begin, end) of the array.
  void fill(void *data, int64_t begin, int64_t end) const;

private:
  double getNumber(int64_t index) const;
  int64_t getInteger(int64_t index) const;

  uint64_t stream;
  bool finite;
  ElementKind kind;
  llvm::ArrayRef<int64_t> shape;
  /// Where the NaN are: an axis, by the distance of its points in the array,
  /// and a coordinate.
  int64_t planeStride = 1, planeExtent = 1, plane = 0;
  /// Points that are infinite.
  int64_t positive = 0, negative = 0;
};

} // namespace stencil

#endif // STENCILDIALECT_EXECUTION_WILDFIELD_H
