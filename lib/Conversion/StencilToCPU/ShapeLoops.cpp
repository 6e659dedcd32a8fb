//===- ShapeLoops.cpp - What loops look like on a CPU ---------------------===//
//
// Vectors, tiles, blocks, threads, stores and prefetches are decided here, from
// the description of a CPU, and nowhere behind: convert-stencil-to-cpu carries
// out what `stencil.cpu_loops` says.
//
//===----------------------------------------------------------------------===//

#include "ApplyShape.h"
#include "Diamonds.h"
#include "PipelineWalk.h"
#include "StencilDialect/Conversion/FoldMath.h"
#include "StencilDialect/Conversion/Passes.h"
#include "StencilDialect/IR/DiscardableAttrs.h"
#include "StencilDialect/IR/Elements.h"
#include "StencilDialect/IR/Locations.h"
#include "StencilDialect/IR/Remarks.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/Support/FormatVariadic.h"

namespace stencil {
#define GEN_PASS_DEF_STENCILSHAPELOOPS
#include "StencilDialect/Conversion/Passes.h.inc"
} // namespace stencil

using namespace mlir;
using namespace stencil;

namespace {

struct ShapeLoops : stencil::impl::StencilShapeLoopsBase<ShapeLoops> {
  using StencilShapeLoopsBase::StencilShapeLoopsBase;

  void runOnOperation() override {
    if (failed(checkOptions()))
      return signalPassFailure();
    cpu = getFacts();
    WalkResult walk = getOperation().walk<WalkOrder::PreOrder>(
        [&](Operation *op) { return shape(op); });
    if (walk.wasInterrupted())
      signalPassFailure();
  }

private:
  LogicalResult checkOptions();
  CPUFacts getFacts();
  WalkResult shape(Operation *op);
  LogicalResult shapePipeline(PipelineOp op);
  void shapeDiamonds(scf::ForOp loop);

  LoopKeys chooseStage(const PlannedStage &stage, PipelineOp op);
  LoopKeys choosePipeline(PipelineOp op, const PipelineWalk &walk);
  LoopKeys chooseFold(FoldOp op);
  ArrayAttr chooseBoundary(BoundaryOp op);

  CPUFacts cpu;
};

} // namespace

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
  LoopKeys keys = chooseNest(
      stage.op, SmallVector<int64_t>(rank, ShapedType::kDynamic), cpu);
  bool isStored = llvm::any_of(stage.results, [](const StageResult &result) {
    return !result.stores.empty();
  });
  if (axis == rank - 2 && (op.getStep() == 1 || isStored))
    keys.rows = 1;
  return keys;
}

LoopKeys ShapeLoops::choosePipeline(PipelineOp op, const PipelineWalk &walk) {
  LoopKeys keys;
  keys.threads = cpu.threads;
  keys.tile = cpu.tile;
  ScheduleAttr schedule = ScheduleAttr::of(op);
  if (keys.tile.empty() && schedule) {
    ArrayRef<int64_t> points = schedule.getPoints();
    for (auto [i, size] : llvm::enumerate(schedule.getBlock()))
      keys.tile.push_back(size * (i < points.size() ? points[i] : 1));
  }
  if (static_cast<int64_t>(keys.tile.size()) > op.getRank())
    keys.tile.truncate(op.getRank());
  else if (!keys.tile.empty())
    keys.tile.resize(op.getRank(), 0);
  keys.cache = std::max<int64_t>(1, cpu.getUsableBytes());
  keys.row = cpu.tileRow;
  keys.line = cpu.lineBytes;
  if (cpu.stream)
    keys.around = cpu.getAround();
  // Stages begin again in each piece, which is to be long beside that.
  if (cpu.deal > 0 && cpu.threads > 1)
    keys.deal = walk.getAxis()
                    ? cpu.dealtHalos *
                          std::max<int64_t>(1, walk.getHalo(*walk.getAxis()))
                    : 1;
  return keys;
}

static void setLoops(Operation *op, Attribute loops) {
  op->setAttr(CPULoopsAttr::kAttrName, loops);
  remarkPassed(op->getLoc(), "Schedule", "Shaped",
               llvm::formatv("{0} as {1}", op->getName(), loops));
}

