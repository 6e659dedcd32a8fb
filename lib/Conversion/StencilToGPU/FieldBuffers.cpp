//===- FieldBuffers.cpp - Device memory of fields -------------------------===//

#include "FieldFunction.h"
#include "HostFunction.h"
#include "StencilDialect/Conversion/RuntimeCall.h"
#include "StencilDialect/IR/Elements.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace stencil;

//===----------------------------------------------------------------------===//
// What has memory
//===----------------------------------------------------------------------===//

LogicalResult FieldBuffers::add(Operation *op, Value host, GridType type,
                                Value field) {
  if (!DeviceLayout::getBufferType(type, stream.getRows()))
    return op->emitError("no GPU lowering for a field of type ") << Type(type);
  if (host)
    for (const FieldMemory &memory : memories) {
      if (!memory.host || getRoot(memory.host) != getRoot(host))
        continue;
      if (memory.type != type)
        return op->emitError("expected the bounds that the same field has at "
                             "another place, ")
               << Type(memory.type) << ", got " << Type(type);
      // Allocated together with its twin.
      hosts[field] = host;
      if (memory.buffer)
        buffers[field] = memory.buffer;
      return success();
    }
  if (op->getBlock() != &function.front())
    return op->emitError("no GPU lowering for a field that is made in nested "
                         "control flow");
  bool inPlace = host && arrays.get(host);
  memories.push_back(
      {op->getLoc(), type, host, field, {}, inPlace, conditions.lookup(field)});
  return success();
}

void FieldBuffers::addAlias(Value from, Value to) {
  if (Value buffer = get(from))
    buffers[to] = buffer;
  else
    hosts[to] = hosts.lookup(from);
}

LogicalResult FieldBuffers::addCarried(Value field) {
  auto type = dyn_cast<GridType>(field.getType());
  if (!type)
    return success();
  Operation *owner = field.getDefiningOp();
  if (!owner)
    owner = cast<BlockArgument>(field).getOwner()->getParentOp();
  MemRefType buffer = DeviceLayout::getBufferType(type, stream.getRows());
  if (!buffer)
    return owner->emitError("no GPU lowering for handing on a field of type ")
           << Type(type) << "; cast it where it enters the function";
  OpBuilder builder(field.getContext());
  builder.setInsertionPointAfterValue(field);
  buffers[field] = UnrealizedConversionCastOp::create(builder, owner->getLoc(),
                                                      buffer, field)
                       .getResult(0);
  carried.push_back(field);
  return success();
}

const FieldMemory *FieldBuffers::find(Value memref) const {
  if (!isa<BaseMemRefType>(memref.getType()))
    return nullptr;
  for (const FieldMemory &memory : memories)
    if (memory.host && getRoot(memory.host) == getRoot(memref))
      return &memory;
  return nullptr;
}

bool FieldBuffers::areUsedBy(Operation *op) const {
  return llvm::any_of(op->getOperands(),
                      [&](Value operand) { return find(operand) != nullptr; });
}

