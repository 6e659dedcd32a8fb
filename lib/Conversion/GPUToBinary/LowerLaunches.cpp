//===- LowerLaunches.cpp - Launches that take bare pointers ---------------===//

#include "StencilDialect/Conversion/Passes.h"
#include "StencilDialect/IR/OpWalks.h"
#include "StencilDialect/IR/StencilAttrs.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/BuiltinOps.h"

namespace stencil {
#define GEN_PASS_DEF_STENCILLOWERLAUNCHES
#include "StencilDialect/Conversion/Passes.h.inc"
} // namespace stencil

using namespace mlir;

static Value castToI64(OpBuilder &builder, Location loc, Value index) {
  return arith::IndexCastOp::create(builder, loc, builder.getI64Type(), index);
}

/// The address of the first element. A bare pointer has nowhere to say that
/// there is an offset, so that there must be none.
static FailureOr<Value> getPointer(OpBuilder &builder, gpu::LaunchFuncOp launch,
                                   Value memref) {
  auto type = dyn_cast<MemRefType>(memref.getType());
  int64_t offset = 0;
  SmallVector<int64_t> strides;
  if (!type || failed(type.getStridesAndOffset(strides, offset)) || offset != 0)
    return launch.emitOpError()
           << "expected memrefs without an offset, got " << memref.getType();
  Location loc = launch.getLoc();
  Value address =
      memref::ExtractAlignedPointerAsIndexOp::create(builder, loc, memref);
  return LLVM::IntToPtrOp::create(builder, loc,
                                  LLVM::LLVMPointerType::get(type.getContext()),
                                  castToI64(builder, loc, address))
      .getResult();
}

static LogicalResult lowerLaunch(gpu::LaunchFuncOp launch) {
  OpBuilder builder(launch);
  for (OpOperand &operand : launch->getOpOperands()) {
    Value value = operand.get();
    if (isa<BaseMemRefType>(value.getType())) {
      FailureOr<Value> pointer = getPointer(builder, launch, value);
      if (failed(pointer))
        return failure();
      operand.set(*pointer);
    } else if (value.getType().isIndex()) {
      operand.set(castToI64(builder, launch.getLoc(), value));
    }
  }
  return success();
}

namespace {

struct LowerLaunches : stencil::impl::StencilLowerLaunchesBase<LowerLaunches> {
  void runOnOperation() override {
    if (failed(stencil::checkWithin(getOperation(), lowerLaunch)))
      return signalPassFailure();
    // gpu-to-llvm declares the functions that it calls, unless it has met them.
    ModuleOp module = getOperation();
    for (auto function :
         llvm::make_early_inc_range(module.getOps<func::FuncOp>()))
      if (function.isExternal())
        function->moveBefore(module.getBody(), module.getBody()->begin());
    // Tools that do not know the dialect read the result.
    module->removeAttr(stencil::TargetAttr::kAttrName);
  }
};

} // namespace
