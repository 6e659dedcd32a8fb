//===- Passes.td - Conversions from the stencil dialect -----*- tablegen -*-===//

#ifndef STENCILDIALECT_CONVERSION_PASSES_TD
#define STENCILDIALECT_CONVERSION_PASSES_TD

include "StencilDialect/Conversion/CPUPasses.td"
include "StencilDialect/Conversion/GPUPasses.td"
include "StencilDialect/Conversion/BinaryPasses.td"

#endif // STENCILDIALECT_CONVERSION_PASSES_TD
