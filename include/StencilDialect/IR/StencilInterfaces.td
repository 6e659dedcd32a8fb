//===- StencilInterfaces.td - Interfaces of attributes ------*- tablegen -*-===//

#ifndef STENCILDIALECT_IR_STENCILINTERFACES_TD
#define STENCILDIALECT_IR_STENCILINTERFACES_TD

include "mlir/IR/OpBase.td"

def Stencil_ConditionAttrInterface : AttrInterface<"ConditionAttrInterface"> {
  let cppNamespace = "::stencil";
  let description = [{
    A boundary condition, as `stencil.boundary` and windows have them. All that
    anybody asks of it is its rule (HaloRule.h), so that the attribute may be of
    any dialect. Ops check that a rule is within its limits.
  }];
  let methods = [
    InterfaceMethod<"What it puts into a halo.", "::stencil::HaloRule", "getRule">
  ];
}

#endif // STENCILDIALECT_IR_STENCILINTERFACES_TD
