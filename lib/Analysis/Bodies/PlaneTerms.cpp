//===- PlaneTerms.cpp - Values of a body, plane by plane ------------------===//

#include "StencilDialect/Analysis/PlaneTerms.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace stencil;

std::optional<PlaneRange> stencil::getPlanes(const InputRead &read,
                                             int64_t axis) {
  const auto *it = llvm::find(read.axes, axis);
  if (it == read.axes.end())
    return std::nullopt;
  size_t i = it - read.axes.begin();
  return PlaneRange{read.lower[i], read.upper[i]};
}

PlaneTerms::PlaneTerms(ApplyOp apply, int64_t axis) : apply(apply), axis(axis) {
  Footprint(apply).forEachRead([&](const InputRead &read) {
    if (std::optional<PlaneRange> range = getPlanes(read, axis)) {
      auto [known, isNew] = reads.try_emplace(read.input, *range);
      if (!isNew)
        known->second = known->second.hull(*range);
    }
  });
  for (BlockArgument argument : apply.getBodyBlock()->getArguments())
    if (!isa<GridType>(argument.getType()))
      infos[argument].kind = PlaneInfo::Invariant;
  for (Operation &op : *apply.getBodyBlock()) {
    PlaneInfo info = classify(&op);
    for (Value result : op.getResults())
      infos[result] = info;
  }
}

const PlaneInfo &PlaneTerms::get(Value value) const {
  static const PlaneInfo mixed;
  auto it = infos.find(value);
  return it == infos.end() ? mixed : it->second;
}

bool PlaneTerms::canScatter(Value value) const {
  const PlaneInfo &info = get(value);
  return info.kind == PlaneInfo::Terms &&
         WeightedSumOp::isSummable(value.getType()) &&
         info.readable.contains(info.getHull());
}

std::optional<int64_t> PlaneTerms::getPlane(ArrayRef<int64_t> axes,
                                            ArrayRef<int64_t> offset) const {
  const auto *it = llvm::find(axes, axis);
  if (it == axes.end())
    return std::nullopt;
  return offset[it - axes.begin()];
}

//===----------------------------------------------------------------------===//
// Which planes
//===----------------------------------------------------------------------===//

/// Adds planes to those of a value.
static void addPlanes(PlaneInfo &info, ArrayRef<int64_t> planes) {
  info.kind = PlaneInfo::Terms;
  llvm::append_range(info.planes, planes);
  llvm::sort(info.planes);
  info.planes.erase(llvm::unique(info.planes), info.planes.end());
}

/// What can be read of an input, without planes yet.
PlaneInfo PlaneTerms::readInput(Value input) const {
  PlaneInfo info;
  if (auto it = reads.find(input); it != reads.end())
    info.readable = it->second;
  return info;
}

PlaneInfo PlaneTerms::classifySum(WeightedSumOp sum) const {
  PlaneInfo info;
  SmallVector<int64_t> axes = sum.getAxes();
  const PlaneInfo *inner = nullptr;
  if (sum.isOverInput()) {
    info = readInput(sum.getInput());
  } else {
    inner = &get(sum.getInput());
    if (inner->kind != PlaneInfo::Terms)
      return *inner;
    info.isPointwise = inner->isPointwise;
    info.readable = inner->readable;
  }
  // Without taps, or on an input that does not have the axis.
  info.kind = inner ? PlaneInfo::Mixed : PlaneInfo::Invariant;
  forEachTap(sum, [&](int64_t tap, bool) {
    ArrayRef<int64_t> offset = sum.getOffset(tap);
    info.isPointwise &= isZero(offset);
    std::optional<int64_t> plane = getPlane(axes, offset);
    if (!plane)
      return;
    SmallVector<int64_t> planes = {*plane};
    if (inner)
      planes = llvm::map_to_vector(
          inner->planes, [&](int64_t other) { return other + *plane; });
    addPlanes(info, planes);
  });
  return info;
}

/// The terms of all operands together; Mixed if one has none.
PlaneInfo PlaneTerms::joinOperands(Operation *op) const {
  PlaneInfo info;
  info.kind = PlaneInfo::Invariant;
  for (Value value : op->getOperands()) {
    const PlaneInfo &operand = get(value);
    if (operand.kind == PlaneInfo::Mixed)
      return operand;
    if (operand.kind == PlaneInfo::Invariant)
      continue;
    addPlanes(info, operand.planes);
    info.isPointwise &= operand.isPointwise;
    info.readable = info.readable.intersect(operand.readable);
  }
  return info;
}

