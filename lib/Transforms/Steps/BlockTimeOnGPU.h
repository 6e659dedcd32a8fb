//===- BlockTimeOnGPU.h - How many steps pay on a GPU -----------*- C++ -*-===//

#ifndef STENCIL_LIB_TRANSFORMS_BLOCKTIMEONGPU_H
#define STENCIL_LIB_TRANSFORMS_BLOCKTIMEONGPU_H

#include "StagedSteps.h"
#include "StepComposition.h"
#include "StepTiles.h"

namespace stencil {

/// What the model knows of a loop over a row, a plane or a volume.
class StepLoop {
public:
  StepLoop(const StepComposition &plan, const TargetInfo &target,
           MathMode math);

  /// Why steps are not to be taken at once; empty if they may be.
  std::string findObstacle() const;
  /// Seconds of one step, alone and as one of several; nothing if no tile has
  /// room for these.
  double getAlone() const;
  std::optional<double> getBlocked(int64_t steps) const;
  /// The walk of so many steps that have their halos; nothing if there is none.
  std::optional<StepWalk> findWalk(int64_t steps) const;
  /// Its schedule, and the one that is asked for: that if it is one of such a
  /// walk, else null. Null asks for nothing.
  ScheduleAttr getWalk(int64_t steps) const;
  ScheduleAttr getWalk(ScheduleAttr asked) const;
  /// Legs of so many steps that have their halos.
  ScheduleAttr getLegs(int64_t steps) const;
  /// A plane whose steps have their halos, as parts: the columns of a tile at
  /// either end of rows, and those between them. Empty if there are few.
  llvm::SmallVector<StepPart> cutColumns(ScheduleAttr legs) const;
  /// Whether these parts are predicted to be faster than a core with a rim.
  bool isFasterThanRim(ScheduleAttr legs) const;
  /// Whether legs sum partial rows.
  bool areScattered() const { return shape.areScattered; }
  /// What was measured of such loops.
  KernelNumbers getNumbers() const;
  /// Legs that so many steps are cut into.
  int64_t countLegs(int64_t steps) const;
  /// Whether so many steps of a row have a tile in which each is a stage.
  bool hasRowTile(int64_t steps) const {
    return shape.rank == 1 && !listTiles(steps).empty();
  }

private:
  bool canBeLegs(const ScheduleKeys &asked) const;
  SmallVector<WarpTile> listTiles(int64_t steps) const;

  const StepComposition &plan;
  const TargetInfo &target;
  MathMode math;
  StepShape shape;
  double points = 1, bytes = 0;
  /// How far it reads along any axis.
  int64_t radius = 0;
  bool isKnown = true;
};

/// The most steps of a loop over so many axes that are taken at once; nothing
/// where none were measured.
std::optional<int64_t> getMostSteps(int64_t rank, const TargetInfo &target);

/// The most steps of a wave that are taken at once where it reads so far.
int64_t getMostWaveSteps(int64_t radius, const TargetInfo &target);

/// Why steps of several states are not to be taken at once on a GPU; empty if
/// they are.
std::string explainStagesOnGPU(const StagedSteps &plan,
                               const TargetInfo &target);

} // namespace stencil

#endif // STENCIL_LIB_TRANSFORMS_BLOCKTIMEONGPU_H
