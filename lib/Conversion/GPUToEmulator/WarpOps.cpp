//===- WarpOps.cpp - Shuffles, votes, barriers of a warp ------------------===//

#include "Emitter.h"
#include "StencilRuntime/EmulatorCalls.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/LLVMIR/ROCDLDialect.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace stencil::emulator;
using stencil::runtime::EmulatorShuffle;
using stencil::runtime::EmulatorVote;

static EmulatorShuffle getMode(gpu::ShuffleMode mode) {
  switch (mode) {
  case gpu::ShuffleMode::XOR:
    return EmulatorShuffle::Xor;
  case gpu::ShuffleMode::DOWN:
    return EmulatorShuffle::Down;
  case gpu::ShuffleMode::UP:
    return EmulatorShuffle::Up;
  case gpu::ShuffleMode::IDX:
    return EmulatorShuffle::Idx;
  }
  llvm_unreachable("modes are listed above");
}

static EmulatorShuffle getMode(NVVM::ShflKind kind) {
  switch (kind) {
  case NVVM::ShflKind::bfly:
    return EmulatorShuffle::Xor;
  case NVVM::ShflKind::down:
    return EmulatorShuffle::Down;
  case NVVM::ShflKind::up:
    return EmulatorShuffle::Up;
  case NVVM::ShflKind::idx:
    return EmulatorShuffle::Idx;
  }
  llvm_unreachable("kinds are listed above");
}

namespace {

class WarpCall : public EmulatorCall {
public:
  using EmulatorCall::EmulatorCall;

  Value toBool(Value number) {
    Value zero = emitter.constant(builder, location, number.getType(), 0);
    return LLVM::ICmpOp::create(builder, location, LLVM::ICmpPredicate::ne,
                                number, zero);
  }
  Value toWord(Value number) {
    return number.getType().isInteger(64)
               ? number
               : LLVM::ZExtOp::create(builder, location, builder.getI64Type(),
                                      number)
                     .getResult();
  }

  LogicalResult shuffle(Value value, Value offset, Value width,
                        EmulatorShuffle mode) {
    Value lowered = lower(value);
    Value slot = context.spill(builder, location, lowered);
    Value valid = call("stencilEmulatorShuffle", builder.getI32Type(),
                       {slot, i64(context.getBytes(lowered.getType())), offset,
                        width, i32(static_cast<int32_t>(mode))});
    Value loaded =
        LLVM::LoadOp::create(builder, location, lowered.getType(), slot);
    return replace({loaded, toBool(valid)});
  }

  LogicalResult shuffleSync(NVVM::ShflOp shuffle) {
    Type type = shuffle.getVal().getType();
    Value slot = context.spill(builder, location, shuffle.getVal());
    Value valid = call("stencilEmulatorShuffleSync", builder.getI32Type(),
                       {toWord(shuffle.getThreadMask()), slot,
                        shuffle.getOffset(), shuffle.getMaskAndClamp(),
                        i32(static_cast<int32_t>(getMode(shuffle.getKind())))});
    Value loaded = LLVM::LoadOp::create(builder, location, type, slot);
    auto both = dyn_cast<LLVM::LLVMStructType>(shuffle.getType());
    if (!both)
      return replace(loaded);
    Value result = LLVM::UndefOp::create(builder, location, both);
    result = LLVM::InsertValueOp::create(builder, location, result, loaded,
                                         llvm::ArrayRef<int64_t>{0});
    result = LLVM::InsertValueOp::create(builder, location, result,
                                         toBool(valid), 1);
    return replace(result);
  }

  LogicalResult vote(Value mask, Value predicate, EmulatorVote kind) {
    Value bit = LLVM::ZExtOp::create(builder, location, builder.getI32Type(),
                                     predicate);
    Value bits = call("stencilEmulatorVote", builder.getI64Type(),
                      {mask, bit, i32(static_cast<int32_t>(kind))});
    Type type = op->getResult(0).getType();
    if (type.isInteger(1))
      bits = toBool(bits);
    else if (!type.isInteger(64))
      bits = LLVM::TruncOp::create(builder, location, type, bits);
    return replace(bits);
  }

  LogicalResult match(NVVM::MatchSyncOp match) {
    bool all = match.getKind() == NVVM::MatchSyncKind::all;
    Value bits =
        call("stencilEmulatorMatch", builder.getI64Type(),
             {toWord(match.getThreadMask()), toWord(match.getVal()), i32(all)});
    Value narrow =
        LLVM::TruncOp::create(builder, location, builder.getI32Type(), bits);
    auto both = dyn_cast<LLVM::LLVMStructType>(match.getType());
    if (!both)
      return replace(narrow);
    Value result = LLVM::UndefOp::create(builder, location, both);
    result = LLVM::InsertValueOp::create(builder, location, result, narrow,
                                         llvm::ArrayRef<int64_t>{0});
    result =
        LLVM::InsertValueOp::create(builder, location, result, toBool(bits), 1);
    return replace(result);
  }

  LogicalResult redux(NVVM::ReduxOp redux) {
    if (!redux.getVal().getType().isInteger(32))
      return redux.emitOpError("expected i32: the emulator has no other");
    Value number = call("stencilEmulatorRedux", builder.getI32Type(),
                        {toWord(redux.getMaskAndClamp()), redux.getVal(),
                         i32(static_cast<int32_t>(redux.getKind()))});
    return replace(number);
  }
};

} // namespace

Conversion stencil::emulator::convertWarpOp(Operation *op, Context &context) {
  return llvm::TypeSwitch<Operation *, Conversion>(op)
      .Case([&](gpu::ShuffleOp shuffle) -> Conversion {
        return WarpCall(op, context)
            .shuffle(shuffle.getValue(), shuffle.getOffset(),
                     shuffle.getWidth(), getMode(shuffle.getMode()));
      })
      .Case([&](gpu::RotateOp rotate) -> Conversion {
        WarpCall call(op, context);
        return call.shuffle(rotate.getValue(), call.i32(rotate.getOffset()),
                            call.i32(rotate.getWidth()),
                            EmulatorShuffle::Rotate);
      })
      .Case([&](NVVM::ShflOp shuffle) -> Conversion {
        return WarpCall(op, context).shuffleSync(shuffle);
      })
      .Case([&](NVVM::VoteSyncOp vote) -> Conversion {
        WarpCall call(op, context);
        return call.vote(call.toWord(vote.getMask()), vote.getPred(),
                         static_cast<EmulatorVote>(vote.getKind()));
      })
      .Case([&](ROCDL::BallotOp ballot) -> Conversion {
        WarpCall call(op, context);
        return call.vote(call.i64(-1), ballot.getPred(), EmulatorVote::Ballot);
      })
      .Case([&](NVVM::MatchSyncOp match) -> Conversion {
        return WarpCall(op, context).match(match);
      })
      .Case([&](NVVM::ReduxOp redux) -> Conversion {
        return WarpCall(op, context).redux(redux);
      })
      .Case([&](NVVM::ElectSyncOp elect) -> Conversion {
        WarpCall call(op, context);
        Value mask = elect.getMembermask() ? call.toWord(elect.getMembermask())
                                           : call.i64(0xffffffff);
        Type type = IntegerType::get(op->getContext(), 32);
        return call.replace(
            call.toBool(call.call("stencilEmulatorElect", type, mask)));
      })
      .Case([&](NVVM::SyncWarpOp sync) -> Conversion {
        WarpCall call(op, context);
        call.call("stencilEmulatorSyncWarp", Type(),
                  call.toWord(sync.getMask()));
        return call.erase();
      })
      .Default([](Operation *) { return Conversion(); });
}
