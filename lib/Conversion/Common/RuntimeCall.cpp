//===- RuntimeCall.cpp - Calls of the runtime library ---------------------===//

#include "StencilDialect/Conversion/RuntimeCall.h"
#include "mlir/Dialect/LLVMIR/FunctionCallUtils.h"
#include "mlir/IR/BuiltinOps.h"

using namespace mlir;
using namespace stencil;

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

std::string stencil::describe(Location loc, const Twine &what) {
  std::string text;
  llvm::raw_string_ostream os(text);
  if (auto file = dyn_cast<FileLineColLoc>(loc))
    os << file.getFilename().getValue() << ':' << file.getLine() << ':'
       << file.getColumn() << ": ";
  os << what;
  return text;
}
