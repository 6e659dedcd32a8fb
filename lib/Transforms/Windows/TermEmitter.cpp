//===- TermEmitter.cpp - Terms of a body as ops of a stage ----------------===//

#include "TermEmitter.h"
#include "StencilDialect/Conversion/SumArithmetic.h"
#include "Sums/SumBodies.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace stencil;

//===----------------------------------------------------------------------===//
// What is needed
//===----------------------------------------------------------------------===//

void TermEmitter::requireInvariant(Value value) {
  if (value.getDefiningOp())
    invariants.insert(value);
}

void TermEmitter::require(Value value, int64_t plane) {
  required[value].insert(plane);
}

/// The term of a sum of values to which those belong that are the same on all
/// planes.
static int64_t getPlaneOfInvariants(const PlaneInfo &info) {
  return llvm::is_contained(info.planes, 0) ? 0 : info.planes.front();
}

static bool isAddition(Operation *op) {
  return isa<arith::AddFOp, arith::AddIOp, arith::SubFOp, arith::SubIOp>(op);
}

/// Calls `callback` for every tap of a sum that belongs to its term of this
/// plane, with the plane of what it multiplies.
static void
forEachTapOf(const PlaneTerms &terms, WeightedSumOp sum, int64_t plane,
             llvm::function_ref<void(int64_t tap, int64_t inner)> callback) {
  SmallVector<int64_t> axes = sum.getAxes();
  forEachTap(sum, [&](int64_t tap, bool) {
    int64_t along = *terms.getPlane(axes, sum.getOffset(tap));
    if (sum.isOverInput()) {
      if (along == plane)
        callback(tap, 0);
    } else if (llvm::is_contained(terms.get(sum.getInput()).planes,
                                  plane - along)) {
      callback(tap, plane - along);
    }
  });
}

void TermEmitter::requireOperands(Operation *op, int64_t plane) {
  if (auto sum = dyn_cast<WeightedSumOp>(op)) {
    forEachTapOf(terms, sum, plane, [&](int64_t tap, int64_t inner) {
      if (!sum.isOverInput())
        require(sum.getInput(), inner);
      if (!sum.getWeights())
        requireInvariant(sum.getUniforms()[tap]);
    });
    return;
  }
  for (Value operand : op->getOperands()) {
    const PlaneInfo &info = terms.get(operand);
    if (info.kind == PlaneInfo::Invariant)
      requireInvariant(operand);
    else if (llvm::is_contained(info.planes, plane))
      require(operand, plane);
  }
}

/// A sum over several planes is computed plane by plane.
LogicalResult TermEmitter::checkOrder(Operation *op) {
  if (terms.get(op->getResult(0)).planes.size() <= 1 ||
      mayReassociate(op, mode))
    return success();
  ApplyOp apply = terms.getApply();
  return withNote(
      apply.emitOpError("expected math=reassociate, or the flag 'reassoc' on "
                        "sums over several "
                        "planes, for an 'accumulate' that adds plane by plane"),
      op->getLoc(), "may not be computed in another order");
}

//===----------------------------------------------------------------------===//
// Copies
//===----------------------------------------------------------------------===//

Value TermEmitter::get(Value value, int64_t plane) const {
  return emitted.lookup({value, plane});
}

/// The copy of an operand as the term of a plane needs it; null if it
/// contributes nothing.
Value TermEmitter::find(Operation *user, unsigned operand,
                        int64_t plane) const {
  Value value = user->getOperand(operand);
  if (terms.get(value).kind != PlaneInfo::Invariant)
    return get(value, plane);
  bool isSummand = isAddition(user) || (isa<math::FmaOp>(user) && operand == 2);
  if (isSummand && plane != getPlaneOfInvariants(terms.get(user->getResult(0))))
    return {};
  return mapping.lookup(value);
}

