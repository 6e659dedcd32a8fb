//===- StepTiles.cpp - Tiles for several steps at once --------------------===//
//
// Without stages, each step is computed again wherever the next one reads it.
// In planes, what stages make is in registers: a warp has a tile, and its lanes
// have neighbours from each other (`chain = shuffle`). In volumes, stages of
// three steps and more of a star are in registers, too, and rows at the edges
// of those of a thread in shared memory; of others, and where registers do not
// suffice, whole planes are.
//
//===----------------------------------------------------------------------===//

#include "StepTiles.h"
#include "Schedules/FormBook.h"
#include "StencilDialect/Analysis/ModelConstants.h"
#include "StencilDialect/IR/DiscardableAttrs.h"
#include "StencilDialect/IR/Elements.h"
#include "StencilDialect/Tile/TilePlane.h"
#include "llvm/Support/MathExtras.h"

#include <cmath>

using namespace mlir;
using namespace stencil;

/// Calls `visit` with the offsets of all accesses, and of all taps of sums.
static void forEachOffset(ApplyOp apply,
                          llvm::function_ref<void(ArrayRef<int64_t>)> visit) {
  apply.getRegion().walk([&](Operation *inner) {
    if (auto access = dyn_cast<AccessOp>(inner))
      visit(access.getOffset().getValues());
    else if (auto sum = dyn_cast<WeightedSumOp>(inner))
      for (int64_t tap = 0; tap < sum.getNumTaps(); ++tap)
        visit(sum.getOffset(tap));
  });
}

bool stencil::readsDiagonals(ApplyOp apply) {
  bool areRead = false;
  forEachOffset(apply, [&](ArrayRef<int64_t> offset) {
    areRead |=
        llvm::count_if(offset, [](int64_t along) { return along != 0; }) > 1;
  });
  return areRead;
}

/// Numbers that it is given are none.
static int64_t countFields(ApplyOp step) {
  return llvm::count_if(step.getArgs(), [](Value argument) {
    return isa<GridType>(argument.getType());
  });
}

bool stencil::canRelay(ApplyOp step) {
  if (countFields(step) != 1 || tile::usesCoordinates(step))
    return false;
  bool readsHere = false;
  SmallVector<int64_t> lower(step.getRank(), 0), upper(step.getRank(), 0);
  forEachOffset(step, [&](ArrayRef<int64_t> offset) {
    readsHere |= isZero(offset);
    for (auto [low, high, along] : llvm::zip_equal(lower, upper, offset)) {
      low = std::max(low, -along);
      high = std::max(high, along);
    }
  });
  return readsHere && lower == upper;
}

//===----------------------------------------------------------------------===//
// Registers
//===----------------------------------------------------------------------===//

/// What a thread holds from row to row: of each step but the last one, the rows
/// that the next one reads besides the newest, and of boxes the columns beside
/// them, too; of memory, those of its own columns. And what bodies and
/// addresses take.
static double countRegisters(const StepShape &shape, int64_t points) {
  const ModelConstants &constants = ModelConstants::getDefault();
  int64_t beside = shape.isBox ? 2 * shape.columns : 0;
  auto kept = static_cast<double>(2 * shape.rows * shape.steps *
                                  (points + beside) * shape.countWords());
  return kept + constants.stepBase +
         constants.stepPoint * static_cast<double>(points) +
         constants.stepRadius * static_cast<double>(shape.rows * shape.rows);
}

int64_t stencil::getRegisters(int64_t warps, const TargetInfo &target) {
  constexpr int64_t kUnit = 8;
  int64_t lanes = target.issuedWarps * target.warpSize;
  int64_t all = target.registersPerMultiprocessor / std::max<int64_t>(1, lanes);
  return std::min<int64_t>(llvm::alignDown(all / warps, kUnit),
                           target.registersPerThread);
}

