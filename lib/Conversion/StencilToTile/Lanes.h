//===- Lanes.h - What threads have from each other --------------*- C++ -*-===//

#ifndef STENCIL_LIB_CONVERSION_STENCILTOTILE_LANES_H
#define STENCIL_LIB_CONVERSION_STENCILTOTILE_LANES_H

#include "Queues.h"

namespace stencil {

/// Rows and columns beside a thread's own ones: 0 along the walk.
using LaneOffset = std::pair<int64_t, int64_t>;

/// Where a point is from the thread's own, in the plane.
LaneOffset getLaneOffset(llvm::ArrayRef<int64_t> offset,
                         std::optional<int64_t> walk);

/// True for what is beside a thread's own rows.
bool isOtherRow(llvm::ArrayRef<int64_t> offset, std::optional<int64_t> walk);

/// Points beside a thread's own ones, of a shuffle window.
struct MappedLanes {
  /// Planes that somebody reads, counted from that of the iteration, and the
  /// one that threads give each other.
  int64_t oldest = 0, newest = 0, given = 0;
  /// The points whose neighbours somebody reads, relative to what is stored.
  OffsetBox needs;
  MappedQueue queue;
};

struct LanePlan {
  /// By window and offset.
  llvm::MapVector<std::pair<mlir::Operation *, LaneOffset>, MappedLanes> lanes;
  /// By window: where the rows at the edges of those of each thread are, for
  /// others.
  RingMap exchanges;
};

/// Fails with an error at what cannot be read through lanes, and if the shared
/// memory is too small for the rows that are exchanged beside the rings.
mlir::FailureOr<LanePlan> planLanes(const TiledPipeline &pipeline,
                                    const RingMap &rings);

} // namespace stencil

#endif // STENCIL_LIB_CONVERSION_STENCILTOTILE_LANES_H
