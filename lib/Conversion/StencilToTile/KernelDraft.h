//===- KernelDraft.h - What is decided of a kernel --------------*- C++ -*-===//

#ifndef STENCIL_LIB_CONVERSION_STENCILTOTILE_KERNELDRAFT_H
#define STENCIL_LIB_CONVERSION_STENCILTOTILE_KERNELDRAFT_H

#include "StencilToTile.h"
#include "llvm/ADT/MapVector.h"

namespace stencil {

/// A pipeline that becomes a kernel, and what has been found out of it.
struct MappedPipeline {
  /// Fails with an error at what no kernel can do.
  static FailureOr<MappedPipeline>
  create(PipelineOp op, const TargetInfo &target, FieldAliasAnalysis &aliases);

  PipelineOp op;
  const TargetInfo &target;
  FieldAliasAnalysis &aliases;
  /// Planes that the walk goes on by.
  int64_t step;
  /// Of a relay: what all legs need of the load, around what is stored.
  std::optional<OffsetBox> relayNeeds;
  PipelinePlan plan;
  GPUSchedule schedule;
  /// Of the walk.
  std::optional<int64_t> axis = getOp().getWalkAxis();

  PipelineOp getOp() const { return op; }
  template <typename OpTy> auto getOps() const {
    return getOp().getBodyBlock()->getOps<OpTy>();
  }
  Location getLoc() const { return getOp().getLoc(); }
  mlir::MLIRContext *getContext() const {
    return plan.getDomain().getContext();
  }
  int64_t getRank() const { return plan.getDomain().getRank(); }

  /// Whether a store depends on a stage.
  bool isNeeded(ApplyOp stage) const { return !plan.getNeeds(stage).isEmpty(); }
  /// The stages that read a window, and as which input, if they are needed.
  SmallVector<std::pair<ApplyOp, unsigned>> listReaders(WindowOp window) const;
  bool isRelay() const { return relayNeeds.has_value(); }
  /// Whether a window has what threads have computed, not memory.
  bool isOfStage(WindowOp window) const;
  /// Whether the pipeline stores to the field that is loaded.
  bool isStoredTo(LoadOp load) const;
  /// In the iteration for plane p, plane p + lead is stored.
  int64_t getLead(StoreOp store) const {
    return axis ? plan.getLead(store) : 0;
  }
  /// The plane of a window that is brought or made.
  int64_t getLead(WindowOp window) const {
    return axis ? plan.get(window.getRes()).lead : 0;
  }
};

/// The grid of a pipeline: tiles, what blocks store of them, segments. Fails
/// with an error at the op that there can be none for.
FailureOr<tile::GridAttr> chooseGrid(const MappedPipeline &pipeline);

/// A pipeline in tiles.
struct TiledPipeline : MappedPipeline {
  tile::GridAttr grid;

  /// The tile, at plane p + lead of a walk.
  Type getTileType(Type elementType, int64_t lead) const;
  /// The points that somebody needs, around the domain; along the walk, around
  /// a segment.
  OffsetBox getGuard(const OffsetBox &needs, const OffsetBox &span) const;
  OffsetBox getGuard(const PlannedValue &planned) const {
    return getGuard(planned.needs, planned.span);
  }
  OffsetBox getGuard(ApplyOp stage) const {
    return getGuard(plan.getNeeds(stage), plan.getSpan(stage));
  }
  /// Whether the walk has planes around a segment, for the points that a block
  /// stores, which no one needs at the ends of the domain.
  bool isCut(const OffsetBox &needs, const OffsetBox &span) const;
  /// Whether a box of offsets has points beside the tile, in the plane.
  bool isBesideTile(const OffsetBox &box) const;

  /// Whether the shared window that a window copies does not have any more what
  /// is read of the copy.
  bool isLost(WindowOp window) const;
  /// Whether a window is read through lanes: along the walk a thread has all
  /// planes. What is computed beside the tile has no such neighbours, and what
  /// a shared window has lost is in registers, as it is read.
  bool hasLanes(WindowOp window) const;
  /// Whether a window in registers is kept as values: each thread has what its
  /// own points read. Other neighbours that are read in registers are read
  /// where these come from.
  bool isQueue(WindowOp window) const;
};

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

