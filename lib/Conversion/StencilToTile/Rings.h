//===- Rings.h - The shared windows of a kernel -----------------*- C++ -*-===//

#ifndef STENCIL_LIB_CONVERSION_STENCILTOTILE_RINGS_H
#define STENCIL_LIB_CONVERSION_STENCILTOTILE_RINGS_H

#include "TiledPipeline.h"
#include "llvm/ADT/MapVector.h"

namespace stencil {

/// A shared window.
struct MappedRing {
  WindowOp window;
  /// The load that is brought; null for what a stage makes.
  LoadOp load;
  tile::RingType type;
  /// Planes that are brought before they are read.
  int64_t ahead = 0;
  /// What is around a box, if somebody reads it.
  tile::BoundaryAttr boundary;
  /// The points of a load that are brought, and that a boundary is for.
  OffsetBox brought;
  /// Planes of an iteration.
  int64_t step = 1;
  /// In the first leg of a relay: planes that it is ahead of that of the block,
  /// beside what the window says.
  int64_t relayLead = 0;

  /// Planes that a copy is ahead of the window's lead: of a ring that threads
  /// fill by way of registers, it loads what the next iteration's wait stores.
  int64_t countDelayed() const {
    return type.getFill() == tile::Fill::Delayed ? step : 0;
  }
};

/// By window.
using RingMap = llvm::MapVector<mlir::Operation *, MappedRing>;

/// The rings, which take as much memory as the windows' plan says. Fails with
/// an error at a window that can be none here.
mlir::FailureOr<RingMap> planRings(const TiledPipeline &pipeline);

/// The ring of a window; null if it is none.
inline const MappedRing *findRing(const RingMap &rings,
                                  mlir::Operation *window) {
  const auto *found = rings.find(window);
  return found == rings.end() ? nullptr : &found->second;
}

/// The groups of windows, which are fetched one after the other.
llvm::SmallVector<int64_t> listGroups(const RingMap &rings);

/// Whether whatever is read comes right before: without a walk, and in groups.
inline bool isFetchedAtOnce(const TiledPipeline &pipeline, WindowOp window) {
  return !pipeline.axis || window.getGroupNumber();
}

} // namespace stencil

#endif // STENCIL_LIB_CONVERSION_STENCILTOTILE_RINGS_H
