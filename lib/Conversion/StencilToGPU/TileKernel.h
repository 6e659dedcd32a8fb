//===- TileKernel.h - The kernel of one block's program ---------*- C++ -*-===//
//
// A tile.kernel, distributed to the threads of a block. What is decided has
// been decided in the IR: here, ops become loads, stores and arithmetic of
// threads.
//
//===----------------------------------------------------------------------===//

#ifndef STENCIL_LIB_CONVERSION_STENCILTOGPU_TILEKERNEL_H
#define STENCIL_LIB_CONVERSION_STENCILTOGPU_TILEKERNEL_H

#include "EdgePatches.h"
#include "ThreadPoints.h"
#include "TmaCopies.h"
#include "llvm/ADT/MapVector.h"

namespace stencil {

class TileReads;
class GuardedStages;

/// Emits the kernel, op by op.
class TileKernel : public TileBlock {
public:
  TileKernel(tile::KernelOp op, KernelSet &kernels, GPUSchedule schedule);
  ~TileKernel();

  mlir::LogicalResult emit();

private:
  friend class GuardedStages;
  friend class TileReads;
  friend class TileReader;
  friend class ThreadStage;

  // TileToKernel.cpp: the frame, scalars and loops.
  mlir::LogicalResult emitBlock(mlir::Block &block);
  mlir::LogicalResult emitOp(mlir::Operation *op);
  mlir::LogicalResult emitLoop(mlir::scf::ForOp loop);
  mlir::LogicalResult emitScalarOp(mlir::Operation *op);
  void appendState(mlir::Value value, mlir::Value carried,
                   llvm::SmallVectorImpl<mlir::Value> &state);
  void restoreState(mlir::Value value, mlir::ValueRange &state);
  mlir::LogicalResult placeRings();
  mlir::LogicalResult emitCopy(tile::CopyOp copy);
  mlir::LogicalResult emitWait(tile::WaitOp wait);
  void emitAtEdge(tile::AtEdgeOp edge);
  mlir::LogicalResult emitIf(mlir::scf::IfOp branch);
  mlir::LogicalResult emitBranch(mlir::Region &region);
  using TakeHeld = llvm::function_ref<void(TilePoints &, const TilePoint &)>;
  void forEachHeld(mlir::Value value, TakeHeld take);

  // TileRims.cpp: what is computed beside the tile.
  mlir::Value isWithin(BoundsAttr box);
  mlir::Value isInRim(BoundsAttr box, tile::CoreAndRimAttr layout);
  tile::CoreAndRimAttr getRimLayout(mlir::Operation *op) const;
  mlir::LogicalResult emitRimOp(mlir::Operation *op,
                                tile::CoreAndRimAttr layout,
                                llvm::ArrayRef<TilePoint> row,
                                mlir::Value exists, TileReads &reads);
  mlir::LogicalResult emitRimOps(llvm::ArrayRef<mlir::Operation *> ops,
                                 llvm::ArrayRef<TilePoint> row,
                                 mlir::Value exists, TileReads &reads);
  mlir::LogicalResult emitRim(llvm::ArrayRef<mlir::Operation *> ops,
                              llvm::ArrayRef<mlir::Value> kept);
  mlir::LogicalResult emitRims(llvm::ArrayRef<mlir::Operation *> ops);

  // TilePuts.cpp: what threads write to rings, and store together.
  void clearEdges();
  void emitPut(tile::PutOp put, llvm::ArrayRef<TilePoint> row);
  void emitSharedStore(tile::StoreOp store);
  void storeChunk(const KernelField &field, const TileRing &ring,
                  BasePoint base, mlir::Value source, int64_t length);

  // TileRelay.cpp: what legs hand on to each other.
  mlir::Value getLegStart(mlir::Value ring, mlir::Value leg);
  void emitTake(tile::TakeOp take);

  // TileEngines.cpp: a stage, by its engine.
  mlir::LogicalResult emitStage(ApplyOp stage, llvm::ArrayRef<TilePoint> row,
                                TileReads &reads);

