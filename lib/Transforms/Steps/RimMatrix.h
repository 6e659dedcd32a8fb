//===- RimMatrix.h - k steps next to a boundary, as a matrix ----*- C++ -*-===//
//
// Along one axis, k steps of a linear time loop are a linear function also next
// to a boundary: of the interior points within reach of the outermost ones, of
// the halo if that keeps its values, and of 1 if the step or the boundary
// condition adds a number. Each point has weights of its own.
//
// Columns, from the boundary inwards:
//
//   1, if anything is added | halo at odd levels | halo at even levels |
//   interior
//
// at the lower end; mirrored at the upper end. Level j is the state after j
// steps: the two fields of the loop have halos of their own.
//
//===----------------------------------------------------------------------===//

#ifndef STENCILDIALECT_LIB_TRANSFORMS_RIMMATRIX_H
#define STENCILDIALECT_LIB_TRANSFORMS_RIMMATRIX_H

#include "StencilDialect/IR/HaloRule.h"
#include "mlir/IR/BuiltinAttributes.h"

#include <map>
#include <vector>

namespace stencil {

/// The number rounded once to a type of floats.
llvm::APFloat roundNumber(long double number, mlir::Type type);

/// One step along an axis, seen from one end: offsets grow inwards.
struct RimStep {
  std::map<int64_t, long double> taps;
  long double constant = 0;
  /// Of the halo at this end, `reach` points wide; none that wraps.
  HaloRule rule;
  /// The rule's constant, rounded to the type of the field.
  long double value = 0;
  /// How far the step reads outwards and inwards.
  int64_t outwards = 0, inwards = 0;
};

struct RimMatrix {
  /// The outermost points, from the boundary inwards, and the interior points
  /// that they take.
  int64_t rows = 0, interior = 0;
  /// Points of the halo, of either kind of level; 0 if it does not keep values.
  int64_t halo = 0;
  bool hasConstant = false;
  /// Row by row.
  std::vector<long double> elements;

  int64_t getOutside() const { return 2 * halo + (hasConstant ? 1 : 0); }
  int64_t countColumns() const { return getOutside() + interior; }
};

/// How far the composed sum reads: `steps` times as far as a step, or less
/// where its ends are dropped.
struct RimReach {
  int64_t outwards = 0, inwards = 0;
};

/// Multiplications that the matrix of so many steps takes; 2^29 are a second.
uint64_t countRimProducts(const RimStep &step, int64_t steps,
                          const RimReach &reach);

/// Elements of that matrix, at most.
uint64_t countRimElements(const RimStep &step, const RimReach &reach);

/// The outermost points, as many as the reach outwards, after `steps` steps.
/// What is beyond the reach inwards of the innermost one is not followed.
RimMatrix makeRimMatrix(const RimStep &step, int64_t steps,
                        const RimReach &reach);

} // namespace stencil

#endif // STENCILDIALECT_LIB_TRANSFORMS_RIMMATRIX_H
