//===- PeriodicImages.h - Halos that applies can fill -----------*- C++ -*-===//
//
// Where a condition is periodic, a halo point is the image of one point of the
// interior: whoever stores that can store the image, too.
//
//===----------------------------------------------------------------------===//

#ifndef STENCILDIALECT_ANALYSIS_PERIODICIMAGES_H
#define STENCILDIALECT_ANALYSIS_PERIODICIMAGES_H

#include "StencilDialect/Analysis/FieldAlias.h"
#include "StencilDialect/IR/StencilOps.h"

namespace stencil {

/// How far the halo of a boundary op reaches on one side of an axis, in points.
int64_t getHaloWidth(BoundaryOp boundary, int64_t axis, bool upper);

/// Why the kernel of a bufferised apply cannot fill the halo of `field`, which
/// it stores to, as `boundary`, of a field of the same type, would do behind
/// it; empty if it can. It can if
/// - each axis is periodic, or keeps its halo and is behind those that are;
/// - it stores to all of the boundary's box, of known extents, in which no
///   point has two images along one axis;
/// - it reads the field at the point only that it computes.
StringRef explainNoImages(ApplyOp apply, Value field, BoundaryOp boundary,
                          FieldAliasAnalysis &aliases);

/// The boundary ops behind an apply whose halos its kernel is to fill, as its
/// schedule says (`boundary = store`). Fails with an error at the apply if
/// there are none.
FailureOr<SmallVector<BoundaryOp>>
findStoredImages(ApplyOp apply, FieldAliasAnalysis &aliases);

} // namespace stencil

#endif // STENCILDIALECT_ANALYSIS_PERIODICIMAGES_H
