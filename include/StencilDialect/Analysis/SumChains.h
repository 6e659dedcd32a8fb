//===- SumChains.h - Sums that are weighted sums as written -----*- C++ -*-===//

#ifndef STENCILDIALECT_ANALYSIS_SUMCHAINS_H
#define STENCILDIALECT_ANALYSIS_SUMCHAINS_H

#include "StencilDialect/Analysis/LinearForm.h"
#include "StencilDialect/IR/MathMode.h"
#include "StencilDialect/IR/StencilOps.h"

namespace stencil {

/// Products of values of one input, added one after the other: ops that do
/// exactly what a weighted sum does.
struct SumChain {
  /// A weight is a number, or a scalar with a sign.
  struct Weight {
    std::optional<Number> number;
    Value scalar;
    bool isNegated = false;
  };
  TapSource source;
  SmallVector<int64_t> offsets;
  SmallVector<Weight> weights;
  mlir::arith::FastMathFlags flags = mlir::arith::FastMathFlags::fast;
  /// The op whose result is the sum.
  Operation *last = nullptr;
};

/// Finds the longest such chains in the body of an apply, in the order of the
/// program. Exact, so that no op needs the permission to reassociate:
///
///   ((w0 * x0 + w1 * x1) + w2 * x2) - w3 * x3
///
/// where weights are constants or scalars that are the same at all points.
/// Adds commute; -(w x) is (-w) x; x / 2^k is x * 2^-k; fma(w, x, sum) is a
/// product and a sum, if products may be contracted. A chain begins with the
/// first two products or with a weighted sum. It ends before a product with
/// another input or with a point that it has already, before the constant zero
/// (zero times infinity is not nothing), and where a sum has other users.
///
/// Linear in the size of the body.
std::vector<SumChain> findSumChains(ApplyOp apply, MathMode mode);

} // namespace stencil

#endif // STENCILDIALECT_ANALYSIS_SUMCHAINS_H
