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
  ThreadStage(ThreadValues &held, ApplyOp stage, ArrayRef<TilePoint> points,
              TileReads &reads);

  ApplyOp getStage() const override { return stage; }
  ArrayRef<TilePoint> getPoints() const override { return row; }
  OpBuilder &getBuilder() override { return kernel.body(); }
  MathMode getMath() const override { return block.kernels.getOptions().math; }
  tile::OperandMemory getMemory(unsigned input, int64_t plane) override;
  Value getConstants(Location loc, DenseElementsAttr values) override {
    return block.kernels.getConstants(kernel.body(), loc, values);
  }
  Value getTable(Location loc, DenseElementsAttr values) override {
    return block.kernels.getTable(kernel.body(), loc, values);
  }
  void setResult(unsigned result, ArrayRef<int64_t> point,
                 Value value) override {
    held.set(stage.getRes()[result], TilePoint(point), {value, {}});
  }
  LogicalResult emitPointwise() override;

  // TileMatrix.cpp: matrix instructions.
  Value getLane() override;
  Value getFactor(Location loc, Value value) override;
  SmallVector<Value> multiply(Location loc, ArrayRef<int64_t> shape,
                              ValueRange a, ValueRange b,
                              ValueRange c) override;

  // TileLanes.cpp: what other lanes have.
  Value getNeighbour(unsigned source, unsigned values,
                     ArrayRef<int64_t> point) override;

private:
  Value load(unsigned source, const TilePoint &point);
  Value isNeeded(const TilePoint &point);

  ThreadValues &held;
  TileBlock &block;
  KernelBuilder &kernel;
  const Arithmetic &math;
  ApplyOp stage;
  std::vector<TilePoint> row;
  TileReads &reads;
  /// What has come from other lanes already.
  std::map<std::pair<unsigned, TilePoint>, Value> neighbours;
};

/// Emits a stage at a row of a thread's points, by its engine.
LogicalResult emitStage(ThreadValues &held, ApplyOp stage,
                        ArrayRef<TilePoint> row, TileReads &reads);

/// Emits a stage point by point, whatever its engine is.
LogicalResult emitPointwise(ThreadValues &held, ApplyOp stage,
                            ArrayRef<TilePoint> row, TileReads &reads);

/// Emits ops under a condition for a thread's points. Where it does not hold,
/// results are zeros.
class GuardedStages {
public:
  using Points = ArrayRef<TilePoint>;
  /// Emits the ops at some points, whose values are `yielded` then.
  using Compute = function_ref<LogicalResult(Points, TileReads)>;

  GuardedStages(ThreadValues &held, Location loc, ArrayRef<Operation *> ops,
                Compute compute, ValueRange yielded, ValueRange results,
                TileReads &reads, Points points)
      : held(held), block(held.block), builder(block.kernel.body()), loc(loc),
        ops(ops), compute(compute), yielded(yielded), results(results),
        reads(reads), points(points) {}

  /// Once if all points are needed, else point by point.
  LogicalResult emit(BoundsAttr needs);
  /// Under one condition for all points.
  LogicalResult emitIf(Value condition) {
    return emitIf(condition, points, /*keeps=*/true);
  }

private:
  LogicalResult emitWhere(BoundsAttr needs);
  Value isAtOnce(BasePoint base, BoundsAttr needs);
  bool isWholeOrOutside(const BasePoint &base, BoundsAttr needs);
  /// All points, in a branch whose condition holds for them.
  LogicalResult emitAll(const TileReads &known);

  SmallVector<Value> collect(ValueRange from, Points at);
  void set(Points at, ValueRange computed);
  SmallVector<Type> getTypes(Points at);
  void yield(ValueRange computed);
  /// `keeps`: what is read is known to the ops within.
  LogicalResult emitIf(Value condition, Points at, bool keeps);
  LogicalResult emitOneByOne(BoundsAttr needs, const BasePoint &base);
  bool readsHeld() const;
  LogicalResult emitLoop(BoundsAttr needs, ArrayRef<int64_t> steps);
  SmallVector<int64_t> getSteps() const;
  bool isOneStep() const {
    return static_cast<int64_t>(points.size()) == llvm::product_of(getSteps());
  }

