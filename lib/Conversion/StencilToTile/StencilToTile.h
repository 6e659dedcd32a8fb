//===- StencilToTile.h - The parts of stencil-map-stages --------*- C++ -*-===//

#ifndef STENCIL_LIB_CONVERSION_STENCILTOTILE_STENCILTOTILE_H
#define STENCIL_LIB_CONVERSION_STENCILTOTILE_STENCILTOTILE_H

#include "StencilDialect/Analysis/FieldAlias.h"
#include "StencilDialect/IR/PipelinePlan.h"
#include "StencilDialect/IR/Schedule.h"
#include "StencilDialect/IR/StencilOps.h"
#include "StencilDialect/Target/TargetInfo.h"
#include "StencilDialect/Tile/Tile.h"

#include <string>

namespace stencil {

/// The keys of a schedule, which may be null, and whose lists have one entry
/// per axis then. `points` are evaluations of the body: each gives a point, or
/// as many as the apply's unroll factors say.
struct GPUSchedule : ScheduleKeys {
  GPUSchedule() = default;
  GPUSchedule(ScheduleAttr given, int64_t rank);

  /// The axis along which a block asks the second-level cache for what the next
  /// block is the first one to read.
  std::optional<int64_t> prefetchAxis;
  /// The axis that the kernel walks along, one thread deep.
  std::optional<int64_t> walk;

  /// Legs of the walk.
  int64_t getRelay() const { return relay.value_or(1); }
  /// What the kernel reads, the second-level cache gives up last.
  bool keepsLines() const { return eviction == Eviction::Last; }
};

/// The schedule of a bufferised apply, from its own attribute, which
/// stencil-tile-applies has completed. Fails with an error at the apply if it
/// does not fit it or the target.
FailureOr<GPUSchedule> readApplySchedule(ApplyOp op, const TargetInfo &target);

/// The schedule of a pipeline, from its own attribute.
FailureOr<GPUSchedule> readPipelineSchedule(PipelineOp op,
                                            const TargetInfo &target);

/// What the tiles of a pipeline begin at a multiple of along the last axis:
/// where sectors of all fields do.
int64_t getRowAlignment(PipelineOp op, const GPUSchedule &schedule);

/// The grid of a kernel over a list, whose boxes lie in `domain`.
tile::GridAttr makeListGrid(BoundsAttr domain, int64_t threads);

/// The grid of a kernel whose threads have `points` points, as a layout says if
/// they are no neighbours, and whose first tile is to begin at a multiple of
/// `alignment`; `inner` is what blocks store of their tiles, if not all; `cut`
/// says how many segments there are, if the launch counts them. Null,
/// with an error at the op, if there is none.
tile::GridAttr makeGrid(Operation *op, BoundsAttr domain,
                        const GPUSchedule &schedule, ArrayRef<int64_t> points,
                        int64_t alignment, tile::LayoutAttr layout = {},
                        BoundsAttr inner = {}, tile::CutAttr cut = {});

/// Creates a kernel without a body before the op, whose region group it gets.
/// Values that occur twice get one argument.
tile::KernelOp makeKernel(Operation *op, StringRef name, tile::GridAttr grid,
                          ArrayRef<Value> operands, tile::ListAttr list = {});

/// The argument of a kernel that stands for a value outside.
Value getArgument(tile::KernelOp kernel, Value outside);

/// Has the second-level cache keep what the finished kernel of an op reads.
/// Fails with an error at the op if that is nothing but what is stored.
LogicalResult keepLines(Operation *op, tile::KernelOp kernel,
                        FieldAliasAnalysis &aliases);

/// A stage with the body of an apply, which it takes, and what else the apply
/// says but for how it is scheduled.
ApplyOp moveStage(OpBuilder &builder, ApplyOp apply, mlir::TypeRange results,
                  ValueRange inputs);

/// What is going to read an input of a stage of a pipeline.
SmallVector<tile::EngineAttrInterface> chooseEngines(ApplyOp stage,
                                                     unsigned input);

/// `plane` as a field's source; no plane without a walk.
tile::SourceOp makeSource(OpBuilder &builder, Location loc, Value field,
                          Value plane);

/// Build a kernel before the op, which stays. Fail with an error at what cannot
/// be on this GPU. The boundary ops whose work the stores of an apply do are
/// appended to `done`.
LogicalResult mapApply(ApplyOp op, const TargetInfo &target,
                       FieldAliasAnalysis &aliases, StringRef name,
                       SmallVectorImpl<Operation *> &done);
LogicalResult mapPipeline(PipelineOp op, const TargetInfo &target,
                          FieldAliasAnalysis &aliases, StringRef name);
/// Leaves the last one of equal legs of a pipeline, which begins with the load
/// and ends with a shared window. Returns what all legs need of the load. Fails
/// with an error if the stages are no such legs.
FailureOr<OffsetBox> cutLegs(PipelineOp op, int64_t legs);

/// Builds the kernels, before `op`, that fill the halos of it and of those
/// behind it that do the same to other fields, with nothing but scalars in
/// between. All of these ops are appended to `done`, `op` first; they stay.
void mapBoundary(BoundaryOp op, FieldAliasAnalysis &aliases,
                 SmallVectorImpl<Operation *> &done);

/// Builds the kernel of a fold of fields before the op, and has those that use
/// the op's result use the kernel's; the op stays. Fails with an error where it
/// folds no fields.
LogicalResult mapFold(FoldOp op);

} // namespace stencil

#endif // STENCIL_LIB_CONVERSION_STENCILTOTILE_STENCILTOTILE_H
