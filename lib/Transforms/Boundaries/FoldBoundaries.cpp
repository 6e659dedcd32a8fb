//===- FoldBoundaries.cpp - Boundary conditions to windows ----------------===//
//
// Before:
//   stencil.boundary %u
//   stencil.pipeline { shared windows of %u; stores to %v }
// After:
//   stencil.pipeline { shared windows of %u with the boundary; stores to %v }
//   stencil.boundary %u
//
// and in a time loop without the boundary op but in the last steps
// (FoldedLoops.cpp).
//
//===----------------------------------------------------------------------===//

#include "FoldedLoops.h"
#include "StencilDialect/Analysis/FieldAlias.h"
#include "StencilDialect/Analysis/ProgramCheck.h"
#include "StencilDialect/Analysis/SymbolicExtents.h"
#include "StencilDialect/IR/OpWalks.h"
#include "StencilDialect/IR/PipelinePlan.h"
#include "StencilDialect/IR/Remarks.h"
#include "StencilDialect/IR/Schedule.h"
#include "StencilDialect/Transforms/Passes.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/MapVector.h"

namespace stencil {
#define GEN_PASS_DEF_STENCILFOLDBOUNDARIES
#include "StencilDialect/Transforms/Passes.h.inc"
} // namespace stencil

using namespace mlir;
using namespace stencil;

namespace {

/// Folds boundary ops into the windows of one pipeline.
class Folder {
public:
  Folder(PipelineOp op, FieldAliasAnalysis &aliases)
      : op(op), aliases(aliases) {}

  /// Appends those that are folded. Fails with an error at the pipeline if one
  /// cannot be.
  LogicalResult run(SmallVectorImpl<BoundaryOp> &folded);

private:
  bool touches(Operation *other, Value field);
  bool isBlind(Operation *other, BoundaryOp boundary);
  BoundaryOp findBoundary(LoadOp load, SmallVectorImpl<Operation *> &between);
  LogicalResult fold(BoundaryOp boundary);
  LogicalResult refuse(BoundaryOp boundary, const Twine &reason);
  LogicalResult checkWindow(WindowOp window, BoundaryOp boundary,
                            const PipelinePlan &plan);

  PipelineOp op;
  FieldAliasAnalysis &aliases;
};

struct FoldBoundaries
    : stencil::impl::StencilFoldBoundariesBase<FoldBoundaries> {
  void runOnOperation() override;
};

} // namespace

LogicalResult Folder::refuse(BoundaryOp boundary, const Twine &reason) {
  return withNote(op.emitOpError("expected 'boundary = kernel', got 'window': ")
                      << reason,
                  boundary.getLoc(), "the halo is filled here");
}

/// Whether an op, or one inside of it, may use the memory of a field.
bool Folder::touches(Operation *other, Value field) {
  return anyWithin(*other, [&](Operation *inner) {
    return !isa<CastOp>(inner) &&
           llvm::any_of(inner->getOperands(), [&](Value operand) {
             return isa<FieldType, MemRefType>(operand.getType()) &&
                    aliases.mayAlias(operand, field);
           });
  });
}

/// Whether something is needed beyond the box, for extents of any kind.
static bool readsHalo(const PipelinePlan &plan, LoadOp load, BoundsAttr box) {
  return plan.isNeeded(load.getRes()) &&
         box.getRank() == plan.getDomain().getRank() &&
         !isSurelyWithin(getNeeded(plan, load), box);
}

/// Whether an op is a pipeline to which it makes no difference if the halo is
/// filled before or after it: such as that of another region of the box.
bool Folder::isBlind(Operation *other, BoundaryOp boundary) {
  auto pipeline = dyn_cast<PipelineOp>(other);
  FailureOr<PipelinePlan> plan = failure();
  if (pipeline)
    plan = PipelinePlan::create(pipeline);
  if (failed(plan))
    return false;
  for (Operation &inner : *pipeline.getBodyBlock()) {
    if (!touches(&inner, boundary.getField()))
      continue;
    auto load = dyn_cast<LoadOp>(inner);
    if (!load || load.getField().getType() != boundary.getField().getType() ||
        readsHalo(*plan, load, boundary.getBounds()))
      return false;
  }
  return true;
}

/// The boundary op before the pipeline that fills the halo of a field; null if
/// there is none in its block. `between` is what uses the field after it.
BoundaryOp Folder::findBoundary(LoadOp load,
                                SmallVectorImpl<Operation *> &between) {
  for (Operation *other = op->getPrevNode(); other;
       other = other->getPrevNode()) {
    auto boundary = dyn_cast<BoundaryOp>(other);
    if (boundary && aliases.mustAlias(boundary.getField(), load.getField())) {
      llvm::erase_if(between,
                     [&](Operation *user) { return isBlind(user, boundary); });
      return boundary;
    }
    if (touches(other, load.getField()))
      between.push_back(other);
  }
  return {};
}

