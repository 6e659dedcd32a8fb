//===- RotateBoundaries.cpp - Periodic halos with what is stored ----------===//
//
// Before:
//   scf.for (%u = %a, %v = %b) {
//     stencil.boundary %u
//     stencil.apply ... outs (%v)
//     scf.yield %v, %u
//   }
// After:
//   if there is a step: stencil.boundary %a
//   scf.for, all steps but the last (%u = %a, %v = %b) {
//     stencil.apply ... outs (%v)
//     stencil.boundary %v
//     scf.yield %v, %u
//   }
//   the last step, without a boundary
//
// The same is done in the same order. On a GPU the boundary op is part of the
// kernel of the apply, which has at hand what the halo is filled with.
//
//===----------------------------------------------------------------------===//

#include "Programs/LoopSteps.h"
#include "Schedules/FormBook.h"
#include "StencilDialect/Analysis/PeriodicImages.h"
#include "StencilDialect/IR/Footprint.h"
#include "StencilDialect/IR/OpWalks.h"
#include "StencilDialect/IR/Remarks.h"
#include "StencilDialect/IR/Schedule.h"
#include "StencilDialect/IR/Target.h"
#include "StencilDialect/Transforms/Passes.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace stencil {
#define GEN_PASS_DEF_STENCILROTATEBOUNDARIES
#include "StencilDialect/Transforms/Passes.h.inc"
} // namespace stencil

using namespace mlir;
using namespace stencil;

namespace {

/// Rotates one loop.
class Rotator {
public:
  explicit Rotator(scf::ForOp loop) : loop(loop) {}

  /// Why its step is not boundary ops and an apply that can stand for them, if
  /// it has boundary ops; empty if it is.
  std::string findObstacle();
  ArrayRef<BoundaryOp> getBoundaries() const { return boundaries; }
  ApplyOp getApply() const { return apply; }
  void rotate();

private:
  std::string findOps();
  /// What carried fields are in the next step.
  IRMapping mapToNext() {
    IRMapping mapping;
    mapping.map(loop.getRegionIterArgs(), loop.getYieldedValues());
    return mapping;
  }

  scf::ForOp loop;
  SmallVector<BoundaryOp> boundaries;
  ApplyOp apply;
};

} // namespace

std::string Rotator::findOps() {
  llvm::append_range(boundaries, loop.getBody()->getOps<BoundaryOp>());
  for (Operation &op : loop.getBody()->without_terminator()) {
    if (op.getNumRegions() == 0 && isMemoryEffectFree(&op))
      continue;
    if (isa<BoundaryOp>(op) && !apply)
      continue;
    auto own = dyn_cast<ApplyOp>(op);
    if (!own || apply || !own.isBufferised())
      return "a step is not one apply behind its boundary ops";
    apply = own;
  }
  return apply ? "" : "a step computes nothing";
}

std::string Rotator::findObstacle() {
  std::string why = findOps();
  if (!why.empty())
    return why;
  if (loop.getUnsignedCmp())
    return "the loop counts without sign";
  FieldAliasAnalysis aliases;
  IRMapping next = mapToNext();
  for (BoundaryOp boundary : boundaries) {
    Value field = boundary.getField();
    if (!llvm::is_contained(loop.getRegionIterArgs(), field))
      return "the boundary is not of a field that the loop carries";
    why = explainNoImages(apply, next.lookup(field), boundary, aliases);
    if (!why.empty())
      return why;
  }
  return "";
}

/// Where the schedule of an apply says that boundary conditions are applied.
static std::optional<BoundaryPlace> getPlace(ApplyOp apply) {
  auto schedule = ScheduleAttr::of(apply);
  return schedule ? schedule.getBoundary() : std::nullopt;
}

static void setPlace(ApplyOp apply, std::optional<BoundaryPlace> place) {
  ScheduleKeys keys(ScheduleAttr::of(apply));
  keys.boundary = place;
  keys.give(apply);
}

