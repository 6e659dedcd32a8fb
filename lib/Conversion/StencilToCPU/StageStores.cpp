//===- StageStores.cpp - When a pipeline stores on a CPU ------------------===//
//
//   %r = stencil.apply ... stage<lead = 1>    computed on a tile and its halo
//   %w = stencil.window shared %r             read by others at neighbours
//   stencil.store %r to %u
//     ==>
//   %c = stencil.apply(%a = %r) { return %a }    for plane p
//   stencil.store %c to %u
//
//===----------------------------------------------------------------------===//

#include "StageStores.h"
#include "GatherSums.h"
#include "StencilDialect/IR/Casts.h"

using namespace mlir;
using namespace stencil;

static bool readsField(ApplyOp stage, Value field) {
  return llvm::any_of(stage.getArgs(), [&](Value arg) {
    auto load = isa<GridType>(arg.getType())
                    ? getSource(arg).getDefiningOp<LoadOp>()
                    : LoadOp();
    return load && lookThroughCasts(load.getField()) == field;
  });
}

/// Whether a stage reads the field of a store after `stored` has stored there.
static bool isTooEarly(StoreOp store, const PlannedStage &stored,
                       const PipelineWalk &walk) {
  Value field = lookThroughCasts(store.getField());
  bool isBehind = false;
  for (const PlannedStage &stage : walk.getStages()) {
    if ((stage.lead < stored.lead || (stage.lead == stored.lead && isBehind)) &&
        readsField(stage.op, field))
      return true;
    isBehind |= stage.op == stored.op;
  }
  return false;
}

/// A stage that makes what another one has made.
static ApplyOp copyResult(Value result, PipelineOp op, RewriterBase &rewriter) {
  Location loc = result.getLoc();
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPointToEnd(op.getBodyBlock());
  auto copy =
      ApplyOp::create(rewriter, loc, TypeRange(result.getType()), result);
  // What is written of it is that of its source; a CPU takes it as late as it
  // can.
  if (Attribute lead = result.getDefiningOp()->getAttr(StageAttr::kAttrName))
    copy->setAttr(StageAttr::kAttrName, lead);
  rewriter.setInsertionPointToEnd(copy.getBodyBlock());
  SmallVector<int64_t> here(op.getRank(), 0);
  Value value = AccessOp::create(rewriter, loc,
                                 copy.getBodyBlock()->getArgument(0), here);
  ReturnOp::create(rewriter, loc, value, stencil::IndexAttr());
  return copy;
}

/// A stage stores where it computes. Where that is more than what is stored, or
/// too early for somebody who reads the field, a stage at the end of the
/// pipeline copies its result, and that is stored. Returns whether there are
/// such; fails with an error at what cannot be copied.
static FailureOr<bool> delayStores(PipelineOp op, const PipelineWalk &walk,
                                   RewriterBase &rewriter) {
  bool isChanged = false;
  for (const PlannedStage &stage : walk.getStages())
    for (const StageResult &result : stage.results) {
      auto isEarly = [&](StoreOp store) {
        return isTooEarly(store, stage, walk);
      };
      if (result.stores.empty() ||
          (stage.needs.isZero() && llvm::none_of(result.stores, isEarly)))
        continue;
      ApplyOp apply = stage.op;
      auto made = cast<OpResult>(result.value);
      if (Value returned = apply.getBodyBlock()->getTerminator()->getOperand(
              made.getResultNumber());
          isa<ResultType>(returned.getType()))
        return StoreOp(result.stores.front())
            .emitOpError("has no CPU lowering: expected a value at each point "
                         "of what is stored when others have read it");
      ApplyOp copy = copyResult(made, op, rewriter);
      for (StoreOp store : result.stores)
        rewriter.modifyOpInPlace(store, [&] {
          store->moveAfter(copy);
          store.getTempMutable().assign(copy.getRes().front());
        });
      isChanged = true;
    }
  return isChanged;
}

FailureOr<PipelineWalk> stencil::prepareWalk(PipelineOp op,
                                             RewriterBase &rewriter) {
  gatherSums(op, rewriter);
  FailureOr<PipelineWalk> walk = PipelineWalk::create(op);
  if (failed(walk))
    return failure();
  FailureOr<bool> isDelayed = delayStores(op, *walk, rewriter);
  if (failed(isDelayed))
    return failure();
  return *isDelayed ? PipelineWalk::create(op) : std::move(walk);
}
