//===- LowerPrefetches.cpp - Prefetches on NVIDIA's GPUs ------------------===//

#include "StencilDialect/Conversion/Passes.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "llvm/Support/MathExtras.h"

namespace stencil {
#define GEN_PASS_DEF_STENCILLOWERPREFETCHES
#include "StencilDialect/Conversion/Passes.h.inc"
} // namespace stencil

using namespace mlir;

/// The address of an element of a buffer, as an integer: of a pointer, LLVM
/// shares the way to it with the addresses of the kernel's loads, which then
/// take registers that a body may not have.
static Value computeAddress(OpBuilder &builder, LLVM::GEPOp element) {
  Location loc = element.getLoc();
  Type word = builder.getI64Type();
  int64_t bytes =
      llvm::divideCeil(element.getElemType().getIntOrFloatBitWidth(), 8);
  Value start = LLVM::PtrToIntOp::create(builder, loc, word, element.getBase());
  Value size = LLVM::ConstantOp::create(builder, loc, word,
                                        builder.getI64IntegerAttr(bytes));
  Value distance = LLVM::MulOp::create(
      builder, loc, element.getDynamicIndices().front(), size);
  return LLVM::AddOp::create(builder, loc, start, distance);
}

/// Whether it is one element of a buffer, by an index of 64 bits.
static bool isElement(LLVM::GEPOp op) {
  return op && op.getRawConstantIndices().size() == 1 &&
         op.getDynamicIndices().size() == 1 &&
         op.getDynamicIndices().front().getType().isInteger(64) &&
         op.getElemType().isIntOrFloat();
}

/// PTX has prefetches for every GPU (PTX ISA, "prefetch": sm_20 and later),
/// LLVM has its intrinsic for sm_90 and later only.
static bool hasIntrinsic(gpu::GPUModuleOp kernels) {
  ArrayAttr targets = kernels.getTargetsAttr();
  auto target = targets && targets.size() == 1
                    ? dyn_cast<NVVM::NVVMTargetAttr>(targets[0])
                    : NVVM::NVVMTargetAttr();
  unsigned version = 0;
  return !target ||
         target.getChip().drop_front(3).rtrim("af").getAsInteger(10, version) ||
         version >= 90;
}

/// The same instruction as text.
static void createAsText(OpBuilder &builder, Location loc, Value address) {
  LLVM::InlineAsmOp::create(builder, loc, /*res=*/Type(), address,
                            "prefetch.global.L2 [$0];", "l",
                            /*has_side_effects=*/true, /*is_align_stack=*/false,
                            LLVM::TailCallKind::None, /*asm_dialect=*/nullptr,
                            /*operand_attrs=*/nullptr);
}

namespace {
struct LowerPrefetches
    : stencil::impl::StencilLowerPrefetchesBase<LowerPrefetches> {
  void runOnOperation() override {
    bool intrinsic = hasIntrinsic(getOperation());
    getOperation()->walk([&](LLVM::Prefetch op) {
      constexpr unsigned kGeneric = 0;
      auto global = static_cast<unsigned>(NVVM::NVVMMemorySpace::Global);
      Value address = op.getAddr();
      unsigned space =
          cast<LLVM::LLVMPointerType>(address.getType()).getAddressSpace();
      if (space != global && space != kGeneric)
        return;
      OpBuilder builder(op);
      Location loc = op.getLoc();
      // Buffers are in global memory, whose addresses are those of generic
      // pointers.
      auto pointer = LLVM::LLVMPointerType::get(op.getContext(), global);
      if (auto element = address.getDefiningOp<LLVM::GEPOp>();
          isElement(element))
        address = LLVM::IntToPtrOp::create(builder, loc, pointer,
                                           computeAddress(builder, element));
      else if (space == kGeneric)
        address = LLVM::AddrSpaceCastOp::create(builder, loc, pointer, address);
      if (!intrinsic) {
        createAsText(builder, loc, address);
        return op.erase();
      }
      NVVM::PrefetchOp::create(
          builder, loc,
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
