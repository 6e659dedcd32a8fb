//===- TmaOps.cpp - Copies of boxes of tensors ----------------------------===//

#include "Emitter.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace stencil::emulator;

/// Coordinates in memory, as 64-bit numbers. Those of nvvm have 32 bits.
static Value spillCoordinates(OpBuilder &builder, Location location,
                              ValueRange coordinates, Context &context) {
  Type word = builder.getI64Type();
  Value slot = context.slot(builder, location,
                            LLVM::LLVMArrayType::get(word, coordinates.size()));
  for (auto [i, coordinate] : llvm::enumerate(coordinates)) {
    Value value =
        coordinate.getType().isIndex()
            ? arith::IndexCastOp::create(builder, location, word, coordinate)
                  .getResult()
            : LLVM::SExtOp::create(builder, location, word, coordinate)
                  .getResult();
    Value address =
        LLVM::GEPOp::create(builder, location, context.emitter.getPtrType(),
                            word, slot, LLVM::GEPArg(static_cast<int32_t>(i)));
    LLVM::StoreOp::create(builder, location, value, address);
  }
  return slot;
}

static LogicalResult convertCopy(Operation *op, StringRef name,
                                 ArrayRef<Value> addresses,
                                 ValueRange coordinates, Value predicate,
                                 OpBuilder &builder, Context &context) {
  Location location = op->getLoc();
  Emitter &emitter = context.emitter;
  context.kernel.usesFibers = true;
  Value slot = spillCoordinates(builder, location, coordinates, context);
  context.guard(builder, location, predicate);
  llvm::SmallVector<Value> arguments(addresses);
  arguments.append(
      {slot,
       emitter.i32(builder, location, static_cast<int64_t>(coordinates.size())),
       emitter.locationText(builder, location)});
  emitter.call(builder, location, name, Type(), arguments);
  op->erase();
  return success();
}

static Conversion convertNvgpu(Operation *op, Context &context) {
  OpBuilder builder(op);
  Location location = op->getLoc();
  Type ptrType = context.emitter.getPtrType();
  auto toPtr = [&](Value map) {
    return context.castTo(builder, location, ptrType, map);
  };
  return llvm::TypeSwitch<Operation *, Conversion>(op)
      .Case([&](nvgpu::TmaAsyncLoadOp load) -> Conversion {
        if (load.getMulticastMask())
          return LogicalResult(load.emitOpError(
              "expected no multicast: the emulator has no clusters"));
        Value tile =
            context.elementAddress(builder, location, load.getDst(), {});
        Value barrier = context.barrierAddress(
            builder, location, load.getBarriers(), load.getMbarId());
        return convertCopy(
            op, "stencilEmulatorTmaLoad",
            {tile, toPtr(load.getTensorMapDescriptor()), barrier},
            load.getCoordinates(), load.getPredicate(), builder, context);
      })
      .Case([&](nvgpu::TmaAsyncStoreOp store) -> Conversion {
        Value tile =
            context.elementAddress(builder, location, store.getSrc(), {});
        return convertCopy(op, "stencilEmulatorTmaStore",
                           {tile, toPtr(store.getTensorMapDescriptor())},
                           store.getCoordinates(), store.getPredicate(),
                           builder, context);
      })
      .Case<nvgpu::TmaFenceOp, nvgpu::TmaPrefetchOp>(
          [](Operation *hint) -> Conversion {
            hint->erase();
            return success();
          })
      .Default([](Operation *) { return Conversion(); });
}

Conversion stencil::emulator::convertTmaOp(Operation *op, Context &context) {
  if (Conversion done = convertNvgpu(op, context))
    return done;
  OpBuilder builder(op);
  Location location = op->getLoc();
  Emitter &emitter = context.emitter;
  return llvm::TypeSwitch<Operation *, Conversion>(op)
      .Case([&](NVVM::CpAsyncBulkTensorGlobalToSharedClusterOp load)
                -> Conversion {
        if (load.getMulticastMask() || !load.getIm2colOffsets().empty())
          return LogicalResult(load.emitOpError(
              "expected neither multicast nor im2col: the emulator has none"));
        return convertCopy(
            op, "stencilEmulatorTmaLoad",
            {load.getDstMem(), load.getTmaDescriptor(), load.getMbar()},
            load.getCoordinates(), load.getPredicate(), builder, context);
      })
      .Case(
          [&](NVVM::CpAsyncBulkTensorSharedCTAToGlobalOp store) -> Conversion {
            return convertCopy(op, "stencilEmulatorTmaStore",
                               {store.getSrcMem(), store.getTmaDescriptor()},
                               store.getCoordinates(), store.getPredicate(),
                               builder, context);
          })
      .Case<NVVM::CpAsyncBulkPrefetchOp, NVVM::CpAsyncBulkTensorPrefetchOp>(
          [](Operation *hint) -> Conversion {
            hint->erase();
            return success();
          })
      .Case([&](NVVM::CpAsyncBulkCommitGroupOp) -> Conversion {
        emitter.call(builder, location, "stencilEmulatorBulkCommit", Type(),
                     {});
        op->erase();
        return success();
      })
      .Case([&](NVVM::CpAsyncBulkWaitGroupOp wait) -> Conversion {
        emitter.call(
            builder, location, "stencilEmulatorBulkWait", Type(),
            {emitter.i32(builder, location, wait.getGroup()),
             emitter.i32(builder, location, wait.getRead().value_or(false)),
             emitter.locationText(builder, location)});
        op->erase();
        return success();
      })
      .Default([](Operation *) { return Conversion(); });
}
