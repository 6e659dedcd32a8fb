//===- BodyEmitter.cpp - Apply bodies over memrefs ------------------------===//

#include "StencilDialect/Conversion/BodyEmitter.h"
#include "StencilDialect/IR/DiscardableAttrs.h"
#include "StencilDialect/IR/Elements.h"
#include "StencilDialect/IR/TapBoxes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace stencil;

//===----------------------------------------------------------------------===//
// What can be a vector
//===----------------------------------------------------------------------===//

/// Element types that CPUs have vectors of.
static bool hasVectors(Type type) {
  return (isa<IntegerType>(type) && hasVectorLayout(type)) ||
         isa<Float16Type, BFloat16Type, Float32Type, Float64Type>(type);
}

static bool canVectoriseBlock(Block &block, bool speculative) {
  for (Operation &op : block) {
    if (isa<IndexOp, ReturnOp, StoreResultOp, scf::YieldOp>(op) ||
        (isa<arith::SelectOp>(op) &&
         isa<ResultType>(op.getResult(0).getType())) ||
        matchPattern(&op, m_Constant()))
      continue;
    if (auto access = dyn_cast<AccessOp>(op)) {
      if (!hasVectors(access.getRes().getType()))
        return false;
      continue;
    }
    if (auto sum = dyn_cast<WeightedSumOp>(op)) {
      auto input = dyn_cast<GridType>(sum.getInput().getType());
      if (!input || !hasVectors(input.getElementType()) ||
          !hasVectors(sum.getRes().getType()))
        return false;
      continue;
    }
    if (auto branch = dyn_cast<scf::IfOp>(op)) {
      if (branch.getNumResults() == 0)
        return false;
      for (Region *region : {&branch.getThenRegion(), &branch.getElseRegion()})
        if (!canVectoriseBlock(region->front(), /*speculative=*/true))
          return false;
      continue;
    }
    // Computed by ops that take vectors.
    if (isa<PointwiseOpInterface>(op))
      continue;
    // Of a power that may have no result, points are asked one by one.
    if (isa<math::IPowIOp>(op) && mayLackQuotient(&op))
      return false;
    if (!OpTrait::hasElementwiseMappableTraits(&op) ||
        (speculative && !isSpeculatable(&op)))
      return false;
    for (Type type : op.getResultTypes())
      if (!type.isIntOrIndexOrFloat())
        return false;
  }
  return true;
}

