//===- RuntimeCall.cpp - Calls of the runtime library ---------------------===//

#include "StencilDialect/Conversion/RuntimeCall.h"

using namespace mlir;

func::CallOp stencil::callRuntime(OpBuilder &builder, Location loc,
                                  StringRef name, TypeRange results,
                                  ValueRange operands) {
  auto module =
      builder.getInsertionBlock()->getParentOp()->getParentOfType<ModuleOp>();
  if (!module.lookupSymbol(name)) {
    // First, so that gpu-to-llvm finds what it needs.
    OpBuilder atBegin = OpBuilder::atBlockBegin(module.getBody());
    auto declaration = func::FuncOp::create(
        atBegin, builder.getUnknownLoc(), name,
        builder.getFunctionType(operands.getTypes(), results));
    declaration.setPrivate();
  }
  return func::CallOp::create(builder, loc, name, results, operands);
}
