//===- CPUSchedule.cpp - Shape of an apply's loops on a CPU ---------------===//

#include "CPUSchedule.h"
#include "StencilDialect/IR/Elements.h"
#include "StencilDialect/IR/TapBoxes.h"

#include <set>

using namespace mlir;
using namespace stencil;

/// Bodies with more ops than this are bound by their number, and are not
/// repeated for several rows: the code would leave the instruction cache.
static constexpr int64_t kMaxJointOps = 512;

/// Cubes, but no stars.
static constexpr int64_t kManyLoads = 27;

/// Loads per point when `rows` neighbouring rows are computed together, times
/// `rows`: accesses of different rows that meet are one load.
static int64_t countLoads(ApplyOp op, int64_t rows) {
  std::set<std::pair<void *, std::vector<int64_t>>> loads;
  int64_t rowAxis = op.getRank() - 2;
  op.getRegion().walk([&](AccessOp access) {
    for (int64_t row = 0; row < rows; ++row) {
      std::vector<int64_t> position(access.getOffset().getValues());
      for (auto [index, axis] : llvm::enumerate(access.getAxes()))
        if (axis == rowAxis)
          position[index] += row;
      loads.emplace(access.getTemp().getAsOpaquePointer(), std::move(position));
    }
  });
  return loads.size();
}

/// Whether a loop over the taps of a sum is part of the body.
static bool hasLongSum(ApplyOp op) {
  return op.getRegion()
      .walk([](WeightedSumOp sum) {
        return hasTapLoop(sum) ? WalkResult::interrupt()
                               : WalkResult::advance();
      })
      .wasInterrupted();
}

/// Lanes of a vector of the widest element that the apply stores. Bodies of
/// many ops or loads, and long sums, are bound by their number, and take the
/// widest vectors, even where they are slower to load and lower the clock.
static int64_t chooseLanes(ApplyOp op, const CPULoweringOptions &options) {
  if (!BodyEmitter::canVectorise(op))
    return 1;
  unsigned vectorBits = options.vectorBits;
  // A stage of a row or a plane reads what its core's own cache has.
  bool isKept = !op.isBufferised() && op.getRank() <= 2;
  if (isKept || llvm::range_size(*op.getBodyBlock()) > kMaxJointOps ||
      countLoads(op, 1) >= kManyLoads || hasLongSum(op))
    vectorBits = std::max(vectorBits, options.wideVectorBits);
  unsigned widest = 8;
  for (unsigned i = 0; i < op.getNumOutputs(); ++i)
    widest = std::max(widest, getBitWidth(op.getOutputElementType(i)));
  return std::max<int64_t>(1, vectorBits / widest);
}

/// Two neighbouring rows share inputs, and loads are what bounds a stencil of
/// many points in cache: an unaligned vector of a whole cache line costs two
/// accesses. In a plane, any sharing pays. In a volume, a second row means a
/// second row of every plane in the first-level cache, and pays for boxes of
/// more than 27 points only (docs/benchmarks.md has the measurements).
static int64_t chooseRows(ApplyOp op, ArrayRef<int64_t> shape) {
  int64_t rank = op.getRank();
  if (rank < 2 ||
      (!ShapedType::isDynamic(shape[rank - 2]) && shape[rank - 2] < 4) ||
      llvm::range_size(*op.getBodyBlock()) > kMaxJointOps)
    return 1;
  int64_t one = countLoads(op, 1), two = countLoads(op, 2);
  return (rank == 2 ? two < 2 * one : two <= 1.25 * one) ? 2 : 1;
}

/// Applies of more loads per point have those as their bound, not the memory.
static constexpr int64_t kFewLoads = 20;

/// Whether it pays to write an output beyond the cache around it. Two rows that
/// are computed together cannot: their vectors are aligned at different points.
/// A plane of few loads has memory as its bound, and is computed row by row
/// then.
static bool chooseStreaming(ApplyOp op, int64_t rows,
                            const CPULoweringOptions &options) {
  if (rows == 1 || options.rows > 0)
    return rows == 1;
  return options.streamRows && op.getRank() == 2 &&
         countLoads(op, 1) <= kFewLoads;
}

