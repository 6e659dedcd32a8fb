//===- GPUSchedule.cpp - Shape of an apply's kernel -----------------------===//

#include "GPUSchedule.h"
#include "StencilDialect/Analysis/BodyOrder.h"
#include "StencilDialect/IR/Schedule.h"
#include "llvm/Support/MathExtras.h"

#include <map>
#include <set>

using namespace mlir;
using namespace stencil;

std::array<int64_t, 3> GPUSchedule::getThreads() const {
  std::array<int64_t, 3> threads = {1, 1, 1};
  for (size_t i = 0; i < std::min<size_t>(3, block.size()); ++i)
    threads[i] = block[block.size() - 1 - i];
  return threads;
}

//===----------------------------------------------------------------------===//
// Choice
//
// The rules below are what measurements on an H200 came to
// (docs/benchmarks.md). A sweep that memory bounds wants few loads per point,
// so that the first-level cache keeps up, but enough threads per multiprocessor
// to have loads in flight.
//===----------------------------------------------------------------------===//

namespace {

/// What a register tile of some points reads.
struct TileCost {
  /// Registers of 32 bits that hold all of it.
  int64_t registers = 0;
  /// Uses of a value that was loaded, on average.
  double reuse = 1;
};

} // namespace

static TileCost costOf(ApplyOp op, ArrayRef<int64_t> points) {
  std::set<std::pair<void *, std::vector<int64_t>>> loads;
  int64_t uses = 0, words = 0;
  int64_t count = llvm::product_of(points);
  for (AccessOp access : op.getBodyBlock()->getOps<AccessOp>()) {
    uses += count;
    int64_t bits = access.getRes().getType().getIntOrFloatBitWidth();
    for (int64_t number = 0; number < count; ++number) {
      std::vector<int64_t> position(access.getOffset().getValues());
      for (auto [index, axis] : llvm::enumerate(access.getAxes())) {
        int64_t rest = number;
        for (int64_t inner = points.size() - 1; inner > axis; --inner)
          rest /= points[inner];
        position[index] += rest % points[axis];
      }
      if (loads.emplace(access.getTemp().getAsOpaquePointer(), position).second)
        words += llvm::divideCeil(bits, 32);
    }
  }
  TileCost cost;
  cost.registers = words;
  cost.reuse = loads.empty() ? 1 : static_cast<double>(uses) / loads.size();
  return cost;
}

/// Bodies with more ops are not repeated: their code is long, and so is the
/// time to compile it.
static constexpr int64_t kMaxRepeatedOps = 1024;

/// Points per thread: a vector of the row; rows and planes as long as what they
/// read fits the registers.
static SmallVector<int64_t> choosePoints(ApplyOp op, const TargetInfo &target) {
  int64_t rank = op.getRank();
  SmallVector<int64_t> points(rank, 1);
  int64_t widest = 1;
  for (unsigned i = 0; i < op.getNumOutputs(); ++i)
    widest = std::max<int64_t>(
        widest, llvm::divideCeil(
                    op.getOutputElementType(i).getIntOrFloatBitWidth(), 8));
  int64_t numOps = llvm::range_size(*op.getBodyBlock());
  if (llvm::any_of(op.getUnrollFactors(),
                   [](int64_t factor) { return factor != 1; }) ||
      numOps > kMaxRepeatedOps)
    return points;
  points.back() = std::min<int64_t>(4, std::max<int64_t>(1, 16 / widest));
  if (rank == 1)
    return points;
  // Larger and larger tiles: along the first axis, then along two.
  SmallVector<SmallVector<int64_t>> tiles = {points};
  for (int64_t count : {2, 4, 8}) {
    tiles.push_back(points);
    int64_t axis = rank >= 3 ? rank - 3 : 0;
    tiles.back()[axis] = rank >= 3 ? std::min<int64_t>(count, 4) : count;
    if (rank >= 3 && count == 8)
      tiles.back()[rank - 2] = 2;
  }
  for (auto [index, tile] : llvm::enumerate(tiles)) {
    TileCost cost = costOf(op, tile);
    // Where every value is used often, less threads do. On AMD GPUs the
    // coefficients of a large box take all scalar registers, if it is unrolled
    // as far.
    int64_t limit = cost.reuse >= 6 ? 256 : cost.reuse >= 3 ? 200 : 144;
    if (target.vendor == GPUVendor::AMD)
      limit = std::min<int64_t>(limit, rank == 2 ? 144 : 200);
    // The last steps pay for boxes only.
    bool pays =
        cost.reuse >= 4 || static_cast<int64_t>(index) < (rank >= 3 ? 3 : 2);
    if (cost.registers <= limit && pays &&
        numOps * llvm::product_of(tile) <= 4 * kMaxRepeatedOps)
      points = tile;
  }
  // A box that does not fit in any case: the compiler orders its loads. Strides
  // that only the run knows take registers, too.
  bool isStatic =
      !llvm::is_contained(op.getDomain().getShape(), ShapedType::kDynamic);
  if (rank >= 3 && costOf(op, tiles[2]).reuse >= 4 &&
      costOf(op, tiles[0]).registers > 200)
    points = tiles[isStatic ? 2 : 1];
  return points;
}

