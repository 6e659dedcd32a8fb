//===- RaiseLoopsFields.h - Coordinates of memrefs --------------*- C++ -*-===//
//
// Private to stencil-raise-loops. Gives every memref that nests access the
// bounds of a field, so that one nest is one box in all of them: the first
// point that the largest nest stores is the origin, and what that nest leaves
// out is the halo.
//
//===----------------------------------------------------------------------===//

#ifndef STENCILDIALECT_LIB_TRANSFORMS_RAISELOOPSFIELDS_H
#define STENCILDIALECT_LIB_TRANSFORMS_RAISELOOPSFIELDS_H

#include "RaiseLoopsNest.h"
#include "StencilDialect/Analysis/ShapeInference.h"
#include "StencilDialect/IR/StencilTypes.h"

#include <map>

namespace stencil::raise {

/// The coordinates of all memrefs that some nests access. Bounds are those of
/// IR/Bounds.h: numbers, or relative to the extent N of the axis.
class FieldPlan {
public:
  explicit FieldPlan(const Extents &extents) : extents(extents) {}

  /// Plans for these nests only.
  void build(llvm::ArrayRef<const LoopNest *> nests);

  /// The type of the field that `memref` becomes; null if no nest accesses it,
  /// or if no bounds can be given to it.
  FieldType getType(mlir::Value memref) const;

  /// Index of coordinate 0.
  int64_t getOrigin(mlir::Value memref, int64_t axis) const;

  /// The index `bound` on an axis of a memref, as a coordinate.
  std::optional<int64_t> getCoordinate(mlir::Value memref, int64_t axis,
                                       const Bound &bound) const;

  /// The half-open box of what an access touches over the whole nest; nothing
  /// if that cannot be said.
  std::optional<GridBox> getBox(const LoopNest &nest,
                                const Access &access) const;

  /// A root that is N plus a number on an axis, which has to be checked.
  struct Symbol {
    int64_t axis;
    Root root;
    int64_t offset;
  };
  llvm::SmallVector<Symbol> getSymbols() const;

private:
  struct Coordinates {
    llvm::SmallVector<std::optional<int64_t>> origins;
    FieldType type;
  };
  Coordinates &get(mlir::Value memref);
  const Coordinates *find(mlir::Value memref) const;
  std::optional<int64_t> encode(int64_t axis, const Bound &bound) const;
  void setOriginsOfStores(const LoopNest &nest, bool writes);
  void setOriginsOfTemporaries(const LoopNest &nest);
  void setOriginsOfLoads(llvm::ArrayRef<const LoopNest *> nests,
                         llvm::function_ref<bool(mlir::Value)> isOne);
  void setSymbols(const LoopNest &nest, bool writes);
  int64_t guessExtent(mlir::Value leader, int64_t axis, int64_t origin,
                      llvm::ArrayRef<const LoopNest *> nests) const;
  void setTypes(llvm::ArrayRef<const LoopNest *> nests);

  const Extents &extents;
  /// By representative, in the order in which they were found.
  llvm::MapVector<mlir::Value, Coordinates> classes;
  /// Of an axis and a root: the root is N plus this.
  llvm::MapVector<std::pair<int64_t, std::pair<mlir::Value, int64_t>>, int64_t>
      symbols;
};

} // namespace stencil::raise

#endif // STENCILDIALECT_LIB_TRANSFORMS_RAISELOOPSFIELDS_H
