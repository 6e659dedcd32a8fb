//===- SchedulePredictor.cpp - The terms of a prediction ------------------===//
//
// The equations, and where their constants are from: docs/cost-model.md.
//
//===----------------------------------------------------------------------===//

#include "SchedulePredictor.h"
#include "StencilDialect/Analysis/PipelineSize.h"
#include "llvm/Support/MathExtras.h"

#include <cmath>

using namespace mlir;
using namespace stencil;

static double toDouble(int64_t number) { return static_cast<double>(number); }

//===----------------------------------------------------------------------===//
// Constants
//===----------------------------------------------------------------------===//

namespace {
/// Bytes that caches transfer at least.
constexpr int64_t kSectorBytes = 32;
/// Bytes of a wavefront of the first-level cache and of shared memory.
constexpr double kWavefrontBytes = 128;
/// Seconds that a thread waits for what is read for the first time, and for
/// what another block has read, in a kernel without a walk.
constexpr double kFirstLatency = 155e-9, kAgainLatency = 1090e-9;
/// Seconds that a launch takes at least; what it takes longer, if the kernel is
/// long, until all multiprocessors are busy and until all are done, and the
/// time at which that is half as much.
constexpr double kLaunch = 2e-6, kRamp = 10e-6, kHalfRamp = 15e-6;
/// The speed of a copy as a share of the peak, where it was not measured.
constexpr double kCopyShare = 0.85;
/// The part of what is read again that L2 has to deliver: the rest is in the
/// first-level cache, or in the half of L2 that is near.
constexpr double kAgainFromL2 = 0.52;
/// The share of their peak rate that the first-level cache and shared memory
/// reach.
constexpr double kL1Share = 0.92;
/// What takes nearly as long as the longest gets in the way: the norm of the
/// times. With an infinite one the longest would be all.
constexpr double kNorm = 4;
/// The part of L2 in which what is read again is found again. Beyond it ever
/// less is; from twice as much on nothing.
constexpr double kL2Kept = 0.9;
/// Seconds of an iteration of a walk, from barrier to barrier, if two planes
/// are on their way.
constexpr double kIteration = 380e-9;
/// How much longer it takes with copies by cp.async, and with copies through
/// registers.
constexpr double kAsyncIteration = 1.5, kCopiedIteration = 2;
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
      segments = schedule.getSegments().value_or(1);
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
// Registers and occupancy
//===----------------------------------------------------------------------===//

/// Registers of a walk: those of its windows, of what is on its way to them
/// through registers, and of the row that is being computed.
double SchedulePredictor::estimateWalk() const {
  constexpr double kBase = 14, kWindows = 1.15, kRow = 2;
  constexpr double kAsync = 0.25, kThroughRegisters = 0.45;
  double estimate =
      kBase + kWindows * toDouble(countWindowRegisters(profile, schedule)) +
      kRow * toDouble(profile.getRadius()) * std::sqrt(getThreadPoints());
  // Addresses, or the values themselves, of the copies of a thread.
  switch (schedule.getPrefetch().value_or(Prefetch::None)) {
  case Prefetch::Tma:
    break;
  case Prefetch::Async:
    estimate *= 1 + kAsync;
    break;
  case Prefetch::Registers:
  case Prefetch::None:
    estimate *= 1 + kThroughRegisters;
    break;
  }
  return estimate;
}

/// Registers of a tile: a part of what it reads is held at once.
double SchedulePredictor::estimateTile() const {
  constexpr double kBase = 12, kHeld = 0.4, kHeldOfBox = 0.8, kLeast = 22;
  double held = rank >= 3 && profile.readsBox() ? kHeldOfBox : kHeld;
  double words = 0;
  for (unsigned input = 0; input < profile.inputs.size(); ++input)
    words += reads.count(input, TileReads::Kind::All, points, 1).values *
             toDouble(llvm::divideCeil(profile.inputs[input].bytes, 4));
  return std::max(kLeast, kBase + held * words);
}

/// What ptxas took for the kernels of docs/benchmarks.md, roughly.
void SchedulePredictor::countRegisters() {
  // A body that holds much is put in another order, which holds less.
  constexpr double kOrdered = 0.6, kWhole = 30;
  double held =
      kWhole + kOrdered * toDouble(profile.liveRegisters) * getThreadPoints();
  double estimate = walk ? estimateWalk() : estimateTile();
  // Loads wait for their use where they are too many.
  if (estimate > toDouble(target.registersPerThread))
    estimate = std::min(estimate, held);
  double unit = 8;
  auto perThread = [&](double blocks) {
    return std::floor(toDouble(target.registersPerMultiprocessor) /
                      (blocks * getThreads()) / unit) *
           unit;
  };
  double limit = std::min(
      toDouble(target.registersPerThread),
      perThread(std::max<double>(1, toDouble(schedule.getLaunchBounds()))));
  result.registers = static_cast<int64_t>(std::min(estimate, limit));
  // A third less than it would like to have costs ptxas nothing.
  constexpr double kSqueezed = 0.67;
  result.spilledRegisters =
      static_cast<int64_t>(std::max(0.0, kSqueezed * estimate - limit));
}

void SchedulePredictor::findOccupancy() {
  constexpr int64_t kReserved = 1024, kRegisterUnit = 8;
  auto threads = static_cast<int64_t>(getThreads());
  int64_t warps = llvm::divideCeil(threads, target.warpSize);
  int64_t blocks = std::min<int64_t>(target.blocksPerMultiprocessor,
                                     target.threadsPerMultiprocessor /
                                         (warps * target.warpSize));
  int64_t registers =
      llvm::alignTo(std::max<int64_t>(16, result.registers), kRegisterUnit) *
      warps * target.warpSize;
  blocks =
      std::min<int64_t>(blocks, target.registersPerMultiprocessor / registers);
  result.sharedBytes = windows.bytes;
  if (windows.bytes)
    blocks = std::min<int64_t>(
        blocks, static_cast<int64_t>(target.sharedPerMultiprocessor) /
                    (windows.bytes + kReserved));
  result.blocksPerMultiprocessor = std::max<int64_t>(1, blocks);
  blocksAtOnce = toDouble(result.blocksPerMultiprocessor) *
                 toDouble(target.multiprocessors);
  result.waves = toDouble(result.blocks) / blocksAtOnce;
}

//===----------------------------------------------------------------------===//
// Bytes
//===----------------------------------------------------------------------===//

static double roundToSectors(double bytes) {
  return std::ceil(bytes / kSectorBytes) * kSectorBytes;
}

/// Bytes that a block gets from L2 for an input: of a walk, for one plane.
double SchedulePredictor::countTileBytes(const ProfiledInput &input) const {
  double inside = 1, star = 0, box = 1;
  int64_t last = rank - 1;
  for (int64_t axis = 0; axis < rank; ++axis) {
    if (walk == axis || input.offsets.front()[axis] == kNoAxis)
      continue;
    double length = toDouble(std::min(tile[axis], profile.shape[axis]));
    double before = toDouble(-input.lower[axis]),
           after = toDouble(input.upper[axis]);
    if (axis == last) {
      // Rows begin at sectors.
      auto bytes = toDouble(input.bytes);
      length = roundToSectors(length * bytes) / bytes;
      before = roundToSectors(std::max(0.0, before) * bytes) / bytes;
      after = roundToSectors(std::max(0.0, after) * bytes) / bytes;
    }
    double around = std::max(0.0, before + after);
    star = star * length + inside * around;
    inside *= length;
    box *= length + around;
  }
  bool isBox = input.readsBox() || (walk && windows.bytes > 0);
  return (isBox ? box : inside + star) * toDouble(input.bytes);
}

/// The part of what a block reads beside its own points that comes from memory
/// again, as a share of the input.
double SchedulePredictor::countAgain(const ProfiledInput &input) const {
  if (target.l2Bytes == 0 || rank < 2)
    return 0;
  double perPoint = profile.bytesRead + profile.bytesWritten;
  double kept = kL2Kept * static_cast<double>(target.l2Bytes);
  auto miss = [&](double bytes) {
    return std::clamp(bytes / kept - 1, 0.0, 1.0);
  };
  double rowBytes = toDouble(profile.shape[rank - 1]) * perPoint;
  ArrayRef<int64_t> panel = schedule.getPanel();
  double again = 0;
  auto around = [&](int64_t axis) {
    return toDouble(std::max<int64_t>(0, input.upper[axis]) -
                    std::min<int64_t>(0, input.lower[axis]));
  };
  int64_t outer = rank >= 3 ? rank - 3 : 0;
  double plane = rowBytes;
  if (rank >= 3) {
    double rows = toDouble(profile.shape[rank - 2]);
    if (!panel.empty() && panel[rank - 2] > 0) {
      double inPanel = toDouble(panel[rank - 2] * tile[rank - 2]);
      if (inPanel < rows) {
        // Between panels everything has left the cache.
        again += around(rank - 2) / inPanel;
        rows = inPanel;
      }
    }
    plane *= rows;
  }
  if (!walk) {
    double depth = toDouble(tile[outer]);
    if (around(outer) > 0)
      again += around(outer) / depth * miss(plane * (depth + around(outer)));
    return again;
  }
  // The next segment begins when this one has been walked.
  double tilesPerPlane =
      std::max(1.0, plane / rowBytes / toDouble(rank >= 3 ? tile[1] : 1)) *
      toDouble(tiles[rank - 1]);
  if (rank == 2)
    tilesPerPlane = toDouble(tiles[1]);
  double atOnce = std::max(1.0, blocksAtOnce / tilesPerPlane);
  if (segments > 1)
    again += around(*walk) / planes * miss(plane * planes * atOnce);
  // Of the tiles of a plane, some are walked after others.
  if (rank >= 3 && blocksAtOnce < tilesPerPlane) {
    double band = blocksAtOnce / toDouble(tiles[rank - 1]) * toDouble(tile[1]);
    again += around(1) / std::max(band, toDouble(tile[1])) *
             miss(plane * planes * blocksAtOnce / tilesPerPlane);
  }
  return again;
}

void SchedulePredictor::countTraffic() {
  double numPoints = profile.countPoints();
  result.compulsoryBytes =
      numPoints * (profile.bytesRead + profile.bytesWritten);
  result.memoryBytes = result.compulsoryBytes;
  double written = computedPoints * 0 + numPoints * profile.bytesWritten;
  result.l2Bytes = written;
  // Planes that a block reads: those before its first and after its last.
  double perBlock = walk ? planes + halo : 1;
  llvm::SmallDenseSet<Value> counted;
  for (const ProfiledInput &input : profile.inputs) {
    if (!input.isRead())
      continue;
    result.l2Bytes +=
        countTileBytes(input) * perBlock * toDouble(result.blocks);
    if (counted.insert(input.operand).second)
      result.memoryBytes +=
          numPoints * toDouble(input.bytes) * countAgain(input);
  }
  result.l2Bytes = std::max(result.l2Bytes, result.compulsoryBytes);
  // Registers that do not fit are stored and loaded, some of them more than
  // once, through the caches.
  double spilled = toDouble(result.spilledRegisters) * 8 * 2 *
                   (computedPoints / getThreadPoints());
  result.l2Bytes += spilled / 2;
}

//===----------------------------------------------------------------------===//
// Instructions
//===----------------------------------------------------------------------===//

/// Partial sums are shared between the points of a thread along the axis that
/// they are computed for; with sums that are added plane by plane between all.
PointWork SchedulePredictor::getWork() const {
  double share = isAdding() ? 0 : 1 / getThreadPoints();
  auto mix = [&](double alone, double shared) {
    return shared + share * std::max(0.0, alone - shared);
  };
  PointWork work;
  work.fp64 = mix(profile.alone.fp64, profile.shared.fp64);
  work.fp32 = mix(profile.alone.fp32, profile.shared.fp32);
  work.other = mix(profile.alone.other, profile.shared.other);
  return work;
}

/// Vectors that a thread loads for its points, and the wavefronts of a warp.
void SchedulePredictor::countTileVectors(double &vectors,
                                         double &wavefronts) const {
  for (auto [number, input] : llvm::enumerate(profile.inputs)) {
    if (!input.isRead())
      continue;
    int64_t length = std::max<int64_t>(
        1, std::min<int64_t>(points.back() & -points.back(),
                             target.vectorBytes / input.bytes));
    bool isWindow = schedule.getWindowOf(number) == Window::Shared;
    bool isPlane = isWindow && walk && isAdding();
    bool isBeside = isWindow && walk && accumulation == Accumulation::Shift &&
                    input.column.count > 1;
    auto kind = isPlane    ? TileReads::Kind::Plane
                : isBeside ? TileReads::Kind::Beside
                           : TileReads::Kind::All;
    TileReads::Count count = reads.count(number, kind, points, length);
    double loads = count.vectors;
    // The queue gets its newest plane.
    if (isBeside)
      loads += getThreadPoints() / toDouble(length);
    vectors += loads;
    double bytes = toDouble(target.warpSize * length * input.bytes);
    wavefronts += loads * std::max(1.0, bytes / kWavefrontBytes);
  }
}

void SchedulePredictor::countInstructions() {
  double threads = computedPoints / getThreadPoints();
  double warps = threads / toDouble(target.warpSize);
  PointWork work = getWork();
  double vectors = 0, wavefronts = 0;
  countTileVectors(vectors, wavefronts);
  // Stores.
  for (int64_t bytes : profile.outputBytes) {
    double length = toDouble(std::min<int64_t>(
        points.back(), std::max<int64_t>(1, target.vectorBytes / bytes)));
    double stores = getThreadPoints() / length;
    vectors += stores;
    wavefronts += stores * std::max(1.0, toDouble(target.warpSize) * length *
                                             toDouble(bytes) / kWavefrontBytes);
  }
  result.wavefronts = wavefronts * warps;
  // Planes that come to shared memory.
  if (windows.planeBytes > 0)
    result.wavefronts += toDouble(windows.planeBytes) / kWavefrontBytes *
                         (walk ? planes + halo : 1) * toDouble(result.blocks);
  result.fp64Instructions = work.fp64 * getThreadPoints() * warps;
  result.fp32Instructions = work.fp32 * getThreadPoints() * warps;
  constexpr double kAddressing = 0.5, kPerThread = 12;
  result.instructions =
      (work.total() * getThreadPoints() + vectors * (1 + kAddressing)) * warps +
      kPerThread * warps + 2.0 * toDouble(result.spilledRegisters) * warps;
  // Copies through registers take instructions, too.
  Prefetch prefetch = schedule.getPrefetch().value_or(Prefetch::None);
  if (windows.planeBytes > 0 && prefetch != Prefetch::Tma)
    result.instructions += 4 * toDouble(windows.planeBytes) / 16 /
                           toDouble(target.warpSize) *
                           (walk ? planes + halo : 1) * toDouble(result.blocks);
  if (walk)
    result.instructions *= (planes + halo) / planes;
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
  // A row is less than a plane.
  double length = planes / (rank == 2 ? 8 : 1);
  return 1 + kDrift * std::pow(length / kPlanes, kDriftPlanes) /
                 (std::pow(waves, kDriftWaves) *
                  std::pow(std::max(1.0, halo), kDriftHalo));
}

void SchedulePredictor::addTimes() {
  double copy = target.measuredBandwidth > 0
                    ? target.measuredBandwidth
                    : kCopyShare * target.dramBandwidth;
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
