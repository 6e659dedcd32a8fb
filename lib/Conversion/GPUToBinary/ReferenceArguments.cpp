//===- ReferenceArguments.cpp - Arguments of which the address is used ----===//
//
// Runs when kernels are functions of the LLVM dialect: conversions of their
// signatures would lose the attributes.
//
//===----------------------------------------------------------------------===//

#include "StencilDialect/Conversion/Passes.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

namespace stencil {
#define GEN_PASS_DEF_STENCILREFERENCEARGUMENTS
#include "StencilDialect/Conversion/Passes.h.inc"
} // namespace stencil

using namespace mlir;

/// True if the body only reinterprets the array, which it cannot as a value.
static bool isReferenced(BlockArgument argument) {
  return isa<LLVM::LLVMArrayType>(argument.getType()) &&
         !argument.use_empty() &&
         llvm::all_of(argument.getUsers(),
                      llvm::IsaPred<UnrealizedConversionCastOp>);
}

/// Alignment of what tensor maps are (CUDA driver API, CUtensorMap).
static constexpr int64_t kAlignment = 64;

static void referenceArgument(LLVM::LLVMFuncOp kernel, BlockArgument argument) {
  Builder builder(kernel.getContext());
  auto set = [&](StringRef name, Attribute value) {
    kernel.setArgAttr(argument.getArgNumber(), name, value);
  };
  set(LLVM::LLVMDialect::getByValAttrName(), TypeAttr::get(argument.getType()));
  set(LLVM::LLVMDialect::getAlignAttrName(),
      builder.getI64IntegerAttr(kAlignment));
  // Else every thread makes a copy of its own.
  set(NVVM::NVVMDialect::getGridConstantAttrName(), builder.getUnitAttr());
  argument.setType(LLVM::LLVMPointerType::get(kernel.getContext()));
  LLVM::LLVMFunctionType type = kernel.getFunctionType();
  SmallVector<Type> inputs(kernel.getBody().front().getArgumentTypes());
  kernel.setFunctionType(LLVM::LLVMFunctionType::get(type.getReturnType(),
                                                     inputs, type.isVarArg()));
}

namespace {

struct ReferenceArguments
    : stencil::impl::StencilReferenceArgumentsBase<ReferenceArguments> {
  void runOnOperation() override {
    for (auto kernel : getOperation().getOps<LLVM::LLVMFuncOp>()) {
      if (kernel.isExternal() ||
          !kernel->hasAttr(NVVM::NVVMDialect::getKernelFuncAttrName()))
        continue;
      for (BlockArgument argument : kernel.getArguments())
        if (isReferenced(argument))
          referenceArgument(kernel, argument);
    }
  }
};

} // namespace
