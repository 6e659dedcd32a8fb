//===- Stencil.td - All of the stencil dialect ---------------*- tablegen -*-===//
//
// What its reference is made from, and the list of its attributes.
//
//===----------------------------------------------------------------------===//

#ifndef STENCILDIALECT_IR_STENCIL_TD
#define STENCILDIALECT_IR_STENCIL_TD

include "StencilDialect/IR/CPULoops.td"
include "StencilDialect/IR/StencilOps.td"

#endif // STENCILDIALECT_IR_STENCIL_TD