/// Several vectors per turn of the innermost loop: the addresses of many rows
/// do not fit the registers and are fetched from memory once per turn.
static int64_t chooseColumns(ApplyOp op, int64_t rows) {
  int64_t numOps = llvm::range_size(*op.getBodyBlock());
  if (op.getRank() == 1)
    return numOps <= 32 ? 8 : numOps <= 128 ? 4 : 1;
  if (op.getRank() == 2)
    return numOps <= 64 ? 4 : numOps <= 256 ? 2 : 1;
  if (numOps > 128)
    return 1;
  return rows == 1 ? 4 : 2;
}

/// Points of a row of a slab of few rows.
static constexpr int64_t kThinRow = 1024;

/// Rank 1: chunks. Rank 2: some rows. Rank 3 and more: some whole planes,
/// walked contiguously; the cores' shared cache holds the planes of the window.
/// 0 is a whole axis.
static SmallVector<int64_t> chooseTile(ApplyOp op, ArrayRef<int64_t> shape,
                                       const CPULoweringOptions &options) {
  int64_t rank = op.getRank();
  SmallVector<int64_t> tile(rank, 0);
  // Slabs at a boundary: few rows or planes, which threads share along another
  // axis.
  auto isThin = [&](int64_t axis, int64_t together) {
    constexpr int64_t kFewTiles = 4;
    return !ShapedType::isDynamic(shape[axis]) &&
           shape[axis] < kFewTiles * together;
  };
  if (rank == 1) {
    tile[0] = 2 * options.parallelPoints;
  } else if (rank == 2) {
    tile[0] = options.tileRows;
    if (isThin(0, options.tileRows))
      tile = {0, kThinRow};
  } else {
    std::fill_n(tile.begin(), rank - 2, 1);
    tile[rank - 3] = options.tilePlanes;
    // Few planes do not occupy the threads: cut them as well.
    constexpr int64_t kManyTiles = 32;
    if (ShapedType::isDynamic(shape[rank - 3]) ||
        shape[rank - 3] < kManyTiles * options.tilePlanes)
      tile[rank - 3] = 1;
    if (isThin(rank - 3, options.tilePlanes))
      tile[rank - 2] = options.tileRows;
  }
  return tile;
}

CPUSchedule stencil::chooseCPUSchedule(ApplyOp op,
                                       const CPULoweringOptions &options) {
  // A stage of a pipeline is computed plane by plane, on boxes of any size.
  bool isStage = !op.isBufferised();
  SmallVector<int64_t> shape =
      isStage ? SmallVector<int64_t>(op.getRank(), ShapedType::kDynamic)
              : op.getDomain().getShape();
  CPUSchedule schedule;
  schedule.lanes = chooseLanes(op, options);
  if (schedule.lanes > 1) {
    schedule.rows = options.rows > 0 ? options.rows : chooseRows(op, shape);
    schedule.columns = options.columns > 0 ? options.columns
                                           : chooseColumns(op, schedule.rows);
  }
  SmallVector<int64_t> unroll = op.getUnrollFactors();
  if (op.getRank() < 2 || unroll[op.getRank() - 2] != 1)
    schedule.rows = 1;
  schedule.streams = chooseStreaming(op, schedule.rows, options);
  schedule.streamedRow = op.getRank() >= 3 && countLoads(op, 1) <= kFewLoads
                             ? options.streamRowOfVolume
                             : options.streamRow;
  if (isStage)
    return schedule;
  int64_t points = 1;
  for (int64_t extent : shape)
    points = ShapedType::isDynamic(extent)
                 ? std::max<int64_t>(options.parallelPoints, 1)
                 : points * std::min<int64_t>(extent, 1 << 20);
  schedule.parallel = points >= options.parallelPoints;
  schedule.joinsTiles = schedule.parallel && options.tile.empty() &&
                        llvm::is_contained(shape, ShapedType::kDynamic);
  if (static_cast<int64_t>(options.tile.size()) == op.getRank())
    schedule.tile = options.tile;
  else if (schedule.parallel)
    schedule.tile = chooseTile(op, shape, options);
  else
    schedule.tile.assign(op.getRank(), 0);
  if (options.tile.empty() && schedule.parallel && op.getRank() >= 3 &&
      options.coreCacheBytes > 0)
    schedule.window = RowWindow::measure(op);
  // Tiles hold whole groups of points that an unrolled body computes.
  for (auto [size, factor] : llvm::zip_equal(schedule.tile, unroll))
    size = llvm::alignTo(size, factor);
  return schedule;
}
