//===- StencilToCPU.cpp - Bufferised programs to loops --------------------===//

#include "Diamonds.h"
#include "LoopKeys.h"
#include "Patterns.h"
#include "StencilDialect/Analysis/SymbolicExtents.h"
#include "StencilDialect/Conversion/Passes.h"
#include "StencilDialect/IR/Elements.h"
#include "StencilDialect/IR/StencilAttrs.h"
#include "StencilDialect/Tile/Tile.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Func/Transforms/FuncConversions.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/SCF/Transforms/Patterns.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

namespace stencil {
#define GEN_PASS_DEF_CONVERTSTENCILTOCPU
#include "StencilDialect/Conversion/Passes.h.inc"
} // namespace stencil

using namespace mlir;
using namespace stencil;

namespace {

/// Fields to memrefs of row-major layout.
struct FieldTypeConverter : TypeConverter {
  explicit FieldTypeConverter(bool paddedRows) {
    addConversion([](Type type) { return type; });
    addConversion([paddedRows](FieldType type) -> std::optional<Type> {
      SmallVector<int64_t> shape(type.getRank(), ShapedType::kDynamic);
      if (BoundsAttr bounds = type.getBounds())
        shape = bounds.getShape();
      if (!type.getElementType().isIntOrIndexOrFloat())
        return std::nullopt;
      MemRefLayoutAttrInterface layout;
      if (paddedRows && shape.size() > 1) {
        SmallVector<int64_t> strides(shape.size(), ShapedType::kDynamic);
        strides.back() = 1;
        layout =
            StridedLayoutAttr::get(type.getContext(), /*offset=*/0, strides);
      }
      return MemRefType::get(shape, type.getElementType(), layout);
    });
    addConversion([](TempType) -> std::optional<Type> { return std::nullopt; });
  }
};

template <typename Op> struct Lowering : OpConversionPattern<Op> {
  Lowering(const TypeConverter &types, MLIRContext *context,
           FactsOfFunctions &facts, MathMode math, PatternBenefit benefit = 1)
      : OpConversionPattern<Op>(types, context, benefit), facts(facts),
        math(math) {}

  LogicalResult
  matchAndRewrite(Op op, typename Op::Adaptor operands,
                  ConversionPatternRewriter &rewriter) const override {
    CPULowering lowering{rewriter, *this->getTypeConverter(), facts, math};
    return lower(lowering, op, operands);
  }

  FactsOfFunctions &facts;
  MathMode math;
};

struct StencilToCPU : stencil::impl::ConvertStencilToCPUBase<StencilToCPU> {
  using ConvertStencilToCPUBase::ConvertStencilToCPUBase;

