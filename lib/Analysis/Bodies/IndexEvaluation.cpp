//===- IndexEvaluation.cpp - A body for all points of a box ---------------===//

#include "IndexEvaluation.h"
#include "StencilDialect/IR/Elements.h"
#include "mlir/IR/Matchers.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace stencil;

/// Limits within which nothing below overflows.
static constexpr int64_t kMaxFactor = int64_t(1) << 18;
static constexpr int64_t kMaxConstant = int64_t(1) << 50;

//===----------------------------------------------------------------------===//
// Answers
//===----------------------------------------------------------------------===//

static IndexCut firstOf(IndexCut a, IndexCut b) {
  if (!a.exists() || !b.exists())
    return a.exists() ? a : b;
  return std::pair(b.axis, b.at) < std::pair(a.axis, a.at) ? b : a;
}

static Answer operator!(Answer a) {
  if (a.truth)
    a.truth = !*a.truth;
  return a;
}

static Answer both(Answer a, Answer b) {
  if (a.is(false) || b.is(false))
    return false;
  if (a.is(true))
    return b;
  return b.is(true) ? a : Answer(firstOf(a.cut, b.cut));
}

static Integer toInteger(Answer answer) {
  return answer.truth ? Integer::get(*answer.truth)
                      : Integer::unknown(answer.cut);
}

static Answer toAnswer(const Integer &value) {
  return value.isConstant() ? Answer(value.constant != 0) : Answer(value.cut);
}

//===----------------------------------------------------------------------===//
// Arithmetic on a box
//===----------------------------------------------------------------------===//

/// Whether the coordinate is below `at` at all points of the box.
Answer IndexEvaluation::isBelow(int64_t axis, int64_t at) const {
  if (at < -kMaxBound || at > kMaxBound)
    return {};
  int64_t lb = box.lb[axis], ub = box.ub[axis];
  if (isSymbolic(lb)) {
    // Bounds are compared as if the extent were large, which it need not be.
    int64_t extent = axis < static_cast<int64_t>(body.minimalExtents.size())
                         ? body.minimalExtents[axis]
                         : 0;
    return resolve(lb, extent) >= at ? Answer(false) : Answer();
  }
  // The body starts at every factor-th point of the domain.
  if (int64_t factor = body.unroll[axis]; factor > 1) {
    int64_t origin = body.domain.lb[axis];
    if (isSymbolic(origin))
      return {};
    at = origin + llvm::divideCeilSigned(at - origin, factor) * factor;
  }
  if (ub <= at)
    return true;
  if (lb >= at)
    return false;
  return at <= body.highestCut[axis] ? Answer(IndexCut{axis, at}) : Answer();
}

Answer IndexEvaluation::isNegative(const Integer &value) const {
  if (value.factor == 0)
    return value.constant < 0;
  if (value.factor > 0)
    return isBelow(value.axis,
                   llvm::divideCeilSigned(-value.constant, value.factor));
  return !isBelow(value.axis,
                  llvm::divideFloorSigned(value.constant, -value.factor) + 1);
}

/// `value` if it surely is that number in `type`, too.
Integer IndexEvaluation::fit(Integer value, Type type) const {
  if (!value.isKnown)
    return value;
  if (std::abs(value.factor) > kMaxFactor ||
      std::abs(value.constant) > kMaxConstant)
    return Integer::unknown();
  unsigned width = getBitWidth(type);
  if (width >= 64)
    return value;
  if (width == 1)
    return value.isConstant() ? Integer::get(value.constant & 1)
                              : Integer::unknown();
  int64_t low = value.constant, high = low;
  if (value.factor != 0) {
    if (isSymbolic(box.ub[value.axis]))
      return Integer::unknown();
    low += value.factor * box.lb[value.axis];
    high += value.factor * (box.ub[value.axis] - 1);
  }
  if (!llvm::isIntN(width, low) || !llvm::isIntN(width, high))
    return Integer::unknown();
  return value;
}

/// a + sign * b
Integer IndexEvaluation::add(Integer a, Integer b, int64_t sign) const {
  if (!a.isKnown || !b.isKnown)
    return Integer::unknown(firstOf(a.cut, b.cut));
  if (a.factor != 0 && b.factor != 0 && a.axis != b.axis)
    return Integer::unknown();
  Integer sum = a.factor != 0 ? a : b;
  sum.factor = a.factor + sign * b.factor;
  sum.constant = a.constant + sign * b.constant;
  return sum;
}

