//===- RaiseLoopsBody.h - From a nest to applies ----------------*- C++ -*-===//
//
// Private to stencil-raise-loops. The stores of a nest that have one box become
// the results of one apply; the body of the nest, as far as they need it, its
// body.
//
//===----------------------------------------------------------------------===//

#ifndef STENCILDIALECT_LIB_TRANSFORMS_RAISELOOPSBODY_H
#define STENCILDIALECT_LIB_TRANSFORMS_RAISELOOPSBODY_H

#include "RaiseLoopsNest.h"
#include "StencilDialect/Analysis/ShapeInference.h"
#include "StencilDialect/IR/StencilTypes.h"
#include "mlir/IR/Builders.h"
#include "llvm/ADT/DenseSet.h"

#include <map>

namespace stencil::raise {

/// The coordinates of all memrefs that some nests access: each has the bounds
/// of a field, so that one nest is one box in all of them. The first point that
/// the largest nest stores is the origin, and what that nest leaves out is the
/// halo. Bounds are those of IR/Bounds.h: numbers, or relative to the extent N
/// of the axis.
class FieldPlan {
public:
  explicit FieldPlan(const Extents &extents) : extents(extents) {}

  /// Plans for these nests only.
  void build(ArrayRef<const LoopNest *> nests);

  /// The type of the field that `memref` becomes; null if no nest accesses it,
  /// or if no bounds can be given to it.
  FieldType getType(Value memref) const;

  /// Index of coordinate 0.
  int64_t getOrigin(Value memref, int64_t axis) const;

  /// The index `bound` on an axis of a memref, as a coordinate.
  std::optional<int64_t> getCoordinate(Value memref, int64_t axis,
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
  SmallVector<Symbol> getSymbols() const;

private:
  struct Coordinates {
    SmallVector<std::optional<int64_t>> origins;
    FieldType type;
  };
  Coordinates &get(Value memref);
  const Coordinates *find(Value memref) const;
  std::optional<int64_t> encode(int64_t axis, const Bound &bound) const;
  void setOriginsOfStores(const LoopNest &nest, bool writes);
  void setOriginsOfTemporaries(const LoopNest &nest);
  void setOriginsOfLoads(ArrayRef<const LoopNest *> nests,
                         function_ref<bool(Value)> isOne);
  void setSymbols(const LoopNest &nest, bool writes);
  int64_t guessExtent(Value leader, int64_t axis, int64_t origin,
                      ArrayRef<const LoopNest *> nests) const;
  void setTypes(ArrayRef<const LoopNest *> nests);

  const Extents &extents;
  /// By representative, in the order in which they were found.
  llvm::MapVector<Value, Coordinates> classes;
  /// Of an axis and a root: the root is N plus this.
  llvm::MapVector<std::pair<int64_t, std::pair<Value, int64_t>>, int64_t>
      symbols;
};

/// An apply to be.
struct Group {
  /// Positions in the accesses of the nest, of different places.
  SmallVector<unsigned> stores;
  GridBox box;
  /// Of every loop: its axis, and the coordinate on it less its induction
  /// variable.
  SmallVector<int> axes;
  SmallVector<int64_t> shifts;
  /// Ops of the body, those in branches included, that the results depend on.
  llvm::DenseSet<Operation *> needed;
};

/// Where a load reads, seen from the point of an apply.
struct Tap {
  SmallVector<int64_t> offset;
  /// Axis of the apply for every entry.
  SmallVector<int64_t> axes;
};

/// Divides the stores of `nest` into applies. Fails with the reason if the
/// nest is no stencil: where the order of its points matters, or what it reads
/// or stores is outside of a memref.
LogicalResult planGroups(const LoopNest &nest, const FieldPlan &plan,
                         std::vector<Group> &groups, Refusal &refusal);

/// Where `load` reads; nothing if that is no fixed offset from the point.
std::optional<Tap> getTap(const FieldPlan &plan, const Group &group,
                          const Access &load);

/// Builds the ops of the groups in front of the nest, and erases it.
/// `getField` gives the field of a memref.
void emitGroups(LoopNest &nest, const FieldPlan &plan, ArrayRef<Group> groups,
                function_ref<Value(Value)> getField);

/// The value of `bound` at the builder's position.
Value materialise(OpBuilder &builder, Location loc, const Bound &bound);

} // namespace stencil::raise

#endif // STENCILDIALECT_LIB_TRANSFORMS_RAISELOOPSBODY_H
