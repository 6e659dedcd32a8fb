//===- TileChecks.h - Rules that concern a whole kernel ---------*- C++ -*-===//

#ifndef STENCIL_LIB_TILE_TILECHECKS_H
#define STENCIL_LIB_TILE_TILECHECKS_H

#include "StencilDialect/IR/Footprint.h"
#include "StencilDialect/IR/PipelinePlan.h"
#include "StencilDialect/Tile/Tile.h"

namespace stencil::tile {

/// The furthest coordinate of a tile that is spoken of, and the furthest plane
/// before one: sums of it and a coordinate of the domain are positions of 32
/// bits where those are.
constexpr int64_t kMaxReach = int64_t(1) << 20;

/// What the stages of a kernel read: found once per stage, for all rules.
class StageReads {
public:
  /// Calls `callback` for every op that reads an input of a stage.
  void forEachRead(ApplyOp stage, unsigned input,
                   function_ref<void(const InputRead &)> callback);

private:
  DenseMap<Operation *, std::unique_ptr<Footprint>> known;
};

/// Fails with an error where an op of a kernel is, or is given, what has no
/// place there.
LogicalResult verifyStructure(KernelOp kernel, StageReads &reads);

/// Fails with an error where a ring is filled in a way, or takes memory, that
/// the module's target does not have.
LogicalResult verifyRings(KernelOp kernel);

/// Fails with an error where a kernel has ops that the legs of its relay cannot
/// compute for different planes.
LogicalResult verifyRelay(KernelOp kernel);

/// Of a walk, or of what it became.
LogicalResult verifyLookback(Operation *op, int64_t lookback);

/// Fails with an error where a walk reads a plane that is not in its ring yet,
/// or not any more.
LogicalResult verifyPlanes(WalkOp walk);

/// The same without a walk: where a ring is read that has not been filled.
LogicalResult verifyFilled(KernelOp kernel);

/// Checks of single ops: that an op is in a kernel; that it says which
/// iteration it is in if there are any; that a cursor is one of the ring; that
/// an op is outside of regions whose points are chosen one by one.
LogicalResult verifyInKernel(Operation *op);
LogicalResult verifyIteration(Operation *op, Value iteration, StringRef what);
LogicalResult verifyCursor(Operation *op, Value cursor, Value ring);
LogicalResult verifyForAll(Operation *op);
LogicalResult verifyPlane(Operation *op, int64_t plane);
/// The axis that the kernel of an op walks along.
std::optional<int64_t> getWalkAxis(Operation *op);
/// Attributes besides those in `taken`, for which the syntax has a place.
mlir::ParseResult parseOtherAttributes(mlir::OpAsmParser &parser,
                                       mlir::OperationState &result,
                                       ArrayRef<StringRef> taken);
/// Offsets from points of the domain, none if null.
LogicalResult verifyNeeds(Operation *op, std::optional<BoundsAttr> needs,
                          int64_t rank);

/// Checks what an op says of a boundary; `ring` and `field` are null if it has
/// none.
LogicalResult verifyBoundary(Operation *op, std::optional<BoundsAttr> needs,
                             BoundaryAttr boundary, RingType ring,
                             FieldType field);

/// Fails with an error where a field that the kernel stores to is read
/// otherwise than at the point that is stored.
LogicalResult verifyStored(KernelOp kernel, StageReads &reads);

/// Fails with an error where a kernel over a list has what is for boxes, or
/// stores to a point twice or where it is read.
LogicalResult verifyListed(KernelOp kernel);

/// Fails with an error where a stage reads of values, not memory, what other
/// threads hold.
LogicalResult verifyOwnPoints(ApplyOp stage, KernelOp kernel,
                              StageReads &reads);

/// Fails with an error where a stage in a tile.where reads outside of a field.
LogicalResult verifyFieldReads(ApplyOp stage, KernelOp kernel,
                               StageReads &reads);

} // namespace stencil::tile

#endif // STENCIL_LIB_TILE_TILECHECKS_H
