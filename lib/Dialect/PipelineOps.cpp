//===- PipelineOps.cpp - Kernels over rolling windows ---------------------===//

#include "StencilDialect/IR/PipelinePlan.h"
#include "mlir/IR/OpImplementation.h"

using namespace mlir;
using namespace stencil;

//===----------------------------------------------------------------------===//
// PipelineOp
//===----------------------------------------------------------------------===//

BoundsAttr PipelineOp::getDomain() {
  for (StoreOp store : getBodyBlock()->getOps<StoreOp>())
    return store.getBounds();
  return {};
}

static LogicalResult checkStage(PipelineOp op, ApplyOp stage) {
  if (stage.isBufferised())
    return stage.emitOpError("expected the value form within a "
                             "stencil.pipeline");
  if (llvm::any_of(stage.getUnrollFactors(),
                   [](int64_t factor) { return factor != 1; }))
    return stage.emitOpError("expected no 'unroll' within a stencil.pipeline");
  if (stage.getRank() != op.getRank())
    return stage.emitOpError("expected a stage of rank ")
           << op.getRank() << ", as the stores have, got " << stage.getRank();
  bool hasStage = stage->hasAttr(StageAttr::kAttrName);
  if (op.getWalkAxis() && !hasStage)
    return stage.emitOpError("expected '")
           << StageAttr::kAttrName << "' in a pipeline with an axis";
  if (!op.getWalkAxis() && hasStage)
    return stage.emitOpError("expected no '")
           << StageAttr::kAttrName << "' in a pipeline without an axis";
  return success();
}

static LogicalResult checkWindow(PipelineOp op, WindowOp window) {
  if (cast<GridType>(window.getType()).getRank() != op.getRank())
    return window.emitOpError("expected a value of rank ")
           << op.getRank() << ", as the stores have, got " << window.getType();
  if (op.getWalkAxis() && (!window.getDepth() || !window.getLead()))
    return window.emitOpError(
        "expected 'depth' and 'lead' in a pipeline with an axis");
  if (!op.getWalkAxis() && (window.getDepth() || window.getLead()))
    return window.emitOpError(
        "expected neither 'depth' nor 'lead' in a pipeline without an axis");
  return success();
}

LogicalResult PipelineOp::verifyRegions() {
  BoundsAttr domain = getDomain();
  if (!domain)
    return emitOpError("expected a stencil.store in its body");
  if (auto axis = getWalkAxis(); axis && (*axis < 0 || *axis >= getRank()))
    return emitOpError("expected an axis within the rank ")
           << getRank() << ", got " << *axis;
  for (Operation &op : *getBodyBlock()) {
    if (!isa<LoadOp, StoreOp, ApplyOp, WindowOp, AccumulateOp>(op))
      return op.emitOpError("is no op of the body of a stencil.pipeline, which "
                            "has loads, applies, windows, accumulations and "
                            "stores");
    if (auto store = dyn_cast<StoreOp>(op);
        store && store.getBounds() != domain)
      return store.emitOpError("expected the box of the first store of the "
                               "pipeline, ")
             << domain << ", got " << store.getBounds();
    if (auto stage = dyn_cast<ApplyOp>(op);
        stage && failed(checkStage(*this, stage)))
      return failure();
    if (auto window = dyn_cast<WindowOp>(op);
        window && failed(checkWindow(*this, window)))
      return failure();
  }
  return success(succeeded(PipelinePlan::create(*this)));
}

//===----------------------------------------------------------------------===//
// WindowOp and AccumulateOp
//===----------------------------------------------------------------------===//

LogicalResult WindowOp::verify() {
  constexpr int64_t kMaxDepth = 1024;
  if (auto depth = getDepth();
      depth && (depth->getSExtValue() < 1 || depth->getSExtValue() > kMaxDepth))
    return emitOpError("expected a depth from 1 to ")
           << kMaxDepth << ", got " << depth->getSExtValue();
  if (auto lead = getLead(); lead && std::abs(lead->getSExtValue()) > kMaxDepth)
    return emitOpError("expected a lead of at most ")
           << kMaxDepth << " planes, got " << lead->getSExtValue();
  return success();
}

LogicalResult AccumulateOp::verify() {
  if (getTerms().empty())
    return emitOpError("expected a term");
  ArrayRef<int64_t> planes = getPlanes();
  if (planes.size() != getTerms().size())
    return emitOpError("expected as many planes as terms, ")
           << getTerms().size() << ", got " << planes.size();
  for (size_t i = 1; i < planes.size(); ++i)
    if (planes[i - 1] >= planes[i])
      return emitOpError("expected strictly increasing planes, got ")
             << planes[i - 1] << " before " << planes[i];
  Type element = cast<GridType>(getRes().getType()).getElementType();
  if (!WeightedSumOp::isSummable(element))
    return emitOpError("expected floats, or integers of more than one bit, "
                       "got ")
           << element;
  return success();
}
