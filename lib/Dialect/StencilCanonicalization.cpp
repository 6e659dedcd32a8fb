//===- StencilCanonicalization.cpp - Canonical form of stencil.apply ------===//
//
// Operands that nobody reads, operands given twice, results that nobody uses
// and results returned twice disappear; constants move into the body.
//
//===----------------------------------------------------------------------===//

#include "BodyOps.h"
#include "StencilDialect/IR/Schedule.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;
using namespace stencil;

namespace {

/// Removes operands whose block argument has no use, and merges operands that
/// are the same value.
struct MergeOperands : OpRewritePattern<ApplyOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(ApplyOp op,
                                PatternRewriter &rewriter) const override {
    Block *body = op.getBodyBlock();
    llvm::SmallDenseMap<Value, unsigned> firstUse;
    llvm::BitVector dead(op.getArgs().size());
    for (auto [index, operand] : llvm::enumerate(op.getArgs())) {
      BlockArgument argument = body->getArgument(index);
      if (argument.use_empty()) {
        dead.set(index);
        continue;
      }
      auto [known, isFirst] = firstUse.try_emplace(operand, index);
      if (isFirst)
        continue;
      rewriter.replaceAllUsesWith(argument, body->getArgument(known->second));
      dead.set(index);
    }
    if (dead.none())
      return failure();
    rewriter.modifyOpInPlace(op, [&] { eraseInputs(op, dead); });
    return success();
  }
};

/// Clones constant operands into the body, where they fold.
struct SinkConstants : OpRewritePattern<ApplyOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(ApplyOp op,
                                PatternRewriter &rewriter) const override {
    bool changed = false;
    for (auto [operand, argument] :
         llvm::zip_equal(op.getArgs(), op.getBodyBlock()->getArguments())) {
      if (argument.use_empty() || !matchPattern(operand, m_Constant()))
        continue;
      rewriter.setInsertionPointToStart(op.getBodyBlock());
      Operation *constant = rewriter.clone(*operand.getDefiningOp());
      unsigned number = cast<OpResult>(operand).getResultNumber();
      rewriter.replaceAllUsesWith(argument, constant->getResult(number));
      changed = true;
    }
    return success(changed);
  }
};

/// Removes results that have no use, and those that return the same values as
/// an earlier result.
struct MergeResults : OpRewritePattern<ApplyOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(ApplyOp op,
                                PatternRewriter &rewriter) const override {
    if (op.isBufferised())
      return failure();
    auto terminator = cast<ReturnOp>(op.getBodyBlock()->getTerminator());
    unsigned numResults = op.getRes().size();
    unsigned factor = terminator.getArgs().size() / numResults;
    auto returned = [&](unsigned result) {
      return terminator.getArgs().slice(result * factor, factor);
    };
    // A buffered value has no other uses than buffers.
    auto isBuffered = [&](unsigned result) {
      return llvm::any_of(op.getRes()[result].getUsers(),
                          [](Operation *user) { return isa<BufferOp>(user); });
    };
    SmallVector<unsigned> kept;
    SmallVector<Value> replacements(numResults);
    SmallVector<unsigned> representative(numResults);
    for (unsigned i = 0; i < numResults; ++i) {
      if (op.getRes()[i].use_empty())
        continue;
      const unsigned *same = llvm::find_if(kept, [&](unsigned earlier) {
        return op.getRes()[earlier].getType() == op.getRes()[i].getType() &&
               isBuffered(earlier) == isBuffered(i) &&
               llvm::equal(returned(earlier), returned(i));
      });
      representative[i] = same == kept.end() ? i : *same;
      if (same == kept.end())
        kept.push_back(i);
    }
    // An apply without any used result is dead and erased as such.
    if (kept.empty() || kept.size() == numResults)
      return failure();

    SmallVector<Type> types;
    SmallVector<Value> values;
    for (unsigned i : kept) {
      types.push_back(op.getRes()[i].getType());
      llvm::append_range(values, returned(i));
    }
    auto merged = ApplyOp::create(rewriter, op.getLoc(), types, op.getArgs());
    merged->setDiscardableAttrs(op->getDiscardableAttrDictionary());
    rewriter.eraseBlock(merged.getBodyBlock());
    rewriter.inlineRegionBefore(op.getRegion(), merged.getRegion(),
                                merged.getRegion().end());
    rewriter.modifyOpInPlace(
        terminator, [&] { terminator.getArgsMutable().assign(values); });
    for (unsigned i = 0; i < numResults; ++i)
      if (!op.getRes()[i].use_empty())
        replacements[i] =
            merged.getRes()[llvm::find(kept, representative[i]) - kept.begin()];
    rewriter.replaceOp(op, replacements);
    return success();
  }
};

/// A mapping that names all axes in order says nothing.
template <typename Op> struct DropIdentityMapping : OpRewritePattern<Op> {
  using OpRewritePattern<Op>::OpRewritePattern;

  LogicalResult matchAndRewrite(Op op,
                                PatternRewriter &rewriter) const override {
    auto apply = op->template getParentOfType<ApplyOp>();
    std::optional<stencil::IndexAttr> mapping = op.getOffsetMapping();
    if (!mapping || !apply || mapping->getRank() != apply.getRank())
      return failure();
    rewriter.modifyOpInPlace(op, [&] { op.removeOffsetMappingAttr(); });
    return success();
  }
};

} // namespace

void ApplyOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                          MLIRContext *context) {
  patterns.add<MergeOperands, SinkConstants, MergeResults>(context);
}

void AccessOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                           MLIRContext *context) {
  patterns.add<DropIdentityMapping<AccessOp>>(context);
}

void WeightedSumOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                                MLIRContext *context) {
  patterns.add<DropIdentityMapping<WeightedSumOp>>(context);
  populateWeightedSumPatterns(patterns);
}
