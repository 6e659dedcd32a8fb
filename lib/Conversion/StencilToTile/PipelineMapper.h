//===- PipelineMapper.h - A pipeline becomes a kernel of tiles --*- C++ -*-===//

#ifndef STENCIL_LIB_CONVERSION_STENCILTOTILE_PIPELINEMAPPER_H
#define STENCIL_LIB_CONVERSION_STENCILTOTILE_PIPELINEMAPPER_H

#include "StencilDialect/Analysis/PipelineSize.h"
#include "StencilToTile.h"
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
  /// In the kernel.
  mlir::Value ring, cursor;

  /// Planes of an iteration.
  int64_t step = 1;

  /// Planes that a copy is ahead of the window's lead: of a ring that threads
  /// fill by way of registers, it loads what the next iteration's wait stores.
  int64_t countDelayed() const {
    return type.getFill() == tile::Fill::Delayed ? step : 0;
  }
};

/// What a walk carries for a window in registers, or for the partial sums of an
/// accumulation. Number k of a window of lead L is plane p + L - 1 - k of the
/// iteration; of a sum, what has its terms up to number k.
struct MappedQueue {
  llvm::SmallVector<mlir::Type> types;
  /// At which offsets each thread has values, for its own points; 0 along the
  /// walk.
  llvm::SmallVector<llvm::SmallVector<int64_t>> offsets;
  /// Offset by offset, as many values as there are types.
  llvm::SmallVector<mlir::Value> carried, next;

  llvm::SmallVector<mlir::Type> listCarried() const {
    llvm::SmallVector<mlir::Type> all;
    for (size_t number = 0; number < offsets.size(); ++number)
      llvm::append_range(all, types);
    return all;
  }
  bool hasNeighbours() const {
    return offsets.size() > 1 ||
           llvm::any_of(offsets.front(), [](int64_t at) { return at != 0; });
  }
};

/// Rows and columns beside a thread's own ones: 0 along the walk.
using LaneOffset = std::pair<int64_t, int64_t>;

/// Points beside a thread's own ones, of a shuffle window.
struct MappedLanes {
  /// Planes that somebody reads, counted from that of the iteration, and the
  /// one that threads give each other.
  int64_t oldest = 0, newest = 0, given = 0;
  /// The points whose neighbours somebody reads, relative to what is stored.
  OffsetBox needs;
  MappedQueue queue;
  llvm::DenseMap<int64_t, mlir::Value> planes;
};

/// The planes for which something is computed, of a segment of the walk.
struct WantedPlanes {
  OffsetBox planes;
  /// Of these, the ones that lie so around the domain; null: all.
  BoundsAttr within = {};
};

/// Builds the kernel of a pipeline.
class PipelineMapper {
public:
  PipelineMapper(PipelineOp op, KernelFacts &facts)
      : op(op), facts(facts), plan(*facts.plan), axis(op.getWalkAxis()),
        builder(op.getContext()) {}

  mlir::LogicalResult map(llvm::StringRef name);

private:
  // MapPipeline.cpp: the frame and the stages.
  mlir::LogicalResult checkSupported();
  llvm::SmallVector<MappedQueue *> listQueues();
  void openWalk();
  void closeWalk();
  void tellPlane(ApplyOp stage);
  mlir::LogicalResult addStage(ApplyOp stage);
  mlir::LogicalResult addFinals();
  bool isFinal(ApplyOp stage) const { return finals.contains(stage); }
  void findFinals();
  bool isMade(ApplyOp stage) const {
    return values.contains(stage.getRes().front());
  }
  int64_t getLookback() const;
  /// The tile, at plane p + lead of a walk.
  mlir::Type getTileType(mlir::Type elementType, int64_t lead) const;
  /// That and what is beside it, if an op of the pipeline is computed there.
  mlir::Type getHeldType(mlir::Operation *inner, mlir::Type elementType,
                         int64_t lead) const;
  llvm::SmallVector<mlir::Type> getResultTypes(ApplyOp stage) const;
  tile::WhereOp openWhere(mlir::Location loc, mlir::TypeRange results,
                          const OffsetBox &needs, mlir::Value plane = {});
  using Make = llvm::function_ref<mlir::ValueRange()>;
  llvm::SmallVector<mlir::Value>
  makeWhere(mlir::Location loc, mlir::TypeRange types, const OffsetBox &needs,
            bool isGuarded, std::optional<WantedPlanes> ofPlanes, Make make);
  std::optional<WantedPlanes> findPlanesOf(ApplyOp stage) const;
  std::optional<WantedPlanes> findPlanesOf(WindowOp window) const;
  std::optional<WantedPlanes> findPlanesOf(StoreOp store) const;
  mlir::Operation *findRead(mlir::Value value) const;
  bool readsField(ApplyOp stage) const;
  bool isEarly(int64_t lead, const OffsetBox &needs) const;
  bool isCut(const OffsetBox &needs, const OffsetBox &span) const;
  OffsetBox getGuard(const OffsetBox &needs, const OffsetBox &span) const;
  OffsetBox getGuard(const PlannedValue &planned) const {
    return getGuard(planned.needs, planned.span);
  }

