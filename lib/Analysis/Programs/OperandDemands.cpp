//===- OperandDemands.cpp - What ops need of their operands ---------------===//

#include "StencilDialect/Analysis/ProgramCheck.h"
#include "StencilDialect/Analysis/ShapeInference.h"

using namespace mlir;
using namespace stencil;

//===----------------------------------------------------------------------===//
// Boxes
//===----------------------------------------------------------------------===//

bool GridBox::contains(const GridBox &other) const {
  return llvm::all_of_zip(lb, other.lb, std::less_equal<int64_t>()) &&
         llvm::all_of_zip(ub, other.ub, std::greater_equal<int64_t>());
}

void GridBox::join(const GridBox &other) {
  if (lb.empty()) {
    *this = other;
    return;
  }
  for (auto [lower, otherLower] : llvm::zip_equal(lb, other.lb))
    lower = std::min(lower, otherLower);
  for (auto [upper, otherUpper] : llvm::zip_equal(ub, other.ub))
    upper = std::max(upper, otherUpper);
}

void GridBox::cut(CombineOp combine, bool isBelow) {
  int64_t axis = combine.getDim().getSExtValue();
  int64_t split = combine.getIndex().getSExtValue();
  if (isBelow)
    ub[axis] = std::min(ub[axis], split);
  else
    lb[axis] = std::max(lb[axis], split);
}

//===----------------------------------------------------------------------===//
// Demand of one use
//===----------------------------------------------------------------------===//

/// The points of an input that a body reads when it is evaluated on `domain`.
static GridBox getReadBox(const InputRead &read, BoundsAttr domain,
                          ArrayRef<int64_t> unroll) {
  GridBox box;
  for (auto [axis, first, last] :
       llvm::zip_equal(read.axes, read.lower, read.upper)) {
    box.lb.push_back(domain.getLb()[axis] + first);
    // The last base point is the upper bound less the unroll factor.
    box.ub.push_back(domain.getUb()[axis] - (unroll[axis] - 1) + last);
  }
  return box;
}

OperandDemands::OperandDemands(Operation *owner) : owner(owner) {
  if (auto apply = dyn_cast<ApplyOp>(owner))
    footprint.emplace(apply);
}

void OperandDemands::forEach(OpOperand &use, BoxOf boxOf,
                             DemandCallback callback) {
  if (auto store = dyn_cast<StoreOp>(owner)) {
    callback(owner, GridBox(store.getBounds()), nullptr);
  } else if (auto fold = dyn_cast<FoldOp>(owner)) {
    callback(owner, GridBox(fold.getBounds()), nullptr);
  } else if (auto apply = dyn_cast<ApplyOp>(owner)) {
    if (use.getOperandNumber() >= apply.getArgs().size()) {
      callback(owner, GridBox(*apply.getBounds()), nullptr);
    } else {
      BoundsAttr domain = apply.isBufferised() ? *apply.getBounds()
                                               : boxOf(apply.getRes().front());
      if (!domain)
        return;
      SmallVector<int64_t> unroll = apply.getUnrollFactors();
      footprint->forEachRead(
          use.getOperandNumber(), [&](const InputRead &read) {
            callback(read.op, getReadBox(read, domain, unroll), &read);
          });
    }
  } else if (isa<LoadOp, BufferOp>(owner)) {
    if (BoundsAttr bounds = boxOf(owner->getResult(0)))
      callback(owner, GridBox(bounds), nullptr);
  } else if (auto combine = dyn_cast<CombineOp>(owner)) {
    unsigned pairs = combine.getLower().size();
    unsigned number = use.getOperandNumber();
    BoundsAttr bounds = boxOf(getCombined(combine, number));
    if (!bounds)
      return;
    GridBox box(bounds);
    bool isLowerExt = number >= 2 * pairs &&
                      number < 2 * pairs + combine.getLowerext().size();
    box.cut(combine, number < pairs || isLowerExt);
    int64_t axis = combine.getDim().getSExtValue();
    if (box.lb[axis] < box.ub[axis])
      callback(owner, box, nullptr);
  }
}
