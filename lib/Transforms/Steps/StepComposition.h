//===- StepComposition.h - Several steps as one -----------------*- C++ -*-===//
//
// Along one axis, k steps of a linear time loop are a linear function also next
// to a boundary: of the interior points within reach of the outermost ones, of
// the halo if that keeps its values, and of 1 if the step or the boundary
// condition adds a number. Each point has weights of its own.
//
// Columns, from the boundary inwards:
//
// 1, if anything is added | halo at odd levels | halo at even levels |
// interior
//
// at the lower end; mirrored at the upper end. Level j is the state after j
// steps: the two fields of the loop have halos of their own.
//
// What stencil-compose-steps or stencil-block-time is to do with one loop.
// Level j is the state j steps after the beginning of an iteration of the new
// loop.
//
//===----------------------------------------------------------------------===//

#ifndef STENCIL_LIB_TRANSFORMS_STEPS_STEPCOMPOSITION_H
#define STENCIL_LIB_TRANSFORMS_STEPS_STEPCOMPOSITION_H

#include "StencilDialect/Analysis/TimeLoop.h"
#include "StencilDialect/IR/HaloRule.h"
#include "StencilDialect/IR/MathMode.h"
#include "StencilDialect/Transforms/ComposedRim.h"
#include "StepBodies.h"
#include "mlir/IR/BuiltinAttributes.h"

#include <map>
#include <vector>

namespace stencil {

/// The number rounded once to a type of floats.
llvm::APFloat roundNumber(long double number, Type type);

/// One step along an axis, seen from one end: offsets grow inwards.
struct RimStep {
  std::map<int64_t, long double> taps;
  long double constant = 0;
  /// Of the halo at this end, `reach` points wide; none that wraps.
  HaloRule rule;
  /// The rule's constant, rounded to the type of the field.
  long double value = 0;
  /// How far the step reads outwards and inwards.
  int64_t outwards = 0, inwards = 0;
};

struct RimMatrix {
  /// The outermost points, from the boundary inwards, and the interior points
  /// that they take.
  int64_t rows = 0, interior = 0;
  /// Points of the halo, of either kind of level; 0 if it does not keep values.
  int64_t halo = 0;
  bool hasConstant = false;
  /// Row by row.
  std::vector<long double> elements;

  int64_t getOutside() const { return 2 * halo + (hasConstant ? 1 : 0); }
  int64_t countColumns() const { return getOutside() + interior; }
};

/// How far the composed sum reads: `steps` times as far as a step, or less
/// where its ends are dropped.
struct RimReach {
  int64_t outwards = 0, inwards = 0;
};

/// A part of the core, and how many segments its walk is cut into.
struct StepPart {
  BoundsAttr core;
  int64_t segments = 1;
};

struct StepComposition {
  TimeLoop time;
  unsigned steps = 0;
  /// Each step is a value of the body, which the next one reads; else all are
  /// one sum.
  bool isChained = false;
  /// Of chained steps: the same steps so many times, one after the other, which
  /// are to be equal when they are scaled.
  unsigned legs = 1;
  /// Of legs: whether they sum partial rows.
  bool areScattered = false;

  /// A function of what is at position `now`, which operand number `input` is,
  /// is stored to position `then`. It is linear, unless the steps are chained.
  ApplyOp step;
  unsigned input = 0;
  unsigned now = 0, then = 0;
  /// Null if halos are never written.
  BoundaryOp boundary;

  /// How far the step reads along every axis, towards either end; not negative.
  SmallVector<int64_t> below, above;

  /// Some of the halo that is read keeps its values, which may be different
  /// ones in the two fields.
  bool keepsHalo = false;
  /// The composed sum must not read the halo, because it would be that of the
  /// other field: the rim starts from a copy of the state.
  bool copiesState = false;

  /// The chained steps are stages of a pipeline, whose windows have what is
  /// around the interior. There is a rim along periodic axes only: of these, it
  /// is at the other end.
  bool hasWindows = false;
  /// If that was asked for, but is not so: why not.
  std::string whyNoWindows;
  /// The chained steps are stages of a walk of a GPU, and each gives the points
  /// around the interior what they have after it: a constant, or what they had
  /// before. What else conditions say is computed by who reads it. There is no
  /// rim. Of halos that are kept, both fields need the same values: else the
  /// loop takes no step.
  bool hasHaloInSteps = false;
  /// If such steps were asked for, but are not so because of the conditions:
  /// why not.
  std::string whyNoHaloInSteps;

  /// How far all steps together read beyond the ends of periodic axes, where
  /// both fields have the images of that: the boundary op sets them once for
  /// all steps, and there is no rim.
  AxisWidths images;
  /// The fields are to be others, which have room for them (WideFields.cpp).
  bool needsRoom = false;

  /// Columns of a plane of which such steps are a pipeline each: those at the
  /// ends of rows and the others. Empty: the core is one.
  llvm::SmallVector<StepPart> parts;

  /// Points next to either end of an axis that are computed step by step: for
  /// every level (of level 0 the points that are copied), for every axis.
  std::vector<AxisWidths> rims;

  /// How far the composed sum reads along the axis of a rim at once; with a
  /// tolerance, its taps by offset, and what it adds.
  RimReach reach;
  std::map<int64_t, long double> cutTaps;
  long double cutConstant = 0;