  ThreadValues &held;
  TileBlock &block;
  OpBuilder &builder;
  Location loc;
  ArrayRef<Operation *> ops;
  Compute compute;
  ValueRange yielded, results;
  TileReads &reads;
  Points points;
};

/// Emits the ops of a phase at one kind of a thread's points.
class PhaseWriter {
public:
  PhaseWriter(ThreadValues &held, OwnReads &known)
      : held(held), block(held.block), known(known) {}

protected:
  using Ops = ArrayRef<Operation *>;
  using Points = ArrayRef<TilePoint>;

  ~PhaseWriter() = default;
  /// Ops at all points of the group.
  virtual LogicalResult emitOps(Ops ops, TileReads &reads) = 0;
  /// Stages and stores at some of its points.
  virtual LogicalResult emitStages(Ops ops, Points points,
                                   TileReads &reads) = 0;
  LogicalResult emitWhere(tile::WhereOp where, TileReads &reads);
  void emitPut(tile::PutOp put, Points row);

  ThreadValues &held;
  TileBlock &block;
  OwnReads &known;

private:
  LogicalResult emitEverywhere(tile::WhereOp where, Ops ops, TileReads &reads);
};

/// At the thread's own points of the tile, through all stages to the stores.
class OwnPhase final : public PhaseWriter {
public:
  using PhaseWriter::PhaseWriter;
  LogicalResult emit(Ops ops) { return emitOps(ops, known.get()); }

private:
  LogicalResult emitOps(Ops ops, TileReads &reads) override;
  LogicalResult emitStages(Ops ops, Points points, TileReads &reads) override;
  LogicalResult emitRows(Ops ops, Points points, TileReads &reads);
  LogicalResult emitWork(Ops ops, TileReads &reads);
  SmallVector<Operation *> listStoresOfRows(Operation *follower);
  LogicalResult emitStoredRows(Ops stages, Ops stores, TileReads &reads);
  LogicalResult emitInDomain(Ops ops, Points points, TileReads &reads);
};

/// At the thread's share of what is beside the tile.
class RimPhase final : public PhaseWriter {
public:
  using PhaseWriter::PhaseWriter;
  /// What a phase computes beside the tile, of each layout.
  LogicalResult emit(Ops ops);

private:
  LogicalResult emitOps(Ops ops, TileReads &reads) override {
    return emitStages(ops, held.getGroup().points, reads);
  }
  LogicalResult emitStages(Ops ops, Points points, TileReads &reads) override {
    return emitAll(ops, points, /*exists=*/{}, reads);
  }
  LogicalResult emitAll(Ops ops, Points row, Value exists, TileReads &reads) {
    return mlir::success(llvm::all_of(ops, [&](Operation *op) {
      return mlir::succeeded(emitOp(op, row, exists, reads));
    }));
  }
  LogicalResult emitOp(Operation *op, Points row, Value exists,
                       TileReads &reads);
  LogicalResult emitGroup(Ops ops, ArrayRef<Value> kept);
  LogicalResult emitStageIf(Value condition, ApplyOp stage, TileReads &reads);
  tile::CoreAndRimAttr getLayout(Operation *op) const;
};

/// What a thread does between two barriers.
class TilePhases {
public:
  explicit TilePhases(ThreadValues &held)
      : known(held), own(held, known), rim(held, known) {}

  LogicalResult emit(ArrayRef<Operation *> phase);
  /// A ring is written again.
  void forget(Value ring) { known.forget(ring); }

private:
  OwnReads known;
  OwnPhase own;
  RimPhase rim;
};

} // namespace stencil

#endif // STENCIL_LIB_CONVERSION_STENCILTOGPU_TILEPHASES_H
