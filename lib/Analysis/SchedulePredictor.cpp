//===- SchedulePredictor.cpp - The terms of a prediction ------------------===//
//
// The equations, and where their constants are from: docs/cost-model.md.
//
//===----------------------------------------------------------------------===//

#include "SchedulePredictor.h"
#include "llvm/Support/MathExtras.h"

#include <cmath>

using namespace mlir;
using namespace stencil;

//===----------------------------------------------------------------------===//
// Constants
//===----------------------------------------------------------------------===//

namespace {
/// Seconds that a thread waits for what is read for the first time, and for
/// what another block has read, in a kernel without a walk.
constexpr double kFirstLatency = 155e-9, kAgainLatency = 1090e-9;
/// Seconds that a launch takes at least; what it takes longer, if the kernel is
/// long, until all multiprocessors are busy and until all are done, and the
/// time at which that is half as much.
constexpr double kLaunch = 2e-6, kRamp = 10e-6, kHalfRamp = 15e-6;
/// The part of what is read again that L2 has to deliver: the rest is in the
/// first-level cache, or in the half of L2 that is near.
constexpr double kAgainFromL2 = 0.52;
/// The share of their peak rate that the first-level cache and shared memory
/// reach.
constexpr double kL1Share = 0.92;
/// What takes nearly as long as the longest gets in the way: the norm of the
/// times. With an infinite one the longest would be all.
constexpr double kNorm = 4;
/// Seconds of an iteration of a walk, from barrier to barrier, if two planes
/// are on their way.
constexpr double kIteration = 380e-9;
/// How much longer it takes with copies by cp.async, and with copies through
/// registers.
constexpr double kAsyncIteration = 1.5, kCopiedIteration = 2;
/// How much longer a walk takes that has to wait, in each iteration, for inputs
/// that are in no window.
constexpr double kLateInputs = 1.25;
/// How much longer a walk takes whose multiprocessors have one block of at most
/// so many threads each: nothing runs while it waits at a barrier.
constexpr double kAlone = 1.1, kAloneThreads = 256;
/// Without windows, what blocks gain that ask ahead for the next one's memory
/// (prefetch = l2) if a multiprocessor has few warps, and lose with many: a
/// substep of MHD took 0.94 of the time, stars of 7 and 13 points 1.08
/// and 1.01.
constexpr double kAskedAhead = 0.94, kAskedInVain = 1.05, kFewWarps = 16;
/// The part of its time that a walk takes whose planes, which come with TMA,
/// leave the second-level cache last: they are read again by the blocks beside.
constexpr double kKeptLines = 0.97;
/// What blocks of a walk lose because they do not stay together: with the
/// planes of a segment, in 64; less with more waves, and with wider halos,
/// where other things take longer.
constexpr double kDrift = 0.48, kDriftPlanes = 0.73, kDriftWaves = 0.31,
                 kDriftHalo = 1.9;
} // namespace

//===----------------------------------------------------------------------===//
// Geometry
//===----------------------------------------------------------------------===//

SchedulePredictor::SchedulePredictor(const KernelProfile &profile,
                                     const TargetInfo &target,
                                     const TileReads &reads,
                                     ScheduleAttr schedule)
    : profile(profile), target(target), reads(reads), schedule(schedule),
      rank(profile.rank), walk(schedule.getStream()),
      accumulation(schedule.getAccumulate().value_or(Accumulation::Gather)),
      block(schedule.getBlock()), points(schedule.getPoints()),
      windows(getSharedWindows(profile, schedule)) {}

double SchedulePredictor::getThreadPoints() const {
  return toDouble(llvm::product_of(points));
}

double SchedulePredictor::getThreads() const {
  return toDouble(llvm::product_of(block));
}

void SchedulePredictor::countBlocks() {
  result.blocks = 1;
  double perBlock = 1;
  for (int64_t axis = 0; axis < rank; ++axis) {
    tile.push_back(block[axis] * points[axis]);
    if (walk == axis) {
      segments = schedule.countSegments(profile.shape[axis]);
      tiles.push_back(segments);
      planes = toDouble(llvm::divideCeil(profile.shape[axis], segments));
      perBlock *= planes;
    } else {
      tiles.push_back(llvm::divideCeil(profile.shape[axis], tile[axis]));
      perBlock *= toDouble(tile[axis]);
    }
    result.blocks *= tiles.back();
  }
  computedPoints = perBlock * toDouble(result.blocks);
  if (walk)
    for (const ProfiledInput &input : profile.inputs)
      halo = std::max(halo, toDouble(input.upper[*walk] - input.lower[*walk]));
}

