//===- ThreadOps.cpp - Identity, barriers, shared memory ------------------===//

#include "Emitter.h"
#include "StencilRuntime/EmulatorCalls.h"
#include "mlir/Conversion/LLVMCommon/MemRefBuilder.h"
#include "mlir/Dialect/AMDGPU/IR/AMDGPUDialect.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace stencil::emulator;
using stencil::runtime::EmulatorId;

/// The number that `id` stands for, as a value of the op's result type.
static void replaceById(Operation *op, EmulatorId id, unsigned dimension,
                        Context &context) {
  OpBuilder builder(op);
  Location location = op->getLoc();
  Type word = builder.getI64Type();
  Value which = context.emitter.i32(builder, location,
                                    static_cast<int32_t>(id) +
                                        static_cast<int>(dimension));
  Value number =
      context.emitter.call(builder, location, "stencilEmulatorId", word, which);
  Type type = op->getResult(0).getType();
  if (type.isIndex())
    number = arith::IndexCastOp::create(builder, location, type, number);
  else if (type != word)
    number = LLVM::TruncOp::create(builder, location, type, number);
  op->replaceAllUsesWith(ValueRange(number));
  op->erase();
}

/// nvvm.read.ptx.sreg.*; nullopt if it is none of ours.
static std::optional<std::pair<EmulatorId, unsigned>>
getSpecialRegister(StringRef name) {
  if (!name.consume_front("nvvm.read.ptx.sreg."))
    return std::nullopt;
  if (name == "laneid")
    return std::make_pair(EmulatorId::Lane, 0U);
  if (name == "warpsize")
    return std::make_pair(EmulatorId::WarpSize, 0U);
  if (name == "warpid")
    return std::make_pair(EmulatorId::Warp, 0U);
  if (name == "nwarpid")
    return std::make_pair(EmulatorId::NumWarps, 0U);
  auto [kind, axis] = name.split('.');
  if (axis.size() != 1 || axis[0] < 'x' || axis[0] > 'z')
    return std::nullopt;
  unsigned dimension = axis[0] - 'x';
  if (kind == "tid")
    return std::make_pair(EmulatorId::Thread, dimension);
  if (kind == "ctaid")
    return std::make_pair(EmulatorId::Block, dimension);
  if (kind == "ntid")
    return std::make_pair(EmulatorId::BlockSize, dimension);
  if (kind == "nctaid")
    return std::make_pair(EmulatorId::GridSize, dimension);
  return std::nullopt;
}

/// All threads of the block, or a number of them at a barrier with a number.
static void replaceBarrier(Operation *op, Value id, Value threads, bool waits,
                           Context &context) {
  OpBuilder builder(op);
  Location location = op->getLoc();
  context.kernel.usesFibers = true;
  Value text = context.emitter.locationText(builder, location);
  if (!id && !threads) {
    context.emitter.call(builder, location, "stencilEmulatorBarrier", Type(),
                         text);
  } else {
    Value zero = context.emitter.i32(builder, location, 0);
    Value wait = context.emitter.i32(builder, location, waits);
    context.emitter.call(
        builder, location, "stencilEmulatorNamedBarrier", Type(),
        {id ? id : zero, threads ? threads : zero, wait, text});
  }
  op->erase();
}

/// A fence, with its numbers before its location.
static Conversion replaceFence(Operation *op, StringRef name,
                               ArrayRef<bool> numbers, Context &context) {
  OpBuilder builder(op);
  Location location = op->getLoc();
  // Threads that are told apart by fences wait for each other somehow.
  context.kernel.usesFibers = true;
  SmallVector<Value> arguments;
  for (bool number : numbers)
    arguments.push_back(context.emitter.i32(builder, location, number));
  arguments.push_back(context.emitter.locationText(builder, location));
  context.emitter.call(builder, location, name, Type(), arguments);
  op->erase();
  return success();
}

static Conversion replaceProxyFence(NVVM::FenceProxyOp fence,
                                    Context &context) {
  using Kind = NVVM::ProxyKind;
  Kind kind = fence.getKind();
  if (kind == Kind::alias) {
    // Every address is the only one of its memory.
    fence.erase();
    return success();
  }
  bool isShared = kind == Kind::async || kind == Kind::async_shared;
  bool isGlobal = kind == Kind::async || kind == Kind::async_global;
  if (!isShared && !isGlobal)
    return LogicalResult(fence.emitOpError(
        "expected a fence of the async proxy: the emulator has no other"));
  return replaceFence(fence, "stencilEmulatorFenceProxy", {isShared, isGlobal},
                      context);
}

