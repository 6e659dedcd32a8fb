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
  int64_t axis = combine.getDim().getSExtValue();
  int64_t split = combine.getIndex().getSExtValue();
  unsigned pairs = combine.getLower().size();
  for (unsigned i = 0; i < pairs; ++i) {
    BoundsAttr box = shapes.getBox(combine.getResult(i));
    if (box && box.getLb()[axis] >= split)
      combine->setOperand(i, combine.getUpper()[i]);
    else if (box && box.getUb()[axis] <= split)
      combine->setOperand(pairs + i, combine.getLower()[i]);
  }
  keepResults(combine, [&](Value result) {
    BoundsAttr box = shapes.getBox(result);
    return box ? Type(cast<GridType>(result.getType()).withBounds(box))
               : Type();
  });
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
  auto boxOf = [&](Value value) { return shapes->getBox(value); };
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
    apply.retypeArguments();
}
