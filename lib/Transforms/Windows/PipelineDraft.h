//===- PipelineDraft.h - A pipeline that is being made ----------*- C++ -*-===//

#ifndef STENCILDIALECT_LIB_TRANSFORMS_PIPELINEDRAFT_H
#define STENCILDIALECT_LIB_TRANSFORMS_PIPELINEDRAFT_H

#include "StencilDialect/Analysis/FieldAlias.h"
#include "StencilDialect/Analysis/PlaneTerms.h"
#include "StencilDialect/IR/MathMode.h"
#include "StencilDialect/IR/PipelinePlan.h"
#include "StencilDialect/IR/Schedule.h"
#include "StencilDialect/IR/StencilOps.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/IRMapping.h"

namespace stencil {

/// What a schedule says to a pipeline: its ops say the rest.
ScheduleAttr getScheduleOfPipeline(ScheduleAttr schedule);

/// A pipeline that computes what a bufferised apply computes: one stage at
/// first, with its body. Strategies put several stages in the place of one;
/// they read loads, and each other's results at any offset and time. At last
/// come the leads, by who reads what, and the windows in between.
class PipelineDraft {
public:
  /// Puts a pipeline with the loads, the stage and the stores before the apply,
  /// whose body becomes the stage's. `prefetch` is how the planes of shared
  /// windows come.
  PipelineDraft(ApplyOp apply, ScheduleAttr schedule, Prefetch prefetch);

  /// The stages, in order. The first operands of each are the inputs of the
  /// apply.
  ArrayRef<ApplyOp> getStages() const { return stages; }

  /// Adds an apply before the stage `of`, with the operands of that, and then
  /// `more`. It has an empty block, and an argument for each.
  ApplyOp addStage(ApplyOp of, mlir::TypeRange results, ValueRange more);

  /// What stands in the body of a stage that was added for `of` for the
  /// arguments of that, and for `values` of its body, which the further
  /// operands are: what these are at the point. Is read where the builder is.
  mlir::IRMapping mapInto(ApplyOp of, ApplyOp stage, ValueRange values = {});

  /// Removes a stage. `results` are what others read instead.
  void replaceStage(ApplyOp stage, ValueRange results);

  /// Where a value that a stage makes is kept if somebody reads it at other
  /// points; by default in registers.
  void setSpace(Value made, Space space) { spaces[made] = space; }

  /// Whether a result of a stage is for stores to fields only that nothing else
  /// of the pipeline reads or stores to: they may come at any time.
  bool isStoredAlone(Value result);

  /// Gives the stages the least leads with which all is there when it is read.
  /// What other threads write to shared memory is there one iteration later,
  /// without a barrier in between. Before, it gives them the skews that the
  /// schedule asks for; fails where it can give none.
  LogicalResult assignLeads();

  /// True if an input of a shared window is read at planes after the one that a
  /// stage computes.
  bool isReadAhead(ApplyOp stage, unsigned input);

  /// Expands the sums of a stage. Then, of inputs that `isQueued` takes, points
  /// without an offset in the plane are read from a queue in registers.
  LogicalResult readQueues(ApplyOp stage,
                           function_ref<bool(unsigned)> isQueued);

  /// The same for all inputs of whose column, the points without an offset in
  /// the plane, the stage reads several planes.
  LogicalResult readColumns(ApplyOp stage);

  /// Makes a stage read in memory what it reads of an input of a shared window
  /// in a branch, at neighbours only, if other stages read planes ahead of it:
  /// for the points that take the branch, no window keeps planes.
  LogicalResult readBranches(ApplyOp stage);

  /// Puts the windows in between, and removes the apply. Fails with an error at
  /// the apply if the planes that the schedule gives a window are too few.
  LogicalResult finish();

  ApplyOp apply;
  ScheduleAttr schedule;
  Prefetch prefetch;
  std::optional<int64_t> axis;
  /// Planes that an iteration of the walk is for.
  int64_t step;
  /// In the block of the pipeline, at its end.
  OpBuilder builder;

  /// The kind of window that input number `input` of the apply is to have.
  Space getWindow(unsigned input) const { return windows[input]; }

  /// Puts the shared window of an input into a group.
  void setGroup(unsigned input, int64_t group) { groups[input] = group; }

  /// The input that an argument of a stage is a queue of; nothing if it is
  /// none.
  std::optional<unsigned> getQueued(mlir::BlockArgument argument) const;

  /// Types of what a stage makes of values of the body; of one that may be
  /// nothing, as if it were there.
  SmallVector<Type> getTempTypes(ValueRange values);

private:
  /// The planes of a load that are read, counted from the plane of the
  /// iteration, by those who read a queue and by all others.
  struct Reads {
    std::optional<PlaneRange> queued, others;

    /// What a window has to have that a queue is filled from.
    void addQueueSource();
    int64_t getSpan() const { return others->last - others->first; }
  };
  /// How many planes shared windows have, and how many planes ahead of the
  /// newest one that is read they are.
  struct Ring {
    int64_t depth, ahead;
  };

  /// Who reads a value that a stage makes, or an accumulation: planes from
  /// `oldest` on, counted from that of the iteration; `needed` is the lead that
  /// the value must have.
  struct Reader {
    mlir::OpOperand *use;
    int64_t oldest, needed;
    /// At its own point only.
    bool isHere;
    /// In rows beside those of a thread, which others give it.
    bool isBeside = false;
  };

  Reader getReader(mlir::OpOperand &use);
  std::optional<int64_t> findNewestBeside(ApplyOp stage, unsigned input) const;
  int64_t getLead(Operation *op) const { return leads.lookup(op); }
  bool raiseLeads();
  LogicalResult assignSkews();
  bool raiseHops();
  OffsetBox getReads(ApplyOp stage, unsigned operand);
  void keepResults();
  Reads collectReads(unsigned input);
  FailureOr<Ring> planRing(ArrayRef<Reads> reads);
  void addWindows(unsigned input, const Reads &reads, Ring ring);
  WindowOp addWindow(Space space, Value value, int64_t depth, int64_t lead);
  void replaceReads(unsigned input, Value value, bool isQueue);
  void readApart(ApplyOp stage, unsigned input,
                 llvm::DenseSet<Value> &arguments,
                 function_ref<bool(AccessOp)> taken);
  bool isShared(unsigned input) const {
    return windows[input] == Space::Shared;
  }
  bool isInGroupOfWalk(unsigned input) const {
    return axis && groups.contains(input);
  }

  PipelineOp pipeline;
  SmallVector<ApplyOp> stages;
  /// Per operand of the apply: a load, or a scalar.
  SmallVector<Value> inputs;
  SmallVector<Space> windows;
  /// Of inputs that are in groups.
  DenseMap<unsigned, int64_t> groups;
  /// Of values that stages make.
  DenseMap<Value, Space> spaces;
  /// Of stages, and of accumulations when they are complete.
  DenseMap<Operation *, int64_t> leads;
  /// Of stages and accumulations: values before it, one of the other, that are
  /// read beside a point of a row. They are skewed by so many times as much.
  DenseMap<Operation *, int64_t> hops;
  FieldAliasAnalysis aliases;
  /// Arguments of stages that are queues, and those that are read in memory
  /// whatever the window of their input.
  llvm::DenseSet<Value> queues, direct;
};

} // namespace stencil

#endif // STENCILDIALECT_LIB_TRANSFORMS_PIPELINEDRAFT_H
