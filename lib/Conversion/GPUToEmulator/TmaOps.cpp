//===- TmaOps.cpp - Copies of boxes of tensors ----------------------------===//

#include "Emitter.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace stencil::emulator;

/// Coordinates in memory, as 64-bit numbers. Those of nvvm have 32 bits.
static Value spillCoordinates(KernelWriter &b, ValueRange coordinates) {
  Type word = b.getI64Type();
  Value slot = b.slot(LLVM::LLVMArrayType::get(word, coordinates.size()));
  for (auto [i, coordinate] : llvm::enumerate(coordinates)) {
    Value value = b.toI64(coordinate, /*isSigned=*/true);
    b.store(value, b.element(slot, word, static_cast<int32_t>(i)));
  }
  return slot;
}

/// Of nvgpu's and nvvm's ops alike.
template <typename CopyOp>
static LogicalResult convertCopy(KernelWriter &b, CopyOp copy, StringRef name,
                                 ArrayRef<Value> addresses) {
  b.useFibers();
  ValueRange coordinates = copy.getCoordinates();
  Value slot = spillCoordinates(b, coordinates);
  b.guard(copy.getPredicate());
  llvm::SmallVector<Value> arguments(addresses);
  arguments.append({slot, b.i32(static_cast<int64_t>(coordinates.size()))});
  b.callFrom(name, Type(), arguments);
  return b.erase();
}

Conversion stencil::emulator::convertTmaOp(KernelWriter &b) {
  constexpr llvm::StringLiteral kLoad = "stencilEmulatorTmaLoad",
                                kStore = "stencilEmulatorTmaStore";
  return llvm::TypeSwitch<Operation *, Conversion>(b.op)
      .Case([&](nvgpu::TmaAsyncLoadOp load) -> LogicalResult {
        if (load.getMulticastMask())
          return load.emitOpError(
              "expected no multicast: the emulator has no clusters");
        Value tile = b.elementAddress(load.getDst(), {});
        Value barrier = b.barrierAddress(load.getBarriers(), load.getMbarId());
        Value map = b.castTo(b.ptrType, load.getTensorMapDescriptor());
        return convertCopy(b, load, kLoad, {tile, map, barrier});
      })
      .Case([&](nvgpu::TmaAsyncStoreOp store) {
        Value tile = b.elementAddress(store.getSrc(), {});
        Value map = b.castTo(b.ptrType, store.getTensorMapDescriptor());
        return convertCopy(b, store, kStore, {tile, map});
      })
      .Case([&](NVVM::CpAsyncBulkTensorGlobalToSharedClusterOp load)
                -> LogicalResult {
        if (load.getMulticastMask() || !load.getIm2colOffsets().empty())
          return load.emitOpError(
              "expected neither multicast nor im2col: the emulator has none");
        return convertCopy(
            b, load, kLoad,
            {load.getDstMem(), load.getTmaDescriptor(), load.getMbar()});
      })
      .Case([&](NVVM::CpAsyncBulkTensorSharedCTAToGlobalOp store) {
        return convertCopy(b, store, kStore,
                           {store.getSrcMem(), store.getTmaDescriptor()});
      })
      // Hints.
      .Case<nvgpu::TmaFenceOp, nvgpu::TmaPrefetchOp,
            NVVM::CpAsyncBulkPrefetchOp, NVVM::CpAsyncBulkTensorPrefetchOp>(
          [&](Operation *) { return b.erase(); })
      .Case([&](NVVM::CpAsyncBulkCommitGroupOp) {
        b.call("stencilEmulatorBulkCommit", Type(), {});
        return b.erase();
      })
      .Case([&](NVVM::CpAsyncBulkWaitGroupOp wait) {
        b.callFrom(
            "stencilEmulatorBulkWait", Type(),
            {b.i32(wait.getGroup()), b.i32(wait.getRead().value_or(false))});
        return b.erase();
      })
      .Default(std::nullopt);
}
