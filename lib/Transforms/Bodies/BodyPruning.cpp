//===- BodyPruning.cpp - What does not contribute to a body ---------------===//

#include "BodyPruning.h"
#include "StencilDialect/IR/Footprint.h"
#include "StencilDialect/IR/Schedule.h"
#include "Sums/SumBodies.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace stencil;

TypedAttr stencil::getConstantInBody(ApplyOp apply, Value value) {
  auto argument = dyn_cast<BlockArgument>(value);
  if (argument && argument.getOwner() == apply.getBodyBlock())
    value = apply.getInput(argument);
  Attribute constant;
  if (matchPattern(value, m_Constant(&constant)) &&
      isa<FloatAttr, IntegerAttr>(constant))
    return cast<TypedAttr>(constant);
  return {};
}

static bool isZero(Attribute constant) {
  std::optional<Number> number = Number::get(constant);
  return number && number->isZero();
}

static bool isNegative(Attribute constant) {
  auto number = dyn_cast_or_null<FloatAttr>(constant);
  return number && number.getValue().isNegative();
}

static TypedAttr getZero(Type type) {
  return Builder(type.getContext()).getZeroAttr(type);
}

/// The sum of the products of a constant with weights, taken as the op says.
/// Null if it is not finite, or if the weights are not constant.
static TypedAttr sumConstant(WeightedSumOp sum, Attribute constant) {
  DenseElementsAttr weights = sum.getDenseWeights();
  if (!weights)
    return {};
  Type type = sum.getRes().getType();
  if (auto integer = dyn_cast<IntegerAttr>(constant)) {
    APInt total(type.getIntOrFloatBitWidth(), 0);
    for (const APInt &weight : weights.getValues<APInt>())
      total += weight * integer.getValue();
    return IntegerAttr::get(type, total);
  }
  bool losesInfo;
  APFloat value = cast<FloatAttr>(constant).getValue();
  value.convert(cast<FloatType>(type).getFloatSemantics(),
                APFloat::rmNearestTiesToEven, &losesInfo);
  std::optional<APFloat> total;
  for (const APFloat &weight : weights.getValues<APFloat>())
    if (!weight.isZero())
      total = total ? *total + weight * value : weight * value;
  if (!total)
    return getZero(type);
  return total->isFinite() ? FloatAttr::get(type, *total) : TypedAttr();
}

namespace {

class BodyPruner {
public:
  BodyPruner(ApplyOp apply, MathMode mode, ConstantOf constantOf)
      : apply(apply), mode(mode), constantOf(constantOf),
        builder(apply.getContext()) {}

  void run();

private:
  TypedAttr getConstant(Value value) { return getConstantInBody(apply, value); }
  TypedAttr getConstantInput(Value input) {
    return constantOf(apply.getInput(input));
  }

  /// True if the op may be reassociated, or has all of the flags.
  bool mayDrop(Operation *op, arith::FastMathFlags flags) {
    return mayReassociate(op, mode) ||
           arith::bitEnumContainsAll(getFastMathFlags(op), flags);
  }
  /// True if the op may leave out zero times something that is not finite, and
  /// the sign of zero.
  bool mayDrop(Operation *op) {
    using Flags = arith::FastMathFlags;
    return mayDrop(op, Flags::nnan | Flags::nsz);
  }
  bool mayDropSign(Operation *op) {
    return mayDrop(op, arith::FastMathFlags::nsz);
  }

  OpFoldResult simplify(Operation *op);
  OpFoldResult simplifySum(WeightedSumOp sum);
  OpFoldResult simplifyAdd(Operation *op, bool isSubtraction);
  OpFoldResult foldChanged(Operation *op);

  ApplyOp apply;
  MathMode mode;
  ConstantOf constantOf;
  OpBuilder builder;
  /// Ops an operand of which was replaced.
  llvm::DenseSet<Operation *> changed;
};

} // namespace