Answer IndexEvaluation::compare(arith::CmpIPredicate predicate, Integer a,
                                Integer b) const {
  using P = arith::CmpIPredicate;
  Integer difference = add(a, b, -1);
  if (!difference.isKnown)
    return difference.cut;
  auto isLess = [&]() { return isNegative(difference); };
  auto isAtMost = [&]() {
    Integer lessOne = difference;
    --lessOne.constant;
    return isNegative(lessOne);
  };
  auto isEqual = [&]() -> Answer {
    if (difference.factor != 0 && difference.constant % difference.factor != 0)
      return false;
    return both(isAtMost(), !isLess());
  };
  // As unsigned numbers, negative ones are the largest.
  auto asUnsigned = [&](llvm::function_ref<Answer()> compare) -> Answer {
    Answer first = isNegative(a), second = isNegative(b);
    if (!first.truth || !second.truth)
      return firstOf(first.cut, second.cut);
    return first.is(*second.truth) ? compare() : second;
  };
  switch (predicate) {
  case P::eq:
    return isEqual();
  case P::ne:
    return !isEqual();
  case P::slt:
    return isLess();
  case P::sle:
    return isAtMost();
  case P::sgt:
    return !isAtMost();
  case P::sge:
    return !isLess();
  case P::ult:
    return asUnsigned(isLess);
  case P::ule:
    return asUnsigned(isAtMost);
  case P::ugt:
    return !asUnsigned(isAtMost);
  case P::uge:
    return !asUnsigned(isLess);
  }
  return {};
}

/// An integer constant, also one that is passed to the apply.
static std::optional<int64_t> getConstant(Value value, ApplyOp apply) {
  if (auto argument = dyn_cast<BlockArgument>(value);
      argument && argument.getOwner() == apply.getBodyBlock())
    value = apply.getInput(argument);
  APInt constant;
  if (!value.getType().isIntOrIndex() ||
      !matchPattern(value, m_ConstantInt(&constant)) ||
      constant.getSignificantBits() > 50)
    return std::nullopt;
  return constant.getBitWidth() == 1 ? constant.getZExtValue()
                                     : constant.getSExtValue();
}

Integer IndexEvaluation::get(Value value) const {
  if (auto it = integers.find(value); it != integers.end())
    return it->second;
  if (!value.getType().isIntOrIndex())
    return Integer::unknown();
  std::optional<int64_t> constant = getConstant(value, body.apply);
  return constant ? Integer::get(*constant) : Integer::unknown();
}

//===----------------------------------------------------------------------===//
// Evaluation of a body
//===----------------------------------------------------------------------===//

/// The integer that an op without regions computes.
Integer IndexEvaluation::evaluate(Operation *op) {
  auto operand = [&](unsigned i) { return get(op->getOperand(i)); };
  if (auto index = dyn_cast<IndexOp>(op)) {
    Integer result;
    result.isKnown = true;
    result.axis = index.getDim().getSExtValue();
    result.factor = 1;
    result.constant = index.getOffset().getValues()[result.axis];
    return result;
  }
  if (isa<arith::AddIOp>(op))
    return add(operand(0), operand(1), 1);
  if (isa<arith::SubIOp>(op))
    return add(operand(0), operand(1), -1);
  if (isa<arith::MulIOp>(op)) {
    Integer a = operand(0), b = operand(1);
    if (a.isConstant())
      std::swap(a, b);
    if (!a.isKnown || !b.isConstant())
      return Integer::unknown(firstOf(a.cut, b.cut));
    // Beyond the limit in either factor, the product is of no use.
    if (std::abs(b.constant) > kMaxFactor)
      return Integer::unknown();
    APInt product(128, a.constant, /*isSigned=*/true);
    product *= APInt(128, b.constant, /*isSigned=*/true);
    if (product.getSignificantBits() > 50)
      return Integer::unknown();
    a.factor *= b.constant;
    a.constant = product.getSExtValue();
    return a;
  }
  if (isa<arith::IndexCastOp, arith::ExtSIOp, arith::TruncIOp>(op)) {
    // The one bit of true is a sign for them.
    if (op->getOperand(0).getType().isInteger(1))
      return Integer::unknown(operand(0).cut);
    return operand(0);
  }
  if (isa<arith::ExtUIOp, arith::IndexCastUIOp>(op)) {
    Integer value = operand(0);
    Answer negative = value.isKnown ? isNegative(value) : Answer(value.cut);
    return negative.is(false) ? value : Integer::unknown(negative.cut);
  }
  if (auto compared = dyn_cast<arith::CmpIOp>(op))
    return toInteger(
        compared.getLhs().getType().isInteger(1)
            ? Answer()
            : compare(compared.getPredicate(), operand(0), operand(1)));
  if (isa<arith::MaxSIOp, arith::MinSIOp>(op)) {
    Answer isLess = compare(arith::CmpIPredicate::slt, operand(0), operand(1));
    if (!isLess.truth)
      return Integer::unknown(isLess.cut);
    return operand(*isLess.truth == isa<arith::MaxSIOp>(op));
  }
  if (!isa<arith::AndIOp, arith::OrIOp, arith::XOrIOp>(op) ||
      !op->getResult(0).getType().isInteger(1))
    return Integer::unknown();
  Answer a = toAnswer(operand(0)), b = toAnswer(operand(1));
  if (isa<arith::AndIOp>(op))
    return toInteger(both(a, b));
  if (isa<arith::OrIOp>(op))
    return toInteger(!both(!a, !b));
  return toInteger(a.truth && b.truth ? Answer(*a.truth != *b.truth)
                                      : Answer(firstOf(a.cut, b.cut)));
}

