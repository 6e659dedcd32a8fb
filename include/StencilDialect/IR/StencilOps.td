//===- StencilOps.td - Operations of the stencil dialect ----*- tablegen -*-===//

#ifndef STENCILDIALECT_IR_STENCILOPS_TD
#define STENCILDIALECT_IR_STENCILOPS_TD

include "StencilDialect/IR/BodyInterfaces.td"
include "StencilDialect/IR/OpTraits.td"
include "StencilDialect/IR/StencilAttrs.td"
include "StencilDialect/IR/StencilTypes.td"
include "mlir/Dialect/Arith/IR/ArithBase.td"
include "mlir/Dialect/Arith/IR/ArithOpsInterfaces.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "mlir/IR/BuiltinTypes.td"
include "mlir/IR/CommonAttrConstraints.td"
include "mlir/IR/RegionKindInterface.td"
include "mlir/IR/SymbolInterfaces.td"

class Stencil_Op<string opMnemonic, list<Trait> traits = []>
    : Op<Stencil_Dialect, opMnemonic, traits>;

/// The result has the element type of a field or temp operand.
class ElementTypeOf<string grid, string value>
    : TypesMatchWith<"type of " # value # " to be the element type of " # grid,
                     grid, value,
                     "::mlir::cast<::stencil::GridType>($_self).getElementType()">;

include "StencilDialect/IR/FieldOps.td"
include "StencilDialect/IR/ValueOps.td"
include "StencilDialect/IR/ReductionOps.td"
include "StencilDialect/IR/PipelineOps.td"
include "StencilDialect/IR/LaunchOps.td"

#endif // STENCILDIALECT_IR_STENCILOPS_TD
