//===- ScatterStages.h - Stages that add plane by plane ---------*- C++ -*-===//

#ifndef STENCILDIALECT_LIB_TRANSFORMS_SCATTERSTAGES_H
#define STENCILDIALECT_LIB_TRANSFORMS_SCATTERSTAGES_H

#include "PipelineDraft.h"

namespace stencil {

/// Brings stages to the scatter form: stages that read the newest plane only
/// and compute its contributions to all planes, the accumulations of these,
/// and, if the results are more than linear in them, a last stage for the rest.
/// In the semi form a stage computes the contributions to planes behind, and
/// all that the newest plane gets of those behind it. Fails with an error at
/// the last stage of a chain if it cannot be; those before it then stay as they
/// are.
mlir::LogicalResult scatterStages(PipelineDraft &draft, MathMode mode);

} // namespace stencil

#endif // STENCILDIALECT_LIB_TRANSFORMS_SCATTERSTAGES_H