  /// How the rim is computed; by steps, `rims` has all levels, else the last
  /// one only, and of chained steps level 0, which is copied.
  ComposedRim rim = ComposedRim::Steps;
  /// Of chained steps at once: how far the fields of the rim reach beyond the
  /// interior, in which every step may be computed.
  SmallVector<int64_t> margins;
  /// Of a rim at once that is not periodic: its matrices, whose elements fit
  /// the type of the fields.
  RimMatrix lowerRim, upperRim;

  /// Steps that must be left for the end, so that both fields and their halos
  /// are what they would have been.
  unsigned tail = 1;
  /// Both fields, and what they hold, are those of the program after the steps;
  /// else all that is taken from them is the state.
  bool keepsPlaces = true;

  /// The boxes of a level's rim, disjoint: slabs that nest.
  SmallVector<BoundsAttr> getRim(unsigned level) const {
    return rims[level].getSlabs(time.interior);
  }
  /// What is beyond one side of an axis; kept, if nothing is said of it.
  HaloRule getRule(int64_t axis, bool upper) const;
  /// How far the step reads towards one side of an axis.
  int64_t getReach(int64_t axis, bool upper) const {
    return upper ? above[axis] : below[axis];
  }
  /// Whether one of the steps for a box reads beyond the interior.
  bool isNear(BoundsAttr box, int64_t axis, bool upper) const;
  /// Of the interior, for what a step reads of the halo on one side.
  int64_t countSources(int64_t axis, bool upper) const;
  bool readsMoreThanState() const;
  /// Of steps that are stages of a walk: how far a level is ahead of the last
  /// one, and how many planes of it the next one reads.
  int64_t getLead(unsigned level, int64_t axis) const {
    return (steps - level) * above[axis];
  }
  int64_t countPlanes(int64_t axis) const {
    return below[axis] + above[axis] + 1;
  }
  /// The points at which the composed sum is taken.
  BoundsAttr getCore() const { return rims[steps].getCore(time.interior); }
  /// The type of the fields that hold rims, of one step at a time, and of all
  /// at once.
  FieldType getRimType() const;
  FieldType getEdgeType() const;
  bool hasRim() const { return !getRim(steps).empty(); }
  bool hasImages() const { return !images.isEmpty(); }
  /// Points of a row that are a sector of memory; 0 if that is not known.
  int64_t countSectorPoints() const;
  /// Whether what is around the interior along an axis is in windows, in the
  /// steps, or in the fields as images.
  bool isInWindows(int64_t axis) const;
  /// Whether what is beyond one side of an axis is read, and follows from the
  /// points next to it.
  bool followsFromInside(int64_t axis, bool upper) const;
  bool followsFromInside() const;
  /// What is around the interior and read on one side of an axis: the points of
  /// which that axis is the last one along which they are outside.
  BoundsAttr getHalo(int64_t axis, bool upper) const;

  /// Of a rim at once: whether it is that of a periodic axis; the type of the
  /// field that has what is read for it, with as many points of its own outside
  /// of the interior; and how many points it has.
  bool isPeriodic() const;
  FieldType getWideType(int64_t outsideLower, int64_t outsideUpper) const;
  int64_t getLowerWidth() const { return rims[steps].lower[0]; }
  int64_t getUpperWidth() const { return rims[steps].upper[0]; }
};

/// What stencil-compose-steps and stencil-block-time are asked for.
struct CompositionRequest {
  unsigned steps = 0;
  ComposedRim rim = ComposedRim::Auto;
  /// The part of the magnitudes of a composed sum that its ends may have.
  double tolerance = 0;
  MathMode math = MathMode::Contract;
  /// Each step is a value that the next one reads; no sum is needed then.
  bool isChained = false;
  /// Chained steps are to be stages of pipelines, whose windows have boundaries
  /// where that is possible.
  bool wantsWindows = false;
  /// Chained steps are to have their halos, where conditions allow it.
  bool wantsHaloInSteps = false;
  /// The fields may get room for the images of periodic axes.
  bool canHaveRoom = false;
  /// The fields are those of a loop that giveRoom has made.
  bool hasOwnFields = false;
};

/// Plans the composition of steps of `loop`. If that is not possible, says why
/// not.
std::optional<StepComposition>
planComposition(mlir::scf::ForOp loop, const CompositionRequest &request,
                FieldAliasAnalysis &aliases, NoTimeLoop &why);

/// Takes the steps of a loop in fields with room for the images that a plan
/// has, but for the last two or three. The loop that does so, before the other
/// one.
mlir::scf::ForOp giveRoom(const StepComposition &plan);

/// Emits an error that says what cannot be done to a loop, and why.
LogicalResult refuseLoop(mlir::scf::ForOp loop, const llvm::Twine &what,
                         const NoTimeLoop &why);

/// Puts the composed loop before the loop, which does the steps that are left.
/// Of chained steps, the apply that takes all of them has the schedule of the
/// step.
void composeSteps(const StepComposition &plan, MathMode math);

} // namespace stencil

#endif // STENCIL_LIB_TRANSFORMS_STEPS_STEPCOMPOSITION_H
