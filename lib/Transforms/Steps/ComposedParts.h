//===- ComposedParts.h - Parts of the loop of composed steps ----*- C++ -*-===//
//
// An iteration has a core, where all steps are taken at once, and a rim near
// boundaries. `first` are the fields that are carried into the loop, `fields`
// those of an iteration; `state` has been loaded from `fields.now`.
//
//===----------------------------------------------------------------------===//

#ifndef STENCIL_LIB_TRANSFORMS_STEPS_COMPOSEDPARTS_H
#define STENCIL_LIB_TRANSFORMS_STEPS_COMPOSEDPARTS_H

#include "StencilDialect/Analysis/LinearForm.h"
#include "StencilDialect/IR/MathMode.h"
#include "StencilDialect/IR/StencilOps.h"
#include "StepComposition.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

#include <optional>
#include <string>

namespace stencil {

/// Where the state is, and where it will be: the two fields of a time loop.
struct StateFields {
  Value now, then;
};

/// Writes the ops of which all parts of a composed loop consist.
struct StepWriter {
  StepWriter(const StepComposition &plan, MathMode math)
      : plan(plan), math(math), loop(plan.time.loop),
        builder(loop.getLoc(), loop) {}

  Location getLoc() const { return builder.getLoc(); }
  Value load(Value field) { return LoadOp::create(builder, field); }
  /// The coordinate that a bound is: an index.
  Value getIndex(int64_t bound, int64_t axis);
  /// What the step computes besides stencils: scalars that it takes.
  void copyScalars();

  Type getElementType() const { return plan.getRimType().getElementType(); }
  /// Of what is computed on a box. By that the slabs of a rim are told apart,
  /// which CSE would join.
  Type getValueType(BoundsAttr box) const {
    return TempType::get(box, getElementType());
  }
  /// All steps, whose stages come next.
  PipelineOp createPipeline();
  /// One step, as the program has it.
  ApplyOp makeStep(Value source, Type type);
  /// One step on a box.
  ApplyOp step(Value source, BoundsAttr box, Value field);
  /// Slabs of one level are one launch, that of the last one beside the apply
  /// that takes all steps.
  void setLaunch(ApplyOp apply, RegionLaunch how) const;

  /// Point p of the field becomes point p + `shift` of the source.
  void copy(Value source, BoundsAttr box, Value field, int64_t shift = 0);
  /// Copies the halo of `source` to that of a field of the rim.
  void fillHalo(Value field, Value source);
  void setBoundary(Value field);
  /// Whether all steps together read beyond one side of an axis.
  bool isNear(int64_t axis, bool upper) const {
    return plan.isNear(part ? part : plan.time.interior, axis, upper);
  }

