//===- ComposedParts.h - The parts of a composed loop -----------*- C++ -*-===//
//
// An iteration has a core, where all steps are taken at once, and a rim near
// boundaries. `first` are the fields that are carried into the loop, `fields`
// those of an iteration; `state` has been loaded from `fields.now`.
//
//===----------------------------------------------------------------------===//

#ifndef STENCILDIALECT_LIB_TRANSFORMS_COMPOSEDPARTS_H
#define STENCILDIALECT_LIB_TRANSFORMS_COMPOSEDPARTS_H

#include "StepWriter.h"

namespace stencil {

/// Fields of a rim; null where it has none.
struct RimFields {
  /// For odd and even levels.
  mlir::Value odd, even;
  /// Of a sum of a rim at once: what is read for it.
  mlir::Value wide;
};

/// All steps on a box as one sum: in a copy of the step, so that its scalars
/// are there.
void stepComposed(StepWriter &writer, mlir::Value source, BoundsAttr box,
                  mlir::Value field);

/// Chained steps of a rim at once (ComposedEdges.cpp).
RimFields prepareEdges(StepWriter &writer, const StateFields &first);
void buildEdges(StepWriter &writer, const RimFields &rim, mlir::Value state,
                mlir::Value then);

/// A sum of a rim at once (ComposedRim.cpp).
RimFields prepareRim(StepWriter &writer, const StateFields &first);
void buildRim(StepWriter &writer, const RimFields &rim, mlir::Value state,
              const StateFields &fields);

/// Steps that are stages (ComposedPipeline.cpp).
void stepInPipeline(StepWriter &writer, const StateFields &fields,
                    const StateFields &first);
PipelineOp createPipeline(StepWriter &writer, ScheduleAttr schedule,
                          std::optional<int64_t> axis);
/// What a step reads besides the state, in the pipeline.
void loadInputs(StepWriter &writer);
void setStage(const StepWriter &writer, ApplyOp stage, unsigned level,
              std::optional<int64_t> axis);

/// Steps that are stages and have their halos (ComposedWalk.cpp).
void stepInWalk(StepWriter &writer, const StateFields &fields);
/// Constants around both fields, where they stay. A step alone would set those
/// of one field only, but there are several.
void setHalos(StepWriter &writer, const StateFields &first,
              mlir::Value iterations);
/// Whether both fields keep the same values on each side that is kept.
mlir::Value areHalosEqual(StepWriter &writer, const StateFields &first);

} // namespace stencil

#endif // STENCILDIALECT_LIB_TRANSFORMS_COMPOSEDPARTS_H
