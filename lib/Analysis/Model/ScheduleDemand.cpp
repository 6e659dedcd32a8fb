//===- ScheduleDemand.cpp - What a schedule asks of a GPU -----------------===//
//
// Registers, bytes and instructions of a sweep: docs/cost-model.md.
//
//===----------------------------------------------------------------------===//

#include "SchedulePredictor.h"
#include "llvm/Support/MathExtras.h"

#include <cmath>

using namespace mlir;
using namespace stencil;

/// Bytes that caches transfer at least.
static constexpr int64_t kSectorBytes = 32;

//===----------------------------------------------------------------------===//
// Occupancy
//===----------------------------------------------------------------------===//

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
  double kept = constants.l2Kept * static_cast<double>(target.l2Bytes);
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
  constexpr double kWord = 4;
  double threads = computedPoints / getThreadPoints();
  double spilled = toDouble(result.spilledRegisters);
  result.l2Bytes += constants.storedAndLoaded * spilled * threads;
  // What all running threads have there may be more than L2 holds.
  double kept = constants.l2Kept * static_cast<double>(target.l2Bytes);
  if (kept > 0)
    result.memoryBytes +=
        constants.storedAndLoaded * spilled * threads *
        std::clamp(kWord * spilled * getThreads() * blocksAtOnce / kept - 1,
                   0.0, 1.0);
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
    bool isWindow = schedule.getWindowOf(number) == Space::Shared;
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
    // Lanes are as far from each other as a thread has points in a row; a
    // wavefront is for each line that they touch. An odd number of points
    // keeps to different banks.
    bool isSpread = !(isWindow && points.back() % 2 == 1);
    int64_t step = isSpread ? points.back() : length;
    double bytes = toDouble(target.warpSize * step * input.bytes);
    wavefronts += loads * std::clamp(bytes / kWavefrontBytes, 1.0,
                                     toDouble(target.warpSize));
  }
}

/// Copies of the code for a plane in a walk's loop: one for each place that
/// queues or sums turn through (Tile/Transforms/Rotation.cpp).
double SchedulePredictor::countUnrolled() const {
  if (walk && schedule.getUnroll())
    return toDouble(*schedule.getUnroll());
  if (!walk || accumulation == Accumulation::Gather)
    return 1;
  if (isAdding())
    return toDouble(std::max<int64_t>(1, profile.scatterSpan));
  int64_t longest = 1;
  for (auto [number, input] : llvm::enumerate(profile.inputs))
    if (schedule.getWindowOf(number) == Space::Shared)
      longest = std::max<int64_t>(longest, input.column.count);
  return toDouble(longest);
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
  result.instructions =
      (work.total() * getThreadPoints() +
       vectors * (1 + constants.addressing)) *
          warps +
      constants.perThread * warps +
      constants.perSpill * toDouble(result.spilledRegisters) * warps;
  // Of a loop over taps, only the compiler knows.
  if (walk)
    result.codeBytes = kInstructionBytes * result.instructions / warps *
                       (countUnrolled() + constants.codeBeside);
  if (walk && accumulation != Accumulation::Gather) {
    constexpr int64_t kRegisterBytes = 4;
    double turned = profile.getElementBytes() > kRegisterBytes
                        ? constants.turnedCode
                        : constants.turnedNarrowCode;
    result.codeBytes *= (profile.readsFullBox() ? 1 : turned) *
                        (isGuarded() ? constants.guardedCode : 1);
  }
  // Copies through registers take instructions, too.
  Prefetch prefetch = schedule.getPrefetch().value_or(Prefetch::None);
  if (windows.planeBytes > 0 && prefetch != Prefetch::Tma)
    result.instructions += constants.perCopy * toDouble(windows.planeBytes) /
                           16 / toDouble(target.warpSize) *
                           (walk ? planes + halo : 1) * toDouble(result.blocks);
  // Planes beside a segment fill queues and sums; of windows alone they are
  // only copied.
  if (walk && accumulation != Accumulation::Gather)
    result.instructions *= (planes + halo) / planes;
}
