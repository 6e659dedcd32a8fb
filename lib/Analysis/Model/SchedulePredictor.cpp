//===- SchedulePredictor.cpp - The terms of a prediction ------------------===//
//
// The equations: docs/cost-model.md.
//
//===----------------------------------------------------------------------===//

#include "SchedulePredictor.h"
#include "llvm/Support/MathExtras.h"

#include <cmath>

using namespace mlir;
using namespace stencil;

//===----------------------------------------------------------------------===//
// Geometry
//===----------------------------------------------------------------------===//

SchedulePredictor::SchedulePredictor(const KernelProfile &profile,
                                     const TargetInfo &target,
                                     const TileReads &reads,
                                     ScheduleAttr schedule,
                                     const ModelConstants &constants)
    : profile(profile), target(target), reads(reads), schedule(schedule),
      constants(constants), rank(profile.rank), walk(schedule.getStream()),
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
  // Of long segments and short ones, as many of equal length.
  if (walk && !schedule.getTail().empty() && !schedule.getPlanes()) {
    int64_t strips = result.blocks / segments;
    int64_t tail = std::min(strips, schedule.getTail()[0]);
    result.blocks = (strips - tail) * segments + tail * schedule.getTail()[1];
    perBlock /= planes;
    planes = toDouble(strips) * toDouble(profile.shape[*walk]) /
             toDouble(result.blocks);
    perBlock *= planes;
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
  double iteration = constants.iteration;
  if (schedule.getPrefetch() == Prefetch::Async)
    iteration *= constants.asyncIteration;
  else if (schedule.getPrefetch() != Prefetch::Tma)
    iteration *= constants.copiedIteration;
  // One plane ahead is late, more than two are a little earlier.
  iteration *=
      constants.ownPart +
      constants.waitedPart / std::max<double>(1, toDouble(windows.ahead));
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
  double vectors = 0, wavefronts = 0;
  countTileVectors(vectors, wavefronts);
  double bytes =
      std::min<double>(toDouble(target.vectorBytes),
                       toDouble(points.back() * profile.getElementBytes()));
  // With more registers, ptxas has more loads begun before the first is needed.
  constexpr double kWord = 4, kOthers = 64;
  double most = constants.maxInFlight;
  if (target.isModelFitted)
    most = std::max(most, constants.registersInFlight * kWord *
                              (toDouble(result.registers) - kOthers));
  double perBlock = getThreads() * std::min(vectors * bytes, most);
  result.bytesOnTheirWay = std::max(1.0, perBlock) *
                           toDouble(result.blocksPerMultiprocessor) *
                           toDouble(target.multiprocessors);
  return (result.memoryBytes * constants.firstLatency +
          (result.l2Bytes - result.compulsoryBytes) * constants.againLatency) /
         result.bytesOnTheirWay;
}

/// How much longer a walk takes because its last wave is not full. Its blocks
/// have the memory to themselves, and take less than the others did; their
/// multiprocessors' own units they had before. Of walks whose sums are added
/// plane by plane, it gains and loses (docs/notebook.md).
double SchedulePredictor::getLastWave() const {
  if (!target.isModelFitted || isAdding())
    return 1;
  double waves = std::max(1.0, result.waves);
  double power = constants.lastWave;
  if (accumulation == Accumulation::Gather) {
    // Between a little less than memory takes and a little more.
    constexpr double kLess = 0.7, kRange = 0.6;
    double ofMemory = std::max(result.memorySeconds, result.l2Seconds);
    double own = std::max({result.l1Seconds, result.issueSeconds,
                           result.fp64Seconds, result.fp32Seconds});
    power += (constants.boundLastWave - power) *
             std::clamp((own / ofMemory - kLess) / kRange, 0.0, 1.0);
  }
  return std::pow(std::ceil(waves) / waves, power);
}

