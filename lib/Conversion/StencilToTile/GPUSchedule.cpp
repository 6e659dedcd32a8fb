//===- GPUSchedule.cpp - Shape of an apply's kernel -----------------------===//

#include "../StencilToGPU/DeviceLayout.h"
#include "StencilDialect/IR/Elements.h"
#include "StencilDialect/IR/Remarks.h"
#include "StencilToTile.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace stencil;

GPUSchedule::GPUSchedule(ScheduleAttr given, int64_t rank)
    : ScheduleKeys(given) {
  if (block.empty())
    block.assign(rank, 1);
  if (points.empty())
    points.assign(rank, 1);
  if (panel.empty())
    panel.assign(rank, 0);
  if (order.empty())
    order = llvm::to_vector(llvm::reverse(llvm::seq<int64_t>(rank)));
}

/// An error where a list of a schedule does not suit the op.
template <typename Op>
static LogicalResult checkBlock(Op op, const GPUSchedule &schedule,
                                const TargetInfo &target) {
  int64_t threads = schedule.getRelay();
  for (auto [axis, count] : llvm::enumerate(schedule.block)) {
    threads *= count;
    if (static_cast<int64_t>(axis) + 3 < op.getRank() && count != 1)
      return op.emitOpError("expected one thread along axis ")
             << axis << ": a block has threads along the last three axes, got "
             << count;
    if (threads > target.threadsPerBlock)
      return op.emitOpError("expected a block of at most ")
             << target.threadsPerBlock << " threads, which " << target.chip
             << " can run, got "
             << schedule.getRelay() * llvm::product_of(schedule.block);
  }
  if (int64_t axis = op.getRank() - 3;
      axis >= 0 && schedule.block[axis] > target.threadsAlongZ)
    return op.emitOpError("expected at most ")
           << target.threadsAlongZ << " threads along axis " << axis << ", got "
           << schedule.block[axis];
  if (int64_t blocks = schedule.launchBounds;
      blocks * threads > target.threadsPerMultiprocessor ||
      blocks > target.blocksPerMultiprocessor)
    return op.emitOpError("expected launch_bounds that a multiprocessor of ")
           << target.chip << " can hold (" << target.blocksPerMultiprocessor
           << " blocks, " << target.threadsPerMultiprocessor
           << " threads), got " << blocks << " blocks of " << threads
           << " threads";
  return success();
}

static LogicalResult checkEviction(Operation *op, ScheduleAttr given,
                                   const TargetInfo &target) {
  if (given.getEviction() != Eviction::Last || target.hasEvictionPolicies)
    return success();
  return op->emitOpError("expected an NVIDIA GPU of sm_80 or later for "
                         "'eviction = last', got ")
         << target.chip;
}

static LogicalResult checkEngine(Operation *op, ScheduleAttr given) {
  bool needsWindow =
      given.getEngine() == Engine::Taps || given.getEngine() == Engine::Mma;
  if (needsWindow && !isa<PipelineOp>(op))
    return op->emitOpError("expected a shared window for 'engine = ")
           << stringifyEngine(*given.getEngine()) << "', got none";
  return success();
}

/// A kernel without windows obeys no key that is about them.
static LogicalResult checkKeys(ApplyOp op, ScheduleAttr given) {
  if (!given.needsPipeline())
    return success();
  InFlightDiagnostic diagnostic = op.emitOpError(
      "expected a schedule without 'stream' and with no window but 'cache' for "
      "an apply that is no stencil.pipeline, got ");
  if (given.getStream())
    diagnostic << "'stream = " << *given.getStream() << "'";
  else
    diagnostic << "'window = "
               << stringifySpace(*llvm::find_if(
                      given.getWindow(),
                      [](Space window) { return window != Space::Cache; }))
               << "'";
  return diagnostic << "; stencil-stream-windows makes pipelines";
}

/// Every point is a copy of the body in the kernel.
static LogicalResult checkPoints(Operation *op, const GPUSchedule &schedule) {
  constexpr int64_t kMaxPoints = 256;
  int64_t points = 1;
  for (int64_t count : schedule.points)
    points = std::min(points * count, kMaxPoints + 1);
  if (points > kMaxPoints)
    return op->emitOpError("expected at most ")
           << kMaxPoints << " points per thread, got "
           << llvm::product_of(schedule.points);
  return success();
}

