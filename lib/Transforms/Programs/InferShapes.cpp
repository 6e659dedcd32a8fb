//===- InferShapes.cpp - Boxes of values ----------------------------------===//
//
// Gives every temp the box that shape inference finds, and removes what nobody
// needs a single point of: after it, every temp has bounds.
//
//===----------------------------------------------------------------------===//

#include "Bodies/BodyPruning.h"
#include "StencilDialect/Analysis/ProgramCheck.h"
#include "StencilDialect/Analysis/ShapeInference.h"
#include "StencilDialect/Analysis/SymbolicExtents.h"
#include "StencilDialect/IR/Schedule.h"
#include "StencilDialect/Transforms/Passes.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

using namespace mlir;
using namespace stencil;

namespace stencil {
#define GEN_PASS_DEF_STENCILINFERSHAPES
#include "StencilDialect/Transforms/Passes.h.inc"
} // namespace stencil

/// Removes the operands of which no point is needed.
static void dropUnneededOperands(ApplyOp apply, const ShapeInference &shapes) {
  llvm::BitVector unneeded(apply.getArgs().size());
  for (auto [i, operand] : llvm::enumerate(apply.getArgs()))
    if (isa<TempType>(operand.getType()) && !shapes.getBox(operand))
      unneeded.set(i);
  eraseInputs(apply, unneeded);
}

/// Removes the results of which no point is needed. A side without points gets
/// the operand of the other side.
static void dropUnneededParts(CombineOp combine, const ShapeInference &shapes) {
  SmallVector<Value> lower, upper, lowerext, upperext, kept;
  SmallVector<Type> types;
  int64_t axis = combine.getDim().getSExtValue();
  int64_t split = combine.getIndex().getSExtValue();
  unsigned pairs = combine.getLower().size();
  unsigned firstUpperext = pairs + combine.getLowerext().size();
  for (auto [i, result] : llvm::enumerate(combine.getResults())) {
    BoundsAttr box = shapes.getBox(result);
    if (!box)
      continue;
    kept.push_back(result);
    types.push_back(cast<GridType>(result.getType()).withBounds(box));
    if (i >= pairs) {
      (i < firstUpperext ? lowerext : upperext)
          .push_back(combine->getOperand(pairs + i));
      continue;
    }
    bool isUpperOnly = box.getLb()[axis] >= split;
    bool isLowerOnly = box.getUb()[axis] <= split;
    lower.push_back((isUpperOnly ? combine.getUpper() : combine.getLower())[i]);
    upper.push_back((isLowerOnly ? combine.getLower() : combine.getUpper())[i]);
  }
  // A combine has a pair at least; what passes through is one with itself.
  if (lower.empty()) {
    lower = llvm::to_vector(llvm::concat<Value>(lowerext, upperext));
    upper = lower;
    lowerext.clear();
    upperext.clear();
  }
  OpBuilder builder(combine);
  auto needed = CombineOp::create(builder, combine.getLoc(), types,
                                  combine.getDimAttr(), combine.getIndexAttr(),
                                  lower, upper, lowerext, upperext);
  needed->setDiscardableAttrs(combine->getDiscardableAttrDictionary());
  for (auto [old, replacement] : llvm::zip_equal(kept, needed.getResults()))
    old.replaceAllUsesWith(replacement);
  combine.erase();
}

namespace {
struct InferShapes : stencil::impl::StencilInferShapesBase<InferShapes> {
  void runOnOperation() override;
};
} // namespace

void InferShapes::runOnOperation() {
  if (failed(checkProgram(getOperation())))
    return signalPassFailure();
  // Operands that nobody reads have no box.
  getOperation()->walk([](ApplyOp apply) { eraseUnread(apply); });
  FailureOr<ShapeInference> shapes = ShapeInference::compute(getOperation());
  if (failed(shapes))
    return signalPassFailure();
  auto boxOf = [&](Value value) {
    return isa<TempType>(value.getType())
               ? shapes->getBox(value)
               : cast<GridType>(value.getType()).getBounds();
  };
  getOperation()->walk([&](FunctionOpInterface function) {
    recordMinimalExtents(function, boxOf);
  });

  SmallVector<ApplyOp> applies;
  for (Operation *op : shapes->getProducers()) {
    auto apply = dyn_cast<ApplyOp>(op);
    auto needed = [&](Value value) { return shapes->getBox(value) != nullptr; };
    if (!(apply && apply.isBufferised()) &&
        llvm::none_of(op->getResults(), needed)) {
      op->erase();
      continue;
    }
    if (auto combine = dyn_cast<CombineOp>(op)) {
      dropUnneededParts(combine, *shapes);
      continue;
    }
    if (apply) {
      dropUnneededOperands(apply, *shapes);
      applies.push_back(apply);
    }
    for (Value result : op->getResults())
      result.setType(
          cast<GridType>(result.getType()).withBounds(shapes->getBox(result)));
  }
  for (ApplyOp apply : applies)
    for (auto [argument, operand] :
         llvm::zip_equal(apply.getBodyBlock()->getArguments(), apply.getArgs()))
      argument.setType(operand.getType());
}
