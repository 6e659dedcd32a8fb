//===- PrepareBodies.cpp - What all kernels are made of -------------------===//

#include "Patterns.h"
#include "Window.h"

using namespace mlir;
using namespace stencil;

LogicalResult stencil::prepareBodies(Operation *root) {
  auto calls = root->walk([&](func::CallOp call) {
    if (!call->getParentOfType<ApplyOp>())
      return WalkResult::advance();
    call.emitOpError("no GPU lowering for a call that could not be inlined: "
                     "expected '")
        << call.getCallee() << "' to have a body of one block";
    return WalkResult::interrupt();
  });
  if (calls.wasInterrupted())
    return failure();
  root->walk([](ApplyOp apply) { splitAxes(apply); });
  return success();
}
