//===- MapRelay.cpp - Stages in legs --------------------------------------===//
//
//   %w = window shared %load
//   %q0 = window shuffle ..., %1 = apply(%q0) {f}, ..., %4 = apply(%q3) {f}
//   ...                              ... three more times ...
//   store %16
//     ==> %w = window shared %load
//         %q = window shuffle %w, %1 = apply(%q) {f}, ..., %4 = apply(...) {f}
//         %h = window shared %4 depth 2 lead 1
//         store %h
//
// where %q is not filled from %w, but by a tile.take: in the first leg from %w,
// in the others from %h of the leg before. So there is the code of one leg, and
// the registers.
//
//===----------------------------------------------------------------------===//

#include "StencilDialect/Analysis/RelayLegs.h"
#include "StencilToTile.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace stencil;

FailureOr<OffsetBox> stencil::cutLegs(PipelineOp op, int64_t legs) {
  auto plan = PipelinePlan::create(op);
  if (failed(plan))
    return failure();
  auto found = RelayLegs::find(op, *plan, legs);
  if (failed(found))
    return failure();
  Block *body = op.getBodyBlock();
  ArrayRef<ApplyOp> stages = found->stages;
  StoreOp store = found->store;
  WindowOp shared = found->shared;
  size_t length = stages.size() / legs;
  OffsetBox needs = plan->get(found->load.getRes()).needs;
  // The stages of the last leg are a plane ahead, which the ring at its end has
  // until it is stored.
  MLIRContext *context = op.getContext();
  auto getIndex = [&](int64_t value) {
    return mlir::IntegerAttr::get(IndexType::get(context), value);
  };
  // What the leg before makes, the last one takes.
  Value taken = found->made[stages.size() - length - 1];
  int64_t lag = plan->get(taken).lead + 1;
  for (WindowOp window : body->getOps<WindowOp>())
    if (window.getTemp() == taken)
      window.getTempMutable().assign(shared.getRes());
  for (ApplyOp stage : stages.take_back(length))
    stage->setAttr(StageAttr::kAttrName,
                   StageAttr::get(context, plan->getLead(stage) + 1));
  OpBuilder builder(store);
  Value result = found->made.back();
  auto handed = WindowOp::create(builder, store.getLoc(), result, Space::Shared,
                                 /*depth=*/2, /*lead=*/0);
  store.getTempMutable().assign(handed.getRes());
  for (Operation &inner : llvm::make_early_inc_range(llvm::reverse(*body)))
    if (isOpTriviallyDead(&inner) || (isa<ApplyOp>(inner) && inner.use_empty()))
      inner.erase();
  for (WindowOp window : llvm::make_early_inc_range(body->getOps<WindowOp>())) {
    if (window != shared)
      window.setLeadAttr(getIndex(window.getLead()->getSExtValue() + 1));
  }
  shared.setLeadAttr(getIndex(lag + shared.getDepth()->getSExtValue() - 1));
  return needs;
}
