//===- SpaceBuilder.h - Collects the schedules of an apply ------*- C++ -*-===//

#ifndef STENCILDIALECT_LIB_ANALYSIS_SPACEBUILDER_H
#define STENCILDIALECT_LIB_ANALYSIS_SPACEBUILDER_H

#include "StencilDialect/Analysis/ScheduleSpace.h"
#include "StencilDialect/IR/WindowLimits.h"
#include "llvm/ADT/SetVector.h"

namespace stencil {

/// One number per axis.
using SpaceNumbers = llvm::SmallVector<int64_t, 4>;

/// The ways in which a walk along the first axis can add up what comes from
/// other planes.
std::vector<Accumulation> listAccumulations(const KernelProfile &profile);

/// Collects the schedules of one apply.
class SpaceBuilder {
public:
  /// Bodies of more ops are not repeated.
  static constexpr int64_t kMaxRepeatedOps = 1024;

  SpaceBuilder(ApplyOp apply, const KernelProfile &profile,
               const TargetInfo &target)
      : apply(apply), profile(profile), target(target), rank(profile.rank),
        vector(std::clamp<int64_t>(16 / profile.getElementBytes(), 1, 4)) {}

  std::vector<ScheduleAttr> run();

private:
  bool add(const ScheduleKeys &keys);
  bool isHeavy() const { return profile.ops > kMaxRepeatedOps; }
  void addTiled();
  void addTile(SpaceNumbers block, const SpaceNumbers &points);
  void addRowWindows();
  void addWalks();
  void addWalks(ScheduleKeys keys);
  void addTiledWalks(ScheduleKeys keys, int64_t row, int64_t rows,
                     int64_t below, int64_t along);
  void addCuts(ScheduleKeys keys);
  std::vector<llvm::SmallVector<Space>> listWindows() const;
  std::optional<Prefetch> getPrefetch() const;
  std::vector<int64_t> listPanels(int64_t rowsPerBlock, double planes) const;

  ApplyOp apply;
  const KernelProfile &profile;
  const TargetInfo &target;
  int64_t rank;
  /// Elements of a vector of 16 bytes; at most 4.
  int64_t vector;
  llvm::SetVector<ScheduleAttr, std::vector<ScheduleAttr>> schedules;
};

} // namespace stencil

#endif // STENCILDIALECT_LIB_ANALYSIS_SPACEBUILDER_H
