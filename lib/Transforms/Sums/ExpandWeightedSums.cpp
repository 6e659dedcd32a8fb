//===- ExpandWeightedSums.cpp - Weighted sums to accesses and arithmetic --===//
//
// Before:
//   %s = stencil.weighted_sum %v offsets [[-1], [1]] weights dense<[2.0, 1.0]>
// After:
//   (the ops that %v depends on, with all accesses one further down: %a)
//   (and one further up: %b)
//   %p = arith.mulf %cst, %a
//   %s = arith.addf %p, %b
//
// What several sums ask for at one point is computed once.
//
//===----------------------------------------------------------------------===//

#include "StencilDialect/Conversion/SumArithmetic.h"
#include "StencilDialect/IR/DiscardableAttrs.h"
#include "StencilDialect/IR/Footprint.h"
#include "StencilDialect/IR/OpWalks.h"
#include "StencilDialect/IR/TapBoxes.h"
#include "StencilDialect/Tile/Tile.h"
#include "StencilDialect/Transforms/Passes.h"
#include "SumBodies.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/IRMapping.h"

#include <map>

namespace stencil {
#define GEN_PASS_DEF_STENCILEXPANDWEIGHTEDSUMS
#include "StencilDialect/Transforms/Passes.h.inc"
} // namespace stencil

using namespace mlir;
using namespace stencil;

namespace {

/// Writes the body of an apply anew, without weighted sums.
class Expander {
public:
  explicit Expander(ApplyOp apply)
      : apply(apply), slices(apply), builder(apply.getContext()),
        shift(apply.getRank(), 0) {}

  LogicalResult run();

private:
  /// What values of the old body became, at one point.
  using Values = IRMapping;

  LogicalResult copy(Operation *op);
  LogicalResult copyRegions(Operation *from, Operation *to);
  bool isLeft(WeightedSumOp sum) const;
  LogicalResult expand(WeightedSumOp op);
  FailureOr<Value> evaluateAt(WeightedSumOp sum, ArrayRef<int64_t> offset);
  Value getConstant(Location loc, Attribute value);
  stencil::IndexAttr getShifted(ArrayRef<int64_t> offset,
                                ArrayRef<int64_t> axes);

  ApplyOp apply;
  BodySlices slices;
  OpBuilder builder;
  Block *body = nullptr;
  /// The offset of the point at which ops are copied.
  std::vector<int64_t> shift;
  Values here;
  Values *scope = &here;
  /// Other points, a layer per region that is being copied: its values are not
  /// known outside of it.
  std::vector<std::map<std::vector<int64_t>, Values>> shifted;
  llvm::DenseMap<Attribute, Value> constants;
  Operation *lastConstant = nullptr;
  uint64_t numShiftedOps = 0;
  unsigned depth = 0;
};

} // namespace

LogicalResult Expander::run() {
  Region expanded;
  body = new Block();
  expanded.push_back(body);
  for (BlockArgument argument : apply.getBodyBlock()->getArguments())
    here.map(argument,
             body->addArgument(argument.getType(), argument.getLoc()));
  shifted.emplace_back();
  builder.setInsertionPointToEnd(body);
  for (Operation &op : *apply.getBodyBlock())
    if (slices.isNeededHere(&op) && failed(copy(&op)))
      return failure();
  apply.getRegion().takeBody(expanded);
  return success();
}

stencil::IndexAttr Expander::getShifted(ArrayRef<int64_t> offset,
                                        ArrayRef<int64_t> axes) {
  SmallVector<int64_t> position(offset);
  for (auto [i, axis] : llvm::enumerate(axes))
    position[i] += shift[axis];
  return stencil::IndexAttr::get(builder.getContext(), position);
}

/// At the beginning of the body, where they serve all regions.
Value Expander::getConstant(Location loc, Attribute value) {
  Value &known = constants[value];
  if (known)
    return known;
  OpBuilder::InsertionGuard guard(builder);
  if (lastConstant)
    builder.setInsertionPointAfter(lastConstant);
  else
    builder.setInsertionPointToStart(body);
  auto constant =
      arith::ConstantOp::create(builder, loc, cast<TypedAttr>(value));
  lastConstant = constant;
  known = constant;
  return known;
}

/// True for a sum that conversions make loops or products of matrices of.
bool Expander::isLeft(WeightedSumOp sum) const {
  // Of a kernel of tiles, the engine takes sums as they are.
  return (tile::takesWholeSums(apply) || hasTapLoop(sum) ||
          sum->hasAttr(kMatrixProductAttr)) &&
         isZero(shift);
}

/// Copies an op of the old body, as it is at the current shift.
LogicalResult Expander::copy(Operation *op) {
  if (auto sum = dyn_cast<WeightedSumOp>(op); sum && !isLeft(sum))
    return expand(sum);
  Operation *moved;
  if (op->getNumRegions() == 0) {
    moved = builder.clone(*op, *scope);
  } else {
    moved = op->cloneWithoutRegions(*scope);
    builder.insert(moved);
    if (failed(copyRegions(op, moved)))
      return failure();
  }
  auto allAxes = llvm::to_vector(llvm::seq<int64_t>(0, apply.getRank()));
  if (auto placed = dyn_cast<PlacedOpInterface>(moved))
    placed.move(shift, allAxes);
  return success();
}

