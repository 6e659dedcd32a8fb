//===- NonFinite.h - How far NaN and infinities reach -----------*- C++ -*-===//
//
// Under `reassociate`, a sum may be computed by partial sums over the box of
// its taps, in which what one adds another takes away again, and the sums of
// several steps as one. What is not finite then spreads to every point that has
// it in the box of its reads. Products of matrices have it spread to the points
// of a patch, too (ErrorBounds::patch). Such points are marked by the sign of
// their error.
//
//===----------------------------------------------------------------------===//

#ifndef STENCIL_LIB_INTERPRETER_NONFINITE_H
#define STENCIL_LIB_INTERPRETER_NONFINITE_H

#include "Errors.h"
#include "Runner.h"

namespace stencil::interp {

/// For each input of an apply, a byte per element that is 1 where the element
/// is not finite, or may not be, or a result of the same patch reads one that
/// is not. Nothing if there is no such point, or if sums
/// stay as they are written.
std::vector<std::vector<uint8_t>> findNonFinite(const Evaluation &evaluation,
                                                const ErrorAnalysis &analysis);

/// Marks the points of the results that have one of `sources` in their box.
void spreadNonFinite(const Evaluation &evaluation,
                     llvm::ArrayRef<std::vector<uint8_t>> sources);

} // namespace stencil::interp

#endif // STENCIL_LIB_INTERPRETER_NONFINITE_H
