//===- LowerPrefetches.cpp - Prefetches on NVIDIA's GPUs ------------------===//

#include "StencilDialect/Conversion/Passes.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

namespace stencil {
#define GEN_PASS_DEF_STENCILLOWERPREFETCHES
#include "StencilDialect/Conversion/Passes.h.inc"
} // namespace stencil

using namespace mlir;

namespace {
struct LowerPrefetches
    : stencil::impl::StencilLowerPrefetchesBase<LowerPrefetches> {
  void runOnOperation() override {
    getOperation()->walk([](LLVM::Prefetch op) {
      // Buffers are in global memory, which only loads and stores of generic
      // pointers would find out.
      constexpr unsigned kGeneric = 0;
      auto global = static_cast<unsigned>(NVVM::NVVMMemorySpace::Global);
      Value address = op.getAddr();
      unsigned space =
          cast<LLVM::LLVMPointerType>(address.getType()).getAddressSpace();
      if (space != global && space != kGeneric)
        return;
      OpBuilder builder(op);
      if (space == kGeneric)
        address = LLVM::AddrSpaceCastOp::create(
            builder, op.getLoc(),
            LLVM::LLVMPointerType::get(op.getContext(), global), address);
      NVVM::PrefetchOp::create(
          builder, op.getLoc(),
          NVVM::PrefetchCacheLevelAttr::get(op.getContext(),
                                            NVVM::PrefetchCacheLevel::L2),
          /*evictPriority=*/nullptr, address, /*predicate=*/Value(),
          /*tensormap=*/nullptr, /*uniform=*/nullptr,
          /*in_param_space=*/nullptr);
      op.erase();
    });
  }
};
} // namespace
