//===- ComposeBody.cpp - Sums of sums in a body ---------------------------===//

#include "StencilDialect/Transforms/ComposeBody.h"
#include "Bodies/BodyPruning.h"
#include "StencilDialect/Analysis/LinearTrees.h"
#include "StencilDialect/IR/OpWalks.h"
#include "SumBodies.h"

using namespace mlir;
using namespace stencil;

static bool isOverValue(Operation *op) {
  auto sum = dyn_cast<WeightedSumOp>(op);
  return sum && !sum.isOverInput();
}

bool stencil::hasSumsOverValues(ApplyOp apply) {
  return anyWithin(apply.getRegion(), isOverValue);
}

namespace {
/// Composes one sum.
class Composer {
public:
  Composer(const LinearTrees &trees, size_t maxTaps, size_t &work,
           BodyComposition &result)
      : trees(trees), maxTaps(maxTaps), work(work), result(result) {}

  /// The form of `root` after composition; nothing if there is none.
  std::optional<LinearForm> run(Operation *root);

  arith::FastMathFlags flags = arith::FastMathFlags::fast;
  size_t parts = 0;

private:
  std::optional<LinearTrees::Expansion> getInner(const LinearForm &form,
                                                 const TapSource &source,
                                                 const LinearForm::Taps &taps);
  void refuse(Operation *op, const char *reason) {
    result.obstacle = reason;
    result.obstacleOp = op;
  }

  const LinearTrees &trees;
  size_t maxTaps;
  /// Products of taps so far, for the whole body.
  size_t &work;
  BodyComposition &result;
  llvm::SmallPtrSet<Value, 4> refused;
};
} // namespace

/// What a source of `form` is made of; nothing if it stays as it is.
std::optional<LinearTrees::Expansion>
Composer::getInner(const LinearForm &form, const TapSource &source,
                   const LinearForm::Taps &taps) {
  Operation *op = source.value.getDefiningOp();
  if (!op || isa<GridType>(source.value.getType()) ||
      refused.contains(source.value))
    return std::nullopt;
  // Read at this point only, it is computed once, and others may use it.
  bool isMoved =
      llvm::any_of(taps, [](const auto &tap) { return !isZero(tap.first); });
  if (!isMoved)
    return std::nullopt;
  refused.insert(source.value);
  if (source.value.getType() != form.getElementType()) {
    refuse(op, "the inner sum is rounded to a narrower type");
    return std::nullopt;
  }
  LinearTrees::Expansion inner = trees.expand(source.value);
  const auto &sources = inner.form.getSources();
  if (sources.size() == 1 && sources.front().first.value == source.value) {
    refuse(op, "it is not linear, or may not be reassociated");
    return std::nullopt;
  }
  size_t products = taps.size() * inner.form.getNumTaps();
  work += products + form.getNumTaps();
  constexpr size_t patience = 2000000;
  // Most products meet others at the same offset.
  if (products > 64 * maxTaps || work > patience) {
    refuse(op, "too many taps");
    return std::nullopt;
  }
  return inner;
}

std::optional<LinearForm> Composer::run(Operation *root) {
  LinearTrees::Expansion outer = trees.expand(root->getResult(0));
  flags = outer.flags;
  LinearForm form = outer.form;
  parts = form.getNumTaps();
  bool isComposed = false;
  for (bool again = true; std::exchange(again, false);)
    for (const auto &[source, taps] : form.getSources()) {
      std::optional<LinearTrees::Expansion> inner =
          getInner(form, source, taps);
      if (!inner)
        continue;
      LinearForm composed = form;
      composed.substitute(source.value, inner->form);
      composed.dropZeros();
      if (composed.getNumTaps() > maxTaps) {
        refuse(source.value.getDefiningOp(), "too many taps");
        continue;
      }
      parts += inner->form.getNumTaps();
      flags = flags & inner->flags;
      form = std::move(composed);
      isComposed = again = true;
      // The sources are others now.
      break;
    }
  if (!isComposed)
    return std::nullopt;
  return form;
}

BodyComposition stencil::composeBody(ApplyOp apply, MathMode mode,
                                     size_t maxTaps) {
  BodyComposition result;
  size_t work = 0;
  OpBuilder builder(apply.getContext());
  // A sum that has been composed may be part of another; the depth of a body is
  // finite, but a weight that is no number stops it.
  constexpr unsigned patience = 16;
  for (unsigned round = 0; round < patience && hasSumsOverValues(apply);
       ++round) {
    result.obstacle.clear();
    LinearTrees trees(apply, mode);
    llvm::SmallPtrSet<Operation *, 16> roots(llvm::from_range,
                                             trees.getRoots());
    SmallVector<Operation *> ops;
    apply.getRegion().walk([&](Operation *op) { ops.push_back(op); });
    // Last first: what is part of a composed sum only is not needed any more.
    llvm::SmallPtrSet<Operation *, 16> dead;
    bool changed = false;
    for (Operation *root : llvm::reverse(ops)) {
      bool isDead = !root->use_empty() &&
                    llvm::all_of(root->getUsers(), [&](Operation *user) {
                      return dead.contains(user);
                    });
      if (isDead)
        dead.insert(root);
      if (isDead || !roots.contains(root))
        continue;
      Composer composer(trees, maxTaps, work, result);
      std::optional<LinearForm> form = composer.run(root);
      if (!form)
        continue;
      builder.setInsertionPoint(root);
      Value value = emitForm(builder, root->getLoc(), apply.getRank(), *form,
                             composer.flags);
      bool isSummed =
          llvm::any_of(root->getUsers(), llvm::IsaPred<WeightedSumOp>);
      if (!value || (isSummed && !value.getDefiningOp())) {
        result.obstacle = "a weight is not finite";
        result.obstacleOp = root;
        continue;
      }
      root->getResult(0).replaceAllUsesWith(value);
      dead.insert(root);
      ++result.sums;
      result.taps += form->getNumTaps();
      result.partTaps += composer.parts;
      changed = true;
    }
    eraseUnusedOps(apply.getRegion());
    if (!changed)
      break;
  }
  if (result.obstacle.empty() && hasSumsOverValues(apply))
    apply.getRegion().walk([&](Operation *op) {
      if (!result.obstacleOp && isOverValue(op))
        result = {result.sums, result.taps, result.partTaps,
                  "a sum is not part of one that may be reassociated", op};
    });
  return result;
}
