//===- OpTraits.td - Kinds of ops --------------------------*- tablegen -*-===//
//
// IR/OpTraits.h says what each of them means.
//
//===----------------------------------------------------------------------===//

#ifndef STENCILDIALECT_IR_OPTRAITS_TD
#define STENCILDIALECT_IR_OPTRAITS_TD

include "mlir/IR/OpBase.td"

class Stencil_Trait<string name> : NativeOpTrait<name> {
  let cppNamespace = "::stencil";
}

def Stencil_HasScalarBody : Stencil_Trait<"HasScalarBody">;
def Stencil_KernelLike : Stencil_Trait<"KernelLike">;
def Stencil_StageLike : Stencil_Trait<"StageLike">;
def Stencil_HandlesValues : Stencil_Trait<"HandlesValues">;
def Stencil_ForwardsValues : Stencil_Trait<"ForwardsValues">;
def Stencil_FieldView : Stencil_Trait<"FieldView">;

#endif // STENCILDIALECT_IR_OPTRAITS_TD
