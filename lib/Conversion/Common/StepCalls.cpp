//===- StepCalls.cpp - Calls that say how far a program is ----------------===//

#include "StencilDialect/Conversion/StepCalls.h"
#include "mlir/Dialect/LLVMIR/FunctionCallUtils.h"
#include "mlir/IR/BuiltinOps.h"

using namespace mlir;
using namespace stencil;

LLVM::CallOp stencil::callStepFunction(OpBuilder &builder, Location loc,
                                       llvm::StringRef name,
                                       ValueRange operands) {
  auto module =
      builder.getInsertionBlock()->getParentOp()->getParentOfType<ModuleOp>();
  auto function = module.lookupSymbol<LLVM::LLVMFuncOp>(name);
  if (!function) {
    OpBuilder atBegin = OpBuilder::atBlockBegin(module.getBody());
    function = LLVM::LLVMFuncOp::create(
        atBegin, builder.getUnknownLoc(), name,
        LLVM::LLVMFunctionType::get(
            LLVM::LLVMVoidType::get(builder.getContext()),
            llvm::to_vector(operands.getTypes())));
  }
  return LLVM::CallOp::create(builder, loc, function, operands);
}

bool stencil::isStepCount(Operation *op) {
  auto call = dyn_cast<LLVM::CallOp>(op);
  return call && call.getCallee() == kCountSteps;
}

bool stencil::isLaunchedStepCount(Operation *op) {
  auto call = dyn_cast<LLVM::CallOp>(op);
  return call && call.getCallee() == kCountLaunchedSteps;
}