/// Any function of values of one plane is a value of this plane.
PlaneInfo PlaneTerms::classifyGeneric(Operation *op) const {
  PlaneInfo mixed;
  if (op->getNumRegions() != 0 || !isMemoryEffectFree(op) ||
      op->hasTrait<OpTrait::IsTerminator>())
    return mixed;
  PlaneInfo info = joinOperands(op);
  return info.planes.size() > 1 ? mixed : info;
}

PlaneInfo PlaneTerms::classify(Operation *op) const {
  auto isInvariant = [&](unsigned operand) {
    return get(op->getOperand(operand)).kind == PlaneInfo::Invariant;
  };
  if (auto access = dyn_cast<AccessOp>(op)) {
    ArrayRef<int64_t> offset = access.getOffset().getValues();
    PlaneInfo info = readInput(access.getTemp());
    info.kind = PlaneInfo::Invariant;
    info.isPointwise = isZero(offset);
    if (auto plane = getPlane(access.getAxes(), offset))
      addPlanes(info, *plane);
    return info;
  }
  if (auto sum = dyn_cast<WeightedSumOp>(op))
    return classifySum(sum);
  if (auto index = dyn_cast<IndexOp>(op)) {
    // The coordinate of a plane is known where the plane is.
    PlaneInfo info;
    info.kind = PlaneInfo::Invariant;
    if (index.getDim().getSExtValue() == axis)
      addPlanes(info, int64_t(0));
    return info;
  }
  if (readsComputedPoints(op))
    return {};
  bool isLinear = isa<arith::AddFOp, arith::SubFOp, arith::NegFOp,
                      arith::AddIOp, arith::SubIOp>(op) ||
                  (isa<arith::MulFOp, arith::MulIOp>(op) &&
                   (isInvariant(0) || isInvariant(1))) ||
                  (isa<arith::DivFOp>(op) && isInvariant(1)) ||
                  (isa<math::FmaOp>(op) && (isInvariant(0) || isInvariant(1)));
  return isLinear ? joinOperands(op) : classifyGeneric(op);
}

//===----------------------------------------------------------------------===//
// Sums over planes
//===----------------------------------------------------------------------===//

static bool canTakeSum(const PlaneTerms &terms, WeightedSumOp sum) {
  if (sum.isOverInput())
    return true;
  const PlaneInfo &info = terms.get(sum.getInput());
  return info.kind == PlaneInfo::Invariant ||
         (info.kind == PlaneInfo::Terms && info.isHere() && info.isPointwise);
}

PlaneSums::PlaneSums(const PlaneTerms &terms) {
  Block &body = *terms.getApply().getBodyBlock();
  auto require = [&](Value value) {
    Operation *op = value.getDefiningOp();
    if (!op || op->getBlock() != &body)
      return;
    const PlaneInfo &info = terms.get(value);
    if (terms.canScatter(value) && !(info.isHere() && info.isPointwise))
      roots.insert(value);
    else
      rest.insert(op);
  };
  llvm::for_each(body.getTerminator()->getOperands(), require);
  // Users come after what they use.
  for (Operation &op : llvm::reverse(body))
    if (rest.contains(&op))
      op.walk([&](Operation *inner) {
        if (auto sum = dyn_cast<WeightedSumOp>(inner);
            sum && !refused && !canTakeSum(terms, sum))
          refused = sum;
        llvm::for_each(inner->getOperands(), require);
      });
}

bool PlaneSums::mayReorder(const PlaneTerms &terms, MathMode mode) const {
  SmallVector<Value> work(roots.begin(), roots.end());
  llvm::DenseSet<Operation *> seen;
  while (!work.empty()) {
    Value value = work.pop_back_val();
    const PlaneInfo &info = terms.get(value);
    Operation *op = value.getDefiningOp();
    if (info.kind != PlaneInfo::Terms || !op || !seen.insert(op).second)
      continue;
    if (info.planes.size() > 1 && !mayReassociate(op, mode))
      return false;
    llvm::append_range(work, op->getOperands());
  }
  return true;
}