FailureOr<Value> FieldBuffers::require(Operation *op, Value field) {
  allocatePending(op);
  if (Value buffer = get(field))
    return buffer;
  return op->emitOpError("expected a field that the function is given or "
                         "allocates, got one of type ")
         << field.getType();
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

/// The buffer of a field that is the caller's array.
Value FieldBuffers::viewInPlace(ImplicitLocOpBuilder &b,
                                const FieldMemory &memory, Value size) {
  MemRefType type = DeviceLayout::getBufferType(memory.type, stream.getRows());
  return memref::ReinterpretCastOp::create(
      b, type, memory.host, OpFoldResult(b.getIndexAttr(0)),
      ArrayRef<OpFoldResult>(type.hasStaticShape()
                                 ? b.getIndexAttr(type.getDimSize(0))
                                 : OpFoldResult(size)),
      ArrayRef<OpFoldResult>(b.getIndexAttr(1)));
}

/// Those that a field has memory for: of one that is not used, one.
Value FieldBuffers::countElements(ImplicitLocOpBuilder &b,
                                  const FieldMemory &memory) {
  Value size = stream.emitLayout(b, memory.type).getSize();
  if (!memory.condition)
    return size;
  return arith::SelectOp::create(b, memory.condition, size,
                                 arith::ConstantIndexOp::create(b, 1));
}

void FieldBuffers::allocatePending(Operation *before) {
  if (allocated == memories.size())
    return;
  ImplicitLocOpBuilder b(before->getLoc(), before);
  Arithmetic math(b, b.getLoc(), b.getIndexType());
  Value bytes = math.constant(0);
  SmallVector<Value> sizes;
  auto pending = MutableArrayRef(memories).drop_front(allocated);
  for (const FieldMemory &memory : pending) {
    ImplicitLocOpBuilder at(memory.loc, b);
    sizes.push_back(countElements(at, memory));
    // In the order of the stream, memory may come from what is free only then.
    if (stream.isInPlace())
      continue;
    bytes = math.add(
        bytes,
        math.mul(sizes.back(), getElementBytes(memory.type.getElementType())));
  }
  callRuntime(b, "stencilReserveMemory", {}, bytes);
  Value token = stream.beginMemory(b);
  for (auto [memory, size] : llvm::zip_equal(pending, sizes)) {
    ImplicitLocOpBuilder at(memory.loc, b);
    if (memory.inPlace) {
      buffers[memory.field] = memory.buffer = viewInPlace(at, memory, size);
      continue;
    }
    MemRefType type =
        DeviceLayout::getBufferType(memory.type, stream.getRows());
    bool hasSize = type.hasStaticShape() && !memory.condition;
    auto dynamic =
        MemRefType::get({ShapedType::kDynamic}, type.getElementType());
    auto alloc = gpu::AllocOp::create(
        at, hasSize ? type : dynamic, token.getType(), token,
        hasSize ? ValueRange() : ValueRange(size), ValueRange{});
    memory.buffer = alloc.getMemref();
    if (memory.buffer.getType() != type)
      memory.buffer = memref::CastOp::create(at, type, memory.buffer);
    token = alloc.getAsyncToken();
    buffers[memory.field] = memory.buffer;
  }
  stream.endMemory(b, token);
  if (function->hasAttr(kClearedRowsAttr))
    for (auto [memory, size] : llvm::zip_equal(pending, sizes))
      if (!memory.inPlace) {
        ImplicitLocOpBuilder at(memory.loc, b);
        stream.clear(at, memory.type, memory.buffer, size);
      }
  for (const FieldMemory &memory : pending)
    if (memory.host && !memory.inPlace)
      copy(b, memory, /*toDevice=*/true);
  allocated = memories.size();
  if (!timed)
    stream.call(b, "stencilBeginTiming");
  timed = true;
  nameBuffers();
}

/// Other names of fields that have got their buffers.
void FieldBuffers::nameBuffers() {
  for (Operation *op : names) {
    Value field = op->getResult(0);
    if (buffers.lookup(field) || !getBounds(field))
      continue;
    for (const FieldMemory &memory : memories)
      if (memory.host && memory.host == hosts.lookup(field))
        buffers[field] = memory.buffer;
  }
  for (Operation *op : names)
    if (auto castOp = dyn_cast<CastOp>(op);
        castOp && !buffers.lookup(castOp.getResult()))
      if (Value buffer = buffers.lookup(castOp.getField()))
        buffers[castOp.getResult()] = buffer;
}

void FieldBuffers::copy(OpBuilder &builder, const FieldMemory &memory,
                        bool toDevice) {
  ImplicitLocOpBuilder b(memory.loc, builder);
  stream.copyRows(b, memory.type, memory.host, memory.buffer, toDevice);
}

void FieldBuffers::removeNames() {
  for (Value field : carried) {
    Value buffer = buffers.lookup(field);
    Operation *castOp = buffer.getDefiningOp();
    field.setType(buffer.getType());
    buffer.replaceAllUsesWith(field);
    castOp->erase();
  }
  for (Operation *op : llvm::reverse(names)) {
    if (Value buffer = buffers.lookup(op->getResult(0)))
      op->getResult(0).replaceAllUsesWith(buffer);
    op->erase();
  }
}
