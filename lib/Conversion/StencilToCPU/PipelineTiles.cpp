//===- PipelineTiles.cpp - How threads share a pipeline -------------------===//

#include "PipelineTiles.h"
#include "StencilDialect/Conversion/Arithmetic.h"
#include "StencilDialect/IR/Elements.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace stencil;

PipelineTiles::PipelineTiles(OpBuilder &builder, Location loc,
                             const PipelineWalk &walk, const LoopBox &box,
                             CPULoopsAttr loops)
    : loc(loc), axis(walk.getAxis()), box(box), loops(loops) {
  Arithmetic math(builder, loc, builder.getIndexType());
  for (auto [lb, ub] : llvm::zip_equal(box.lb, box.ub))
    lengths.push_back(math.max(math.sub(ub, lb), math.constant(0)));
  findSizes(builder, walk);
  for (auto [length, size] : llvm::zip_equal(lengths, sizes))
    counts.push_back(math.ceilDiv(length, size));
}

/// What is kept of one point across the walk, in bytes.
static int64_t countBytes(const PipelineWalk &walk) {
  int64_t bytes = 0;
  for (const PlannedStage &stage : walk.getStages())
    for (const StageResult &result : stage.results)
      if (result.isKept())
        bytes += (walk.getAxis() ? result.planes : 1) *
                 getElementBytes(
                     cast<GridType>(result.value.getType()).getElementType());
  return std::max<int64_t>(1, bytes);
}

void PipelineTiles::findSizes(OpBuilder &builder, const PipelineWalk &walk) {
  ArrayRef<int64_t> asked = loops.getTile();
  Arithmetic math(builder, loc, builder.getIndexType());
  int64_t rank = lengths.size();
  sizes.resize(rank);
  Value one = math.constant(1);
  // Points across the walk for which there is room.
  Value room =
      math.constant(std::max<int64_t>(1, loops.getCache() / countBytes(walk)));
  // From the last axis on: rows of some length, then as many of them as fit.
  for (int64_t along = rank - 1; along >= 0; --along) {
    Value whole = math.max(lengths[along], one);
    bool isAsked = !asked.empty() && asked[along] > 0;
    if (along == axis || (!isAsked && loops.getCache() == 0)) {
      sizes[along] = whole;
      continue;
    }
    Value halo = math.constant(2 * walk.getHalo(along));
    Value size;
    if (isAsked) {
      size = math.min(math.constant(asked[along]), whole);
    } else {
      Value most = math.sub(room, halo);
      bool isLast = true;
      for (int64_t before = 0; before < along; ++before)
        isLast &= before == axis;
      // There are other axes to share the room with.
      if (along == rank - 1 && !isLast && loops.getRow() > 0)
        most = math.min(most, math.constant(loops.getRow()));
      most = math.max(most, math.add(halo, 4));
      // Tiles of about the same size.
      size = math.ceilDiv(whole, math.ceilDiv(whole, most));
    }
    sizes[along] = size;
    room = math.div(room, math.add(size, halo));
  }
}

LoopBox PipelineTiles::getTile(OpBuilder &builder, Value number) const {
  Arithmetic math(builder, loc, builder.getIndexType());
  LoopBox tile = box;
  for (int64_t along = lengths.size() - 1; along >= 0; --along) {
    if (along == axis)
      continue;
    Value index = math.rem(number, counts[along]);
    number = math.div(number, counts[along]);
    tile.lb[along] = math.add(box.lb[along], math.mul(index, sizes[along]));
    tile.ub[along] =
        math.min(math.add(tile.lb[along], sizes[along]), box.ub[along]);
  }
  return tile;
}

LogicalResult PipelineTiles::emit(OpBuilder &builder, Prepare prepare,
                                  TileBody body, Prepare finish) const {
  Arithmetic math(builder, loc, builder.getIndexType());
  Value zero = math.constant(0), one = math.constant(1);
  Value planes = axis ? lengths[*axis] : one, tiles = one;
  for (auto [along, count] : llvm::enumerate(counts))
    if (axis != static_cast<int64_t>(along))
      tiles = math.mul(tiles, count);
  Value total = math.mul(tiles, planes);
  Value threads = math.constant(std::max<int64_t>(1, loops.getThreads()));
  auto loop = scf::ParallelOp::create(builder, loc, zero, threads, one);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPoint(loop.getBody()->getTerminator());
  Value thread = loop.getInductionVars().front();
  // Planes of all tiles, one after the other.
  Value first = math.div(math.mul(thread, total), threads);
  Value end = math.div(math.mul(math.add(thread, one), total), threads);
  auto hasWork = scf::IfOp::create(
      builder, loc,
      arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ult, first,
                            end));
  builder.setInsertionPoint(hasWork.thenBlock()->getTerminator());
  prepare(builder);
  auto walk = scf::ForOp::create(builder, loc, math.div(first, planes),
                                 math.ceilDiv(end, planes), one);
  {
    OpBuilder::InsertionGuard inner(builder);
    builder.setInsertionPoint(walk.getBody()->getTerminator());
    Value number = walk.getInductionVar();
    LoopBox tile = getTile(builder, number);
    if (axis) {
      Value before = math.mul(number, planes);
      Value lower = math.max(math.sub(first, before), zero);
      Value upper = math.min(math.sub(end, before), planes);
      tile.lb[*axis] = math.add(box.lb[*axis], lower);
      tile.ub[*axis] = math.add(box.lb[*axis], upper);
    }
    if (failed(body(builder, tile)))
      return failure();
  }
  finish(builder);
  return success();
}
