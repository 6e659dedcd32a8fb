//===- JointBranches.cpp - Branches that several points take together -----===//
//
// A thread computes neighbouring points of a row. Where the row is divided at
// multiples of as many points as the thread has, all of them go the same way:
// the branch is emitted once, with the code of all points in it, so that what
// they read there is loaded in vectors, and stored so.
//
//===----------------------------------------------------------------------===//

#include "StencilDialect/Conversion/BodyEmitter.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace stencil;

//===----------------------------------------------------------------------===//
// Which branches
//===----------------------------------------------------------------------===//

/// The coordinate that a comparison of one with a constant is true below, or
/// false.
static std::optional<int64_t> getThreshold(arith::CmpIOp op) {
  APInt constant;
  auto index = op.getLhs().getDefiningOp<IndexOp>();
  if (!index || !matchPattern(op.getRhs(), m_ConstantInt(&constant)) ||
      constant.getSignificantBits() > 50)
    return std::nullopt;
  int64_t axis = index.getDim().getSExtValue();
  int64_t at = constant.getSExtValue() - index.getOffset().getValues()[axis];
  switch (op.getPredicate()) {
  case arith::CmpIPredicate::slt:
  case arith::CmpIPredicate::sge:
    return at;
  case arith::CmpIPredicate::sle:
  case arith::CmpIPredicate::sgt:
    return at + 1;
  default:
    return std::nullopt;
  }
}

/// True if no multiple of the alignment, as base point, has points below `at`
/// and others from there on.
bool JointPoints::areOneSideOf(int64_t axis, int64_t at) const {
  int64_t low = points.front()[axis], high = low;
  for (const SmallVector<int64_t> &point : points) {
    low = std::min(low, point[axis]);
    high = std::max(high, point[axis]);
  }
  bool isLast = axis + 1 == static_cast<int64_t>(points.front().size());
  int64_t step = isLast ? alignment : 1;
  // Base points that separate them are from at - high to at - low - 1.
  int64_t last = at - low - 1;
  return last - llvm::mod(last, step) < at - high;
}

bool JointPoints::areEqual(Value value) const {
  // Scalars that are passed to the apply.
  if (auto argument = dyn_cast<BlockArgument>(value))
    return isa<ApplyOp>(argument.getOwner()->getParentOp());
  Operation *op = value.getDefiningOp();
  if (matchPattern(op, m_Constant()))
    return true;
  if (auto index = dyn_cast<IndexOp>(op)) {
    int64_t axis = index.getDim().getSExtValue();
    return llvm::all_of(points, [&](const SmallVector<int64_t> &point) {
      return point[axis] == points.front()[axis];
    });
  }
  if (auto compared = dyn_cast<arith::CmpIOp>(op))
    if (std::optional<int64_t> at = getThreshold(compared)) {
      auto index = compared.getLhs().getDefiningOp<IndexOp>();
      return areOneSideOf(index.getDim().getSExtValue(), *at);
    }
  return isa<arith::CmpIOp, arith::AndIOp, arith::OrIOp, arith::XOrIOp,
             arith::AddIOp, arith::SubIOp>(op) &&
         llvm::all_of(op->getOperands(),
                      [&](Value operand) { return areEqual(operand); });
}

bool JointPoints::takeAlike(scf::IfOp branch) const {
  return points.size() > 1 && branch.getNumResults() > 0 &&
         areEqual(branch.getCondition());
}

//===----------------------------------------------------------------------===//
// Emission
//===----------------------------------------------------------------------===//

/// Where the values of all points are stored, or not, if that is known.
static std::optional<bool> getSet(ArrayRef<LaneValue> lanes) {
  std::optional<bool> common;
  for (const LaneValue &lane : lanes) {
    APInt constant(1, 1);
    if (lane.set && !matchPattern(lane.set, m_ConstantInt(&constant)))
      return std::nullopt;
    if (common && *common != constant.getBoolValue())
      return std::nullopt;
    common = constant.getBoolValue();
  }
  return common;
}