  // MapInputs.cpp: what stages are given.
  mlir::Value getInput(mlir::Value value);
  std::pair<int64_t, int64_t> findPlanes(WindowOp window);
  llvm::SmallVector<mlir::Value> getInputs(ApplyOp stage);
  void splitNeighbours(ApplyOp stage, unsigned index, WindowOp window,
                       llvm::SmallVectorImpl<mlir::Value> &inputs);

  // MapChains.cpp: who computes beside the tile.
  bool isBesideTile(const OffsetBox &box) const;
  void findChains();
  int64_t findVector(tile::CoreAndRimAttr layout,
                     llvm::ArrayRef<mlir::Operation *> chain) const;
  bool isOfChain(mlir::Operation *inner) const;
  bool isGuarded(mlir::Operation *inner) const;
  OffsetBox getHeld(mlir::Operation *inner) const;
  void setLayout(mlir::Operation *inner, ApplyOp stage) const;
  int64_t findOldest(mlir::OpOperand &use) const;
  int64_t findFirst(const MappedRing &ring) const;
  bool readsUnwrittenExtra(ApplyOp stage) const;
  bool readsUnwritten(mlir::Operation *reader) const;

  // MapStores.cpp: the end of an iteration.
  bool isShared(StoreOp store) const;
  void addSharedStores();
  WindowOp findStoredRing(StoreOp store) const;
  mlir::Value getStored(StoreOp store);
  llvm::DenseMap<mlir::Operation *, mlir::Value> readEarlyStores();
  /// In the iteration for plane p, plane p + lead is stored.
  int64_t getLead(StoreOp store) const {
    return axis ? plan.getLead(store) : 0;
  }
  int64_t getStoredPlane(WindowOp window) const;

  // MapWindows.cpp: shared windows.
  mlir::LogicalResult findRings();
  mlir::LogicalResult checkFetch(WindowOp window, const SharedPlane &shape,
                                 bool hasGaps);
  void makeRings();
  void fetchGroup(std::optional<int64_t> group);
  void fetchUpTo(mlir::Operation *reader);
  void copy(const MappedRing &ring);
  void wait(const MappedRing &ring);
  mlir::LogicalResult findBoundary(MappedRing &ring);
  mlir::LogicalResult checkKeptPlanes(WindowOp window);
  bool hasSegments() const;
  OffsetBox getBrought(const MappedRing &ring) const;
  void patch(const MappedRing &ring);
  bool isFetchedAtOnce(const MappedRing &ring) const;
  void loadHalo(const MappedRing &ring);
  mlir::Value makeRingSource(WindowOp window, int64_t oldest, int64_t newest);

  // MapRelay.cpp: a leg of a relay.
  bool isRelay() const { return facts.relayNeeds.has_value(); }
  /// Planes that the ring of the first leg is ahead of that of the block,
  /// beside what its window says.
  int64_t getRelayLead() const;
  int64_t getTakenPlane() const;
  OffsetBox getCopied(mlir::Value window) const;
  mlir::Value takePlane(WindowOp window);

  // MapSums.cpp: what engines compute apart from a stage.
  mlir::LogicalResult addSumsApart(ApplyOp stage);
  mlir::LogicalResult addExtras(ApplyOp stage);
  mlir::LogicalResult addSumApart(ApplyOp stage, WeightedSumOp sum,
                                  mlir::Attribute engine);
  tile::LayoutAttr findLayout();

  /// How a launch counts segments, if it does.
  tile::CutAttr findCut();

