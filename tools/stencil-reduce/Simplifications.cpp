//===- Simplifications.cpp - How programs become smaller ------------------===//

#include "Simplifications.h"
#include "StencilDialect/IR/Bounds.h"
#include "StencilDialect/IR/StencilDialect.h"
#include "StencilDialect/IR/StencilOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/AttrTypeSubElements.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Reducer/ReductionPatternInterface.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

using namespace mlir;
using namespace stencil;

//===----------------------------------------------------------------------===//
// Any op
//===----------------------------------------------------------------------===//

static bool eraseUnused(Operation *op, RewriterBase &rewriter) {
  if (!op->use_empty() || op->hasTrait<OpTrait::IsTerminator>())
    return false;
  rewriter.eraseOp(op);
  return true;
}

/// Results become operands of their types: an apply or a time loop is skipped.
static bool replaceByOperands(Operation *op, RewriterBase &rewriter) {
  if (op->getNumResults() == 0)
    return false;
  SmallVector<Value> values;
  for (Value result : op->getResults()) {
    auto isSuitable = [&](Value operand) {
      return operand.getType() == result.getType() &&
             !llvm::is_contained(values, operand);
    };
    auto found = llvm::find_if(op->getOperands(), isSuitable);
    if (found == op->operand_end())
      return false;
    values.push_back(*found);
  }
  rewriter.replaceOp(op, values);
  return true;
}

static bool replaceByConstant(Operation *op, RewriterBase &rewriter) {
  if (op->getNumResults() != 1 || matchPattern(op, m_Constant()))
    return false;
  TypedAttr one = dyn_cast_if_present<TypedAttr>(
      rewriter.getOneAttr(op->getResult(0).getType()));
  if (!one)
    return false;
  rewriter.setInsertionPoint(op);
  rewriter.replaceOpWithNewOp<arith::ConstantOp>(op, one);
  return true;
}

/// Schedules, flags of passes.
static bool dropDiscardableAttributes(Operation *op, RewriterBase &) {
  SmallVector<StringAttr> names;
  for (NamedAttribute attribute : op->getDiscardableAttrs())
    names.push_back(attribute.getName());
  for (StringAttr name : names)
    op->removeDiscardableAttr(name);
  return !names.empty();
}

//===----------------------------------------------------------------------===//
// Functions and control flow
//===----------------------------------------------------------------------===//

/// A function that nobody calls by its type.
static func::FuncOp getUncalled(Operation *op) {
  auto function = dyn_cast<func::FuncOp>(op);
  if (!function || function.isExternal() ||
      !SymbolTable::symbolKnownUseEmpty(op, op->getParentOp()))
    return {};
  return function;
}

static bool dropUnusedArguments(Operation *op, RewriterBase &) {
  func::FuncOp function = getUncalled(op);
  if (!function)
    return false;
  llvm::BitVector unused(function.getNumArguments());
  for (BlockArgument argument : function.getArguments())
    if (argument.use_empty())
      unused.set(argument.getArgNumber());
  return unused.any() && succeeded(function.eraseArguments(unused));
}

static bool dropResults(Operation *op, RewriterBase &) {
  func::FuncOp function = getUncalled(op);
  if (!function || function.getNumResults() == 0)
    return false;
  if (failed(function.eraseResults(
          llvm::BitVector(function.getNumResults(), true))))
    return false;
  function.walk([](func::ReturnOp end) { end->setOperands({}); });
  return true;
}

/// Its body happens once.
static bool inlineLoop(Operation *op, RewriterBase &rewriter) {
  auto loop = dyn_cast<scf::ForOp>(op);
  if (!loop)
    return false;
  Operation *yield = loop.getBody()->getTerminator();
  SmallVector<Value> results = yield->getOperands(), arguments;
  arguments.push_back(loop.getLowerBound());
  llvm::append_range(arguments, loop.getInitArgs());
  // What is yielded may be an argument of the body.
  for (Value &result : results)
    if (auto argument = dyn_cast<BlockArgument>(result);
        argument && argument.getOwner() == loop.getBody())
      result = arguments[argument.getArgNumber()];
  rewriter.eraseOp(yield);
  rewriter.inlineBlockBefore(loop.getBody(), loop, arguments);
  rewriter.replaceOp(loop, results);
  return true;
}

static bool runLoopOnce(Operation *op, RewriterBase &) {
  auto loop = dyn_cast<scf::ForOp>(op);
  if (!loop || !matchPattern(loop.getLowerBound(), m_Zero()) ||
      !matchPattern(loop.getStep(), m_One()) ||
      matchPattern(loop.getUpperBound(), m_One()))
    return false;
  loop.setUpperBound(loop.getStep());
  return true;
}

template <bool isThen>
static bool inlineBranch(Operation *op, RewriterBase &rewriter) {
  auto branch = dyn_cast<scf::IfOp>(op);
  if (!branch || (!isThen && branch.getElseRegion().empty()))
    return false;
  Block *block = isThen ? branch.thenBlock() : branch.elseBlock();
  Operation *yield = block->getTerminator();
  SmallVector<Value> results = yield->getOperands();
  rewriter.eraseOp(yield);
  rewriter.inlineBlockBefore(block, branch);
  rewriter.replaceOp(branch, results);
  return true;
}

//===----------------------------------------------------------------------===//
// Ops of the dialect
//===----------------------------------------------------------------------===//

/// Operands and results without use, in particular.
static bool canonicalizeApply(Operation *op, RewriterBase &rewriter) {
  if (!isa<ApplyOp>(op))
    return false;
  RewritePatternSet patterns(rewriter.getContext());
  ApplyOp::getCanonicalizationPatterns(patterns, rewriter.getContext());
  bool changed = false;
  (void)applyOpPatternsGreedily(
      op, std::move(patterns),
      GreedyRewriteConfig().setStrictness(GreedyRewriteStrictness::ExistingOps),
      &changed);
  return changed;
}

