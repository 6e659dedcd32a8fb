//===- CountSteps.cpp - Loops that say how far they are -------------------===//

#include "LoopSteps.h"
#include "StencilDialect/Conversion/RuntimeCall.h"
#include "StencilDialect/IR/OpWalks.h"
#include "StencilDialect/IR/StencilOps.h"
#include "StencilDialect/Tile/Tile.h"
#include "StencilDialect/Transforms/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace stencil {
#define GEN_PASS_DEF_STENCILCOUNTSTEPS
#include "StencilDialect/Transforms/Passes.h.inc"
} // namespace stencil

using namespace mlir;
using namespace stencil;

/// What takes time in a step of a program.
static bool isWork(Operation *op) {
  return isa<StencilDialect>(op->getDialect()) ||
         isa<gpu::LaunchFuncOp, func::CallOp>(op);
}

/// Whether a loop is one over steps: on the host, and with work in it.
static bool isOverSteps(scf::ForOp loop) {
  return !loop->getParentOfType<ApplyOp>() &&
         !loop->getParentOfType<tile::KernelOp>() && !loop.getUnsignedCmp() &&
         anyWithin(loop, isWork);
}

/// The stream that the launches of a loop go to; null if there is none.
static Value findStream(scf::ForOp loop) {
  for (auto launch : listWithin<gpu::LaunchFuncOp>(loop))
    if (Value own = launch.getAsyncObject();
        own && loop.isDefinedOutsideOfLoop(own))
      return own;
  return {};
}

namespace {

struct CountSteps : stencil::impl::StencilCountStepsBase<CountSteps> {
  void runOnOperation() override {
    for (auto function : getOperation().getOps<func::FuncOp>()) {
      SmallVector<scf::ForOp> loops = listWithin(function, isOverSteps);
      auto isOutermost = [](scf::ForOp loop) {
        return !loop->getParentOfType<scf::ForOp>();
      };
      int64_t count = llvm::count_if(loops, isOutermost), before = 0;
      for (scf::ForOp loop : loops)
        instrument(loop, isOutermost(loop) ? before++ : 0, count);
    }
  }

private:
  void instrument(scf::ForOp loop, int64_t before, int64_t count) {
    ImplicitLocOpBuilder builder(loop.getLoc(), loop);
    auto constant = [&](int64_t value) -> Value {
      return LLVM::ConstantOp::create(builder, builder.getI64Type(), value);
    };
    Value steps = arith::IndexCastOp::create(
        builder, builder.getI64Type(), stencil::countSteps(builder, loop));
    callStepFunction(builder, kBeginSteps,
                     {steps, constant(before), constant(count)});
    Value stream = findStream(loop), one = constant(1);
    builder.setInsertionPoint(loop.getBody()->getTerminator());
    if (stream)
      callStepFunction(builder, kCountLaunchedSteps, {one, stream});
    else
      callStepFunction(builder, kCountSteps, one);
    builder.setInsertionPointAfter(loop);
    callStepFunction(builder, kEndSteps, {});
  }
};

} // namespace
