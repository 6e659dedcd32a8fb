//===- MemRefOps.cpp - Memrefs and pointers -------------------------------===//

#include "Ops.h"
#include "StencilDialect/Analysis/Signature.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace stencil;
using namespace stencil::interp;

static LogicalResult evaluateAlloc(RunState &state, Operation *op) {
  auto type = cast<MemRefType>(op->getResult(0).getType());
  if (!type.getLayout().isIdentity())
    return op->emitError("the interpreter expects a row-major memref, got ")
           << type;
  SmallVector<int64_t> shape(type.getShape());
  auto sizes = op->getOperands().begin();
  for (auto [axis, extent] : llvm::enumerate(shape)) {
    if (ShapedType::isDynamic(extent))
      extent = state.getInteger(*sizes++);
    if (extent < 1)
      return op->emitError("expected a positive extent of axis ")
             << axis << ", got " << extent;
  }
  FailureOr<FieldValue> field =
      state.makeField(op, type.getElementType(), shape, Box());
  if (failed(field))
    return failure();
  state.get(op->getResult(0)) = std::move(*field);
  return success();
}

static char *getElement(RunState &state, Operation *op, FieldStorage &storage,
                        ValueRange indices) {
  int64_t position = 0;
  for (auto [axis, index, extent] : llvm::enumerate(indices, storage.shape)) {
    int64_t coordinate = state.getInteger(index);
    if (coordinate < 0 || coordinate >= extent) {
      op->emitError("expected an index from 0 to ")
          << extent - 1 << " on axis " << axis << ", got " << coordinate;
      return nullptr;
    }
    position = position * extent + coordinate;
  }
  return storage.data + position * getSize(storage.kind);
}

/// Of row-major memrefs: others cannot be made.
LogicalResult interp::evaluateMemRefOp(RunState &state, Operation *op) {
  for (Value operand : op->getOperands())
    if (isa<BaseMemRefType>(operand.getType()) &&
        !std::holds_alternative<FieldValue>(state.get(operand)))
      return emitUnknownOp(op);
  return llvm::TypeSwitch<Operation *, LogicalResult>(op)
      .Case<memref::AllocOp, memref::AllocaOp>(
          [&](Operation *op) { return evaluateAlloc(state, op); })
      // Memory goes with its last reference.
      .Case([&](memref::DeallocOp) { return success(); })
      .Case([&](memref::CopyOp op) {
        return state.copyStorage(op, *state.getField(op.getSource()).storage,
                                 *state.getField(op.getTarget()).storage);
      })
      .Case([&](memref::CastOp op) -> LogicalResult {
        auto type = dyn_cast<MemRefType>(op.getType());
        if (!type || !type.getLayout().isIdentity())
          return emitUnknownOp(op);
        FieldValue field = state.getField(op.getSource());
        for (auto [axis, expected, got] :
             llvm::enumerate(type.getShape(), field.storage->shape))
          if (!ShapedType::isDynamic(expected) && expected != got)
            return op.emitError("expected an extent of ")
                   << expected << " on axis " << axis << ", got " << got;
        state.get(op) = std::move(field);
        return success();
      })
      .Case([&](memref::DimOp op) -> LogicalResult {
        const FieldStorage &storage = *state.getField(op.getSource()).storage;
        int64_t axis = state.getInteger(op.getIndex());
        if (axis < 0 || axis >= static_cast<int64_t>(storage.shape.size()))
          return op.emitError("expected an axis from 0 to ")
                 << storage.shape.size() - 1 << ", got " << axis;
        state.get(op) = makeIndex(storage.shape[axis]);
        return success();
      })
      .Case([&](memref::LoadOp op) -> LogicalResult {
        FieldStorage &storage = *state.getField(op.getMemref()).storage;
        char *element = getElement(state, op, storage, op.getIndices());
        if (!element)
          return failure();
        Scalar scalar{storage.kind, {}};
        std::memcpy(scalar.cell.bytes, element, getSize(storage.kind));
        if (storage.errors)
          scalar.error =
              storage.errors[(element - storage.data) / getSize(storage.kind)]
                  .bound;
        state.get(op) = scalar;
        return success();
      })
      .Case([&](memref::StoreOp op) -> LogicalResult {
        FieldStorage &storage = *state.getField(op.getMemref()).storage;
        if (failed(state.prepareWrite(op, storage)))
          return failure();
        char *element = getElement(state, op, storage, op.getIndices());
        if (!element)
          return failure();
        Scalar scalar = state.getScalar(op.getValue());
        std::memcpy(element, scalar.cell.bytes, getSize(storage.kind));
        // A scalar has one number for all three.
        if (storage.errors)
          storage.errors[(element - storage.data) / getSize(storage.kind)] = {
              scalar.error, scalar.error, scalar.error};
        return success();
      })
      .Default([](Operation *op) { return emitUnknownOp(op); });
}

