//===- AsyncOps.cpp - cp.async --------------------------------------------===//
//
// The tokens of nvgpu's copies say nothing that the order of the ops does not
// say; they become zeros.
//
//===----------------------------------------------------------------------===//

#include "Emitter.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace stencil::emulator;

/// `sourceBytes` may be null: all of them.
static void emitCopy(KernelWriter &b, Value target, Value source, int64_t bytes,
                     Value sourceBytes) {
  Value size = b.i64(bytes);
  b.callFrom("stencilEmulatorAsyncCopy", Type(),
             {target, source, size, sourceBytes ? sourceBytes : size});
}

static LogicalResult convertCopy(KernelWriter &b,
                                 nvgpu::DeviceAsyncCopyOp copy) {
  auto type = cast<MemRefType>(copy.getDst().getType());
  auto elementBytes = static_cast<int64_t>(b.getBytes(type.getElementType()));
  Value target = b.elementAddress(copy.getDst(), copy.getDstIndices());
  Value source = b.elementAddress(copy.getSrc(), copy.getSrcIndices());
  Value sourceBytes;
  if (Value elements = copy.getSrcElements()) {
    Value scale = arith::ConstantIndexOp::create(b, elementBytes);
    sourceBytes = b.toI64(arith::MulIOp::create(b, elements, scale));
  }
  emitCopy(b, target, source,
           copy.getDstElements().getSExtValue() * elementBytes, sourceBytes);
  return b.replace(b.i32(0));
}

Conversion stencil::emulator::convertAsyncOp(KernelWriter &b) {
  auto commit = [&] { b.call("stencilEmulatorAsyncCommit", Type(), {}); };
  auto wait = [&](uint32_t groups) {
    b.callFrom("stencilEmulatorAsyncWait", Type(), b.i32(groups));
    return b.erase();
  };
  return llvm::TypeSwitch<Operation *, Conversion>(b.op)
      .Case([&](nvgpu::DeviceAsyncCopyOp copy) { return convertCopy(b, copy); })
      .Case([&](nvgpu::DeviceAsyncCreateGroupOp) {
        commit();
        return b.replace(b.i32(0));
      })
      .Case([&](nvgpu::DeviceAsyncWaitOp waiting) {
        return wait(waiting.getNumGroups().value_or(0));
      })
      .Case([&](NVVM::CpAsyncOp copy) {
        Value size = copy.getCpSize();
        emitCopy(b, copy.getDst(), copy.getSrc(), copy.getSize(),
                 size ? b.toI64(size, /*isSigned=*/true) : Value());
        return b.erase();
      })
      .Case([&](NVVM::CpAsyncCommitGroupOp) {
        commit();
        return b.erase();
      })
      .Case([&](NVVM::CpAsyncWaitGroupOp waiting) {
        return wait(waiting.getN());
      })
      .Default(std::nullopt);
}