LogicalResult Expander::copyRegions(Operation *from, Operation *to) {
  OpBuilder::InsertionGuard guard(builder);
  for (auto [source, target] :
       llvm::zip_equal(from->getRegions(), to->getRegions())) {
    shifted.emplace_back();
    for (Block &block : source) {
      Block *copied = builder.createBlock(&target, target.end());
      scope->map(&block, copied);
      for (BlockArgument argument : block.getArguments())
        scope->map(argument,
                   copied->addArgument(argument.getType(), argument.getLoc()));
    }
    for (Block &block : source) {
      builder.setInsertionPointToEnd(scope->lookup(&block));
      for (Operation &op : block)
        if (failed(copy(&op)))
          return failure();
    }
    shifted.pop_back();
  }
  return success();
}

/// The value that is summed, at an offset from the current shift.
FailureOr<Value> Expander::evaluateAt(WeightedSumOp sum,
                                      ArrayRef<int64_t> offset) {
  Value value = sum.getInput();
  std::vector<int64_t> target = shift;
  for (auto [axis, distance] : llvm::enumerate(offset))
    target[axis] += distance;
  if (target == shift && scope->contains(value))
    return scope->lookup(value);
  for (auto &layer : shifted)
    if (auto it = layer.find(target);
        it != layer.end() && it->second.contains(value))
      return it->second.lookup(value);
  if (depth >= kMaxShiftDepth) {
    sum.emitOpError("expected at most ")
        << kMaxShiftDepth << " sums over sums at other points";
    return failure();
  }

  Values *outer = scope;
  Values &inner = shifted.back()[target];
  if (inner.getValueMap().empty())
    for (BlockArgument argument : apply.getBodyBlock()->getArguments())
      inner.map(argument, here.lookup(argument));
  scope = &inner;
  std::swap(shift, target);
  ++depth;
  LogicalResult result = success();
  for (Operation *op : slices.getSlice(value.getDefiningOp())) {
    if (op->getNumResults() == 0 || inner.contains(op->getResult(0)))
      continue;
    if (++numShiftedOps > kMaxShiftedOps)
      result = sum.emitOpError("expected a body that evaluates at most ")
               << kMaxShiftedOps << " ops at other points";
    if (succeeded(result))
      result = copy(op);
    if (failed(result))
      break;
  }
  --depth;
  std::swap(shift, target);
  scope = outer;
  if (failed(result))
    return failure();
  return inner.lookup(value);
}

/// Taps of sums that may be loops without being told to: their rows are longer.
static constexpr int64_t kLongSum = 16;

LogicalResult Expander::expand(WeightedSumOp op) {
  Location loc = op.getLoc();
  Type type = op.getRes().getType();
  bool isFloating = isa<FloatType>(type);
  arith::FastMathFlags flags = op.getFastmath();
  SmallVector<int64_t> axes = op.getAxes();
  SmallVector<Attribute> weights;
  if (DenseElementsAttr dense = op.getDenseWeights())
    llvm::append_range(weights, dense.getValues<Attribute>());

  SumArithmetic arithmetic(builder, loc, type, flags);
  Value sum;
  for (int64_t tap = 0, end = op.getNumTaps(); tap < end; ++tap) {
    Attribute weight = weights.empty() ? Attribute() : weights[tap];
    std::optional<Number> number = Number::get(weight);
    if (number && number->isZero())
      continue;
    bool isOne = number && number->isOne();
    bool isMinusOne = number && number->isMinusOne();
    Value value;
    if (op.isOverInput()) {
      value = AccessOp::create(builder, loc, scope->lookup(op.getInput()),
                               getShifted(op.getOffset(tap), axes).getValues(),
                               op.getOffsetMappingAttr());
    } else {
      FailureOr<Value> evaluated = evaluateAt(op, op.getOffset(tap));
      if (failed(evaluated))
        return failure();
      value = *evaluated;
    }
    if (value.getType() != type)
      value = arith::ExtFOp::create(builder, loc, type, value);
    if (!isOne && !isMinusOne)
      value = arithmetic.multiply(weight ? getConstant(loc, weight)
                                         : scope->lookup(op.getUniforms()[tap]),
                                  value);
    // As a loop over the taps has it, which a long sum may become.
    if (sum && ((!isOne && !isMinusOne) || end >= kLongSum))
      markRounded(sum);
    if (sum)
      sum = isMinusOne ? arithmetic.subtract(sum, value)
                       : arithmetic.add(sum, value);
    else if (isMinusOne && isFloating)
      sum = arith::NegFOp::create(builder, loc, value, flags);
    else if (isMinusOne)
      sum = arithmetic.subtract(getConstant(loc, builder.getZeroAttr(type)),
                                value);
    else
      sum = value;
  }
  scope->map(op.getRes(),
             sum ? sum : getConstant(loc, builder.getZeroAttr(type)));
  return success();
}

LogicalResult stencil::expandWeightedSums(ApplyOp apply) {
  return anyWithin(apply.getRegion(), [](WeightedSumOp) { return true; })
             ? Expander(apply).run()
             : success();
}

namespace {
struct ExpandWeightedSums
    : stencil::impl::StencilExpandWeightedSumsBase<ExpandWeightedSums> {
  void runOnOperation() override {
    if (failed(checkWithin(getOperation(), expandWeightedSums)))
      signalPassFailure();
  }
};
} // namespace
