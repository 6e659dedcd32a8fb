//===- FieldOps.cpp - Fields and memrefs ----------------------------------===//

#include "Evaluator.h"
#include "StencilDialect/Analysis/Signature.h"
#include "StencilDialect/IR/Bounds.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace stencil;
using namespace stencil::interp;

/// Undefined contents are made conspicuous: NaN in every floating-point type;
/// 127, 32639, ... in integers; a bool has no value to spare.
static void poison(FieldStorage &storage) {
  char byte = 0x7f;
  if (isFloat(storage.kind))
    byte = static_cast<char>(0xff);
  else if (storage.kind == Kind::I1)
    byte = 1;
  std::memset(storage.data, byte, storage.getNumBytes());
}

LogicalResult Evaluator::evaluateCast(CastOp op) {
  FieldValue field = getField(op.getField());
  BoundsAttr bounds = cast<GridType>(op.getResult().getType()).getBounds();
  if (bounds) {
    if (failed(activation->extents.bind(op, bounds, field.storage->shape)))
      return failure();
    std::optional<Box> box = activation->extents.resolve(bounds, op);
    if (!box)
      return failure();
    field.box = *box;
  }
  get(op) = std::move(field);
  return success();
}

FailureOr<FieldValue> Evaluator::makeField(Operation *op, Type elementType,
                                           ArrayRef<int64_t> shape, Box box) {
  FailureOr<Kind> kind = requireKind(op, elementType, options.precision);
  if (failed(kind))
    return failure();
  Box whole;
  whole.lb.assign(shape.size(), 0);
  whole.ub.assign(shape.begin(), shape.end());
  FieldValue field;
  field.storage = std::make_shared<FieldStorage>();
  field.storage->kind = *kind;
  field.storage->shape.assign(shape.begin(), shape.end());
  field.box = std::move(box);
  std::optional<int64_t> points = whole.getNumPoints();
  uint64_t bytes;
  if (!points || __builtin_mul_overflow(*points, getSize(*kind), &bytes))
    return emitTooLarge(op, whole, *kind);
  field.storage->own = pool.allocate(bytes);
  if (!field.storage->own)
    return emitTooLarge(op, whole, *kind);
  field.storage->data = field.storage->own.get();
  if (analysis) {
    field.storage->ownErrors = allocateErrors(*points);
    if (!field.storage->ownErrors)
      return emitTooLarge(op, whole, *kind);
    field.storage->errors =
        reinterpret_cast<PointError *>(field.storage->ownErrors.get());
  }
  poison(*field.storage);
  return field;
}

LogicalResult Evaluator::evaluateAlloc(Operation *op, Type elementType,
                                       ArrayRef<int64_t> shape, Box box) {
  FailureOr<FieldValue> field =
      makeField(op, elementType, shape, std::move(box));
  if (failed(field))
    return failure();
  get(op->getResult(0)) = std::move(*field);
  return success();
}

LogicalResult Evaluator::evaluateExtent(ExtentOp op) {
  auto axis = static_cast<int64_t>(op.getAxis());
  SmallVector<int64_t> lower(axis + 1, 0), upper(axis + 1, 1);
  upper[axis] = makeSymbolic(0);
  std::optional<Box> box = activation->extents.resolve(
      BoundsAttr::get(op.getContext(), lower, upper), op);
  if (!box)
    return failure();
  get(op.getRes()) =
      Scalar{Kind::I64, Cell::ofInteger(box->ub[axis], Kind::I64)};
  return success();
}

LogicalResult Evaluator::evaluateFetch(FetchOp op) {
  const FieldStorage &storage = *getField(op.getMemory()).storage;
  Scalar scalar{storage.kind, {}};
  std::memcpy(scalar.cell.bytes, storage.data, getSize(storage.kind));
  if (storage.errors)
    scalar.error = storage.errors->bound;
  get(op.getRes()) = scalar;
  return success();
}

LogicalResult Evaluator::evaluateAlloc(AllocOp op) {
  auto type = cast<GridType>(op.getField().getType());
  if (!type.getBounds())
    return op.emitError("expected a field with bounds, got ") << Type(type);
  std::optional<Box> box = activation->extents.resolve(type.getBounds(), op);
  if (!box)
    return failure();
  return evaluateAlloc(op, type.getElementType(), box->getShape(), *box);
}