/// Parts of a sum of integers may overflow where the sum does not.
static void dropOverflowFlags(Operation *op) {
  if (auto flags = dyn_cast<arith::ArithIntegerOverflowFlagsInterface>(op))
    op->setAttr(flags.getIntegerOverflowAttrName(),
                arith::IntegerOverflowFlagsAttr::get(
                    op->getContext(), arith::IntegerOverflowFlags::none));
}

Value TermEmitter::emitAdd(OpBuilder &builder, Operation *op, int64_t plane) {
  Value a = find(op, 0, plane), b = find(op, 1, plane);
  if (a && b) {
    IRMapping operands;
    operands.map(op->getOperand(0), a);
    operands.map(op->getOperand(1), b);
    Operation *copy = builder.clone(*op, operands);
    if (terms.get(op->getResult(0)).planes.size() > 1)
      dropOverflowFlags(copy);
    return copy->getResult(0);
  }
  if (a || isa<arith::AddFOp, arith::AddIOp>(op))
    return a ? a : b;
  if (auto sub = dyn_cast<arith::SubFOp>(op))
    return arith::NegFOp::create(builder, op->getLoc(), b, sub.getFastmath());
  Value zero = arith::ConstantOp::create(builder, op->getLoc(),
                                         builder.getZeroAttr(b.getType()));
  return arith::SubIOp::create(builder, op->getLoc(), zero, b);
}

Value TermEmitter::emitFma(OpBuilder &builder, Operation *op, int64_t plane) {
  Value a = find(op, 0, plane), b = find(op, 1, plane), c = find(op, 2, plane);
  auto flags = cast<math::FmaOp>(op).getFastmath();
  auto isInvariant = [&](unsigned operand) {
    return terms.get(op->getOperand(operand)).kind == PlaneInfo::Invariant;
  };
  bool isElsewhere = isInvariant(0) && isInvariant(1) &&
                     plane != getPlaneOfInvariants(terms.get(op->getResult(0)));
  if (!a || !b || isElsewhere)
    return c;
  if (!c)
    return arith::MulFOp::create(builder, op->getLoc(), a, b, flags);
  return math::FmaOp::create(builder, op->getLoc(), a, b, c, flags);
}

/// Some taps of a sum, all of one plane, over `input`, which is that plane.
Value TermEmitter::emitTaps(OpBuilder &builder, WeightedSumOp sum, Value input,
                            ArrayRef<int64_t> taps) {
  SmallVector<int64_t> axes = sum.getAxes(), offsets;
  const auto *along = llvm::find(axes, terms.getAxis());
  for (int64_t tap : taps) {
    llvm::append_range(offsets, sum.getOffset(tap));
    offsets[offsets.size() - axes.size() + (along - axes.begin())] = 0;
  }
  DenseElementsAttr dense = sum.getDenseWeights();
  Type type = sum.getRes().getType();
  SmallVector<Attribute> numbers;
  SmallVector<Value> uniforms;
  for (int64_t tap : taps) {
    if (dense)
      numbers.push_back(dense.getValues<Attribute>()[tap]);
    else
      uniforms.push_back(mapping.lookup(sum.getUniforms()[tap]));
  }
  bool isOne = taps.size() == 1 && dense && sum.getTapType() == type &&
               Number::get(numbers.front())->isOne();
  if (isOne && sum.isOverInput())
    return AccessOp::create(builder, sum.getLoc(), input, offsets,
                            sum.getOffsetMappingAttr());
  if (isOne && isZero(offsets))
    return input;
  if (!dense)
    return WeightedSumOp::create(builder, sum.getLoc(), input, offsets,
                                 uniforms, sum.getOffsetMappingAttr(),
                                 sum.getFastmath());
  return WeightedSumOp::create(builder, sum.getLoc(), input, offsets,
                               makeWeights(type, numbers),
                               sum.getOffsetMappingAttr(), sum.getFastmath());
}