/// Registers of 32 bits from which on a body fits no register file.
static constexpr int64_t kFarTooMany = 512;

/// Of a body that reads more than registers hold, a block of several planes, so
/// that the first-level cache has most of it, twice per multiprocessor. For
/// that, what the body holds at once, and the loads that are on their way, have
/// to fit 128 registers.
static bool wantsDeepBlock(ApplyOp op, ArrayRef<int64_t> points,
                           const TargetInfo &target) {
  constexpr int64_t kMaxLive = 96;
  return op.getRank() >= 3 && target.vendor == GPUVendor::NVIDIA &&
         costOf(op, points).registers > kFarTooMany &&
         countLiveRegisters(op) * llvm::product_of(points) <= kMaxLive;
}

/// Threads per axis: rows of warps, so that a warp's accesses are contiguous;
/// some rows, which share neighbours in the first-level cache.
static SmallVector<int64_t> chooseBlock(ApplyOp op, ArrayRef<int64_t> points,
                                        const TargetInfo &target) {
  int64_t rank = op.getRank();
  SmallVector<int64_t> block(rank, 1);
  int64_t registers = costOf(op, points).registers;
  int64_t row = target.warpSize, rows = 8;
  if (rank == 1) {
    row = 256;
  } else if (wantsDeepBlock(op, points, target)) {
    block[rank - 3] = 4;
    rows = 2;
  } else if (registers > kFarTooMany) {
    // All registers that a thread can have.
    rows = 4;
  } else if (registers > 120) {
    // Long rows: what lies left and right of a block is read twice.
    constexpr int64_t kRowPoints = 128;
    row = std::max<int64_t>(target.warpSize, kRowPoints / points.back());
    rows = 4;
    if (rank == 2 && registers > 200) {
      row = 128;
      rows = 2;
    }
  }
  // Short rows leave no warp without work.
  int64_t extent = op.getDomain().getShape().back();
  if (!ShapedType::isDynamic(extent))
    row = std::min<int64_t>(
        row, std::max<int64_t>(
                 llvm::PowerOf2Ceil(llvm::divideCeil(extent, points.back())),
                 target.warpSize));
  block.back() = row;
  if (rank >= 2)
    block[rank - 2] = rows;
  return block;
}

/// Smaller tiles where there would be less blocks than multiprocessors.
static void occupy(ApplyOp op, GPUSchedule &schedule,
                   const TargetInfo &target) {
  SmallVector<int64_t> shape = op.getDomain().getShape();
  if (llvm::is_contained(shape, ShapedType::kDynamic))
    return;
  auto countBlocks = [&] {
    int64_t blocks = 1;
    for (auto [axis, extent] : llvm::enumerate(shape))
      blocks *= llvm::divideCeil(extent,
                                 schedule.block[axis] * schedule.points[axis]);
    return blocks;
  };
  for (int64_t &count : schedule.points)
    while (count > 1 && countBlocks() < 2 * int64_t(target.multiprocessors))
      count /= 2;
}

/// Neighbouring planes that do not fit the second-level cache are read again
/// for every plane, unless the blocks of some rows go through all planes first.
static int64_t choosePanel(ApplyOp op, const GPUSchedule &schedule,
                           const TargetInfo &target) {
  constexpr int64_t kPanelBlocks = 16, kPanelRows = 64;
  int64_t rank = op.getRank();
  if (rank < 3)
    return 0;
  SmallVector<int64_t> shape = op.getDomain().getShape();
  // A run-time extent is expected to be large.
  constexpr int64_t kLarge = 1024;
  for (int64_t &extent : shape)
    if (ShapedType::isDynamic(extent))
      extent = kLarge;
  std::map<void *, std::pair<int64_t, int64_t>> reach;
  int64_t bytes = 0;
  for (AccessOp access : op.getBodyBlock()->getOps<AccessOp>())
    for (auto [index, axis] : llvm::enumerate(access.getAxes())) {
      if (axis != rank - 3)
        continue;
      int64_t offset = access.getOffset().getValues()[index];
      auto [it, isNew] = reach.try_emplace(
          access.getTemp().getAsOpaquePointer(), offset, offset);
      it->second.first = std::min(it->second.first, offset);
      it->second.second = std::max(it->second.second, offset);
      if (isNew)
        bytes = std::max<int64_t>(
            bytes, access.getRes().getType().getIntOrFloatBitWidth() / 8);
    }
  int64_t planes = 0;
  for (auto &[field, range] : reach)
    if (range.second > range.first)
      planes += range.second - range.first +
                schedule.block[rank - 3] * schedule.points[rank - 3];
  int64_t window = planes * shape[rank - 1] * shape[rank - 2] * bytes;
  if (target.l2Bytes == 0 || window <= int64_t(target.l2Bytes) / 2)
    return 0;
  int64_t rows = schedule.block[rank - 2] * schedule.points[rank - 2];
  return std::max(kPanelBlocks, kPanelRows / rows);
}