  Value getField() const { return LoadOp(load).getField(); }
  /// Planes that a copy is ahead of the window's lead: of a ring that threads
  /// fill by way of registers, it loads what the next iteration's wait stores.
  int64_t countDelayed() const {
    return type.getFill() == tile::Fill::Delayed ? step : 0;
  }
};

/// By window.
using RingMap = llvm::MapVector<Operation *, MappedRing>;

/// The rings, which take as much memory as the windows' plan says. Fails with
/// an error at a window that can be none here.
FailureOr<RingMap> planRings(const TiledPipeline &pipeline);

/// The ring of a window; null if it is none.
inline const MappedRing *findRing(const RingMap &rings, Operation *window) {
  const auto *found = rings.find(window);
  return found == rings.end() ? nullptr : &found->second;
}

/// That all rings have room in the memory of a block, beside them those of
/// exchanged rows.
LogicalResult checkSharedMemory(const TiledPipeline &pipeline,
                                const RingMap &rings,
                                const RingMap &exchanges = {});

/// The groups of windows, which are fetched one after the other.
SmallVector<int64_t> listGroups(const RingMap &rings);

/// Whether whatever is read comes right before: without a walk, and in groups.
inline bool isFetchedAtOnce(const TiledPipeline &pipeline, WindowOp window) {
  return !pipeline.axis || window.getGroupNumber();
}

/// What a stage is given beside its inputs in the pipeline.
struct StageExtra {
  Value value;
  /// Of which it is a source; null for what threads hold, and for a field.
  const MappedRing *ring = nullptr;
};

/// What ops of a pipeline read in memory.
class MemoryReads {
public:
  MemoryReads(const TiledPipeline &pipeline, const RingMap &rings)
      : pipeline(pipeline), rings(rings) {}

  /// Whether what an op makes is looked at point by point: whether somebody
  /// needs it, or else nothing is read.
  bool isGuarded(Operation *inner, ArrayRef<StageExtra> extras = {}) const;
  bool readsField(ApplyOp stage, ArrayRef<StageExtra> extras) const;
  /// Whether an op reads planes of shared windows that the first iteration does
  /// not wait for: older ones than the newest.
  bool readsUnwritten(Operation *reader,
                      ArrayRef<StageExtra> extras = {}) const;
  /// The first plane of a ring that is there in the first iteration, counted
  /// from that. Copies bring none from before it.
  int64_t findFirst(const MappedRing &ring) const;

private:
  Operation *findRead(Value value) const;
  int64_t findOldest(ApplyOp stage, unsigned input) const;
  int64_t findOldest(mlir::OpOperand &use) const;

  const TiledPipeline &pipeline;
  const RingMap &rings;
};

/// The planes for which something is computed, of a segment of the walk.
struct WantedPlanes {
  OffsetBox planes;
  /// Of these, the ones that lie so around the domain; null: all.
  BoundsAttr within = {};
};

/// For which planes something is made if it may not be for any: the first
/// iterations, `lookback` planes ahead, are for planes that nobody needs.
class PlaneGuards {
public:
  PlaneGuards(const TiledPipeline &pipeline, const MemoryReads &reads,
              int64_t lookback)
      : pipeline(pipeline), reads(reads), lookback(lookback) {}

  std::optional<WantedPlanes> findPlanesOf(ApplyOp stage,
                                           ArrayRef<StageExtra> extras) const;
  std::optional<WantedPlanes> findPlanesOf(WindowOp window) const;
  /// The planes that are read for a store of what is in a ring.
  std::optional<WantedPlanes> findPlanesOf(StoreOp store,
                                           const MappedRing &ring) const;

private:
  bool isEarly(int64_t lead, const OffsetBox &needs) const;

  const TiledPipeline &pipeline;
  const MemoryReads &reads;
  int64_t lookback;
};

/// Where the ops of a pipeline are computed and held: in the tile, or beside
/// it, too.
class Chains {
public:
  Chains(const TiledPipeline &pipeline, const RingMap &rings,
         const MemoryReads &reads);

