//===- SchedulePredictor.h - The terms of a prediction ----------*- C++ -*-===//

#ifndef STENCILDIALECT_LIB_ANALYSIS_SCHEDULEPREDICTOR_H
#define STENCILDIALECT_LIB_ANALYSIS_SCHEDULEPREDICTOR_H

#include "StencilDialect/Analysis/ScheduleModel.h"
#include "StencilDialect/Analysis/ScheduleSpace.h"

namespace stencil {

inline double toDouble(int64_t number) { return static_cast<double>(number); }

/// Bytes of a wavefront of the first-level cache and of shared memory.
inline constexpr double kWavefrontBytes = 128;
/// Of code: NVIDIA's from sm_70 on.
inline constexpr double kInstructionBytes = 16;

/// Predicts one schedule of one apply.
class SchedulePredictor {
public:
  SchedulePredictor(const KernelProfile &profile, const TargetInfo &target,
                    const TileReads &reads, ScheduleAttr schedule,
                    const ModelConstants &constants);

  SchedulePrediction run();

private:
  void countBlocks();
  void countRegisters();
  /// Of a thread, in registers: what its points read, of all planes and of one,
  /// their results, what their bodies hold at once, the operations of a point,
  /// and those beyond one for each read.
  struct Held {
    double read = 0, plane = 0, results = 0, live = 0, work = 0, slow = 0;
  };
  Held countHeld() const;
  double countWords(TileReads::Kind kind) const;
  double estimateAddingWalk() const;
  double estimateWalk() const;
  double estimateTile() const;
  double estimateSpare() const;
  void findOccupancy();
  void countTraffic();
  double countTileBytes(const ProfiledInput &input) const;
  double countAgain(const ProfiledInput &input) const;
  void countInstructions();
  void countTileVectors(double &vectors, double &wavefronts) const;
  PointWork getWork() const;
  void addTimes();
  double getLatency();
  double getWalkTime();
  double getLastWave() const;
  double getTail() const;
  double countWarps() const;
  double getIssueRate() const;
  double getArithmeticShare() const;
  double getRowFactor() const;
  double getFetchTime() const;
  bool isGuarded() const;
  double countUnrolled() const;
  double getDepthFactor() const;
  bool hasLateInputs() const;

  bool isAdding() const { return addsByPlane(schedule); }
  double getThreadPoints() const;
  double getThreads() const;

  const KernelProfile &profile;
  const TargetInfo &target;
  const TileReads &reads;
  ScheduleAttr schedule;
  const ModelConstants &constants;
  SchedulePrediction result;

  int64_t rank;
  std::optional<int64_t> walk;
  Accumulation accumulation;
  llvm::SmallVector<int64_t, 4> block, points, tile, tiles;
  int64_t segments = 1;
  /// Planes of a segment, and those that it reads beside.
  double planes = 1, halo = 0;
  SharedWindows windows;
  /// Tiles that are computed, and points of these: those beyond the box count.
  double computedPoints = 0;
  double blocksAtOnce = 1;
};

} // namespace stencil

#endif // STENCILDIALECT_LIB_ANALYSIS_SCHEDULEPREDICTOR_H
