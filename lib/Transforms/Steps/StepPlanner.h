//===- StepPlanner.h - How steps are composed -------------------*- C++ -*-===//
//
// The parts of planComposition: each finds some of a StepComposition, and says
// why if that is not possible.
//
//===----------------------------------------------------------------------===//

#ifndef STENCILDIALECT_LIB_TRANSFORMS_STEPPLANNER_H
#define STENCILDIALECT_LIB_TRANSFORMS_STEPPLANNER_H

#include "StepComposition.h"

namespace stencil {

/// The step of a loop that swaps two fields: what it reads and stores, how far,
/// and what becomes of halos.
class StepFinder {
public:
  StepFinder(FieldAliasAnalysis &aliases, NoTimeLoop &why,
             StepComposition &plan)
      : aliases(aliases), why(why), plan(plan) {}

  bool find(mlir::scf::ForOp loop);
  /// The halos of both fields hold what the step reads, and so what rims need.
  bool checkHalos();
  /// Whether both fields have all points of a box.
  bool haveRoom(BoundsAttr box);

private:
  bool checkLoop();
  bool findState();
  bool findStep();
  void findReach();
  void findKept();

  FieldAliasAnalysis &aliases;
  NoTimeLoop &why;
  StepComposition &plan;
  /// The only load of the state.
  LoadOp state;
};

/// What is near a boundary, of a step that has been found: step by step.
bool planRimSteps(StepComposition &plan, NoTimeLoop &why);
/// Of chained steps, at once. What conditions say of a halo is part of every
/// step, if it follows from points nearby. Of a periodic axis, more of the
/// other end is copied instead.
bool planRimEdges(StepComposition &plan, NoTimeLoop &why);
/// Of a composed sum, at once, whose reach is known: periodic, or a matrix for
/// either end.
bool planRimMatrices(const CompositionRequest &request, StepComposition &plan,
                     NoTimeLoop &why);

/// A step that is a sum over one axis, as either end of it sees it.
class RowStep {
public:
  /// None if it is no such sum.
  static std::optional<RowStep> find(const StepComposition &plan, MathMode math,
                                     NoTimeLoop &why);

  /// Composes the steps of a plan, and drops as much of the ends as a tolerance
  /// says.
  bool composeAndCut(double tolerance, StepComposition &plan,
                     NoTimeLoop &why) const;
  /// The matrices of both ends.
  bool makeMatrices(double tolerance, StepComposition &plan,
                    NoTimeLoop &why) const;

private:
  RimStep lower, upper;
};

} // namespace stencil

#endif // STENCILDIALECT_LIB_TRANSFORMS_STEPPLANNER_H