/// An error where a list of a schedule does not suit the op.
template <typename Op>
static LogicalResult checkBlock(Op op, const GPUSchedule &schedule,
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
               << stringifyWindow(*llvm::find_if(
                      given.getWindow(),
                      [](Window window) { return window != Window::Cache; }))
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

FailureOr<GPUSchedule> stencil::chooseGPUSchedule(ApplyOp op,
                                                  const TargetInfo &target) {
  int64_t rank = op.getRank();
  GPUSchedule schedule;
  if (auto given = op->getAttrOfType<ScheduleAttr>(ScheduleAttr::kAttrName)) {
    if (failed(checkKeys(op, given)))
      return failure();
    schedule.block.assign(given.getBlock().begin(), given.getBlock().end());
    schedule.points.assign(given.getPoints().begin(), given.getPoints().end());
    schedule.order.assign(given.getOrder().begin(), given.getOrder().end());
    schedule.panel.assign(given.getPanel().begin(), given.getPanel().end());
    schedule.launchBounds = given.getLaunchBounds();
  }
  bool isFree = schedule.points.empty() && schedule.block.empty();
  if (schedule.points.empty())
    schedule.points = choosePoints(op, target);
  if (schedule.block.empty())
    schedule.block = chooseBlock(op, schedule.points, target);
  if (isFree && schedule.launchBounds == 0 &&
      wantsDeepBlock(op, schedule.points, target))
    schedule.launchBounds = 2;
  if (isFree)
    occupy(op, schedule, target);
  // Of a body that fits no register file, ptxas gives up all but 32 registers
  // unless it is told that one block at a time is enough.
  if (schedule.launchBounds == 0 &&
      costOf(op, schedule.points).registers > kFarTooMany)
    schedule.launchBounds = 1;
  if (schedule.panel.empty()) {
    schedule.panel.assign(rank, 0);
    if (schedule.order.empty() && rank >= 3)
      schedule.panel[rank - 2] = choosePanel(op, schedule, target);
  }
  if (schedule.order.empty())
    for (int64_t axis = rank - 1; axis >= 0; --axis)
      schedule.order.push_back(axis);
  if (failed(checkBlock(op, schedule, target)))
    return failure();
  if (failed(checkPoints(op, schedule)))
    return failure();
  remarkVectors(op, schedule);
  return schedule;
}

FailureOr<GPUSchedule>
stencil::choosePipelineSchedule(PipelineOp op, const TargetInfo &target) {
  int64_t rank = op.getRank();
  GPUSchedule schedule;
  schedule.walk = op.getWalkAxis();
  schedule.block.assign(rank, 1);
  schedule.points.assign(rank, 1);
  schedule.panel.assign(rank, 0);
  // As the passes leave it, a pipeline says how it is cut.
  if (auto given = op->getAttrOfType<ScheduleAttr>(ScheduleAttr::kAttrName)) {
    if (given.getRank() != 0 && given.getRank() != rank)
      return op.emitOpError("expected a schedule for ")
             << rank << " axes, got one for " << given.getRank();
    if (given.getBoundary() == BoundaryPlace::Window)
      return op.emitOpError("expected stencil-fold-boundaries to be run before "
                            "for 'boundary = window'");
    auto set = [](SmallVector<int64_t> &list, ArrayRef<int64_t> values) {
      if (!values.empty())
        list.assign(values.begin(), values.end());
    };
    set(schedule.block, given.getBlock());
    set(schedule.points, given.getPoints());
    set(schedule.order, given.getOrder());
    set(schedule.panel, given.getPanel());
    schedule.launchBounds = given.getLaunchBounds();
    schedule.segments = given.getSegments().value_or(1);
  }
  if (schedule.order.empty())
    for (int64_t axis = rank - 1; axis >= 0; --axis)
      schedule.order.push_back(axis);
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
