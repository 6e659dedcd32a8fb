//===- FillMultiprocessors.cpp - Blocks for all multiprocessors -----------===//

#include "MeasuredForm.h"
#include "StencilDialect/Analysis/KernelNumbers.h"
#include "StencilDialect/Analysis/ScheduleModel.h"
#include "StencilDialect/Analysis/WalkTails.h"
#include "StencilDialect/Tile/Tile.h"
#include "WorthwhileSchedules.h"

#include <cmath>

using namespace mlir;
using namespace stencil;

namespace {

/// One schedule, step by step.
class Filler {
public:
  Filler(ApplyOp apply, const KernelProfile &profile, ScheduleAttr schedule,
         const TargetInfo &target)
      : apply(apply), profile(profile), target(target), model(profile, target),
        keys(schedule) {}

  void boundBlocks();
  void spreadPoints();
  void limitCode();
  void balanceSegments();
  void cutTail();
  void shrinkBlocks();
  ScheduleAttr get() const { return keys.get(apply.getContext()); }

private:
  SchedulePrediction predict() const {
    return model.predict(completeSchedule(apply, profile, get(), target));
  }
  /// Blocks of a multiprocessor at once. Those that were asked for are sure;
  /// that there is room for more is a guess.
  int64_t countAtOnce(const SchedulePrediction &prediction) const {
    return keys.launchBounds > 1
               ? std::min(keys.launchBounds, prediction.blocksPerMultiprocessor)
               : prediction.blocksPerMultiprocessor;
  }
  double rateSegments() const;
  KernelNumbers getTailNumbers() const;
  void addStages(int64_t blocks);

  mutable ApplyOp apply;
  const KernelProfile &profile;
  const TargetInfo &target;
  ScheduleModel model;
  ScheduleKeys keys;
};

} // namespace

/// No more blocks at once are wished for than shared memory has room for: that
/// would only take registers from those that are there. Nor more than registers
/// are enough for.
void Filler::boundBlocks() {
  if (keys.launchBounds <= 1)
    return;
  int64_t most = predict().blocksPerMultiprocessor;
  if (most < keys.launchBounds) {
    keys.launchBounds = most;
    addStages(most);
  }
  // Of open extents, as of known ones: what addresses take beside is given up
  // more easily than the estimate has it, and what spills all the same is
  // declined.
  KernelProfile known = profile;
  known.isShapeKnown = true;
  ScheduleModel closed(known, target);
  while (keys.launchBounds > 1 &&
         maySpill(closed.predict(completeSchedule(apply, known, get(), target)),
                  target))
    --keys.launchBounds;
}

/// What shared memory has room for beside so many blocks is for more planes,
/// which are asked for earlier.
void Filler::addStages(int64_t blocks) {
  constexpr int64_t kMoreStages = 5;
  for (int64_t more = 0; more < kMoreStages && keys.stages; ++more) {
    ++*keys.stages;
    SchedulePrediction with = predict();
    if (with.sharedBytes <= static_cast<int64_t>(target.sharedPerBlock) &&
        with.blocksPerMultiprocessor >= blocks)
      continue;
    --*keys.stages;
    return;
  }
}

/// What a multiprocessor keeps of the code of a walk. Of Volta (Jia et al.,
/// Dissecting the NVIDIA Volta GPU architecture via microbenchmarking, 2018);
/// on an H200 walks of 96 and 114 KiB were fast, and those of 133 KiB and more
/// were not (docs/cost-model.md).
static constexpr double kCodeKept = 128 << 10;

/// Twice the threads with half the points of the row, where the code of a walk
/// in a volume is more than a multiprocessor keeps, and has to be fetched again
/// for every plane: measured 1.55 to 2.8 times as fast; where it is less, 0.78
/// times.
void Filler::spreadPoints() {
  constexpr int64_t kThreads = 256;
  if (keys.stream != 0 || profile.rank != 3 || keys.block.size() != 3 ||
      keys.points.size() != 3 || keys.points[2] != 2 ||
      (!profile.isShapeKnown && !profile.isNarrow) ||
      llvm::product_of(ArrayRef<int64_t>(keys.block)) > kThreads ||
      predict().codeBytes <= kCodeKept)
    return;
  keys.block[2] *= 2;
  keys.points[2] = 1;
}

/// Fewer planes in the loop of a walk whose code is more than a multiprocessor
/// keeps, and values that are moved instead of named anew: of stars of radius 6
/// and 8 in FP64 1.12 to 1.19 times as fast as with half the points, where
/// tiles reach beyond the box, of radius 8 in FP32 1.36 times as fast as with
/// all planes, where they do not. Where the code is less, up to 17 % slower.
void Filler::limitCode() {
  // Beside the loop there are others, and the moves.
  constexpr double kRoomy = 0.75;
  if (keys.stream != 0 || profile.rank != 3 || keys.unroll ||
      keys.accumulate != Accumulation::Shift || !profile.isShapeKnown ||
      predict().codeBytes <= kCodeKept)
    return;
  int64_t all = 2 * profile.getHalo(0) + 1;
  for (int64_t parts = 2;
       parts < all && predict().codeBytes > kRoomy * kCodeKept; ++parts)
    keys.unroll = llvm::divideCeil(all, parts);
}

/// How much of the time all multiprocessors have as much to do, less what
/// segments read twice.
double Filler::rateSegments() const {
  SchedulePrediction prediction = predict();
  auto multiprocessors = static_cast<double>(target.multiprocessors);
  double each = static_cast<double>(prediction.blocks) / multiprocessors;
  auto atOnce = static_cast<double>(countAtOnce(prediction));
  // Of few blocks, some multiprocessors have one more than others.
  double waves = each > atOnce ? each / atOnce : each;
  double length = static_cast<double>(profile.shape[*keys.stream]) /
                  static_cast<double>(*keys.segments);
  auto twice = static_cast<double>(2 * profile.getHalo(*keys.stream));
  return waves / std::ceil(waves) / (1 + twice / length);
}