KernelNumbers StepShape::getNumbers(llvm::StringRef kernel,
                                    const TargetInfo &target) const {
  FormFacts facts(kernel, rank);
  facts.reads = isBox ? "box" : "star";
  facts.bytes = elementBytes;
  facts.radius = std::max(rows, columns);
  facts.steps = steps;
  facts.inputs = inputs;
  return {facts, target};
}

int64_t StepShape::countLegColumns(int64_t computed) const {
  constexpr int64_t kSectorBytes = 32;
  return computed - 2 * static_cast<int64_t>(llvm::alignTo(
                            columns * steps, kSectorBytes / elementBytes));
}

/// The same of a leg.
static double countLegRegisters(const StepShape &shape, int64_t points) {
  const ModelConstants &constants = ModelConstants::getDefault();
  int64_t words = shape.countWords();
  int64_t beside = shape.isBox && !shape.areScattered ? 2 * shape.columns : 0;
  auto kept = static_cast<double>(2 * shape.rows * shape.steps *
                                  (points + beside) * words);
  return kept + constants.legBase +
         constants.legPoint * static_cast<double>(points * words) / 2;
}

/// An odd number of points of a lane meets in no bank of shared memory. The
/// most points first, which have the most of a row stored.
static void addRelays(const StepShape &shape, const TargetInfo &target,
                      llvm::SmallVectorImpl<WarpTile> &tiles) {
  KernelNumbers numbers = shape.getNumbers("steps", target);
  int64_t legs = numbers.findCount("legs").value_or(0);
  if (shape.rank != 2 || !shape.canRelay || legs < 2 ||
      shape.steps % legs != 0 || target.replacesAsyncCopies ||
      !target.hasAsyncCopy(AsyncCopyElements))
    return;
  int64_t warps = numbers.getCount("leg_warps");
  StepShape leg = shape.withSteps(shape.steps / legs);
  for (int64_t points : numbers.listCounts("leg_points")) {
    int64_t kept = shape.countLegColumns(target.warpSize * points);
    if (kept > 0 && countLegRegisters(leg, points) <=
                        static_cast<double>(getRegisters(warps, target)))
      tiles.push_back({points, warps, kept, legs});
  }
}

StepShape stencil::getStepShape(ApplyOp step, int64_t rows, int64_t columns,
                                bool isScaled) {
  StepShape shape;
  shape.rank = step.getRank();
  shape.rows = rows;
  shape.columns = columns;
  shape.isBox = readsDiagonals(step);
  shape.elementBytes = getElementBytes(step.getOutputElementType(0));
  shape.inputs = countFields(step);
  // Of stars of three rows, whose sums are over seven, partial sums spill. Of
  // boxes in FP32 they were slower: 9 points 2127 and 1782 GStencil/s instead
  // of 2300 and 2539 (docs/time-blocking.md).
  constexpr int64_t kDouble = 8;
  shape.areScattered =
      isScaled && rows == 1 && (!shape.isBox || shape.elementBytes >= kDouble);
  return shape;
}

llvm::SmallVector<WarpTile> stencil::listWarpTiles(const StepShape &shape,
                                                   const TargetInfo &target) {
  llvm::SmallVector<WarpTile> tiles;
  KernelNumbers numbers = shape.getNumbers("steps", target);
  SmallVector<int64_t> counts = numbers.listCounts("points");
  // Of a row nothing is kept, and a lane has the points of two steps. Of
  // doubles, an odd number of vectors of 16 bytes, so that lanes meet in no
  // bank of shared memory, which tiles come from and go to
  // (stencil-coalesce-stores).
  bool isRow = shape.rank == 1;
  for (int64_t warps :
       isRow ? SmallVector<int64_t>{0} : numbers.listCounts("warps"))
    for (int64_t points : counts) {
      int64_t margin = llvm::alignTo(shape.columns * (shape.steps - 1), points);
      int64_t kept = target.warpSize * points - 2 * margin;
      if (kept > 0 &&
          (isRow || countRegisters(shape, points) <=
                        static_cast<double>(getRegisters(warps, target))))
        tiles.push_back({points, warps, kept});
    }
  if (isRow)
    return tiles;
  // Of equal ones, those that leave room for more warps.
  auto getKey = [&](const WarpTile &tile) {
    return std::tuple(-tile.getShare(target), -tile.warps, -tile.points);
  };
  llvm::sort(tiles, [&](const WarpTile &a, const WarpTile &b) {
    return getKey(a) < getKey(b);
  });
  llvm::SmallVector<WarpTile> all;
  addRelays(shape, target, all);
  llvm::append_range(all, tiles);
  return all;
}

