//===- RequestDeviceArrays.cpp - Fields that stay on the device -----------===//

#include "StencilDialect/Conversion/Passes.h"
#include "StencilDialect/IR/DiscardableAttrs.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace stencil {
#define GEN_PASS_DEF_STENCILREQUESTDEVICEARRAYS
#include "StencilDialect/Conversion/Passes.h.inc"
} // namespace stencil

using namespace mlir;

namespace {

struct RequestDeviceArrays
    : stencil::impl::StencilRequestDeviceArraysBase<RequestDeviceArrays> {
  void runOnOperation() override {
    if (!getOperation().isExternal())
      getOperation()->setAttr(stencil::kDeviceArraysAttr,
                              UnitAttr::get(&getContext()));
  }
};

} // namespace
