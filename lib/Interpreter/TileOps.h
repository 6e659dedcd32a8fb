//===- TileOps.h - Ops in the program of a block ----------------*- C++ -*-===//

#ifndef STENCIL_LIB_INTERPRETER_TILEOPS_H
#define STENCIL_LIB_INTERPRETER_TILEOPS_H

#include "Applies.h"
#include "Ops.h"
#include "mlir/Dialect/UB/IR/UBOps.h"

namespace stencil::interp {

// Rings, copies and stores. `plane` and `iteration` are those of the iteration.
mlir::LogicalResult evaluate(RunState &state, TileBlock &block,
                             tile::RingOp op);
mlir::LogicalResult evaluate(RunState &state, TileBlock &block, tile::CopyOp op,
                             int64_t plane, int64_t iteration);
mlir::LogicalResult evaluate(RunState &state, TileBlock &block,
                             tile::WaitOp op);
mlir::LogicalResult evaluate(RunState &state, TileBlock &block, tile::PutOp op);
mlir::LogicalResult evaluate(RunState &state, TileBlock &block,
                             tile::TakeOp op);
mlir::LogicalResult evaluate(RunState &state, TileBlock &block,
                             tile::SourceOp op);
mlir::LogicalResult evaluate(RunState &state, TileBlock &block,
                             tile::StoreOp op);
/// What a stage reads of a ring, planes `lower` to `upper` - 1 of the grid, as
/// one array on the box of the source.
mlir::FailureOr<TempValue> readRing(RunState &state, TileBlock &block,
                                    mlir::Operation *reader,
                                    const SourceValue &source, int64_t lower,
                                    int64_t upper);

// What rings have around a box.
mlir::LogicalResult evaluate(RunState &state, tile::FringeOp op, int64_t plane);
mlir::LogicalResult evaluate(RunState &state, TileBlock &block,
                             tile::PatchOp op, int64_t plane,
                             int64_t iteration);
mlir::LogicalResult evaluate(RunState &state, TileBlock &block,
                             tile::AtEdgeOp op);
/// What a copy to a ring with a boundary brings of a plane, to what the ring's
/// box is there.
mlir::LogicalResult copyInside(RunState &state, TileBlock &block,
                               tile::CopyOp op, const FieldValue &field,
                               const TempValue &target, int64_t plane);

// Values that threads hold.
mlir::LogicalResult evaluate(RunState &state, mlir::ub::PoisonOp op);
mlir::LogicalResult evaluate(RunState &state, TileBlock &block,
                             tile::ShiftOp op);
mlir::LogicalResult evaluate(RunState &state, tile::JoinOp op);
mlir::LogicalResult evaluateStage(RunState &state, BodyPrograms &bodies,
                                  TileBlock &block, ApplyOp op);
/// Zero, and specified nowhere.
mlir::FailureOr<TempValue> makeUnspecified(RunState &state, mlir::Operation *op,
                                           Kind kind, const Box &box);
/// Values on the box of a type, specified nowhere.
mlir::FailureOr<TileValue> makeTileValue(RunState &state, mlir::Operation *op,
                                         mlir::Type type);
/// Null, with an error at `op`, if it is something else.
TileValue *getTileValue(RunState &state, mlir::Operation *op,
                        mlir::Value value);

// Lists.
mlir::LogicalResult evaluate(RunState &state, TileBlock &block,
                             tile::TurnOp op);
mlir::LogicalResult evaluate(RunState &state, TileBlock &block,
                             tile::HaloOp op);
mlir::LogicalResult evaluate(RunState &state, TileBlock &block,
                             tile::FoldOp op);
mlir::LogicalResult evaluateListStore(RunState &state, TileBlock &block,
                                      tile::StoreOp op);

/// The points that a point of the domain reads at offsets in `needs`.
mlir::FailureOr<Box> getNeeded(RunState &state, const TileBlock &block,
                               mlir::Operation *op, BoundsAttr needs);

/// Copies the values that two boxes have in common, specified or not.
void copyCommon(const TempValue &target, const TempValue &source);

/// The box of a type, which is static.
Box getStaticBox(BoundsAttr bounds);

} // namespace stencil::interp

#endif // STENCIL_LIB_INTERPRETER_TILEOPS_H
