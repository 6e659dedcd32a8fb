//===- FieldAccesses.h - Which points of which fields -----------*- C++ -*-===//
//
// What a kernel reads and stores to, and whether two boxes have no point in
// common whatever the extents of the run are.
//
//===----------------------------------------------------------------------===//

#ifndef STENCILDIALECT_ANALYSIS_FIELDACCESSES_H
#define STENCILDIALECT_ANALYSIS_FIELDACCESSES_H

#include "StencilDialect/Analysis/FieldAlias.h"
#include "StencilDialect/Analysis/ShapeInference.h"

namespace stencil {

/// A box of a field that an op reads, or stores to.
struct FieldAccess {
  Value field;
  GridBox box;
  /// Of a store: the apply whose result it is, and which of its results; a null
  /// apply where that is not known.
  ApplyOp producer;
  unsigned result = 0;
  bool isStore = false;
  /// Of a read: for a shared window, which is filled by whole tiles. They reach
  /// beyond what is needed, up to where the field ends, unless they are known
  /// to end where the box does.
  bool isTiled = false;
};

/// The accesses of a bufferised apply or a pipeline: hulls of what is read,
/// and a vector more in a row where neighbours are. Of a pipeline, inputs of
/// lower rank are taken to be read as a whole.
SmallVector<FieldAccess> collectAccesses(Operation *op);

/// The points that two boxes have in common, or more if bounds are relative to
/// small extents; nothing if there are none where extents are large.
std::optional<GridBox> intersect(const GridBox &a, const GridBox &b);

/// True if two boxes have no point in common, for all extents from the minimal
/// ones on. `minimalExtents` may be shorter than the rank.
bool areDisjoint(const GridBox &a, const GridBox &b,
                 ArrayRef<int64_t> minimalExtents);

/// True if a store stores nothing in the box: its value is an empty
/// stencil.store_result there.
bool storesNothing(const FieldAccess &store, const GridBox &box,
                   ArrayRef<int64_t> minimalExtents);

/// Whether nothing else in the pipeline of a store reads or writes its memory:
/// then any thread may store any point of the tile, whatever the others have
/// done so far.
bool isStoredAlone(StoreOp store, FieldAliasAnalysis &aliases);

} // namespace stencil

#endif // STENCILDIALECT_ANALYSIS_FIELDACCESSES_H