  /// The stages that only stores follow, and these: the end of an iteration.
  bool isFinal(Operation *inner) const { return finals.contains(inner); }
  /// Of what is computed beside the tile; null in the tile alone.
  tile::CoreAndRimAttr getLayout(Operation *inner) const {
    return layouts.lookup(inner);
  }
  /// Has the stage that an op of the pipeline became computed by its layout.
  void setLayout(Operation *inner, ApplyOp stage) const;
  /// The tile at plane p + lead, and what is beside it, if an op of the
  /// pipeline is computed there.
  Type getHeldType(Operation *inner, Type elementType, int64_t lead) const;

private:
  void findFinals();
  void findLayouts();
  bool isOfChain(Operation *inner) const;
  OffsetBox getHeld(Operation *inner) const;
  int64_t findVector(tile::CoreAndRimAttr layout,
                     ArrayRef<Operation *> chain) const;

  const TiledPipeline &pipeline;
  const RingMap &rings;
  const MemoryReads &reads;
  llvm::DenseSet<Operation *> finals;
  DenseMap<Operation *, tile::CoreAndRimAttr> layouts;
};

/// What a walk carries for a window in registers, or for the partial sums of an
/// accumulation. Number k of a window of lead L is plane p + L - 1 - k of the
/// iteration; of a sum, what has its terms up to number k.
struct MappedQueue {
  SmallVector<Type> types;
  /// At which offsets each thread has values, for its own points; 0 along the
  /// walk.
  SmallVector<SmallVector<int64_t>> offsets;

  /// Offset by offset, as many values as there are types.
  SmallVector<Type> listCarried() const {
    SmallVector<Type> all;
    for (size_t number = 0; number < offsets.size(); ++number)
      llvm::append_range(all, types);
    return all;
  }
  bool hasNeighbours() const {
    return offsets.size() > 1 ||
           llvm::any_of(offsets.front(), [](int64_t at) { return at != 0; });
  }
};

/// By window and by accumulation.
using QueueMap = llvm::MapVector<Operation *, MappedQueue>;

/// Fails with an error at a window whose neighbours no thread has.
FailureOr<QueueMap> planQueues(const TiledPipeline &pipeline,
                               const Chains &chains);

/// That what a stage reads of an input is read one by one.
LogicalResult checkAccesses(ApplyOp stage, unsigned input);

/// Rows and columns beside a thread's own ones: 0 along the walk.
using LaneOffset = std::pair<int64_t, int64_t>;

/// Where a point is from the thread's own, in the plane.
LaneOffset getLaneOffset(ArrayRef<int64_t> offset, std::optional<int64_t> walk);

/// True for what is beside a thread's own rows.
bool isOtherRow(ArrayRef<int64_t> offset, std::optional<int64_t> walk);

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
  llvm::MapVector<std::pair<Operation *, LaneOffset>, MappedLanes> lanes;
  /// By window: where the rows at the edges of those of each thread are, for
  /// others.
  RingMap exchanges;
};

/// Fails with an error at what cannot be read through lanes, and if the shared
/// memory is too small for the rows that are exchanged beside the rings.
FailureOr<LanePlan> planLanes(const TiledPipeline &pipeline,
                              const RingMap &rings);

/// What is found out of a pipeline before anything of its kernel is written.
struct KernelDraft {
  const TiledPipeline &pipeline;
  const RingMap &rings;
  const Chains &chains;
  const QueueMap &queues;
  const LanePlan &lanes;
  const MemoryReads &reads;
  const PlaneGuards &guards;
  /// Iterations before the first plane.
  int64_t lookback;

  /// All that a walk carries, in order.
  SmallVector<const MappedQueue *> listCarried() const {
    SmallVector<const MappedQueue *> all;
    for (const auto &[inner, queue] : queues)
      all.push_back(&queue);
    for (const auto &[key, columns] : lanes.lanes)
      all.push_back(&columns.queue);
    return all;
  }
};

} // namespace stencil

#endif // STENCIL_LIB_CONVERSION_STENCILTOTILE_KERNELDRAFT_H
