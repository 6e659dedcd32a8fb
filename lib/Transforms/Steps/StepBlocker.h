//===- StepBlocker.h - Several steps of a loop in one sweep -----*- C++ -*-===//

#ifndef STENCILDIALECT_LIB_TRANSFORMS_STEPBLOCKER_H
#define STENCILDIALECT_LIB_TRANSFORMS_STEPBLOCKER_H

#include "StagedSteps.h"
#include "StencilDialect/Target/TargetInfo.h"
#include "StepComposition.h"

namespace stencil {

/// Takes steps of time loops at once, as stencil-block-time is asked to.
struct StepBlocker {
  ComposedRim rim;
  MathMode math;
  /// Null if there is none.
  const TargetInfo *target;
  bool isOnCPU;
  /// Loops whose fields are others than the program's.
  llvm::SmallPtrSet<Operation *, 2> wide;

  /// Takes as many steps at once as `wanted` says; else an error.
  LogicalResult block(mlir::scf::ForOp loop, ScheduleAttr wanted);

  /// What the apply that takes all steps is to have: null if it may choose. On
  /// a CPU, steps are always stages, of a walk if there are several axes.
  ScheduleAttr getRest(ScheduleAttr wanted, int64_t rank) const;
  /// Whether the loop has several states, whose applies are stages.
  bool takesStages(mlir::scf::ForOp loop) const;
  /// Plans are made anew for every loop: what is known of values is of the
  /// program before.
  std::optional<StepComposition> planSteps(mlir::scf::ForOp loop, int64_t steps,
                                           NoTimeLoop &why,
                                           bool hasHaloInSteps = false) const;
  std::optional<StagedSteps> planStages(mlir::scf::ForOp loop, int64_t steps,
                                        ScheduleAttr rest,
                                        NoTimeLoop &why) const;

  /// The loop, or where so many steps at once need fields with room for images,
  /// the one before it that has them.
  mlir::scf::ForOp makeRoom(mlir::scf::ForOp loop, int64_t steps);

  /// So many at once, of what they leave fewer at once, and so on; in the end
  /// one by one.
  void take(mlir::scf::ForOp loop, int64_t steps, ScheduleAttr rest) const;
  /// Of the steps that so many at once leave over, how many are taken at once.
  /// Odd numbers leave the fields in their places.
  static int64_t getFewer(int64_t steps) { return (steps / 3) | 1; }
  /// So many steps at once that have their halos.
  void composeWalk(mlir::scf::ForOp loop, int64_t steps,
                   ScheduleAttr walk) const;

private:
  LogicalResult blockStages(mlir::scf::ForOp loop, ScheduleAttr wanted) const;
};

/// Why there is a rim although windows, or the steps of volumes, may have
/// halos; empty: there was none to expect.
void remarkRim(ApplyOp step, StringRef name, StringRef why);
/// Why a loop is left as it is.
void remarkOneByOne(Operation *op, const llvm::Twine &why);

} // namespace stencil

#endif // STENCILDIALECT_LIB_TRANSFORMS_STEPBLOCKER_H