/// More segments, where the last wave of blocks is short. Fewer would not read
/// much less: planes that two segments read are in the second-level cache. Of a
/// plane, half as many where that is better than all of these: a star of radius
/// 6 in 5000 x 7000 points measured 220 to 231 GStencil/s with 19 or 20
/// segments, 210 with 39 and 206 with 78.
void Filler::balanceSegments() {
  // What the launch asks for where extents are open.
  constexpr double kWorthwhile = tile::CutAttr::kWorthwhile / 100.0;
  // Where extents are open, the launch does so.
  if (!keys.stream || !keys.segments || !profile.isShapeKnown)
    return;
  int64_t given = *keys.segments, best = given;
  double rate = kWorthwhile * rateSegments();
  auto consider = [&](int64_t segments) {
    keys.segments = segments;
    if (profile.shape[*keys.stream] / segments <
        4 * std::max<int64_t>(1, profile.getHalo(*keys.stream)))
      return;
    if (double other = rateSegments(); other > rate) {
      rate = other;
      best = segments;
    }
  };
  for (int64_t times : {2, 3, 4, 5, 6, 8})
    consider(times * given);
  if (profile.rank == 2 && given > 1) {
    if (best != given)
      rate *= kWorthwhile;
    consider(given / 2);
  }
  keys.segments = best;
}

/// What was measured of such walks with a tail.
KernelNumbers Filler::getTailNumbers() const {
  FormFacts facts = getFacts(profile, "tail");
  facts.rank = profile.rank;
  // Nor were any of fewer axes beside it.
  facts.inputs = profile.inputs.size();
  bool isSpread = keys.accumulate == Accumulation::Scatter ||
                  keys.accumulate == Accumulation::Semi;
  facts.span = isSpread ? 1 : 0;
  return {facts, target};
}

/// Where a multiprocessor has one block at a time: as many tiles as fill all of
/// them some times over in long segments, and those that are left in short
/// ones. Else the last wave has few blocks, or all tiles have short segments,
/// whose ends are read twice. There are no panels then: tiles beside each other
/// are walked at the same time.
void Filler::cutTail() {
  bool isOpen = keys.planes.has_value();
  bool isKnown = profile.isShapeKnown && keys.segments;
  if (!keys.stream || (!isOpen && !isKnown) || !keys.order.empty() ||
      !keys.tail.empty())
    return;
  KernelNumbers numbers = getTailNumbers();
  std::optional<double> fewerRounds = numbers.find("fewer_rounds");
  SchedulePrediction prediction = predict();
  int64_t blocks = target.multiprocessors;
  if (!fewerRounds || blocks == 0 || countAtOnce(prediction) != 1)
    return;
  // Of open extents, the launch counts.
  if (isOpen) {
    if (isZero(keys.panel))
      keys.tail = {numbers.getCount("most_cut")};
    return;
  }
  WalkRounds rounds;
  rounds.planes = profile.shape[*keys.stream];
  rounds.tiles = prediction.blocks / *keys.segments;
  rounds.halo = profile.getHalo(*keys.stream);
  rounds.blocks = blocks;
  rounds.shortest = std::max(numbers.getCount("shortest"), 4 * rounds.halo);
  rounds.mostSegments = numbers.getCount("most_segments");
  rounds.mostCut = numbers.getCount("most_cut");
  std::optional<WalkTail> tail = findTail(rounds);
  if (!tail || *fewerRounds * static_cast<double>(tail->planes) >=
                   static_cast<double>(rounds.countFewest(*keys.segments)))
    return;
  keys.segments = tail->segments;
  keys.tail = {tail->tiles, tail->cut};
  keys.panel.clear();
}

/// Of a tile in registers, blocks of half as many threads where more warps fit
/// then: blocks of 256 threads with 168 registers each leave a third of the
/// registers to nobody.
void Filler::shrinkBlocks() {
  constexpr int64_t kFewest = 64;
  constexpr double kMore = 1.25;
  if (keys.stream || profile.rank != 2 || keys.block.size() != 2 ||
      llvm::is_contained(keys.window, Space::Shared))
    return;
  auto countThreads = [&] {
    return predict().blocksPerMultiprocessor *
           llvm::product_of(ArrayRef<int64_t>(keys.block));
  };
  while (keys.block[0] > 1 && keys.block[0] * keys.block[1] >= 2 * kFewest) {
    auto before = static_cast<double>(countThreads());
    keys.block[0] /= 2;
    if (static_cast<double>(countThreads()) >= kMore * before)
      continue;
    keys.block[0] *= 2;
    return;
  }
}

ScheduleAttr stencil::fillMultiprocessors(ApplyOp apply,
                                          const KernelProfile &profile,
                                          ScheduleAttr schedule,
                                          const TargetInfo &target) {
  if (!target.hasMeasuredBlocks)
    return schedule;
  Filler filler(apply, profile, schedule, target);
  filler.boundBlocks();
  filler.limitCode();
  filler.spreadPoints();
  filler.balanceSegments();
  filler.shrinkBlocks();
  return filler.get();
}

ScheduleAttr stencil::cutTail(ApplyOp apply, const KernelProfile &profile,
                              ScheduleAttr schedule, const TargetInfo &target) {
  if (!target.hasMeasuredBlocks)
    return schedule;
  Filler filler(apply, profile, schedule, target);
  filler.cutTail();
  return filler.get();
}
