//===- StepBuilder.h - Sums taken apart, step by step -----------*- C++ -*-===//

#ifndef STENCIL_LIB_ANALYSIS_STEPBUILDER_H
#define STENCIL_LIB_ANALYSIS_STEPBUILDER_H

#include "StencilDialect/Analysis/SumFactoring.h"

namespace stencil {

/// Collects the steps of a factored sum. -1 stands for what the sum is over.
class StepBuilder {
public:
  using Term = FactoredSum::Term;

  /// The sum of terms at offsets, all of `source`. A shift of a shift is one
  /// shift; no step is added for `source` itself.
  int64_t addShifts(int64_t source, std::vector<Term> terms);

  /// The sum of terms without offsets; no step is added for one of them.
  int64_t add(std::vector<Term> terms);

  /// The steps that step `last` needs, which becomes the last one.
  FactoredSum finish(int64_t last);

private:
  FactoredSum sum;
};

} // namespace stencil

#endif // STENCIL_LIB_ANALYSIS_STEPBUILDER_H
