//===- ScheduleNeighbours.cpp - Schedules that differ in one number -------===//

#include "SpaceBuilder.h"
#include "StencilDialect/Analysis/Panels.h"
#include "StencilDialect/Analysis/WalkTails.h"
#include "llvm/Support/MathExtras.h"

#include <numeric>

using namespace mlir;
using namespace stencil;

namespace {

/// Collects what is one step away from a schedule, then what is two.
class NeighbourLister {
public:
  NeighbourLister(ScheduleAttr schedule, const KernelProfile &profile,
                  const TargetInfo &target)
      : schedule(schedule), profile(profile), target(target),
        rank(profile.rank), walk(schedule.getStream()) {}

  std::vector<ScheduleAttr> run();

private:
  /// Adds what `edit` makes of the schedule, if it says that it can be.
  void change(llvm::function_ref<bool(ScheduleKeys &)> edit);
  void add(const ScheduleKeys &keys);
  void changeStages(int64_t step);
  void changeSegments(int64_t factor);
  void changeTail();
  void changePanel();
  void changeLaunchBounds();
  void changeRequests();
  void changeAccumulation();
  void changeTile();
  void changeOrder();
  void changeStep();
  void changeRelay();
  void changeSkew();
  void changeUnroll();
  bool fits(ScheduleAttr other) const;

  /// Axes that tiles are cut along, that of the rows first.
  SmallVector<int64_t, 4> listAxes() const;

  ScheduleAttr schedule;
  const KernelProfile &profile;
  const TargetInfo &target;
  int64_t rank;
  std::optional<int64_t> walk;
  llvm::SetVector<ScheduleAttr, std::vector<ScheduleAttr>> list;
};

} // namespace

/// Neither less than a warp, nor a tile that is much larger than the box, nor
/// what breaks a limit.
bool NeighbourLister::fits(ScheduleAttr other) const {
  int64_t threads = llvm::product_of(other.getBlock());
  if (threads <
      std::min<int64_t>(target.warpSize, llvm::product_of(schedule.getBlock())))
    return false;
  for (int64_t axis = 0; axis < rank; ++axis) {
    int64_t length = other.getBlock()[axis] * other.getPoints()[axis];
    int64_t before = schedule.getBlock()[axis] * schedule.getPoints()[axis];
    if (length > before &&
        static_cast<uint64_t>(length) > llvm::PowerOf2Ceil(profile.shape[axis]))
      return false;
  }
  return findMisfit(profile, other, target).empty();
}

void NeighbourLister::change(llvm::function_ref<bool(ScheduleKeys &)> edit) {
  ScheduleKeys keys(schedule);
  if (!edit(keys))
    return;
  // A tail is for these tiles and segments.
  ScheduleKeys before(schedule);
  if (keys.block != before.block || keys.points != before.points ||
      keys.segments != before.segments || keys.panel != before.panel)
    keys.tail.clear();
  add(keys);
}

void NeighbourLister::add(const ScheduleKeys &keys) {
  ScheduleAttr other = keys.get(schedule.getContext());
  if (other != schedule && fits(other))
    list.insert(other);
}

SmallVector<int64_t, 4> NeighbourLister::listAxes() const {
  SmallVector<int64_t, 4> axes;
  for (int64_t axis = rank - 1; axis >= 0; --axis)
    if (axis != walk)
      axes.push_back(axis);
  return axes;
}

void NeighbourLister::changeStages(int64_t step) {
  constexpr int64_t kFewest = 2;
  change([&](ScheduleKeys &keys) {
    if (!keys.stages)
      return false;
    *keys.stages += step;
    return *keys.stages >= kFewest && *keys.stages <= kMostStages;
  });
}

/// All tiles in equal segments; or a tail, for one or two blocks at a time.
void NeighbourLister::changeTail() {
  if (walk != 0 || !profile.isShapeKnown || target.multiprocessors == 0 ||
      !schedule.getOrder().empty())
    return;
  change([&](ScheduleKeys &keys) {
    bool hasTail = !keys.tail.empty();
    keys.tail.clear();
    return hasTail;
  });
  WalkRounds rounds;
  rounds.planes = profile.shape.front();
  for (int64_t axis = 1; axis < rank; ++axis)
    rounds.tiles *= llvm::divideCeilSigned(profile.shape[axis],
                                           schedule.getBlock()[axis] *
                                               schedule.getPoints()[axis]);
  rounds.halo = profile.getHalo(0);
  rounds.shortest = std::max(rounds.shortest, 4 * rounds.halo);
  for (int64_t atOnce : {1, 2}) {
    rounds.blocks = atOnce * target.multiprocessors;
    std::optional<WalkTail> tail = findTail(rounds);
    int64_t segments = schedule.getSegments().value_or(1);
    if (!tail || tail->planes >= rounds.countFewest(segments))
      continue;
    ScheduleKeys keys(schedule);
    keys.segments = tail->segments;
    keys.tail = {tail->tiles, tail->cut};
    keys.panel.clear();
    keys.planes.reset();
    add(keys);
  }
}

