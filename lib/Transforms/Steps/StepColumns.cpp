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

using namespace mlir;
using namespace stencil;

ScheduleAttr StepLoop::getLegs(int64_t steps) const {
  SmallVector<WarpTile> tiles = listTiles(steps);
  if (tiles.empty() || tiles.front().legs == 1)
    return {};
  const WarpTile &tile = tiles.front();
  bool areScattered =
      shape.areScattered &&
      canScatterLegs(plan, static_cast<unsigned>(tile.legs), math);
  ScheduleKeys keys;
  keys.stream = 0;
  keys.window = {Space::Shared};
  keys.prefetch = Prefetch::Async;
  keys.block = keys.points = {1, 1};
  tile.describe(keys, target);
  if (areScattered)
    keys.accumulate = Accumulation::Scatter;
  keys.stages =
      shape.withSteps(steps).getNumbers("steps", target).getCount("leg_stages");
  return keys.get(plan.time.interior.getContext());
}

namespace {

/// The columns of a plane that legs store, next to which a tile is at either
/// end.
class PlaneColumns {
public:
  PlaneColumns(BoundsAttr core, const StepShape &shape, ScheduleAttr legs,
               const TargetInfo &target);

  /// Whether there are such tiles, of a GPU of which is known how many blocks
  /// it has at once.
  bool areCut() const { return blocks > 0 && strips.inner > 0; }
  SmallVector<StepPart> getParts() const;
  /// Rows that take as long; the same without what is near the sides.
  double getTime() const { return choose(strips).time; }
  std::optional<double> getTimeInside() const;
  const KernelNumbers &getNumbers() const { return numbers; }

private:
  WalkSegments choose(const WalkStrips &strips) const {
    return chooseSegments(strips, blocks, numbers.getCount("most_rounds"));
  }

  BoundsAttr core;
  StepShape shape;
  KernelNumbers numbers;
  ScheduleKeys legs;
  /// Columns of a tile that are stored.
  int64_t kept;
  int64_t blocks = 0, innerBegin = 0, innerEnd = 0;
  WalkStrips strips;
};

} // namespace

PlaneColumns::PlaneColumns(BoundsAttr core, const StepShape &shape,
                           ScheduleAttr legs, const TargetInfo &target)
    : core(core), shape(shape), numbers(shape.getNumbers("steps", target)),
      legs(legs), kept(shape.countLegColumns(legs.getBlock().back() *
                                             legs.getPoints().back())) {
  int64_t begin = core.getLb()[1], end = core.getUb()[1];
  if (shape.columns == 0 || kept <= 0)
    return;
  int64_t atOnce = this->legs.launchBounds;
  if (atOnce == 0)
    atOnce = std::max<int64_t>(1, numbers.findCount("leg_warps").value_or(1) *
                                      target.issuedWarps /
                                      this->legs.relay.value_or(1));
  blocks = atOnce * target.multiprocessors;
  int64_t tiles = llvm::divideCeilSigned(end - begin, kept);
  // The inner ones are to read nothing beyond the last column.
  int64_t last =
      end - begin - (tiles - 1) * kept < shape.steps * shape.columns ? 2 : 1;
  innerBegin = begin + kept;
  innerEnd = begin + (tiles - last) * kept;
  strips.inner = tiles - 1 - last;
  strips.ends = 1 + last;
  strips.endsCost = numbers.find("leg_ends").value_or(1);
  strips.rows = core.getShape().front();
  strips.halo = shape.steps * shape.rows;
  strips.shortest = 2 * strips.halo;
}

SmallVector<StepPart> PlaneColumns::getParts() const {
  int64_t segments = legs.segments ? *legs.segments : choose(strips).count;
  int64_t ofEnds = strips.countEndSegments(segments);
  return {{core.withAxis(1, core.getLb()[1], innerBegin), ofEnds},
          {core.withAxis(1, innerBegin, innerEnd), segments},
          {core.withAxis(1, innerEnd, core.getUb()[1]), ofEnds}};
}

std::optional<double> PlaneColumns::getTimeInside() const {
  WalkStrips inside = strips;
  inside.ends = 0;
  inside.rows -= 2 * inside.halo;
  inside.inner = llvm::divideCeilSigned(
      core.getShape().back() - 2 * shape.steps * shape.columns, kept);
  if (inside.rows <= 0 || inside.inner <= 0)
    return std::nullopt;
  return choose(inside).time;
}

SmallVector<StepPart> StepLoop::cutColumns(ScheduleAttr legs) const {
  PlaneColumns columns(plan.getCore(), shape.withSteps(plan.steps), legs,
                       target);
  return columns.areCut() ? columns.getParts() : SmallVector<StepPart>();
}

bool StepLoop::isFasterThanRim(ScheduleAttr legs) const {
  PlaneColumns columns(plan.getCore(), shape.withSteps(plan.steps), legs,
                       target);
  const KernelNumbers &numbers = columns.getNumbers();
  std::optional<double> ofRim = numbers.find("leg_rim");
  if (!ofRim || !columns.areCut() ||
      points < numbers.find("leg_fewest_points").value_or(0))
    return false;
  std::optional<double> inside = columns.getTimeInside();
  return inside && columns.getTime() < *ofRim * *inside;
}