  // MapExchanges.cpp: rows that threads give each other.
  mlir::LogicalResult findExchanges();
  bool isExchanged(WindowOp window) const;
  mlir::Value makeExchangeSource(WindowOp window, int64_t plane);
  mlir::LogicalResult checkSharedMemory();

  // MapLanes.cpp: what threads have from each other.
  /// Whether a window has what threads have computed, not memory.
  bool isOfStage(WindowOp window) const;
  mlir::FailureOr<BoundsAttr> findInner();
  mlir::LogicalResult checkOverlap(WindowOp window);
  LaneOffset getLaneOffset(llvm::ArrayRef<int64_t> offset) const;
  bool hasLanes(WindowOp window) const;
  mlir::LogicalResult findLanes();
  mlir::Value widen(WindowOp window, mlir::Value values);
  void addLanes(WindowOp window, int64_t plane, mlir::Value values);
  void splitLanes(ApplyOp stage);
  mlir::Value getWindowSource(WindowOp window, int64_t oldest, int64_t newest);

  // MapQueues.cpp: what threads keep.
  bool isQueue(WindowOp window) const;
  mlir::LogicalResult findQueues();
  void addWindow(WindowOp window);
  void addSum(AccumulateOp sum);
  bool isLost(WindowOp window) const;
  bool isReadBeyond(WindowOp window) const;
  llvm::SmallVector<llvm::SmallVector<int64_t>>
  listOffsets(WindowOp window) const;
  llvm::SmallVector<mlir::Value> copyColumns(WindowOp window);
  void keep(WindowOp window, MappedQueue &queue, size_t number,
            mlir::Value newest);
  mlir::Value joinPlanes(WindowOp window, llvm::ArrayRef<mlir::Value> planes);
  ApplyOp makeCopy(mlir::Location loc, mlir::Value source, mlir::Type type,
                   llvm::ArrayRef<llvm::SmallVector<int64_t>> offsets);
  void put(WindowOp window, const MappedRing &ring, mlir::Value made);
  mlir::Value takeHeld(WindowOp window);
  mlir::Value addTerm(AccumulateOp sum, mlir::Value partial, mlir::Value term,
                      int64_t lead, int64_t plane);
  mlir::Value fuseTerm(AccumulateOp sum, mlir::Value partial, mlir::Value term,
                       int64_t lead, int64_t plane);

  mlir::MLIRContext *getContext() const {
    return facts.plan->getDomain().getContext();
  }
  mlir::Type getElementType(mlir::Value value) const {
    return mlir::cast<GridType>(value.getType()).getElementType();
  }

  PipelineOp op;
  KernelFacts &facts;
  const PipelinePlan &plan;
  std::optional<int64_t> axis;
  mlir::OpBuilder builder;
  tile::GridAttr grid;
  std::optional<KernelFrame> frame;
  tile::WalkOp walk;
  /// The plane of the iteration; null without a walk.
  mlir::Value plane;
  llvm::MapVector<mlir::Operation *, MappedRing> rings;
  /// By shuffle window: where the rows at the edges of those of each thread
  /// are, for others.
  llvm::MapVector<mlir::Operation *, MappedRing> exchanges;
  /// Those whose groups are still to be fetched, in order.
  llvm::SmallVector<int64_t> pendingGroups;
  llvm::MapVector<mlir::Operation *, MappedQueue> queues;
  llvm::DenseSet<mlir::Operation *> finals;
  /// Of stages: what they are given beside their inputs in the pipeline.
  llvm::DenseMap<mlir::Operation *, llvm::SmallVector<mlir::Value>> extras;
  /// By window and offset.
  llvm::MapVector<std::pair<mlir::Operation *, LaneOffset>, MappedLanes> lanes;
  /// Of what is computed beside the tile.
  llvm::DenseMap<mlir::Operation *, tile::CoreAndRimAttr> layouts;
  /// Of the windows that are carried, or have just been made: the plane that is
  /// stored.
  llvm::DenseMap<mlir::Operation *, mlir::Value> stored;
  int64_t lookback = 0;
  /// What stands for a value of the pipeline when a stage reads it.
  llvm::DenseMap<mlir::Value, mlir::Value> values;
  /// Of a window with neighbours, by its queue's offsets.
  llvm::DenseMap<mlir::Operation *, llvm::SmallVector<mlir::Value>> neighbours;
};

} // namespace stencil

#endif // STENCIL_LIB_CONVERSION_STENCILTOTILE_PIPELINEMAPPER_H