/// `factor`: by which there are more, or, if it is negative, less.
void NeighbourLister::changeSegments(int64_t factor) {
  change([&](ScheduleKeys &keys) {
    if (keys.planes) {
      keys.planes = factor > 0 ? *keys.planes / factor : *keys.planes * -factor;
      return *keys.planes > 0;
    }
    int64_t segments = keys.segments.value_or(1);
    keys.segments = factor > 0 ? segments * factor : segments / -factor;
    return walk && *keys.segments > 0;
  });
}

void NeighbourLister::changePanel() {
  if (rank != 3 || (walk && *walk != 0))
    return;
  int64_t rows = schedule.getBlock()[1] * schedule.getPoints()[1];
  int64_t tiles = llvm::divideCeil(profile.shape[1], rows);
  int64_t panel = schedule.getPanel().empty() ? 0 : schedule.getPanel()[1];
  auto set = [&](int64_t blocks) {
    change([&](ScheduleKeys &keys) {
      keys.panel.clear();
      // Of a tile without a panel the lowering chooses one.
      if (blocks > 0 || !walk)
        keys.panel = {0, blocks, 0};
      return blocks < tiles;
    });
  };
  if (panel > 0) {
    for (int64_t blocks : {int64_t(0), panel / 2, 2 * panel})
      set(blocks);
    return;
  }
  if (arePlanesWide(profile.shape, profile.getElementBytes()))
    set(countPanelBlocks(kPanelRows, rows));
}

void NeighbourLister::changeLaunchBounds() {
  constexpr int64_t kMost = 4;
  int64_t bounds = schedule.getLaunchBounds();
  for (int64_t blocks : {bounds + 1, bounds - 1, int64_t(0), int64_t(2)})
    change([&](ScheduleKeys &keys) {
      keys.launchBounds = blocks;
      return blocks >= 0 && blocks <= std::max(kMost, bounds);
    });
}

/// What is asked of the second-level cache.
void NeighbourLister::changeRequests() {
  change([&](ScheduleKeys &keys) {
    // `last` is the default.
    bool isLast = keys.eviction.value_or(Eviction::Last) == Eviction::Last;
    keys.eviction = isLast ? Eviction::Normal : Eviction::Last;
    return walk && keys.prefetch == Prefetch::Tma;
  });
  change([&](ScheduleKeys &keys) {
    bool isAsking = keys.prefetch == Prefetch::L2;
    keys.prefetch = isAsking ? Prefetch::None : Prefetch::L2;
    return rank >= 3 && !schedule.needsPipeline() && target.hasL2Prefetch;
  });
}

/// As many planes are on their way as before.
void NeighbourLister::changeAccumulation() {
  if (walk != 0 || schedule.getChain())
    return;
  SharedWindows windows = getSharedWindows(profile, schedule);
  for (Accumulation accumulation : listAccumulations(profile))
    change([&](ScheduleKeys &keys) {
      keys.accumulate = accumulation;
      if (!keys.stages)
        return true;
      keys.stages.reset();
      SharedWindows least =
          getSharedWindows(profile, keys.get(schedule.getContext()));
      keys.stages = least.depth - least.ahead + windows.ahead;
      return *keys.stages <= kMostStages;
    });
}

/// Another block, or other points of a thread; or as large a tile, otherwise
/// divided among threads.
void NeighbourLister::changeTile() {
  SmallVector<int64_t, 4> axes = listAxes();
  // Twice the number, or half of it, or none of these.
  auto scale = [](int64_t &number, int how) {
    bool isEven = number % 2 == 0;
    number = how > 0 ? 2 * number : how < 0 ? number / 2 : number;
    return how >= 0 || isEven;
  };
  for (auto [ofPoints, ofBlock] : {std::pair(1, -1), {0, 1}, {1, 0}})
    for (int64_t axis : axes)
      for (int sign : {1, -1})
        change([&, points = ofPoints, block = ofBlock](ScheduleKeys &keys) {
          return scale(keys.points[axis], sign * points) &&
                 scale(keys.block[axis], sign * block);
        });
  // As many points, of another shape.
  for (int64_t axis : axes)
    for (int64_t other : axes)
      change([&](ScheduleKeys &keys) {
        std::swap(keys.points[axis], keys.points[other]);
        return axis < other;
      });
}

