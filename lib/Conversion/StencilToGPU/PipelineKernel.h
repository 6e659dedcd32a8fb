//===- PipelineKernel.h - The kernel of a pipeline --------------*- C++ -*-===//

#ifndef STENCIL_LIB_CONVERSION_STENCILTOGPU_PIPELINEKERNEL_H
#define STENCIL_LIB_CONVERSION_STENCILTOGPU_PIPELINEKERNEL_H

#include "HaloPatch.h"
#include "PlaneFetch.h"

namespace stencil {

using PointOffset = std::vector<int64_t>;
using PointValues = std::map<PointOffset, LaneValue>;

/// The planes of a window in the registers of a thread, or its incomplete sums.
struct RegisterQueue {
  /// Which offsets from the base point a plane holds.
  std::vector<PointOffset> offsets;
  mlir::Type elementType;
  /// The newest plane first.
  std::vector<std::map<PointOffset, mlir::Value>> planes;
};

/// Points of a thread at which stages are computed, and what is known there:
/// its own, or one of those around the tile whose values later stages read.
struct PointGroup {
  /// The group of each thread's own points has number 0.
  unsigned number = 0;
  /// Offsets from the base point.
  std::vector<PointOffset> points;
  /// Per axis: where the base point is, from the beginning of the tile on.
  llvm::SmallVector<mlir::Value> position;
  /// Whether this thread has such a point; null: all threads have.
  mlir::Value exists;
  /// What an iteration has computed.
  llvm::DenseMap<mlir::Value, PointValues> values;
  llvm::MapVector<mlir::Operation *, RegisterQueue> queues;

  bool isOwn() const { return number == 0; }
};

/// Stages, sums and windows that hand each other values of one point: where one
/// is computed, all are.
struct StageChain {
  llvm::SetVector<mlir::Operation *> ops;
  /// The register windows of memory and of shared windows that they read.
  llvm::SetVector<mlir::Operation *> copies;
  /// Where they are computed, relative to the tile.
  OffsetBox box;
  /// Whether all of them are computed in all of the box.
  bool isUniform = true;
  /// Whether a thread keeps values from iteration to iteration, or across a
  /// barrier: then its points do not depend on a branch.
  bool keepsValues = false;
  /// What is beside the tile, dealt out to the threads of the block.
  std::vector<PointGroup *> halo;
};

/// What is computed between two barriers of an iteration.
struct StagePhase {
  llvm::SmallVector<mlir::Operation *> copies, work;
  /// Which shared windows are there.
  unsigned group = 0;
};

/// A shared window with a boundary, and who applies it.
struct PatchedRing {
  SharedRing *ring;
  std::unique_ptr<HaloPatch> patch;
};

/// Those who fill shared windows of loads at one time: all of them, or those of
/// one group and, with the first one, those that are in no group.
struct FetchGroup {
  std::vector<std::unique_ptr<PlaneFetch>> fetches;
  std::vector<PatchedRing> patches;
  /// Whether planes with a boundary are there for all threads only after a
  /// barrier: those of TMA are when their mbarrier says so.
  bool needsPatchBarrier = false;
  /// Whether the copy engine writes what threads may have written before.
  bool needsFence = false;
};

/// Emits the kernel of a pipeline: tiles and segments as blocks, the walk as a
/// loop that is unrolled until every register window is in place again.
class PipelineKernel {
public:
  PipelineKernel(PipelineOp op, PipelinePlan plan, KernelSet &kernels,
                 GPUSchedule schedule);

  mlir::LogicalResult emit();

private:
  using ComputeValues = llvm::function_ref<mlir::LogicalResult(
      llvm::SmallVectorImpl<mlir::Value> &)>;
  /// Appends the values of some points to a list.
  using ComputePoints = llvm::function_ref<mlir::LogicalResult(
      llvm::ArrayRef<PointOffset>, llvm::SmallVectorImpl<mlir::Value> &)>;

  // PipelineToKernel.cpp: the frame.
  void addFields();
  void setAxes(KernelField &field, llvm::ArrayRef<int64_t> axes);
  void findTile();
  mlir::LogicalResult emitWalks();
  mlir::LogicalResult emitWalk();
  mlir::LogicalResult emitLoop(mlir::Value begin, mlir::Value end,
                               int64_t unrolled, bool stores);
  mlir::LogicalResult emitIteration(PipelineStep &step);
  void synchronise(const PipelineStep &step);
  void appendState(llvm::SmallVectorImpl<mlir::Value> &state) const;
  void restoreState(mlir::ValueRange state);
  BasePoint getBase(const PipelineStep &step, int64_t lead) const;
  PointGroup &getOwn() { return *groups.front(); }