LogicalResult Evaluator::evaluateMemRefAlloc(Operation *op) {
  auto type = cast<MemRefType>(op->getResult(0).getType());
  if (!type.getLayout().isIdentity())
    return op->emitError("the interpreter expects a row-major memref, got ")
           << type;
  SmallVector<int64_t> shape(type.getShape());
  auto sizes = op->getOperands().begin();
  for (auto [axis, extent] : llvm::enumerate(shape)) {
    if (ShapedType::isDynamic(extent))
      extent = getInteger(*sizes++);
    if (extent < 1)
      return op->emitError("expected a positive extent of axis ")
             << axis << ", got " << extent;
  }
  return evaluateAlloc(op, type.getElementType(), shape, Box());
}

LogicalResult Evaluator::evaluateExternalLoad(ExternalLoadOp op) {
  auto *operand = std::get_if<FieldValue>(&get(op.getField()));
  if (!operand)
    return op.emitError("the interpreter expects a memref, got ")
           << op.getField().getType();
  FieldValue field = *operand;
  auto grid = dyn_cast<GridType>(op.getResult().getType());
  if (!grid) {
    get(op.getResult()) = std::move(field);
    return success();
  }
  if (BoundsAttr bounds = grid.getBounds()) {
    if (failed(activation->extents.bind(op, bounds, field.storage->shape)))
      return failure();
    std::optional<Box> box = activation->extents.resolve(bounds, op);
    if (!box)
      return failure();
    field.box = *box;
  }
  get(op.getResult()) = std::move(field);
  return success();
}

LogicalResult Evaluator::evaluateExternalStore(ExternalStoreOp op) {
  auto *target = std::get_if<FieldValue>(&get(op.getField()));
  if (!target)
    return op.emitError("the interpreter expects a memref, got ")
           << op.getField().getType();
  FieldValue source = getField(op.getTemp());
  return copyStorage(op, *source.storage, *target->storage);
}

LogicalResult Evaluator::copyStorage(Operation *op, const FieldStorage &from,
                                     FieldStorage &to) {
  if (&from == &to)
    return success();
  for (auto [axis, expected, got] : llvm::enumerate(from.shape, to.shape))
    if (expected != got)
      return op->emitError("expected an extent of ")
             << expected << " on axis " << axis << ", got " << got;
  if (from.kind != to.kind)
    return op->emitError("expected one element type, got ")
           << op->getOperand(0).getType() << " and "
           << op->getOperand(1).getType();
  if (failed(prepareWrite(op, to)))
    return failure();
  std::memmove(to.data, from.data, to.getNumBytes());
  if (to.errors)
    std::copy_n(from.errors, to.getNumPoints(), to.errors);
  return success();
}

//===----------------------------------------------------------------------===//
// Memrefs
//===----------------------------------------------------------------------===//

