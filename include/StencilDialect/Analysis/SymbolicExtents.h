//===- SymbolicExtents.h - How large is large enough ------------*- C++ -*-===//
//
// Bounds relative to the extent N of an axis (`?`, `?-4`) are compared with
// coordinates under the reading "N is large". Here is how large: the condition
// that a program checks at run time, where N becomes known.
//
//===----------------------------------------------------------------------===//

#ifndef STENCILDIALECT_ANALYSIS_SYMBOLICEXTENTS_H
#define STENCILDIALECT_ANALYSIS_SYMBOLICEXTENTS_H

#include "StencilDialect/Analysis/ShapeInference.h"

namespace stencil {

/// Attribute of a function: its minimal extents as stencil-infer-shapes found
/// them, before passes that make some comparisons disappear.
inline constexpr llvm::StringLiteral kMinimalExtentsAttr =
    "stencil.minimal_extents";

/// The smallest extent of every axis (at least 0) for which, in `function`,
/// - no box that is relative to the extent is empty,
/// - all that is accessed, loaded and stored lies where it seems to lie,
/// - a combine has points on the sides where it seems to have some, and only
/// there,
/// - interiors are as wide as the conditions of stencil.boundary need them,
/// and no less than what the function's attribute says. One entry per axis of
/// the field of highest rank.
SmallVector<int64_t> minimalExtents(Operation *function);

/// Computes the same from boxes that are not in the types yet, and sets the
/// attribute if the program has symbolic bounds.
void recordMinimalExtents(Operation *function, BoxOf boxOf);

/// Whether a box lies in another one of its rank, for all extents: [0,N) does
/// not contain [0,8) for every N.
bool isSurelyWithin(BoundsAttr inner, BoundsAttr outer);

} // namespace stencil

#endif // STENCILDIALECT_ANALYSIS_SYMBOLICEXTENTS_H
