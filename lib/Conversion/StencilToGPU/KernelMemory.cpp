//===- KernelMemory.cpp - Memory that kernels hand each other -------------===//

#include "HostFunction.h"
#include "StencilDialect/Conversion/RuntimeCall.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"

using namespace mlir;
using namespace stencil;

/// Device memory that lives until the function returns, allocated at its entry.
Value KernelMemory::allocate(Location loc, Type type) {
  ImplicitLocOpBuilder b = stream.atEntry(loc);
  Value token = stream.beginMemory(b);
  auto alloc = gpu::AllocOp::create(b, type, token.getType(), token,
                                    ValueRange{}, ValueRange{});
  stream.setEntryEnd(stream.endMemory(b, alloc.getAsyncToken()));
  buffers.push_back(alloc.getMemref());
  return buffers.back();
}

/// An error if the host would touch memory of the device.
static LogicalResult checkUsers(Operation *op) {
  for (Operation *user : op->getUsers())
    if (!isa<LaunchOp, FetchOp>(user))
      return withNote(
          op->emitOpError("expected stencil.launch and stencil.fetch only to "
                          "use memory of the "
                          "device"),
          user->getLoc(), "used here");
  return success();
}

LogicalResult KernelMemory::lower(ScratchOp op) {
  if (failed(checkUsers(op)))
    return failure();
  return replaceBy(op, allocate(op.getLoc(), op.getMemory().getType()));
}

LogicalResult KernelMemory::lower(FetchOp op) {
  ImplicitLocOpBuilder b(op.getLoc(), op);
  return replaceBy(op, stream.fetch(b, op.getMemory()));
}

//===----------------------------------------------------------------------===//
// Errors that kernels find
//===----------------------------------------------------------------------===//

LogicalResult KernelMemory::lower(ErrorWordOp op) {
  if (failed(checkUsers(op)))
    return failure();
  Value word = allocate(op.getLoc(), op.getWord().getType());
  ImplicitLocOpBuilder b = stream.atEntry(op.getLoc());
  Value pointer = getPointer(b, word);
  Value zero = arith::ConstantIntOp::create(b, 0, 32);
  Value one = arith::ConstantIntOp::create(b, 1, 64);
  stream.setEntryEnd(
      callRuntime(b, "mgpuMemset32", {}, {pointer, zero, one, stream.get()}));
  errorWords.emplace_back(word, op.getMessages());
  return replaceBy(op, word);
}

void KernelMemory::checkErrors(ImplicitLocOpBuilder &b) {
  for (auto [word, messages] : errorWords) {
    Value found = stream.fetch(b, word);
    for (auto [index, message] :
         llvm::enumerate(messages.getAsValueRange<StringAttr>())) {
      Value number =
          arith::ConstantIntOp::create(b, static_cast<int64_t>(index) + 1, 32);
      Value other =
          arith::CmpIOp::create(b, arith::CmpIPredicate::ne, found, number);
      cf::AssertOp::create(b, other, message);
    }
  }
}