  void runOnOperation() override {
    if (failed(checkFunctions()) || failed(checkElementTypes()))
      return signalPassFailure();
    // Of a GPU; tools that do not know the dialect read what becomes of this.
    getOperation()->removeAttr(TargetAttr::kAttrName);
    MLIRContext *context = &getContext();
    FieldTypeConverter converter(paddedRows);
    RewritePatternSet patterns(context);
    ConversionTarget target(*context);
    FactsOfFunctions facts = collectFacts(getOperation());
    patterns.add<Lowering<ApplyOp>, Lowering<PipelineOp>, Lowering<BoundaryOp>,
                 Lowering<FoldOp>, Lowering<CastOp>, Lowering<AllocOp>,
                 Lowering<ExtentOp>, Lowering<ExternalLoadOp>,
                 Lowering<ExternalStoreOp>>(converter, context, facts, math);
    patterns.add<Lowering<scf::ForOp>>(converter, context, facts, math,
                                       /*benefit=*/10);
    populateFunctionOpInterfaceTypeConversionPattern<func::FuncOp>(patterns,
                                                                   converter);
    populateReturnOpTypeConversionPattern(patterns, converter);
    populateCallOpTypeConversionPattern(patterns, converter);
    scf::populateSCFStructuralTypeConversionsAndLegality(converter, patterns,
                                                         target);
    target.addIllegalDialect<StencilDialect>();
    target.addLegalDialect<arith::ArithDialect, memref::MemRefDialect,
                           vector::VectorDialect, cf::ControlFlowDialect,
                           math::MathDialect, LLVM::LLVMDialect>();
    target.addDynamicallyLegalOp<func::FuncOp>([&](func::FuncOp op) {
      return converter.isSignatureLegal(op.getFunctionType()) &&
             converter.isLegal(&op.getBody());
    });
    target.addDynamicallyLegalOp<func::ReturnOp, func::CallOp>(
        [&](Operation *op) { return converter.isLegal(op); });
    target.addDynamicallyLegalOp<scf::ForOp>([&](scf::ForOp op) {
      return !op->hasAttr(DiamondsAttr::kAttrName) && converter.isLegal(op) &&
             converter.isLegal(&op.getRegion());
    });
    target.markUnknownOpDynamicallyLegal(
        [&](Operation *op) { return converter.isLegal(op); });
    ConversionConfig config;
    config.allowPatternRollback = false;
    if (failed(applyFullConversion(getOperation(), target, std::move(patterns),
                                   config)))
      return signalPassFailure();
    getOperation().walk([&](func::FuncOp function) {
      if (function.isExternal())
        return;
      bindArgumentExtents(function, facts[function]);
      function->removeAttr(kMinimalExtentsAttr);
    });
  }

private:
  /// Bounds say where the points of a field are in memory.
  static LogicalResult checkBounds(Operation *op) {
    if (!isa<ApplyOp, FoldOp>(op))
      return success();
    for (Type type : op->getOperandTypes())
      if (auto field = dyn_cast<FieldType>(type); field && !field.getBounds())
        return op->emitOpError("expected fields with bounds, got ")
               << type << "; cast it first";
    return success();
  }

  /// Fields become arguments of functions, or memory that they allocate.
  /// Pipelines become what a CPU takes, unless they are.
  LogicalResult checkFunctions() {
    WalkResult walk = getOperation().walk([](Operation *op) -> WalkResult {
      if (auto pipeline = dyn_cast<PipelineOp>(op);
          pipeline && failed(prepareWalk(pipeline)))
        return WalkResult::interrupt();
      if (auto loop = dyn_cast<scf::ForOp>(op);
          loop && loop->hasAttr(DiamondsAttr::kAttrName) &&
          failed(DiamondLoop::create(loop)))
        return WalkResult::interrupt();
      if (isa<tile::KernelOp>(op))
        return op->emitOpError("has no CPU lowering: tiles are for GPUs");
      if (!isa_and_nonnull<StencilDialect>(op->getDialect()))
        return WalkResult::advance();
      if (!op->getParentOfType<func::FuncOp>())
        return op->emitOpError("expected to be in a func.func");
      return success(succeeded(checkBounds(op)) && succeeded(checkLoops(op)));
    });
    return failure(walk.wasInterrupted());
  }

  /// A field that memory cannot hold is the user's error, and is reported where
  /// it first appears.
  LogicalResult checkElementTypes() {
    auto check = [](Operation *op, Type type) -> LogicalResult {
      auto grid = dyn_cast<GridType>(type);
      if (!grid || hasStorage(grid.getElementType()))
        return success();
      return op->emitError("no CPU lowering for the element type ")
             << grid.getElementType();
    };
    WalkResult walk = getOperation().walk([&](Operation *op) -> WalkResult {
      for (Region &region : op->getRegions())
        for (Block &block : region)
          for (Type type : block.getArgumentTypes())
            if (failed(check(op, type)))
              return WalkResult::interrupt();
      for (Type type : op->getResultTypes())
        if (failed(check(op, type)))
          return WalkResult::interrupt();
      return WalkResult::advance();
    });
    return failure(walk.wasInterrupted());
  }
};

} // namespace
