//===- HostFields.cpp - Device memory of the fields of a function ---------===//

#include "HostFunction.h"
#include "StencilDialect/Conversion/RuntimeCall.h"
#include "StencilDialect/IR/Elements.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

using namespace mlir;
using namespace stencil;

/// True for a memref whose rows follow each other without gaps.
static bool isRowMajor(Type type) {
  auto memref = dyn_cast<MemRefType>(type);
  return memref && memref.getLayout().isIdentity();
}

/// The address of a memref's first element as an index.
static Value getAddress(OpBuilder &builder, Location loc, Value memref) {
  return memref::ExtractAlignedPointerAsIndexOp::create(builder, loc, memref);
}

//===----------------------------------------------------------------------===//
// Memrefs that the host uses, too
//===----------------------------------------------------------------------===//

/// The memref that `memref` is a view of.
static Value getRoot(Value memref) {
  while (auto view = memref.getDefiningOp<ViewLikeOpInterface>())
    memref = view.getViewSource();
  return memref;
}

/// Reads or writes memrefs, and keeps none of them.
static bool isAccess(Operation *op) {
  auto effects = dyn_cast<MemoryEffectOpInterface>(op);
  return effects && !effects.hasNoEffect() &&
         !effects.hasEffect<MemoryEffects::Free>() && op->getNumRegions() == 0;
}

/// A user of the memref, or of a view of it, of which nobody knows what it does
/// with it; null if there is none. Memory is freed at the end of `entry`, when
/// the device has been waited for.
static Operation *findUntrackedUser(Value memref, Block *entry) {
  for (Operation *user : memref.getUsers()) {
    if (isa<ExternalLoadOp, ExternalStoreOp, memref::DimOp, func::ReturnOp>(
            user) ||
        (isa<memref::DeallocOp>(user) && user->getBlock() == entry) ||
        isAccess(user))
      continue;
    if (!isa<ViewLikeOpInterface>(user))
      return user;
    for (Value view : user->getResults())
      if (Operation *found = findUntrackedUser(view, entry))
        return found;
  }
  return nullptr;
}

LogicalResult HostFunction::checkHostUses() {
  auto result = function.walk([&](ExternalLoadOp op) {
    Operation *user =
        findUntrackedUser(getRoot(op.getField()), &function.front());
    if (!user)
      return WalkResult::advance();
    InFlightDiagnostic diagnostic =
        op.emitOpError("no GPU lowering for a memref that the host does more "
                       "with than read, write and copy it, and free it in the "
                       "end: the field is a copy on the device");
    diagnostic.attachNote(user->getLoc()) << "used here";
    return WalkResult::interrupt();
  });
  return failure(result.wasInterrupted());
}

HostFunction::Memory *HostFunction::findMemory(Value memref) {
  if (!isa<BaseMemRefType>(memref.getType()))
    return nullptr;
  for (Memory &memory : memories)
    if (memory.host && getRoot(memory.host) == getRoot(memref))
      return &memory;
  return nullptr;
}

bool HostFunction::usesMemory(Operation *op) {
  return llvm::any_of(op->getOperands(), [&](Value operand) {
    return findMemory(operand) != nullptr;
  });
}

void HostFunction::lowerAccess(Operation *op) {
  if (!usesMemory(op))
    return;
  if (isa<memref::DeallocOp>(op))
    deallocs.push_back(op);
  if (!isAccess(op))
    return;
  allocatePending(op);
  OpBuilder builder(op);
  Location loc = op->getLoc();
  if (auto copyOp = dyn_cast<memref::CopyOp>(op)) {
    Memory *from = findMemory(copyOp.getSource());
    Memory *to = findMemory(copyOp.getTarget());
    if (from && to && from->type == to->type &&
        isRowMajor(copyOp.getSource().getType()) &&
        isRowMajor(copyOp.getTarget().getType())) {
      copyOnDevice(builder, loc, from->type, from->buffer, to->buffer);
      written.push_back(to->field);
      op->erase();
      return;
    }
  }
  for (Value operand : op->getOperands())
    if (Memory *memory = findMemory(operand))
      copy(builder, *memory, /*toDevice=*/false);
  callRuntime(builder, loc, "mgpuStreamSynchronize", {}, stream);
  builder.setInsertionPointAfter(op);
  for (Value operand : op->getOperands())
    if (Memory *memory = findMemory(operand);
        memory && hasEffect<MemoryEffects::Write>(op, operand))
      copy(builder, *memory, /*toDevice=*/true);
  callRuntime(builder, loc, "mgpuStreamSynchronize", {}, stream);
}

