//===- LowerDeviceMath.cpp - Math that GPUs have instructions for ---------===//

#include "StencilDialect/Conversion/CallIntrinsic.h"
#include "StencilDialect/Conversion/Passes.h"
#include "mlir/Conversion/LLVMCommon/TypeConverter.h"
#include "mlir/Conversion/MathToROCDL/MathToROCDL.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/FunctionCallUtils.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/ROCDLDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Transforms/DialectConversion.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace stencil {
#define GEN_PASS_DEF_STENCILLOWERDEVICEMATH
#include "StencilDialect/Conversion/Passes.h.inc"
} // namespace stencil

using namespace mlir;
// A call, because the conversions of GPU ops refuse `llvm.intr.floor` and its
// like (they assume that a library is there).
using stencil::CallIntrinsic;

namespace {

/// A power with an exponent that is an integer, of AMD's library.
LogicalResult callPower(math::FPowIOp op, PatternRewriter &rewriter) {
  Type type = op.getType();
  if (!type.isF32() && !type.isF64())
    return rewriter.notifyMatchFailure(op, "expected f32 or f64");
  if (!op.getRhs().getType().isInteger(32))
    return rewriter.notifyMatchFailure(op, "expected an exponent of i32");
  Operation *module = op->getParentOfType<gpu::GPUModuleOp>();
  FailureOr<LLVM::LLVMFuncOp> callee = LLVM::lookupOrCreateFn(
      rewriter, module, type.isF64() ? "__ocml_pown_f64" : "__ocml_pown_f32",
      {type, rewriter.getI32Type()}, type);
  if (failed(callee))
    return rewriter.notifyMatchFailure(op, "the name is taken");
  rewriter.replaceOpWithNewOp<LLVM::CallOp>(op, *callee, op->getOperands());
  return success();
}

struct LowerDeviceMath
    : stencil::impl::StencilLowerDeviceMathBase<LowerDeviceMath> {
  using StencilLowerDeviceMathBase::StencilLowerDeviceMathBase;

  void runOnOperation() override {
    MLIRContext *context = &getContext();
    RewritePatternSet patterns(context);
    patterns.add<CallIntrinsic<math::AbsFOp>>(context, "llvm.fabs");
    patterns.add<CallIntrinsic<math::CeilOp>>(context, "llvm.ceil");
    patterns.add<CallIntrinsic<math::CopySignOp>>(context, "llvm.copysign");
    patterns.add<CallIntrinsic<math::FloorOp>>(context, "llvm.floor");
    patterns.add<CallIntrinsic<math::FmaOp>>(context, "llvm.fma");
    patterns.add<CallIntrinsic<math::RoundEvenOp>>(context, "llvm.roundeven");
    patterns.add<CallIntrinsic<math::RoundOp>>(context, "llvm.round");
    patterns.add<CallIntrinsic<math::SqrtOp>>(context, "llvm.sqrt");
    patterns.add<CallIntrinsic<math::TruncOp>>(context, "llvm.trunc");
    patterns.add<CallIntrinsic<math::CtPopOp>>(context, "llvm.ctpop");
    patterns.add<CallIntrinsic<math::AbsIOp>>(context, "llvm.abs",
                                              /*hasPoison=*/true);
    patterns.add<CallIntrinsic<math::CountLeadingZerosOp>>(context, "llvm.ctlz",
                                                           /*hasPoison=*/true);
    patterns.add<CallIntrinsic<math::CountTrailingZerosOp>>(
        context, "llvm.cttz", /*hasPoison=*/true);
    if (rocm)
      patterns.add(callPower);
    (void)applyPatternsGreedily(getOperation(), std::move(patterns));
    if (rocm && failed(callDeviceLibrary()))
      signalPassFailure();
  }

  /// Left to convert-gpu-to-rocdl, some functions would become intrinsics that
  /// the code generator cannot select. (Upstream's pass is for builtin.module.)
  LogicalResult callDeviceLibrary() {
    LLVMTypeConverter converter(&getContext());
    RewritePatternSet patterns(&getContext());
    populateMathToROCDLConversionPatterns(converter, patterns, std::nullopt);
    ConversionTarget target(getContext());
    target.addLegalDialect<LLVM::LLVMDialect, ROCDL::ROCDLDialect,
                           arith::ArithDialect, vector::VectorDialect>();
    return applyPartialConversion(getOperation(), target, std::move(patterns));
  }
};

} // namespace
