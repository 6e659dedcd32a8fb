//===- SumFactoring.h - Partial sums that neighbours share ------*- C++ -*-===//
//
// A weighted sum over a box of taps is a tensor of weights. If the vectors of
// weights along an axis span a space of few dimensions, sums along that axis
// with a basis of the space are all that is needed of it, and neighbouring
// points share them (Tucker's decomposition). The basis is the reduced row
// echelon form: of a symmetric kernel the pair sums x[-k] + x[k] (BrickLib's
// array common subexpressions), of an antisymmetric one the differences, of a
// separable one (a Gaussian) one vector (LoRAStencil's low rank). The core of
// the decomposition are then weights of the sum itself.
//
// An example is the 125-point cube with 10 weights: 2 additions for the pair
// sums along x, 6 along y, 3 that join those with equal weights, 3 * 6 products
// and sums within a plane, 4 additions across planes: 33 operations per point.
//
//===----------------------------------------------------------------------===//

#ifndef STENCILDIALECT_ANALYSIS_SUMFACTORING_H
#define STENCILDIALECT_ANALYSIS_SUMFACTORING_H

#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"

#include <optional>
#include <string>
#include <vector>

namespace stencil {

/// A factor in a sum: a number, or one of the weights that are not known before
/// the run, with its sign.
struct FactorWeight {
  long double number = 1;
  /// Index of a weight; -1: `number`. Else `number` is 1 or -1.
  int64_t symbol = -1;

  bool isUnit() const { return symbol < 0 && (number == 1 || number == -1); }
  bool operator==(const FactorWeight &other) const {
    return number == other.number && symbol == other.symbol;
  }
};

/// The taps of a sum.
struct TapList {
  /// Axes of an offset.
  int64_t rank = 0;
  /// All coordinates of the first tap, then of the second, ...
  llvm::ArrayRef<int64_t> offsets;
  /// One per tap.
  std::vector<FactorWeight> weights;

  int64_t size() const { return weights.size(); }
  llvm::ArrayRef<int64_t> getOffset(int64_t tap) const {
    return offsets.slice(tap * rank, rank);
  }
};

/// A sum taken apart: steps, each of which computes one value at every point
/// from values of earlier steps. The last step is the sum.
struct FactoredSum {
  struct Term {
    /// An earlier step; -1: what the sum is over.
    int64_t source = -1;
    /// The value of `source` at this offset; empty: at the point itself.
    llvm::SmallVector<int64_t, 4> offset;
    FactorWeight weight;
  };
  /// The sum of its terms. Terms with an offset are all of one source.
  struct Step {
    std::vector<Term> terms;
    /// Products, sums, and both at once, are one operation each.
    int64_t countOperations() const;
    /// Those of them that multiply.
    int64_t countProducts() const;
  };
  std::vector<Step> steps;
  /// Sum of the absolute differences between the weights that are computed with
  /// and the given ones, over the sum of the absolute weights. It bounds the
  /// error relative to that sum times the largest value.
  long double error = 0;

  /// Operations per point if every step is computed once at every point, and
  /// those of them that multiply.
  int64_t countShared() const;
  int64_t countProducts() const;
  /// Operations per point if only `points` neighbours along axis 0 share what
  /// they compute.
  double countWithin(int64_t points) const;
};

/// How a sum may be taken apart.
struct FactoringLimits {
  /// Precision of the numbers; null: integers.
  const llvm::fltSemantics *semantics = nullptr;
  /// The largest `FactoredSum::error`.
  long double tolerance = 0;
  /// At most so many basis vectors per axis; 0: as many as the tolerance needs.
  int64_t rank = 0;
};

/// The decomposition with the fewest operations if all is shared; nothing, and
/// why, if there is none within the limits.
std::optional<FactoredSum> factorAlongAxes(const TapList &taps,
                                           const FactoringLimits &limits,
                                           std::string &reason);

/// Taps of equal weight are added first, then multiplied.
FactoredSum factorByWeight(const TapList &taps);

/// Operations of the sum as it is: a product and a sum at once are one. Those
/// of them that multiply.
int64_t countPlain(const TapList &taps);
int64_t countProducts(const TapList &taps);

} // namespace stencil

#endif // STENCILDIALECT_ANALYSIS_SUMFACTORING_H