OpFoldResult BodyPruner::simplifySum(WeightedSumOp sum) {
  TypedAttr constant = sum.isOverInput() ? getConstantInput(sum.getInput())
                                         : getConstant(sum.getInput());
  if (constant)
    if (TypedAttr total = sumConstant(sum, constant))
      return total;

  Type type = sum.getRes().getType();
  SmallVector<int64_t> offsets;
  auto isKept = [&](int64_t tap, bool isNone) {
    if (!isNone)
      llvm::append_range(offsets, sum.getOffset(tap));
    return !isNone;
  };
  if (DenseElementsAttr weights = sum.getDenseWeights()) {
    // A constant weight of zero says that the point is no tap.
    if (weights.isSplat())
      return isZero(weights.getSplatValue<Attribute>())
                 ? OpFoldResult(getZero(type))
                 : OpFoldResult();
    SmallVector<Attribute> kept;
    for (auto [tap, weight] : llvm::enumerate(weights.getValues<Attribute>()))
      if (isKept(tap, isZero(weight)))
        kept.push_back(weight);
    if (kept.empty())
      return getZero(type);
    if (static_cast<int64_t>(kept.size()) == sum.getNumTaps())
      return {};
    return WeightedSumOp::create(builder, sum.getLoc(), sum.getInput(), offsets,
                                 makeWeights(type, kept),
                                 sum.getOffsetMappingAttr(), sum.getFastmath())
        .getRes();
  }
  // A weight that is an operand is a product.
  if (!mayDrop(sum))
    return {};
  SmallVector<Value> kept;
  for (auto [tap, weight] : llvm::enumerate(sum.getUniforms()))
    if (isKept(tap, isZero(getConstant(weight))))
      kept.push_back(weight);
  if (kept.empty())
    return getZero(type);
  if (static_cast<int64_t>(kept.size()) == sum.getNumTaps())
    return {};
  return WeightedSumOp::create(builder, sum.getLoc(), sum.getInput(), offsets,
                               kept, sum.getOffsetMappingAttr(),
                               sum.getFastmath())
      .getRes();
}

/// x + 0, x - 0, x - x.
OpFoldResult BodyPruner::simplifyAdd(Operation *op, bool isSubtraction) {
  Value a = op->getOperand(0), b = op->getOperand(1);
  TypedAttr first = getConstant(a), second = getConstant(b);
  bool isInteger = !isa<FloatType>(op->getResult(0).getType());
  // x + -0 and x - +0 are x, whatever x is.
  if (isZero(second) &&
      (isInteger || isNegative(second) != isSubtraction || mayDropSign(op)))
    return a;
  if (isSubtraction) {
    // Infinity less infinity is no number, so that zero is right for all
    // others.
    if (a == b && (isInteger || mayDrop(op, arith::FastMathFlags::nnan)))
      return getZero(a.getType());
    return {};
  }
  if (isZero(first) && (isInteger || isNegative(first) || mayDropSign(op)))
    return b;
  return {};
}

/// What an op of arith folds to that got a new operand.
OpFoldResult BodyPruner::foldChanged(Operation *op) {
  if (!isa_and_nonnull<arith::ArithDialect>(op->getDialect()) ||
      op->getNumResults() != 1)
    return {};
  SmallVector<Attribute> operands;
  for (Value operand : op->getOperands())
    operands.push_back(getConstant(operand));
  SmallVector<OpFoldResult> results;
  if (failed(op->fold(operands, results)) || results.empty())
    return {};
  auto constant = dyn_cast<Attribute>(results.front());
  return constant && !isa<FloatAttr, IntegerAttr>(constant) ? OpFoldResult()
                                                            : results.front();
}

OpFoldResult BodyPruner::simplify(Operation *op) {
  if (auto access = dyn_cast<AccessOp>(op))
    return getConstantInput(access.getTemp());
  if (auto sum = dyn_cast<WeightedSumOp>(op))
    return simplifySum(sum);
  if (isa<arith::MulFOp, arith::MulIOp>(op)) {
    for (Value factor : op->getOperands())
      if (isZero(getConstant(factor)) && mayDrop(op))
        return getZero(factor.getType());
  } else if (auto fma = dyn_cast<math::FmaOp>(op)) {
    for (Value factor : {fma.getA(), fma.getB()})
      if (isZero(getConstant(factor)) && mayDrop(op))
        return fma.getC();
  } else if (isa<arith::AddFOp, arith::AddIOp, arith::SubFOp, arith::SubIOp>(
                 op)) {
    if (OpFoldResult result =
            simplifyAdd(op, isa<arith::SubFOp, arith::SubIOp>(op)))
      return result;
  }
  return changed.contains(op) ? foldChanged(op) : OpFoldResult();
}

