//===- HostAccesses.cpp - Memrefs of fields that the host uses, too -------===//

#include "HostFunction.h"
#include "StencilDialect/IR/OpWalks.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace stencil;

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

LogicalResult stencil::checkHostUses(func::FuncOp function) {
  return checkWithin(function, [&](ExternalLoadOp op) -> LogicalResult {
    Operation *user =
        findUntrackedUser(getRoot(op.getField()), &function.front());
    if (!user)
      return success();
    return withNote(
        op.emitOpError("no GPU lowering for a memref that the host does more "
                       "with than read, write and copy it, and free it in the "
                       "end: the field is a copy on the device"),
        user->getLoc(), "used here");
  });
}

void stencil::lowerAccess(HostFunction &host, Operation *op) {
  FieldBuffers &fields = host.fields;
  DeviceStream &stream = host.stream;
  if (auto copyOp = dyn_cast<memref::CopyOp>(op);
      copyOp && host.arrays.get(copyOp.getSource())) {
    host.arrays.copy(copyOp, stream);
    return;
  }
  if (!fields.areUsedBy(op))
    return;
  if (isa<memref::DeallocOp>(op))
    host.deallocs.push_back(op);
  if (!isAccess(op))
    return;
  fields.allocatePending(op);
  ImplicitLocOpBuilder b(op->getLoc(), op);
  if (auto copyOp = dyn_cast<memref::CopyOp>(op)) {
    const FieldMemory *from = fields.find(copyOp.getSource());
    const FieldMemory *to = fields.find(copyOp.getTarget());
    if (from && to && from->type == to->type &&
        isRowMajor(copyOp.getSource().getType()) &&
        isRowMajor(copyOp.getTarget().getType())) {
      stream.copyOnDevice(b, from->type, from->buffer, to->buffer);
      host.written.push_back(to->field);
      op->erase();
      return;
    }
  }
  for (Value operand : op->getOperands())
    if (const FieldMemory *memory = fields.find(operand))
      fields.copy(b, *memory, /*toDevice=*/false);
  stream.synchronize(b);
  b.setInsertionPointAfter(op);
  for (Value operand : op->getOperands())
    if (const FieldMemory *memory = fields.find(operand);
        memory && hasEffect<MemoryEffects::Write>(op, operand))
      fields.copy(b, *memory, /*toDevice=*/true);
  stream.synchronize(b);
}

/// The largest op around `user`, inside of `block`, in which the device does
/// nothing.
static Operation *findHostWork(Operation *user, Block *block) {
  auto isOfDevice = [](Operation *inner) {
    return isa_and_nonnull<StencilDialect>(inner->getDialect());
  };
  while (user->getBlock() != block &&
         !anyWithin(*user->getParentOp(), isOfDevice))
    user = user->getParentOp();
  return user;
}

LogicalResult stencil::lowerHostView(HostFunction &host,
                                     UnrealizedConversionCastOp op) {
  FieldBuffers &fields = host.fields;
  DeviceStream &stream = host.stream;
  if (op->getNumOperands() != 1 || op->getNumResults() != 1)
    return success();
  Value field = op.getOperand(0), view = op.getResult(0);
  auto type = dyn_cast<FieldType>(field.getType());
  // A carried field has a name of its own for its buffer.
  if (!type || fields.get(field) == view)
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
    if (!isa<memref::LoadOp, memref::StoreOp>(user))
      return withNote(op.emitOpError("no GPU lowering for a view of a "
                                     "field that the host does more with "
                                     "than load and store elements"),
                      user->getLoc(), "used here");
    Operation *ancestor = findHostWork(user, op->getBlock());
    ops.insert(ancestor);
    if (isa<memref::StoreOp>(user))
      writes.insert(ancestor);
  }
  fields.allocatePending(op);
  auto grid = cast<GridType>(field.getType());
  Value buffer = fields.get(field);
  ImplicitLocOpBuilder b = stream.atEntry(op.getLoc());
  Value copy = memref::AllocOp::create(b, memref);
  host.deallocs.push_back(memref::DeallocOp::create(b, copy));
  for (Operation *user : ops) {
    b.setInsertionPoint(user);
    stream.copyRows(b, grid, copy, buffer, /*toDevice=*/false);
    stream.wait(b);
    if (!writes.contains(user))
      continue;
    b.setInsertionPointAfter(user);
    stream.copyRows(b, grid, copy, buffer, /*toDevice=*/true);
    stream.wait(b);
  }
  if (!writes.empty())
    host.written.push_back(field);
  return replaceBy(op, copy);
}
