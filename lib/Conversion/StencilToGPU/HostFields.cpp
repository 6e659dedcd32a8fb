//===- HostFields.cpp - Device memory of the fields of a function ---------===//

#include "FieldFunction.h"
#include "HostFunction.h"
#include "StencilDialect/Conversion/RuntimeCall.h"
#include "StencilDialect/IR/Elements.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace stencil;

/// True for a memref whose rows follow each other without gaps.
static bool isRowMajor(Type type) {
  auto memref = dyn_cast<MemRefType>(type);
  return memref && memref.getLayout().isIdentity();
}

//===----------------------------------------------------------------------===//
// Memrefs that the host uses, too
//===----------------------------------------------------------------------===//

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
  if (auto copyOp = dyn_cast<memref::CopyOp>(op);
      copyOp && arrays.get(copyOp.getSource())) {
    arrays.copy(copyOp, stream);
    return;
  }
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
      stream.copyOnDevice(builder, loc, from->type, from->buffer, to->buffer);
      written.push_back(to->field);
      op->erase();
      return;
    }
  }
  for (Value operand : op->getOperands())
    if (Memory *memory = findMemory(operand))
      copy(builder, *memory, /*toDevice=*/false);
  stream.synchronize(builder, loc);
  builder.setInsertionPointAfter(op);
  for (Value operand : op->getOperands())
    if (Memory *memory = findMemory(operand);
        memory && hasEffect<MemoryEffects::Write>(op, operand))
      copy(builder, *memory, /*toDevice=*/true);
  stream.synchronize(builder, loc);
}

/// The largest op around `user`, inside of `block`, in which the device does
/// nothing.
static Operation *findHostWork(Operation *user, Block *block) {
  auto usesDevice = [](Operation *op) {
    return op
        ->walk([](Operation *inner) {
          return isa_and_nonnull<StencilDialect>(inner->getDialect())
                     ? WalkResult::interrupt()
                     : WalkResult::advance();
        })
        .wasInterrupted();
  };
  while (user->getBlock() != block && !usesDevice(user->getParentOp()))
    user = user->getParentOp();
  return user;
}

LogicalResult HostFunction::lowerHostView(UnrealizedConversionCastOp op) {
  if (op->getNumOperands() != 1 || op->getNumResults() != 1)
    return success();
  Value field = op.getOperand(0), view = op.getResult(0);
  auto type = dyn_cast<FieldType>(field.getType());
  // A carried field has a name of its own for its buffer.
  if (!type || getBuffer(field) == view)
    return success();
  auto memref = dyn_cast<MemRefType>(view.getType());
  if (!memref || !isRowMajor(memref) || !memref.hasStaticShape() ||
      !type.getBounds() || getHostType(type) != memref)
    return op.emitOpError("no GPU lowering for a view of ")
           << type << " but as a memref of its static shape, got "
           << view.getType();
  // In program order, each once.
  llvm::SetVector<Operation *> ops, writes;
  for (Operation *user : view.getUsers()) {
    if (!isa<memref::LoadOp, memref::StoreOp>(user)) {
      InFlightDiagnostic diagnostic = op.emitOpError(
          "no GPU lowering for a view of a field that the host does more with "
          "than load and store elements");
      diagnostic.attachNote(user->getLoc()) << "used here";
      return diagnostic;
    }
    Operation *ancestor = findHostWork(user, op->getBlock());
    ops.insert(ancestor);
    if (isa<memref::StoreOp>(user))
      writes.insert(ancestor);
  }
  allocatePending(op);
  auto grid = cast<GridType>(field.getType());
  Value buffer = getBuffer(field);
  Location loc = op.getLoc();
  OpBuilder builder = stream.atEntry();
  Value host = memref::AllocOp::create(builder, loc, memref);
  deallocs.push_back(memref::DeallocOp::create(builder, loc, host));
  for (Operation *user : ops) {
    builder.setInsertionPoint(user);
    stream.copyRows(builder, loc, grid, host, buffer, /*toDevice=*/false);
    stream.wait(builder, loc);
    if (!writes.contains(user))
      continue;
    builder.setInsertionPointAfter(user);
    stream.copyRows(builder, loc, grid, host, buffer, /*toDevice=*/true);
    stream.wait(builder, loc);
  }
  if (!writes.empty())
    written.push_back(field);
  view.replaceAllUsesWith(host);
  op.erase();
  return success();
}

