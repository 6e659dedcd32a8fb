//===- TensorBasis.h - Bases of the vectors of a tensor ---------*- C++ -*-===//

#ifndef STENCIL_LIB_ANALYSIS_TENSORBASIS_H
#define STENCIL_LIB_ANALYSIS_TENSORBASIS_H

#include "llvm/ADT/SmallVector.h"

#include <vector>

namespace stencil {

/// A dense tensor, the last axis contiguous.
struct Tensor {
  llvm::SmallVector<int64_t, 4> shape;
  std::vector<long double> values;

  int64_t getStride(int64_t axis) const;
};

/// Vectors that span those of a tensor along an axis, in reduced row echelon
/// form: at `pivots[i]`, vector i is 1 and all others are 0.
struct AxisBasis {
  std::vector<std::vector<long double>> vectors;
  std::vector<int64_t> pivots;

  /// Every position is a pivot: nothing is computed along the axis.
  static AxisBasis getIdentity(int64_t extent);
};

/// The smallest basis of the vectors along `axis` that leaves out no more than
/// `tolerance` times the Euclidean norm of the tensor, and of at most `rank`
/// vectors (0: any number), by a singular value decomposition. The tensor is
/// projected to what the basis spans.
AxisBasis findBasis(Tensor &tensor, int64_t axis, long double tolerance,
                    int64_t rank);

} // namespace stencil

#endif // STENCIL_LIB_ANALYSIS_TENSORBASIS_H
