//===- Footprint.cpp - What the body of an apply reads --------------------===//

#include "StencilDialect/IR/Footprint.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace stencil;

bool Footprint::Box::contains(const Box &other) const {
  auto isLess = [](auto pair) {
    return std::get<0>(pair) <= std::get<1>(pair);
  };
  return llvm::all_of(llvm::zip_equal(lower, other.lower), isLess) &&
         llvm::all_of(llvm::zip_equal(other.upper, upper), isLess);
}

unsigned Footprint::join(unsigned a, unsigned b) {
  if (a == b || boxes[a].contains(boxes[b]))
    return a;
  if (boxes[b].contains(boxes[a]))
    return b;
  Box both = boxes[a];
  for (auto [low, other] : llvm::zip_equal(both.lower, boxes[b].lower))
    low = std::min(low, other);
  for (auto [high, other] : llvm::zip_equal(both.upper, boxes[b].upper))
    high = std::max(high, other);
  boxes.push_back(std::move(both));
  return boxes.size() - 1;
}

void stencil::forEachTap(
    WeightedSumOp sum,
    llvm::function_ref<void(int64_t tap, bool isUnit)> callback) {
  DenseElementsAttr weights = sum.getDenseWeights();
  auto visit = [&](int64_t tap, bool isZero, bool isUnit) {
    if (!isZero)
      callback(tap, isUnit);
  };
  if (weights && isa<FloatType>(weights.getElementType())) {
    for (auto [tap, weight] : llvm::enumerate(weights.getValues<APFloat>()))
      visit(tap, weight.isZero(), abs(weight).isExactlyValue(1.0));
  } else if (weights) {
    for (auto [tap, weight] : llvm::enumerate(weights.getValues<APInt>()))
      visit(tap, weight.isZero(), weight.isOne() || weight.isAllOnes());
  } else {
    for (int64_t tap = 0, end = sum.getNumTaps(); tap < end; ++tap)
      visit(tap, false, false);
  }
}

bool stencil::getTapHull(WeightedSumOp sum, SmallVectorImpl<int64_t> &lower,
                         SmallVectorImpl<int64_t> &upper) {
  lower.clear();
  forEachTap(sum, [&](int64_t tap, bool) {
    ArrayRef<int64_t> offset = sum.getOffset(tap);
    if (lower.empty()) {
      lower.assign(offset.begin(), offset.end());
      upper.assign(offset.begin(), offset.end());
    }
    for (auto [i, distance] : llvm::enumerate(offset)) {
      lower[i] = std::min(lower[i], distance);
      upper[i] = std::max(upper[i], distance);
    }
  });
  return !lower.empty();
}

/// True for what is evaluated although nobody asks for its value.
static bool isRoot(Operation &op) {
  return op.hasTrait<OpTrait::IsTerminator>() || !isMemoryEffectFree(&op);
}

Footprint::Footprint(ApplyOp apply) : apply(apply), rank(apply.getRank()) {
  Block &body = *apply.getBodyBlock();
  constexpr unsigned kHere = 0;
  Box &here = boxes.emplace_back();
  here.lower.assign(rank, 0);
  here.upper.assign(rank, 0);
  // Users come after what they use.
  for (Operation &op : llvm::reverse(body)) {
    std::optional<unsigned> needed;
    for (OpOperand &use : op.getUses()) {
      auto user = reach.find(body.findAncestorOpInBlock(*use.getOwner()));
      if (user == reach.end())
        continue;
      unsigned at = user->second;
      auto sum = dyn_cast<WeightedSumOp>(use.getOwner());
      if (sum && use.getOperandNumber() == 0) {
        Box shifted = boxes[at];
        SmallVector<int64_t> lower, upper;
        if (!getTapHull(sum, lower, upper))
          continue;
        for (auto [i, axis] : llvm::enumerate(sum.getAxes())) {
          shifted.lower[axis] += lower[i];
          shifted.upper[axis] += upper[i];
        }
        at = boxes.size();
        boxes.push_back(std::move(shifted));
      }
      needed = needed ? join(*needed, at) : at;
    }
    // Most ops are needed here by others already: effects take time to ask for.
    if (needed != kHere && isRoot(op))
      needed = needed ? join(kHere, *needed) : kHere;
    if (needed)
      reach[&op] = *needed;
  }
}