static LogicalResult checkPrefetch(ApplyOp op, const GPUSchedule &schedule,
                                   const TargetInfo &target) {
  if (!target.hasL2Prefetch)
    return op.emitOpError("expected an NVIDIA GPU for 'prefetch = l2', got ")
           << target.chip;
  if (schedule.order.back() == op.getRank() - 1)
    return op.emitOpError("expected blocks that follow each other last along "
                          "another axis than that of rows for 'prefetch = "
                          "l2', got axis ")
           << schedule.order.back();
  return success();
}

/// Says, in a remark, where the points of a thread are no whole vectors.
static void remarkVectors(Operation *op, const GPUSchedule &schedule) {
  constexpr int64_t kVectorBytes = 16;
  int64_t points = schedule.points.back(), factor = points & -points;
  auto visit = [&](Operation *user) {
    for (Type type : user->getOperandTypes()) {
      auto field = dyn_cast<FieldType>(type);
      if (!field || !hasStorage(field.getElementType()))
        continue;
      int64_t width = kVectorBytes / getElementBytes(field.getElementType());
      int64_t wanted = std::min<int64_t>(
          width, llvm::bit_floor<uint64_t>(static_cast<uint64_t>(points)));
      if (factor >= wanted)
        continue;
      remarkMissed(
          op->getLoc(), "Schedule", "Vectors",
          llvm::formatv("{0} points of a row per thread are no vectors of "
                        "{1}: {2} at a time are loaded and stored",
                        points, wanted, factor));
      return WalkResult::interrupt();
    }
    return WalkResult::advance();
  };
  op->walk(visit);
}

FailureOr<GPUSchedule> stencil::readApplySchedule(ApplyOp op,
                                                  const TargetInfo &target) {
  ScheduleAttr given = ScheduleAttr::of(op);
  if (given &&
      (failed(checkKeys(op, given)) || failed(checkEngine(op, given)) ||
       failed(checkEviction(op, given, target))))
    return failure();
  if (!given || given.getBlock().empty() || given.getPoints().empty())
    return op.emitOpError("expected a schedule with 'block' and 'points'; "
                          "run stencil-tile-applies");
  GPUSchedule schedule(given, op.getRank());
  if (failed(checkBlock(op, schedule, target)) ||
      failed(checkPoints(op, schedule)))
    return failure();
  if (schedule.prefetch == Prefetch::L2) {
    if (failed(checkPrefetch(op, schedule, target)))
      return failure();
    schedule.prefetchAxis = schedule.order.back();
  }
  remarkVectors(op, schedule);
  return schedule;
}

FailureOr<GPUSchedule> stencil::readPipelineSchedule(PipelineOp op,
                                                     const TargetInfo &target) {
  int64_t rank = op.getRank();
  // As the passes leave it, a pipeline says how it is cut.
  ScheduleAttr given = ScheduleAttr::of(op);
  if (given) {
    if (given.getRank() != 0 && given.getRank() != rank)
      return op.emitOpError("expected a schedule for ")
             << rank << " axes, got one for " << given.getRank();
    if (given.getBoundary() == BoundaryPlace::Window)
      return op.emitOpError("expected stencil-fold-boundaries to be run before "
                            "for 'boundary = window'");
    if (failed(checkEviction(op, given, target)) ||
        failed(checkEngine(op, given)))
      return failure();
  }
  GPUSchedule schedule(given, rank);
  schedule.walk = op.getWalkAxis();
  if (auto walk = schedule.walk)
    if (schedule.block[*walk] != 1 || schedule.points[*walk] != 1)
      return op.emitOpError("expected one thread and one point along axis ")
             << *walk << ", which the kernel walks along, got "
             << schedule.block[*walk] << " and " << schedule.points[*walk];
  if (failed(checkBlock(op, schedule, target)) ||
      failed(checkPoints(op, schedule)))
    return failure();
  remarkVectors(op, schedule);
  return schedule;
}

int64_t stencil::getRowAlignment(PipelineOp op, const GPUSchedule &schedule) {
  int64_t alignment = schedule.points.back() & -schedule.points.back();
  for (LoadOp load : op.getBodyBlock()->getOps<LoadOp>())
    alignment = std::max<int64_t>(
        alignment, DeviceLayout::kAlignmentBytes /
                       getElementBytes(getElementType(load.getField())));
  return std::max<int64_t>(1, alignment);
}
