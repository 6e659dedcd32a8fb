//===- DefinitionOrder.cpp - Which value is defined first -----------------===//

#include "DefinitionOrder.h"
#include "mlir/IR/Operation.h"

using namespace mlir;

bool stencil::isInside(Value value, Operation *op) {
  Operation *parent = value.getParentBlock()->getParentOp();
  return parent && op->isAncestor(parent);
}

bool stencil::isLater(Value a, Value b) {
  // Outwards from where `b` is defined, up to the block that has both.
  Operation *opB = b.getDefiningOp();
  bool isNestedB = false;
  for (Block *block = b.getParentBlock(); block;) {
    bool isNestedA = a.getParentBlock() != block;
    Operation *opA =
        isNestedA
            ? block->findAncestorOpInBlock(*a.getParentBlock()->getParentOp())
            : a.getDefiningOp();
    if (opA || !isNestedA) {
      if (opA == opB)
        return !isNestedA && isNestedB;
      if (!opA || !opB)
        return opA != nullptr;
      return opB->isBeforeInBlock(opA);
    }
    opB = block->getParentOp();
    isNestedB = true;
    block = opB->getBlock();
  }
  // Of different functions: there is no order.
  return false;
}
