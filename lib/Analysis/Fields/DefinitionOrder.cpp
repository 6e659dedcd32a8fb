//===- DefinitionOrder.cpp - Which value is defined first -----------------===//

#include "DefinitionOrder.h"
#include "mlir/IR/Operation.h"

using namespace mlir;

bool stencil::isInside(Value value, Operation *op) {
  Operation *parent = value.getParentBlock()->getParentOp();
  return parent && op->isAncestor(parent);
}

bool stencil::isLater(Value a, Value b) {
  Block *blockA = a.getParentBlock(), *blockB = b.getParentBlock();
  Operation *opA = a.getDefiningOp(), *opB = b.getDefiningOp();
  bool nestedA = false, nestedB = false;
  auto depth = [](Block *block) {
    unsigned depth = 0;
    for (Operation *op = block->getParentOp(); op; op = op->getParentOp())
      ++depth;
    return depth;
  };
  unsigned depthA = depth(blockA), depthB = depth(blockB);
  while (blockA != blockB) {
    bool raiseA = depthA >= depthB, raiseB = depthB >= depthA;
    if (raiseA) {
      opA = blockA->getParentOp();
      blockA = opA->getBlock();
      nestedA = true;
      --depthA;
    }
    if (raiseB) {
      opB = blockB->getParentOp();
      blockB = opB->getBlock();
      nestedB = true;
      --depthB;
    }
    // Different functions or blocks of one region: there is no order.
    if (!blockA || !blockB)
      return false;
  }
  if (opA == opB)
    return !nestedA && nestedB;
  if (!opA || !opB)
    return opA != nullptr;
  return opB->isBeforeInBlock(opA);
}
