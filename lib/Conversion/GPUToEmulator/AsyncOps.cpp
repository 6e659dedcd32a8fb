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

static void emitCopy(OpBuilder &builder, Location location, Value target,
                     Value source, int64_t bytes, Value sourceBytes,
                     Emitter &emitter) {
  Value size = emitter.i64(builder, location, bytes);
  emitter.call(builder, location, "stencilEmulatorAsyncCopy", Type(),
               {target, source, size, sourceBytes ? sourceBytes : size,
                emitter.locationText(builder, location)});
}

static LogicalResult replaceByToken(Operation *op, OpBuilder &builder,
                                    Emitter &emitter) {
  Value token = emitter.i32(builder, op->getLoc(), 0);
  op->replaceAllUsesWith(ValueRange(token));
  op->erase();
  return success();
}

static LogicalResult convertCopy(nvgpu::DeviceAsyncCopyOp copy,
                                 Context &context) {
  OpBuilder builder(copy);
  Location location = copy.getLoc();
  Emitter &emitter = context.emitter;
  auto type = cast<MemRefType>(copy.getDst().getType());
  auto elementBytes =
      static_cast<int64_t>(context.getBytes(type.getElementType()));
  Value target = context.elementAddress(builder, location, copy.getDst(),
                                        copy.getDstIndices());
  Value source = context.elementAddress(builder, location, copy.getSrc(),
                                        copy.getSrcIndices());
  Value sourceBytes;
  if (Value elements = copy.getSrcElements()) {
    Value scale =
        arith::ConstantIndexOp::create(builder, location, elementBytes);
    sourceBytes = arith::MulIOp::create(builder, location, elements, scale);
    sourceBytes = arith::IndexCastOp::create(builder, location,
                                             builder.getI64Type(), sourceBytes);
  }
  emitCopy(builder, location, target, source,
           copy.getDstElements().getSExtValue() * elementBytes, sourceBytes,
           emitter);
  return replaceByToken(copy, builder, emitter);
}

Conversion stencil::emulator::convertAsyncOp(Operation *op, Context &context) {
  OpBuilder builder(op);
  Location location = op->getLoc();
  Emitter &emitter = context.emitter;
  auto commit = [&]() {
    emitter.call(builder, location, "stencilEmulatorAsyncCommit", Type(), {});
  };
  auto wait = [&](uint32_t groups) {
    emitter.call(builder, location, "stencilEmulatorAsyncWait", Type(),
                 {emitter.i32(builder, location, groups),
                  emitter.locationText(builder, location)});
    op->erase();
    return success();
  };
  return llvm::TypeSwitch<Operation *, Conversion>(op)
      .Case([&](nvgpu::DeviceAsyncCopyOp copy) -> Conversion {
        return convertCopy(copy, context);
      })
      .Case([&](nvgpu::DeviceAsyncCreateGroupOp) -> Conversion {
        commit();
        return replaceByToken(op, builder, emitter);
      })
      .Case([&](nvgpu::DeviceAsyncWaitOp waiting) -> Conversion {
        return wait(waiting.getNumGroups().value_or(0));
      })
      .Case([&](NVVM::CpAsyncOp copy) -> Conversion {
        Value sourceBytes;
        if (Value size = copy.getCpSize())
          sourceBytes = LLVM::SExtOp::create(builder, location,
                                             builder.getI64Type(), size);
        emitCopy(builder, location, copy.getDst(), copy.getSrc(),
                 copy.getSize(), sourceBytes, emitter);
        op->erase();
        return success();
      })
      .Case([&](NVVM::CpAsyncCommitGroupOp) -> Conversion {
        commit();
        op->erase();
        return success();
      })
      .Case([&](NVVM::CpAsyncWaitGroupOp waiting) -> Conversion {
        return wait(waiting.getN());
      })
      .Default([](Operation *) { return Conversion(); });
}
