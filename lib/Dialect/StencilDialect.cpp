//===- StencilDialect.cpp - The stencil dialect ---------------------------===//

#include "StencilDialect/IR/StencilDialect.h"
#include "StencilDialect/IR/StencilOps.h"

using namespace mlir;
using namespace stencil;

#include "StencilDialect/IR/StencilDialect.cpp.inc"

void StencilDialect::initialize() {
  registerAttributes();
  registerTypes();
  addOperations<
#define GET_OP_LIST
#include "StencilDialect/IR/StencilOps.cpp.inc"
      >();
}

LogicalResult
StencilDialect::verifyOperationAttribute(Operation *op,
                                         NamedAttribute attribute) {
  if (attribute.getName() != ScheduleAttr::kAttrName)
    return success();
  auto apply = dyn_cast<ApplyOp>(op);
  if (!apply)
    return op->emitOpError("expected '")
           << ScheduleAttr::kAttrName << "' on a stencil.apply only";
  auto schedule = dyn_cast<ScheduleAttr>(attribute.getValue());
  if (!schedule)
    return op->emitOpError("expected a #stencil.schedule as '")
           << ScheduleAttr::kAttrName << "', got " << attribute.getValue();
  if (int64_t rank = apply.getRank();
      rank != 0 && schedule.getRank() != 0 && schedule.getRank() != rank)
    return op->emitOpError("expected a schedule for ")
           << rank << " axes, got one for " << schedule.getRank();
  return success();
}