bool BodyEmitter::canVectorise(ApplyOp apply) {
  for (unsigned i = 0; i < apply.getNumOutputs(); ++i)
    if (!hasVectors(apply.getOutputElementType(i)))
      return false;
  return apply.getUnrollFactors().back() == 1 &&
         canVectoriseBlock(*apply.getBodyBlock(), /*speculative=*/false);
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

Value BodyEmitter::broadcast(ImplicitLocOpBuilder &b, Value value) {
  if (lanes == 1 || isa<VectorType>(value.getType()))
    return value;
  auto type = VectorType::get({lanes}, value.getType());
  return vector::BroadcastOp::create(b, type, value);
}

//===----------------------------------------------------------------------===//
// Ops
//===----------------------------------------------------------------------===//

void BodyEmitter::start(ValueRange point) {
  coordinates.assign(point.begin(), point.end());
  map.clear();
  for (BlockArgument argument : apply.getBodyBlock()->getArguments())
    if (!isa<GridType>(argument.getType()))
      map[argument] = {inputs[argument.getArgNumber()], {}};
}

SmallVector<LaneValue> BodyEmitter::finish(OpBuilder &builder) {
  SmallVector<LaneValue> results;
  for (Value value : apply.getBodyBlock()->getTerminator()->getOperands()) {
    LaneValue result = map.lookup(value);
    ImplicitLocOpBuilder b(value.getLoc(), builder);
    result.value = broadcast(b, result.value);
    if (result.set)
      result.set = broadcast(b, result.set);
    results.push_back(result);
  }
  return results;
}

FailureOr<SmallVector<SmallVector<LaneValue>>> BodyEmitter::emitJointly(
    OpBuilder &builder, MutableArrayRef<BodyEmitter> emitters,
    ArrayRef<SmallVector<Value>> points, const JointPoints &joint) {
  for (auto [emitter, point] : llvm::zip_equal(emitters, points))
    emitter.start(point);
  if (failed(emitBlockJointly(builder, *emitters.front().apply.getBodyBlock(),
                              emitters, joint)))
    return failure();
  SmallVector<SmallVector<LaneValue>> results;
  for (BodyEmitter &emitter : emitters)
    results.push_back(emitter.finish(builder));
  return results;
}

LogicalResult BodyEmitter::emitBlock(OpBuilder &builder, Block &block) {
  for (Operation &op : block.without_terminator())
    if (failed(emitOp(builder, &op)))
      return failure();
  return success();
}

/// A sum that is a loop, for all points at once.
LogicalResult BodyEmitter::emitSum(OpBuilder &builder, WeightedSumOp op,
                                   MutableArrayRef<BodyEmitter> emitters,
                                   unsigned columns) {
  BodyEmitter &first = emitters.front();
  if (Value sum = first.reader->readSum(op)) {
    first.map[op.getRes()] = {sum, {}};
    for (BodyEmitter &emitter : emitters.drop_front())
      emitter.map[op.getRes()] = {emitter.reader->readSum(op), {}};
    return success();
  }
  Value weights =
      hasTapLoop(op) ? first.reader->getWeights(builder, op) : Value();
  if (!weights)
    return op.emitOpError("has no lowering here; run "
                          "stencil-expand-weighted-sums, or for a loop over "
                          "its taps stencil-roll-sums");
  SumLoopOptions options;
  options.points = emitters.size();
  options.lanes = first.lanes;
  if (op.getAxes().back() == first.apply.getRank() - 1)
    options.columns = columns;
  options.math = first.mode;
  auto sums = emitSumLoops(
      builder, op, weights, options,
      [&](OpBuilder &inner, unsigned point, const TapOffset &tap) {
        BodyEmitter &emitter = emitters[point];
        return emitter.reader->readTap(inner, op, tap, emitter.coordinates);
      });
  for (auto [emitter, sum] : llvm::zip_equal(emitters, sums))
    emitter.map[op.getRes()] = {sum, {}};
  return success();
}

LogicalResult BodyEmitter::set(Operation *op, Value value) {
  map[op->getResult(0)] = {value, {}};
  return success();
}

LogicalResult BodyEmitter::emitOp(OpBuilder &builder, Operation *op) {
  ImplicitLocOpBuilder b(op->getLoc(), builder);
  if (auto sum = dyn_cast<WeightedSumOp>(op))
    return emitSum(builder, sum, MutableArrayRef(*this));
  if (auto access = dyn_cast<AccessOp>(op))
    return set(op, reader->read(builder, access, coordinates));
  if (auto access = dyn_cast<DynAccessOp>(op))
    return set(op, emitDynAccess(builder, access));
  if (auto index = dyn_cast<IndexOp>(op))
    return set(op, emitIndex(builder, index));
  if (isa<arith::CmpIOp>(op))
    if (std::optional<bool> known = reader->decide(op))
      return set(op, arith::ConstantIntOp::create(b, *known, /*width=*/1));
  if (auto product = dyn_cast<MatVecOp>(op))
    return set(op, emitMatVec(builder, product));
  if (auto store = dyn_cast<StoreResultOp>(op)) {
    if (store.getArg()) {
      map[store.getRes()] = map.lookup(store.getArg());
      return success();
    }
    // Any value will do where nothing is stored.
    Type elem = cast<ResultType>(store.getRes().getType()).getElem();
    TypedAttr zero = builder.getZeroAttr(elem);
    if (!zero)
      return op->emitOpError("has no lowering for ") << elem;
    map[store.getRes()] = {arith::ConstantOp::create(b, zero),
                           arith::ConstantIntOp::create(b, 0, 1)};
    return success();
  }
  if (auto choice = dyn_cast<arith::SelectOp>(op);
      choice && isa<ResultType>(choice.getType())) {
    Value condition = broadcast(b, lookup(choice.getCondition()));
    map[choice.getResult()] =
        select(b, condition, map.lookup(choice.getTrueValue()),
               map.lookup(choice.getFalseValue()));
    return success();
  }
  if (auto pointwise = dyn_cast<PointwiseOpInterface>(op)) {
    SmallVector<Value> operands;
    for (Value operand : op->getOperands())
      operands.push_back(broadcast(b, lookup(operand)));
    for (auto [result, value] :
         llvm::zip_equal(op->getResults(), pointwise.expand(builder, operands)))
      map[result] = {value, {}};
    return success();
  }
  if (isa<scf::IfOp>(op) && op->getNumResults() > 0)
    return lanes > 1 ? emitSelect(builder, op) : emitBranch(builder, op);
  if (isFusedEverywhere(op, mode))
    return success();
  if (std::optional<FusedProduct> fused = getFusedProduct(op, mode))
    return set(op, emitFused(builder, op, *fused));
  return emitGeneric(builder, op);
}

/// A sum and a product in it, rounded once.
Value BodyEmitter::emitFused(OpBuilder &builder, Operation *op,
                             FusedProduct fused) {
  ImplicitLocOpBuilder b(op->getLoc(), builder);
  Value factor = lookup(fused.product.getLhs());
  Value other = lookup(fused.product.getRhs());
  Value addend = lookup(op->getOperand(1 - fused.operand));
  if (fused.isNegated)
    factor = arith::NegFOp::create(b, factor);
  if (fused.operand == 0 && isa<arith::SubFOp>(op))
    addend = arith::NegFOp::create(b, addend);
  if (llvm::any_of(ArrayRef({factor, other, addend}), [](Value value) {
        return isa<VectorType>(value.getType());
      })) {
    factor = broadcast(b, factor);
    other = broadcast(b, other);
    addend = broadcast(b, addend);
  }
  return createFusedProduct(b, b.getLoc(), factor, other, addend);
}

Value BodyEmitter::emitDynAccess(OpBuilder &builder, DynAccessOp op) {
  ImplicitLocOpBuilder b(op.getLoc(), builder);
  SmallVector<Value> position;
  Value inRange;
  auto require = [&](arith::CmpIPredicate predicate, Value x, Value y) {
    Value holds = arith::CmpIOp::create(b, predicate, x, y);
    inRange = inRange ? arith::AndIOp::create(b, inRange, holds) : holds;
  };
  for (auto [axis, coordinate] : llvm::enumerate(op.getOffset())) {
    position.push_back(lookup(coordinate));
    Value here = coordinates[axis];
    auto shifted = [&](int64_t offset) -> Value {
      return arith::AddIOp::create(
          b, here, arith::ConstantIndexOp::create(b, offset).getResult());
    };
    require(arith::CmpIPredicate::sge, position.back(),
            shifted(op.getLb().getValues()[axis]));
    require(arith::CmpIPredicate::sle, position.back(),
            shifted(op.getUb().getValues()[axis]));
  }
  return reader->readAt(builder, op, position, inRange, coordinates);
}

Value BodyEmitter::emitIndex(OpBuilder &builder, IndexOp op) {
  ImplicitLocOpBuilder b(op.getLoc(), builder);
  int64_t axis = op.getDim().getSExtValue();
  Value value = coordinates[axis];
  if (int64_t offset = op.getOffset().getValues()[axis]) {
    Value constant = arith::ConstantIndexOp::create(b, offset);
    value = arith::AddIOp::create(b, value, constant);
  }
  if (lanes > 1 && axis == apply.getRank() - 1) {
    auto type = VectorType::get({lanes}, b.getIndexType());
    Value step = vector::StepOp::create(b, type);
    value = arith::AddIOp::create(b, broadcast(b, value), step);
  }
  return value;
}

/// Both sides of a branch, then a selection: lanes may differ.
LogicalResult BodyEmitter::emitSelect(OpBuilder &builder, Operation *op) {
  auto branch = cast<scf::IfOp>(op);
  ImplicitLocOpBuilder b(op->getLoc(), builder);
  if (failed(emitBlock(builder, branch.getThenRegion().front())) ||
      failed(emitBlock(builder, branch.getElseRegion().front())))
    return failure();
  Value condition = broadcast(b, lookup(branch.getCondition()));
  for (auto [result, thenOperand, elseOperand] :
       llvm::zip_equal(branch.getResults(), branch.thenYield().getOperands(),
                       branch.elseYield().getOperands()))
    map[result] =
        select(b, condition, map.lookup(thenOperand), map.lookup(elseOperand));
  return success();
}

/// `one` or `other`, and whether it is to be stored.
LaneValue BodyEmitter::select(ImplicitLocOpBuilder &b, Value condition,
                              const LaneValue &one, const LaneValue &other) {
  bool isVector = isa<VectorType>(condition.getType());
  auto choose = [&](Value x, Value y) -> Value {
    if (isVector) {
      x = broadcast(b, x);
      y = broadcast(b, y);
    }
    return arith::SelectOp::create(b, condition, x, y);
  };
  LaneValue merged{choose(one.value, other.value), {}};
  if (one.set || other.set) {
    Value always = arith::ConstantIntOp::create(b, 1, 1);
    merged.set =
        choose(one.set ? one.set : always, other.set ? other.set : always);
  }
  return merged;
}

/// A branch at one point. A `!stencil.result` becomes a value and a flag.
LogicalResult BodyEmitter::emitBranch(OpBuilder &builder, Operation *op) {
  auto branch = cast<scf::IfOp>(op);
  Location loc = op->getLoc();
  SmallVector<Type> types;
  for (Type type : branch.getResultTypes()) {
    types.push_back(unwrapResult(type));
    if (isa<ResultType>(type))
      types.push_back(builder.getI1Type());
  }
  auto lowered =
      scf::IfOp::create(builder, loc, types, lookup(branch.getCondition()),
                        /*withElseRegion=*/true);
  for (auto [from, to] :
       {std::pair(&branch.getThenRegion(), &lowered.getThenRegion()),
        std::pair(&branch.getElseRegion(), &lowered.getElseRegion())}) {
    OpBuilder::InsertionGuard guard(builder);
    if (to->empty())
      builder.createBlock(to);
    builder.setInsertionPointToEnd(&to->front());
    if (failed(emitBlock(builder, from->front())))
      return failure();
    SmallVector<Value> yielded;
    for (Value value : from->front().getTerminator()->getOperands()) {
      LaneValue lane = map.lookup(value);
      yielded.push_back(lane.value);
      if (!isa<ResultType>(value.getType()))
        continue;
      if (!lane.set)
        lane.set = arith::ConstantIntOp::create(builder, loc, 1, 1);
      yielded.push_back(lane.set);
    }
    scf::YieldOp::create(builder, loc, yielded);
  }
  unsigned next = 0;
  for (Value result : branch.getResults()) {
    LaneValue lane{lowered.getResult(next++), {}};
    if (isa<ResultType>(result.getType()))
      lane.set = lowered.getResult(next++);
    map[result] = lane;
  }
  return success();
}

/// Any other op: the same op on what its operands became.
LogicalResult BodyEmitter::emitGeneric(OpBuilder &builder, Operation *op) {
  Location loc = op->getLoc();
  if (op->getNumSuccessors() != 0)
    return op->emitOpError(
        "has no lowering: a body has structured control flow only");
  for (Type type : llvm::concat<Type>(SmallVector<Type>(op->getOperandTypes()),
                                      SmallVector<Type>(op->getResultTypes())))
    if (isa<ResultType, GridType>(type))
      return op->emitOpError("has no lowering for operands or results of type ")
             << type;
  bool isVector = llvm::any_of(op->getOperands(), [&](Value operand) {
    return isa<VectorType>(lookup(operand).getType());
  });
  ImplicitLocOpBuilder b(loc, builder);
  SmallVector<Value> operands;
  for (Value operand : op->getOperands())
    operands.push_back(isVector ? broadcast(b, lookup(operand))
                                : lookup(operand));
  if (!isVector && mayLackQuotient(op))
    operands[1] = reader->guardDivisor(builder, op, operands[0], operands[1]);
  if (auto loop = dyn_cast<scf::ForOp>(op); loop && mayLackStep(op))
    operands[2] = reader->guardStep(builder, loop, operands[2]);
  SmallVector<Type> types;
  for (Type type : op->getResultTypes())
    types.push_back(isVector ? VectorType::get({lanes}, type) : type);
  OperationState state(loc, op->getName(), operands, types, op->getAttrs());
  for (unsigned i = 0; i < op->getNumRegions(); ++i)
    state.addRegion();
  Operation *copy = builder.create(state);
  copy->removeDiscardableAttr(kRoundedAttr);
  // What may be rounded with a sum has been, or LLVM may choose it. The order
  // of sums has been chosen: LLVM's took more registers.
  if (auto math = dyn_cast<arith::ArithFastMathInterface>(copy)) {
    arith::FastMathFlags flags = getFastMathFlags(copy);
    flags = mayReassociate(op, mode) ? addFastMathFlags(flags, mode)
                                     : flags & ~arith::FastMathFlags::contract;
    flags = flags & ~arith::FastMathFlags::reassoc;
    copy->setAttr(math.getFastMathAttrName(),
                  arith::FastMathFlagsAttr::get(copy->getContext(), flags));
  }
  for (auto [from, to] :
       llvm::zip_equal(op->getRegions(), copy->getRegions())) {
    for (Block &block : from) {
      OpBuilder::InsertionGuard guard(builder);
      SmallVector<Location> locations(block.getNumArguments(), loc);
      Block *target = builder.createBlock(&to, to.end(),
                                          block.getArgumentTypes(), locations);
      for (auto [a, b] :
           llvm::zip_equal(block.getArguments(), target->getArguments()))
        map[a] = {b, {}};
      if (failed(emitBlock(builder, block)) ||
          failed(emitGeneric(builder, block.getTerminator())))
        return failure();
    }
  }
  for (auto [from, to] : llvm::zip_equal(op->getResults(), copy->getResults()))
    map[from] = {to, {}};
  if (auto loop = dyn_cast<scf::ForOp>(copy); loop && mayWrapAround(loop))
    countIterations(loop);
  return success();
}
