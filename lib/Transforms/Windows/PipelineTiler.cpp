//===- PipelineTiler.cpp - The tiles that pipelines get -------------------===//
//
// The numbers that a pipeline's schedule leaves open are chosen: those that
// measured best (KernelNumbers.h), made smaller where the box, shared memory or
// the registers of the GPU are.
//
//===----------------------------------------------------------------------===//

#include "PipelineTiler.h"
#include "StencilDialect/Analysis/ModelConstants.h"
#include "StencilDialect/Analysis/Panels.h"
#include "StencilDialect/Analysis/TiledSchedule.h"
#include "StencilDialect/IR/TapBoxes.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace stencil;

//===----------------------------------------------------------------------===//
// What is given
//===----------------------------------------------------------------------===//

void PipelineTiler::read() {
  keys = ScheduleKeys(ScheduleAttr::of(op));
  // Segments are those of a stream.
  keys.stream = walk;
  choosesPoints = keys.points.empty();
  choosesBlock = keys.block.empty();
  numbers.emplace(getFacts(), target);
}

/// What decides which numbers it gets.
FormFacts PipelineTiler::getFacts() const {
  FormFacts facts(walk ? "open walk" : "open tile", rank);
  facts.bytes = size.getElementBytes();
  facts.radius = size.getHalo();
  facts.span = size.getScatterSpan();
  facts.reads = size.readsBox() ? "box" : "star";
  facts.isJoint = isJoined();
  return facts;
}

/// Of products, whose tiles are those of warps.
KernelNumbers PipelineTiler::getProductNumbers() {
  FormFacts facts("open products");
  // Of the tile: a walk has no points along its own axis.
  facts.rank = listTiledAxes().size();
  op->walk([&](WeightedSumOp sum) { facts.areSumsLong |= isLongSum(sum); });
  return {facts, target};
}

//===----------------------------------------------------------------------===//
// What is chosen
//===----------------------------------------------------------------------===//

/// True if other regions are launched with it.
bool PipelineTiler::isJoined() const {
  return keys.regions == RegionLaunch::Launch;
}

/// True if a thread's registers are to be more than those of large blocks: in a
/// walk each thread keeps all the neighbours that it reads, or several kernels
/// are joined.
bool PipelineTiler::needsRegisters() {
  auto keepsNeighbours = [](WindowOp window) {
    return window.getSpace() != Space::Shared && !window.getRes().use_empty() &&
           window.isOfLoad();
  };
  return isJoined() ||
         (walk &&
          llvm::any_of(op.getBodyBlock()->getOps<WindowOp>(), keepsNeighbours));
}

/// Of an extent that only the run knows, something large.
int64_t PipelineTiler::getLength(int64_t axis) const {
  constexpr int64_t kLarge = 1024;
  return ShapedType::isDynamic(shape[axis]) ? kLarge : shape[axis];
}

/// All axes but that of the walk, the last one first.
SmallVector<int64_t> PipelineTiler::listTiledAxes() const {
  SmallVector<int64_t> axes;
  for (int64_t axis = rank - 1; axis >= 0; --axis)
    if (isTiled(axis))
      axes.push_back(axis);
  return axes;
}

/// A vector of the row, and rows below each other, which share what they read.
/// In a walk as few points as are measured best: more threads hide what they
/// wait for.
void PipelineTiler::choosePoints() {
  keys.points.assign(rank, 1);
  int64_t row = rank - 1, below = rank - 2;
  if (keys.engine == Engine::Mma) {
    // Several patches of a warp, which read the same rows. Long sums read them
    // again for each turn of a loop, and weights, too: more patches one behind
    // the other share them. Of an odd number of patches, rows of A are in both
    // halves of the banks of shared memory.
    SmallVector<int64_t> points = getProductNumbers().listCounts("points");
    for (auto [axis, count] : llvm::zip(listTiledAxes(), llvm::reverse(points)))
      keys.points[axis] = count;
    return;
  }
  if (int64_t taps = getLongestTapRow(op)) {
    keys.points[row] = chooseTapLoopPoints(taps, target);
    return;
  }
  if (isTiled(row))
    keys.points[row] = std::clamp<int64_t>(16 / size.getElementBytes(), 1, 4);
  if (!isTiled(below))
    return;
  keys.points[below] = numbers->comesFirst("rows", "points")
                           ? numbers->getCount("rows")
                           : std::max<int64_t>(1, numbers->getCount("points") /
                                                      keys.points[row]);
}

