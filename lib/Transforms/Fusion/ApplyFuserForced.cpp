//===- ApplyFuserForced.cpp - Fusion that is asked for --------------------===//

#include "ApplyFuser.h"

using namespace mlir;
using namespace stencil;

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