/// How much longer it takes because the last wave is not full, and, of a walk,
/// because its blocks drift apart.
double SchedulePredictor::getTail() const {
  double waves = std::max(1.0, result.waves);
  if (!walk) {
    double turnover =
        target.isModelFitted
            ? constants.turnover / toDouble(result.blocksPerMultiprocessor)
            : 0;
    return std::ceil(waves) / waves * (1 + turnover);
  }
  double last = getLastWave();
  // Cubes of more than one plane's reach do not drift if a multiprocessor has
  // one block: segments of 128 to 512 planes were measured.
  if (profile.readsBox() && profile.getRadius() > 1 && isAdding() &&
      schedule.getPrefetch() == Prefetch::Tma &&
      planes > constants.driftLength && result.blocksPerMultiprocessor == 1)
    return last;
  // A row is less than a plane.
  double length = planes / (rank == 2 ? constants.rowsOfPlane : 1);
  double drift =
      constants.drift *
      std::pow(length / constants.driftLength, constants.driftPlanes) /
      (std::pow(waves, constants.driftWaves) *
       std::pow(std::max(1.0, halo), constants.driftHalo));
  return last * (1 + drift);
}

/// How much longer a walk with TMA takes because too few planes are on their
/// way, or so many that blocks drift apart: the farther, the longer they walk.
double SchedulePredictor::getDepthFactor() const {
  if (rank < 3 || windows.ahead < 1)
    return 1;
  if (windows.ahead == 1)
    return constants.oneAhead;
  // One block reads as far ahead as it likes.
  if (result.blocksPerMultiprocessor == 1)
    return windows.ahead == 2 && halo <= constants.narrowHalo
               ? constants.twoAheadAlone
               : 1;
  if (windows.ahead == 2)
    return 1;
  double length = std::clamp((planes - constants.shortWalk) /
                                 (constants.longWalk - constants.shortWalk),
                             0.0, 1.0);
  return windows.ahead == 3
             ? 1 + constants.threeAhead * length
             : 1 + constants.moreAhead * std::pow(length, constants.morePlanes);
}

/// Warps that a multiprocessor has at once.
double SchedulePredictor::countWarps() const {
  double blocks =
      std::clamp(toDouble(result.blocks) / toDouble(target.multiprocessors),
                 1.0, toDouble(result.blocksPerMultiprocessor));
  return blocks * std::ceil(getThreads() / toDouble(target.warpSize));
}

/// Instructions that a multiprocessor issues in a cycle: what its schedulers
/// can, or what the warps that it has can.
double SchedulePredictor::getIssueRate() const {
  // Of others nothing was measured.
  double most = toDouble(target.issuedWarps);
  return target.isModelFitted
             ? std::min(most, constants.issuedByWarp * countWarps())
             : most;
}

/// The share of its rate that arithmetic reaches with the warps of a tile that
/// has no windows.
double SchedulePredictor::getArithmeticShare() const {
  if (walk || windows.bytes > 0 || !target.isModelFitted)
    return 1;
  double warps = countWarps();
  return warps / (warps + constants.waitingWarps);
}

/// How much longer a tile takes because its threads have more of a row than a
/// vector, or less than half of one.
double SchedulePredictor::getRowFactor() const {
  if (walk || windows.bytes > 0 || loopsOverTaps(profile, schedule) ||
      !target.isModelFitted)
    return 1;
  int64_t bytes = points.back() * profile.getElementBytes();
  return bytes > target.vectorBytes       ? constants.spreadRows
         : 2 * bytes < target.vectorBytes ? constants.thinRows
                                          : 1;
}

/// Seconds of fetching the code of a walk for each plane of each block, of
/// which the more is fetched again the less of it is kept.
double SchedulePredictor::getFetchTime() const {
  if (!walk || !target.isModelFitted)
    return 0;
  double over =
      std::pow(result.codeBytes / constants.codeKept, constants.codeSharpness);
  double perPlane = result.codeBytes / (countUnrolled() + constants.codeBeside);
  double perMultiprocessor =
      std::max(1.0, toDouble(result.blocks) / toDouble(target.multiprocessors));
  return over / (1 + over) * perPlane * (planes + halo) * perMultiprocessor /
         (constants.codeFetched * target.clock);
}