  const StepComposition &plan;
  MathMode math;
  mlir::scf::ForOp loop;
  ImplicitLocOpBuilder builder;
  /// Scalars of the loop's body in the composed one.
  mlir::IRMapping scalars;
  /// What is stored of steps that have their halos; null: the core.
  BoundsAttr part;
};

/// Fields of a rim; null where it has none.
struct RimFields {
  /// For odd and even levels.
  Value odd, even;
  /// Of a sum of a rim at once: what is read for it.
  Value wide;
};

/// All steps on a box as one sum: in a copy of the step, so that its scalars
/// are there.
void stepComposed(StepWriter &writer, Value source, BoundsAttr box,
                  Value field);

/// Chained steps of a rim at once (ComposedEdges.cpp).
RimFields prepareEdges(StepWriter &writer, const StateFields &first);
void buildEdges(StepWriter &writer, const RimFields &rim, Value state,
                Value then);

/// A sum of a rim at once (ComposedRim.cpp).
RimFields prepareRim(StepWriter &writer, const StateFields &first);
void buildRim(StepWriter &writer, const RimFields &rim, Value state,
              const StateFields &fields);

/// Steps that are stages (ComposedPipeline.cpp).
void stepInPipeline(StepWriter &writer, const StateFields &fields,
                    const StateFields &first);
/// The schedule of the step, which may be null, and the axis of its walk.
ScheduleAttr getSchedule(const StepComposition &plan);
std::optional<int64_t> getWalkAxis(const StepComposition &plan);
/// What a step reads besides the state, in the pipeline.
void loadInputs(StepWriter &writer);
void setStage(const StepWriter &writer, ApplyOp stage, unsigned level,
              std::optional<int64_t> axis);

/// Steps that are stages and have their halos (ComposedWalk.cpp).
void stepInWalk(StepWriter &writer, const StateFields &fields);
/// The state in shared memory, some planes ahead.
Value fetchState(StepWriter &writer, Value state, int64_t axis);
/// Whether a coordinate is none of some, of which there is at least one.
Value isNoneOf(ImplicitLocOpBuilder &body, Value at,
               ArrayRef<int64_t> coordinates);
/// A value, or around the interior what is there after a step: a constant, or
/// of null what was there before. Of a point outside along several axes, it is
/// what the last one of these says. Equal sides beside each other have one
/// select. Where the point is, is said by an offset from that of the body. Of
/// scattered steps, constants beside rows are left to who reads them.
Value chooseHalo(StepWriter &writer, ImplicitLocOpBuilder &body, Value value,
                 ArrayRef<int64_t> offset,
                 function_ref<Value(Attribute)> getBeyond);
/// Says at which points stages choose nothing, if there are any: what they
/// read, or what they are after a step.
void setInner(const StepWriter &writer, PipelineOp pipeline);
/// Has stages choose what they read beyond the sides whose halo follows from
/// points inside. What others say is in what they read.
void readThroughHalos(const StepWriter &writer, PipelineOp pipeline);
/// The same in a plane, of steps that are cut into legs (ComposedLegs.cpp).
void stepInLegs(StepWriter &writer, const StateFields &fields);
/// Whether so many legs can add to partial rows.
bool canScatterLegs(const StepComposition &plan, unsigned legs, MathMode math);
/// Constants around both fields, where they stay. A step alone would set those
/// of one field only, but there are several.
void setHalos(StepWriter &writer, const StateFields &first, Value iterations);
/// Whether both fields keep the same values on each side that is kept.
Value areHalosEqual(StepWriter &writer, const StateFields &first);

/// A step v' = sum of w(i)/s v(i), of u(t) = s^t v(t): a sum whose first tap
/// has the weight one, and an operation less for each point.
struct ScaledStep {
  SmallVector<int64_t> offsets;
  DenseElementsAttr weights;
  /// s^T, for the last one of T steps; or its weights w(i) s^(T-1) if sums are
  /// scattered, whose rows would all be multiplied.
  mlir::TypedAttr whole;
  DenseElementsAttr lastWeights;
  mlir::arith::FastMathFlags flags = mlir::arith::FastMathFlags::none;
  /// s.
  Number factor = Number::get(llvm::APFloat(1.0));

  /// A number times s^power.
  mlir::TypedAttr scale(mlir::TypedAttr number, int64_t power) const;
  /// Has a step return its scaled sum, times s^T where it is the last one.
  void apply(ApplyOp step, unsigned input, bool isLast) const;
};

/// That of `steps` steps, which are linear in their input `input` and read
/// nothing else; of the sum, the largest tap has the weight one, or if sums are
/// scattered over rows the largest one of the first row. Nothing where the
/// order of their sums may not be changed, or too much of the range of their
/// type would be lost.
std::optional<ScaledStep> scaleSteps(ApplyOp step, unsigned input,
                                     unsigned steps, MathMode math,
                                     bool areScattered);

/// Composed sums with more taps would take long to compute, and long to make.
inline constexpr size_t kMaxComposedTaps = 1 << 16;

/// What `steps` steps compute of an input of the step, in the scalars of its
/// body, and the flags that all sums in it have. Nothing if that is no linear
/// function, or too long.
struct ComposedForm {
  explicit ComposedForm(Type type) : form(type) {}
  LinearForm form;
  mlir::arith::FastMathFlags flags = mlir::arith::FastMathFlags::fast;
};
/// The same of one step, as it is multiplied out and before it is rounded.
std::optional<ComposedForm> findStepForm(ApplyOp step, unsigned input,
                                         MathMode math, std::string &why);
std::optional<ComposedForm> composeForm(ApplyOp step, unsigned input,
                                        unsigned steps, MathMode math,
                                        std::string &why);

} // namespace stencil

#endif // STENCIL_LIB_TRANSFORMS_STEPS_COMPOSEDPARTS_H
