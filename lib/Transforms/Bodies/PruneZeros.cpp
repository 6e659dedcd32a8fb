//===- PruneZeros.cpp - What does not contribute disappears ---------------===//
//
// Forwards through the program, bodies lose what contributes nothing, and
// results that are one number at all points become that number where they are
// read. Backwards, what nobody reads any more is removed: results and operands
// of applies and combines, whole applies, loads. Users come after what they use
// in both directions, as values have no way around a loop: each op is visited
// twice.
//
//===----------------------------------------------------------------------===//

#include "BodyPruning.h"
#include "StencilDialect/Analysis/ProgramCheck.h"
#include "StencilDialect/Transforms/Passes.h"
#include "mlir/Dialect/Math/IR/Math.h"

namespace stencil {
#define GEN_PASS_DEF_STENCILPRUNEZEROS
#include "StencilDialect/Transforms/Passes.h.inc"
} // namespace stencil

using namespace mlir;
using namespace stencil;

namespace {

/// Temps that are one number at all points.
class Constants {
public:
  TypedAttr lookup(Value temp) const { return constants.lookup(temp); }
  void visit(ApplyOp apply);
  void visit(CombineOp combine);
  void visit(BufferOp buffer);

private:
  void add(Value temp, TypedAttr constant) {
    if (constant && isa<TempType>(temp.getType()) &&
        getElementType(temp) == constant.getType())
      constants[temp] = constant;
  }

  llvm::DenseMap<Value, TypedAttr> constants;
};

} // namespace

void Constants::visit(ApplyOp apply) {
  if (apply.isBufferised())
    return;
  for (auto [index, result] : llvm::enumerate(apply.getRes())) {
    ValueRange values = getReturned(apply, index);
    TypedAttr constant = getConstantInBody(apply, values.front());
    if (llvm::all_of(values, [&](Value value) {
          return getConstantInBody(apply, value) == constant;
        }))
      add(result, constant);
  }
}

void Constants::visit(CombineOp combine) {
  unsigned pairs = combine.getLower().size();
  for (auto [index, lower, upper] :
       llvm::enumerate(combine.getLower(), combine.getUpper()))
    if (lookup(lower) == lookup(upper))
      add(combine.getResult(index), lookup(lower));
  for (unsigned i = pairs; i < combine.getNumResults(); ++i)
    add(combine.getResult(i), lookup(combine->getOperand(pairs + i)));
}

void Constants::visit(BufferOp buffer) {
  add(buffer.getRes(), lookup(buffer.getTemp()));
}

/// Removes the results that have no use, and what only they need.
static void pruneApply(ApplyOp apply) {
  if (apply.isBufferised())
    return dropUnusedOperands(apply);
  if (isOpTriviallyDead(apply))
    return apply.erase();
  auto isUsed = [](Value result) { return !result.use_empty(); };
  // What a body does beside computing its results keeps one of them.
  if (llvm::all_of(apply.getRes(), isUsed) ||
      llvm::none_of(apply.getRes(), isUsed))
    return dropUnusedOperands(apply);

  SmallVector<Type> types;
  SmallVector<Value> values, old;
  for (auto [index, result] : llvm::enumerate(apply.getRes())) {
    if (!isUsed(result))
      continue;
    types.push_back(result.getType());
    old.push_back(result);
    llvm::append_range(values, getReturned(apply, index));
  }
  OpBuilder builder(apply);
  auto pruned =
      ApplyOp::create(builder, apply.getLoc(), types, apply.getArgs());
  if (std::optional<BoundsAttr> bounds = apply.getBounds())
    pruned.setBoundsAttr(*bounds);
  pruned->setDiscardableAttrs(apply->getDiscardableAttrDictionary());
  pruned.getRegion().takeBody(apply.getRegion());
  pruned.getBodyBlock()->getTerminator()->setOperands(values);
  for (auto [result, replacement] : llvm::zip_equal(old, pruned.getRes()))
    result.replaceAllUsesWith(replacement);
  apply.erase();
  eraseUnusedOps(pruned.getRegion());
  dropUnusedOperands(pruned);
}

/// Removes the results of a combine that have no use.
static void pruneCombine(CombineOp combine) {
  if (isOpTriviallyDead(combine))
    return combine.erase();
  keepResults(combine, [](Value result) {
    return result.use_empty() ? Type() : result.getType();
  });
}

namespace {

struct PruneZeros : stencil::impl::StencilPruneZerosBase<PruneZeros> {
  using StencilPruneZerosBase::StencilPruneZerosBase;

  void runOnOperation() override {
    SmallVector<Operation *> ops;
    Constants constants;
    getOperation()->walk<WalkOrder::PreOrder>([&](Operation *op) {
      ops.push_back(op);
      if (auto apply = dyn_cast<ApplyOp>(op)) {
        pruneBody(apply, math,
                  [&](Value temp) { return constants.lookup(temp); });
        constants.visit(apply);
        return WalkResult::skip();
      }
      if (auto combine = dyn_cast<CombineOp>(op))
        constants.visit(combine);
      else if (auto buffer = dyn_cast<BufferOp>(op))
        constants.visit(buffer);
      return WalkResult::advance();
    });
    for (Operation *op : llvm::reverse(ops)) {
      if (auto apply = dyn_cast<ApplyOp>(op))
        pruneApply(apply);
      else if (auto combine = dyn_cast<CombineOp>(op))
        pruneCombine(combine);
      else if (isa_and_nonnull<StencilDialect, arith::ArithDialect,
                               math::MathDialect>(op->getDialect()) &&
               op->getNumRegions() == 0 && isOpTriviallyDead(op))
        op->erase();
    }
  }
};

} // namespace