char *Evaluator::getElement(Operation *op, FieldStorage &storage,
                            ValueRange indices) {
  int64_t position = 0;
  for (auto [axis, index, extent] : llvm::enumerate(indices, storage.shape)) {
    int64_t coordinate = getInteger(index);
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
LogicalResult Evaluator::evaluateMemRefOp(Operation *op) {
  for (Value operand : op->getOperands())
    if (isa<BaseMemRefType>(operand.getType()) &&
        !std::holds_alternative<FieldValue>(get(operand)))
      return emitUnknownOp(op);
  return llvm::TypeSwitch<Operation *, LogicalResult>(op)
      .Case<memref::AllocOp, memref::AllocaOp>(
          [&](Operation *op) { return evaluateMemRefAlloc(op); })
      // Memory goes with its last reference.
      .Case([&](memref::DeallocOp) { return success(); })
      .Case([&](memref::CopyOp op) {
        return copyStorage(op, *getField(op.getSource()).storage,
                           *getField(op.getTarget()).storage);
      })
      .Case([&](memref::CastOp op) -> LogicalResult {
        auto type = dyn_cast<MemRefType>(op.getType());
        if (!type || !type.getLayout().isIdentity())
          return emitUnknownOp(op);
        FieldValue field = getField(op.getSource());
        for (auto [axis, expected, got] :
             llvm::enumerate(type.getShape(), field.storage->shape))
          if (!ShapedType::isDynamic(expected) && expected != got)
            return op.emitError("expected an extent of ")
                   << expected << " on axis " << axis << ", got " << got;
        get(op) = std::move(field);
        return success();
      })
      .Case([&](memref::DimOp op) -> LogicalResult {
        const FieldStorage &storage = *getField(op.getSource()).storage;
        int64_t axis = getInteger(op.getIndex());
        if (axis < 0 || axis >= static_cast<int64_t>(storage.shape.size()))
          return op.emitError("expected an axis from 0 to ")
                 << storage.shape.size() - 1 << ", got " << axis;
        get(op) =
            Scalar{Kind::I64, Cell::ofInteger(storage.shape[axis], Kind::I64)};
        return success();
      })
      .Case([&](memref::LoadOp op) -> LogicalResult {
        FieldStorage &storage = *getField(op.getMemref()).storage;
        char *element = getElement(op, storage, op.getIndices());
        if (!element)
          return failure();
        Scalar scalar{storage.kind, {}};
        std::memcpy(scalar.cell.bytes, element, getSize(storage.kind));
        if (storage.errors)
          scalar.error =
              storage.errors[(element - storage.data) / getSize(storage.kind)]
                  .bound;
        get(op) = scalar;
        return success();
      })
      .Case([&](memref::StoreOp op) -> LogicalResult {
        FieldStorage &storage = *getField(op.getMemref()).storage;
        if (failed(prepareWrite(op, storage)))
          return failure();
        char *element = getElement(op, storage, op.getIndices());
        if (!element)
          return failure();
        Scalar scalar = getScalar(op.getValue());
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
LogicalResult Evaluator::evaluateHostView(UnrealizedConversionCastOp op) {
  if (op->getNumOperands() != 1 || op->getNumResults() != 1)
    return emitUnknownOp(op);
  auto field = dyn_cast<FieldType>(op.getOperand(0).getType());
  auto memref = dyn_cast<MemRefType>(op.getType(0));
  if (!field || !memref || !memref.getLayout().isIdentity() ||
      memref.getElementType() != field.getElementType())
    return emitUnknownOp(op);
  FieldValue value = getField(op.getOperand(0));
  if (memref.getShape() != ArrayRef<int64_t>(value.storage->shape))
    return op.emitError("expected a memref of the extents of ")
           << field << ", got " << memref;
  get(op.getResult(0)) = std::move(value);
  return success();
}

//===----------------------------------------------------------------------===//
// Pointers
//===----------------------------------------------------------------------===//

/// Where a scalar of `type` lies, at the beginning of an argument's memory;
/// null after an error.
char *Evaluator::getAddress(Operation *op, Value pointer, Type type) {
  auto *memory = std::get_if<FieldValue>(&get(pointer));
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

LogicalResult Evaluator::evaluatePointerLoad(LLVM::LoadOp op) {
  FailureOr<Kind> kind = requireKind(op, op.getType(), options.precision);
  if (failed(kind))
    return failure();
  char *address = getAddress(op, op.getAddr(), op.getType());
  if (!address)
    return failure();
  Scalar scalar{*kind, {}};
  ElementKind element = *getElementKind(op.getType());
  if (isFloat(*kind))
    scalar.cell = Cell::ofFloat(loadElement(element, address, 0), *kind);
  else
    std::memcpy(scalar.cell.bytes, address, getElementSize(element));
  get(op) = scalar;
  return success();
}

LogicalResult Evaluator::evaluatePointerStore(LLVM::StoreOp op) {
  char *address = getAddress(op, op.getAddr(), op.getValue().getType());
  if (!address)
    return failure();
  const Scalar &scalar = getScalar(op.getValue());
  ElementKind element = *getElementKind(op.getValue().getType());
  if (isFloat(scalar.kind))
    storeElement(element, address, 0,
                 static_cast<double>(scalar.cell.getFloat(scalar.kind)));
  else
    std::memcpy(address, scalar.cell.bytes, getElementSize(element));
  return success();
}

//===----------------------------------------------------------------------===//
// Values of fields
//===----------------------------------------------------------------------===//

LogicalResult Evaluator::evaluateLoad(LoadOp op) {
  FieldValue &field = getField(op.getField());
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
  get(op) = std::move(temp);
  return success();
}

LogicalResult Evaluator::evaluateStore(StoreOp op) {
  TempValue *temp = getTemp(op, op.getTemp());
  std::optional<Box> box = activation->extents.resolve(op.getBounds(), op);
  if (!temp || !box)
    return failure();
  if (temp->isStored)
    return success();
  FieldValue &field = getField(op.getField());
  for (const Box &outer : {field.box, temp->box})
    if (!outer.contains(*box)) {
      std::string text;
      llvm::raw_string_ostream(text) << outer;
      return op.emitError("expected the box ")
             << op.getBounds() << " to lie in "
             << (&outer == &temp->box ? "the value, " : "the field, ") << text;
    }
  if (failed(prepareWrite(op, *field.storage)))
    return failure();
  copyRegion(field.getView(), temp->getView(), *box, temp->mask.get());
  return success();
}
