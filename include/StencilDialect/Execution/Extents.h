//===- Extents.h - How large the arrays of a run are --------------*- C++
//-*-===//

#ifndef STENCILDIALECT_EXECUTION_EXTENTS_H
#define STENCILDIALECT_EXECUTION_EXTENTS_H

#include "StencilDialect/Analysis/Signature.h"

#include <optional>
#include <string>
#include <vector>

namespace stencil {

/// The shape that an array brings along, and where it comes from.
struct GivenShape {
  llvm::SmallVector<int64_t, 4> shape;
  /// Ends a message: "in.npy".
  std::string source;
};

struct Extents {
  /// N of every axis (see Bounds.h); nothing where no bound depends on it.
  llvm::SmallVector<std::optional<int64_t>, 4> interior;
  /// One per parameter: the extents of its array, halo included. Empty for
  /// scalars.
  std::vector<llvm::SmallVector<int64_t, 4>> shapes;

  /// The box with coordinates instead of symbols, as lower and upper bounds;
  /// nothing if it depends on an extent that is not known.
  std::optional<
      std::pair<llvm::SmallVector<int64_t, 4>, llvm::SmallVector<int64_t, 4>>>
  resolve(BoundsAttr bounds) const;

  /// Points in the box, under the same condition.
  std::optional<int64_t> countPoints(BoundsAttr bounds) const;
};

/// Settles the shape of every field: from the shapes given (one entry per
/// parameter), from `interior` (an extent per axis, or empty), and from what
/// the fields have in common. Emits an error where these disagree with each
/// other or with a type, or leave an extent open. Allocates nothing.
mlir::FailureOr<Extents>
resolveExtents(const Signature &signature,
               llvm::ArrayRef<std::optional<GivenShape>> given,
               llvm::ArrayRef<int64_t> interior, mlir::Location location);

} // namespace stencil

#endif // STENCILDIALECT_EXECUTION_EXTENTS_H
