//===- CallIntrinsic.h - Ops that become calls of intrinsics ----*- C++ -*-===//

#ifndef STENCILDIALECT_CONVERSION_CALLINTRINSIC_H
#define STENCILDIALECT_CONVERSION_CALLINTRINSIC_H

#include "StencilDialect/Support/LLVM.h"
#include "mlir/Conversion/ArithCommon/AttrToLLVMConverter.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/PatternMatch.h"

namespace stencil {

/// An op becomes a call of the intrinsic `name`, of LLVM, with the same
/// operands and fast-math flags. Intrinsics of integers have a last operand of
/// their own, whether an operand that has no result may be poison: it may not.
template <typename Op> struct CallIntrinsic : mlir::OpRewritePattern<Op> {
  CallIntrinsic(mlir::MLIRContext *context, StringRef name,
                bool hasPoison = false)
      : mlir::OpRewritePattern<Op>(context), name(name), hasPoison(hasPoison) {}

  LogicalResult
  matchAndRewrite(Op op, mlir::PatternRewriter &rewriter) const override {
    Type type = op.getType();
    if (!mlir::LLVM::isCompatibleType(type))
      return rewriter.notifyMatchFailure(op, "expected a type of LLVM's");
    SmallVector<Value> operands(op->getOperands());
    if (hasPoison)
      operands.push_back(mlir::LLVM::ConstantOp::create(
          rewriter, op.getLoc(), rewriter.getI1Type(),
          rewriter.getBoolAttr(false)));
    auto call = mlir::LLVM::CallIntrinsicOp::create(
        rewriter, op.getLoc(), type, rewriter.getStringAttr(name), operands);
    if constexpr (Op::template hasTrait<
                      mlir::arith::ArithFastMathInterface::Trait>())
      call.setFastmathFlags(
          mlir::arith::convertArithFastMathFlagsToLLVM(op.getFastmath()));
    rewriter.replaceOp(op, call);
    return mlir::success();
  }

  StringRef name;
  bool hasPoison;
};

} // namespace stencil

#endif // STENCILDIALECT_CONVERSION_CALLINTRINSIC_H