//===----------------------------------------------------------------------===//
// Times
//===----------------------------------------------------------------------===//

/// Seconds of a walk if its iterations waited for nothing but each other.
double SchedulePredictor::getWalkTime() {
  double iteration = kIteration;
  switch (schedule.getPrefetch().value_or(Prefetch::None)) {
  case Prefetch::Tma:
    break;
  case Prefetch::Async:
    iteration *= kAsyncIteration;
    break;
  case Prefetch::None:
  case Prefetch::Registers:
  case Prefetch::L2:
    iteration *= kCopiedIteration;
    break;
  }
  // One plane ahead is late, more than two are a little earlier.
  constexpr double kOwn = 0.85, kWaited = 0.3;
  iteration *= kOwn + kWaited / std::max<double>(1, toDouble(windows.ahead));
  result.iterations = planes + halo;
  result.bytesOnTheirWay = toDouble(windows.planeBytes * windows.ahead) *
                           toDouble(result.blocksPerMultiprocessor) *
                           toDouble(target.multiprocessors);
  double perMultiprocessor =
      toDouble(result.blocks) / toDouble(target.multiprocessors);
  double atOnce = std::clamp(perMultiprocessor, 1.0,
                             toDouble(result.blocksPerMultiprocessor));
  return iteration * result.iterations * perMultiprocessor / atOnce;
}

/// Seconds if there are no more bytes on their way than the threads ask for
/// (Little's law).
double SchedulePredictor::getLatency() {
  // Of a thread: six vectors of 16 bytes.
  constexpr double kMaxInFlight = 96;
  double vectors = 0, wavefronts = 0;
  countTileVectors(vectors, wavefronts);
  double bytes =
      std::min<double>(toDouble(target.vectorBytes),
                       toDouble(points.back() * profile.getElementBytes()));
  double perBlock = getThreads() * std::min(vectors * bytes, kMaxInFlight);
  result.bytesOnTheirWay = std::max(1.0, perBlock) *
                           toDouble(result.blocksPerMultiprocessor) *
                           toDouble(target.multiprocessors);
  return (result.memoryBytes * kFirstLatency +
          (result.l2Bytes - result.compulsoryBytes) * kAgainLatency) /
         result.bytesOnTheirWay;
}

/// How much longer it takes because the last wave is not full, or, of a walk,
/// because its blocks drift apart.
double SchedulePredictor::getTail() const {
  double waves = std::max(1.0, result.waves);
  if (!walk)
    return std::ceil(waves) / waves;
  constexpr double kPlanes = 64;
  // Cubes of more than one plane's reach do not if a multiprocessor has one
  // block: segments of 128 to 512 planes were measured.
  if (profile.readsBox() && profile.getRadius() > 1 && isAdding() &&
      schedule.getPrefetch() == Prefetch::Tma && planes > kPlanes &&
      result.blocksPerMultiprocessor == 1)
    return 1;
  // A row is less than a plane.
  double length = planes / (rank == 2 ? 8 : 1);
  return 1 + kDrift * std::pow(length / kPlanes, kDriftPlanes) /
                 (std::pow(waves, kDriftWaves) *
                  std::pow(std::max(1.0, halo), kDriftHalo));
}

/// How much longer a walk with TMA takes because too few planes are on their
/// way, or so many that blocks drift apart: the farther, the longer they walk.
double SchedulePredictor::getDepthFactor() const {
  constexpr double kOneAhead = 1.22, kTwoAheadAlone = 1.07;
  constexpr double kThreeAhead = 0.17, kMoreAhead = 0.22, kMorePlanes = 0.7;
  constexpr double kShort = 16, kLong = 256, kNarrow = 4;
  if (rank < 3 || windows.ahead < 1)
    return 1;
  if (windows.ahead == 1)
    return kOneAhead;
  // One block reads as far ahead as it likes.
  if (result.blocksPerMultiprocessor == 1)
    return windows.ahead == 2 && halo <= kNarrow ? kTwoAheadAlone : 1;
  if (windows.ahead == 2)
    return 1;
  double length = std::clamp((planes - kShort) / (kLong - kShort), 0.0, 1.0);
  return windows.ahead == 3 ? 1 + kThreeAhead * length
                            : 1 + kMoreAhead * std::pow(length, kMorePlanes);
}