Value TermEmitter::emitSum(OpBuilder &builder, WeightedSumOp sum,
                           int64_t plane) {
  // Terms of what is summed, in the order in which the sum reads them.
  llvm::MapVector<int64_t, SmallVector<int64_t>> groups;
  forEachTapOf(terms, sum, plane, [&](int64_t tap, int64_t inner) {
    groups[inner].push_back(tap);
  });
  SumArithmetic arithmetic(builder, sum.getLoc(), sum.getRes().getType(),
                           sum.getFastmath());
  Value total;
  for (auto &[inner, taps] : groups) {
    Value input = sum.isOverInput() ? mapping.lookup(sum.getInput())
                                    : get(sum.getInput(), inner);
    Value part = emitTaps(builder, sum, input, taps);
    total = total ? arithmetic.add(total, part) : part;
  }
  return total;
}

void TermEmitter::emitTerm(OpBuilder &builder, Operation *op, int64_t plane) {
  auto take = [&](Value value) { emitted[{op->getResult(0), plane}] = value; };
  if (auto sum = dyn_cast<WeightedSumOp>(op))
    return take(emitSum(builder, sum, plane));
  if (isAddition(op))
    return take(emitAdd(builder, op, plane));
  if (isa<math::FmaOp>(op) && terms.get(op->getResult(0)).planes.size() > 1)
    return take(emitFma(builder, op, plane));
  IRMapping operands;
  if (auto access = dyn_cast<AccessOp>(op)) {
    operands.map(access.getTemp(), mapping.lookup(access.getTemp()));
  } else {
    for (auto [i, operand] : llvm::enumerate(op->getOperands()))
      operands.map(operand, find(op, i, plane));
  }
  Operation *copy = builder.clone(*op, operands);
  if (terms.get(op->getResult(0)).planes.size() > 1)
    dropOverflowFlags(copy);
  if (auto access = dyn_cast<AccessOp>(copy)) {
    SmallVector<int64_t> offset(access.getOffset().getValues());
    for (auto [i, along] : llvm::enumerate(access.getAxes()))
      if (along == terms.getAxis())
        offset[i] = 0;
    access.setOffsetAttr(stencil::IndexAttr::get(builder.getContext(), offset));
  }
  for (auto [result, copied] :
       llvm::zip_equal(op->getResults(), copy->getResults()))
    emitted[{result, plane}] = copied;
}

LogicalResult TermEmitter::emit(OpBuilder &builder) {
  Block &body = *terms.getApply().getBodyBlock();
  auto planesOf = [&](Operation &op) {
    llvm::SmallSetVector<int64_t, 8> planes;
    for (Value result : op.getResults())
      if (auto it = required.find(result); it != required.end())
        planes.insert_range(it->second);
    return planes;
  };
  auto isInvariant = [&](Operation &op) {
    return llvm::any_of(op.getResults(), [&](Value result) {
      return invariants.contains(result);
    });
  };
  // Users come after what they use.
  for (Operation &op : llvm::reverse(body)) {
    auto planes = planesOf(op);
    if (!planes.empty() && failed(checkOrder(&op)))
      return failure();
    for (int64_t plane : planes)
      requireOperands(&op, plane);
    if (isInvariant(op))
      for (Value operand : op.getOperands())
        requireInvariant(operand);
  }
  for (Operation &op : body) {
    if (isInvariant(op))
      builder.clone(op, mapping);
    for (int64_t plane : planesOf(op))
      emitTerm(builder, &op, plane);
  }
  return success();
}

bool stencil::dependsOnPointOnly(Value value, Block &block) {
  SmallVector<Value> work = {value};
  llvm::DenseSet<Operation *> seen;
  while (!work.empty()) {
    Operation *op = work.pop_back_val().getDefiningOp();
    if (!op || op->getBlock() != &block || !seen.insert(op).second)
      continue;
    if (auto access = dyn_cast<AccessOp>(op);
        access && !access.getOffset().isZero())
      return false;
    if (auto sum = dyn_cast<WeightedSumOp>(op);
        sum && !isZero(sum.getOffsets()))
      return false;
    llvm::append_range(work, op->getOperands());
  }
  return true;
}
