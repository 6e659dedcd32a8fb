//===- StencilTypes.td - Types of the stencil dialect -------*- tablegen -*-===//

#ifndef STENCILDIALECT_IR_STENCILTYPES_TD
#define STENCILDIALECT_IR_STENCILTYPES_TD

include "StencilDialect/IR/StencilDialect.td"
include "mlir/IR/AttrTypeBase.td"

class Stencil_GridType<string name, string typeMnemonic>
    : TypeDef<Stencil_Dialect, name> {
  let mnemonic = typeMnemonic;
  let parameters = (ins "int64_t":$rank, "::stencil::BoundsAttr":$bounds,
                        "::mlir::Type":$elementType);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  let skipDefaultBuilders = 1;
  let builders = [
    TypeBuilderWithInferredContext<(ins "::stencil::BoundsAttr":$bounds,
                                        "::mlir::Type":$elementType), [{
      return $_get(elementType.getContext(), bounds.getRank(), bounds, elementType);
    }]>,
    TypeBuilderWithInferredContext<(ins "int64_t":$rank,
                                        "::mlir::Type":$elementType), [{
      return $_get(elementType.getContext(), rank, BoundsAttr(), elementType);
    }]>
  ];
}

def Stencil_FieldType : Stencil_GridType<"Field", "field"> {
  let summary = "the storage of a grid, halo included";
  let description = [{
    `!stencil.field<[-4,68]x[-4,68]xf64>` has the points `[-4,68) x [-4,68)`.
    `!stencil.field<?x?xf64>` is a field whose bounds are not known here; it has
    to be cast before it is loaded or stored. `!stencil.field<[-4,?+4]xf64>` is
    the storage of an axis with N interior points and a halo of four, where N
    becomes known at run time. N belongs to the axis: it is the same for all
    fields of a function. A field lowers to a memref of row-major layout in
    which the point c is at index c - lb.
  }];
}

def Stencil_TempType : Stencil_GridType<"Temp", "temp"> {
  let summary = "a value on a box of grid points";
  let description = [{
    `!stencil.temp<?x?xf64>` is a value whose box is to be inferred
    (`stencil-infer-shapes`). It is a value: whether it ever is in memory is the
    compiler's choice.
  }];
}

def Stencil_ResultType : TypeDef<Stencil_Dialect, "Result"> {
  let mnemonic = "result";
  let summary = "what an apply hands to its result at one point: a value or nothing";
  let parameters = (ins "::mlir::Type":$elem);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
}

// Constraints of C++ type mlir::Type, so that types are printed with their
// full name, as xDSL expects.
class Stencil_IsA<string cppName, string summary>
    : Type<CPred<"::llvm::isa<::stencil::" # cppName # ">($_self)">, summary>;
def Stencil_Field : Stencil_IsA<"FieldType", "stencil.field">;
def Stencil_Temp : Stencil_IsA<"TempType", "stencil.temp">;
def Stencil_Result : Stencil_IsA<"ResultType", "stencil.result">;
def Stencil_FieldOrTemp : AnyTypeOf<[Stencil_Field, Stencil_Temp],
    "stencil.field or stencil.temp">;

#endif // STENCILDIALECT_IR_STENCILTYPES_TD