Answer IndexEvaluation::decide(Operation *branch, Value condition) {
  Answer answer = toAnswer(get(condition));
  auto it = body.numbers.find(branch);
  if (it == body.numbers.end())
    return answer;
  outcomes[it->second] = !answer.truth ? '?' : *answer.truth ? '1' : '0';
  if (!answer.truth && !firstCut.exists())
    firstCut = answer.cut;
  return answer;
}

void IndexEvaluation::visitIf(scf::IfOp ifOp) {
  Answer answer = decide(ifOp, ifOp.getCondition());
  if (!answer.is(false))
    evaluate(*ifOp.thenBlock());
  if (!answer.is(true) && ifOp.elseBlock())
    evaluate(*ifOp.elseBlock());
  for (auto [i, result] : llvm::enumerate(ifOp.getResults()))
    integers[result] =
        answer.truth ? get((*answer.truth ? ifOp.thenYield() : ifOp.elseYield())
                               .getOperand(i))
                     : Integer::unknown(answer.cut);
}

void IndexEvaluation::visitSelect(arith::SelectOp select) {
  Value condition = select.getCondition();
  if (!condition.getType().isInteger(1))
    return;
  Answer answer = decide(select, condition);
  integers[select.getResult()] =
      !answer.truth
          ? Integer::unknown(answer.cut)
          : get(*answer.truth ? select.getTrueValue() : select.getFalseValue());
}

void IndexEvaluation::visit(Operation *op) {
  if (auto ifOp = dyn_cast<scf::IfOp>(op))
    return visitIf(ifOp);
  if (auto select = dyn_cast<arith::SelectOp>(op))
    return visitSelect(select);
  for (Region &region : op->getRegions())
    for (Block &block : region)
      evaluate(block);
  if (op->getNumRegions() == 0 && op->getNumResults() == 1 &&
      op->getResult(0).getType().isIntOrIndex() &&
      !op->hasTrait<OpTrait::ConstantLike>())
    integers[op->getResult(0)] = fit(evaluate(op), op->getResult(0).getType());
}

void IndexEvaluation::evaluate(Block &block) {
  for (Operation &op : block)
    visit(&op);
}

llvm::DenseMap<Value, bool> IndexEvaluation::getConditions() const {
  llvm::DenseMap<Value, bool> conditions;
  for (auto &[value, integer] : integers)
    if (!body.shifted.contains(value.getDefiningOp()) &&
        value.getType().isInteger(1) && integer.isConstant())
      conditions[value] = integer.constant != 0;
  return conditions;
}

//===----------------------------------------------------------------------===//
// What does not depend on the box
//===----------------------------------------------------------------------===//

void IndexBody::findShifted() {
  Block *block = apply.getBodyBlock();
  auto shift = [&](Value value) {
    if (Operation *op = value.getDefiningOp(); op && op->getBlock() == block)
      shifted.insert(op);
  };
  apply.getRegion().walk([&](WeightedSumOp sum) {
    if (!sum.isOverInput())
      shift(sum.getInput());
  });
  if (shifted.empty())
    return;
  for (Operation &op : llvm::reverse(*block))
    if (shifted.contains(&op))
      op.walk([&](Operation *inner) {
        shifted.insert(inner);
        llvm::for_each(inner->getOperands(), shift);
      });
}

IndexBody::IndexBody(ApplyOp apply, BoundsAttr bounds,
                     const IndexRegionOptions &options)
    : apply(apply), domain(bounds), unroll(apply.getUnrollFactors()),
      minimalExtents(options.minimalExtents),
      highestCut(bounds.getRank(), kMaxBound) {
  findShifted();
  apply.getRegion().walk<WalkOrder::PreOrder>([&](Operation *op) {
    auto select = dyn_cast<arith::SelectOp>(op);
    if (shifted.contains(op))
      return;
    if (!isa<scf::IfOp>(op) && !(select && !select.getType().isInteger(1)))
      return;
    numbers[op] = branches.size();
    branches.push_back(op);
  });
  for (BoundsAttr box : options.boxes)
    for (auto [axis, lb] : llvm::enumerate(box.getLb()))
      if (isSymbolic(lb)) {
        int64_t extent =
            axis < minimalExtents.size() ? minimalExtents[axis] : 0;
        highestCut[axis] = std::min(highestCut[axis], resolve(lb, extent));
      }
  if (options.axes.empty())
    return;
  for (auto [axis, highest] : llvm::enumerate(highestCut))
    if (!llvm::is_contained(options.axes, static_cast<int64_t>(axis)))
      highest = std::numeric_limits<int64_t>::min();
}
