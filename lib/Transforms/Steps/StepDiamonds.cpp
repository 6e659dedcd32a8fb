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
#include "BlockTimeOnCPU.h"
#include "StencilDialect/Analysis/Cost.h"
#include "StencilDialect/Analysis/KernelNumbers.h"
#include "StencilDialect/IR/Elements.h"
#include "StencilDialect/IR/Footprint.h"
#include "StencilDialect/IR/HaloRule.h"
#include "StepComposition.h"
#include "StepTiles.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Support/MathExtras.h"

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

/// Why a boundary is not where a phase can fill its halo: who makes
/// the points of a field makes those of its halo as well, which the next step
/// has at its beginning.
static std::string explainPlace(BoundaryOp boundary, const TimeLoop &time) {
  constexpr llvm::StringLiteral kElsewhere =
      "a halo changes from step to step, at another place than before the "
      "state is read";
  std::optional<unsigned> place = getPlace(boundary.getField(), time.loop);
  bool isRead = llvm::any_of(time.loads, [&](LoadOp load) {
    return load.getField() == boundary.getField() &&
           boundary->isBeforeInBlock(load);
  });
  if (!place || !isRead || llvm::any_of(time.applies, [&](ApplyOp apply) {
        return apply->isBeforeInBlock(boundary);
      }))
    return kElsewhere.str();
  unsigned before = *place;
  while (time.next[before] != *place)
    before = time.next[before];
  auto makers = llvm::count_if(time.stores, [&](StoreOp store) {
    return getPlace(store.getField(), time.loop) == before;
  });
  auto others = llvm::count_if(time.boundaries, [&](BoundaryOp other) {
    return other.getField() == boundary.getField() && !keepsAll(other);
  });
  if (others != 1)
    return "a field has several halos that change from step to step";
  if (before == *place || makers != 1)
    return "a halo changes from step to step, of a field that no other one "
           "becomes";
  for (unsigned other = time.next[*place]; other != *place;
       other = time.next[other])
    if (readsAround(other, time))
      return "a step reads around a point what has a halo in another step";
  return "";
}

/// How far a step reads along an axis, but one point at least.
static int64_t getReach(const TimeLoop &time, int64_t axis) {
  return std::max({int64_t(1), -time.lower[axis], time.upper[axis]});
}

std::string stencil::explainHaloPhase(BoundaryOp boundary,
                                      const TimeLoop &time) {
  if (llvm::all_of(boundary.getConditions(), [](Attribute condition) {
        return getHaloRule(condition).isFixed();
      }))
    return "";
  if (std::string why = explainPlace(boundary, time); !why.empty())
    return why;
  for (int64_t axis = 0; axis < boundary.getBounds().getRank(); ++axis)
    for (bool upper : {false, true}) {
      HaloRule rule = getHaloRule(boundary.getCondition(axis, upper));
      if (rule.isPolynomial())
        return "a halo is extrapolated";
      // Tiled axes that wrap are folded (DiamondsToLoops.cpp).
      if (axis > 1 || rule.wraps())
        continue;
      if (!rule.isOfNearPoints(getReach(time, axis)))
        return "a halo is made of points that are far from it";
    }
  return "";
}

