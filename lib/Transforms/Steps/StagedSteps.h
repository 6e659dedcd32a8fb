//===- StagedSteps.h - T steps of several states as stages ------*- C++ -*-===//
//
// What stencil-block-time is to do with a loop whose step is computed from
// several states (waves), or by several applies (fields that read each other,
// chains). The step is run T times on names: which value each position has,
// who makes it, and who reads it where.
//
//===----------------------------------------------------------------------===//

#ifndef STENCILDIALECT_LIB_TRANSFORMS_STAGEDSTEPS_H
#define STENCILDIALECT_LIB_TRANSFORMS_STAGEDSTEPS_H

#include "StencilDialect/Analysis/TimeLoop.h"
#include "StencilDialect/IR/PipelinePlan.h"

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

  bool isFirst() const { return !stage; }
  /// Whether something of the halo that is read keeps its values.
  bool keepsHalo() const;
};

/// An apply of one of the steps.
struct Stage {
  ApplyOp op;
  /// From 1 to T.
  unsigned step = 0;
  /// By argument: the value that it is; none: a scalar, or a field that does
  /// not change.
  llvm::SmallVector<std::optional<unsigned>> inputs;
  /// By argument: the position at the beginning of the field that it is loaded
  /// from; none: one that the loop does not carry, or a scalar.
  llvm::SmallVector<std::optional<unsigned>> owners;
  /// By result.
  llvm::SmallVector<unsigned> results;
  int64_t lead = 0;
};

/// Numbers of values and stages are places in the lists.
struct StagedSteps {
  TimeLoop time;
  unsigned steps = 0;
  std::vector<StagedValue> values;
  std::vector<Stage> stages;

  /// By position: whether steps store to its field, in this step or in others;
  /// and whether a step reads what is there at its beginning, or a later one
  /// does before it is stored to.
  llvm::SmallVector<bool> isState, isLive;
  /// By position, where that is so: the value that is there after T steps.
  llvm::SmallVector<std::optional<unsigned>> last;
  /// By position: where the field was that is there after T steps, and where
  /// the field is then that was there.
  llvm::SmallVector<unsigned> origins, moved;

  /// The boundaries that are set before T steps, by position.
  llvm::SmallVector<std::pair<BoundaryOp, unsigned>> boundaries;
  /// Steps that must be left for the end, so that all fields and their halos
  /// are what they would have been.
  unsigned tail = 1;
  /// After T steps the program has its states in fields that T steps do not
  /// read. Else every other iteration has them in other fields.
  bool writesApart = false;
  /// By position: that of a field of the program that stands in for it then;
  /// or whether one has to be made.
  llvm::SmallVector<std::optional<unsigned>> others;
  llvm::SmallVector<bool> needsOther;

  /// How far stages read along an axis, together.
  llvm::SmallVector<int64_t> below, above;

  int64_t getRank() const { return time.interior.getRank(); }
  bool keepsHalos() const;
};

/// Whether the step is computed from several states or fields, or by several
/// applies; StepComposition.h is for others.
bool hasSeveralStates(const TimeLoop &time);

/// Plans `steps` steps of `loop` as stages that walk along `axis`, if any. If
/// that is not possible, says why not.
std::optional<StagedSteps> planStages(mlir::scf::ForOp loop, unsigned steps,
                                      std::optional<int64_t> axis,
                                      FieldAliasAnalysis &aliases,
                                      NoTimeLoop &why);

/// Puts a loop of T steps at once before the loop, which does the steps that
/// are left. `schedule` is that of the pipeline.
void stageSteps(const StagedSteps &plan, ScheduleAttr schedule);

} // namespace stencil

#endif // STENCILDIALECT_LIB_TRANSFORMS_STAGEDSTEPS_H