/// The same in a volume: of each step but the last one two planes.
static double countVolumeRegisters(const StepShape &shape, int64_t points) {
  const ModelConstants &constants = ModelConstants::getDefault();
  auto kept = static_cast<double>(2 * shape.rows * points * shape.countWords());
  return constants.volumeBase +
         constants.volumePoint * static_cast<double>(points) +
         (kept + constants.volumeStep) * static_cast<double>(shape.steps - 1);
}

void WarpTile::describe(ScheduleKeys &keys, const TargetInfo &target) const {
  keys.chain = Space::Shuffle;
  keys.block.back() = target.warpSize;
  keys.points.back() = points;
  if (keys.block.size() > 1)
    keys.launchBounds = countBlocks(target);
  if (legs > 1)
    keys.relay = legs;
}

int64_t WalkStrips::countEndSegments(int64_t segments) const {
  double several = std::ceil(static_cast<double>(segments) * endsCost);
  return std::min<int64_t>(std::lround(several), countMostSegments());
}

WalkSegments stencil::chooseSegments(const WalkStrips &strips, int64_t blocks,
                                     int64_t mostRounds) {
  WalkSegments best;
  for (int64_t count = 1; count <= strips.countMostSegments(); ++count) {
    int64_t all =
        strips.inner * count + strips.ends * strips.countEndSegments(count);
    int64_t rounds = llvm::divideCeilSigned(all, blocks);
    if (rounds > mostRounds && count > 1)
      break;
    double length =
        static_cast<double>(strips.rows) / static_cast<double>(count);
    double time = static_cast<double>(rounds) *
                  (length + 2 * static_cast<double>(strips.halo));
    if (count == 1 || time < best.time)
      best = {count, time};
  }
  return best;
}

//===----------------------------------------------------------------------===//
// Tiles
//===----------------------------------------------------------------------===//

/// Whether steps are scaled (ComposedForm.cpp): their sums have a tap of the
/// weight one, and partial rows of these take one operation less.
static bool isScaled(ApplyOp apply) {
  bool hasOne = false;
  apply->walk([&](WeightedSumOp sum) {
    if (!sum.getWeights())
      return;
    for (Attribute weight : sum.getWeights()->getValues<Attribute>())
      if (auto number = dyn_cast<FloatAttr>(weight))
        hasOne |= number.getValue().isExactlyValue(1.0);
  });
  return hasOne;
}

namespace {

class StepTiles {
public:
  StepTiles(ApplyOp apply, const KernelProfile &profile,
            const TargetInfo &target, MathMode math)
      : profile(profile), target(target), context(apply.getContext()) {
    int64_t steps = apply->getAttrOfType<IntegerAttr>(kStepsAttr).getInt();
    shape = getStepShape(apply, profile.getHalo(0) / steps,
                         profile.getHalo(profile.rank - 1) / steps,
                         math == MathMode::Reassociate && isScaled(apply));
    shape.steps = steps;
    shape.elementBytes = profile.getElementBytes();
    canBulkCopy = target.hasAsyncCopy(AsyncCopyTensor) && apply.getDomain() &&
                  llvm::all_of(profile.inputs, [](const ProfiledInput &input) {
                    return !input.isRead() || input.fitsTensorMap;
                  });
  }

