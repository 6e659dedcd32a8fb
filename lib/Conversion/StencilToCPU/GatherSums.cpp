//===- GatherSums.cpp - Sums over planes on a CPU -------------------------===//
//
//   %s = stencil.accumulate %t, %u at [-1, 1]
//     ==>
//   %a = stencil.window registers %t          of the planes p - 1 to p + 1
//   %b = stencil.window registers %u
//   %s = stencil.apply(%x = %a, %y = %b) { return %x[-1] + %y[1] }
//
//===----------------------------------------------------------------------===//

#include "GatherSums.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace stencil;

/// What the terms add up to, in the body of a stage that reads them.
static Value addTerms(AccumulateOp sum, Block &body, int64_t axis,
                      RewriterBase &rewriter) {
  Location loc = sum.getLoc();
  auto type = cast<GridType>(sum.getRes().getType());
  Value total;
  for (auto [argument, plane] :
       llvm::zip_equal(body.getArguments(), sum.getPlanes())) {
    SmallVector<int64_t> offset(type.getRank(), 0);
    offset[axis] = plane;
    Value term = AccessOp::create(rewriter, loc, argument, offset);
    if (!total)
      total = term;
    else if (isa<FloatType>(type.getElementType()))
      total = arith::AddFOp::create(rewriter, loc, total, term);
    else
      total = arith::AddIOp::create(rewriter, loc, total, term);
  }
  return total;
}

static void gather(AccumulateOp sum, PipelineOp op, RewriterBase &rewriter) {
  Location loc = sum.getLoc();
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPoint(sum);
  ArrayRef<int64_t> planes = sum.getPlanes();
  auto makers = sum.getTerms().front().getDefiningOp<ApplyOp>();
  int64_t lead =
      makers->getAttrOfType<StageAttr>(StageAttr::kAttrName).getLead();
  int64_t depth =
      planes.back() - planes.front() + static_cast<int64_t>(op.getStep());
  auto space = SpaceAttr::get(op.getContext(), Space::Registers);
  SmallVector<Value> terms;
  for (Value term : sum.getTerms())
    terms.push_back(WindowOp::create(rewriter, loc, term.getType(), space, term,
                                     rewriter.getIndexAttr(depth),
                                     rewriter.getIndexAttr(lead),
                                     PrefetchAttr()));
  auto stage =
      ApplyOp::create(rewriter, loc, TypeRange(sum.getRes().getType()), terms);
  stage->setAttr(StageAttr::kAttrName,
                 StageAttr::get(op.getContext(), lead - planes.back()));
  rewriter.setInsertionPointToEnd(stage.getBodyBlock());
  Value total =
      addTerms(sum, *stage.getBodyBlock(), *op.getWalkAxis(), rewriter);
  ReturnOp::create(rewriter, loc, total, stencil::IndexAttr());
  // At once: who looks at the pipeline next is to see it. The sum, which nobody
  // reads, goes with the pipeline.
  for (OpOperand &use : llvm::make_early_inc_range(sum.getRes().getUses()))
    rewriter.modifyOpInPlace(use.getOwner(),
                             [&] { use.set(stage.getRes().front()); });
}

void stencil::gatherSums(PipelineOp op, RewriterBase &rewriter) {
  SmallVector<AccumulateOp> sums(op.getBodyBlock()->getOps<AccumulateOp>());
  for (AccumulateOp sum : sums)
    gather(sum, op, rewriter);
}