/// Offsets of accesses have at most this magnitude.
template <int64_t most> static bool clampOffset(Operation *op, RewriterBase &) {
  auto access = dyn_cast<AccessOp>(op);
  if (!access)
    return false;
  ArrayRef<int64_t> given = access.getOffset().getValues();
  SmallVector<int64_t> offset;
  for (int64_t value : given)
    offset.push_back(std::clamp(value, -most, most));
  if (ArrayRef<int64_t>(offset) == given)
    return false;
  access.setOffsetAttr(IndexAttr::get(op->getContext(), offset));
  return true;
}

/// One tap without a weight.
static bool makeAccess(Operation *op, RewriterBase &rewriter) {
  auto sum = dyn_cast<WeightedSumOp>(op);
  if (!sum || !sum.isOverInput())
    return false;
  auto apply = op->getParentOfType<ApplyOp>();
  if (!apply ||
      cast<GridType>(sum.getInput().getType()).getRank() != apply.getRank())
    return false;
  SmallVector<int64_t> zero(apply.getRank(), 0);
  rewriter.setInsertionPoint(op);
  rewriter.replaceOpWithNewOp<AccessOp>(
      op, op->getResult(0).getType(), sum.getInput(),
      IndexAttr::get(op->getContext(), zero), /*offset_mapping=*/IndexAttr());
  return true;
}

static bool halveStore(Operation *op, RewriterBase &) {
  auto store = dyn_cast<StoreOp>(op);
  if (!store)
    return false;
  constexpr int64_t few = 8;
  BoundsAttr box = store.getBounds();
  SmallVector<int64_t> ub(box.getUb());
  for (auto [low, high] : llvm::zip_equal(box.getLb(), ub)) {
    if (isSymbolic(high) && !isSymbolic(low))
      high = low + few;
    else
      high = low + std::max<int64_t>((high - low) / 2, 1);
  }
  if (ArrayRef<int64_t>(ub) == box.getUb())
    return false;
  store.setBoundsAttr(BoundsAttr::get(op->getContext(), box.getLb(), ub));
  return true;
}

/// Applies `change` to all boxes in a function, those of its types, too.
static bool changeBoxes(
    Operation *op,
    function_ref<void(MutableArrayRef<int64_t> lb, MutableArrayRef<int64_t> ub)>
        change) {
  auto function = dyn_cast<func::FuncOp>(op);
  if (!function)
    return false;
  bool changed = false;
  AttrTypeReplacer replacer;
  replacer.addReplacement([&](BoundsAttr box) -> Attribute {
    SmallVector<int64_t> lb(box.getLb()), ub(box.getUb());
    change(lb, ub);
    for (auto [low, high] : llvm::zip_equal(lb, ub))
      if (low >= high)
        return box;
    auto result = BoundsAttr::get(op->getContext(), lb, ub);
    changed |= result != box;
    return result;
  });
  replacer.recursivelyReplaceElementsIn(function, /*replaceAttrs=*/true,
                                        /*replaceLocs=*/false,
                                        /*replaceTypes=*/true);
  return changed;
}

/// All boxes lose as much, so that halos stay.
static bool shrinkInteriors(Operation *op, RewriterBase &) {
  int64_t least = kMaxBound;
  (void)changeBoxes(op, [&](auto lb, auto ub) {
    for (auto [low, high] : llvm::zip_equal(lb, ub))
      if (!isSymbolic(high) && !isSymbolic(low))
        least = std::min(least, high - low);
  });
  int64_t less = least == kMaxBound ? 0 : least / 2;
  return less > 0 && changeBoxes(op, [&](auto, auto ub) {
           for (int64_t &high : ub)
             if (!isSymbolic(high))
               high -= less;
         });
}

/// What begins below zero ends one point earlier on both sides.
static bool shrinkHalos(Operation *op, RewriterBase &) {
  return changeBoxes(op, [](auto lb, auto ub) {
    for (auto [low, high] : llvm::zip_equal(lb, ub))
      if (low < 0) {
        ++low;
        --high;
      }
  });
}

llvm::ArrayRef<Simplification> getSimplifications() {
  static constexpr Simplification all[] = {
      eraseUnused,         replaceByOperands,   inlineLoop,
      inlineBranch<true>,  inlineBranch<false>, dropResults,
      dropUnusedArguments, canonicalizeApply,   dropDiscardableAttributes,
      makeAccess,          replaceByConstant,   runLoopOnce,
      clampOffset<0>,      clampOffset<1>,      halveStore,
      shrinkInteriors,     shrinkHalos};
  return all;
}

//===----------------------------------------------------------------------===//
// For MLIR's passes
//===----------------------------------------------------------------------===//

namespace {

struct SimplifyOp : RewritePattern {
  SimplifyOp(MLIRContext *context, Simplification simplify)
      : RewritePattern(MatchAnyOpTypeTag(), /*benefit=*/1, context),
        simplify(simplify) {}

  LogicalResult matchAndRewrite(Operation *op,
                                PatternRewriter &rewriter) const override {
    return success(simplify(op, rewriter));
  }

  Simplification simplify;
};

struct StencilReductionInterface : DialectReductionPatternInterface {
  explicit StencilReductionInterface(Dialect *dialect)
      : DialectReductionPatternInterface(dialect) {}

  void populateReductionPatterns(RewritePatternSet &patterns) const override {
    for (Simplification simplify : getSimplifications())
      patterns.add<SimplifyOp>(patterns.getContext(), simplify);
  }
};

} // namespace

void registerReductionPatterns(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *, StencilDialect *dialect) {
    dialect->addInterfaces<StencilReductionInterface>();
  });
}