/// True if tiles of a walk reach beyond the box.
bool SchedulePredictor::isGuarded() const {
  // Nobody knows that they do not.
  if (profile.isNarrow)
    return true;
  for (int64_t axis = 0; axis < rank; ++axis)
    if (walk != axis && profile.shape[axis] % tile[axis] != 0)
      return true;
  return false;
}

/// True if what a walk reads of an input is loaded when it is needed.
bool SchedulePredictor::hasLateInputs() const {
  for (auto [number, input] : llvm::enumerate(profile.inputs))
    if (input.isRead() && schedule.getWindowOf(number) == Space::Cache)
      return true;
  return false;
}

void SchedulePredictor::addTimes() {
  double copy = constants.memoryShare * target.getCopyBandwidth();
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
      divide(result.compulsoryBytes + constants.againFromL2 * again,
             constants.l2Share * target.l2Bandwidth);
  // What is read from windows has no tags to be looked up.
  double share = windows.bytes > 0 && !isAdding() ? constants.sharedShare
                                                  : constants.l1Share;
  result.l1Seconds = divide(result.wavefronts * kWavefrontBytes,
                            share * cycles * toDouble(target.l1BytesPerCycle));
  double ofArithmetic = getArithmeticShare();
  result.issueSeconds =
      divide(result.instructions, ofArithmetic * cycles * getIssueRate());
  // Peaks are two operations per instruction and lane.
  double lanes = 2 * toDouble(target.warpSize);
  result.fp64Seconds = divide(result.fp64Instructions * lanes,
                              ofArithmetic * target.fp64 * busy);
  result.fp32Seconds = divide(result.fp32Instructions * lanes,
                              ofArithmetic * target.fp32 * busy);
  result.latencySeconds = walk ? getWalkTime() : getLatency();
  result.fetchSeconds = getFetchTime();
  result.startSeconds =
      target.isModelFitted
          ? toDouble(result.blocks) * constants.blockCycles / target.clock
          : 0;
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
    sum += longest > 0 ? std::pow(seconds / longest, constants.norm) : 0;
  result.lastWave = walk ? getLastWave() : 1;
  result.tail = getTail();
  double sweep = longest * std::pow(sum, 1 / constants.norm) * result.tail;
  // Beginning blocks is in nothing's way until it is all that happens.
  if (result.startSeconds > sweep) {
    sweep = result.startSeconds;
    result.limiter = "blocks";
  }
  sweep *= getRowFactor();
  if (walk && hasLateInputs())
    sweep *= constants.lateInputs;
  // All warps wait for the same code.
  if (result.fetchSeconds > sweep)
    result.limiter = "code";
  sweep += result.fetchSeconds;
  if (schedule.getPrefetch() == Prefetch::Tma && walk) {
    sweep *= constants.withTma * getDepthFactor();
    if (result.blocksPerMultiprocessor == 1 &&
        getThreads() <= constants.aloneThreads)
      sweep *= constants.alone;
    // `last` is the default.
    if (schedule.getEviction() != Eviction::Normal) {
      result.evictionSeconds = (1 - constants.keptLines) * sweep;
      sweep *= constants.keptLines;
    }
  }
  if (schedule.getPrefetch() == Prefetch::L2) {
    double warps = getThreads() / toDouble(target.warpSize) *
                   toDouble(result.blocksPerMultiprocessor);
    sweep *= warps <= constants.fewWarps ? constants.askedAhead
                                         : constants.askedInVain;
  }
  result.launchSeconds =
      constants.launch + constants.ramp * sweep / (sweep + constants.halfRamp);
  result.seconds = sweep + result.launchSeconds;
  if (constants.launch > sweep)
    result.limiter = "launch";
  result.gstencilPerSecond = profile.countPoints() / result.seconds / 1e9;
  result.shareOfCopy =
      divide(result.compulsoryBytes, target.getCopyBandwidth()) /
      result.seconds;
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