//===----------------------------------------------------------------------===//
// Ops that name fields
//===----------------------------------------------------------------------===//

LogicalResult HostFunction::addMemory(Operation *op, Value host, GridType type,
                                      Value field) {
  if (!DeviceLayout::getBufferType(type))
    return op->emitError("no GPU lowering for a field of type ") << Type(type);
  if (host)
    for (const Memory &memory : memories) {
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
  memories.push_back({op->getLoc(), type, host, field, {}});
  return success();
}

LogicalResult HostFunction::lowerAlloc(AllocOp op) {
  names.push_back(op);
  auto type = cast<GridType>(op.getField().getType());
  for (int64_t axis = 0; axis < type.getRank(); ++axis)
    if (type.getBounds() && type.getBounds().isSymbolic() &&
        (isSymbolic(type.getBounds().getLb()[axis]) ||
         isSymbolic(type.getBounds().getUb()[axis])) &&
        failed(requireExtent(op, facts.extents, axis)))
      return failure();
  return addMemory(op, {}, type, op.getField());
}

LogicalResult HostFunction::lowerExternalLoad(ExternalLoadOp op) {
  names.push_back(op);
  Value host = op.getField();
  if (!isRowMajor(host.getType()) || !isa<FieldType>(op.getResult().getType()))
    return op.emitOpError("expected a memref of row-major layout to become a "
                          "field, got ")
           << host.getType();
  auto type = cast<GridType>(op.getResult().getType());
  if (!type.getBounds()) {
    hosts[op.getResult()] = host;
    return success();
  }
  return addMemory(op, host, type, op.getResult());
}

LogicalResult HostFunction::lowerCast(CastOp op) {
  names.push_back(op);
  auto from = cast<GridType>(op.getField().getType());
  auto to = cast<GridType>(op.getResult().getType());
  if (from.getBounds()) {
    if (to.getBounds() != from.getBounds())
      return op.emitOpError("no GPU lowering for a cast that forgets bounds");
    if (Value buffer = buffers.lookup(op.getField()))
      buffers[op.getResult()] = buffer;
    else
      hosts[op.getResult()] = hosts.lookup(op.getField());
    return success();
  }
  Value host = hosts.lookup(op.getField());
  if (!host)
    return op.emitOpError("no GPU lowering for a cast of a field that is "
                          "handed on by control flow; cast it where it enters "
                          "the function");
  if (!to.getBounds()) {
    hosts[op.getResult()] = host;
    return success();
  }
  OpBuilder builder(op);
  checkCastExtents(builder, op.getLoc(), to, host);
  bindExtents(builder, op.getLoc(), to, host, facts);
  return addMemory(op, host, to, op.getResult());
}

LogicalResult HostFunction::lowerExternalStore(ExternalStoreOp op) {
  if (!isRowMajor(op.getField().getType()))
    return op.emitOpError("expected a memref of row-major layout, got ")
           << op.getField().getType();
  allocatePending(op);
  OpBuilder builder(op);
  copyRows(builder, op.getLoc(), cast<GridType>(op.getTemp().getType()),
           op.getField(), getBuffer(op.getTemp()), /*toDevice=*/false);
  if (Memory *target = findMemory(op.getField());
      target && target->buffer != getBuffer(op.getTemp()))
    copy(builder, *target, /*toDevice=*/true);
  callRuntime(builder, op.getLoc(), "mgpuStreamSynchronize", {}, stream);
  op.erase();
  return success();
}

LogicalResult HostFunction::addCarried(Value field) {
  auto type = dyn_cast<GridType>(field.getType());
  if (!type)
    return success();
  Operation *owner = field.getDefiningOp();
  if (!owner)
    owner = cast<BlockArgument>(field).getOwner()->getParentOp();
  MemRefType buffer = DeviceLayout::getBufferType(type);
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

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

/// Emits the layout of a field on the host.
static DeviceLayout emitLayout(OpBuilder &builder, Location loc,
                               const HostFunction &function, GridType type) {
  Arithmetic math(builder, loc, builder.getIndexType());
  return DeviceLayout(math, type, [&](int64_t bound, int64_t axis) {
    return function.getBound(builder, loc, bound, axis);
  });
}

void HostFunction::allocatePending(Operation *before) {
  if (allocated == memories.size())
    return;
  OpBuilder builder(before);
  Location loc = before->getLoc();
  Arithmetic math(builder, loc, builder.getIndexType());
  Value bytes = math.constant(0);
  SmallVector<Value> sizes;
  for (const Memory &memory : ArrayRef(memories).drop_front(allocated)) {
    sizes.push_back(
        emitLayout(builder, memory.loc, *this, memory.type).getSize());
    bytes = math.add(
        bytes,
        math.mul(sizes.back(), getElementBytes(memory.type.getElementType())));
  }
  callRuntime(builder, loc, "stencilReserveMemory", {}, bytes);
  Type tokenType = gpu::AsyncTokenType::get(builder.getContext());
  Value token = gpu::WaitOp::create(builder, loc, tokenType, ValueRange{})
                    .getAsyncToken();
  for (auto [memory, size] :
       llvm::zip_equal(llvm::drop_begin(memories, allocated), sizes)) {
    MemRefType type = DeviceLayout::getBufferType(memory.type);
    SmallVector<Value> dynamic;
    if (!type.hasStaticShape())
      dynamic.push_back(size);
    auto alloc = gpu::AllocOp::create(builder, memory.loc, type, tokenType,
                                      token, dynamic, ValueRange{});
    memory.buffer = alloc.getMemref();
    token = alloc.getAsyncToken();
    buffers[memory.field] = memory.buffer;
  }
  gpu::WaitOp::create(builder, loc, Type(), token);
  for (const Memory &memory : ArrayRef(memories).drop_front(allocated))
    if (memory.host)
      copy(builder, memory, /*toDevice=*/true);
  allocated = memories.size();
  if (!timed)
    callRuntime(builder, loc, "stencilBeginTiming", {}, stream);
  timed = true;
  // Other names of these fields.
  for (Operation *op : names) {
    Value field = op->getResult(0);
    if (buffers.lookup(field) || !cast<GridType>(field.getType()).getBounds())
      continue;
    for (const Memory &memory : memories)
      if (memory.host && memory.host == hosts.lookup(field))
        buffers[field] = memory.buffer;
  }
  for (Operation *op : names)
    if (auto castOp = dyn_cast<CastOp>(op);
        castOp && !buffers.lookup(castOp.getResult()))
      if (Value buffer = buffers.lookup(castOp.getField()))
        buffers[castOp.getResult()] = buffer;
}

void HostFunction::copyRows(OpBuilder &builder, Location loc, GridType type,
                            Value host, Value device, bool toDevice) {
  Arithmetic math(builder, loc, builder.getIndexType());
  DeviceLayout layout = emitLayout(builder, loc, *this, type);
  int64_t bytes = getElementBytes(type.getElementType());
  Value width = math.mul(layout.getRowLength(), bytes);
  Value pitch = math.mul(layout.getPitch(), bytes);
  Value start = math.add(getAddress(builder, loc, device),
                         math.mul(layout.getRowStart(), bytes));
  Value address = getAddress(builder, loc, host);
  SmallVector<Value> operands;
  if (toDevice)
    operands = {start, pitch, address, width};
  else
    operands = {address, width, start, pitch};
  operands.append({width, layout.getRowCount(), stream});
  callRuntime(builder, loc, "stencilMemcpy2D", {}, operands);
}

void HostFunction::copyOnDevice(OpBuilder &builder, Location loc, GridType type,
                                Value from, Value to) {
  Arithmetic math(builder, loc, builder.getIndexType());
  DeviceLayout layout = emitLayout(builder, loc, *this, type);
  int64_t bytes = getElementBytes(type.getElementType());
  Value width = math.mul(layout.getRowLength(), bytes);
  Value pitch = math.mul(layout.getPitch(), bytes);
  Value start = math.mul(layout.getRowStart(), bytes);
  callRuntime(builder, loc, "stencilMemcpy2D", {},
              {math.add(getAddress(builder, loc, to), start), pitch,
               math.add(getAddress(builder, loc, from), start), pitch, width,
               layout.getRowCount(), stream});
}

void HostFunction::copy(OpBuilder &builder, const Memory &memory,
                        bool toDevice) {
  copyRows(builder, memory.loc, memory.type, memory.host, memory.buffer,
           toDevice);
}

void HostFunction::fetch(OpBuilder &builder, Location loc, Value device,
                         Value host, int64_t bytes) {
  Value size = arith::ConstantIndexOp::create(builder, loc, bytes);
  Value one = arith::ConstantIndexOp::create(builder, loc, 1);
  callRuntime(builder, loc, "stencilMemcpy2D", {},
              {getAddress(builder, loc, host), size,
               getAddress(builder, loc, device), size, size, one, stream});
  callRuntime(builder, loc, "mgpuStreamSynchronize", {}, stream);
}
