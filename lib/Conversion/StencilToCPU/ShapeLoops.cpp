//===- ShapeLoops.cpp - What loops look like on a CPU ---------------------===//
//
// Vectors, tiles, blocks, threads, stores and prefetches are decided here, from
// the description of a CPU, and nowhere behind: convert-stencil-to-cpu carries
// out what `stencil.cpu_loops` says.
//
//===----------------------------------------------------------------------===//

#include "GatherSums.h"
#include "LoopKeys.h"
#include "RowWindow.h"
#include "StageStores.h"
#include "StencilDialect/Conversion/BodyEmitter.h"
#include "StencilDialect/Conversion/FoldMath.h"
#include "StencilDialect/Conversion/Passes.h"
#include "StencilDialect/IR/CPULoops.h"
#include "StencilDialect/IR/Elements.h"
#include "StencilDialect/IR/Locations.h"
#include "StencilDialect/IR/Schedule.h"
#include "StencilDialect/IR/TapBoxes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

#include <set>

namespace stencil {
#define GEN_PASS_DEF_STENCILSHAPELOOPS
#include "StencilDialect/Conversion/Passes.h.inc"
} // namespace stencil

using namespace mlir;
using namespace stencil;

/// Of a core's cache: the rest is for what is on its way in and out, and for
/// lines that share a set.
static constexpr uint64_t kUsableShare = 2;

namespace {

/// The keys of `#stencil.cpu_loops`.
struct LoopKeys {
  int64_t lanes = 1, rows = 1, columns = 1;
  int64_t threads = 0;
  SmallVector<int64_t> tile;
  int64_t alone = 0;
  CPUBlocksAttr blocks;
  int64_t cache = 0, row = 0;
  int64_t prefetch = 0, line = 64;
  int64_t around = 0, aroundRow = 0;

  CPULoopsAttr get(MLIRContext *context) const {
    return CPULoopsAttr::get(context, lanes, rows, columns, threads, tile,
                             alone, blocks, cache, row, prefetch, line, around,
                             aroundRow);
  }
};

struct ShapeLoops : stencil::impl::StencilShapeLoopsBase<ShapeLoops> {
  using StencilShapeLoopsBase::StencilShapeLoopsBase;

  void runOnOperation() override {
    WalkResult walk = checkOptions();
    if (!walk.wasInterrupted())
      walk = getOperation().walk<WalkOrder::PreOrder>(
          [&](Operation *op) { return shape(op); });
    if (walk.wasInterrupted())
      signalPassFailure();
  }

private:
  LogicalResult checkOptions();
  WalkResult shape(Operation *op);
  LogicalResult shapePipeline(PipelineOp op);

  int64_t chooseLanes(ApplyOp op);
  int64_t chooseRows(ApplyOp op, ArrayRef<int64_t> shape);
  int64_t chooseColumns(ApplyOp op, int64_t rows);
  SmallVector<int64_t> chooseTile(ApplyOp op, ArrayRef<int64_t> shape);
  CPUBlocksAttr chooseBlocks(ApplyOp op);
  bool paysToStoreAround(ApplyOp op, const LoopKeys &keys);
  LoopKeys chooseNest(ApplyOp op, ArrayRef<int64_t> shape);
  LoopKeys chooseApply(ApplyOp op);
  LoopKeys chooseStage(const PlannedStage &stage, PipelineOp op);
  LoopKeys choosePipeline(PipelineOp op);
  LoopKeys chooseFold(FoldOp op);
  ArrayAttr chooseBoundary(BoundaryOp op);

  int64_t getThreads() { return std::max(1u, unsigned(threads)); }
  int64_t getUsableBytes() {
    constexpr uint64_t kMost = uint64_t(1) << 40;
    return std::min(coreCacheBytes / kUsableShare, kMost);
  }
  /// Bytes of all fields from which on they are not kept in the caches: more
  /// than none.
  int64_t getAround() { return std::clamp<uint64_t>(cacheBytes, 1, INT64_MAX); }
};

} // namespace

//===----------------------------------------------------------------------===//
// What bounds a body
//===----------------------------------------------------------------------===//

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

