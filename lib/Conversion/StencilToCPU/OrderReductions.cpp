//===- OrderReductions.cpp - Reductions that OpenMP does not know ---------===//

#include "StencilDialect/Conversion/Passes.h"
#include "mlir/Conversion/SCFToControlFlow/SCFToControlFlow.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Transforms/DialectConversion.h"

namespace stencil {
#define GEN_PASS_DEF_STENCILORDERREDUCTIONS
#include "StencilDialect/Conversion/Passes.h.inc"
} // namespace stencil

using namespace mlir;

/// Whether a comparison tells the smaller one of two from the larger one.
static bool isOrder(Operation *op) {
  using arith::CmpFPredicate;
  using arith::CmpIPredicate;
  if (auto compare = dyn_cast<arith::CmpFOp>(op))
    return llvm::is_contained({CmpFPredicate::OLT, CmpFPredicate::OLE,
                               CmpFPredicate::OGT, CmpFPredicate::OGE},
                              compare.getPredicate());
  auto compare = dyn_cast<arith::CmpIOp>(op);
  return compare && !llvm::is_contained({CmpIPredicate::eq, CmpIPredicate::ne},
                                        compare.getPredicate());
}

/// What convert-scf-to-openmp has a declaration for: one op of both values, or
/// a choice between them.
static bool isKnown(Block &body) {
  SmallVector<Operation *> ops;
  for (Operation &op : body.without_terminator())
    ops.push_back(&op);
  if (ops.empty() || ops.front()->getOperands() != body.getArguments() ||
      body.getTerminator()->getOperand(0).getDefiningOp() != ops.back())
    return false;
  if (ops.size() == 1)
    return isa<arith::AddFOp, arith::AddIOp, arith::AndIOp, arith::MulFOp,
               arith::MulIOp, arith::OrIOp, arith::XOrIOp>(ops.front());
  auto choice = dyn_cast<arith::SelectOp>(ops.back());
  return ops.size() == 2 && choice && isOrder(ops.front()) &&
         choice.getCondition().getDefiningOp() == ops.front() &&
         choice.getTrueValue() != choice.getFalseValue() &&
         llvm::is_contained(body.getArguments(), choice.getTrueValue()) &&
         llvm::is_contained(body.getArguments(), choice.getFalseValue());
}

namespace {

struct OrderReductions
    : stencil::impl::StencilOrderReductionsBase<OrderReductions> {
  void runOnOperation() override {
    ConversionTarget target(getContext());
    target.markUnknownOpDynamicallyLegal([](Operation *) { return true; });
    target.addDynamicallyLegalOp<scf::ParallelOp>([](scf::ParallelOp loop) {
      auto reduce = cast<scf::ReduceOp>(loop.getBody()->getTerminator());
      return llvm::all_of(reduce.getReductions(), [](Region &reduction) {
        return isKnown(reduction.front());
      });
    });
    RewritePatternSet patterns(&getContext());
    populateSCFToControlFlowConversionPatterns(patterns);
    if (failed(applyPartialConversion(getOperation(), target,
                                      std::move(patterns))))
      signalPassFailure();
  }
};

} // namespace
