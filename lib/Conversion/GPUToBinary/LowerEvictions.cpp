//===- LowerEvictions.cpp - What the second-level cache gives up last -----===//

#include "StencilDialect/Conversion/Passes.h"
#include "StencilDialect/IR/Schedule.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "llvm/Support/FormatVariadic.h"

namespace stencil {
#define GEN_PASS_DEF_STENCILLOWEREVICTIONS
#include "StencilDialect/Conversion/Passes.h.inc"
} // namespace stencil

using namespace mlir;
using namespace stencil;

/// What `createpolicy.fractional.L2::evict_last.b64` makes of all lines, from
/// sm_80 on; as in CUTLASS (TMA::CacheHintSm90::EVICT_LAST). A constant takes
/// no registers from one copy to the next.
static constexpr int64_t kEvictLast = 0x14F0000000000000;

static Value makePolicy(OpBuilder &builder, Location loc) {
  return LLVM::ConstantOp::create(builder, loc,
                                  builder.getI64IntegerAttr(kEvictLast));
}

static void keep(NVVM::CpAsyncBulkTensorGlobalToSharedClusterOp copy) {
  if (copy.getL2CacheHint())
    return;
  OpBuilder builder(copy);
  copy.getL2CacheHintMutable().assign(makePolicy(builder, copy.getLoc()));
}

/// NVVM's op has no such operand.
static void keep(NVVM::CpAsyncOp copy) {
  OpBuilder builder(copy);
  SmallVector<Value> operands = {copy.getDst(), copy.getSrc()};
  std::string text = llvm::formatv(
      "cp.async.{0}.shared.global.L2::cache_hint [$0], [$1], {1}",
      NVVM::stringifyLoadCacheModifierKind(copy.getModifier()), copy.getSize());
  // Of what is not there, zeros are written.
  bool isPart = static_cast<bool>(copy.getCpSize());
  if (isPart)
    operands.push_back(copy.getCpSize());
  operands.push_back(makePolicy(builder, copy.getLoc()));
  LLVM::InlineAsmOp::create(builder, copy.getLoc(), TypeRange(), operands,
                            text + (isPart ? ", $2, $3;" : ", $2;"),
                            isPart ? "l,l,r,l,~{memory}" : "l,l,l,~{memory}",
                            /*has_side_effects=*/true, /*is_align_stack=*/false,
                            LLVM::tailcallkind::TailCallKind::None,
                            /*asm_dialect=*/nullptr,
                            /*operand_attrs=*/nullptr);
  copy.erase();
}

namespace {
struct LowerEvictions
    : stencil::impl::StencilLowerEvictionsBase<LowerEvictions> {
  void runOnOperation() override {
    for (auto kernel : getOperation().getOps<LLVM::LLVMFuncOp>()) {
      auto name = dyn_cast_or_null<StringAttr>(
          kernel->removeDiscardableAttr(kEvictionAttrName));
      if (!name || symbolizeEviction(name.getValue()) != Eviction::Last)
        continue;
      kernel.walk(
          [](NVVM::CpAsyncBulkTensorGlobalToSharedClusterOp op) { keep(op); });
      kernel.walk([](NVVM::CpAsyncOp op) { keep(op); });
      // Loads come when LLVM has merged them.
      Builder builder(&getContext());
      SmallVector<Attribute> all;
      if (ArrayAttr others = kernel.getPassthroughAttr())
        llvm::append_range(all, others);
      all.push_back(
          builder.getStrArrayAttr({kEvictionAttrName, name.getValue()}));
      kernel.setPassthroughAttr(builder.getArrayAttr(all));
    }
  }
};
} // namespace
