//===- TileRegisters.cpp - Tiles of blocks, points of threads -------------===//
//
// The numbers that a pipeline's schedule leaves open are chosen
// (PipelineTiler.cpp), those that it has are checked.
//
//===----------------------------------------------------------------------===//

#include "MakePipeline.h"
#include "PipelineTiler.h"
#include "StencilDialect/Analysis/RelayLegs.h"
#include "StencilDialect/IR/OpWalks.h"
#include "StencilDialect/IR/Remarks.h"
#include "StencilDialect/IR/Target.h"
#include "StencilDialect/Transforms/Passes.h"
#include "llvm/Support/FormatVariadic.h"

namespace stencil {
#define GEN_PASS_DEF_STENCILTILEREGISTERS
#include "StencilDialect/Transforms/Passes.h.inc"
} // namespace stencil

using namespace mlir;
using namespace stencil;

//===----------------------------------------------------------------------===//
// What does not fit
//===----------------------------------------------------------------------===//

LogicalResult PipelineTiler::checkSegments() {
  int64_t halo = size.getHalo();
  if (walk && keys.planes && *keys.planes < halo)
    return op.emitOpError("expected 'planes' of at least ")
           << halo << ", the halo along axis " << *walk << ", got "
           << *keys.planes;
  int64_t segments = keys.segments.value_or(1);
  if (!keys.tail.empty() && !keys.planes)
    segments = std::max(segments, keys.tail.back());
  bool hasSegments = segments > 1;
  if (walk && (keys.planes || hasSegments) && size.readsPlanesOfOthers())
    return op.emitOpError("expected no '")
           << (keys.planes ? "planes" : "segments")
           << "' for a field that is stored to and read on other planes: "
              "several segments would read what others store";
  // One segment may be all of a thin box.
  if (!walk || !hasSegments)
    return success();
  int64_t planes = shape[*walk];
  if (ShapedType::isDynamic(planes))
    return success();
  if (int64_t length = llvm::divideCeil(planes, segments); length < halo)
    return op.emitOpError("expected segments of at least ")
           << halo << " planes, the halo along axis " << *walk << ", got "
           << length << ": " << planes << " planes in " << segments
           << " segments";
  return success();
}

LogicalResult PipelineTiler::checkCounts() {
  if (int64_t threads = size.countLegs() * multiplyCounts(keys.block);
      threads > target.threadsPerBlock)
    return op.emitOpError("expected a block of at most ")
           << target.threadsPerBlock << " threads, which " << target.chip
           << " can run, got " << threads;
  constexpr int64_t kMaxPoints = 256;
  if (int64_t points = multiplyCounts(keys.points); points > kMaxPoints)
    return op.emitOpError("expected at most ")
           << kMaxPoints << " points per thread, got " << points;
  return success();
}

LogicalResult PipelineTiler::checkMemory() {
  // Lanes read from each other what lies beside them in a row: all of a warp
  // has to be at the same place of its row.
  int64_t row = keys.block.back(), warp = target.warpSize;
  if (size.hasWindow(Space::Shuffle) && row % warp != 0 && warp % row != 0)
    return op.emitOpError("expected a multiple or a part of ")
           << warp << " threads, a warp of " << target.chip << ", along axis "
           << rank - 1 << " for a window that is shuffled, got " << row;
  if (int64_t bytes = getSharedBytes(), limit = target.sharedPerBlock;
      bytes > limit)
    return op.emitOpError("expected windows of at most ")
           << limit << " bytes, the shared memory of a block on " << target.chip
           << ", got " << bytes;
  if (int64_t registers = size.countRegisters(keys.points),
      limit = target.registersPerThread;
      registers > limit && multiplyCounts(keys.points) > 1)
    return op.emitOpError("expected windows and sums of at most ")
           << limit << " registers, which a thread of " << target.chip
           << " has, got " << registers << " for "
           << multiplyCounts(keys.points) << " points";
  return success();
}

LogicalResult PipelineTiler::run() {
  read();
  if (choosesPoints)
    choosePoints();
  if (choosesBlock)
    chooseBlock();
  limitToBox();
  // From here on, products are small.
  if (failed(checkCounts()))
    return failure();
  limitToMemory();
  chooseSegments();
  choosePanel();
  chooseEviction();
  if (failed(checkMemory()) || failed(checkSegments()))
    return failure();
  keys.give(op);
  return success();
}

void PipelineTiler::remark() {
  remarkPassed(op.getLoc(), "Schedule", "Tiled",
               llvm::formatv("tiled as {0}: {1} bytes of shared memory, {2} "
                             "registers for windows and sums",
                             keys.get(op.getContext()), getSharedBytes(),
                             size.countRegisters(keys.points)));
  // Fewer points are no way out.
  if (int64_t registers = size.countRegisters(keys.points),
      limit = target.registersPerThread;
      registers > limit)
    remarkMissed(
        op.getLoc(), "Schedule", "Registers",
        llvm::formatv("windows and sums of one point take {0} registers of "
                      "the {1} that a thread of {2} has: the rest is in "
                      "local memory",
                      registers, limit, target.chip));
}

LogicalResult stencil::tilePipeline(PipelineOp op, const TargetInfo &target,
                                    bool isSilent) {
  auto plan = PipelinePlan::create(op);
  if (failed(plan))
    return failure();
  PipelineTiler tiler(op, *plan, target);
  if (int64_t legs = PipelineSize(op, *plan).countLegs();
      legs > 1 && failed(RelayLegs::find(op, *plan, legs)))
    return failure();
  if (failed(tiler.run()))
    return failure();
  if (!isSilent)
    tiler.remark();
  return success();
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

namespace {

struct TileRegisters : stencil::impl::StencilTileRegistersBase<TileRegisters> {
  void runOnOperation() override {
    auto tile = [](PipelineOp op) -> LogicalResult {
      FailureOr<const TargetInfo *> target = requireTarget(op);
      return failed(target) ? failure()
                            : tilePipeline(op, **target, /*isSilent=*/false);
    };
    if (failed(checkWithin(getOperation(), tile)))
      signalPassFailure();
  }
};

} // namespace