  // PipelineWindows.cpp: where they are, and who fills them.
  void findGroups();
  std::optional<unsigned> getGroup(WindowOp window) const;
  std::optional<unsigned> getGroup(mlir::Operation *op) const;
  mlir::LogicalResult addWindows();
  mlir::LogicalResult addFetch(SharedRing &ring, LoadOp load);
  mlir::LogicalResult checkFetch(const SharedRing &ring, LoadOp load) const;
  mlir::LogicalResult addPatch(SharedRing &ring, const KernelField &field,
                               FetchGroup &group);
  mlir::LogicalResult placeWindows();
  void fetchGroup(unsigned number, const PipelineStep &step);
  mlir::Value findEdge();
  mlir::Value getPatched(const PatchedRing &patched, mlir::Value number);
  void loadPatches(FetchGroup &group, mlir::Value number);
  void patchPlanes(FetchGroup &group, const PipelineStep &step);
  void addQueues();
  void addQueue(mlir::Operation *op, StageChain *chain);
  int64_t countUnrolled();

  // PipelineChains.cpp: stages whose values other threads read.
  /// Whether threads fill a window, with what a stage has computed.
  static bool isOfStage(WindowOp window);
  mlir::LogicalResult checkStages();
  bool isWork(mlir::Operation *op) const;
  std::pair<int64_t, int64_t> findPlanes(mlir::Operation *reader,
                                         unsigned operand) const;
  const OffsetBox &getHeld(mlir::Operation *op) const;
  bool isBesideTile(const OffsetBox &box) const;
  bool isSamePlane(const OffsetBox &a, const OffsetBox &b) const;
  void findPhases();
  void findChains();
  void collectChain(StageChain &chain, llvm::ArrayRef<mlir::Operation *> ops);

  // PipelineHalo.cpp: what is computed around the tile.
  void addHalo(StageChain &chain);
  void findHaloPoint(PointGroup &group, const OffsetBox &box,
                     mlir::Value number);
  mlir::Value isWithin(const PointOffset &offset, const OffsetBox &box);
  mlir::LogicalResult emitHalo(StageChain &chain, const StagePhase &phase,
                               PipelineStep &step);
  mlir::LogicalResult emitHaloPoint(StageChain &chain, const StagePhase &phase,
                                    PipelineStep &step);
  void storePlane(WindowOp window, const PipelineStep &step);

  // PipelineStages.cpp: what an iteration computes.
  void findFinals();
  bool isFinal(mlir::Operation *op) const { return finals.contains(op); }
  bool readsMemory(ApplyOp stage) const;
  bool isGuarded(ApplyOp stage) const {
    return readsMemory(stage) || mayBodyFail(stage);
  }
  std::vector<PointOffset> listReads(WindowOp window,
                                     const StageChain *chain) const;
  mlir::LogicalResult emitStages(PipelineStep &step);
  void openQueues(const StagePhase &phase);
  LaneValue getStored(StoreOp store, SharedReads &reads,
                      const PointOffset &point);
  mlir::LogicalResult emitPhase(const StagePhase &phase, PipelineStep &step,
                                SharedReads &reads);
  /// PipelineSums.cpp: sums that are loops over a whole tile.
  mlir::LogicalResult emitSumLoops(ApplyOp stage, const PipelineStep &step);
  mlir::LogicalResult emitSumLoop(ApplyOp stage, WeightedSumOp sum,
                                  const PipelineStep &step);
  mlir::LogicalResult emitFinalStages(PipelineStep &step,
                                      const SharedReads &reads);
  mlir::LogicalResult emitFinalPoints(PipelineStep &step,
                                      llvm::ArrayRef<PointOffset> at,
                                      SharedReads reads);
  mlir::LogicalResult emitStage(ApplyOp stage, PipelineStep &step,
                                SharedReads &reads,
                                llvm::ArrayRef<PointOffset> at);
  /// PipelineStores.cpp: whether all threads of a block share a store.
  bool isCooperative(StoreOp store) const;
  void emitCooperativeStore(StoreOp store, const PipelineStep &step);
  void storeChunk(const KernelField &field, const SharedRing &ring,
                  BasePoint base, mlir::Value source, int64_t length);
  mlir::LogicalResult emitWork(llvm::ArrayRef<mlir::Operation *> work,
                               const PointOffset &point, PipelineStep &step,
                               SharedReads &reads);
  void pushCopy(WindowOp window, PipelineStep &step, SharedReads &reads,
                const StageChain *chain = nullptr);
  void pushSums(AccumulateOp sum, const PointOffset &point);
  mlir::Value readRegisters(WindowOp window, int64_t age,
                            const PointOffset &offset) const;

