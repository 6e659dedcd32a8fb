//===- DerivativeWeights.h - Finite differences, exactly --------*- C++ -*-===//
//
// Offsets and weights of derivatives on a uniform grid, as exact fractions: for
// front ends that make weighted sums of them, and for tests. Knows no MLIR.
//
// In one dimension the weights are those of Fornberg (Generation of Finite
// Difference Formulas on Arbitrarily Spaced Grids, Math. Comp. 51 (1988)
// 699-706, tables 1 to 3): the derivative of the polynomial through the nodes.
// They are computed here from Lagrange's formula in integers. Mixed derivatives
// come in two forms, see getDerivative and getDiagonalDerivative.
//
// Weights are for a spacing of 1. On another grid each is divided by the
// spacing of an axis as often as that axis is differentiated:
// DerivativeWeights::scale does.
//
//===----------------------------------------------------------------------===//

#ifndef STENCILDIALECT_SUPPORT_DERIVATIVEWEIGHTS_H
#define STENCILDIALECT_SUPPORT_DERIVATIVEWEIGHTS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/Error.h"

#include <cstdint>

namespace stencil {

/// An exact number: in lowest terms, the denominator positive.
struct Fraction {
  int64_t numerator = 0;
  int64_t denominator = 1;

  /// The nearest double where both are below 2^53, as those of all derivatives
  /// up to the fourth and of order up to 8 are.
  double toDouble() const {
    return static_cast<double>(numerator) / static_cast<double>(denominator);
  }
  friend bool operator==(const Fraction &a, const Fraction &b) {
    return a.numerator == b.numerator && a.denominator == b.denominator;
  }
  friend bool operator!=(const Fraction &a, const Fraction &b) {
    return !(a == b);
  }
};

/// A derivative as a weighted sum over a neighbourhood. Taps are sorted by
/// offset, the last axis fastest; none has weight zero.
struct DerivativeWeights {
  /// How often each axis is differentiated: [0, 1, 1] is d2/dydz of (x, y, z).
  llvm::SmallVector<unsigned> derivatives;
  /// Per tap, an entry per axis.
  llvm::SmallVector<llvm::SmallVector<int64_t>> offsets;
  /// Per tap, of spacing 1.
  llvm::SmallVector<Fraction> weights;

  /// What the weights are multiplied with on a grid with this spacing per axis:
  /// the product of spacing[a]^-derivatives[a].
  double scale(llvm::ArrayRef<double> spacing) const;
};

/// The weights with which values at the nodes add up to a derivative at 0. The
/// nodes are integers in units of the spacing, distinct, in any order and
/// anywhere: central (-1, 0, 1), one-sided (0, 1, 2), and, in units of half the
/// spacing, staggered (-1, 1). They differentiate polynomials of a degree below
/// the number of nodes exactly. A weight may be 0.
///
/// Fails if there are not more nodes than the derivative, if two are the same,
/// or if a weight is no fraction of 64-bit integers.
llvm::Expected<llvm::SmallVector<Fraction>>
getFornbergWeights(unsigned derivative, llvm::ArrayRef<int64_t> nodes);

/// A central derivative with an error of O(spacing^accuracy): along each axis
/// `a` the derivatives[a]-th, mixed ones as the product of derivatives along
/// one axis each. d2/dxdy of order 6 has 36 taps: all pairs of 6 and 6.
///
/// Fails unless the accuracy is even and positive and something is
/// differentiated, and where a weight is no fraction of 64-bit integers; up to
/// the fourth derivative along an axis and order 8 it is one.
llvm::Expected<DerivativeWeights>
getDerivative(llvm::ArrayRef<unsigned> derivatives, unsigned accuracy);

/// d2/dadb of two axes from second derivatives along both diagonals of their
/// plane: the second derivative along (1, 1) less the one along (1, -1) is 4
/// times the mixed one. 12 taps in order 6 instead of 36, all on the diagonals:
/// with the first and second derivatives of three axes they make a
/// neighbourhood of 55 points. The form of the Pencil Code and Astaroth
/// (Pekkila's thesis of 2019, eq. 3.19).
///
/// Fails as getDerivative, and if the axes are the same or not below the rank.
llvm::Expected<DerivativeWeights> getDiagonalDerivative(unsigned rank,
                                                        unsigned firstAxis,
                                                        unsigned secondAxis,
                                                        unsigned accuracy);

} // namespace stencil

#endif // STENCILDIALECT_SUPPORT_DERIVATIVEWEIGHTS_H
