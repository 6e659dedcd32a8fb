//===- TilePhases.h - What lies between two barriers ------------*- C++ -*-===//

#ifndef STENCIL_LIB_CONVERSION_STENCILTOGPU_TILEPHASES_H
#define STENCIL_LIB_CONVERSION_STENCILTOGPU_TILEPHASES_H

#include "ThreadValues.h"
#include "TileReads.h"

namespace stencil {

/// A stage at a row of a thread's points; of a walk, at the first plane of its
/// box.
class ThreadStage : public tile::StageEmission {
public:
  ThreadStage(ThreadValues &held, ApplyOp stage,
              llvm::ArrayRef<TilePoint> points, TileReads &reads);

  ApplyOp getStage() const override { return stage; }
  llvm::ArrayRef<TilePoint> getPoints() const override { return row; }
  mlir::OpBuilder &getBuilder() override;
  MathMode getMath() const override;
  tile::OperandMemory getMemory(unsigned input, int64_t plane) override;
  mlir::Value getConstants(mlir::Location loc,
                           mlir::DenseElementsAttr values) override;
  mlir::Value getTable(mlir::Location loc,
                       mlir::DenseElementsAttr values) override;
  void setResult(unsigned result, llvm::ArrayRef<int64_t> point,
                 mlir::Value value) override;
  mlir::LogicalResult emitPointwise() override;

  // TileMatrix.cpp: matrix instructions.
  mlir::Value getLane() override;
  mlir::Value getFactor(mlir::Location loc, mlir::Value value) override;
  llvm::SmallVector<mlir::Value>
  multiply(mlir::Location loc, llvm::ArrayRef<int64_t> shape,
           mlir::ValueRange a, mlir::ValueRange b, mlir::ValueRange c) override;

  // TileLanes.cpp: what other lanes have.
  mlir::Value getNeighbour(unsigned source, unsigned values,
                           llvm::ArrayRef<int64_t> point) override;

private:
  mlir::Value load(unsigned source, const TilePoint &point);
  mlir::Value isNeeded(const TilePoint &point);

  ThreadValues &held;
  TileBlock &block;
  KernelBuilder &kernel;
  ApplyOp stage;
  std::vector<TilePoint> row;
  TileReads &reads;
  /// What has come from other lanes already.
  std::map<std::pair<unsigned, TilePoint>, mlir::Value> neighbours;
};

/// Emits a stage at a row of a thread's points, by its engine.
mlir::LogicalResult emitStage(ThreadValues &held, ApplyOp stage,
                              llvm::ArrayRef<TilePoint> row, TileReads &reads);

/// Emits a stage point by point, whatever its engine is.
mlir::LogicalResult emitPointwise(ThreadValues &held, ApplyOp stage,
                                  llvm::ArrayRef<TilePoint> row,
                                  TileReads &reads);

/// Emits ops under a condition for a thread's points. Where it does not hold,
/// results are zeros.
class GuardedStages {
public:
  using Points = llvm::ArrayRef<TilePoint>;
  /// Emits the ops at some points, whose values are `yielded` then.
  using Compute = llvm::function_ref<mlir::LogicalResult(Points, TileReads)>;

  GuardedStages(ThreadValues &held, mlir::Location loc,
                llvm::ArrayRef<mlir::Operation *> ops, Compute compute,
                mlir::ValueRange yielded, mlir::ValueRange results,
                TileReads &reads, Points points)
      : held(held), block(held.block), builder(block.kernel.body()), loc(loc),
        ops(ops), compute(compute), yielded(yielded), results(results),
        reads(reads), points(points) {}

  /// Once if all points are needed, else point by point.
  mlir::LogicalResult emit(BoundsAttr needs);
  /// Under one condition for all points.
  mlir::LogicalResult emitIf(mlir::Value condition) {
    return emitIf(condition, points, /*keeps=*/true);
  }

private:
  mlir::LogicalResult emitWhere(BoundsAttr needs);
  mlir::Value isAtOnce(BasePoint base, BoundsAttr needs);
  bool isWholeOrOutside(const BasePoint &base, BoundsAttr needs);
  /// All points, in a branch whose condition holds for them.
  mlir::LogicalResult emitAll(const TileReads &known);

