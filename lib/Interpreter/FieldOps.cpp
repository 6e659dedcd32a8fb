//===- FieldOps.cpp - Fields ----------------------------------------------===//

#include "Ops.h"
#include "StencilDialect/IR/Bounds.h"
#include "llvm/Support/ScopedPrinter.h"

using namespace mlir;
using namespace stencil;
using namespace stencil::interp;

LogicalResult interp::evaluate(RunState &state, CastOp op) {
  FieldValue field = state.getField(op.getField());
  if (failed(state.bind(
          op, cast<GridType>(op.getResult().getType()).getBounds(), field)))
    return failure();
  state.get(op) = std::move(field);
  return success();
}

LogicalResult interp::evaluate(RunState &state, ExtentOp op) {
  auto axis = static_cast<int64_t>(op.getAxis());
  SmallVector<int64_t> lower(axis + 1, 0), upper(axis + 1, 1);
  upper[axis] = makeSymbolic(0);
  std::optional<Box> box =
      state.resolve(BoundsAttr::get(op.getContext(), lower, upper), op);
  if (!box)
    return failure();
  state.get(op.getRes()) =
      Scalar{Kind::I64, Cell::ofInteger(box->ub[axis], Kind::I64)};
  return success();
}

LogicalResult interp::evaluate(RunState &state, AllocOp op) {
  auto type = cast<GridType>(op.getField().getType());
  if (!type.getBounds())
    return op.emitError("expected a field with bounds, got ") << Type(type);
  std::optional<Box> box = state.resolve(type.getBounds(), op);
  if (!box)
    return failure();
  FailureOr<FieldValue> field =
      state.makeField(op, type.getElementType(), box->getShape(), *box);
  if (failed(field))
    return failure();
  state.get(op.getField()) = std::move(*field);
  return success();
}

LogicalResult interp::evaluate(RunState &state, ExternalLoadOp op) {
  auto *operand = std::get_if<FieldValue>(&state.get(op.getField()));
  if (!operand)
    return op.emitError("the interpreter expects a memref, got ")
           << op.getField().getType();
  FieldValue field = *operand;
  auto grid = dyn_cast<GridType>(op.getResult().getType());
  if (grid && failed(state.bind(op, grid.getBounds(), field)))
    return failure();
  state.get(op.getResult()) = std::move(field);
  return success();
}

LogicalResult interp::evaluate(RunState &state, ExternalStoreOp op) {
  auto *target = std::get_if<FieldValue>(&state.get(op.getField()));
  if (!target)
    return op.emitError("the interpreter expects a memref, got ")
           << op.getField().getType();
  FieldValue source = state.getField(op.getTemp());
  return state.copyStorage(op, *source.storage, *target->storage);
}

LogicalResult interp::evaluate(RunState &state, LoadOp op) {
  FieldValue &field = state.getField(op.getField());
  FieldStorage &storage = *field.storage;
  if (!storage.current) {
    storage.current = std::make_shared<Snapshot>();
    storage.current->data = storage.data;
    storage.current->own = storage.own;
    storage.current->errors = storage.errors;
    storage.current->ownErrors = storage.ownErrors;
  }
  TempValue temp;
  temp.contents = storage.current;
  temp.kind = storage.kind;
  temp.box = field.box;
  state.get(op) = std::move(temp);
  return success();
}

LogicalResult interp::evaluate(RunState &state, StoreOp op) {
  TempValue *temp = state.getTemp(op, op.getTemp());
  std::optional<Box> box = state.resolve(op.getBounds(), op);
  if (!temp || !box)
    return failure();
  if (temp->isStored)
    return success();
  FieldValue &field = state.getField(op.getField());
  for (const Box &outer : {field.box, temp->box})
    if (!outer.contains(*box)) {
      return op.emitError("expected the box ")
             << op.getBounds() << " to lie in "
             << (&outer == &temp->box ? "the value, " : "the field, ")
             << llvm::to_string(outer);
    }
  if (failed(state.prepareWrite(op, *field.storage)))
    return failure();
  copyRegion(field.getView(), temp->getView(), *box, temp->mask.get());
  return success();
}
