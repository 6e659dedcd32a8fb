//===- RuntimeCall.cpp - Calls of the runtime library ---------------------===//

#include "StencilDialect/Conversion/RuntimeCall.h"
#include "mlir/Dialect/LLVMIR/FunctionCallUtils.h"
#include "mlir/IR/BuiltinOps.h"

using namespace mlir;
using namespace stencil;

static ModuleOp getModule(OpBuilder &b) {
  return b.getInsertionBlock()->getParentOp()->getParentOfType<ModuleOp>();
}

func::CallOp stencil::callRuntime(ImplicitLocOpBuilder &b, StringRef name,
                                  TypeRange results, ValueRange operands) {
  ModuleOp module = getModule(b);
  if (!module.lookupSymbol(name)) {
    // First, so that gpu-to-llvm finds what it needs.
    OpBuilder atBegin = OpBuilder::atBlockBegin(module.getBody());
    auto declaration =
        func::FuncOp::create(atBegin, b.getUnknownLoc(), name,
                             b.getFunctionType(operands.getTypes(), results));
    declaration.setPrivate();
  }
  return func::CallOp::create(b, name, results, operands);
}

LLVM::CallOp stencil::callStepFunction(ImplicitLocOpBuilder &b, StringRef name,
                                       ValueRange operands) {
  ModuleOp module = getModule(b);
  auto function = module.lookupSymbol<LLVM::LLVMFuncOp>(name);
  if (!function) {
    OpBuilder atBegin = OpBuilder::atBlockBegin(module.getBody());
    function = LLVM::LLVMFuncOp::create(
        atBegin, b.getUnknownLoc(), name,
        LLVM::LLVMFunctionType::get(LLVM::LLVMVoidType::get(b.getContext()),
                                    llvm::to_vector(operands.getTypes())));
  }
  return LLVM::CallOp::create(b, function, operands);
}

bool stencil::callsStepFunction(Operation *op, StringRef name) {
  auto call = dyn_cast<LLVM::CallOp>(op);
  return call && call.getCallee() == name;
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
