//===- BarrierOps.cpp - mbarriers -----------------------------------------===//
//
// As nvgpu has them (groups of barriers) and as nvvm has them (addresses).
//
//===----------------------------------------------------------------------===//

#include "Emitter.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace stencil::emulator;

static Value toI32(KernelWriter &b, Value value) {
  return value.getType().isIndex()
             ? arith::IndexCastOp::create(b, b.getI32Type(), value).getResult()
             : value;
}

/// A result as a value of the type that it has for now.
static LogicalResult replaceAs(KernelWriter &b, Value value) {
  return b.replace(b.castTo(b.op->getResult(0).getType(), value));
}

static LogicalResult convertInit(KernelWriter &b, Value address, Value count,
                                 Value predicate) {
  b.guard(predicate);
  b.callTogether("stencilEmulatorMBarrierInit", Type(),
                 {address, toI32(b, count)});
  return b.erase();
}

/// Replaces the result, if there is one, by the phase.
static LogicalResult convertArrival(KernelWriter &b, Value address, Value count,
                                    Value bytes, Value predicate = {}) {
  bool hasUsedResult = !b.op->use_empty();
  if (predicate && hasUsedResult)
    return b.op->emitOpError("expected no use of the result of an op with a "
                             "predicate");
  b.guard(predicate);
  Value phase = b.callTogether("stencilEmulatorMBarrierArrive", b.getI64Type(),
                               {address, toI32(b, count), b.toI64(bytes)});
  return hasUsedResult ? replaceAs(b, phase) : b.erase();
}

static LogicalResult convertWait(KernelWriter &b, Value address, Value phase,
                                 bool isParity, bool waits) {
  // A token is a number in the end.
  if (isa<nvgpu::MBarrierTokenType>(phase.getType()))
    phase = b.castTo(b.getI64Type(), phase);
  Value done =
      b.callTogether("stencilEmulatorMBarrierWait", b.getI32Type(),
                     {address, b.toI64(phase), b.i32(isParity), b.i32(waits)});
  return b.op->getNumResults() ? b.replace(b.toBool(done)) : b.erase();
}

static Conversion convertNvgpu(KernelWriter &b) {
  auto address = [&](auto op) {
    return b.barrierAddress(op.getBarriers(), op.getMbarId());
  };
  return llvm::TypeSwitch<Operation *, Conversion>(b.op)
      .Case([&](nvgpu::MBarrierCreateOp create) {
        b.useFibers();
        int64_t count = create.getBarriers().getType().getNumBarriers();
        // Two barriers are never nearer than their size.
        return replaceAs(b, b.sharedArray(8 * count, /*alignment=*/8));
      })
      .Case([&](nvgpu::MBarrierGetOp get) {
        b.useFibers();
        Value number = LLVM::PtrToIntOp::create(b, get.getType(), address(get));
        return b.replace(number);
      })
      .Case([&](nvgpu::MBarrierInitOp init) {
        return convertInit(b, address(init), init.getCount(),
                           init.getPredicate());
      })
      .Case([&](nvgpu::MBarrierArriveOp arrive) {
        return convertArrival(b, address(arrive), b.i32(1), b.i64(0));
      })
      .Case([&](nvgpu::MBarrierArriveNoCompleteOp arrive) {
        return convertArrival(b, address(arrive), arrive.getCount(), b.i64(0));
      })
      .Case([&](nvgpu::MBarrierArriveExpectTxOp arrive) {
        return convertArrival(b, address(arrive), b.i32(1), arrive.getTxcount(),
                              arrive.getPredicate());
      })
      .Case([&](nvgpu::MBarrierTestWaitOp wait) {
        return convertWait(b, address(wait), wait.getToken(),
                           /*isParity=*/false, /*waits=*/false);
      })
      .Case([&](nvgpu::MBarrierTryWaitParityOp wait) {
        return convertWait(b, address(wait), wait.getPhaseParity(),
                           /*isParity=*/true, /*waits=*/true);
      })
      .Default(std::nullopt);
}

static Conversion convertNvvm(KernelWriter &b) {
  // A state is an i64, a parity an i32.
  auto wait = [&](Value address, Value phase, bool waits) {
    return convertWait(b, address, phase, phase.getType().isInteger(32), waits);
  };
  return llvm::TypeSwitch<Operation *, Conversion>(b.op)
      .Case([&](NVVM::MBarrierInitOp init) {
        return convertInit(b, init.getAddr(), init.getCount(),
                           init.getPredicate());
      })
      .Case([&](NVVM::MBarrierArriveOp arrive) {
        Value count = arrive.getCount() ? arrive.getCount() : b.i32(1);
        return convertArrival(b, arrive.getAddr(), count, b.i64(0));
      })
      .Case([&](NVVM::MBarrierArriveNocompleteOp arrive) {
        return convertArrival(b, arrive.getAddr(), arrive.getCount(), b.i64(0));
      })
      .Case([&](NVVM::MBarrierArriveExpectTxOp arrive) {
        return convertArrival(b, arrive.getAddr(), b.i32(1),
                              arrive.getTxcount(), arrive.getPredicate());
      })
      .Case([&](NVVM::MBarrierExpectTxOp expect) {
        return convertArrival(b, expect.getAddr(), b.i32(0),
                              expect.getTxcount());
      })
      .Case([&](NVVM::MBarrierTryWaitParityOp waiting) {
        return wait(waiting.getAddr(), waiting.getPhase(), true);
      })
      .Case([&](NVVM::MBarrierTryWaitOp waiting) {
        return wait(waiting.getAddr(), waiting.getStateOrPhase(), true);
      })
      .Case([&](NVVM::MBarrierTestWaitOp waiting) {
        return wait(waiting.getAddr(), waiting.getStateOrPhase(), false);
      })
      .Default(std::nullopt);
}

Conversion stencil::emulator::convertBarrierOp(KernelWriter &b) {
  Conversion done = convertNvgpu(b);
  return done ? done : convertNvvm(b);
}