LogicalResult
BodyEmitter::emitBlockJointly(OpBuilder &builder, Block &block,
                              MutableArrayRef<BodyEmitter> emitters,
                              const JointPoints &joint) {
  for (Operation &op : block.without_terminator()) {
    if (auto sum = dyn_cast<WeightedSumOp>(op)) {
      if (failed(emitSum(builder, sum, emitters, joint.columns)))
        return failure();
      continue;
    }
    auto branch = dyn_cast<scf::IfOp>(op);
    if (branch && emitters.front().lanes == 1 && joint.takeAlike(branch)) {
      if (failed(emitBranchJointly(builder, branch, emitters, joint)))
        return failure();
      continue;
    }
    for (BodyEmitter &emitter : emitters)
      if (failed(emitter.emitOp(builder, &op)))
        return failure();
  }
  return success();
}

LogicalResult
BodyEmitter::emitBranchJointly(OpBuilder &builder, Operation *op,
                               MutableArrayRef<BodyEmitter> emitters,
                               const JointPoints &joint) {
  auto branch = cast<scf::IfOp>(op);
  Location loc = op->getLoc();
  Value condition = emitters.front().lookup(branch.getCondition());
  // What is yielded is known when both sides are there.
  auto draft = scf::IfOp::create(builder, loc, TypeRange(), condition,
                                 /*withElseRegion=*/true);
  // By side and result, a value for each point.
  SmallVector<SmallVector<LaneValue>> yields[2];
  Region *from[] = {&branch.getThenRegion(), &branch.getElseRegion()};
  Block *to[] = {draft.thenBlock(), draft.elseBlock()};
  for (unsigned side = 0; side < 2; ++side) {
    OpBuilder::InsertionGuard guard(builder);
    to[side]->clear();
    builder.setInsertionPointToEnd(to[side]);
    Block &block = from[side]->front();
    emitters.front().reader->openBranch(builder, block, joint.points);
    LogicalResult done = emitBlockJointly(builder, block, emitters, joint);
    emitters.front().reader->closeBranch();
    if (failed(done))
      return failure();
    for (Value value : block.getTerminator()->getOperands())
      yields[side].push_back(
          llvm::map_to_vector(emitters, [&](BodyEmitter &emitter) {
            return emitter.map.lookup(value);
          }));
  }
  SmallVector<Type> types;
  SmallVector<Value> yielded[2];
  SmallVector<bool> hasCommonSet;
  auto add = [&](Type type, Value a, Value b) {
    types.push_back(type);
    yielded[0].push_back(a);
    yielded[1].push_back(b);
  };
  auto getSetAt = [&](unsigned side, std::optional<bool> known, Value set) {
    if (set)
      return set;
    OpBuilder inner = OpBuilder::atBlockEnd(to[side]);
    return Value(
        arith::ConstantIntOp::create(inner, loc, known.value_or(true), 1));
  };
  for (auto [i, result] : llvm::enumerate(branch.getResults())) {
    ArrayRef<LaneValue> a = yields[0][i], b = yields[1][i];
    for (auto [x, y] : llvm::zip_equal(a, b))
      add(unwrapResult(result.getType()), x.value, y.value);
    std::optional<bool> first = getSet(a), second = getSet(b);
    hasCommonSet.push_back(first && second);
    if (!isa<ResultType>(result.getType()))
      continue;
    if (hasCommonSet.back()) {
      add(builder.getI1Type(), getSetAt(0, first, {}), getSetAt(1, second, {}));
      continue;
    }
    for (auto [x, y] : llvm::zip_equal(a, b))
      add(builder.getI1Type(), getSetAt(0, {}, x.set), getSetAt(1, {}, y.set));
  }
  auto lowered = scf::IfOp::create(builder, loc, types, condition,
                                   /*withElseRegion=*/true);
  lowered.getThenRegion().takeBody(draft.getThenRegion());
  lowered.getElseRegion().takeBody(draft.getElseRegion());
  draft.erase();
  for (unsigned side = 0; side < 2; ++side) {
    OpBuilder inner = OpBuilder::atBlockEnd(to[side]);
    scf::YieldOp::create(inner, loc, yielded[side]);
  }
  unsigned next = 0;
  for (auto [i, result] : llvm::enumerate(branch.getResults())) {
    for (BodyEmitter &emitter : emitters)
      emitter.map[result] = {lowered.getResult(next++), {}};
    if (!isa<ResultType>(result.getType()))
      continue;
    for (BodyEmitter &emitter : emitters)
      emitter.map[result].set =
          lowered.getResult(hasCommonSet[i] ? next : next++);
    next += hasCommonSet[i];
  }
  return success();
}
