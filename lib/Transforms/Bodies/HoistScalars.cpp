//===- HoistScalars.cpp - What is the same at every point -----------------===//
//
// Before:
//   stencil.apply(%x = %u, %a = %dt) outs (%v) {
//     %k = arith.mulf %a, %a : f64
//     ...
// After:
//   %k = arith.mulf %dt, %dt : f64
//   stencil.apply(%x = %u, %k = %k) outs (%v) {
//     ...
//
//===----------------------------------------------------------------------===//

#include "StencilDialect/IR/DiscardableAttrs.h"
#include "StencilDialect/IR/StencilOps.h"
#include "StencilDialect/Transforms/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/SetVector.h"

namespace stencil {
#define GEN_PASS_DEF_STENCILHOISTSCALARS
#include "StencilDialect/Transforms/Passes.h.inc"
} // namespace stencil

using namespace mlir;
using namespace stencil;

/// Arguments that an apply may get: a kernel has 4 KiB for all of its own.
static constexpr unsigned kMaxHoisted = 256;

/// Arithmetic that gives the same on the host, to the last bit.
static bool isExactOnHost(Operation &op) {
  return isa<arith::AddFOp, arith::SubFOp, arith::MulFOp, arith::DivFOp,
             arith::NegFOp>(op) &&
         (op.getResult(0).getType().isF32() ||
          op.getResult(0).getType().isF64());
}

/// Moves to the front of an apply what its points have in common.
static void hoistScalars(ApplyOp apply) {
  llvm::SetVector<Operation *> hoisted;
  auto isScalar = [&](Value value) {
    auto argument = dyn_cast<BlockArgument>(value);
    if (argument && argument.getOwner() == apply.getBodyBlock())
      return !isa<GridType>(argument.getType());
    return hoisted.contains(value.getDefiningOp()) ||
           matchPattern(value, m_Constant());
  };
  auto isElsewhere = [&](Operation *user) { return !hoisted.contains(user); };
  for (Operation &op : *apply.getBodyBlock())
    if (hoisted.size() < kMaxHoisted && isExactOnHost(op) &&
        llvm::all_of(op.getOperands(), isScalar))
      hoisted.insert(&op);
  // Values of a pipeline's stages come from outside of it.
  Operation *before = apply;
  if (auto pipeline = apply->getParentOfType<PipelineOp>())
    before = pipeline;
  OpBuilder builder(before);
  IRMapping map;
  for (auto [operand, argument] :
       llvm::zip_equal(apply.getArgs(), apply.getBodyBlock()->getArguments()))
    map.map(argument, operand);
  for (Operation *op : hoisted) {
    for (Value operand : op->getOperands())
      if (Operation *def = operand.getDefiningOp();
          def && !map.contains(operand))
        builder.clone(*def, map);
    // Outside of a body nothing is rounded together.
    builder.clone(*op, map)->removeDiscardableAttr(kRoundedAttr);
  }
  for (Operation *op : hoisted) {
    if (llvm::none_of(op->getUsers(), isElsewhere))
      continue;
    Value result = op->getResult(0);
    Value argument = apply.addInput(map.lookup(result), op->getLoc());
    result.replaceUsesWithIf(
        argument, [&](OpOperand &use) { return isElsewhere(use.getOwner()); });
  }
  for (Operation *op : llvm::reverse(hoisted))
    op->erase();
}

namespace {

struct HoistScalars : stencil::impl::StencilHoistScalarsBase<HoistScalars> {
  void runOnOperation() override { getOperation().walk(hoistScalars); }
};

} // namespace
