//===- RequestCInterfaces.cpp - Functions for C to call -------------------===//

#include "StencilDialect/Conversion/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

namespace stencil {
#define GEN_PASS_DEF_STENCILREQUESTCINTERFACES
#include "StencilDialect/Conversion/Passes.h.inc"
} // namespace stencil

using namespace mlir;

namespace {

struct RequestCInterfaces
    : stencil::impl::StencilRequestCInterfacesBase<RequestCInterfaces> {
  void runOnOperation() override {
    func::FuncOp function = getOperation();
    if (function.isPublic() && !function.isExternal())
      function->setAttr(LLVM::LLVMDialect::getEmitCWrapperAttrName(),
                        UnitAttr::get(&getContext()));
  }
};

} // namespace
