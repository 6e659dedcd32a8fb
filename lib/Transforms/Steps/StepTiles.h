//===- StepTiles.h - Tiles for several steps at once ------------*- C++ -*-===//

#ifndef STENCIL_LIB_TRANSFORMS_STEPTILES_H
#define STENCIL_LIB_TRANSFORMS_STEPTILES_H

#include "StencilDialect/Analysis/KernelNumbers.h"
#include "StencilDialect/Analysis/KernelProfile.h"
#include "StencilDialect/IR/MathMode.h"
#include "StencilDialect/IR/Schedule.h"
#include "StencilDialect/IR/StencilOps.h"
#include "StencilDialect/Target/TargetInfo.h"

namespace stencil {

/// Several steps of a time loop, as stages of a walk.
struct StepShape {
  int64_t rank = 2;
  int64_t steps = 0;
  /// How far one step reads along the walk and along rows, to either side.
  int64_t rows = 0, columns = 0;
  /// Whether it reads beside other rows than its own.
  bool isBox = false;
  /// Whether steps can be equal legs (canRelay).
  bool canRelay = true;
  /// Whether legs add to partial rows instead of keeping what has come.
  bool areScattered = false;
  int64_t elementBytes = 0;
  /// Fields that a step reads, the state among them.
  int64_t inputs = 1;

  /// The same loop, of so many steps.
  StepShape withSteps(int64_t count) const {
    StepShape other = *this;
    other.steps = count;
    return other;
  }
  /// Of the columns that a tile of legs computes, those that are stored; none
  /// where that is negative.
  int64_t countLegColumns(int64_t computed) const;
  /// The registers that a value takes.
  int64_t countWords() const { return std::max<int64_t>(1, elementBytes / 4); }
  /// The measured numbers of a kind of kernels with such steps.
  KernelNumbers getNumbers(StringRef kernel, const TargetInfo &target) const;
};

/// A tile of one warp, whose stages are in registers; or of a warp for each leg
/// of a relay.
struct WarpTile {
  /// Of a thread.
  int64_t points = 0;
  /// For which each scheduler of a multiprocessor has registers.
  int64_t warps = 0;
  /// Points of a row that are stored; the others are computed for these.
  int64_t kept = 0;
  /// Into which the steps are cut.
  int64_t legs = 1;

  /// Of a multiprocessor.
  int64_t countBlocks(const TargetInfo &target) const {
    return warps * target.issuedWarps / legs;
  }
  /// Says in a schedule how threads have it. Of a row it is left open how many
  /// blocks there are.
  void describe(ScheduleKeys &keys, const TargetInfo &target) const;
  double getShare(const TargetInfo &target) const {
    return static_cast<double>(kept) /
           static_cast<double>(target.warpSize * points);
  }
};

/// Tiles beside each other, whose walks are cut into segments.
struct WalkStrips {
  int64_t inner = 0, ends = 0;
  /// Rows that are stored, and those that a segment computes again on either
  /// side.
  int64_t rows = 0, halo = 0;
  /// No segment is to have fewer rows.
  int64_t shortest = 1;
  /// How much longer blocks at the ends take for a row: they have more
  /// segments.
  double endsCost = 1;

  int64_t countMostSegments() const {
    return std::max<int64_t>(1, rows / std::max<int64_t>(1, shortest));
  }
  int64_t countEndSegments(int64_t segments) const;
};

/// Segments of the inner strips, and how many rows take as long.
struct WalkSegments {
  int64_t count = 1;
  double time = 0;
};

/// Those with which blocks, in rounds of so many, take the least time.
WalkSegments chooseSegments(const WalkStrips &strips, int64_t blocks,
                            int64_t mostRounds);

/// Whether a step reads points that differ along two axes: all steps together
/// always do.
bool readsDiagonals(ApplyOp apply);

/// Whether several steps are stages that compute the same, of one state: of
/// steps that do not read their own point, or farther to one side than to the
/// other, each is moved by other points.
bool canRelay(ApplyOp step);

/// The tiles for which registers suffice: those with legs first, then that of
/// which the largest share is stored.
SmallVector<WarpTile> listWarpTiles(const StepShape &shape,
                                    const TargetInfo &target);

/// What is known of a loop of steps, but for how many. Of steps that are
/// scaled, partial rows may be summed.
StepShape getStepShape(ApplyOp step, int64_t rows, int64_t columns,
                       bool isScaled);

/// The registers of a thread, for each scheduler to have so many warps.
int64_t getRegisters(int64_t warps, const TargetInfo &target);

/// A walk through a volume whose steps have their halos.
struct StepWalk {
  ScheduleKeys keys;
  /// How long a step takes, in seconds.
  double seconds = 0;
};

/// The walk of so many steps over a volume of these extents that is predicted
/// to be fastest; nothing where none was measured of bodies with as many
/// operations, or has room.
std::optional<StepWalk> findStepWalk(const StepShape &shape,
                                     ArrayRef<int64_t> extents,
                                     uint64_t operations,
                                     const TargetInfo &target,
                                     MLIRContext *context);

/// Schedules for an apply that takes several steps of a time loop
/// (`stencil.steps`), each as a stage of a walk; the best first, by what is
/// known of the body before it is compiled. The first ones may take more
/// registers or memory than there are. None for rows, which have no axis to
/// walk along.
std::vector<ScheduleKeys> listStepTiles(ApplyOp apply,
                                        const KernelProfile &profile,
                                        const TargetInfo &target,
                                        MathMode math);

} // namespace stencil

#endif // STENCIL_LIB_TRANSFORMS_STEPTILES_H