void Rotator::rotate() {
  OpBuilder builder(loop);
  Location loc = loop.getLoc();
  Value zero = arith::ConstantIndexOp::create(builder, loc, 0);
  Value hasSteps = arith::CmpIOp::create(
      builder, loc, arith::CmpIPredicate::sgt, countSteps(builder, loop), zero);
  IRMapping copies = splitLastSteps(loop, 1);
  auto branch = scf::IfOp::create(builder, loc, hasSteps);
  OpBuilder before = branch.getThenBodyBuilder();
  IRMapping start, next = mapToNext();
  start.map(loop.getRegionIterArgs(), loop.getInitArgs());
  for (BoundaryOp boundary : boundaries)
    before.clone(*boundary, start);
  setPlace(apply, BoundaryPlace::Store);
  setPlace(cast<ApplyOp>(copies.lookup(apply.getOperation())), std::nullopt);
  for (BoundaryOp boundary : boundaries) {
    copies.lookup(boundary.getOperation())->erase();
    boundary->moveBefore(loop.getBody()->getTerminator());
    boundary.getFieldMutable().assign(next.lookup(boundary.getField()));
  }
}

/// Whether a boundary op behind an apply fills the halo of what it stores to.
static bool isFollowed(ApplyOp apply) {
  for (Operation *op = apply->getNextNode(); op; op = op->getNextNode())
    if (auto boundary = dyn_cast<BoundaryOp>(op))
      if (llvm::is_contained(apply.getDest(), boundary.getField()))
        return true;
  return false;
}

namespace {
struct RotateBoundaries
    : stencil::impl::StencilRotateBoundariesBase<RotateBoundaries> {
  void runOnOperation() override;

private:
  LogicalResult rotate(scf::ForOp loop);
  bool isWanted(ApplyOp apply) const;

  const TargetInfo *target = nullptr;
};
} // namespace

/// Whether the apply is to store halos: it was asked to, or it is one of those
/// for which that is chosen.
bool RotateBoundaries::isWanted(ApplyOp apply) const {
  if (auto place = getPlace(apply))
    return place == BoundaryPlace::Store;
  auto schedule = ScheduleAttr::of(apply);
  if (!target || (schedule && schedule.needsPipeline()))
    return false;
  FormFacts facts("step");
  int64_t reads = 0;
  Footprint(apply).forEachRead([&](const InputRead &) { ++reads; });
  facts.taps = reads;
  FoundForm form = FormBook().find(facts, *target, apply.getContext());
  return form && form.schedule.getBoundary() == BoundaryPlace::Store;
}

LogicalResult RotateBoundaries::rotate(scf::ForOp loop) {
  Rotator rotator(loop);
  std::string why = rotator.findObstacle();
  bool holds = why.empty();
  if (rotator.getBoundaries().empty())
    return success();
  BoundaryOp first = rotator.getBoundaries().front();
  for (ApplyOp apply : loop.getBody()->getOps<ApplyOp>())
    if (getPlace(apply) == BoundaryPlace::Store && !holds)
      return withNote(
          apply.emitOpError("expected a step of a loop whose halos it "
                            "can store for 'boundary = store': ")
              << why,
          first.getLoc(), "the boundary op is here");
  if (!holds || !isWanted(rotator.getApply()))
    return success();
  rotator.rotate();
  remarkPassed(
      first.getLoc(), "Boundaries", "Rotated",
      "what stores to the field fills its periodic halo, too, in all steps "
      "but the last");
  return success();
}

void RotateBoundaries::runOnOperation() {
  target = findTarget(getOperation());
  for (scf::ForOp loop : listWithin<scf::ForOp>(getOperation()))
    if (failed(rotate(loop)))
      return signalPassFailure();
  // Where there is nothing to store.
  getOperation()->walk([&](ApplyOp apply) {
    if (getPlace(apply) == BoundaryPlace::Store && !isFollowed(apply))
      setPlace(apply, std::nullopt);
  });
}
