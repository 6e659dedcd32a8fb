//===- LinearTrees.cpp - The sums of a body, as linear forms --------------===//

#include "StencilDialect/Analysis/LinearTrees.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace stencil;

/// Longer coefficients (in products, and in scalars of a product) are not made.
/// A polynomial in a scalar, of any degree, would otherwise take time quadratic
/// in its degree.
static constexpr size_t kMaxScalars = 4;

bool stencil::runsAsOftenAs(Operation *user, Operation *def) {
  Block *block = def->getBlock();
  while (user->getBlock() != block) {
    user = user->getParentOp();
    if (!isa_and_nonnull<scf::IfOp>(user))
      return false;
  }
  return true;
}

bool stencil::isExactExtension(arith::ExtFOp op) {
  auto from = dyn_cast<FloatType>(op.getIn().getType());
  auto to = dyn_cast<FloatType>(op.getType());
  return from && to && WeightedSumOp::isExactlyWider(to, from);
}

static bool isTooLong(const Coefficient &coefficient) {
  return coefficient.getTerms().size() > kMaxScalars ||
         llvm::any_of(coefficient.getTerms(), [](const auto &term) {
           return term.first.size() > kMaxScalars;
         });
}

//===----------------------------------------------------------------------===//
// One op
//===----------------------------------------------------------------------===//

/// An infinity or NaN is a scalar like any other.
Coefficient LinearTrees::getUniform(Value value) const {
  Attribute constant;
  if (matchPattern(value, m_Constant(&constant)))
    if (std::optional<Number> number = Number::get(constant);
        number && number->isFinite())
      return Coefficient(*number);
  return Coefficient::get(value);
}

TapSource LinearTrees::getOpaque(Value value) const {
  return {value, llvm::to_vector<4>(llvm::seq<int64_t>(0, rank))};
}

/// What an op adds; none if it is not linear in what differs from point to
/// point.
std::optional<LinearTrees::Terms> LinearTrees::getTerms(Operation *op) const {
  Type type = op->getResult(0).getType();
  Coefficient one = Coefficient::get(type, 1);
  Terms terms{{}, Coefficient::get(type, 0)};
  auto add = [&](Value value, const Coefficient &factor) {
    if (uniform.contains(value))
      terms.constant += getUniform(value) * factor;
    else if (!terms.operands.empty() && terms.operands[0].first == value)
      terms.operands[0].second += factor;
    else
      terms.operands.emplace_back(value, factor);
  };
  auto addProduct = [&](Value a, Value b) {
    if (uniform.contains(a))
      add(b, getUniform(a));
    else if (uniform.contains(b))
      add(a, getUniform(b));
    else
      return false;
    return true;
  };
  // The negative of a sum is the sum of the negatives but for the sign of zero.
  if (isa<arith::NegFOp>(op)) {
    if (!mayReassociate(op, mode) &&
        !arith::bitEnumContainsAll(getFastMathFlags(op),
                                   arith::FastMathFlags::nsz))
      return std::nullopt;
    add(op->getOperand(0), -one);
    return terms;
  }
  if (!mayReassociate(op, mode))
    return std::nullopt;
  if (isa<arith::AddFOp, arith::AddIOp, arith::SubFOp, arith::SubIOp>(op)) {
    add(op->getOperand(0), one);
    add(op->getOperand(1), isa<arith::SubFOp, arith::SubIOp>(op) ? -one : one);
    return terms;
  }
  if (isa<arith::MulFOp, arith::MulIOp>(op))
    return addProduct(op->getOperand(0), op->getOperand(1))
               ? std::optional(terms)
               : std::nullopt;
  if (auto fma = dyn_cast<math::FmaOp>(op)) {
    if (!addProduct(fma.getA(), fma.getB()))
      return std::nullopt;
    add(fma.getC(), one);
    return terms;
  }
  if (auto div = dyn_cast<arith::DivFOp>(op)) {
    APFloat divisor(0.0);
    if (!matchPattern(div.getRhs(), m_ConstantFloat(&divisor)) ||
        !divisor.isFiniteNonZero())
      return std::nullopt;
    add(div.getLhs(), Coefficient(Number::get(type, 1) / Number::get(divisor)));
    return terms;
  }
  if (auto shift = dyn_cast<arith::ShLIOp>(op)) {
    APInt amount;
    unsigned width = type.getIntOrFloatBitWidth();
    if (!matchPattern(shift.getRhs(), m_ConstantInt(&amount)) ||
        amount.uge(width))
      return std::nullopt;
    add(shift.getLhs(), Coefficient(Number::get(APInt::getOneBitSet(
                            width, amount.getZExtValue()))));
    return terms;
  }
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// All ops
//===----------------------------------------------------------------------===//

LinearTrees::LinearTrees(ApplyOp apply, MathMode mode)
    : rank(apply.getRank()), mode(mode), uniform(apply) {
  apply.getRegion().walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (op->hasTrait<OpTrait::IsIsolatedFromAbove>() ||
        op->hasTrait<HasScalarBody>())
      return WalkResult::skip();
    visit(op);
    return WalkResult::advance();
  });
  for (Operation *op : sums)
    if (isTakenUp(op))
      takenUp.insert(op);
    else if (!op->use_empty())
      roots.push_back(op);
}

