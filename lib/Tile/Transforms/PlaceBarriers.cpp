//===- PlaceBarriers.cpp - Barriers between writers and readers -----------===//

#include "RingEvents.h"
#include "StencilDialect/IR/Remarks.h"
#include "StencilDialect/Tile/Passes.h"
#include "WalkExpander.h"
#include "mlir/IR/Builders.h"
#include "llvm/ADT/StringExtras.h"
#include <set>

namespace stencil {
#define GEN_PASS_DEF_STENCILPLACEBARRIERS
#include "StencilDialect/Tile/Passes.h.inc"
} // namespace stencil

using namespace mlir;
using namespace stencil;
using namespace stencil::tile;

/// What no other barrier is there for. One reason per ring and kind: others are
/// of the same planes.
static std::string explain(ArrayRef<BarrierNeed> needs, ArrayRef<int64_t> gaps,
                           int64_t gap) {
  SmallVector<std::string> reasons;
  std::set<std::tuple<int64_t, int64_t, RingAccess>> seen;
  for (const BarrierNeed &need : needs) {
    bool isMet = need.isMetBy(gap);
    bool isMetByOthers = llvm::any_of(gaps, [&](int64_t other) {
      return other != gap && need.isMetBy(other);
    });
    if (isMet && !isMetByOthers &&
        seen.insert({need.firstRing->number, need.secondRing->number,
                     need.second->access})
            .second)
      reasons.push_back(need.describe());
  }
  return llvm::join(reasons, "; ");
}

namespace {

/// Where a barrier is missing.
struct Place {
  Operation *before;
  bool isForPatches;
  std::string why;
};

} // namespace

/// Finds the barriers that are missing beside those in `gaps`, without patches
/// or because of them.
static LogicalResult findPlaces(KernelOp kernel, bool forPatches,
                                std::vector<int64_t> &gaps,
                                std::vector<Place> &places) {
  auto program = BlockProgram::create(kernel, forPatches);
  if (failed(program))
    return failure();
  if (!program->whyNoBatch.empty() && !forPatches)
    remarkMissed(kernel.getLoc(), "Barriers", "Planes",
                 "barriers are for one plane each: " + program->whyNoBatch);
  llvm::append_range(program->barriers, gaps);
  std::vector<BarrierNeed> needs = findNeeds(*program);
  std::vector<int64_t> found = chooseGaps(*program, needs);
  for (int64_t gap : found)
    places.push_back({&*std::next(program->body->begin(), gap), forPatches,
                      explain(needs, found, gap)});
  llvm::append_range(gaps, found);
  return success();
}

/// Whether a kernel lacked barriers, which it has then.
static FailureOr<bool> placeBarriers(KernelOp kernel) {
  std::vector<int64_t> gaps;
  std::vector<Place> places;
  // Blocks that patch nothing have a walk without patches, and without the
  // barriers that are there for them alone.
  for (bool forPatches : {false, true})
    if ((!forPatches || hasPatches(kernel)) &&
        failed(findPlaces(kernel, forPatches, gaps, places)))
      return failure();
  for (const Place &place : places) {
    OpBuilder builder(place.before);
    Location loc = place.before->getLoc();
    BarrierOp::create(builder, loc, place.isForPatches);
    remarkPassed(loc, "Barriers", "Barrier", place.why);
  }
  return !places.empty();
}

/// Barriers of an expanded kernel stay.
static bool isExpanded(KernelOp kernel) {
  Block *body = kernel.getBodyBlock();
  return (kernel.getGrid().getWalk() && body->getOps<WalkOp>().empty()) ||
         !body->getOps<AtEdgeOp>().empty();
}

namespace {

struct PlaceBarriers : stencil::impl::StencilPlaceBarriersBase<PlaceBarriers> {
  void runOnOperation() override {
    bool isChanged = false;
    auto isDone = getOperation().walk([&](KernelOp kernel) {
      if (isExpanded(kernel))
        return WalkResult::skip();
      FailureOr<bool> hasPlaced = placeBarriers(kernel);
      if (failed(hasPlaced))
        return WalkResult::interrupt();
      isChanged |= *hasPlaced;
      return WalkResult::skip();
    });
    if (isDone.wasInterrupted())
      signalPassFailure();
    // What is as it was needs no verification.
    if (!isChanged)
      markAllAnalysesPreserved();
  }
};

} // namespace