void BodyPruner::run() {
  SmallVector<Operation *> worklist;
  apply.getRegion().walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (op->hasTrait<OpTrait::IsIsolatedFromAbove>())
      return WalkResult::skip();
    if (op->getNumResults() == 1 && op->getNumRegions() == 0 &&
        op->getResult(0).getType().isIntOrIndexOrFloat())
      worklist.push_back(op);
    return WalkResult::advance();
  });
  // In the order of the program: what is replaced changes later ops only.
  for (Operation *op : worklist) {
    builder.setInsertionPoint(op);
    OpFoldResult result = simplify(op);
    if (!result || result == OpFoldResult(op->getResult(0)))
      continue;
    Value value = dyn_cast<Value>(result);
    if (!value)
      value = arith::ConstantOp::create(
          builder, op->getLoc(), cast<TypedAttr>(cast<Attribute>(result)));
    // Only what the body computes can be summed over neighbouring points.
    bool isSummed = llvm::any_of(op->getUsers(), llvm::IsaPred<WeightedSumOp>);
    if (isSummed && !value.getDefiningOp())
      continue;
    for (Operation *user : op->getUsers())
      changed.insert(user);
    op->getResult(0).replaceAllUsesWith(value);
  }
}

void stencil::eraseUnusedOps(Region &body) {
  // Users first: what only they used goes with them.
  for (Block &block : body)
    for (Operation &op : llvm::make_early_inc_range(llvm::reverse(block))) {
      if (isOpTriviallyDead(&op)) {
        op.erase();
        continue;
      }
      for (Region &inner : op.getRegions())
        eraseUnusedOps(inner);
    }
}

void stencil::dropUnusedOperands(ApplyOp apply) {
  llvm::BitVector unused(apply.getArgs().size());
  for (BlockArgument argument : apply.getBodyBlock()->getArguments())
    if (argument.use_empty())
      unused.set(argument.getArgNumber());
  eraseInputs(apply, unused);
}

void stencil::pruneBody(ApplyOp apply, MathMode mode, ConstantOf constantOf) {
  BodyPruner(apply, mode, constantOf).run();
  eraseUnusedOps(apply.getRegion());
}

void stencil::eraseUnread(ApplyOp apply) {
  apply.getRegion().walk([](WeightedSumOp sum) {
    bool hasTap = false;
    forEachTap(sum, [&](int64_t, bool) { hasTap = true; });
    if (hasTap)
      return;
    OpBuilder builder(sum);
    Value zero = arith::ConstantOp::create(
        builder, sum.getLoc(), builder.getZeroAttr(sum.getRes().getType()));
    sum.getRes().replaceAllUsesWith(zero);
    sum.erase();
  });
  eraseUnusedOps(apply.getRegion());
}

void stencil::keepResults(CombineOp combine,
                          llvm::function_ref<Type(Value result)> getType) {
  SmallVector<Value> lower, upper, lowerext, upperext, kept;
  SmallVector<Type> types;
  unsigned pairs = combine.getLower().size();
  unsigned firstUpperext = pairs + combine.getLowerext().size();
  for (auto [i, result] : llvm::enumerate(combine.getResults())) {
    Type type = getType(result);
    if (!type)
      continue;
    kept.push_back(result);
    types.push_back(type);
    if (i < pairs) {
      lower.push_back(combine.getLower()[i]);
      upper.push_back(combine.getUpper()[i]);
    } else {
      (i < firstUpperext ? lowerext : upperext)
          .push_back(combine->getOperand(pairs + i));
    }
  }
  if (llvm::equal(types, combine->getResultTypes()))
    return;
  if (lower.empty()) {
    lower = llvm::to_vector(llvm::concat<Value>(lowerext, upperext));
    upper = lower;
    lowerext.clear();
    upperext.clear();
  }
  OpBuilder builder(combine);
  auto created = CombineOp::create(builder, combine.getLoc(), types,
                                   combine.getDimAttr(), combine.getIndexAttr(),
                                   lower, upper, lowerext, upperext);
  created->setDiscardableAttrs(combine->getDiscardableAttrDictionary());
  for (auto [old, replacement] : llvm::zip_equal(kept, created.getResults()))
    old.replaceAllUsesWith(replacement);
  combine.erase();
}
