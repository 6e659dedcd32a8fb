//===- HostFields.cpp - Ops that name fields ------------------------------===//

#include "HostFunction.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace stencil;

bool stencil::isRowMajor(Type type) {
  auto memref = dyn_cast<MemRefType>(type);
  return memref && memref.getLayout().isIdentity();
}

LogicalResult stencil::lower(HostFunction &host, AllocOp op) {
  host.fields.addName(op);
  auto type = cast<GridType>(op.getField().getType());
  for (int64_t axis = 0; axis < type.getRank(); ++axis)
    if (type.getBounds() && type.getBounds().isSymbolic() &&
        (isSymbolic(type.getBounds().getLb()[axis]) ||
         isSymbolic(type.getBounds().getUb()[axis])) &&
        failed(requireExtent(op, host.facts.extents, axis)))
      return failure();
  return host.fields.add(op, {}, type, op.getField());
}

LogicalResult stencil::lower(HostFunction &host, ExternalLoadOp op) {
  host.fields.addName(op);
  Value memref = op.getField();
  if (!isRowMajor(memref.getType()) ||
      !isa<FieldType>(op.getResult().getType()))
    return op.emitOpError("expected a memref of row-major layout to become a "
                          "field, got ")
           << memref.getType();
  auto type = cast<GridType>(op.getResult().getType());
  if (!type.getBounds()) {
    host.fields.setHost(op.getResult(), memref);
    return success();
  }
  return host.fields.add(op, memref, type, op.getResult());
}

LogicalResult stencil::lower(HostFunction &host, CastOp op) {
  host.fields.addName(op);
  auto from = cast<GridType>(op.getField().getType());
  auto to = cast<GridType>(op.getResult().getType());
  if (from.getBounds()) {
    if (to.getBounds() != from.getBounds())
      return op.emitOpError("no GPU lowering for a cast that forgets bounds");
    host.fields.addAlias(op.getField(), op.getResult());
    return success();
  }
  Value memref = host.fields.getHost(op.getField());
  if (!memref)
    return op.emitOpError("no GPU lowering for a cast of a field that is "
                          "handed on by control flow; cast it where it enters "
                          "the function");
  if (!to.getBounds()) {
    host.fields.setHost(op.getResult(), memref);
    return success();
  }
  OpBuilder builder(op);
  checkCastExtents(builder, op.getLoc(), to, memref);
  bindExtents(builder, op.getLoc(), to, memref, host.facts);
  return host.fields.add(op, memref, to, op.getResult());
}

LogicalResult stencil::lower(HostFunction &host, ExternalStoreOp op) {
  if (!isRowMajor(op.getField().getType()))
    return op.emitOpError("expected a memref of row-major layout, got ")
           << op.getField().getType();
  host.fields.allocatePending(op);
  ImplicitLocOpBuilder b(op.getLoc(), op);
  auto type = cast<GridType>(op.getTemp().getType());
  Value buffer = host.fields.get(op.getTemp());
  if (BlockArgument array = host.arrays.get(op.getField())) {
    // The field may be the array itself.
    Value differs = arith::CmpIOp::create(b, arith::CmpIPredicate::ne,
                                          getAddress(b, buffer),
                                          getAddress(b, op.getField()));
    auto branch = scf::IfOp::create(b, differs);
    ImplicitLocOpBuilder inner(op.getLoc(), branch.getThenBodyBuilder());
    host.stream.copyRows(inner, type, op.getField(), buffer,
                         /*toDevice=*/false);
    host.arrays.addCopied(array);
    op.erase();
    return success();
  }
  host.stream.copyRows(b, type, op.getField(), buffer,
                       /*toDevice=*/false);
  if (const FieldMemory *target = host.fields.find(op.getField());
      target && target->buffer != buffer)
    host.fields.copy(b, *target, /*toDevice=*/true);
  host.stream.synchronize(b);
  op.erase();
  return success();
}