/// The tile by the points of a thread.
void PipelineTiler::chooseBlock() {
  keys.block.assign(rank, 1);
  if (keys.engine == Engine::Mma) {
    SmallVector<int64_t> axes = listTiledAxes();
    if (axes.empty())
      return;
    keys.block[axes.front()] = target.warpSize;
    keys.block[axes[axes.size() > 1 ? 1 : 0]] *=
        getProductNumbers().getCount("warps");
    return;
  }
  SmallVector<int64_t> tile = numbers->listCounts("tile");
  for (auto [back, points] : llvm::enumerate(llvm::reverse(tile)))
    if (int64_t axis = rank - 1 - static_cast<int64_t>(back); isTiled(axis))
      keys.block[axis] = std::max<int64_t>(1, points / keys.points[axis]);
  if (getLongestTapRow(op))
    keys.block.back() = chooseTapLoopThreads(rank, target);
  if (size.hasWindow(Space::Shuffle) && isTiled(rank - 1))
    keys.block.back() = target.warpSize;
  // All regions of a launch have blocks of as many threads, and each thread has
  // the registers that the most demanding one needs.
  int64_t fewThreads = numbers->getCount("few_threads");
  int64_t longer = isTiled(rank - 2) ? rank - 2 : rank - 1;
  while (isJoined() && isTiled(longer) &&
         multiplyCounts(keys.block) < fewThreads)
    keys.block[longer] *= 2;
  for (int64_t axis = 0; axis < rank && needsRegisters(); ++axis)
    while (keys.block[axis] > 1 && multiplyCounts(keys.block) > fewThreads)
      keys.block[axis] /= 2;
  // What is given can be more than the tile leaves room for.
  for (int64_t axis = 0; axis + 1 < rank; ++axis)
    while (keys.block[axis] > 1 &&
           multiplyCounts(keys.block) > target.threadsPerBlock)
      keys.block[axis] /= 2;
  // The registers of so many blocks, rather than what ptxas thinks best.
  if (keys.launchBounds == 0)
    keys.launchBounds = numbers->getCount("blocks");
}

/// No tile is much larger than the box.
void PipelineTiler::limitToBox() {
  // Warps have whole patches.
  if (keys.engine == Engine::Mma)
    return;
  for (int64_t axis = 0; axis < rank; ++axis) {
    auto isTooLong = [&](int64_t threads, int64_t points) {
      return static_cast<uint64_t>(threads * points) >
             llvm::PowerOf2Ceil(getLength(axis));
    };
    // Rows remain as long as a vector, and as a warp that shuffles.
    bool isShuffled = axis == rank - 1 && size.hasWindow(Space::Shuffle);
    while (choosesBlock && !isJoined() && !isShuffled && keys.block[axis] > 1 &&
           isTooLong(keys.block[axis], keys.points[axis]))
      keys.block[axis] /= 2;
    while (choosesPoints && axis != rank - 1 && keys.points[axis] > 1 &&
           isTooLong(keys.block[axis], keys.points[axis]))
      keys.points[axis] /= 2;
  }
}

/// What products take of shared memory for gaps in single rows, one behind each
/// row of A of each warp (stencil-map-to-tensor-cores).
int64_t PipelineTiler::getGapBytes() {
  constexpr int64_t kRowsOfA = 16, kGapBytes = 32;
  if (keys.engine != Engine::Mma || listTiledAxes().size() != 1)
    return 0;
  int64_t slots = 0;
  for (WindowOp window : op.getBodyBlock()->getOps<WindowOp>())
    if (isSharedWindow(window))
      slots += window.getDepth().value_or(APInt(64, 1)).getSExtValue();
  return slots * kGapBytes * kRowsOfA *
         llvm::divideCeil(multiplyCounts(keys.block), target.warpSize);
}

/// Of products, half as many threads of a row, and twice as many rows of them:
/// a warp's tile is more of a square, whose halo is smaller. Of a row remain
/// the patches that a matrix has rows.
bool PipelineTiler::foldRow() {
  constexpr int64_t kFewestThreads = 8;
  SmallVector<int64_t> axes = listTiledAxes();
  if (keys.engine != Engine::Mma || axes.size() < 2 ||
      keys.block[axes[0]] <= kFewestThreads)
    return false;
  keys.block[axes[0]] /= 2;
  keys.block[axes[1]] *= 2;
  return true;
}