//===----------------------------------------------------------------------===//
// Ops that name fields
//===----------------------------------------------------------------------===//

LogicalResult HostFunction::addMemory(Operation *op, Value host, GridType type,
                                      Value field) {
  if (!DeviceLayout::getBufferType(type, stream.getRows()))
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
  memories.back().inPlace = host && arrays.get(host);
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
  auto type = cast<GridType>(op.getTemp().getType());
  Value buffer = getBuffer(op.getTemp());
  if (BlockArgument array = arrays.get(op.getField())) {
    // The field may be the array itself.
    Value differs =
        arith::CmpIOp::create(builder, op.getLoc(), arith::CmpIPredicate::ne,
                              getAddress(builder, op.getLoc(), buffer),
                              getAddress(builder, op.getLoc(), op.getField()));
    auto branch = scf::IfOp::create(builder, op.getLoc(), differs);
    OpBuilder inner = branch.getThenBodyBuilder();
    stream.copyRows(inner, op.getLoc(), type, op.getField(), buffer,
                    /*toDevice=*/false);
    arrays.addCopied(array);
    op.erase();
    return success();
  }
  stream.copyRows(builder, op.getLoc(), type, op.getField(), buffer,
                  /*toDevice=*/false);
  if (Memory *target = findMemory(op.getField());
      target && target->buffer != buffer)
    copy(builder, *target, /*toDevice=*/true);
  stream.synchronize(builder, op.getLoc());
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

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

/// The buffer of a field that is the caller's array.
Value HostFunction::viewInPlace(OpBuilder &builder, const Memory &memory,
                                Value size) {
  MemRefType type = DeviceLayout::getBufferType(memory.type, stream.getRows());
  return memref::ReinterpretCastOp::create(
      builder, memory.loc, type, memory.host,
      OpFoldResult(builder.getIndexAttr(0)),
      ArrayRef<OpFoldResult>(type.hasStaticShape()
                                 ? builder.getIndexAttr(type.getDimSize(0))
                                 : OpFoldResult(size)),
      ArrayRef<OpFoldResult>(builder.getIndexAttr(1)));
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
        stream.emitLayout(builder, memory.loc, memory.type).getSize());
    // In the order of the stream, memory may come from what is free only then.
    if (inPlace)
      continue;
    bytes = math.add(
        bytes,
        math.mul(sizes.back(), getElementBytes(memory.type.getElementType())));
  }
  callRuntime(builder, loc, "stencilReserveMemory", {}, bytes);
  Value token = stream.beginMemory(builder, loc);
  for (auto [memory, size] :
       llvm::zip_equal(llvm::drop_begin(memories, allocated), sizes)) {
    if (memory.inPlace) {
      buffers[memory.field] = memory.buffer =
          viewInPlace(builder, memory, size);
      continue;
    }
    MemRefType type =
        DeviceLayout::getBufferType(memory.type, stream.getRows());
    SmallVector<Value> dynamic;
    if (!type.hasStaticShape())
      dynamic.push_back(size);
    auto alloc =
        gpu::AllocOp::create(builder, memory.loc, type, token.getType(), token,
                             dynamic, ValueRange{});
    memory.buffer = alloc.getMemref();
    token = alloc.getAsyncToken();
    buffers[memory.field] = memory.buffer;
  }
  stream.endMemory(builder, loc, token);
  if (function->hasAttr(kClearedRowsAttr))
    for (auto [memory, size] :
         llvm::zip_equal(ArrayRef(memories).drop_front(allocated), sizes))
      if (!memory.inPlace)
        stream.clear(builder, memory.loc, memory.type, memory.buffer, size);
  for (const Memory &memory : ArrayRef(memories).drop_front(allocated))
    if (memory.host && !memory.inPlace)
      copy(builder, memory, /*toDevice=*/true);
  allocated = memories.size();
  if (!timed)
    stream.call(builder, loc, "stencilBeginTiming");
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

void HostFunction::copy(OpBuilder &builder, const Memory &memory,
                        bool toDevice) {
  stream.copyRows(builder, memory.loc, memory.type, memory.host, memory.buffer,
                  toDevice);
}
