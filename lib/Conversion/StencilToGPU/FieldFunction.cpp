//===- FieldFunction.cpp - Functions that work on fields ------------------===//

#include "FieldFunction.h"
#include "DeviceLayout.h"
#include "StencilDialect/IR/OpWalks.h"
#include "StencilDialect/IR/StencilOps.h"

using namespace mlir;
using namespace stencil;

LogicalResult stencil::checkFieldFunction(func::FuncOp function) {
  if (!llvm::hasSingleElement(function.getBody()))
    return function.emitError("no GPU lowering for a function with branches; "
                              "structured control flow has one");
  for (Type type : llvm::concat<const Type>(function.getArgumentTypes(),
                                            function.getResultTypes()))
    if (auto field = dyn_cast<FieldType>(type);
        field && !DeviceLayout::canHold(field.getElementType()))
      return function.emitError("no GPU lowering for a field of type ")
             << field;
  return success();
}

LogicalResult stencil::checkFields(Operation *op) {
  RowLayout rows = getRowLayout(op->getParentOfType<func::FuncOp>());
  return checkWithin(*op, [&](Operation *inner) -> LogicalResult {
    for (Type type : inner->getOperandTypes())
      if (isa<FieldType>(type) &&
          !DeviceLayout::getBufferType(cast<GridType>(type), rows))
        return inner->emitOpError("no GPU lowering for a field of type ")
               << type;
    return success();
  });
}