  std::vector<ScheduleKeys> list();

private:
  ScheduleKeys start() const;
  void addShared();
  KernelNumbers getNumbers(StringRef kernel) const {
    return shape.getNumbers(kernel, target);
  }
  void addWarp(const WarpTile &tile);
  void addNarrow();
  void addVolume();
  void cutWalk(ScheduleKeys &keys, int64_t strips, int64_t blocks,
               int64_t mostRounds) const;

  const KernelProfile &profile;
  const TargetInfo &target;
  MLIRContext *context;
  StepShape shape;
  /// The copy engine begins at places that are known, and are multiples of what
  /// it needs.
  bool canBulkCopy = false;
  std::vector<ScheduleKeys> tiles;
};

} // namespace

ScheduleKeys StepTiles::start() const {
  ScheduleKeys keys;
  if (profile.rank > 1)
    keys.stream = 0;
  keys.window = {Space::Shared};
  keys.block.assign(profile.rank, 1);
  keys.points.assign(profile.rank, 1);
  if (profile.rank >= 3 && canBulkCopy)
    keys.prefetch = Prefetch::Tma;
  else if (target.hasAsyncCopy(AsyncCopyElements))
    keys.prefetch = Prefetch::Async;
  return keys;
}

//===----------------------------------------------------------------------===//
// Stages in shared memory
//===----------------------------------------------------------------------===//

/// Threads along the last two axes, and points of each. What a segment reads
/// and computes twice is to be little beside it.
void StepTiles::addShared() {
  KernelNumbers numbers = getNumbers("stages");
  for (const TuningForm *form : numbers.listSchedules()) {
    ScheduleKeys measured(parseShippedSchedule(*form, context));
    ScheduleKeys keys = start();
    keys.chain = measured.chain;
    llvm::copy(ArrayRef(measured.block).take_back(2), keys.block.end() - 2);
    llvm::copy(ArrayRef(measured.points).take_back(2), keys.points.end() - 2);
    if (profile.isShapeKnown) {
      int64_t shortest =
          std::max(numbers.getCount("shortest_segment"),
                   numbers.getCount("halos_of_segment") * profile.getHalo(0));
      keys.segments = std::max<int64_t>(1, profile.shape.front() / shortest);
    }
    tiles.push_back(keys);
  }
}

/// In as many segments as fill the GPU a whole number of times, with little
/// that is read and computed twice; of extents that only a call knows, in as
/// long ones as those that are assumed have.
void StepTiles::cutWalk(ScheduleKeys &keys, int64_t strips, int64_t blocks,
                        int64_t mostRounds) const {
  if (target.multiprocessors == 0)
    return;
  WalkStrips all;
  all.inner = strips;
  all.rows = profile.shape.front();
  // Shorter ones would compute more twice than once.
  all.halo = all.shortest = profile.getHalo(0);
  int64_t segments = stencil::chooseSegments(all, blocks, mostRounds).count;
  if (profile.isShapeKnown)
    keys.segments = segments;
  else
    keys.planes = std::max<int64_t>(1, all.rows / segments);
}

/// Stages in registers.
void StepTiles::addWarp(const WarpTile &tile) {
  ScheduleKeys keys = start();
  tile.describe(keys, target);
  if (shape.rank > 1) {
    keys.accumulate = Accumulation::Shift;
    KernelNumbers numbers = getNumbers("steps");
    cutWalk(keys, llvm::divideCeil(profile.shape.back(), tile.kept),
            tile.countBlocks(target) * target.multiprocessors,
            numbers.getCount("most_rounds"));
    // Rows that come while a step computes; a leg reads one at a time.
    if (keys.prefetch && profile.inputs.size() == 1)
      keys.stages = tile.legs > 1
                        ? numbers.getCount("leg_stages")
                        : 2 * shape.rows + 1 + numbers.getCount("ahead");
    // Partial sums of a row take fewer registers than what they are made of,
    // and no operation where a tap has the weight one (ComposedForm.cpp).
    if (tile.legs > 1 && shape.areScattered) {
      tiles.push_back(keys);
      tiles.back().accumulate = Accumulation::Scatter;
    }
  }
  tiles.push_back(keys);
}