  llvm::SmallVector<mlir::Value> collect(mlir::ValueRange from, Points at);
  void set(Points at, mlir::ValueRange computed);
  llvm::SmallVector<mlir::Type> getTypes(Points at);
  void yield(mlir::ValueRange computed);
  /// `keeps`: what is read is known to the ops within.
  mlir::LogicalResult emitIf(mlir::Value condition, Points at, bool keeps);
  mlir::LogicalResult emitOneByOne(BoundsAttr needs, const BasePoint &base);
  bool readsHeld() const;
  mlir::LogicalResult emitLoop(BoundsAttr needs, llvm::ArrayRef<int64_t> steps);
  llvm::SmallVector<int64_t> getSteps() const;
  bool isOneStep() const {
    return static_cast<int64_t>(points.size()) == llvm::product_of(getSteps());
  }

  ThreadValues &held;
  TileBlock &block;
  mlir::OpBuilder &builder;
  mlir::Location loc;
  llvm::ArrayRef<mlir::Operation *> ops;
  Compute compute;
  mlir::ValueRange yielded, results;
  TileReads &reads;
  Points points;
};

/// Emits the ops of a phase at one kind of a thread's points.
class PhaseWriter {
public:
  PhaseWriter(ThreadValues &held, OwnReads &known)
      : held(held), block(held.block), known(known) {}

protected:
  using Ops = llvm::ArrayRef<mlir::Operation *>;
  using Points = llvm::ArrayRef<TilePoint>;

  ~PhaseWriter() = default;
  /// Ops at all points of the group.
  virtual mlir::LogicalResult emitOps(Ops ops, TileReads &reads) = 0;
  /// Stages and stores at some of its points.
  virtual mlir::LogicalResult emitStages(Ops ops, Points points,
                                         TileReads &reads) = 0;
  mlir::LogicalResult emitWhere(tile::WhereOp where, TileReads &reads);
  void emitPut(tile::PutOp put, Points row);

  ThreadValues &held;
  TileBlock &block;
  OwnReads &known;

private:
  mlir::LogicalResult emitEverywhere(tile::WhereOp where, Ops ops,
                                     TileReads &reads);
};

/// At the thread's own points of the tile, through all stages to the stores.
class OwnPhase final : public PhaseWriter {
public:
  using PhaseWriter::PhaseWriter;
  mlir::LogicalResult emit(Ops ops) { return emitOps(ops, known.get()); }

private:
  mlir::LogicalResult emitOps(Ops ops, TileReads &reads) override;
  mlir::LogicalResult emitStages(Ops ops, Points points,
                                 TileReads &reads) override;
  mlir::LogicalResult emitRows(Ops ops, Points points, TileReads &reads);
  mlir::LogicalResult emitWork(Ops ops, TileReads &reads);
  llvm::SmallVector<mlir::Operation *>
  listStoresOfRows(mlir::Operation *follower);
  mlir::LogicalResult emitStoredRows(Ops stages, Ops stores, TileReads &reads);
  mlir::LogicalResult emitInDomain(Ops ops, Points points, TileReads &reads);
};

/// At the thread's share of what is beside the tile.
class RimPhase final : public PhaseWriter {
public:
  using PhaseWriter::PhaseWriter;
  /// What a phase computes beside the tile, of each layout.
  mlir::LogicalResult emit(Ops ops);

private:
  mlir::LogicalResult emitOps(Ops ops, TileReads &reads) override {
    return emitStages(ops, held.getGroup().points, reads);
  }
  mlir::LogicalResult emitStages(Ops ops, Points points,
                                 TileReads &reads) override {
    return emitAll(ops, points, /*exists=*/{}, reads);
  }
  mlir::LogicalResult emitAll(Ops ops, Points row, mlir::Value exists,
                              TileReads &reads) {
    return mlir::success(llvm::all_of(ops, [&](mlir::Operation *op) {
      return mlir::succeeded(emitOp(op, row, exists, reads));
    }));
  }
  mlir::LogicalResult emitOp(mlir::Operation *op, Points row,
                             mlir::Value exists, TileReads &reads);
  mlir::LogicalResult emitGroup(Ops ops, llvm::ArrayRef<mlir::Value> kept);
  mlir::LogicalResult emitStageIf(mlir::Value condition, ApplyOp stage,
                                  TileReads &reads);
  tile::CoreAndRimAttr getLayout(mlir::Operation *op) const;
};

/// What a thread does between two barriers.
class TilePhases {
public:
  explicit TilePhases(ThreadValues &held)
      : known(held), own(held, known), rim(held, known) {}

  mlir::LogicalResult emit(llvm::ArrayRef<mlir::Operation *> phase);
  /// A ring is written again.
  void forget(mlir::Value ring) { known.forget(ring); }

private:
  OwnReads known;
  OwnPhase own;
  RimPhase rim;
};

} // namespace stencil

#endif // STENCIL_LIB_CONVERSION_STENCILTOGPU_TILEPHASES_H