void Footprint::visit(Operation *user, BlockArgument input,
                      llvm::function_ref<void(const InputRead &)> callback) {
  InputRead read;
  auto evaluated =
      reach.find(apply.getBodyBlock()->findAncestorOpInBlock(*user));
  if (evaluated == reach.end())
    return;
  read.op = user;
  read.input = input;
  auto placed = dyn_cast<PlacedOpInterface>(user);
  if (!placed || !placed.getReadHull(read.axes, read.lower, read.upper))
    return;
  const Box &box = boxes[evaluated->second];
  for (auto [i, axis] : llvm::enumerate(read.axes)) {
    read.lower[i] += box.lower[axis];
    read.upper[i] += box.upper[axis];
  }
  callback(read);
}

void Footprint::forEachRead(
    unsigned input, llvm::function_ref<void(const InputRead &)> callback) {
  BlockArgument argument = apply.getBodyBlock()->getArgument(input);
  for (Operation *user : argument.getUsers())
    visit(user, argument, callback);
}

void Footprint::forEachRead(
    llvm::function_ref<void(const InputRead &)> callback) {
  for (BlockArgument argument : apply.getBodyBlock()->getArguments())
    if (isa<GridType>(argument.getType()))
      forEachRead(argument.getArgNumber(), callback);
}

/// True if a sum reads what it sums at this point, too.
static bool hasTapHere(WeightedSumOp sum) {
  bool isHere = false;
  forEachTap(sum,
             [&](int64_t tap, bool) { isHere |= isZero(sum.getOffset(tap)); });
  return isHere;
}

BodySlices::BodySlices(ApplyOp apply) : body(apply.getBodyBlock()) {
  for (Operation &op : llvm::reverse(*body)) {
    bool isUsed = llvm::any_of(op.getUses(), [&](OpOperand &use) {
      auto sum = dyn_cast<WeightedSumOp>(use.getOwner());
      Operation *top = body->findAncestorOpInBlock(*use.getOwner());
      return top && isNeededHere(top) &&
             !(sum && use.getOperandNumber() == 0 && !hasTapHere(sum));
    });
    if (isUsed || isRoot(op))
      needed.insert(&op);
  }
}

ArrayRef<Operation *> BodySlices::getSlice(Operation *op) {
  auto &known = slices[op];
  if (known)
    return *known;
  llvm::SetVector<Operation *> slice;
  slice.insert(op);
  for (size_t i = 0; i < slice.size(); ++i)
    slice[i]->walk([&](Operation *inner) {
      auto sum = dyn_cast<WeightedSumOp>(inner);
      for (OpOperand &operand : inner->getOpOperands()) {
        if (sum && operand.getOperandNumber() == 0 && !hasTapHere(sum))
          continue;
        Operation *source = operand.get().getDefiningOp();
        if (source && source->getBlock() == body)
          slice.insert(source);
      }
    });
  known =
      std::make_unique<SmallVector<Operation *>>(slice.begin(), slice.end());
  llvm::sort(*known,
             [](Operation *a, Operation *b) { return a->isBeforeInBlock(b); });
  return *known;
}

UniformValues::UniformValues(ApplyOp apply) {
  for (BlockArgument argument : apply.getBodyBlock()->getArguments())
    if (!isa<GridType>(argument.getType()))
      uniform.insert(argument);
  apply.getRegion().walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (op->getDialect() == apply->getDialect() || op->getNumRegions() != 0 ||
        !isMemoryEffectFree(op) ||
        !llvm::all_of(op->getOperands(),
                      [&](Value operand) { return contains(operand); }))
      return;
    uniform.insert_range(op->getResults());
  });
}
