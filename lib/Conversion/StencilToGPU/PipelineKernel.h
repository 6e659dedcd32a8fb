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

/// Emits the kernel of a pipeline: tiles and segments as blocks, the walk as a
/// loop that is unrolled until every register window is in place again.
class PipelineKernel {
public:
  PipelineKernel(PipelineOp op, PipelinePlan plan, HostFunction &host,
                 GPUSchedule schedule);

  mlir::LogicalResult emit();

private:
  // PipelineToKernel.cpp: the frame.
  mlir::LogicalResult checkStages();
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

  // PipelineWindows.cpp: where they are, and who fills them.
  mlir::LogicalResult addWindows();
  mlir::LogicalResult addPatch(SharedRing &ring, const KernelField &field);
  mlir::Value findEdge();
  void patchPlanes(const PipelineStep &step);
  void addQueues();
  int64_t countUnrolled();

  // PipelineStages.cpp: what an iteration computes.
  void findFinals();
  bool isFinal(mlir::Operation *op) const { return finals.contains(op); }
  bool readsMemory(ApplyOp stage) const;
  std::vector<PointOffset> listReads(WindowOp window) const;
  mlir::LogicalResult emitStages(PipelineStep &step);
  mlir::LogicalResult emitFinalStages(PipelineStep &step,
                                      const SharedReads &reads);
  mlir::LogicalResult emitFinalPoints(PipelineStep &step,
                                      llvm::ArrayRef<PointOffset> at,
                                      SharedReads reads);
  mlir::LogicalResult emitStage(ApplyOp stage, PipelineStep &step,
                                SharedReads &reads,
                                llvm::ArrayRef<PointOffset> at);
  mlir::LogicalResult emitWork(llvm::ArrayRef<mlir::Operation *> work,
                               const PointOffset &point, PipelineStep &step,
                               SharedReads &reads);
  void pushCopy(WindowOp window, PipelineStep &step, SharedReads &reads);
  void pushSums(AccumulateOp sum, const PointOffset &point);
  mlir::Value readRegisters(WindowOp window, int64_t age,
                            const PointOffset &offset) const;

  // PipelineMemory.cpp: what is read in memory ahead of the stores.
  BasePoint getNeededBase(const PipelineStep &step, int64_t lead,
                          const OffsetBox &needs);
  mlir::Value isNeeded(const BasePoint &base, const PointOffset &offset,
                       const OffsetBox &needs);
  mlir::LogicalResult computeWhereNeeded(
      llvm::ArrayRef<PointOffset> offsets, mlir::TypeRange types,
      const OffsetBox &needs, const BasePoint &base,
      llvm::function_ref<mlir::LogicalResult(
          llvm::ArrayRef<PointOffset>, llvm::SmallVectorImpl<mlir::Value> &)>
          compute,
      llvm::SmallVectorImpl<mlir::Value> &results);
  mlir::LogicalResult emitReadingStage(ApplyOp stage, PipelineStep &step,
                                       SharedReads &reads);
  void loadPlane(WindowOp window, PipelineStep &step,
                 std::map<PointOffset, mlir::Value> &plane);

  void
  shuffleColumns(WindowOp window, const BasePoint &base,
                 std::map<PointOffset, mlir::Value> &plane,
                 llvm::function_ref<mlir::Value(const PointOffset &)> load);
  std::vector<PointOffset>
  listOwnColumns(llvm::ArrayRef<PointOffset> offsets) const;

  friend class StageReader;

  PipelineOp op;
  PipelinePlan plan;
  HostFunction &host;
  GPUSchedule schedule;
  KernelBuilder kernel;
  BlockGrid grid;
  PipelineContext context;
  mlir::Value errorWord;
  /// Of loads by their result, of stores by their field.
  llvm::DenseMap<mlir::Value, KernelField> loads, stores;
  llvm::DenseMap<mlir::Value, mlir::Value> scalars;
  llvm::DenseMap<mlir::Operation *, std::unique_ptr<SharedRing>> rings;
  std::vector<std::unique_ptr<PlaneFetch>> fetches;
  std::vector<std::unique_ptr<HaloPatch>> patches;
  std::vector<int64_t> depths;
  llvm::DenseMap<int64_t, mlir::Value> slots, parities;
  llvm::MapVector<mlir::Operation *, RegisterQueue> queues;
  /// Ops that nothing but stores follows.
  llvm::DenseSet<mlir::Operation *> finals;
  std::vector<PointOffset> points;
  mlir::Value isInside, blocks;
  /// What the current iteration has computed, at the thread's points.
  llvm::DenseMap<mlir::Value, PointValues> values;
  bool needsEarlyBarrier = false;
  /// Whether planes with a boundary are there for all threads only after a
  /// barrier: those of TMA are when their mbarrier says so.
  bool needsPatchBarrier = false;
};

/// Builds the kernel of a pipeline and launches it before the op. Fails with an
/// error.
mlir::LogicalResult lowerPipeline(PipelineOp op, HostFunction &host);

} // namespace stencil

#endif // STENCIL_LIB_CONVERSION_STENCILTOGPU_PIPELINEKERNEL_H
