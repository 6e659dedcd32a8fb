//===- Passes.td - Passes on the stencil dialect ------------*- tablegen -*-===//

#ifndef STENCILDIALECT_TRANSFORMS_PASSES_TD
#define STENCILDIALECT_TRANSFORMS_PASSES_TD

include "mlir/Pass/PassBase.td"
include "StencilDialect/Transforms/ProgramPasses.td"
include "StencilDialect/Transforms/SumPasses.td"
include "StencilDialect/Transforms/LoopPasses.td"
include "StencilDialect/Transforms/BoundaryPasses.td"
include "StencilDialect/Transforms/SchedulePasses.td"
include "StencilDialect/Transforms/WindowPasses.td"
include "StencilDialect/Transforms/LaunchPasses.td"

#endif // STENCILDIALECT_TRANSFORMS_PASSES_TD
