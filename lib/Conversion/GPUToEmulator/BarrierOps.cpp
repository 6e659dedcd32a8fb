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

namespace {

class BarrierCall : public EmulatorCall {
public:
  using EmulatorCall::EmulatorCall;

  LogicalResult create(nvgpu::MBarrierCreateOp create) {
    int64_t count = create.getBarriers().getType().getNumBarriers();
    // Two barriers are never nearer than their size.
    Value address =
        context.sharedArray(builder, location, 8 * count, /*alignment=*/8);
    return replace(
        context.castTo(builder, location, op->getResult(0).getType(), address));
  }
  LogicalResult init(Value address, Value count, Value predicate) {
    context.guard(builder, location, predicate);
    call("stencilEmulatorMBarrierInit", Type(), {address, toI32(count)});
    return erase();
  }
  /// Replaces the result, if there is one, by the phase.
  LogicalResult arrive(Value address, Value count, Value bytes,
                       Value predicate) {
    bool hasUsedResult = op->getNumResults() && !op->getResult(0).use_empty();
    if (predicate && hasUsedResult)
      return op->emitOpError("expected no use of the result of an op with a "
                             "predicate");
    context.guard(builder, location, predicate);
    Value phase = call("stencilEmulatorMBarrierArrive", builder.getI64Type(),
                       {address, toI32(count), toI64(bytes)});
    if (!hasUsedResult)
      return erase();
    return replace(
        context.castTo(builder, location, op->getResult(0).getType(), phase));
  }
  LogicalResult wait(Value address, Value phase, bool isParity, bool waits) {
    Value done = call("stencilEmulatorMBarrierWait", builder.getI32Type(),
                      {address, toI64(phase), i32(isParity), i32(waits)});
    if (op->getNumResults() == 0)
      return erase();
    Value isDone = LLVM::ICmpOp::create(builder, location,
                                        LLVM::ICmpPredicate::ne, done, i32(0));
    return replace(isDone);
  }
  LogicalResult get(nvgpu::MBarrierGetOp get) {
    Value address = element(get.getBarriers(), get.getMbarId());
    Value number = LLVM::PtrToIntOp::create(
        builder, location, op->getResult(0).getType(), address);
    return replace(number);
  }

  Value element(Value group, Value index) {
    return context.barrierAddress(builder, location, group, index);
  }

private:
  Value toI32(Value value) {
    return value.getType().isIndex()
               ? arith::IndexCastOp::create(builder, location,
                                            builder.getI32Type(), value)
                     .getResult()
               : value;
  }
  Value toI64(Value value) {
    if (value.getType().isInteger(64))
      return value;
    if (value.getType().isIndex())
      return arith::IndexCastOp::create(builder, location, builder.getI64Type(),
                                        value);
    if (isa<nvgpu::MBarrierTokenType>(value.getType()))
      return context.castTo(builder, location, builder.getI64Type(), value);
    return LLVM::ZExtOp::create(builder, location, builder.getI64Type(), value);
  }
};

} // namespace

static Conversion convertNvgpu(Operation *op, Context &context) {
  return llvm::TypeSwitch<Operation *, Conversion>(op)
      .Case([&](nvgpu::MBarrierCreateOp create) -> Conversion {
        return BarrierCall(op, context).create(create);
      })
      .Case([&](nvgpu::MBarrierGetOp get) -> Conversion {
        return BarrierCall(op, context).get(get);
      })
      .Case([&](nvgpu::MBarrierInitOp init) -> Conversion {
        BarrierCall call(op, context);
        return call.init(call.element(init.getBarriers(), init.getMbarId()),
                         init.getCount(), init.getPredicate());
      })
      .Case([&](nvgpu::MBarrierArriveOp arrive) -> Conversion {
        BarrierCall call(op, context);
        return call.arrive(
            call.element(arrive.getBarriers(), arrive.getMbarId()), call.i32(1),
            call.i64(0), {});
      })
      .Case([&](nvgpu::MBarrierArriveNoCompleteOp arrive) -> Conversion {
        BarrierCall call(op, context);
        return call.arrive(
            call.element(arrive.getBarriers(), arrive.getMbarId()),
            arrive.getCount(), call.i64(0), {});
      })
      .Case([&](nvgpu::MBarrierArriveExpectTxOp arrive) -> Conversion {
        BarrierCall call(op, context);
        return call.arrive(
            call.element(arrive.getBarriers(), arrive.getMbarId()), call.i32(1),
            arrive.getTxcount(), arrive.getPredicate());
      })
      .Case([&](nvgpu::MBarrierTestWaitOp wait) -> Conversion {
        BarrierCall call(op, context);
        return call.wait(call.element(wait.getBarriers(), wait.getMbarId()),
                         wait.getToken(), false, false);
      })
      .Case([&](nvgpu::MBarrierTryWaitParityOp wait) -> Conversion {
        BarrierCall call(op, context);
        return call.wait(call.element(wait.getBarriers(), wait.getMbarId()),
                         wait.getPhaseParity(), true, true);
      })
      .Default([](Operation *) { return Conversion(); });
}

static Conversion convertNvvm(Operation *op, Context &context) {
  // A state is an i64, a parity an i32.
  auto wait = [&](Value address, Value phase, bool waits) -> Conversion {
    return BarrierCall(op, context)
        .wait(address, phase, phase.getType().isInteger(32), waits);
  };
  return llvm::TypeSwitch<Operation *, Conversion>(op)
      .Case([&](NVVM::MBarrierInitOp init) -> Conversion {
        return BarrierCall(op, context)
            .init(init.getAddr(), init.getCount(), init.getPredicate());
      })
      .Case([&](NVVM::MBarrierArriveOp arrive) -> Conversion {
        BarrierCall call(op, context);
        return call.arrive(arrive.getAddr(),
                           arrive.getCount() ? arrive.getCount() : call.i32(1),
                           call.i64(0), {});
      })
      .Case([&](NVVM::MBarrierArriveNocompleteOp arrive) -> Conversion {
        BarrierCall call(op, context);
        return call.arrive(arrive.getAddr(), arrive.getCount(), call.i64(0),
                           {});
      })
      .Case([&](NVVM::MBarrierArriveExpectTxOp arrive) -> Conversion {
        BarrierCall call(op, context);
        return call.arrive(arrive.getAddr(), call.i32(1), arrive.getTxcount(),
                           arrive.getPredicate());
      })
      .Case([&](NVVM::MBarrierExpectTxOp expect) -> Conversion {
        BarrierCall call(op, context);
        return call.arrive(expect.getAddr(), call.i32(0), expect.getTxcount(),
                           {});
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
      .Default([](Operation *) { return Conversion(); });
}

Conversion stencil::emulator::convertBarrierOp(Operation *op,
                                               Context &context) {
  Conversion done = convertNvgpu(op, context);
  return done ? done : convertNvvm(op, context);
}
