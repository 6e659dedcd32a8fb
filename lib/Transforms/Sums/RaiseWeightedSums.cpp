//===- RaiseWeightedSums.cpp - Sums become stencil.weighted_sum -----------===//
//
// Trees of additions and multiplications whose terms may be taken in any order
// become linear forms, and the ops of these; what must be computed as written
// becomes a weighted sum where it is one as written.
//
//===----------------------------------------------------------------------===//

#include "Bodies/BodyPruning.h"
#include "StencilDialect/Analysis/LinearTrees.h"
#include "StencilDialect/Analysis/SumChains.h"
#include "StencilDialect/IR/Remarks.h"
#include "StencilDialect/Transforms/Passes.h"
#include "SumBodies.h"

namespace stencil {
#define GEN_PASS_DEF_STENCILRAISEWEIGHTEDSUMS
#include "StencilDialect/Transforms/Passes.h.inc"
} // namespace stencil

using namespace mlir;
using namespace stencil;

/// Rounds beyond the second are rare: each needs terms that cancel in what the
/// one before it made.
static constexpr unsigned kMaxRounds = 16;

/// Only what the body computes can be summed over neighbouring points.
static bool mayReplace(Operation *op, Value value) {
  return value.getDefiningOp() ||
         llvm::none_of(op->getUsers(), llvm::IsaPred<WeightedSumOp>);
}

/// Replaces the trees that may be reassociated, where that makes them smaller.
static bool raiseTrees(ApplyOp apply, MathMode mode) {
  LinearTrees trees(apply, mode);
  OpBuilder builder(apply.getContext());
  bool changed = false;
  // Last first: a tree refers to the values of earlier ones, which are replaced
  // later.
  SmallVector<Operation *> roots(trees.getRoots());
  while (!roots.empty()) {
    Operation *root = roots.pop_back_val();
    LinearTrees::Expansion tree = trees.expand(root->getResult(0));
    llvm::append_range(roots, tree.refused);
    if (!tree.hasGain)
      continue;
    builder.setInsertionPoint(root);
    auto known = [&](const TapSource &source,
                     ArrayRef<int64_t> offset) -> Value {
      auto it = tree.known.find(source);
      bool isThere =
          it != tree.known.end() && ArrayRef(it->second.first) == offset;
      return isThere ? it->second.second : Value();
    };
    Value sum = emitForm(builder, root->getLoc(), apply.getRank(), tree.form,
                         tree.flags, known);
    if (!sum) {
      remarkMissed(root->getLoc(), "Sums", "SumNotRaised",
                   "a weight would not be finite in the type of the sum");
      continue;
    }
    if (!mayReplace(root, sum))
      continue;
    root->getResult(0).replaceAllUsesWith(sum);
    changed = true;
  }
  return changed;
}

static WeightedSumOp emitChain(OpBuilder &builder, int64_t rank,
                               const SumChain &chain) {
  Location loc = chain.last->getLoc();
  Type type = chain.last->getResult(0).getType();
  stencil::IndexAttr mapping =
      getOffsetMapping(builder.getContext(), chain.source.axes, rank);
  bool isConstant = llvm::all_of(chain.weights, [](const auto &weight) {
    return weight.number.has_value();
  });
  if (isConstant) {
    SmallVector<Attribute> weights;
    for (const SumChain::Weight &weight : chain.weights)
      weights.push_back(weight.number->round(type));
    return WeightedSumOp::create(builder, loc, chain.source.value,
                                 chain.offsets, makeWeights(type, weights),
                                 mapping, chain.flags);
  }
  SmallVector<Value> weights;
  llvm::DenseMap<Attribute, Value> constants;
  llvm::DenseMap<Value, Value> negatives;
  for (const SumChain::Weight &weight : chain.weights) {
    if (weight.number) {
      TypedAttr number = weight.number->round(type);
      Value &constant = constants[number];
      if (!constant)
        constant = arith::ConstantOp::create(builder, loc, number);
      weights.push_back(constant);
    } else if (weight.isNegated) {
      Value &negative = negatives[weight.scalar];
      if (!negative)
        negative = arith::NegFOp::create(builder, loc, weight.scalar);
      weights.push_back(negative);
    } else {
      weights.push_back(weight.scalar);
    }
  }
  return WeightedSumOp::create(builder, loc, chain.source.value, chain.offsets,
                               weights, mapping, chain.flags);
}

/// Replaces the chains that are weighted sums as they are.
static bool raiseChains(ApplyOp apply, MathMode mode) {
  std::vector<SumChain> chains = findSumChains(apply, mode);
  OpBuilder builder(apply.getContext());
  for (const SumChain &chain : chains) {
    builder.setInsertionPoint(chain.last);
    WeightedSumOp sum = emitChain(builder, apply.getRank(), chain);
    chain.last->getResult(0).replaceAllUsesWith(sum);
  }
  return !chains.empty();
}

namespace {

struct RaiseWeightedSums
    : stencil::impl::StencilRaiseWeightedSumsBase<RaiseWeightedSums> {
  using StencilRaiseWeightedSumsBase::StencilRaiseWeightedSumsBase;

  void runOnOperation() override {
    getOperation()->walk([&](ApplyOp apply) {
      // What is not used is no user.
      eraseUnusedOps(apply.getRegion());
      // Where a term cancels, a sum may be left with one user.
      for (unsigned round = 0; round < kMaxRounds && raiseTrees(apply, math);
           ++round)
        eraseUnusedOps(apply.getRegion());
      if (raiseChains(apply, math))
        eraseUnusedOps(apply.getRegion());
    });
  }
};

} // namespace