/// True if what a walk reads of an input is loaded when it is needed.
bool SchedulePredictor::hasLateInputs() const {
  for (auto [number, input] : llvm::enumerate(profile.inputs))
    if (input.isRead() && schedule.getWindowOf(number) == Space::Cache)
      return true;
  return false;
}

void SchedulePredictor::addTimes() {
  double copy = target.getCopyBandwidth();
  double multiprocessors = toDouble(target.multiprocessors);
  // With less blocks than multiprocessors, the others have nothing to do.
  double busy = std::min(1.0, toDouble(result.blocks) / multiprocessors);
  double cycles = target.clock * multiprocessors * busy;
  auto divide = [](double amount, double rate) {
    return rate > 0 ? amount / rate : 0;
  };
  result.memorySeconds = divide(result.memoryBytes, copy);
  double again = std::max(0.0, result.l2Bytes - result.compulsoryBytes);
  result.l2Seconds =
      divide(result.compulsoryBytes + kAgainFromL2 * again, target.l2Bandwidth);
  result.l1Seconds =
      divide(result.wavefronts * kWavefrontBytes,
             kL1Share * cycles * toDouble(target.l1BytesPerCycle));
  result.issueSeconds =
      divide(result.instructions, cycles * toDouble(target.issuedWarps));
  // Peaks are two operations per instruction and lane.
  double lanes = 2 * toDouble(target.warpSize);
  result.fp64Seconds =
      divide(result.fp64Instructions * lanes, target.fp64 * busy);
  result.fp32Seconds =
      divide(result.fp32Instructions * lanes, target.fp32 * busy);
  result.latencySeconds = walk ? getWalkTime() : getLatency();
  std::pair<double, StringRef> terms[] = {
      {result.memorySeconds, "memory"},
      {result.l2Seconds, "L2"},
      {result.l1Seconds, windows.bytes > 0 ? "shared" : "L1"},
      {result.issueSeconds, "issue"},
      {result.fp64Seconds, "FP64"},
      {result.fp32Seconds, "FP32"},
      {result.latencySeconds, "latency"}};
  double longest = 0, sum = 0;
  for (auto [seconds, name] : terms)
    if (seconds > longest) {
      longest = seconds;
      result.limiter = name;
    }
  for (auto [seconds, name] : terms)
    sum += longest > 0 ? std::pow(seconds / longest, kNorm) : 0;
  result.tail = getTail();
  double sweep = longest * std::pow(sum, 1 / kNorm) * result.tail;
  if (walk && hasLateInputs())
    sweep *= kLateInputs;
  if (schedule.getPrefetch() == Prefetch::Tma && walk) {
    sweep *= getDepthFactor();
    if (result.blocksPerMultiprocessor == 1 && getThreads() <= kAloneThreads)
      sweep *= kAlone;
    // `last` is the default.
    if (schedule.getEviction() != Eviction::Normal) {
      result.evictionSeconds = (1 - kKeptLines) * sweep;
      sweep *= kKeptLines;
    }
  }
  if (schedule.getPrefetch() == Prefetch::L2) {
    double warps = getThreads() / toDouble(target.warpSize) *
                   toDouble(result.blocksPerMultiprocessor);
    sweep *= warps <= kFewWarps ? kAskedAhead : kAskedInVain;
  }
  result.launchSeconds = kLaunch + kRamp * sweep / (sweep + kHalfRamp);
  result.seconds = sweep + result.launchSeconds;
  if (kLaunch > sweep)
    result.limiter = "launch";
  result.gstencilPerSecond = profile.countPoints() / result.seconds / 1e9;
  result.shareOfCopy = divide(result.compulsoryBytes, copy) / result.seconds;
}

SchedulePrediction SchedulePredictor::run() {
  countBlocks();
  countRegisters();
  findOccupancy();
  countTraffic();
  countInstructions();
  addTimes();
  return result;
}
