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

static LogicalResult convertShuffle(KernelWriter &b, Value value, Value offset,
                                    Value width, EmulatorShuffle mode) {
  Value lowered = b.lower(value);
  Value slot = b.spill(lowered);
  Value valid =
      b.callTogether("stencilEmulatorShuffle", b.getI32Type(),
                     {slot, b.i64(b.getBytes(lowered.getType())), offset, width,
                      b.i32(static_cast<int32_t>(mode))});
  Value loaded = LLVM::LoadOp::create(b, lowered.getType(), slot);
  return b.replace({loaded, b.toBool(valid)});
}

/// With or without whether it is valid: then the op's result is a struct.
static LogicalResult replaceByPair(KernelWriter &b, Value value, Value valid) {
  auto both = dyn_cast<LLVM::LLVMStructType>(b.op->getResult(0).getType());
  if (!both)
    return b.replace(value);
  Value result = LLVM::UndefOp::create(b, both);
  result =
      LLVM::InsertValueOp::create(b, result, value, llvm::ArrayRef<int64_t>{0});
  result = LLVM::InsertValueOp::create(b, result, b.toBool(valid), 1);
  return b.replace(result);
}

static LogicalResult convertShuffleSync(KernelWriter &b, NVVM::ShflOp shuffle) {
  Value slot = b.spill(shuffle.getVal());
  Value valid =
      b.callTogether("stencilEmulatorShuffleSync", b.getI32Type(),
                     {b.toI64(shuffle.getThreadMask()), slot,
                      shuffle.getOffset(), shuffle.getMaskAndClamp(),
                      b.i32(static_cast<int32_t>(getMode(shuffle.getKind())))});
  Type type = shuffle.getVal().getType();
  return replaceByPair(b, LLVM::LoadOp::create(b, type, slot), valid);
}

static LogicalResult convertVote(KernelWriter &b, Value mask, Value predicate,
                                 EmulatorVote kind) {
  Value bit = LLVM::ZExtOp::create(b, b.getI32Type(), predicate);
  Value bits = b.callTogether("stencilEmulatorVote", b.getI64Type(),
                              {mask, bit, b.i32(static_cast<int32_t>(kind))});
  Type type = b.op->getResult(0).getType();
  if (type.isInteger(1))
    bits = b.toBool(bits);
  else if (!type.isInteger(64))
    bits = LLVM::TruncOp::create(b, type, bits);
  return b.replace(bits);
}

static LogicalResult convertMatch(KernelWriter &b, NVVM::MatchSyncOp match) {
  bool all = match.getKind() == NVVM::MatchSyncKind::all;
  Value bits = b.callTogether(
      "stencilEmulatorMatch", b.getI64Type(),
      {b.toI64(match.getThreadMask()), b.toI64(match.getVal()), b.i32(all)});
  return replaceByPair(b, LLVM::TruncOp::create(b, b.getI32Type(), bits), bits);
}

static LogicalResult convertRedux(KernelWriter &b, NVVM::ReduxOp redux) {
  if (!redux.getVal().getType().isInteger(32))
    return redux.emitOpError("expected i32: the emulator has no other");
  return b.replace(
      b.callTogether("stencilEmulatorRedux", b.getI32Type(),
                     {b.toI64(redux.getMaskAndClamp()), redux.getVal(),
                      b.i32(static_cast<int32_t>(redux.getKind()))}));
}

Conversion stencil::emulator::convertWarpOp(KernelWriter &b) {
  return llvm::TypeSwitch<Operation *, Conversion>(b.op)
      .Case([&](gpu::ShuffleOp shuffle) {
        return convertShuffle(b, shuffle.getValue(), shuffle.getOffset(),
                              shuffle.getWidth(), getMode(shuffle.getMode()));
      })
      .Case([&](gpu::RotateOp rotate) {
        return convertShuffle(b, rotate.getValue(), b.i32(rotate.getOffset()),
                              b.i32(rotate.getWidth()),
                              EmulatorShuffle::Rotate);
      })
      .Case(
          [&](NVVM::ShflOp shuffle) { return convertShuffleSync(b, shuffle); })
      .Case([&](NVVM::VoteSyncOp vote) {
        return convertVote(b, b.toI64(vote.getMask()), vote.getPred(),
                           static_cast<EmulatorVote>(vote.getKind()));
      })
      .Case([&](ROCDL::BallotOp ballot) {
        return convertVote(b, b.i64(-1), ballot.getPred(),
                           EmulatorVote::Ballot);
      })
      .Case([&](NVVM::MatchSyncOp match) { return convertMatch(b, match); })
      .Case([&](NVVM::ReduxOp redux) { return convertRedux(b, redux); })
      .Case([&](NVVM::ElectSyncOp elect) {
        Value mask = elect.getMembermask() ? b.toI64(elect.getMembermask())
                                           : b.i64(0xffffffff);
        return b.replace(b.toBool(
            b.callTogether("stencilEmulatorElect", b.getI32Type(), mask)));
      })
      .Case([&](NVVM::SyncWarpOp sync) {
        b.callTogether("stencilEmulatorSyncWarp", Type(),
                       b.toI64(sync.getMask()));
        return b.erase();
      })
      .Default(std::nullopt);
}