/// The memory of a field, from its first point on: what injections of Devito
/// write to.
LogicalResult interp::evaluate(RunState &state, UnrealizedConversionCastOp op) {
  if (op->getNumOperands() != 1 || op->getNumResults() != 1)
    return emitUnknownOp(op);
  auto field = dyn_cast<FieldType>(op.getOperand(0).getType());
  auto memref = dyn_cast<MemRefType>(op.getType(0));
  if (!field || !memref || !memref.getLayout().isIdentity() ||
      memref.getElementType() != field.getElementType())
    return emitUnknownOp(op);
  FieldValue value = state.getField(op.getOperand(0));
  if (memref.getShape() != ArrayRef<int64_t>(value.storage->shape))
    return op.emitError("expected a memref of the extents of ")
           << field << ", got " << memref;
  state.get(op.getResult(0)) = std::move(value);
  return success();
}

LogicalResult interp::evaluate(RunState &state, ScratchOp op) {
  return evaluateAlloc(state, op);
}

LogicalResult interp::evaluate(RunState &state, FetchOp op) {
  const FieldStorage &storage = *state.getField(op.getMemory()).storage;
  Scalar scalar{storage.kind, {}};
  std::memcpy(scalar.cell.bytes, storage.data, getSize(storage.kind));
  if (storage.errors)
    scalar.error = storage.errors->bound;
  state.get(op.getRes()) = scalar;
  return success();
}

//===----------------------------------------------------------------------===//
// Pointers
//===----------------------------------------------------------------------===//

/// Where a scalar of `type` lies, at the beginning of an argument's memory;
/// null after an error.
static char *getAddress(RunState &state, Operation *op, Value pointer,
                        Type type) {
  auto *memory = std::get_if<FieldValue>(&state.get(pointer));
  std::optional<ElementKind> kind = getElementKind(type);
  if (!memory || !kind) {
    (void)emitUnknownOp(op);
    return nullptr;
  }
  int64_t size = getElementSize(*kind), bytes = memory->storage->shape[0];
  if (size <= bytes)
    return memory->storage->data;
  op->emitError("expected memory of ")
      << size << " bytes for " << type << ", got " << bytes;
  return nullptr;
}

LogicalResult interp::evaluate(RunState &state, LLVM::LoadOp op) {
  FailureOr<Kind> kind = state.requireKind(op, op.getType());
  if (failed(kind))
    return failure();
  char *address = getAddress(state, op, op.getAddr(), op.getType());
  if (!address)
    return failure();
  Scalar scalar{*kind, {}};
  ElementKind element = *getElementKind(op.getType());
  if (isFloat(*kind))
    scalar.cell = Cell::ofFloat(loadElement(element, address, 0), *kind);
  else
    std::memcpy(scalar.cell.bytes, address, getElementSize(element));
  state.get(op) = scalar;
  return success();
}

LogicalResult interp::evaluate(RunState &state, LLVM::StoreOp op) {
  char *address = getAddress(state, op, op.getAddr(), op.getValue().getType());
  if (!address)
    return failure();
  const Scalar &scalar = state.getScalar(op.getValue());
  ElementKind element = *getElementKind(op.getValue().getType());
  if (isFloat(scalar.kind))
    storeElement(element, address, 0,
                 static_cast<double>(scalar.cell.getFloat(scalar.kind)));
  else
    std::memcpy(address, scalar.cell.bytes, getElementSize(element));
  return success();
}