void LinearTrees::visit(Operation *op) {
  if (op->getNumResults() != 1 ||
      !WeightedSumOp::isSummable(op->getResult(0).getType()))
    return;
  Value result = op->getResult(0);
  if (uniform.contains(result))
    return;
  if (auto access = dyn_cast<AccessOp>(op)) {
    TapSource source{access.getTemp(), llvm::to_vector<4>(access.getAxes())};
    ArrayRef<int64_t> offset = access.getOffset().getValues();
    taps.try_emplace(result, Tap{source, LinearForm::Offset(offset),
                                 Coefficient::get(result.getType(), 1),
                                 arith::FastMathFlags::fast});
    return;
  }
  if (auto extend = dyn_cast<arith::ExtFOp>(op)) {
    auto tap = taps.find(extend.getIn());
    if (tap != taps.end() && isExactExtension(extend) &&
        tap->second.coefficient.isOne() &&
        isa<GridType>(tap->second.source.value.getType())) {
      Tap copy = tap->second;
      taps.try_emplace(result, std::move(copy));
    }
    return;
  }
  if (isa<WeightedSumOp>(op)) {
    if (mayReassociate(op, mode))
      sums.insert(op);
    return;
  }
  std::optional<Terms> terms = getTerms(op);
  if (!terms)
    return;
  bool isMultiple = terms->operands.size() == 1 && terms->constant.isZero() &&
                    !terms->operands.front().second.isZero();
  if (!isMultiple ||
      sums.contains(terms->operands.front().first.getDefiningOp())) {
    sums.insert(op);
    return;
  }
  // A multiple of one value.
  auto &[operand, factor] = terms->operands.front();
  auto tap = taps.find(operand);
  Tap multiple = tap != taps.end()
                     ? tap->second
                     : Tap{getOpaque(operand), LinearForm::Offset(rank, 0),
                           Coefficient::get(result.getType(), 1),
                           arith::FastMathFlags::fast};
  multiple.coefficient = multiple.coefficient * factor;
  multiple.flags = multiple.flags & getFastMathFlags(op);
  if (!isTooLong(multiple.coefficient))
    taps.try_emplace(result, std::move(multiple));
}

/// True if the sum is evaluated as part of its only user.
bool LinearTrees::isTakenUp(Operation *op) const {
  if (op->use_empty())
    return false;
  Operation *user = *op->user_begin();
  if (!sums.contains(user) || isa<WeightedSumOp>(user) ||
      !runsAsOftenAs(user, op))
    return false;
  if (op->hasOneUse())
    return true;
  // s + s is 2 s.
  return llvm::all_of(op->getUsers(),
                      [&](Operation *other) { return other == user; }) &&
         getTerms(user)->operands.size() == 1;
}

//===----------------------------------------------------------------------===//
// Forms
//===----------------------------------------------------------------------===//

void LinearTrees::expandSum(
    WeightedSumOp sum, const Coefficient &factor, Expansion &result,
    llvm::DenseMap<TapSource, unsigned, TapSourceInfo> &reads) const {
  TapSource source{sum.getInput(), llvm::to_vector<4>(sum.getAxes())};
  DenseElementsAttr weights = sum.getDenseWeights();
  auto monomial = factor.getMonomial();
  bool isOuterFactor = weights && monomial && monomial->second.isOne();
  if (++reads[source] > 1 || (!factor.isOne() && !isOuterFactor))
    result.hasGain = true;
  auto add = [&](int64_t tap, const Coefficient &weight) {
    result.hasGain |= weight.isZero();
    result.form.add(source, sum.getOffset(tap), weight * factor);
  };
  if (!weights) {
    for (auto [tap, weight] : llvm::enumerate(sum.getUniforms()))
      add(tap, getUniform(weight));
    return;
  }
  for (auto [tap, weight] : llvm::enumerate(weights.getValues<Attribute>()))
    add(tap, Coefficient(*Number::get(weight)));
}

LinearTrees::Expansion LinearTrees::expand(Value value) const {
  Expansion result(value.getType());
  llvm::DenseMap<TapSource, unsigned, TapSourceInfo> reads;
  auto addTap = [&](const TapSource &source, ArrayRef<int64_t> offset,
                    const Coefficient &coefficient) {
    result.hasGain |= ++reads[source] > 1 || coefficient.isZero();
    result.form.add(source, offset, coefficient);
  };
  // Depth first, from left to right, without recursion: sums are deep.
  SmallVector<std::pair<Value, Coefficient>> stack;
  stack.emplace_back(value, Coefficient::get(value.getType(), 1));
  while (!stack.empty()) {
    auto [current, factor] = stack.pop_back_val();
    if (uniform.contains(current)) {
      result.form.addConstant(getUniform(current) * factor);
      continue;
    }
    if (auto tap = taps.find(current); tap != taps.end()) {
      result.flags = result.flags & tap->second.flags;
      addTap(tap->second.source, tap->second.offset,
             tap->second.coefficient * factor);
      if (tap->second.coefficient.isOne())
        result.known[tap->second.source] = {tap->second.offset, current};
      continue;
    }
    Operation *op = current.getDefiningOp();
    bool isPart =
        op && sums.contains(op) && (current == value || takenUp.contains(op));
    auto sum = dyn_cast_or_null<WeightedSumOp>(op);
    if (isPart && isTooLong(factor)) {
      result.refused.push_back(op);
      isPart = false;
    } else if (isPart && sum && !sum.getWeights() && !factor.isConstant()) {
      // One product saves one for each weight.
      isPart = false;
    }
    if (!isPart) {
      addTap(getOpaque(current), LinearForm::Offset(rank, 0), factor);
      continue;
    }
    result.flags = result.flags & getFastMathFlags(op);
    if (sum) {
      expandSum(sum, factor, result, reads);
      continue;
    }
    std::optional<Terms> terms = getTerms(op);
    result.form.addConstant(terms->constant * factor);
    for (auto &[operand, inner] : llvm::reverse(terms->operands))
      stack.emplace_back(operand, inner * factor);
  }
  for (const auto &[source, list] : result.form.getSources())
    for (const auto &[offset, coefficient] : list)
      result.hasGain |= coefficient.isZero();
  result.form.dropZeros();
  return result;
}
