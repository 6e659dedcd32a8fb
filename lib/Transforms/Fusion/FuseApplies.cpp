//===- FuseApplies.cpp - Fewer applies that move less memory --------------===//
//
// stencil-fuse-applies: producers go into their consumers, siblings become one.
//
//   %l = stencil.apply(%x = %t) { ... return %lap }
//   %r = stencil.apply(%y = %l) { %a = access %y[-1]; %b = access %y[1]; ... }
// ==>
//   %r = stencil.apply(%x = %t) {
//     ... %lap at one of the offsets
//     %b = stencil.weighted_sum %lap offsets [[2]] weights dense<1.0>
//   }
//
// What is legal and what pays says Analysis/Fusion, in which order pairs are
// looked at says ApplyFuser, what is rewritten is in ApplyFusion.
//
//===----------------------------------------------------------------------===//

#include "ApplyFuser.h"
#include "StencilDialect/Analysis/ProgramCheck.h"
#include "StencilDialect/IR/Locations.h"
#include "StencilDialect/IR/OpWalks.h"
#include "StencilDialect/Transforms/Passes.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/StringSet.h"

namespace stencil {
#define GEN_PASS_DEF_STENCILFUSEAPPLIES
#include "StencilDialect/Transforms/Passes.h.inc"
} // namespace stencil

using namespace mlir;
using namespace stencil;

//===----------------------------------------------------------------------===//
// Fusion that is asked for
//===----------------------------------------------------------------------===//

static LogicalResult emitCannot(ApplyOp apply, const char *what,
                                const Obstacle &obstacle) {
  InFlightDiagnostic diag = apply.emitOpError("cannot be ")
                            << what << " as asked: " << obstacle.reason;
  if (obstacle.op)
    diag.attachNote(obstacle.op->getLoc()) << "because of this";
  return diag;
}

LogicalResult Fuser::forceProducer(ApplyOp producer) {
  constexpr const char *what = "fused into its consumers";
  // Dividing a reader may remove combines: one at a time.
  auto findReader = [&]() -> std::pair<ApplyOp, CombineOp> {
    for (Operation *user : producer->getUsers())
      if (auto combine = dyn_cast<CombineOp>(user))
        for (ApplyOp reader : getConsumers(combine))
          return {reader, combine};
    return {};
  };
  for (auto [reader, combine] = findReader(); reader;
       std::tie(reader, combine) = findReader()) {
    if (auto obstacle = tryCombine(reader, combine, /*isForced=*/true))
      return emitCannot(producer, what, *obstacle);
  }
  SmallVector<ApplyOp> consumers = getConsumers(producer);
  if (consumers.empty()) {
    Obstacle obstacle{"no stencil.apply reads its results", nullptr};
    for (Operation *user : producer->getUsers())
      if (isa<BufferOp>(user))
        obstacle = {"a stencil.buffer is in between", user};
    return emitCannot(producer, what, obstacle);
  }
  for (ApplyOp consumer : consumers)
    if (wishes.isForbidden(producer, consumer))
      return emitCannot(producer, what, {"it is forbidden, too", consumer});
  FusionVerdict verdict =
      analysis.judgeProducer(producer, consumers, /*isForced=*/true);
  if (verdict.kind == FusionVerdict::Illegal)
    return emitCannot(producer, what, verdict.obstacle);
  fuse(producer, consumers, verdict);
  return success();
}

LogicalResult Fuser::forceSiblings(ApplyOp a, ApplyOp b) {
  constexpr const char *what = "merged with its sibling";
  if (a->getBlock() == b->getBlock() && b->isBeforeInBlock(a))
    std::swap(a, b);
  if (wishes.isForbidden(a, b))
    return emitCannot(a, what, {"it is forbidden, too", b});
  FusionVerdict verdict = analysis.judgeSiblings(a, b, /*isForced=*/true);
  if (verdict.kind == FusionVerdict::Illegal)
    return emitCannot(a, what, verdict.obstacle);
  fuse(a, b, verdict);
  return success();
}

ApplyOp Fuser::find(StringRef name) {
  for (ApplyOp apply : collect())
    if (hasName(apply, name))
      return apply;
  return {};
}

LogicalResult Fuser::force() {
  for (StringRef wish : wishes.force) {
    auto [first, second] = wish.split('+');
    if (second.empty()) {
      for (ApplyOp apply : collect())
        if (alive.contains(apply) && hasName(apply, first) &&
            failed(forceProducer(apply)))
          return failure();
      continue;
    }
    ApplyOp a = find(first), b = find(second);
    if (!a && !b)
      continue;
    if (!a || !b || a == b) {
      (a ? a : b).emitOpError("cannot be merged as asked: expected '")
          << first << "' and '" << second << "' in one function";
      return failure();
    }
    if (failed(forceSiblings(a, b)))
      return failure();
  }
  return success();
}

namespace {
struct FuseApplies : stencil::impl::StencilFuseAppliesBase<FuseApplies> {
  using StencilFuseAppliesBase::StencilFuseAppliesBase;

  LogicalResult checkOptions();
  void runOnOperation() override;
};
} // namespace

LogicalResult FuseApplies::checkOptions() {
  ModuleOp module = getOperation();
  auto check = [&](const char *name, double value) -> LogicalResult {
    if (value > 0)
      return success();
    return emitError(getStart(module))
           << "expected a positive " << name << ", got " << value;
  };
  if (failed(check("balance", balance)) || failed(check("gain", gain)))
    return failure();
  llvm::StringSet<llvm::MallocAllocator> names;
  module.walk([&](ApplyOp apply) {
    if (apply.isBufferised())
      return;
    for (StringRef name : llvm::split(getApplyName(apply), '+'))
      names.insert(name);
  });
  for (StringRef wish : llvm::concat<const std::string>(*force, *forbid))
    for (StringRef name : llvm::split(wish, '+'))
      if (!names.contains(name))
        return emitError(getStart(module))
               << "expected the name of a stencil.apply (attribute "
               << kApplyNameAttr << ") that is not bufferised, got '" << name
               << "'";
  return success();
}

void FuseApplies::runOnOperation() {
  if (failed(checkOptions()) || failed(checkProgram(getOperation())))
    return signalPassFailure();
  FailureOr<ShapeInference> shapes = ShapeInference::compute(getOperation());
  if (failed(shapes))
    return signalPassFailure();
  FusionLimits limits;
  limits.balance = balance;
  limits.gain = gain;
  limits.maxRegisters = maxRegisters;
  limits.maxOps = maxOps;
  FusionWishes wishes;
  llvm::append_range(wishes.force, force);
  llvm::append_range(wishes.forbid, forbid);
  auto fuse = [&](FunctionOpInterface function) -> WalkResult {
    if (function.isExternal())
      return WalkResult::skip();
    Fuser fuser(function, *shapes, limits, wishes);
    if (failed(fuser.force()))
      return WalkResult::interrupt();
    if (automatic)
      fuser.run();
    return WalkResult::skip();
  };
  if (failed(checkWithin<WalkOrder::PreOrder>(getOperation(), fuse)))
    signalPassFailure();
}
