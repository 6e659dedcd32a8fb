//===- RaiseLoopsViews.cpp - Accesses of views become those of arrays -----===//
//
// Before:
//   %v = memref.subview %u[1] [62] [1]
//   scf.for %i = %c0 to %c62 { ... memref.load %v[%i]
// After:
//   scf.for %i = %c0 to %c62 { ... memref.load %u[%i + 1]
//
// This is what slices of tensors become. Copies of views become loops.
//
//===----------------------------------------------------------------------===//

#include "RaiseLoopsPrepare.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/MemRef/Transforms/Transforms.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

using namespace mlir;

static bool isView(Value memref) {
  return memref.getDefiningOp<memref::SubViewOp>() != nullptr;
}

/// Loops over the elements of a copy from or to a view.
static void lowerCopy(memref::CopyOp copy) {
  auto source = cast<MemRefType>(copy.getSource().getType());
  Location loc = copy.getLoc();
  IRRewriter rewriter(copy);
  SmallVector<Value> lower, upper, steps;
  for (int64_t axis = 0; axis < source.getRank(); ++axis) {
    lower.push_back(arith::ConstantIndexOp::create(rewriter, loc, 0));
    steps.push_back(arith::ConstantIndexOp::create(rewriter, loc, 1));
    upper.push_back(
        rewriter.createOrFold<memref::DimOp>(loc, copy.getSource(), axis));
  }
  scf::buildLoopNest(rewriter, loc, lower, upper, steps,
                     [&](OpBuilder &builder, Location, ValueRange indices) {
                       Value element = memref::LoadOp::create(
                           builder, loc, copy.getSource(), indices);
                       memref::StoreOp::create(builder, loc, element,
                                               copy.getTarget(), indices);
                     });
  rewriter.eraseOp(copy);
}

void stencil::raise::lowerViews(func::FuncOp function) {
  SmallVector<memref::CopyOp> copies;
  bool hasViews = false;
  function.walk([&](Operation *op) {
    hasViews |= isa<memref::SubViewOp>(op);
    auto copy = dyn_cast<memref::CopyOp>(op);
    if (copy && (isView(copy.getSource()) || isView(copy.getTarget())) &&
        isa<MemRefType>(copy.getSource().getType()) &&
        isa<MemRefType>(copy.getTarget().getType()))
      copies.push_back(copy);
  });
  if (!hasViews)
    return;
  for (memref::CopyOp copy : copies)
    lowerCopy(copy);
  RewritePatternSet patterns(function.getContext());
  memref::populateFoldMemRefAliasOpPatterns(patterns);
  memref::DimOp::getCanonicalizationPatterns(patterns, function.getContext());
  // What cannot be folded stays, and is no part of a nest.
  (void)applyPatternsGreedily(function, std::move(patterns));
}
