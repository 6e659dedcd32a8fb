//===- RunState.cpp - What all ops of a run share -------------------------===//

#include "RunState.h"
#include "llvm/Support/ScopedPrinter.h"

using namespace mlir;
using namespace stencil;
using namespace stencil::interp;

TempValue *RunState::getTemp(Operation *op, Value value) {
  if (auto *temp = std::get_if<TempValue>(&get(value)))
    return temp;
  op->emitError("the box on which its operand is needed is not known; run "
                "stencil-infer-shapes first");
  return nullptr;
}

LogicalResult RunState::bind(Operation *op, BoundsAttr bounds,
                             FieldValue &field) {
  if (!bounds)
    return success();
  if (failed(activation->extents.bind(op, bounds, field.storage->shape)))
    return failure();
  std::optional<Box> box = resolve(bounds, op);
  if (!box)
    return failure();
  field.box = *box;
  return success();
}

void RunState::assign(ValueRange targets, ValueRange sources) {
  SmallVector<RuntimeValue> values;
  for (Value source : sources)
    values.push_back(get(source));
  for (auto [target, value] : llvm::zip_equal(targets, values))
    get(target) = std::move(value);
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

static LogicalResult emitTooLarge(Operation *op, const Box &box, Kind kind) {
  return op->emitError("an array of ")
         << llvm::to_string(box) << " with " << getSize(kind)
         << " bytes per point does not fit in memory";
}

template <typename Contents>
LogicalResult RunState::allocate(Operation *op, Kind kind, const Box &box,
                                 Contents &contents) {
  std::optional<int64_t> points = box.getNumPoints();
  uint64_t bytes, errorBytes;
  if (!points || __builtin_mul_overflow(*points, getSize(kind), &bytes))
    return emitTooLarge(op, box, kind);
  contents.own = pool.allocate(bytes);
  if (!contents.own)
    return emitTooLarge(op, box, kind);
  contents.data = contents.own.get();
  if (!analysis)
    return success();
  if (__builtin_mul_overflow(*points, sizeof(PointError), &errorBytes))
    return emitTooLarge(op, box, kind);
  contents.ownErrors = pool.allocate(errorBytes);
  if (!contents.ownErrors)
    return emitTooLarge(op, box, kind);
  std::memset(contents.ownErrors.get(), 0, errorBytes);
  contents.errors = reinterpret_cast<PointError *>(contents.ownErrors.get());
  return success();
}

FailureOr<TempValue> RunState::makeTemp(Operation *op, Kind kind,
                                        const Box &box, bool isMasked) {
  TempValue temp;
  temp.kind = kind;
  temp.box = box;
  temp.contents = std::make_shared<Snapshot>();
  if (failed(allocate(op, kind, box, *temp.contents)))
    return failure();
  if (!isMasked)
    return temp;
  temp.mask = pool.allocate(*box.getNumPoints());
  if (!temp.mask)
    return emitTooLarge(op, box, kind);
  return temp;
}

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

FailureOr<FieldValue> RunState::makeField(Operation *op, Type elementType,
                                          ArrayRef<int64_t> shape, Box box) {
  FailureOr<Kind> kind = requireKind(op, elementType);
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
  if (failed(allocate(op, *kind, whole, *field.storage)))
    return failure();
  poison(*field.storage);
  return field;
}

LogicalResult RunState::prepareWrite(Operation *op, FieldStorage &storage) {
  if (storage.detach(pool))
    return success();
  return op->emitError(
      "not enough memory for the copy of a field that is written "
      "while an earlier load of it is in use");
}

LogicalResult RunState::copyStorage(Operation *op, const FieldStorage &from,
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
