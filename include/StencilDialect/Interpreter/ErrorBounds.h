//===- ErrorBounds.h - How far right results may be apart -------*- C++ -*-===//

#ifndef STENCILDIALECT_INTERPRETER_ERRORBOUNDS_H
#define STENCILDIALECT_INTERPRETER_ERRORBOUNDS_H

#include "StencilDialect/IR/MathMode.h"
#include "StencilDialect/Support/PointError.h"

#include <cstdint>
#include <vector>

namespace stencil {

/// A running error analysis (Wilkinson; Higham, Accuracy and Stability of
/// Numerical Algorithms, 2002, section 3.3) beside an interpretation: every
/// value v carries a number e such that a compiler that keeps to the math mode
/// makes a value within `factor` * e of v. The rules are in
/// docs/verification.md.
struct ErrorBounds {
  // What is asked.

  /// The freedom of the compiler.
  MathMode math = MathMode::Contract;
  /// How many units each rounding may be off: comparisons are decided or not at
  /// the bound that this makes.
  double factor = 5;
  /// The compiler's denormal numbers are zero.
  bool flushesDenormals = false;
  /// Under `reassociate`, results along each axis that the compiler may make
  /// together, by products of matrices: what one of them reads is multiplied by
  /// 0 for the others.
  int64_t patch = 1;

  // What comes out.

  /// Per argument, in the order of its elements; empty for scalars. Infinity
  /// where nothing is known. The sign bit is set where, under `reassociate`,
  /// the value may be not finite although the interpreter's is: a sum of which
  /// it is computed has NaN or an infinity within the box of its taps, or of
  /// those of its patch.
  std::vector<std::vector<PointError>> fields;
  /// Of scalar results.
  std::vector<double> results;
  /// Comparisons of numbers whose bounds overlap, at one point in one step
  /// each, and conversions to integers at an edge. What they decide is covered
  /// by the bound, whichever way they go.
  int64_t undecided = 0;
  /// The same outside of the bodies of applies, where only the branch that the
  /// interpreter takes is followed.
  int64_t undecidedBranches = 0;
};

} // namespace stencil

#endif // STENCILDIALECT_INTERPRETER_ERRORBOUNDS_H
