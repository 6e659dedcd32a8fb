//===- AssociateSums.cpp - Sums in the order of their terms ---------------===//
//
// Before, a, b and c being there in the order c, a, b:
//   %s = arith.addf %a, %b
//   %t = arith.subf %s, %c
// After:
//   %s = arith.subf %a, %c
//   %t = arith.addf %s, %b
//
//===----------------------------------------------------------------------===//

#include "SumBodies.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace stencil;

namespace {

struct Term {
  Value value;
  bool isNegative = false;
  /// Where all that it takes is there.
  int64_t position = 0;
  /// In the sum as it was written.
  size_t number = 0;
};

class Associator {
public:
  Associator(ApplyOp apply, MathMode mode);
  bool run();

private:
  bool isSum(Operation *op) const {
    return isa_and_nonnull<arith::AddFOp, arith::SubFOp>(op) &&
           op->getBlock() == block && mayReassociate(op, mode);
  }
  /// A sum that is a part of another one.
  bool isPart(Value value) const {
    return isSum(value.getDefiningOp()) && value.hasOneUse() &&
           isSum(*value.user_begin());
  }
  void collect(Value value, bool isNegative, SmallVectorImpl<Term> &terms);
  int64_t findPosition(Value value);
  bool associate(Operation *root);

  MathMode mode;
  Block *block;
  llvm::DenseMap<Operation *, int64_t> positions;
  /// Of ops that depend on several inputs.
  llvm::DenseSet<Operation *> mixed;
};

} // namespace

Associator::Associator(ApplyOp apply, MathMode mode)
    : mode(mode), block(apply.getBodyBlock()) {
  llvm::DenseMap<Operation *, Value> inputs;
  for (auto [number, op] : llvm::enumerate(*block)) {
    positions[&op] = number;
    Value input;
    bool isMixed = readsComputedPoints(&op) || op.getNumRegions() > 0;
    if (auto access = dyn_cast<AccessOp>(op))
      input = access.getTemp();
    for (Value operand : op.getOperands()) {
      Operation *def = operand.getDefiningOp();
      Value other = inputs.lookup(def);
      isMixed |= mixed.contains(def) || (input && other && input != other);
      input = input ? input : other;
    }
    inputs[&op] = input;
    if (isMixed)
      mixed.insert(&op);
  }
}

void Associator::collect(Value value, bool isNegative,
                         SmallVectorImpl<Term> &terms) {
  if (!isPart(value) || !mixed.contains(value.getDefiningOp())) {
    terms.push_back({value, isNegative, findPosition(value), terms.size()});
    return;
  }
  Operation *op = value.getDefiningOp();
  collect(op->getOperand(0), isNegative, terms);
  collect(op->getOperand(1), isNegative != isa<arith::SubFOp>(op), terms);
}

/// An op that nothing else waits for can be anywhere behind its operands.
int64_t Associator::findPosition(Value value) {
  Operation *op = value.getDefiningOp();
  if (!op || op->getBlock() != block)
    return -1;
  if (!value.hasOneUse() || !mixed.contains(op) || op->getNumRegions() > 0)
    return positions.lookup(op);
  int64_t position = -1;
  for (Value operand : op->getOperands())
    position = std::max(position, findPosition(operand));
  return position;
}

/// Adds the terms of a sum in the order in which they are there. A sum of which
/// all terms so far are to be subtracted is kept as what is subtracted from the
/// next one that is not.
bool Associator::associate(Operation *root) {
  SmallVector<Term> terms;
  collect(root->getOperand(0), false, terms);
  collect(root->getOperand(1), isa<arith::SubFOp>(root), terms);
  auto isBefore = [](const Term &a, const Term &b) {
    return std::tie(a.position, a.number) < std::tie(b.position, b.number);
  };
  if (terms.size() < 3 || llvm::is_sorted(terms, isBefore) ||
      llvm::all_of(terms, [](const Term &term) { return term.isNegative; }))
    return false;
  llvm::sort(terms, isBefore);
  OpBuilder builder(root);
  Location loc = root->getLoc();
  arith::FastMathFlags flags = getFastMathFlags(root);
  Term sum = terms.front();
  for (const Term &term : ArrayRef(terms).drop_front()) {
    Value a = sum.value, b = term.value;
    if (sum.isNegative == term.isNegative) {
      sum.value = arith::AddFOp::create(builder, loc, a, b, flags);
    } else {
      if (sum.isNegative)
        std::swap(a, b);
      sum.value = arith::SubFOp::create(builder, loc, a, b, flags);
      sum.isNegative = false;
    }
    positions[sum.value.getDefiningOp()] = term.position;
    mixed.insert(sum.value.getDefiningOp());
  }
  root->getResult(0).replaceAllUsesWith(sum.value);
  return true;
}

bool Associator::run() {
  SmallVector<Operation *> roots;
  for (Operation &op : *block)
    if (isSum(&op) && mixed.contains(&op) && !isPart(op.getResult(0)))
      roots.push_back(&op);
  SmallVector<Operation *> changed;
  for (Operation *root : roots)
    if (associate(root))
      changed.push_back(root);
  // Their parts go with them.
  for (Operation *root : changed) {
    SmallVector<Operation *> dead = {root};
    while (!dead.empty()) {
      Operation *op = dead.pop_back_val();
      if (!isSum(op) || !op->use_empty())
        continue;
      SmallVector<Value> operands(op->getOperands());
      op->erase();
      for (Value operand : operands)
        if (Operation *def = operand.getDefiningOp())
          dead.push_back(def);
    }
  }
  return !changed.empty();
}

bool stencil::associateSums(ApplyOp apply, MathMode mode) {
  return Associator(apply, mode).run();
}
