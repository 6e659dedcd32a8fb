//===- ComposedLoop.h - k steps of a time loop as one -----------*- C++ -*-===//

#ifndef STENCILDIALECT_LIB_TRANSFORMS_COMPOSEDLOOP_H
#define STENCILDIALECT_LIB_TRANSFORMS_COMPOSEDLOOP_H

#include "ComposedForm.h"
#include "StepComposition.h"
#include "mlir/IR/IRMapping.h"

namespace stencil {

class ComposedLoop {
public:
  ComposedLoop(const StepComposition &plan, MathMode math)
      : plan(plan), math(math), loop(plan.time.loop), loc(loop.getLoc()),
        builder(loop) {}
  void build();

private:
  mlir::Value makeField(FieldType type);
  void fillHalo(mlir::Value field, mlir::Value source);
  mlir::Value load(mlir::Value field);
  void copyScalars();
  mlir::Type getValueType(BoundsAttr box) const;
  ApplyOp makeApply(mlir::ValueRange args, BoundsAttr box);
  void setLaunch(ApplyOp apply, RegionLaunch how) const;
  void setEdgeSchedule(ApplyOp apply) const;
  ApplyOp makeStep(mlir::Value source, mlir::Type type);
  ApplyOp step(mlir::Value source, BoundsAttr box, mlir::Value field);
  void stepComposed(mlir::Value source, BoundsAttr box, mlir::Value field);
  void stepChained(mlir::Value source, BoundsAttr box, mlir::Value field);
  void stepCore(mlir::Value source, mlir::Value now, mlir::Value then);
  /// Point p of the field becomes point p + `shift` of the source.
  void copy(mlir::Value source, BoundsAttr box, mlir::Value field,
            int64_t shift = 0);
  void fill(mlir::Value field, BoundsAttr box, mlir::TypedAttr value);
  void setBoundary(mlir::Value field);
  void buildIteration(mlir::Value now, mlir::Value then);

  // ComposedEdges.cpp: chained steps of a rim at once.
  void prepareEdges(mlir::ValueRange fields);
  void buildEdges(mlir::Value state, mlir::Value then);
  void stepEdge(mlir::Value state, mlir::Value kept, BoundsAttr box,
                mlir::Value field);
  ApplyOp makeHalo(mlir::Value source, mlir::Value kept, int64_t axis,
                   BoundsAttr box);
  bool isNear(BoundsAttr box, int64_t axis, bool upper) const;

  // ComposedPipeline.cpp: steps that are stages.
  void stepInPipeline(mlir::Value now, mlir::Value then);
  void loadInputs();
  void setStage(ApplyOp stage, unsigned level);
  mlir::Value keepInWindow(ApplyOp stage, unsigned level,
                           llvm::ArrayRef<mlir::Value> kept);

  // ComposedWalk.cpp: steps that are stages and have their halos.
  void stepInWalk(mlir::Value now, mlir::Value then);
  ApplyOp makeStepWithHalo(mlir::Value source, mlir::Type type);
  BoundsAttr getInner() const;
  void readThroughHalos(PipelineOp pipeline);
  mlir::Value fetchState(mlir::Value state, ScheduleAttr schedule);
  void fetchInputs(ScheduleAttr schedule);
  mlir::Value fetch(mlir::Value state, int64_t depth, int64_t lead,
                    ScheduleAttr schedule);
  void setHalos(mlir::Value iterations);
  mlir::Value areHalosEqual(mlir::Value now, mlir::Value then);

  // ComposedRim.cpp: a sum of a rim at once.
  void prepareRim(mlir::ValueRange fields);
  void copyKeptHalos(mlir::Value now, mlir::Value then, bool isUpper);
  void buildRim(mlir::Value state, mlir::ValueRange fields);
  void applyMatrix(mlir::Value source, bool isUpper, mlir::Value field);
  mlir::Value getIndex(int64_t bound, int64_t axis);
  std::optional<ComposedForm> makeCutForm(ApplyOp apply) const;

  const StepComposition &plan;
  MathMode math;
  mlir::scf::ForOp loop;
  mlir::Location loc;
  mlir::OpBuilder builder;
  /// Fields of the rim, for odd and even levels; null if there is no such
  /// level.
  mlir::Value odd, even;
  /// What is carried into the first iteration: the state, and the older field.
  mlir::Value firstNow, firstThen;
  /// Of steps that are stages: the axis of the walk.
  std::optional<int64_t> axis;
  /// Of a rim at once: what is read for it.
  mlir::Value wide;
  /// Scalars of the loop's body in the composed one.
  mlir::IRMapping scalars;
};

} // namespace stencil

#endif // STENCILDIALECT_LIB_TRANSFORMS_COMPOSEDLOOP_H
