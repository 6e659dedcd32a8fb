//===- DeclareDynamicMemory.cpp - Shared memory that launches provide -----===//

#include "StencilDialect/Conversion/Passes.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

namespace stencil {
#define GEN_PASS_DEF_STENCILDECLAREDYNAMICMEMORY
#include "StencilDialect/Conversion/Passes.h.inc"
} // namespace stencil

using namespace mlir;

/// Shared memory, LDS: number 3 with both vendors.
static constexpr unsigned kSharedSpace = 3;

/// What a bulk tensor copy needs of its target (PTX ISA, "Tensor Memory Access
/// and tensorMap").
static constexpr uint64_t kAlignment = 128;

static bool isDynamic(LLVM::GlobalOp global) {
  auto type = dyn_cast<LLVM::LLVMArrayType>(global.getGlobalType());
  return global.getAddrSpace() == kSharedSpace && type &&
         type.getNumElements() == 0;
}

namespace {

struct DeclareDynamicMemory
    : stencil::impl::StencilDeclareDynamicMemoryBase<DeclareDynamicMemory> {
  void runOnOperation() override {
    for (auto global : getOperation().getOps<LLVM::GlobalOp>()) {
      if (!isDynamic(global))
        continue;
      global.setLinkage(LLVM::Linkage::External);
      global.setDsoLocal(false);
      global.setAlignment(
          std::max(global.getAlignment().value_or(1), kAlignment));
    }
  }
};

} // namespace
