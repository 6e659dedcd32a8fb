//===- TilePhases.h - What lies between two barriers ------------*- C++ -*-===//

#ifndef STENCIL_LIB_CONVERSION_STENCILTOGPU_TILEPHASES_H
#define STENCIL_LIB_CONVERSION_STENCILTOGPU_TILEPHASES_H

#include "TileReads.h"

namespace stencil {

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
