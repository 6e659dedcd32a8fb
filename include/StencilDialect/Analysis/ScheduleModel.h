//===- ScheduleModel.h - How long a kernel is going to take -----*- C++ -*-===//
//
// The time of a sweep is that of the resource that is needed longest, as in
// ConvStencil's model (Chen et al., PPoPP 2024, equations 2 to 4: T = max(T of
// computing, T of memory)), here of each level of memory and of each unit that
// computes; then what does not overlap: the last wave of blocks, too few bytes
// on their way, the launch. docs/cost-model.md has the equations, the constants
// with their sources, and the error.
//
//===----------------------------------------------------------------------===//

#ifndef STENCILDIALECT_ANALYSIS_SCHEDULEMODEL_H
#define STENCILDIALECT_ANALYSIS_SCHEDULEMODEL_H

#include "StencilDialect/Analysis/ModelConstants.h"
#include "StencilDialect/Analysis/ScheduleSpace.h"
#include "StencilDialect/Analysis/TileReads.h"

namespace stencil {

/// What a sweep with a schedule takes. Bytes are those of a whole sweep, times
/// are seconds.
struct SchedulePrediction {
  /// Of a sweep, all in all. 0 if the chip's rates are not known.
  double seconds = 0;
  /// The resource that is needed longest: "memory", "L2", "L1", "shared",
  /// "issue", "FP64", "FP32", "latency", "code" or "launch".
  llvm::StringRef limiter;

  /// What moves: to and from memory; between L2 and the multiprocessors.
  double memoryBytes = 0, l2Bytes = 0;
  /// What would have to move: every point read once and written once.
  double compulsoryBytes = 0;
  /// 128 bytes each, of the first-level cache and of shared memory.
  double wavefronts = 0;
  /// Of warps; those of the FP64 and FP32 pipes among them.
  double instructions = 0, fp64Instructions = 0, fp32Instructions = 0;
  /// Bytes of a walk's code, roughly.
  double codeBytes = 0;

  /// Bytes that all running blocks together have asked for and wait for.
  double bytesOnTheirWay = 0;
  /// Planes that a block walks over; 0 without a walk.
  double iterations = 0;

  /// Times that these take if nothing else is in the way.
  double memorySeconds = 0, l2Seconds = 0, l1Seconds = 0, issueSeconds = 0,
         fp64Seconds = 0, fp32Seconds = 0, latencySeconds = 0, startSeconds = 0,
         fetchSeconds = 0, launchSeconds = 0;
  /// What `eviction = last` saves of it.
  double evictionSeconds = 0;

  /// Of 32 bits, per thread; bytes of shared memory, per block.
  int64_t registers = 0, sharedBytes = 0;
  /// Registers that a thread needs, and those that it can have.
  int64_t wantedRegisters = 0, registerLimit = 0;
  /// Registers that do not fit and go to memory and back.
  int64_t spilledRegisters = 0;
  int64_t blocks = 0, blocksPerMultiprocessor = 0;
  /// Blocks by those that run at once; what the last, incomplete wave makes of
  /// the time of a walk, and all that is waited for in the end, that included.
  double waves = 0, lastWave = 1, tail = 1;

  /// Points of the sweep per second, by 1e9; the share of the speed at which a
  /// copy moves the compulsory bytes.
  double gstencilPerSecond = 0, shareOfCopy = 0;
};

/// True if the registers of a thread may not be enough for it, by the estimate
/// and what it is off by (docs/cost-model.md).
bool maySpill(const SchedulePrediction &prediction, const TargetInfo &target);

/// Predicts schedules of one apply. Profiles it once; a prediction takes a few
/// microseconds.
class ScheduleModel {
public:
  ScheduleModel(const KernelProfile &profile, const TargetInfo &target,
                const ModelConstants &constants = ModelConstants::getDefault());

  /// The schedule's tile has to be known; enumerateSchedules gives no others.
  SchedulePrediction predict(ScheduleAttr schedule) const;

  /// False if the rates of the chip are not known.
  bool isKnown() const;

private:
  const KernelProfile &profile;
  const TargetInfo &target;
  const ModelConstants &constants;
  TileReads reads;
};

/// The schedule with the numbers that it leaves open of its tile: of a kernel
/// without windows, and of no schedule at all, those that the lowering chooses;
/// of a walk, close to those that stencil-tile-registers chooses.
ScheduleAttr completeSchedule(ApplyOp apply, const KernelProfile &profile,
                              ScheduleAttr schedule, const TargetInfo &target);

/// The prediction for one schedule, which may be null or leave its tile open
/// (completeSchedule).
SchedulePrediction predict(ApplyOp apply, ScheduleAttr schedule,
                           const TargetInfo &target,
                           llvm::ArrayRef<int64_t> extents, MathMode math);

/// A candidate and what is expected of it.
struct RankedSchedule {
  ScheduleAttr schedule;
  SchedulePrediction prediction;
};

/// All candidates, the fastest first; of equally fast ones, in the order of
/// enumerateSchedules. The first candidate of that order is the default.
std::vector<RankedSchedule> rankSchedules(ApplyOp apply,
                                          const KernelProfile &profile,
                                          const TargetInfo &target);

/// Schedules that the cost model takes for so many times slower than the best
/// are not tried.
inline constexpr double kHopeless = 3;

/// Most of `ranked`, which is in the order of the model, so that variants of a
/// tile do not come one after the other: of schedules with the same tile,
/// points and accumulation each counts as a little slower than those before,
/// with other stages by less than with the same ones. `kind`: by which part of
/// its time each counts as slower than those before it of its kind, which are
/// walks or tiles with the same windows and accumulation: for a short list, in
/// which all kinds that are close are to be found.
std::vector<ScheduleAttr> orderByVariety(llvm::ArrayRef<RankedSchedule> ranked,
                                         double kind = 0);

} // namespace stencil

#endif // STENCILDIALECT_ANALYSIS_SCHEDULEMODEL_H
