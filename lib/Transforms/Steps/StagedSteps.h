//===- StagedSteps.h - T steps of several states as stages ------*- C++ -*-===//
//
// What stencil-block-time is to do with a loop whose step is computed from
// several states (waves), or by several applies (fields that read each other,
// chains). The step is run T times on names: which value each position has,
// who makes it, and who reads it where.
//
//===----------------------------------------------------------------------===//

#ifndef STENCIL_LIB_TRANSFORMS_STEPS_STAGEDSTEPS_H
#define STENCIL_LIB_TRANSFORMS_STEPS_STAGEDSTEPS_H

#include "StencilDialect/Analysis/TimeLoop.h"
#include "StencilDialect/IR/PipelinePlan.h"
#include "StepBodies.h"
#include "mlir/IR/IRMapping.h"

#include <vector>

namespace stencil {

/// A value that T steps make, or begin with.
struct StagedValue {
  /// Its number among the stages, and among the results of that; of what is
  /// there at the beginning: none, and the position of its field.
  std::optional<unsigned> stage;
  unsigned result = 0;
  /// The position at the beginning of the field that it is stored to; of that
  /// are the halos that are kept.
  std::optional<unsigned> owner;
  /// What gives its halo values; null: nothing does.
  BoundaryOp boundary;
  /// A stage reads beyond the interior what its field has there.
  bool needsHalo = false;
  /// A stage reads around a point what has not been in a field.
  bool isReadBare = false;
  /// A stage reads it at all.
  bool isRead = false;
  /// The offsets at which stages read it, and what a walk keeps of it.
  OffsetBox reads;
  int64_t lead = 0, oldest = 0;
  bool needsWindow = false;
  /// Points for which the rim needs it.
  AxisWidths rim;

  bool isFirst() const { return !stage; }
  /// Whether something of the halo that is read keeps its values.
  bool keepsHalo() const;
};

/// What an argument of a stage is.
struct StageInput {
  /// The value; none: a scalar, or a field that does not change.
  std::optional<unsigned> value;
  /// Whether it comes from a field; and the position of that at the beginning:
  /// none of one that the loop does not carry.
  bool isLoaded = false;
  std::optional<unsigned> owner;
  /// Of a value: the offsets at which it is read.
  OffsetBox reads;
};

/// An apply of one of the steps.
struct Stage {
  ApplyOp op;
  /// From 1 to T.
  unsigned step = 0;
  /// Points next to either end of each axis for which the rim needs it.
  AxisWidths rim;
  /// By argument.
  SmallVector<StageInput> inputs;
  /// By result.
  SmallVector<unsigned> results;
  int64_t lead = 0;
};

/// Numbers of values and stages are places in the lists.
struct StagedSteps {
  TimeLoop time;
  unsigned steps = 0;
  bool inPipeline = true;
  std::vector<StagedValue> values;
  std::vector<Stage> stages;

  /// By position: whether steps store to its field, in this step or in others;
  /// and whether a step reads what is there at its beginning, or a later one
  /// does before it is stored to.
  SmallVector<bool> isState, isLive;
  /// By position, where that is so: the value that is there after T steps.
  SmallVector<std::optional<unsigned>> last;
  /// By position: where the field was that is there after T steps, and where
  /// the field is then that was there.
  SmallVector<unsigned> origins, moved;

  /// The boundaries that are set before T steps, by position.
  SmallVector<std::pair<BoundaryOp, unsigned>> boundaries;
  /// Steps that must be left for the end, so that all fields and their halos
  /// are what they would have been.
  unsigned tail = 1;
  /// After T steps the program has its states in fields that T steps do not
  /// read. Else every other iteration has them in other fields.
  bool writesApart = false;
  /// By position: that of a field of the program that stands in for it then;
  /// or whether one has to be made.
  SmallVector<std::optional<unsigned>> others;
  SmallVector<bool> needsOther;

  /// The farthest that a stage reads along an axis.
  SmallVector<int64_t> below, above;

  /// Points that are computed step by step, in fields of their own: along
  /// axes whose boundary is not in windows.
  AxisWidths rim;
  bool hasRim() const { return !rim.isEmpty(); }
  /// Why it cannot be computed so; empty if it can.
  NoTimeLoop whyNoRim;
  /// The points that stages are stored at.
  BoundsAttr getCore() const { return rim.getCore(time.interior); }

  int64_t getRank() const { return time.interior.getRank(); }
  bool keepsHalos() const;
};

/// Whether the step is computed from several states or fields, or by several
/// applies; StepComposition.h is for others.
bool hasSeveralStates(const TimeLoop &time);

/// How T steps are to be taken.
struct StagesRequest {
  unsigned steps = 0;
  /// As stages of a pipeline, which walk along this axis, if any; else in one
  /// apply.
  bool inPipeline = true;
  std::optional<int64_t> axis;
  /// What is near any boundary is computed step by step; else windows have the
  /// boundary, and there is a rim near periodic ends only.
  bool hasWholeRim = false;
};

/// Finds the fields that T steps store to, and how many steps must be left.
/// False if the program's fields do not come back to their places.
bool placeStates(StagedSteps &plan, FieldAliasAnalysis &aliases,
                 NoTimeLoop &why);

/// Finds which points T steps are not taken for at once, and which other ones
/// are needed for these in each step. False if the interior is too small.
bool planRim(StagedSteps &plan, bool isWhole, NoTimeLoop &why);

/// Plans steps of `loop`. If that is not possible, says why not.
std::optional<StagedSteps> planStages(mlir::scf::ForOp loop,
                                      const StagesRequest &request,
                                      FieldAliasAnalysis &aliases,
                                      NoTimeLoop &why);

/// Puts a loop of T steps at once before the loop, which does the steps that
/// are left. `schedule` is that of the pipeline; or, if it is not null, of the
/// apply that takes all steps.
void stageSteps(const StagedSteps &plan, ScheduleAttr schedule);

/// The rim of steps of several states: the program itself, step by step, on
/// copies of its fields, over slabs that shrink from step to step. Lists of
/// fields are by position.
class StagedRim {
public:
  StagedRim(const StagedSteps &plan, ImplicitLocOpBuilder &builder)
      : plan(plan), builder(builder) {}

  /// Fields for it, outside of all loops, with the halos of those with which
  /// the program begins.
  SmallVector<Value> makeFields(ValueRange program);

  /// T steps in `rim`, of what `from` has, to `targets`. After it, `rim` has
  /// the fields where they are then. `scalars` are by step.
  void build(ArrayRef<Value> from, ArrayRef<Value> targets,
             SmallVectorImpl<Value> &rim, ArrayRef<mlir::IRMapping> scalars);

private:
  void runStep(SmallVectorImpl<Value> &rim);
  ApplyOp compute(unsigned stage, BoundsAttr box, ArrayRef<Value> rim);
  void copy(Value source, BoundsAttr box, Value field);
  std::optional<unsigned> getPosition(Value field) {
    return plan.time.getPosition(field, aliases);
  }

  const StagedSteps &plan;
  ImplicitLocOpBuilder &builder;
  FieldAliasAnalysis aliases;
  ArrayRef<Value> from;
  ArrayRef<mlir::IRMapping> scalars;
  /// The number of the next stage.
  unsigned next = 0;
};

/// Copies what is around the interior, as far as a field has it.
void copyHalo(const StagedSteps &plan, OpBuilder &builder, Value field,
              Value source);

} // namespace stencil

#endif // STENCIL_LIB_TRANSFORMS_STEPS_STAGEDSTEPS_H
