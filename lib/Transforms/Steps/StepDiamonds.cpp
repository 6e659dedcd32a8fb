//===- StepDiamonds.cpp - Steps of a time loop in diamonds ----------------===//
//
// What is proven of the loop as the program has it: a step is applies on one
// box, which are functions of fields around their points, and halos of the same
// box. In which order points are computed then is the loop's
// (`stencil.diamonds`), and is carried out where applies become loops
// (DiamondsToLoops.cpp).
//
//===----------------------------------------------------------------------===//

#include "StepDiamonds.h"
#include "StencilDialect/IR/Footprint.h"
#include "StencilDialect/IR/HaloRule.h"
#include "StepComposition.h"

using namespace mlir;
using namespace stencil;

bool stencil::keepsAll(BoundaryOp boundary) {
  return llvm::all_of(boundary.getConditions(), [](Attribute condition) {
    return getHaloRule(condition).isKept();
  });
}

bool stencil::wrapsAlong(const TimeLoop &time, int64_t axis) {
  return llvm::any_of(time.boundaries, [&](BoundaryOp boundary) {
    return getHaloRule(boundary.getCondition(axis, /*upper=*/false)).wraps();
  });
}

/// Which field of the loop it is, or none.
static std::optional<unsigned> getPlace(Value field, scf::ForOp loop) {
  auto argument = dyn_cast<BlockArgument>(field);
  if (!argument || argument.getOwner() != loop.getBody() ||
      argument.getArgNumber() == 0)
    return std::nullopt;
  return argument.getArgNumber() - 1;
}

/// Whether a step reads around a point what the loads of a place load.
static bool readsAround(unsigned place, const TimeLoop &time) {
  bool isAround = false;
  for (ApplyOp apply : time.applies)
    Footprint(apply).forEachRead([&](const InputRead &read) {
      auto load = apply.getInput(read.input).getDefiningOp<LoadOp>();
      isAround |= load && getPlace(load.getField(), time.loop) == place &&
                  !read.isPointwise(apply.getRank());
    });
  return isAround;
}

/// Whether a boundary is where a phase can fill its halo: who makes the points
/// of a field makes those of its halo as well, which the next step has at its
/// beginning.
static bool isAtBegin(BoundaryOp boundary, const TimeLoop &time) {
  std::optional<unsigned> place = getPlace(boundary.getField(), time.loop);
  bool isRead = llvm::any_of(time.loads, [&](LoadOp load) {
    return load.getField() == boundary.getField() &&
           boundary->isBeforeInBlock(load);
  });
  if (!place || !isRead || llvm::any_of(time.applies, [&](ApplyOp apply) {
        return apply->isBeforeInBlock(boundary);
      }))
    return false;
  unsigned before = *place;
  while (time.next[before] != *place)
    before = time.next[before];
  auto makers = llvm::count_if(time.stores, [&](StoreOp store) {
    return getPlace(store.getField(), time.loop) == before;
  });
  auto others = llvm::count_if(time.boundaries, [&](BoundaryOp other) {
    return other.getField() == boundary.getField() && !keepsAll(other);
  });
  if (others != 1 || before == *place || makers != 1)
    return false;
  // Nobody may read around a point what has a halo in another step.
  for (unsigned other = time.next[*place]; other != *place;
       other = time.next[other])
    if (readsAround(other, time))
      return false;
  return true;
}

int64_t stencil::getReach(const TimeLoop &time, int64_t axis) {
  return std::max({int64_t(1), -time.lower[axis], time.upper[axis]});
}

bool stencil::takesHaloPhase(BoundaryOp boundary, const TimeLoop &time) {
  if (llvm::all_of(boundary.getConditions(), [](Attribute condition) {
        return getHaloRule(condition).isFixed();
      }))
    return false;
  if (!isAtBegin(boundary, time))
    return true;
  for (int64_t axis = 0; axis < boundary.getBounds().getRank(); ++axis)
    for (bool upper : {false, true}) {
      HaloRule rule = getHaloRule(boundary.getCondition(axis, upper));
      // Tiled axes that wrap are folded (DiamondsToLoops.cpp).
      bool isFilled =
          axis > 1 || rule.wraps() || rule.isOfNearPoints(getReach(time, axis));
      if (rule.isPolynomial() || !isFilled)
        return true;
    }
  return false;
}

/// Whether the steps of a time loop can be cut; if not, says why.
static bool canBeCut(const TimeLoop &time, NoTimeLoop &why) {
  scf::ForOp loop = time.loop;
  if (loop.getUnsignedCmp() || !loop.getStep().getType().isIndex())
    return why.refuse(loop, "expected it to count in numbers of type index, "
                            "with sign");
  for (ApplyOp apply : time.applies) {
    Operation *computed = nullptr;
    Footprint(apply).forEachRead([&](const InputRead &read) {
      auto load = apply.getInput(read.input).getDefiningOp<LoadOp>();
      bool changes =
          !load || !llvm::is_contained(time.coefficients, load.getField());
      if (changes && readsComputedPoints(read.op))
        computed = read.op;
    });
    if (computed)
      return why.refuse(computed, "a step reads the state at computed "
                                  "coordinates, or all of a row");
  }
  return true;
}

std::optional<TimeLoop> stencil::findDiamonds(scf::ForOp loop,
                                              NoTimeLoop &why) {
  FieldAliasAnalysis aliases;
  std::optional<TimeLoop> time =
      findTimeLoop(loop, aliases, why, StoredFields::CarriedOrFixed);
  if (!time || !canBeCut(*time, why) || !findChains(*time, aliases, why))
    return std::nullopt;
  return time;
}

void stencil::prepareDiamonds(const TimeLoop &time) {
  for (BoundaryOp boundary : time.boundaries)
    if (keepsAll(boundary))
      boundary.erase();
  // They are for a step that is a sweep.
  for (ApplyOp apply : time.applies)
    apply->removeAttr(ScheduleAttr::kAttrName);
  FieldAliasAnalysis aliases;
  NoTimeLoop none;
  joinChains(*findChains(time, aliases, none));
}

LogicalResult stencil::checkDiamonds(scf::ForOp loop) {
  // What it stores in pipelines is looked at where these become loops
  // (DiamondLoop.cpp); the pass itself may have made them.
  if (!loop.getBody()->getOps<PipelineOp>().empty())
    return success();
  NoTimeLoop why;
  std::optional<TimeLoop> time = findDiamonds(loop, why);
  if (!time)
    return refuseLoop(loop, "cannot take the steps of this loop in diamonds",
                      why);
  prepareDiamonds(*time);
  return success();
}
