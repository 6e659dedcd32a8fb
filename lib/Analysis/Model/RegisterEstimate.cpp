//===- RegisterEstimate.cpp - Registers of a thread -----------------------===//
//
// What ptxas is going to take, and what it could not do without: fitted to what
// it took for recorded kernels (docs/cost-model.md).
//
//===----------------------------------------------------------------------===//

#include "SchedulePredictor.h"
#include "llvm/Support/MathExtras.h"

#include <cmath>

using namespace mlir;
using namespace stencil;

static double toWords(int64_t bytes) {
  return toDouble(llvm::divideCeil(bytes, 4));
}

/// Words that the points of a thread read: of all planes, or of one.
double SchedulePredictor::countWords(TileReads::Kind kind) const {
  double words = 0;
  for (auto [number, input] : llvm::enumerate(profile.inputs))
    words += reads.count(number, kind, points, 1).values * toWords(input.bytes);
  return words;
}

/// What all estimates are made of.
SchedulePredictor::Held SchedulePredictor::countHeld() const {
  Held held;
  held.read = countWords(TileReads::Kind::All);
  held.plane = countWords(TileReads::Kind::Plane);
  for (int64_t bytes : profile.outputBytes)
    held.results += toWords(bytes) * getThreadPoints();
  held.live = toDouble(profile.liveRegisters) * getThreadPoints();
  double words = toWords(profile.getElementBytes());
  held.work = words * profile.alone.total();
  int64_t taps = 0;
  for (const ProfiledInput &input : profile.inputs)
    taps += static_cast<int64_t>(input.offsets.size());
  held.slow = std::max(0.0, held.work - words * toDouble(taps));
  return held;
}

/// Registers of a walk whose sums are added plane by plane, or of a compiler
/// that was not measured: those of its windows and of the row that is being
/// computed.
double SchedulePredictor::estimateAddingWalk() const {
  bool isKnown = target.hasMeasuredRegisters;
  constexpr double kOtherBase = 16, kOtherWindows = 1.2, kOtherRow = 2;
  auto inWindows = toDouble(countWindowRegisters(profile, schedule));
  if (isKnown && profile.readsBox())
    return constants.walkBase + constants.boxWindows * inWindows +
           constants.boxPlane * countWords(TileReads::Kind::Plane);
  double row = toDouble(profile.getRadius()) * std::sqrt(getThreadPoints());
  double estimate =
      isKnown ? constants.walkBase + constants.walkWindows * inWindows +
                    constants.walkRow * row
              : kOtherBase + kOtherWindows * inWindows + kOtherRow * row;
  return estimate * (isAdding() ? 1 + constants.scattered : 1);
}

/// Registers of a walk.
double SchedulePredictor::estimateWalk() const {
  double estimate = 0;
  if (isAdding() || !target.hasMeasuredRegisters) {
    estimate = estimateAddingWalk();
  } else if (Held held = countHeld(); accumulation == Accumulation::Gather) {
    estimate = constants.planeBase + constants.planeRead * held.plane +
               constants.planePoint * held.results +
               constants.planeLive * held.live +
               constants.planeSlow * held.slow;
  } else {
    estimate =
        constants.queueBase +
        constants.queueWindows *
            toDouble(countWindowRegisters(profile, schedule)) +
        constants.queueRead * held.plane + constants.queueBeside * held.read +
        constants.queuePoint * held.results + constants.queueLive * held.live +
        constants.queueWork * held.work;
  }
  // Addresses, where strides are known to the run only.
  if (!profile.isShapeKnown && !profile.isNarrow)
    estimate += constants.openExtents * getThreadPoints();
  // Addresses, or the values themselves, of the copies of a thread.
  if (schedule.getPrefetch() == Prefetch::Async)
    estimate *= 1 + constants.asyncCopies;
  else if (schedule.getPrefetch() != Prefetch::Tma)
    estimate *= 1 + constants.registerCopies;
  return estimate;
}

/// Registers of a tile: a part of what it reads is held at once.
double SchedulePredictor::estimateTile() const {
  if (loopsOverTaps(profile, schedule))
    return constants.loopBase + constants.loopPoint * getThreadPoints() *
                                    toWords(profile.getElementBytes());
  Held held = countHeld();
  return constants.tileBase + constants.tileRead * held.read +
         constants.tilePoint * held.results + constants.tileLive * held.live +
         constants.tileSlow * held.slow;
}

/// What ptxas takes beyond what it needs: with bounds of the launch all that
/// they leave is free.
double SchedulePredictor::estimateSpare() const {
  if (schedule.getLaunchBounds() == 0 || !target.hasMeasuredRegisters ||
      isAdding())
    return 0;
  if (!walk)
    return constants.tileBounded * countWords(TileReads::Kind::All);
  return accumulation == Accumulation::Gather ? constants.planeBounded
                                              : constants.queueBounded;
}

void SchedulePredictor::countRegisters() {
  double estimate = walk ? estimateWalk() : estimateTile();
  double unit = 8;
  auto perThread = [&](double blocks) {
    return std::floor(toDouble(target.registersPerMultiprocessor) /
                      (blocks * getThreads()) / unit) *
           unit;
  };
  double limit = std::min(
      toDouble(target.registersPerThread),
      perThread(std::max<double>(1, toDouble(schedule.getLaunchBounds()))));
  result.wantedRegisters = static_cast<int64_t>(estimate);
  result.registerLimit = static_cast<int64_t>(limit);
  result.registers =
      static_cast<int64_t>(std::min(estimate + estimateSpare(), limit));
  double missing = constants.squeezedElsewhere * estimate - limit;
  if (target.hasMeasuredRegisters)
    missing = (walk ? constants.spilledOfWalk : constants.spilledOfTile) *
              (estimate - constants.roomy * limit);
  result.spilledRegisters = static_cast<int64_t>(std::max(0.0, missing));
}

bool stencil::maySpill(const SchedulePrediction &prediction,
                       const TargetInfo &target) {
  const ModelConstants &constants = ModelConstants::getDefault();
  double sure =
      prediction.iterations > 0 ? constants.sureOfWalk : constants.sureOfTile;
  if (!target.hasMeasuredRegisters)
    sure = constants.sureElsewhere;
  return toDouble(prediction.wantedRegisters) >
         sure * toDouble(prediction.registerLimit);
}