  // TilePhases.cpp: what lies between two barriers.
  /// Whether all that is read is read in the caches of the hardware.
  bool isOfCaches() const { return !walk && rings.empty(); }
  mlir::LogicalResult emitPhase();
  mlir::LogicalResult emitRows(llvm::ArrayRef<mlir::Operation *> ops,
                               llvm::ArrayRef<TilePoint> points,
                               TileReads &reads);
  mlir::LogicalResult emitWork(llvm::ArrayRef<mlir::Operation *> ops,
                               TileReads &reads);
  llvm::SmallVector<mlir::Operation *>
  listStoresOfRows(mlir::Operation *follower);
  mlir::LogicalResult emitStoredRows(llvm::ArrayRef<mlir::Operation *> stages,
                                     llvm::ArrayRef<mlir::Operation *> stores,
                                     TileReads &reads);
  mlir::LogicalResult emitOps(llvm::ArrayRef<mlir::Operation *> ops,
                              TileReads &reads);
  mlir::LogicalResult emitStages(llvm::ArrayRef<mlir::Operation *> ops,
                                 llvm::ArrayRef<TilePoint> points,
                                 TileReads &reads);

  // TileGuards.cpp: what is computed where somebody needs it.
  mlir::LogicalResult emitWhere(tile::WhereOp where, TileReads &reads);
  mlir::LogicalResult emitEverywhere(tile::WhereOp where,
                                     llvm::ArrayRef<mlir::Operation *> ops,
                                     TileReads &reads);
  mlir::LogicalResult emitInDomain(llvm::ArrayRef<mlir::Operation *> ops,
                                   llvm::ArrayRef<TilePoint> points,
                                   TileReads &reads);
  mlir::LogicalResult emitRimIf(mlir::Value condition,
                                llvm::ArrayRef<mlir::Operation *> ops,
                                llvm::ArrayRef<mlir::Value> kept,
                                TileReads &reads);
  mlir::LogicalResult emitStageIf(mlir::Value condition, ApplyOp stage,
                                  TileReads &reads);
  mlir::Value isPlane(tile::WhereOp where);
  bool splitsRows() const;
  mlir::Value isInner(const TilePoint &point);
  mlir::Value isWhere(BoundsAttr needs, llvm::ArrayRef<int64_t> points,
                      const BasePoint &base);
  llvm::SmallVector<TilePoint> listPlanes(mlir::Value value,
                                          TilePoint point) const;

  // TileStages.cpp: stages, point by point, and stores.
  mlir::LogicalResult
  emitPointwise(ApplyOp stage, llvm::ArrayRef<TilePoint> row, TileReads &reads);
  void emitStore(tile::StoreOp store, llvm::ArrayRef<TilePoint> points);
  mlir::Value openStore(tile::StoreOp store);
  mlir::Value getReadPlane(ApplyOp stage, mlir::Value plane);
  LaneValue getValue(mlir::Value value, TilePoint point);
  BasePoint getBase(mlir::Value plane);
  std::optional<int64_t> findInSlot(const TileRing &ring,
                                    llvm::ArrayRef<int64_t> offset) const;
  mlir::Value getRingBase(mlir::Value ring, mlir::Value cursor, int64_t plane);

  // TilePrefetch.cpp: what the next tile reads first.
  mlir::LogicalResult emitPrefetch(tile::PrefetchOp prefetch);

  // TileImages.cpp: periodic halos of what is stored.
  void emitImages(llvm::ArrayRef<tile::StoreOp> stores);

  ThreadCopies copies{*this};
  TmaCopies tma{*this, copies};
  EdgePatches patches{*this};
  std::optional<ThreadPoints> threadPoints;
  /// The points that are computed.
  TilePoints *group = nullptr;
  /// What is nowhere specified.
  llvm::DenseMap<mlir::Value, mlir::Value> poisons;
  /// Per axis, how far from the thread's first point the one is that is being
  /// computed; empty where there is more than one.
  llvm::SmallVector<mlir::Value> onePoint;
  /// What has been seen of a phase.
  llvm::SmallVector<mlir::Operation *> phase;
  /// What has been read in this block, for a thread's own points.
  std::unique_ptr<TileReads> known;
};

/// The first of the points and those of its row that follow.
llvm::ArrayRef<TilePoint> takeRow(llvm::ArrayRef<TilePoint> points);

/// Whether a point is the first one of those that come in steps.
bool isFirstOf(llvm::ArrayRef<int64_t> point, llvm::ArrayRef<int64_t> steps);

/// Builds the kernel of a tile.kernel and launches it before the op. Fails with
/// an error.
mlir::LogicalResult lowerTileKernel(tile::KernelOp op, KernelSet &kernels);

} // namespace stencil

#endif // STENCIL_LIB_CONVERSION_STENCILTOGPU_TILEKERNEL_H
