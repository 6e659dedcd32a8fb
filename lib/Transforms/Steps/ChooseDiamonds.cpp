//===- ChooseDiamonds.cpp - Which diamonds pay on a CPU -------------------===//
//
// A row of diamonds reads and writes all fields once for half of a diamond's
// steps: the higher it is, the less of memory a step takes. It is as wide as it
// is high, times twice what a step reads, and what a tile of it holds has to
// fit a core's second-level cache. So a diamond is as high as leaves room for
// tiles of some rows, and diamonds for all threads.
//
//===----------------------------------------------------------------------===//

#include "ChooseDiamonds.h"
#include "BlockTimeOnCPU.h"
#include "StencilDialect/Analysis/Cost.h"
#include "StencilDialect/Analysis/KernelNumbers.h"
#include "StencilDialect/IR/Elements.h"
#include "StepDiamonds.h"
#include "StepTiles.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace stencil;

namespace {
class Chooser {
public:
  Chooser(const TimeLoop &time, const DiamondRoom &room)
      : apply(time.applies.front()), room(room), reach(getReach(time, 0)),
        skew(getReach(time, 1)), rowEnds(wrapsAlong(time, 0) ? 2 : 1),
        folded(rowEnds * (wrapsAlong(time, 1) ? 2 : 1)),
        bytes(countBytes(apply)), numbers(getFacts(), getCPUFormDevice()) {}

  std::string findObstacle() const;
  /// The tile of diamonds that are so high; nothing if there is no room for
  /// one, or for a diamond of each thread.
  std::optional<int64_t> findTile(int64_t steps) const;
  int64_t getMostSteps() const {
    return numbers.findCount("most_steps").value_or(0);
  }

private:
  static int64_t getReach(const TimeLoop &time, int64_t axis) {
    return std::max({int64_t(1), -time.lower[axis], time.upper[axis]});
  }
  static int64_t countBytes(ApplyOp apply);
  FormFacts getFacts() const;

  ApplyOp apply;
  const DiamondRoom &room;
  int64_t reach, skew;
  /// Points at one place of the first axis, and of both that are tiled: two of
  /// each that is periodic (DiamondsToLoops.cpp).
  int64_t rowEnds, folded;
  int64_t bytes;
  KernelNumbers numbers;
};
} // namespace

/// Bytes of a point in all fields, which a tile holds: those that it reads, and
/// the state that it stores.
int64_t Chooser::countBytes(ApplyOp apply) {
  int64_t bytes = getElementBytes(apply.getOutputElementType(0));
  llvm::SmallPtrSet<void *, 4> seen;
  for (Value arg : apply.getArgs())
    if (auto type = dyn_cast<GridType>(arg.getType());
        type && type.getRank() == apply.getRank() &&
        seen.insert(arg.getAsOpaquePointer()).second)
      bytes += getElementBytes(type.getElementType());
  return bytes;
}

FormFacts Chooser::getFacts() const {
  FormFacts facts;
  ApplyOp step = apply;
  facts.kernel = "diamonds";
  facts.rank = step.getRank();
  facts.reads = readsDiagonals(step) ? "box" : "star";
  facts.bytes = getElementBytes(step.getOutputElementType(0));
  facts.radius = std::max(reach, skew);
  ApplyCost cost = getApplyCost(step, /*contract=*/true);
  int64_t taps = 0;
  for (const InputCost &input : cost.inputs)
    taps = std::max<int64_t>(taps, input.taps.value_or(INT64_MAX));
  facts.taps = taps;
  facts.inputs = cost.inputs.size();
  return facts;
}

std::string Chooser::findObstacle() const {
  ApplyOp step = apply;
  if (getMostSteps() < 3)
    return "nothing like it was measured to be faster in these";
  SmallVector<double> caches = numbers.getList("own_cache");
  if (static_cast<double>(room.ownCache) < caches.front() ||
      static_cast<double>(room.ownCache) > caches.back())
    return "nothing was measured with such a second-level cache";
  if (!areExtentsKnown(room.extents, step.getRank()))
    return "the extents are not known";
  return explainSweep(step, bytes, room.extents, room.lastCache);
}

std::optional<int64_t> Chooser::findTile(int64_t steps) const {
  int64_t half = (steps + 1) / 2, width = 2 * reach * half;
  if (static_cast<double>(llvm::divideCeil(room.extents[0], width * rowEnds)) <
      numbers.get("fewest_diamonds") * static_cast<double>(room.threads))
    return std::nullopt;
  // On the average half of the planes of a diamond, and those beside them.
  int64_t planes = width / 2 + 2 * reach;
  double taken =
      static_cast<double>(bytes * folded) * static_cast<double>(planes);
  for (int64_t extent : room.extents.drop_front(2))
    taken *= static_cast<double>(extent);
  double size =
      static_cast<double>(room.ownCache) * numbers.get("cache_share") / taken -
      static_cast<double>(skew * steps);
  // A step of a few rows, or of a piece of a row, has to be worth its loops.
  if (size < numbers.get("least_tile"))
    return std::nullopt;
  auto tile = static_cast<int64_t>(std::min(size, numbers.get("most_tile")));
  // Whole turns of the innermost loop.
  constexpr int64_t kTurn = 64;
  return room.extents.size() == 2 && tile > kTurn ? llvm::alignDown(tile, kTurn)
                                                  : tile;
}

/// Whether the state has its halo before it is read, from one boundary: then
/// constants are filled before the loop (stencil-hoist-boundaries), and what
/// changes from step to step as steps go.
static bool hasHaloAtBegin(const TimeLoop &time) {
  LoadOp state = time.loads.front();
  for (LoadOp load : time.loads)
    if (!llvm::is_contained(time.coefficients, load.getField()))
      state = load;
  BoundaryOp only;
  for (BoundaryOp boundary : time.boundaries)
    if (!keepsAll(boundary)) {
      if (only || boundary.getField() != state.getField() ||
          !boundary->isBeforeInBlock(state))
        return false;
      only = boundary;
    }
  scf::ForOp loop = time.loop;
  return !only || llvm::all_equal(loop.getInitArgs().getTypes());
}

DiamondsAttr stencil::chooseDiamonds(scf::ForOp loop, const DiamondRoom &room,
                                     std::string &why) {
  NoTimeLoop obstacle;
  std::optional<TimeLoop> time = findDiamonds(loop, obstacle);
  if (!time) {
    why = obstacle.reason;
    return {};
  }
  if (time->applies.size() != 1 || time->levels.size() != 1 ||
      time->buffers != 2) {
    why = "steps of several states, or of several applies, were not measured";
    return {};
  }
  for (BoundaryOp boundary : time->boundaries)
    if (why = explainHaloPhase(boundary, *time); !why.empty())
      return {};
  ApplyOp apply = time->applies.front();
  if (!hasHaloAtBegin(*time) ||
      llvm::any_of(apply.getUnrollFactors(),
                   [](int64_t factor) { return factor != 1; })) {
    why = "a halo is filled after it is read, or the body is unrolled";
    return {};
  }
  Chooser chooser(*time, room);
  why = chooser.findObstacle();
  if (!why.empty())
    return {};
  for (int64_t steps = chooser.getMostSteps(); steps >= 3; steps -= 2)
    if (std::optional<int64_t> tile = chooser.findTile(steps))
      return DiamondsAttr::get(loop.getContext(), steps, *tile);
  why = "a core's cache holds no tile of some rows, or there are fewer "
        "diamonds than threads";
  return {};
}