static int64_t countOps(ApplyOp op) {
  return llvm::range_size(*op.getBodyBlock());
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

//===----------------------------------------------------------------------===//
// Vectors
//===----------------------------------------------------------------------===//

/// Lanes of a vector of the widest element that the apply stores. Bodies of
/// many ops or loads, and long sums, are bound by their number, and take the
/// widest vectors, even where they are slower to load and lower the clock.
int64_t ShapeLoops::chooseLanes(ApplyOp op) {
  if (!BodyEmitter::canVectorise(op))
    return 1;
  unsigned bits = vectorBits;
  // A stage of a row or a plane reads what its core's own cache has.
  bool isKept = !op.isBufferised() && op.getRank() <= 2;
  if (isKept || countOps(op) > jointOps || countLoads(op, 1) >= manyLoads ||
      hasLongSum(op))
    bits = std::max<unsigned>(bits, wideVectorBits);
  unsigned widest = 8;
  for (unsigned i = 0; i < op.getNumOutputs(); ++i)
    widest = std::max(widest, getBitWidth(op.getOutputElementType(i)));
  return std::max<int64_t>(1, llvm::bit_floor(bits / widest));
}

/// Two neighbouring rows share inputs, and loads are what bounds a stencil of
/// many points in cache: an unaligned vector of a whole cache line costs two
/// accesses. In a plane, any sharing pays. In a volume, a second row means a
/// second row of every plane in the first-level cache, and pays for boxes of
/// more than 27 points only (docs/benchmarks.md has the measurements).
int64_t ShapeLoops::chooseRows(ApplyOp op, ArrayRef<int64_t> shape) {
  int64_t rank = op.getRank();
  if (rank < 2 ||
      (!ShapedType::isDynamic(shape[rank - 2]) && shape[rank - 2] < 4) ||
      countOps(op) > jointOps)
    return 1;
  int64_t one = countLoads(op, 1), two = countLoads(op, 2);
  return (rank == 2 ? two < 2 * one : two <= 1.25 * one) ? 2 : 1;
}

/// Several vectors per turn of the innermost loop: the addresses of many rows
/// do not fit the registers and are fetched from memory once per turn.
int64_t ShapeLoops::chooseColumns(ApplyOp op, int64_t rows) {
  int64_t numOps = countOps(op);
  if (op.getRank() == 1)
    return numOps <= 32 ? 8 : numOps <= 128 ? 4 : 1;
  if (op.getRank() == 2)
    return numOps <= 64 ? 4 : numOps <= 256 ? 2 : 1;
  if (numOps > 128)
    return 1;
  return rows == 1 ? 4 : 2;
}

LoopKeys ShapeLoops::chooseNest(ApplyOp op, ArrayRef<int64_t> shape) {
  LoopKeys keys;
  keys.lanes = chooseLanes(op);
  if (keys.lanes > 1) {
    keys.rows = rows > 0 ? int64_t(rows) : chooseRows(op, shape);
    keys.columns =
        columns > 0 ? int64_t(columns) : chooseColumns(op, keys.rows);
  }
  if (op.getRank() < 2 || op.getUnrollFactors()[op.getRank() - 2] != 1)
    keys.rows = 1;
  return keys;
}

//===----------------------------------------------------------------------===//
// Applies
//===----------------------------------------------------------------------===//

/// Rank 1: chunks. Rank 2: some rows. Rank 3 and more: some whole planes,
/// walked contiguously; the cores' shared cache holds the planes of the window.
/// 0 is a whole axis.
SmallVector<int64_t> ShapeLoops::chooseTile(ApplyOp op,
                                            ArrayRef<int64_t> shape) {
  int64_t rank = op.getRank();
  SmallVector<int64_t> sizes(rank, 0);
  // Slabs at a boundary: few rows or planes, which threads share along another
  // axis.
  auto isThin = [&](int64_t axis, int64_t together) {
    constexpr int64_t kFewTiles = 4;
    return !ShapedType::isDynamic(shape[axis]) &&
           shape[axis] < kFewTiles * together;
  };
  int64_t someRows = tileRows, somePlanes = tilePlanes;
  if (rank == 1) {
    sizes[0] = 2 * parallelPoints;
  } else if (rank == 2) {
    sizes[0] = someRows;
    // Points of a row of a slab of few rows.
    constexpr int64_t kThinRow = 1024;
    if (isThin(0, someRows))
      sizes = {0, kThinRow};
  } else {
    std::fill_n(sizes.begin(), rank - 2, 1);
    sizes[rank - 3] = somePlanes;
    // Few planes do not occupy the threads: cut them as well.
    constexpr int64_t kManyTiles = 32;
    if (ShapedType::isDynamic(shape[rank - 3]) ||
        shape[rank - 3] < kManyTiles * somePlanes)
      sizes[rank - 3] = 1;
    if (isThin(rank - 3, somePlanes))
      sizes[rank - 2] = someRows;
  }
  return sizes;
}

/// Null if the planes of a volume are independent.
CPUBlocksAttr ShapeLoops::chooseBlocks(ApplyOp op) {
  std::optional<RowWindow> window = RowWindow::measure(op);
  if (!window)
    return {};
  // Blocks of fewer rows would read more of their neighbours' rows than of
  // their own.
  constexpr int64_t kMinRows = 4;
  // Planes per tile, as multiples of the window's depth: the planes before the
  // first are read for two tiles.
  constexpr int64_t kMinDepths = 2, kMaxDepths = 16;
  // With so many tiles for each thread, one more or less makes little.
  constexpr int64_t kTilesPerThread = 8;
  return CPUBlocksAttr::get(
      op.getContext(), getUsableBytes(), window->perRow, window->halo, kMinRows,
      {kMinDepths * window->depth, kMaxDepths * window->depth},
      kTilesPerThread * getThreads());
}

/// Streaming stores need whole aligned vectors, which a run-time shift of the
/// vectors gives to one output row at a time; and they do not pay where the
/// line is read anyway. Two rows that are computed together cannot: their
/// vectors are aligned at different points. A plane of few loads has memory as
/// its bound, and is computed row by row then.
bool ShapeLoops::paysToStoreAround(ApplyOp op, const LoopKeys &keys) {
  if (!stream || keys.lanes == 1 || op.getDest().size() != 1 ||
      !storesAllPoints(op) ||
      keys.lanes * getBitWidth(op.getOutputElementType(0)) !=
          int64_t(vectorBits) ||
      llvm::is_contained(op.getArgs(), op.getDest().front()))
    return false;
  if (keys.rows == 1 || rows > 0)
    return keys.rows == 1;
  return streamRows && op.getRank() == 2 && countLoads(op, 1) <= fewLoads;
}

LoopKeys ShapeLoops::chooseApply(ApplyOp op) {
  int64_t rank = op.getRank();
  SmallVector<int64_t> shape = op.getDomain().getShape();
  LoopKeys keys = chooseNest(op, shape);
  if (paysToStoreAround(op, keys)) {
    keys.around = getAround();
    // Of more loads per point, these are the bound, not the memory.
    keys.aroundRow = rank >= 3 && countLoads(op, 1) <= fewLoads
                         ? streamRowOfVolume
                         : streamRow;
  }
  keys.prefetch = prefetchBytes;
  keys.line = lineBytes;
  int64_t points = 1, least = parallelPoints;
  for (int64_t extent : shape)
    points = ShapedType::isDynamic(extent)
                 ? std::max<int64_t>(least, 1)
                 : points * std::min<int64_t>(extent, 1 << 20);
  bool isParallel = points >= least;
  if (isParallel) {
    keys.threads = getThreads();
    if (tile.empty() && llvm::is_contained(shape, ShapedType::kDynamic))
      keys.alone = least;
    if (tile.empty() && rank >= 3 && coreCacheBytes > 0)
      keys.blocks = chooseBlocks(op);
  }
  if (static_cast<int64_t>(tile.size()) == rank)
    keys.tile.assign(tile.begin(), tile.end());
  else if (isParallel)
    keys.tile = chooseTile(op, shape);
  // Tiles hold whole groups of points that an unrolled body computes.
  for (auto [size, factor] : llvm::zip(keys.tile, op.getUnrollFactors()))
    size = llvm::alignTo(size, factor);
  return keys;
}

//===----------------------------------------------------------------------===//
// Pipelines
//===----------------------------------------------------------------------===//

/// A stage is computed plane by plane, on boxes of any size.
LoopKeys ShapeLoops::chooseStage(const PlannedStage &stage, PipelineOp op) {
  int64_t rank = op.getRank();
  std::optional<int64_t> axis = op.getWalkAxis();
  // A plane has one row, or rows of one point. Of what is stored, rows are
  // written around the caches one by one.
  if (axis == rank - 1)
    return {};
  LoopKeys keys =
      chooseNest(stage.op, SmallVector<int64_t>(rank, ShapedType::kDynamic));
  bool isStored = llvm::any_of(stage.results, [](const StageResult &result) {
    return !result.stores.empty();
  });
  if (axis == rank - 2 && (op.getStep() == 1 || isStored))
    keys.rows = 1;
  return keys;
}

LoopKeys ShapeLoops::choosePipeline(PipelineOp op) {
  LoopKeys keys;
  keys.threads = getThreads();
  keys.tile.assign(tile.begin(), tile.end());
  auto schedule = op->getAttrOfType<ScheduleAttr>(ScheduleAttr::kAttrName);
  if (keys.tile.empty() && schedule) {
    ArrayRef<int64_t> points = schedule.getPoints();
    for (auto [i, size] : llvm::enumerate(schedule.getBlock()))
      keys.tile.push_back(size * (i < points.size() ? points[i] : 1));
  }
  if (static_cast<int64_t>(keys.tile.size()) > op.getRank())
    keys.tile.truncate(op.getRank());
  else if (!keys.tile.empty())
    keys.tile.resize(op.getRank(), 0);
  keys.cache = std::max<int64_t>(1, getUsableBytes());
  keys.row = tileRow;
  keys.line = lineBytes;
  if (stream)
    keys.around = getAround();
  return keys;
}

LogicalResult ShapeLoops::shapePipeline(PipelineOp op) {
  FailureOr<PipelineWalk> walk = PipelineWalk::create(op);
  if (failed(walk))
    return failure();
  IRRewriter rewriter(op.getContext());
  gatherSums(op, rewriter);
  walk = PipelineWalk::create(op);
  if (failed(walk))
    return failure();
  FailureOr<bool> isDelayed = delayStores(op, *walk, rewriter);
  if (failed(isDelayed))
    return failure();
  if (*isDelayed)
    walk = PipelineWalk::create(op);
  if (failed(walk))
    return failure();
  auto set = [&](Operation *target, const LoopKeys &keys) {
    if (!target->hasAttr(CPULoopsAttr::kAttrName))
      target->setAttr(CPULoopsAttr::kAttrName, keys.get(&getContext()));
  };
  for (const PlannedStage &stage : walk->getStages()) {
    ApplyOp apply = stage.op;
    set(apply, chooseStage(stage, op));
  }
  set(op, choosePipeline(op));
  return success();
}

//===----------------------------------------------------------------------===//
// Folds and boundaries
//===----------------------------------------------------------------------===//

LoopKeys ShapeLoops::chooseFold(FoldOp op) {
  LoopKeys keys;
  keys.threads = getThreads();
  auto type = cast<GridType>(op.getTemps().front().getType());
  if (hasVectorLayout(type.getElementType()))
    keys.lanes = std::max<int64_t>(
        1, llvm::bit_floor(vectorBits /
                           getBitWidth(Folder(op).getAccumulatorType())));
  if (op.getBounds().getRank() == 1)
    keys.tile = {2 * static_cast<int64_t>(parallelPoints)};
  return keys;
}

/// Threads share the rows of a volume, and the columns of a plane. A row of a
/// plane is filled as fast as it is copied.
ArrayAttr ShapeLoops::chooseBoundary(BoundaryOp op) {
  int64_t rank = op.getBounds().getRank();
  auto type = cast<GridType>(op.getField().getType());
  SmallVector<Attribute> axes;
  for (int64_t axis = 0; axis < rank; ++axis) {
    LoopKeys keys;
    bool hasColumns = axis == rank - 1;
    if (rank >= 3 || (rank == 2 && hasColumns)) {
      // Rows of the first axis per thread and turn.
      constexpr int64_t kRows = 4;
      keys.threads = getThreads();
      keys.tile.assign(rank - 1, 0);
      keys.tile.front() = kRows;
      // A point of a column costs a line.
      int64_t atOnce =
          hasColumns
              ? std::max<int64_t>(1, lineBytes /
                                         getElementBytes(type.getElementType()))
              : 1;
      keys.alone = static_cast<int64_t>(parallelPoints) / atOnce;
    }
    axes.push_back(keys.get(op.getContext()));
  }
  return ArrayAttr::get(op.getContext(), axes);
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

/// Whether memory can hold what the op works on; else the conversion says what
/// it cannot.
static bool hasMemory(Operation *op) {
  auto isHeld = [](Type type) {
    auto grid = dyn_cast<GridType>(type);
    return !grid || hasStorage(grid.getElementType());
  };
  return llvm::all_of(op->getOperandTypes(), isHeld) &&
         llvm::all_of(op->getResultTypes(), isHeld);
}

WalkResult ShapeLoops::shape(Operation *op) {
  if (auto pipeline = dyn_cast<PipelineOp>(op))
    return failed(shapePipeline(pipeline)) ? WalkResult::interrupt()
                                           : WalkResult::skip();
  if (op->hasAttr(CPULoopsAttr::kAttrName) || !hasMemory(op))
    return WalkResult::advance();
  Attribute chosen;
  if (auto apply = dyn_cast<ApplyOp>(op); apply && apply.isBufferised())
    chosen = chooseApply(apply).get(&getContext());
  else if (auto fold = dyn_cast<FoldOp>(op))
    chosen = chooseFold(fold).get(&getContext());
  else if (auto boundary = dyn_cast<BoundaryOp>(op))
    chosen = chooseBoundary(boundary);
  if (chosen)
    op->setAttr(CPULoopsAttr::kAttrName, chosen);
  return WalkResult::advance();
}

/// What is unrolled, or as wide as an option says, has to end.
LogicalResult ShapeLoops::checkOptions() {
  auto check = [&](const Twine &name, auto value,
                   decltype(value) most) -> LogicalResult {
    if (value >= 0 && value <= most)
      return success();
    return emitError(getStart(getOperation()), "expected ")
           << name << " from 0 to " << most << ", got " << value;
  };
  constexpr unsigned kMostBits = 1 << 16;
  constexpr int64_t kMostTogether = 64;
  for (auto [name, bits] : {std::pair("vector-bits", unsigned(vectorBits)),
                            {"wide-vector-bits", unsigned(wideVectorBits)}}) {
    if (failed(check(name, bits, kMostBits)))
      return failure();
    // What is stored without reading it lies at multiples of a vector.
    if (bits != 0 && !llvm::isPowerOf2_32(bits))
      return emitError(getStart(getOperation()), "expected ")
             << name << " to be a power of two, got " << bits;
  }
  constexpr int64_t kMostPoints = int64_t(1) << 40;
  for (int64_t size : tile)
    if (failed(check("tiles", size, kMostPoints)))
      return failure();
  for (auto [name, points] :
       {std::pair("stream-row", uint64_t(streamRow)),
        {"stream-row-of-volume", uint64_t(streamRowOfVolume)},
        {"parallel-points", uint64_t(parallelPoints)},
        {"tile-rows", uint64_t(tileRows)},
        {"tile-planes", uint64_t(tilePlanes)},
        {"tile-row", uint64_t(tileRow)},
        {"joint-ops", uint64_t(jointOps)},
        {"few-loads", uint64_t(fewLoads)},
        {"many-loads", uint64_t(manyLoads)}})
    if (failed(check(name, points, uint64_t(kMostPoints))))
      return failure();
  if (!llvm::isPowerOf2_64(lineBytes) || lineBytes > kMostBits)
    return emitError(getStart(getOperation()), "expected line-bytes to be a "
                                               "power of two up to ")
           << kMostBits << ", got " << uint64_t(lineBytes);
  return success(
      succeeded(check("rows", int64_t(rows), kMostTogether)) &&
      succeeded(check("columns", int64_t(columns), kMostTogether)) &&
      succeeded(check("prefetch-bytes", uint64_t(prefetchBytes), 1 << 20)));
}