/// Whether the steps of a time loop can be cut; if not, says why.
static bool canBeCut(const TimeLoop &time, NoTimeLoop &why) {
  scf::ForOp loop = time.loop;
  if (loop.getUnsignedCmp() || !loop.getStep().getType().isIndex())
    return why.refuse(loop, "expected it to count in numbers of type index, "
                            "with sign");
  if (time.interior.getRank() < 2)
    return why.refuse(loop, "expected at least two axes, got one");
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

//===----------------------------------------------------------------------===//
// Which diamonds pay
//
// A row of diamonds reads and writes all fields once for half of a diamond's
// steps: the higher it is, the less of memory a step takes. It is as wide as it
// is high, times twice what a step reads, and what a tile of it holds has to
// fit a core's second-level cache. So a diamond is as high as leaves room for
// tiles of some rows, and diamonds for all threads.
//
//===----------------------------------------------------------------------===//

namespace {
class Chooser {
public:
  Chooser(const TimeLoop &time, const DiamondRoom &room)
      : apply(time.applies.front()), room(room), reach(getReach(time, 0)),
        skew(getReach(time, 1)), rowEnds(wrapsAlong(time, 0) ? 2 : 1),
        folded(rowEnds * (wrapsAlong(time, 1) ? 2 : 1)),
        bytes(countBytes(apply)), numbers(getFacts(), getCPUFormDevice()) {}

  std::string findObstacle() const;
  /// The tile of diamonds that are so high; nothing if there is no room for
  /// one, or for a diamond of each thread.
  std::optional<int64_t> findTile(int64_t steps) const;
  /// Whether there are measurements with such a second-level cache, and with a
  /// larger one beside last-level caches of several dies: there diamonds are
  /// faster than tiles that overlap, beside smaller ones slower.
  bool isMeasured() const;
  bool isVast() const;
  bool hasFewThreads() const;
  std::optional<int64_t> getCount(StringRef vast, StringRef other) const {
    std::optional<int64_t> count;
    if (isVast())
      count = numbers.findCount(vast);
    return count ? count : numbers.findCount(other);
  }
  int64_t getMostSteps() const {
    return getCount("vast_steps", "most_steps").value_or(0);
  }

private:
  static int64_t countBytes(ApplyOp apply);
  FormFacts getFacts() const;

  ApplyOp apply;
  const DiamondRoom &room;
  int64_t reach, skew;
  /// Points at one place of the first axis, and of both that are tiled: two of
  /// each that is periodic (DiamondsToLoops.cpp).
  int64_t rowEnds, folded;
  int64_t bytes;
  KernelNumbers numbers;
};
} // namespace

/// Bytes of a point in all fields, which a tile holds: those that it reads, and
/// the state that it stores.
int64_t Chooser::countBytes(ApplyOp apply) {
  int64_t bytes = getElementBytes(apply.getOutputElementType(0));
  llvm::SmallPtrSet<void *, 4> seen;
  for (Value arg : apply.getArgs())
    if (auto type = dyn_cast<GridType>(arg.getType());
        type && type.getRank() == apply.getRank() &&
        seen.insert(arg.getAsOpaquePointer()).second)
      bytes += getElementBytes(type.getElementType());
  return bytes;
}

FormFacts Chooser::getFacts() const {
  ApplyOp step = apply;
  FormFacts facts("diamonds", step.getRank());
  facts.reads = readsDiagonals(step) ? "box" : "star";
  facts.bytes = getElementBytes(step.getOutputElementType(0));
  facts.radius = std::max(reach, skew);
  ApplyCost cost = getApplyCost(step, /*contract=*/true);
  int64_t taps = 0;
  for (const InputCost &input : cost.inputs)
    taps = std::max<int64_t>(taps, input.taps.value_or(INT64_MAX));
  facts.taps = taps;
  facts.inputs = cost.inputs.size();
  return facts;
}

bool Chooser::isMeasured() const {
  auto own = static_cast<double>(room.ownCache);
  SmallVector<double> caches = numbers.getList("own_cache");
  return (own >= caches.front() && own <= caches.back()) || isVast();
}

bool Chooser::isVast() const {
  SmallVector<int64_t> vast = numbers.listCounts("vast_cache");
  return !vast.empty() &&
         static_cast<double>(room.ownCache) >
             numbers.getList("own_cache").back() &&
         room.ownCache <= static_cast<uint64_t>(vast.front()) &&
         room.lastCache >= static_cast<uint64_t>(vast.back());
}

/// So few that a sweep waits for its arithmetic, and not for memory.
bool Chooser::hasFewThreads() const {
  SmallVector<int64_t> fewest = numbers.listCounts("fewest_threads");
  return !fewest.empty() && room.threads < fewest.front() &&
         room.ownCache >= static_cast<uint64_t>(fewest.back());
}

std::string Chooser::findObstacle() const {
  ApplyOp step = apply;
  if (getMostSteps() < 3)
    return "nothing like it was measured to be faster in these";
  if (!isMeasured())
    return "nothing was measured with such a second-level cache";
  if (hasFewThreads())
    return "with so few threads they were measured to be slower";
  if (!areExtentsKnown(room.extents, step.getRank()))
    return "the extents are not known";
  return explainSweep(step, bytes, room.extents, room.lastCache);
}

std::optional<int64_t> Chooser::findTile(int64_t steps) const {
  int64_t half = (steps + 1) / 2, width = 2 * reach * half;
  if (static_cast<double>(llvm::divideCeil(room.extents[0], width * rowEnds)) <
      numbers.get("fewest_diamonds") * static_cast<double>(room.threads))
    return std::nullopt;
  // On the average half of the planes of a diamond, and those beside them.
  int64_t planes = width / 2 + 2 * reach;
  double taken =
      static_cast<double>(bytes * folded) * static_cast<double>(planes);
  for (int64_t extent : room.extents.drop_front(2))
    taken *= static_cast<double>(extent);
  double size =
      static_cast<double>(room.ownCache) * numbers.get("cache_share") / taken -
      static_cast<double>(skew * steps);
  // A step of a few rows, or of a piece of a row, has to be worth its loops.
  if (size < numbers.get("least_tile"))
    return std::nullopt;
  auto most = static_cast<double>(*getCount("vast_tile", "most_tile"));
  auto tile = static_cast<int64_t>(std::min(size, most));
  // Whole turns of the innermost loop.
  constexpr int64_t kTurn = 64;
  return room.extents.size() == 2 && tile > kTurn ? llvm::alignDown(tile, kTurn)
                                                  : tile;
}

/// Whether the state has its halo before it is read, from one boundary: then
/// constants are filled before the loop (stencil-hoist-boundaries), and what
/// changes from step to step as steps go.
static bool hasHaloAtBegin(const TimeLoop &time) {
  LoadOp state = time.loads.front();
  for (LoadOp load : time.loads)
    if (!llvm::is_contained(time.coefficients, load.getField()))
      state = load;
  BoundaryOp only;
  for (BoundaryOp boundary : time.boundaries)
    if (!keepsAll(boundary)) {
      if (only || boundary.getField() != state.getField() ||
          !boundary->isBeforeInBlock(state))
        return false;
      only = boundary;
    }
  scf::ForOp loop = time.loop;
  return !only || llvm::all_equal(loop.getInitArgs().getTypes());
}

DiamondsAttr stencil::chooseDiamonds(scf::ForOp loop, const DiamondRoom &room,
                                     std::string &why) {
  auto fail = [&](StringRef reason) {
    why = reason.str();
    return DiamondsAttr();
  };
  NoTimeLoop obstacle;
  std::optional<TimeLoop> time = findDiamonds(loop, obstacle);
  if (!time)
    return fail(obstacle.reason);
  if (time->applies.size() != 1 || time->levels.size() != 1 ||
      time->buffers != 2)
    return fail(
        "steps of several states, or of several applies, were not measured");
  for (BoundaryOp boundary : time->boundaries)
    if (why = explainHaloPhase(boundary, *time); !why.empty())
      return {};
  ApplyOp apply = time->applies.front();
  if (!hasHaloAtBegin(*time) || llvm::product_of(apply.getUnrollFactors()) != 1)
    return fail("a halo is filled after it is read, or the body is unrolled");
  Chooser chooser(*time, room);
  why = chooser.findObstacle();
  if (!why.empty())
    return {};
  for (int64_t steps = chooser.getMostSteps(); steps >= 3; steps -= 2)
    if (std::optional<int64_t> tile = chooser.findTile(steps))
      return DiamondsAttr::get(loop.getContext(), steps, *tile);
  return fail("a core's cache holds no tile of some rows, or there are fewer "
              "diamonds than threads");
}