  // PipelineMemory.cpp: what is read in memory ahead of the stores.
  BasePoint getNeededBase(const PipelineStep &step, int64_t lead,
                          const OffsetBox &needs);
  mlir::Value isNeeded(const BasePoint &base, const PointOffset &offset,
                       const OffsetBox &needs);
  mlir::LogicalResult computeWhere(mlir::Value condition, mlir::TypeRange types,
                                   ComputeValues compute,
                                   llvm::SmallVectorImpl<mlir::Value> &results);
  mlir::LogicalResult
  computeWhereNeeded(llvm::ArrayRef<PointOffset> offsets, mlir::TypeRange types,
                     const OffsetBox &needs, const BasePoint &base,
                     bool together, ComputePoints compute,
                     llvm::SmallVectorImpl<mlir::Value> &results);
  bool isInField(LoadOp load, llvm::ArrayRef<int64_t> axes,
                 const OffsetBox &reads) const;
  bool isSafe(ApplyOp stage) const;
  bool mayBeEarly(mlir::Operation *op, const PipelineStep &step) const;
  mlir::Value isDue(mlir::Operation *op, const PipelineStep &step);
  mlir::LogicalResult emitGuardedStage(ApplyOp stage, PipelineStep &step,
                                       SharedReads &reads,
                                       mlir::Value condition);
  void loadPlane(WindowOp window, PipelineStep &step,
                 std::map<PointOffset, mlir::Value> &plane);
  std::map<PointOffset, mlir::Value> copyPlane(WindowOp window,
                                               PipelineStep &step,
                                               SharedReads &reads,
                                               const StageChain *chain);

  void
  shuffleColumns(WindowOp window, const BasePoint &base,
                 std::map<PointOffset, mlir::Value> &plane,
                 llvm::function_ref<mlir::Value(const PointOffset &)> load);
  std::vector<PointOffset>
  listOwnColumns(llvm::ArrayRef<PointOffset> offsets) const;

  friend class StageReader;

  PipelineOp op;
  PipelinePlan plan;
  KernelSet &kernels;
  GPUSchedule schedule;
  KernelBuilder kernel;
  BlockGrid grid;
  PipelineContext context;
  mlir::Value errorWord;
  /// Of loads by their result, of stores by their field.
  llvm::DenseMap<mlir::Value, KernelField> loads, stores;
  llvm::DenseMap<mlir::Value, mlir::Value> scalars;
  llvm::MapVector<mlir::Operation *, std::unique_ptr<SharedRing>> rings;
  /// The numbers of the groups of windows, and who fills them, in order.
  llvm::SmallVector<int64_t> groupNumbers;
  std::vector<FetchGroup> fetchGroups;
  std::map<std::pair<unsigned, Prefetch>, PlaneFetch *> fetchers;
  std::vector<int64_t> depths;
  llvm::DenseMap<int64_t, mlir::Value> slots, parities;
  std::vector<std::unique_ptr<PointGroup>> groups;
  /// The one whose points are being computed.
  PointGroup *group = nullptr;
  std::vector<std::unique_ptr<StageChain>> chains;
  /// With a barrier before each but the first; whether the final stages read
  /// what the last one writes.
  std::vector<StagePhase> phases;
  bool finalsWait = false;
  /// Ops that nothing but stores follows.
  llvm::DenseSet<mlir::Operation *> finals;
  std::vector<PointOffset> points;
  mlir::Value isInside, blocks;
  bool needsEarlyBarrier = false;
};

/// Builds the kernel of a pipeline and launches it before the op. Fails with an
/// error.
mlir::LogicalResult lowerPipeline(PipelineOp op, KernelSet &kernels);

} // namespace stencil

#endif // STENCIL_LIB_CONVERSION_STENCILTOGPU_PIPELINEKERNEL_H
