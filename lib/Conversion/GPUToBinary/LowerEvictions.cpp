//===- LowerEvictions.cpp - What the second-level cache gives up last -----===//

#include "StencilDialect/Conversion/Passes.h"
#include "StencilDialect/IR/Schedule.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

namespace stencil {
#define GEN_PASS_DEF_STENCILLOWEREVICTIONS
#include "StencilDialect/Conversion/Passes.h.inc"
} // namespace stencil

using namespace mlir;
using namespace stencil;

/// What `createpolicy.fractional.L2::evict_last.b64` makes of all lines, on
/// sm_90 and later; as in CUTLASS (TMA::CacheHintSm90::EVICT_LAST). A constant
/// takes no registers from one copy to the next.
static constexpr int64_t kEvictLast = 0x14F0000000000000;

namespace {
struct LowerEvictions
    : stencil::impl::StencilLowerEvictionsBase<LowerEvictions> {
  void runOnOperation() override {
    for (auto kernel : getOperation().getOps<gpu::GPUFuncOp>()) {
      auto name = dyn_cast_or_null<StringAttr>(
          kernel->removeDiscardableAttr(kEvictionAttrName));
      if (!name || symbolizeEviction(name.getValue()) != Eviction::Last)
        continue;
      kernel.walk([](NVVM::CpAsyncBulkTensorGlobalToSharedClusterOp copy) {
        if (copy.getL2CacheHint())
          return;
        OpBuilder builder(copy);
        Value policy = LLVM::ConstantOp::create(
            builder, copy.getLoc(), builder.getI64IntegerAttr(kEvictLast));
        copy.getL2CacheHintMutable().assign(policy);
      });
    }
  }
};
} // namespace
