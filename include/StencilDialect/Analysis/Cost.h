//===- Cost.h - What an apply has to do per point ---------------*- C++ -*-===//
//
// Counts the operations, loads and bytes of the body of an apply, as the IR is
// written: dead code counts, equal operations count twice. What is the same at
// every point (constants, scalar arguments, arithmetic of these) is computed
// once for all and does not count.
//
// A body can have sums over the values that another value of it has at the
// neighbouring points: partial sums. They can be computed once per point and be
// kept for the neighbours, or computed anew for every one. Hence two counts:
// - shared: every value of the body is computed once per point;
// - alone: all that one point takes by itself, every value once for each
//   point at which it is needed.
// Without partial sums the two are the same.
//
//===----------------------------------------------------------------------===//

#ifndef STENCILDIALECT_ANALYSIS_COST_H
#define STENCILDIALECT_ANALYSIS_COST_H

#include "StencilDialect/IR/StencilOps.h"
#include "StencilDialect/Target/TargetInfo.h"

#include <optional>

namespace stencil {

/// Arithmetic, by kind. Negations, bitcasts and index arithmetic of offsets do
/// not count: hardware has them for nothing. A weighted sum of n taps is one
/// multiplication and n - 1 multiply-adds; where a weight is 1 or -1, an
/// addition less a multiplication. Taps of constant weight 0 are none.
struct OperationCount {
  /// Additions and subtractions; multiplications; both in one, which only
  /// contraction makes.
  uint64_t adds = 0, multiplies = 0, fmas = 0;
  uint64_t divisions = 0;
  /// Calls of elementary functions (`math`: exp, sqrt, ...).
  uint64_t functions = 0;
  /// Comparisons, selects, minima, maxima, conversions, logic.
  uint64_t others = 0;
  /// Loads from inputs.
  uint64_t loads = 0;
  /// Reads of a value of the body at another point.
  uint64_t partials = 0;

  /// All but the reads.
  uint64_t operations() const {
    return adds + multiplies + fmas + divisions + functions + others;
  }
  /// Floating-point (or integer) operations: an fma is two.
  uint64_t flops() const {
    return adds + multiplies + 2 * fmas + divisions + functions;
  }
  OperationCount &add(const OperationCount &other, uint64_t times = 1);
};

/// One input of an apply.
struct InputCost {
  unsigned index;
  /// Distinct points that are read to evaluate the body at one point; not known
  /// of a body that was too large to follow.
  std::optional<uint64_t> taps;
  /// Accesses and weighted sums that read it: with A * B of the normal form,
  /// its (operator, field) pairs.
  uint64_t readers = 0;
  /// Per point and element; 0 for an input of lower rank.
  uint64_t bytes = 0;
};

/// What one evaluation of the body takes. With `unroll` that is several points.
struct ApplyCost {
  uint64_t points = 1;
  OperationCount shared;
  /// Not known where the body was too large to follow.
  std::optional<OperationCount> alone;
  /// Those that are read, in order.
  llvm::SmallVector<InputCost> inputs;
  /// Distinct fields and values among them; results.
  unsigned fieldsRead = 0, fieldsWritten = 0;
  /// Of all inputs together; not known if one is not.
  std::optional<uint64_t> taps;
  /// Bytes per point that cannot be avoided: every field that is read, once,
  /// and every result.
  uint64_t bytesPerPoint = 0;
  /// Whether it computes in f64.
  bool isDouble = false;

  /// Flops (shared) per byte.
  double getIntensity() const;
};

/// Counts `apply` in either form. With `contract`, an addition and the
/// multiplication of which it is the only user are one fma. Of the two branches
/// of an `scf.if` the one with more operations counts; the body of an `scf.for`
/// as often as it runs, once if that is not a constant.
///
/// Takes time in proportion to the body and to the points at which its values
/// are needed; beyond a million of these only `shared` is known.
ApplyCost getApplyCost(ApplyOp apply, bool contract);

/// What a GPU allows, in points per second.
struct Roofline {
  /// Bytes per second, and flops per second of FMAs in the apply's type.
  double bandwidth, peak;
  /// Whether these are measured, not from the data sheet.
  bool isMeasured;
  double byMemory, byArithmetic;

  double getBound() const { return std::min(byMemory, byArithmetic); }
};

/// The bounds of an apply on a GPU: all compulsory bytes at the speed of a
/// copy, and all operations (shared) at the rate of FMAs, which an addition
/// takes the time of. None for a GPU of which that is not known.
std::optional<Roofline> getRoofline(const ApplyCost &cost,
                                    const TargetInfo &target);

} // namespace stencil

#endif // STENCILDIALECT_ANALYSIS_COST_H
