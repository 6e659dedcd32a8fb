//===- BodyCost.h - What a body costs per point -----------------*- C++ -*-===//
//
// A body that has weighted sums over its own values is evaluated at
// neighbouring points, too. Lowered without windows, every op is computed once
// for each offset at which it is needed: so many (value, offset) pairs are what
// is counted here.
//
//===----------------------------------------------------------------------===//

#ifndef STENCILDIALECT_ANALYSIS_BODYCOST_H
#define STENCILDIALECT_ANALYSIS_BODYCOST_H

#include "StencilDialect/IR/StencilOps.h"

namespace stencil {

/// An offset along the axes of an apply.
using Offset = llvm::SmallVector<int64_t, 4>;

/// Sorted, each once.
using OffsetSet = std::vector<Offset>;

/// Marks the axes that an input of lower rank does not have.
inline constexpr int64_t kNoAxis = std::numeric_limits<int64_t>::min();

/// Sorts, and drops what is there twice.
void normalize(OffsetSet &set);

/// Loads for reads at these offsets: neighbours along the last axis come in
/// pairs.
double countLoads(const OffsetSet &offsets);

struct BodyCost {
  /// Floating-point operations, those in 64 bits being the unit: in 32 and 16
  /// bits and on integers they are a half. A division or root is 8, another
  /// function 20.
  double flops = 0;
  /// Evaluated ops, all offsets counted.
  double evaluations = 0;
  /// Ops in the IR.
  unsigned ops = 0;
  /// 32-bit registers for the values that are computed and needed later. What
  /// is read can be read again.
  double registers = 0;
  /// For every argument of the body: the offsets, along the axes of the apply,
  /// at which it is read.
  std::vector<OffsetSet> reads;
  /// More pairs of value and offset than anybody wants: the rest is not set.
  bool isTooLarge = false;
};

/// Pairs of value and offset after which counting ends.
inline constexpr size_t kMaxPairs = 100000;

/// The cost of the body per evaluation, if output i is needed at the offsets
/// `needed[i]` (without: at this point). Linear in ops and pairs.
BodyCost getBodyCost(ApplyOp apply, llvm::ArrayRef<OffsetSet> needed = {});

} // namespace stencil

#endif // STENCILDIALECT_ANALYSIS_BODYCOST_H