/// gpu.dynamic_shared_memory ==> memref<?xi8> of what the launch asked for.
static LogicalResult replaceDynamicShared(gpu::DynamicSharedMemoryOp op,
                                          Context &context) {
  OpBuilder builder(op);
  Location location = op.getLoc();
  Emitter &emitter = context.emitter;
  Value address =
      emitter.call(builder, location, "stencilEmulatorDynamicShared",
                   emitter.getPtrType(), {});
  Value bytes =
      emitter.call(builder, location, "stencilEmulatorDynamicSharedBytes",
                   builder.getI64Type(), {});
  MemRefType type = withoutMemorySpace(op.getType());
  auto descriptor = MemRefDescriptor::poison(builder, location,
                                             context.types.convertType(type));
  descriptor.setAllocatedPtr(builder, location, address);
  descriptor.setAlignedPtr(builder, location, address);
  descriptor.setConstantOffset(builder, location, 0);
  descriptor.setSize(builder, location, 0, bytes);
  descriptor.setConstantStride(builder, location, 0, 1);
  Value memref = UnrealizedConversionCastOp::create(builder, location, type,
                                                    Value(descriptor))
                     .getResult(0);
  op->replaceAllUsesWith(ValueRange(memref));
  op.erase();
  return success();
}

Conversion stencil::emulator::convertThreadOp(Operation *op, Context &context) {
  auto byDimension = [&](auto typed, EmulatorId id) -> Conversion {
    replaceById(op, id, static_cast<unsigned>(typed.getDimension()), context);
    return success();
  };
  auto plain = [&](EmulatorId id) -> Conversion {
    replaceById(op, id, 0, context);
    return success();
  };
  auto barrier = [&](Value id, Value threads, bool waits) -> Conversion {
    replaceBarrier(op, id, threads, waits, context);
    return success();
  };
  auto drop = [&]() -> Conversion {
    op->erase();
    return success();
  };
  if (auto special = getSpecialRegister(op->getName().getStringRef())) {
    replaceById(op, special->first, special->second, context);
    return success();
  }
  return llvm::TypeSwitch<Operation *, Conversion>(op)
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
      .Case([&](gpu::LaneIdOp) { return plain(EmulatorId::Lane); })
      .Case([&](gpu::SubgroupIdOp) { return plain(EmulatorId::Warp); })
      .Case([&](gpu::NumSubgroupsOp) { return plain(EmulatorId::NumWarps); })
      .Case([&](gpu::SubgroupSizeOp) { return plain(EmulatorId::WarpSize); })
      .Case([&](gpu::BarrierOp) { return barrier({}, {}, true); })
      .Case([&](amdgpu::LDSBarrierOp) { return barrier({}, {}, true); })
      .Case([&](NVVM::Barrier0Op) { return barrier({}, {}, true); })
      .Case([&](NVVM::BarrierOp named) -> Conversion {
        if (named.getReductionOp())
          return LogicalResult(
              named.emitOpError("expected no reduction: the emulator has "
                                "barriers without"));
        return barrier(named.getBarrierId(), named.getNumberOfThreads(), true);
      })
      .Case([&](NVVM::BarrierArriveOp named) {
        return barrier(named.getBarrierId(), named.getNumberOfThreads(), false);
      })
      .Case([&](gpu::DynamicSharedMemoryOp shared) -> Conversion {
        return replaceDynamicShared(shared, context);
      })
      .Case([&](NVVM::MembarOp fence) {
        bool isBlock = fence.getScope() == NVVM::MemScopeKind::CTA ||
                       fence.getScope() == NVVM::MemScopeKind::CLUSTER;
        return replaceFence(op, "stencilEmulatorFence", {!isBlock}, context);
      })
      // A cluster is a block.
      .Case([&](NVVM::FenceScClusterOp) {
        return replaceFence(op, "stencilEmulatorFence", {false}, context);
      })
      .Case([&](NVVM::FenceProxyOp fence) {
        return replaceProxyFence(fence, context);
      })
      .Case([&](NVVM::FenceMbarrierInitOp) {
        return replaceFence(op, "stencilEmulatorFenceMBarrierInit", {},
                            context);
      })
      // Hints.
      .Case<NVVM::PrefetchOp, NVVM::SetMaxRegisterOp, NVVM::NanosleepOp,
            amdgpu::SchedBarrierOp>([&](Operation *) { return drop(); })
      .Default([](Operation *) { return Conversion(); });
}