/// Of a slab that is narrower than a tile, fewer columns of each lane; of a row
/// an odd number of pairs, for the banks of shared memory.
void StepTiles::addNarrow() {
  if (!profile.isShapeKnown)
    return;
  KernelNumbers numbers = getNumbers("steps");
  bool isRow = profile.rank == 1;
  int64_t fewest = isRow ? 2 : 1, most = numbers.getCount("points");
  int64_t reach = profile.getHalo(profile.rank - 1) - shape.columns;
  for (int64_t points = fewest; points < most; points += isRow ? 4 : 1) {
    int64_t kept = target.warpSize * points - 2 * llvm::alignTo(reach, points);
    if (kept < profile.shape.back())
      continue;
    addWarp({points, numbers.getCount("narrow_warps"), kept});
    return;
  }
}

/// Stages in registers of a volume, where they were measured to be faster than
/// those in shared memory.
void StepTiles::addVolume() {
  KernelNumbers numbers = getNumbers("steps");
  std::optional<int64_t> measuredRows = numbers.findCount("rows");
  if (!measuredRows || !target.hasMeasuredRegisters ||
      shape.rows != shape.columns || profile.getHalo(1) >= 2 * shape.steps)
    return;
  int64_t rows = *measuredRows;
  int64_t margin = profile.getHalo(1) - shape.rows;
  int64_t beside = profile.getHalo(2) - shape.columns;
  // Slabs that are narrower than a tile have fewer columns of each lane, or
  // fewer threads.
  const int64_t mostColumns = numbers.getCount("columns");
  int64_t columns = mostColumns, fewest = target.threadsPerBlock;
  if (profile.isShapeKnown) {
    if (target.warpSize - 2 * beside >= profile.shape.back())
      columns = 1;
    fewest = llvm::divideCeil(profile.shape[1] + 2 * margin, rows);
  }
  for (int64_t warps : numbers.listCounts("warps")) {
    if (countVolumeRegisters(shape, rows * mostColumns) >
        static_cast<double>(getRegisters(warps, target)))
      continue;
    int64_t most = warps * target.issuedWarps;
    int64_t threads = std::min(most, fewest), blocks = most / threads;
    int64_t kept = threads * rows - 2 * margin;
    int64_t row =
        target.warpSize * columns - 2 * llvm::alignTo(beside, columns);
    if (kept <= 0 || row <= 0)
      continue;
    ScheduleKeys keys = start();
    keys.chain = Space::Shuffle;
    keys.block = {1, threads, static_cast<int64_t>(target.warpSize)};
    keys.points = {1, rows, columns};
    keys.launchBounds = blocks;
    if (keys.prefetch && profile.inputs.size() == 1)
      keys.stages = 2 * shape.rows + 1 + numbers.getCount("ahead");
    cutWalk(keys,
            llvm::divideCeil(profile.shape[1], kept) *
                llvm::divideCeil(profile.shape.back(), row),
            blocks * target.multiprocessors, numbers.getCount("most_rounds"));
    tiles.push_back(keys);
  }
}

std::vector<ScheduleKeys> StepTiles::list() {
  if (profile.rank <= 2) {
    addNarrow();
    for (const WarpTile &tile : listWarpTiles(shape, target))
      if (tile.legs == 1 || profile.inputs.size() == 1)
        addWarp(tile);
  }
  if (profile.rank == 3)
    addVolume();
  if (profile.rank > 1)
    addShared();
  return std::move(tiles);
}

std::vector<ScheduleKeys> stencil::listStepTiles(ApplyOp apply,
                                                 const KernelProfile &profile,
                                                 const TargetInfo &target,
                                                 MathMode math) {
  return StepTiles(apply, profile, target, math).list();
}
