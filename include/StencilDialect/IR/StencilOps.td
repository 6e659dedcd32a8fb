//===- StencilOps.td - Operations of the stencil dialect ----*- tablegen -*-===//

#ifndef STENCILDIALECT_IR_STENCILOPS_TD
#define STENCILDIALECT_IR_STENCILOPS_TD

include "StencilDialect/IR/StencilAttrs.td"
include "StencilDialect/IR/StencilTypes.td"
include "mlir/Dialect/Arith/IR/ArithBase.td"
include "mlir/Dialect/Arith/IR/ArithOpsInterfaces.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "mlir/IR/BuiltinTypes.td"
include "mlir/IR/CommonAttrConstraints.td"
include "mlir/IR/RegionKindInterface.td"

class Stencil_Op<string opMnemonic, list<Trait> traits = []>
    : Op<Stencil_Dialect, opMnemonic, traits>;

// Constraints of C++ type mlir::Type, so that types are printed with their
// full name, as xDSL expects.
class Stencil_IsA<string cppName, string summary>
    : Type<CPred<"::llvm::isa<::stencil::" # cppName # ">($_self)">, summary>;
def Stencil_Field : Stencil_IsA<"FieldType", "stencil.field">;
def Stencil_Temp : Stencil_IsA<"TempType", "stencil.temp">;
def Stencil_Result : Stencil_IsA<"ResultType", "stencil.result">;
def Stencil_FieldOrTemp : AnyTypeOf<[Stencil_Field, Stencil_Temp],
    "stencil.field or stencil.temp">;

/// The result has the element type of a field or temp operand.
class ElementTypeOf<string grid, string value>
    : TypesMatchWith<"type of " # value # " to be the element type of " # grid,
                     grid, value,
                     "::mlir::cast<::stencil::GridType>($_self).getElementType()">;

include "StencilDialect/IR/FieldOps.td"
include "StencilDialect/IR/ValueOps.td"
include "StencilDialect/IR/ReductionOps.td"
include "StencilDialect/IR/PipelineOps.td"

#endif // STENCILDIALECT_IR_STENCILOPS_TD
