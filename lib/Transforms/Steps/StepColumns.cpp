//===- StepColumns.cpp - A plane of steps in legs, part by part -----------===//
//
//   | a tile | tiles that read nothing beyond a row | one or two tiles |
//
// Blocks at the ends of rows choose, in each step, what the halo has there.
// They are kernels of their own beside the one for the others, so that these
// have no registers and no code for it, and walk through shorter segments, so
// that all blocks take about as long.
//
//===----------------------------------------------------------------------===//

#include "BlockTimeOnGPU.h"
#include "ComposedParts.h"
#include "llvm/Support/MathExtras.h"

#include <cmath>

using namespace mlir;
using namespace stencil;

ScheduleAttr StepLoop::getLegs(int64_t steps) const {
  SmallVector<WarpTile> tiles = listTiles(steps);
  if (tiles.empty() || tiles.front().legs == 1)
    return {};
  const WarpTile &tile = tiles.front();
  StepShape all = shape;
  all.steps = steps;
  bool areScattered =
      shape.areScattered &&
      canScatterLegs(plan, static_cast<unsigned>(tile.legs), math);
  ScheduleKeys keys;
  keys.stream = 0;
  keys.window = {Space::Shared};
  keys.chain = Space::Shuffle;
  keys.prefetch = Prefetch::Async;
  keys.block = {1, target.warpSize};
  keys.points = {1, tile.points};
  if (areScattered)
    keys.accumulate = Accumulation::Scatter;
  keys.relay = tile.legs;
  keys.launchBounds = tile.warps * target.issuedWarps / tile.legs;
  keys.stages = all.getNumbers("steps", target).getCount("leg_stages");
  return keys.get(plan.time.interior.getContext());
}

namespace {

/// Tiles beside each other, whose walks are cut into segments.
struct Strips {
  int64_t inner = 0, ends = 0;
  /// Rows that are stored, and those that a segment computes again on either
  /// side.
  int64_t rows = 0, halo = 0;
  /// How much longer blocks at the ends take for a row.
  double endsCost = 1;

  /// Shorter segments would compute more twice than once.
  int64_t countMostSegments() const {
    return std::max<int64_t>(1, rows / std::max<int64_t>(1, 2 * halo));
  }
  int64_t countEndSegments(int64_t segments) const {
    double several = std::ceil(static_cast<double>(segments) * endsCost);
    return std::min<int64_t>(std::lround(several), countMostSegments());
  }
  int64_t countBlocks(int64_t segments) const {
    return inner * segments + ends * countEndSegments(segments);
  }
};

/// Segments of the inner strips, and how many rows take as long.
struct Segments {
  int64_t count = 1;
  double time = 0;
};

/// The columns of a plane, next to which a tile is at either end.
struct Columns {
  int64_t innerBegin = 0, innerEnd = 0;
  Strips strips;
};

} // namespace

static int64_t countBlocksAtOnce(const ScheduleKeys &legs,
                                 const KernelNumbers &numbers,
                                 const TargetInfo &target) {
  int64_t blocks = legs.launchBounds;
  if (blocks == 0)
    blocks =
        std::max<int64_t>(1, numbers.findCount("leg_warps").value_or(1) *
                                 target.issuedWarps / legs.relay.value_or(1));
  return blocks * target.multiprocessors;
}

/// Those with which blocks, in rounds of so many, take the least time.
static Segments chooseSegments(const Strips &strips, int64_t blocks,
                               int64_t mostRounds) {
  Segments best;
  for (int64_t count = 1; count <= strips.countMostSegments(); ++count) {
    int64_t rounds = llvm::divideCeilSigned(strips.countBlocks(count), blocks);
    if (rounds > mostRounds && count > 1)
      break;
    double time =
        static_cast<double>(rounds) *
        (static_cast<double>(strips.rows) / static_cast<double>(count) +
         2 * static_cast<double>(strips.halo));
    if (count == 1 || time < best.time)
      best = {count, time};
  }
  return best;
}

/// Nothing if the columns are few, or none is read beside another.
static std::optional<Columns> findColumns(BoundsAttr core,
                                          const StepShape &shape, int64_t kept,
                                          const KernelNumbers &numbers) {
  int64_t begin = core.getLb()[1], end = core.getUb()[1];
  if (shape.columns == 0 || kept <= 0)
    return std::nullopt;
  int64_t tiles = llvm::divideCeilSigned(end - begin, kept);
  // The inner ones are to read nothing beyond the last column.
  int64_t last =
      end - begin - (tiles - 1) * kept < shape.steps * shape.columns ? 2 : 1;
  Columns columns;
  columns.innerBegin = begin + kept;
  columns.innerEnd = begin + (tiles - last) * kept;
  columns.strips = {tiles - 1 - last, 1 + last, core.getShape().front(),
                    shape.steps * shape.rows,
                    numbers.find("leg_ends").value_or(1)};
  if (columns.strips.inner <= 0)
    return std::nullopt;
  return columns;
}

SmallVector<StepPart> StepLoop::cutColumns(ScheduleAttr legs) const {
  StepShape all = shape;
  all.steps = plan.steps;
  KernelNumbers numbers = all.getNumbers("steps", target);
  ScheduleKeys keys(legs);
  BoundsAttr core = plan.getCore();
  auto columns = findColumns(
      core, all, all.countLegColumns(keys.block.back() * keys.points.back()),
      numbers);
  if (!columns)
    return {};
  const Strips &strips = columns->strips;
  int64_t segments =
      keys.segments
          ? *keys.segments
          : chooseSegments(strips, countBlocksAtOnce(keys, numbers, target),
                           numbers.getCount("most_rounds"))
                .count;
  auto makePart = [&](int64_t first, int64_t next, int64_t count) {
    SmallVector<int64_t> lower(core.getLb()), upper(core.getUb());
    lower[1] = first;
    upper[1] = next;
    return StepPart{BoundsAttr::get(core.getContext(), lower, upper), count};
  };
  int64_t ofEnds = strips.countEndSegments(segments);
  return {makePart(core.getLb()[1], columns->innerBegin, ofEnds),
          makePart(columns->innerBegin, columns->innerEnd, segments),
          makePart(columns->innerEnd, core.getUb()[1], ofEnds)};
}

bool StepLoop::isFasterThanRim(ScheduleAttr legs) const {
  StepShape all = shape;
  all.steps = plan.steps;
  KernelNumbers numbers = all.getNumbers("steps", target);
  std::optional<double> ofRim = numbers.find("leg_rim");
  ScheduleKeys keys(legs);
  BoundsAttr core = plan.getCore();
  int64_t kept = all.countLegColumns(keys.block.back() * keys.points.back());
  auto columns = findColumns(core, all, kept, numbers);
  if (!ofRim || !columns ||
      points < numbers.find("leg_fewest_points").value_or(0))
    return false;
  int64_t blocks = countBlocksAtOnce(keys, numbers, target);
  int64_t mostRounds = numbers.getCount("most_rounds");
  // Without what is near the sides.
  Strips inside = columns->strips;
  inside.ends = 0;
  inside.rows -= 2 * inside.halo;
  inside.inner = llvm::divideCeilSigned(
      core.getShape().back() - 2 * all.steps * all.columns, kept);
  return inside.rows > 0 && inside.inner > 0 &&
         chooseSegments(columns->strips, blocks, mostRounds).time <
             *ofRim * chooseSegments(inside, blocks, mostRounds).time;
}