/// Smaller tiles until shared memory and registers hold what is kept there.
void PipelineTiler::limitToMemory() {
  auto shrink = [](MutableArrayRef<int64_t> list) {
    for (int64_t &count : list.drop_back())
      if (count > 1) {
        count /= 2;
        return true;
      }
    return false;
  };
  // The rest of the registers is for the arithmetic.
  while (choosesPoints &&
         2 * size.countRegisters(keys.points) >
             static_cast<int64_t>(target.registersPerThread) + 64 &&
         shrink(keys.points))
    continue;
  // The threads of joined regions stay as many as they are.
  bool choosesThreads = choosesBlock && !isJoined();
  while (getSharedBytes() + getGapBytes() >
         static_cast<int64_t>(target.sharedPerBlock)) {
    // Rows of patches get shorter first: two patches less leave an odd number
    // odd.
    constexpr int64_t kPatches = 8, kLeastMatrixPoints = 4;
    if (choosesPoints && keys.engine == Engine::Mma &&
        keys.points.back() > kPatches) {
      keys.points.back() -= kPatches;
      continue;
    }
    // Products are of whole warps.
    bool isOneWarp =
        keys.engine == Engine::Mma &&
        multiplyCounts(keys.block) <= static_cast<int64_t>(target.warpSize);
    if (choosesThreads && (isOneWarp ? foldRow() : shrink(keys.block)))
      continue;
    if (choosesPoints && shrink(keys.points))
      continue;
    bool isMatrix = keys.engine == Engine::Mma;
    if (choosesPoints && (isJoined() || isMatrix) &&
        keys.points.back() > (isMatrix ? kLeastMatrixPoints : 1)) {
      keys.points.back() /= 2;
      continue;
    }
    if (!choosesThreads || keys.block.back() <= target.warpSize)
      return;
    keys.block.back() /= 2;
  }
}

int64_t PipelineTiler::countTiles() const {
  int64_t count = 1;
  for (auto [axis, tile] : llvm::enumerate(getTile()))
    if (isTiled(axis))
      count *= llvm::divideCeil(getLength(axis), tile);
  return count;
}

/// Long segments read few planes twice; many segments keep all multiprocessors
/// busy, and at different places. What is best at 512 planes of doubles.
int64_t PipelineTiler::chooseSegmentLength() const {
  int64_t planes = numbers->getCount("planes");
  // A row is less than a plane.
  if (rank == 2)
    return planes *
           static_cast<int64_t>(ModelConstants::getDefault().rowsOfPlane);
  // Of smaller elements more planes fit the second-level cache, which has the
  // segment's halo from the one before.
  constexpr int64_t kDouble = 8;
  int64_t bytes = std::min(size.getElementBytes(), kDouble);
  return std::max({planes * bytes * bytes / (kDouble * kDouble),
                   2 * size.getHalo(),
                   std::min(planes, numbers->getCount("fewest_planes"))});
}

void PipelineTiler::chooseSegments() {
  if (!walk || keys.segments || keys.planes || size.readsPlanesOfOthers())
    return;
  if (ShapedType::isDynamic(shape[*walk])) {
    keys.planes = chooseSegmentLength();
    return;
  }
  int64_t halo = size.getHalo();
  int64_t segments = std::max<int64_t>(1, shape[*walk] / chooseSegmentLength());
  while (segments * countTiles() <
             static_cast<int64_t>(target.multiprocessors) &&
         shape[*walk] / (2 * segments) >= 4 * std::max<int64_t>(halo, 1))
    segments *= 2;
  keys.segments = segments;
}

/// Of rows as long as those of the box, so many bytes are in a panel.
void PipelineTiler::choosePanel() {
  if (walk != 0 || rank != 3 || !choosesBlock || !keys.panel.empty() ||
      !keys.tail.empty() || !keys.order.empty() ||
      ShapedType::isDynamic(shape[1]) || ShapedType::isDynamic(shape[2]))
    return;
  if (!arePlanesWide(shape, size.getElementBytes()))
    return;
  int64_t rows =
      numbers->getCount("panel_bytes") / (shape[2] * size.getElementBytes());
  keys.panel = {0, countPanelBlocks(rows, getTile()[1]), 0};
}

/// What comes through the copy engine is read again by the blocks beside, what
/// is stored is not. Measured: 1 to 4 % of a copy's speed for stars and cubes
/// of one field (docs/benchmarks.md), 0.7 % for examples/seismic.
void PipelineTiler::chooseEviction() {
  bool isFetched =
      llvm::any_of(op.getBodyBlock()->getOps<WindowOp>(), [](WindowOp window) {
        return window.getPrefetch() == Prefetch::Tma;
      });
  if (isFetched && walk && !keys.eviction)
    keys.eviction = Eviction::Last;
}