/// Successive blocks follow each other along rows, or along planes.
void NeighbourLister::changeOrder() {
  change([&](ScheduleKeys &keys) {
    bool isPlain = keys.order.empty();
    keys.order.clear();
    if (isPlain)
      keys.order = {0, 2, 1};
    return rank == 3 && !walk && keys.panel.empty();
  });
}

/// Twice or half as many planes in an iteration, which repeats the body.
void NeighbourLister::changeStep() {
  constexpr int64_t kMost = 8;
  if (!walk || schedule.getRelay())
    return;
  int64_t planes = profile.shape[*walk];
  planes = llvm::divideCeil(planes, schedule.countSegments(planes));
  int64_t before = schedule.getStep().value_or(1);
  for (int64_t step : {2 * before, before / 2})
    change([&](ScheduleKeys &keys) {
      keys.step = step > 1 ? std::optional(step) : std::nullopt;
      if (keys.unroll)
        keys.unroll = std::lcm(std::max<int64_t>(step, 1), *keys.unroll);
      bool isMore = step > before;
      return step > 0 && keys.unroll.value_or(1) <= ScheduleAttr::kMostUnroll &&
             (!isMore || (step <= std::min(kMost, planes) &&
                          profile.ops * step <= SpaceBuilder::kMaxRepeatedOps));
    });
}

/// Other legs, those that are about as many first. Whether the stages can be
/// cut so is told by the pipeline that is made of them.
void NeighbourLister::changeRelay() {
  constexpr int64_t kMost = 8;
  if (!walk || schedule.getChain() != Space::Shuffle || schedule.getStep() ||
      !schedule.getGroups().empty())
    return;
  int64_t before = schedule.getRelay().value_or(1);
  for (int64_t distance = 1; distance < std::max(kMost, before); ++distance)
    for (int64_t legs : {before + distance, before - distance})
      change([&](ScheduleKeys &keys) {
        keys.relay = legs > 1 ? std::optional(legs) : std::nullopt;
        return legs > 0 && (legs < before || legs <= kMost);
      });
}

/// Stages of a chain a point further to either side, or none of them moved.
void NeighbourLister::changeSkew() {
  if (!schedule.getChain() || walk == rank - 1)
    return;
  int64_t before = schedule.getSkew().value_or(0);
  for (int64_t skew : {before - 1, before + 1})
    change([&](ScheduleKeys &keys) {
      keys.skew = skew != 0 ? std::optional(skew) : std::nullopt;
      return std::abs(skew) <= ScheduleAttr::kMostSkew;
    });
}

/// Less code, for values that are moved: of one iteration, or of two. What
/// gathers a body's reads from rings carries nothing.
void NeighbourLister::changeUnroll() {
  bool carries = schedule.getAccumulate() != Accumulation::Gather ||
                 schedule.getChain().has_value();
  if (!walk || !carries)
    return;
  int64_t step = schedule.getStep().value_or(1);
  for (int64_t planes : {step, 2 * step, int64_t(0)})
    change([&](ScheduleKeys &keys) {
      keys.unroll = planes > 0 ? std::optional(planes) : std::nullopt;
      return planes <= ScheduleAttr::kMostUnroll;
    });
}

std::vector<ScheduleAttr> NeighbourLister::run() {
  if (schedule.getBlock().empty() || schedule.getPoints().empty())
    return {};
  for (int64_t step : {1, -1})
    changeStages(step);
  for (int64_t factor : {2, -2})
    changeSegments(factor);
  changePanel();
  changeTail();
  changeLaunchBounds();
  changeRequests();
  changeAccumulation();
  changeTile();
  changeOrder();
  changeStep();
  changeRelay();
  changeSkew();
  changeUnroll();
  for (int64_t step : {2, -2})
    changeStages(step);
  for (int64_t factor : {4, -4})
    changeSegments(factor);
  return list.takeVector();
}

std::vector<ScheduleAttr> stencil::listNeighbours(ScheduleAttr schedule,
                                                  const KernelProfile &profile,
                                                  const TargetInfo &target) {
  return NeighbourLister(schedule, profile, target).run();
}
