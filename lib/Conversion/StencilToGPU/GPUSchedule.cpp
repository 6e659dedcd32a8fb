//===- GPUSchedule.cpp - Shape of an apply's kernel -----------------------===//

#include "GPUSchedule.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace stencil;

std::array<int64_t, 3> GPUSchedule::getThreads() const {
  std::array<int64_t, 3> threads = {1, 1, 1};
  for (size_t i = 0; i < std::min<size_t>(3, block.size()); ++i)
    threads[i] = block[block.size() - 1 - i];
  return threads;
}

/// Threads per axis: rows of warps, so that a warp's accesses are contiguous;
/// some rows and planes, which then share neighbours in the first-level cache.
static SmallVector<int64_t> chooseBlock(ApplyOp op, const TargetInfo &target) {
  int64_t rank = op.getRank();
  SmallVector<int64_t> block(rank, 1);
  int64_t threads = 256;
  int64_t row = rank == 1 ? threads : 64;
  // Short rows leave no thread without work.
  int64_t extent = op.getDomain().getShape().back();
  if (!ShapedType::isDynamic(extent))
    row = std::min<int64_t>(
        row, std::max<int64_t>(llvm::PowerOf2Ceil(extent), target.warpSize));
  block.back() = row;
  if (rank >= 2)
    block[rank - 2] = threads / row;
  return block;
}

/// An error where a list of a schedule does not suit the apply.
static LogicalResult checkBlock(ApplyOp op, const GPUSchedule &schedule,
                                const TargetInfo &target) {
  int64_t threads = 1;
  for (auto [axis, count] : llvm::enumerate(schedule.block)) {
    threads *= count;
    if (static_cast<int64_t>(axis) + 3 < op.getRank() && count != 1)
      return op.emitOpError("expected one thread along axis ")
             << axis << ": a block has threads along the last three axes, got "
             << count;
    if (threads > target.threadsPerBlock)
      return op.emitOpError("expected a block of at most ")
             << target.threadsPerBlock << " threads, which " << target.chip
             << " can run, got " << llvm::product_of(schedule.block);
  }
  if (schedule.getThreads()[2] > 64 && target.vendor == GPUVendor::NVIDIA)
    return op.emitOpError("expected at most 64 threads along axis ")
           << op.getRank() - 3 << ", got " << schedule.getThreads()[2];
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

FailureOr<GPUSchedule> stencil::chooseGPUSchedule(ApplyOp op,
                                                  ScheduleAttr given,
                                                  const TargetInfo &target) {
  int64_t rank = op.getRank();
  if (auto own = op->getAttrOfType<ScheduleAttr>(ScheduleAttr::kAttrName))
    given = own;
  GPUSchedule schedule;
  // A schedule for all applies may be for some other rank than this one's.
  if (given && (given.getRank() == 0 || given.getRank() == rank)) {
    schedule.block.assign(given.getBlock().begin(), given.getBlock().end());
    schedule.points.assign(given.getPoints().begin(), given.getPoints().end());
    schedule.order.assign(given.getOrder().begin(), given.getOrder().end());
    schedule.panel.assign(given.getPanel().begin(), given.getPanel().end());
    schedule.launchBounds = given.getLaunchBounds();
  }
  if (schedule.block.empty())
    schedule.block = chooseBlock(op, target);
  if (schedule.points.empty())
    schedule.points.assign(rank, 1);
  if (schedule.order.empty())
    for (int64_t axis = rank - 1; axis >= 0; --axis)
      schedule.order.push_back(axis);
  if (schedule.panel.empty())
    schedule.panel.assign(rank, 0);
  if (failed(checkBlock(op, schedule, target)))
    return failure();
  // Every point is a copy of the body in the kernel.
  constexpr int64_t kMaxPoints = 256;
  int64_t points = 1;
  for (int64_t count : schedule.points)
    points = std::min(points * count, kMaxPoints + 1);
  if (points > kMaxPoints)
    return op.emitOpError("expected at most ")
           << kMaxPoints << " points per thread, got "
           << llvm::product_of(schedule.points);
  return schedule;
}