LogicalResult ShapeLoops::shapePipeline(PipelineOp op) {
  FailureOr<PipelineWalk> walk = prepareWalk(op);
  if (failed(walk))
    return failure();
  auto setUnlessGiven = [&](Operation *target, const LoopKeys &keys) {
    if (!target->hasAttr(CPULoopsAttr::kAttrName))
      setLoops(target, keys.get(&getContext()));
  };
  setUnlessGiven(op, choosePipeline(op, *walk));
  for (const PlannedStage &stage : walk->getStages())
    if (ApplyOp apply = stage.op)
      setUnlessGiven(apply, chooseStage(stage, op));
  return success();
}

//===----------------------------------------------------------------------===//
// Folds and boundaries
//===----------------------------------------------------------------------===//

LoopKeys ShapeLoops::chooseFold(FoldOp op) {
  LoopKeys keys;
  keys.threads = cpu.threads;
  auto type = cast<GridType>(op.getTemps().front().getType());
  if (hasVectorLayout(type.getElementType()))
    keys.lanes = std::max<int64_t>(
        1, llvm::bit_floor<uint64_t>(
               cpu.vectorBits / getBitWidth(Folder(op).getAccumulatorType())));
  if (op.getBounds().getRank() == 1)
    keys.tile = {2 * cpu.parallelPoints};
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
      keys.threads = cpu.threads;
      keys.tile.assign(rank - 1, 0);
      keys.tile.front() = kRows;
      // A point of a column costs a line.
      int64_t atOnce =
          hasColumns
              ? std::max<int64_t>(1, cpu.lineBytes /
                                         getElementBytes(type.getElementType()))
              : 1;
      keys.alone = cpu.parallelPoints / atOnce;
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

/// Threads share the diamonds of a row; a tile is in a core's cache.
void ShapeLoops::shapeDiamonds(scf::ForOp loop) {
  LoopKeys keys;
  keys.threads = cpu.threads;
  // The second level also where windows are for a share of the third: measured
  // on a Zen 5, 1.2 times as fast (docs/notebook.md).
  keys.cache = cpu.getUsableOwnBytes();
  keys.line = cpu.lineBytes;
  keys.deal = cpu.threads > 1 ? cpu.deal : 0;
  // What a tile reads is in its core's own cache, and loads are the limit.
  CPUFacts wide = cpu;
  wide.vectorBits = std::max(cpu.vectorBits, cpu.wideVectorBits);
  if (!loop->hasAttr(CPULoopsAttr::kAttrName))
    setLoops(loop, keys.get(&getContext()));
  for (ApplyOp apply : loop.getBody()->getOps<ApplyOp>())
    if (apply.isBufferised() && hasMemory(apply) &&
        !apply->hasAttr(CPULoopsAttr::kAttrName))
      setLoops(apply, chooseNestInCache(apply, wide).get(&getContext()));
}

/// Whether the steps of a loop are going to be cut. If they were to be without
/// being asked for and cannot be, says so, and it is a loop as any other.
static bool keepsDiamonds(scf::ForOp loop) {
  bool isCut = loop->hasAttr(DiamondsAttr::kAttrName);
  if (!isCut || !loop->hasAttr(kChosenDiamondsAttr))
    return isCut;
  loop->removeDiscardableAttr(kChosenDiamondsAttr);
  std::string why;
  {
    ScopedDiagnosticHandler keep(loop.getContext(),
                                 [&](Diagnostic &diagnostic) {
                                   if (why.empty())
                                     why = diagnostic.str();
                                 });
    if (succeeded(DiamondLoop::create(loop)))
      return true;
  }
  loop->removeAttr(DiamondsAttr::kAttrName);
  remarkMissed(loop.getLoc(), "Steps", "Diamonds",
               "steps are taken one by one after all: " + why);
  return false;
}

WalkResult ShapeLoops::shape(Operation *op) {
  if (auto loop = dyn_cast<scf::ForOp>(op); loop && keepsDiamonds(loop))
    shapeDiamonds(loop);
  if (auto pipeline = dyn_cast<PipelineOp>(op))
    return failed(shapePipeline(pipeline)) ? WalkResult::interrupt()
                                           : WalkResult::skip();
  if (op->hasAttr(CPULoopsAttr::kAttrName) || !hasMemory(op))
    return WalkResult::advance();
  Attribute chosen;
  if (auto apply = dyn_cast<ApplyOp>(op); apply && apply.isBufferised())
    chosen = chooseApply(apply, cpu).get(&getContext());
  else if (auto fold = dyn_cast<FoldOp>(op))
    chosen = chooseFold(fold).get(&getContext());
  else if (auto boundary = dyn_cast<BoundaryOp>(op))
    chosen = chooseBoundary(boundary);
  if (chosen)
    setLoops(op, chosen);
  return WalkResult::advance();
}

CPUFacts ShapeLoops::getFacts() {
  CPUFacts facts;
  facts.vectorBits = vectorBits;
  facts.wideVectorBits = wideVectorBits;
  facts.memoryVectorBits = memoryVectorBits;
  facts.cacheBytes = cacheBytes;
  facts.coreCacheBytes = coreCacheBytes;
  facts.ownCacheBytes = ownCacheBytes;
  facts.lineBytes = lineBytes;
  facts.prefetchBytes = prefetchBytes;
  facts.threads = std::max(1u, unsigned(threads));
  facts.parallelPoints = parallelPoints;
  facts.tileRows = tileRows;
  facts.tilePlanes = tilePlanes;
  facts.tileRow = tileRow;
  facts.streamRows = streamRows;
  facts.streamRow = streamRow;
  facts.streamRowOfVolume = streamRowOfVolume;
  facts.jointOps = jointOps;
  facts.fewLoads = fewLoads;
  facts.fewLoadsOfVolume = fewLoadsOfVolume;
  facts.manyLoads = manyLoads;
  facts.jointPlanes = jointPlanes;
  facts.jointPlanesPercent = jointPlanesPercent;
  facts.wideLoadsOfVolume = wideLoadsOfVolume;
  facts.jointPlanesPlain = jointPlanesPlain;
  facts.jointRows = jointRows;
  facts.jointRowsCache = jointRowsCache;
  facts.jointRowsPercent = jointRowsPercent;
  facts.dealtHalos = dealtHalos;
  facts.deal = deal;
  facts.tile.assign(tile.begin(), tile.end());
  facts.rows = rows;
  facts.columns = columns;
  facts.planes = planes;
  facts.stream = stream;
  return facts;
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
  for (auto [name, bits] :
       {std::pair("vector-bits", unsigned(vectorBits)),
        {"wide-vector-bits", unsigned(wideVectorBits)},
        {"memory-vector-bits", unsigned(memoryVectorBits)}}) {
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
        {"few-loads-of-volume", uint64_t(fewLoadsOfVolume)},
        {"wide-loads-of-volume", uint64_t(wideLoadsOfVolume)},
        {"many-loads", uint64_t(manyLoads)},
        {"joint-planes-percent", uint64_t(jointPlanesPercent)},
        {"joint-rows-cache", uint64_t(jointRowsCache)},
        {"joint-rows-percent", uint64_t(jointRowsPercent)},
        {"dealt-halos", uint64_t(dealtHalos)},
        {"deal", uint64_t(deal)}})
    if (failed(check(name, points, uint64_t(kMostPoints))))
      return failure();
  if (!llvm::isPowerOf2_64(lineBytes) || lineBytes > kMostBits)
    return emitError(getStart(getOperation()), "expected line-bytes to be a "
                                               "power of two up to ")
           << kMostBits << ", got " << uint64_t(lineBytes);
  return success(
      succeeded(check("rows", int64_t(rows), kMostTogether)) &&
      succeeded(check("columns", int64_t(columns), kMostTogether)) &&
      succeeded(check("planes", int64_t(planes), kMostTogether)) &&
      succeeded(check("joint-rows", int64_t(jointRows), kMostTogether)) &&
      succeeded(check("joint-planes", int64_t(jointPlanes), kMostTogether)) &&
      succeeded(check("prefetch-bytes", uint64_t(prefetchBytes), 1 << 20)));
}
