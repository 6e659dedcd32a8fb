//===- ThreadOps.cpp - Identity, barriers, shared memory ------------------===//

#include "Emitter.h"
#include "StencilRuntime/EmulatorCalls.h"
#include "mlir/Conversion/LLVMCommon/MemRefBuilder.h"
#include "mlir/Dialect/AMDGPU/IR/AMDGPUDialect.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace stencil::emulator;
using stencil::runtime::EmulatorId;

/// The number that `id` stands for, as a value of the op's result type.
static LogicalResult replaceById(KernelWriter &b, EmulatorId id,
                                 unsigned dimension = 0) {
  Type word = b.getI64Type(), type = b.op->getResult(0).getType();
  Value which = b.i32(static_cast<int32_t>(id) + static_cast<int>(dimension));
  Value number = b.call("stencilEmulatorId", word, which);
  if (type.isIndex())
    number = arith::IndexCastOp::create(b, type, number);
  else if (type != word)
    number = LLVM::TruncOp::create(b, type, number);
  return b.replace(number);
}

/// nvvm.read.ptx.sreg.*; nullopt if it is none of ours.
static std::optional<std::pair<EmulatorId, unsigned>>
getSpecialRegister(StringRef name) {
  if (!name.consume_front("nvvm.read.ptx.sreg."))
    return std::nullopt;
  // Registers of the warp, and those that have three axes.
  if (auto id = llvm::StringSwitch<std::optional<EmulatorId>>(name)
                    .Case("laneid", EmulatorId::Lane)
                    .Case("warpsize", EmulatorId::WarpSize)
                    .Case("warpid", EmulatorId::Warp)
                    .Case("nwarpid", EmulatorId::NumWarps)
                    .Default(std::nullopt))
    return std::make_pair(*id, 0U);
  auto [kind, axis] = name.split('.');
  auto id = llvm::StringSwitch<std::optional<EmulatorId>>(kind)
                .Case("tid", EmulatorId::Thread)
                .Case("ctaid", EmulatorId::Block)
                .Case("ntid", EmulatorId::BlockSize)
                .Case("nctaid", EmulatorId::GridSize)
                .Default(std::nullopt);
  if (!id || axis.size() != 1 || axis[0] < 'x' || axis[0] > 'z')
    return std::nullopt;
  return std::make_pair(*id, static_cast<unsigned>(axis[0] - 'x'));
}

/// All threads of the block, or a number of them at a barrier with a number.
static LogicalResult replaceBarrier(KernelWriter &b, Value id = {},
                                    Value threads = {}, bool waits = true) {
  b.useFibers();
  Value text = b.locationText();
  if (!id && !threads) {
    b.call("stencilEmulatorBarrier", Type(), text);
  } else {
    Value zero = b.i32(0), wait = b.i32(waits);
    b.call("stencilEmulatorNamedBarrier", Type(),
           {id ? id : zero, threads ? threads : zero, wait, text});
  }
  return b.erase();
}

/// A fence, with its numbers before its location. Threads that are told apart
/// by fences wait for each other somehow.
static LogicalResult replaceFence(KernelWriter &b, StringRef name,
                                  ArrayRef<bool> numbers) {
  b.callTogether(name, Type(), llvm::map_to_vector(numbers, [&](bool number) {
                   return b.i32(number);
                 }));
  return b.erase();
}

static LogicalResult replaceProxyFence(KernelWriter &b,
                                       NVVM::FenceProxyOp fence) {
  using Kind = NVVM::ProxyKind;
  Kind kind = fence.getKind();
  // Every address is the only one of its memory.
  if (kind == Kind::alias)
    return b.erase();
  bool isShared = kind == Kind::async || kind == Kind::async_shared;
  bool isGlobal = kind == Kind::async || kind == Kind::async_global;
  if (!isShared && !isGlobal)
    return fence.emitOpError(
        "expected a fence of the async proxy: the emulator has no other");
  return replaceFence(b, "stencilEmulatorFenceProxy", {isShared, isGlobal});
}