/// Whether the boundary that a window has now can be computed in it.
LogicalResult Folder::checkWindow(WindowOp window, BoundaryOp boundary,
                                  const PipelinePlan &plan) {
  OffsetBox reach = plan.getReach(window);
  for (size_t axis = 0; axis < reach.lower.size(); ++axis)
    for (bool upper : {false, true}) {
      int64_t halo = upper ? reach.upper[axis] : reach.lower[axis];
      Attribute condition = window.getCondition(axis, upper);
      if (isSymbolic(halo))
        return refuse(boundary, "how far the pipeline reaches beyond its box "
                                "is not known");
      if (halo > 0 && getHaloRule(condition).isPolynomial())
        return refuse(boundary, "an extrapolation takes each value from "
                                "several points");
    }
  return success();
}

/// Gives a boundary to all windows of its field.
LogicalResult Folder::fold(BoundaryOp boundary) {
  FailureOr<PipelinePlan> plan = PipelinePlan::create(op);
  if (failed(plan))
    return failure();
  for (StoreOp store : op.getBodyBlock()->getOps<StoreOp>())
    if (aliases.mayAlias(store.getField(), boundary.getField()))
      return refuse(boundary, "the pipeline stores to the field");
  for (LoadOp load : op.getBodyBlock()->getOps<LoadOp>()) {
    if (!aliases.mayAlias(load.getField(), boundary.getField()))
      continue;
    // Casts of one memory may number its points in different ways.
    if (!aliases.mustAlias(load.getField(), boundary.getField()) ||
        load.getField().getType() != boundary.getField().getType())
      return refuse(boundary, "a field that may be the same is read as one "
                              "with another box, or chosen at run time");
    for (Operation *user : load->getUsers()) {
      auto window = dyn_cast<WindowOp>(user);
      if (window && !plan->isNeeded(window.getRes()))
        continue;
      if (!window || window.getSpace() != Space::Shared)
        return refuse(boundary,
                      "the field is read without a shared window, too");
      if (window.hasBoundary())
        return refuse(boundary, "a window has a boundary already");
      window.setBoundary(boundary.getBounds(), boundary.getConditions());
      if (failed(checkWindow(window, boundary, *plan)))
        return failure();
    }
  }
  boundary->moveAfter(op);
  return success();
}

LogicalResult Folder::run(SmallVectorImpl<BoundaryOp> &folded) {
  FailureOr<PipelinePlan> plan = PipelinePlan::create(op);
  if (failed(plan))
    return failure();
  llvm::SmallSetVector<BoundaryOp, 4> boundaries;
  for (LoadOp load : op.getBodyBlock()->getOps<LoadOp>()) {
    SmallVector<Operation *> between;
    BoundaryOp boundary = findBoundary(load, between);
    if (!boundary || !readsHalo(*plan, load, boundary.getBounds()))
      continue;
    if (!between.empty())
      return refuse(boundary, "'" + between.back()->getName().getStringRef() +
                                  "' uses the field before the pipeline");
    boundaries.insert(boundary);
  }
  for (BoundaryOp boundary : boundaries) {
    if (failed(fold(boundary)))
      return failure();
    if (!llvm::is_contained(folded, boundary))
      folded.push_back(boundary);
  }
  return success();
}

/// The pipelines that are to apply boundary conditions; they forget that they
/// were asked.
static SmallVector<PipelineOp> takeRequests(ModuleOp module) {
  SmallVector<PipelineOp> pipelines;
  module.walk([&](PipelineOp op) {
    auto schedule = ScheduleAttr::of(op);
    if (!schedule || !schedule.getBoundary())
      return;
    if (schedule.getBoundary() == BoundaryPlace::Window)
      pipelines.push_back(op);
    ScheduleKeys keys(schedule);
    keys.boundary.reset();
    keys.give(op);
  });
  return pipelines;
}

void FoldBoundaries::runOnOperation() {
  SmallVector<PipelineOp> pipelines = takeRequests(getOperation());
  if (pipelines.empty())
    return;
  if (failed(checkProgram(getOperation())))
    return signalPassFailure();
  SmallVector<BoundaryOp> folded;
  FieldAliasAnalysis aliases;
  for (PipelineOp op : pipelines)
    if (failed(Folder(op, aliases).run(folded)))
      return signalPassFailure();
  llvm::MapVector<Operation *, SmallVector<BoundaryOp>> byLoop;
  for (BoundaryOp boundary : folded)
    byLoop[boundary->getParentOp()].push_back(boundary);
  for (auto &[parent, boundaries] : byLoop) {
    auto loop = dyn_cast<scf::ForOp>(parent);
    std::string why = "it is not in a scf.for";
    Location loc = boundaries.front().getLoc();
    if (loop && succeeded(dropBoundaries(loop, boundaries, why)))
      remarkPassed(
          loc, "Boundaries", "Folded",
          "windows have the conditions; the halo is written in the last "
          "steps only");
    else
      remarkMissed(
          loc, "Boundaries", "KeptInMemory",
          "windows have the conditions, and the halo is written all the "
          "same: " +
              why);
  }
}