/// gpu.dynamic_shared_memory ==> memref<?xi8> of what the launch asked for.
static LogicalResult replaceDynamicShared(KernelWriter &b,
                                          gpu::DynamicSharedMemoryOp op) {
  Location location = op.getLoc();
  Value address = b.call("stencilEmulatorDynamicShared", b.ptrType, {});
  Value bytes = b.call("stencilEmulatorDynamicSharedBytes", b.getI64Type(), {});
  MemRefType type = withoutMemorySpace(op.getType());
  auto descriptor =
      MemRefDescriptor::poison(b, location, b.context.types.convertType(type));
  descriptor.setAllocatedPtr(b, location, address);
  descriptor.setAlignedPtr(b, location, address);
  descriptor.setConstantOffset(b, location, 0);
  descriptor.setSize(b, location, 0, bytes);
  descriptor.setConstantStride(b, location, 0, 1);
  return b.replace(b.castTo(type, descriptor));
}

Conversion stencil::emulator::convertThreadOp(KernelWriter &b) {
  if (auto special = getSpecialRegister(b.op->getName().getStringRef()))
    return replaceById(b, special->first, special->second);
  auto byDimension = [&](auto op, EmulatorId id) {
    return replaceById(b, id, static_cast<unsigned>(op.getDimension()));
  };
  return llvm::TypeSwitch<Operation *, Conversion>(b.op)
      .Case([&](gpu::ThreadIdOp id) {
        return byDimension(id, EmulatorId::Thread);
      })
      .Case(
          [&](gpu::BlockIdOp id) { return byDimension(id, EmulatorId::Block); })
      .Case([&](gpu::BlockDimOp id) {
        return byDimension(id, EmulatorId::BlockSize);
      })
      .Case([&](gpu::GridDimOp id) {
        return byDimension(id, EmulatorId::GridSize);
      })
      .Case([&](gpu::LaneIdOp) { return replaceById(b, EmulatorId::Lane); })
      .Case([&](gpu::SubgroupIdOp) { return replaceById(b, EmulatorId::Warp); })
      .Case([&](gpu::NumSubgroupsOp) {
        return replaceById(b, EmulatorId::NumWarps);
      })
      .Case([&](gpu::SubgroupSizeOp) {
        return replaceById(b, EmulatorId::WarpSize);
      })
      .Case<gpu::BarrierOp, amdgpu::LDSBarrierOp, NVVM::Barrier0Op>(
          [&](Operation *) { return replaceBarrier(b); })
      .Case([&](NVVM::BarrierOp named) -> LogicalResult {
        if (named.getReductionOp())
          return named.emitOpError("expected no reduction: the emulator has "
                                   "barriers without");
        return replaceBarrier(b, named.getBarrierId(),
                              named.getNumberOfThreads());
      })
      .Case([&](NVVM::BarrierArriveOp named) {
        return replaceBarrier(b, named.getBarrierId(),
                              named.getNumberOfThreads(), false);
      })
      .Case([&](gpu::DynamicSharedMemoryOp shared) {
        return replaceDynamicShared(b, shared);
      })
      .Case([&](NVVM::MembarOp fence) {
        bool isBlock = fence.getScope() == NVVM::MemScopeKind::CTA ||
                       fence.getScope() == NVVM::MemScopeKind::CLUSTER;
        return replaceFence(b, "stencilEmulatorFence", {!isBlock});
      })
      // A cluster is a block.
      .Case([&](NVVM::FenceScClusterOp) {
        return replaceFence(b, "stencilEmulatorFence", {false});
      })
      .Case(
          [&](NVVM::FenceProxyOp fence) { return replaceProxyFence(b, fence); })
      .Case([&](NVVM::FenceMbarrierInitOp) {
        return replaceFence(b, "stencilEmulatorFenceMBarrierInit", {});
      })
      // Hints.
      .Case<NVVM::PrefetchOp, NVVM::SetMaxRegisterOp, NVVM::NanosleepOp,
            amdgpu::SchedBarrierOp>([&](Operation *) { return b.erase(); })
      .Default(std::nullopt);
}
