//===- ChooseDiamonds.cpp - Which diamonds pay ----------------------------===//
//
// A row of diamonds reads and writes all fields once for half of a diamond's
// steps: the higher it is, the less of memory a step takes. It is as wide as it
// is high, times twice what a phase reads, and what a tile of it holds has to
// fit a core's second-level cache. So a diamond is as high as leaves room for
// tiles of some rows, and diamonds for all threads. And threads wait for their
// neighbours only, not for all others after each step, so that fields that the
// last-level cache holds gain, too.
//
//===----------------------------------------------------------------------===//

#include "StencilDialect/Analysis/Cost.h"
#include "StencilDialect/Analysis/KernelNumbers.h"
#include "StencilDialect/IR/Bounds.h"
#include "StencilDialect/IR/Elements.h"
#include "StencilDialect/IR/Footprint.h"
#include "StencilDialect/IR/HaloRule.h"
#include "StencilDialect/IR/PipelinePlan.h"
#include "StepDiamonds.h"
#include "StepTiles.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "llvm/ADT/Sequence.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Support/MathExtras.h"

#include <cmath>

using namespace mlir;
using namespace stencil;

//===----------------------------------------------------------------------===//
// What a step is
//===----------------------------------------------------------------------===//

namespace {
/// A step as phases, each of which reads some fields and stores others.
struct StepPhases {
  int64_t count = 0;
  /// How far a phase reads what others store, along either tiled axis.
  int64_t reach = 1, skew = 1;
  /// Bytes of a point in all fields, and distinct fields that are read.
  int64_t bytes = 0, inputs = 0;
  /// Points of the input of which most are read.
  int64_t taps = 0;
  /// Elements that all phases read and store at a point, and what they compute,
  /// in loads.
  double elements = 0, work = 0;
  bool readsDiagonals = false;

  explicit StepPhases(const TimeLoop &time);

private:
  void add(ApplyOp apply, const TimeLoop &time);
  void addReads(ApplyOp apply, const TimeLoop &time);

  llvm::SetVector<Value> fields;
};
} // namespace

/// Two operations take as long as a load, and a division or an elementary
/// function as long as some: eight divisions are a vector that takes 16 cycles,
/// in each of which one or two are loaded.
static double countWork(const OperationCount &count) {
  constexpr double kOperation = 0.5, kFunction = 16;
  return std::max(static_cast<double>(count.loads),
                  kOperation * static_cast<double>(count.operations())) +
         kFunction * static_cast<double>(count.divisions + count.functions);
}

/// The field that a value is loaded from; null if it is another one.
static Value getLoaded(Value value) {
  auto load = value.getDefiningOp<LoadOp>();
  return load ? load.getField() : Value();
}

void StepPhases::addReads(ApplyOp apply, const TimeLoop &time) {
  Footprint(apply).forEachRead([&](const InputRead &read) {
    Value field = getLoaded(apply.getInput(read.input));
    if (field && llvm::is_contained(time.coefficients, field))
      return;
    OffsetBox box = OffsetBox::ofRead(read, apply.getRank());
    auto getFar = [&](int64_t axis) {
      return std::max(std::abs(box.lower[axis]), std::abs(box.upper[axis]));
    };
    reach = std::max(reach, getFar(0));
    if (apply.getRank() > 1)
      skew = std::max(skew, getFar(1));
  });
}

void StepPhases::add(ApplyOp apply, const TimeLoop &time) {
  ApplyCost cost = getApplyCost(apply, /*contract=*/true);
  work += countWork(cost.shared);
  for (const InputCost &input : cost.inputs)
    taps = std::max<int64_t>(taps, input.taps.value_or(INT64_MAX));
  readsDiagonals |= stencil::readsDiagonals(apply);
  addReads(apply, time);
  llvm::SetVector<Value> read;
  for (Value arg : apply.getArgs())
    if (auto type = dyn_cast<GridType>(arg.getType());
        type && type.getRank() == apply.getRank())
      if (Value field = getLoaded(arg))
        read.insert(field);
  fields.insert_range(read);
  elements += static_cast<double>(read.size());
  bool isPhase = false;
  for (StoreOp store : time.stores)
    if (lookThroughBuffers(store.getTemp()).getDefiningOp() == apply) {
      fields.insert(store.getField());
      ++elements;
      isPhase = true;
    }
  count += isPhase ? 1 : 0;
}

/// Whether a boundary sets constants before its field is read: these are filled
/// once, before the loop (stencil-hoist-boundaries).
static bool isFilledOnce(BoundaryOp boundary, const TimeLoop &time) {
  scf::ForOp loop = time.loop;
  return llvm::all_of(boundary.getConditions(),
                      [](Attribute condition) {
                        return getHaloRule(condition).isFixed();
                      }) &&
         llvm::none_of(time.loads,
                       [&](LoadOp load) {
                         return load.getField() == boundary.getField() &&
                                load->getBlock() == boundary->getBlock() &&
                                load->isBeforeInBlock(boundary);
                       }) &&
         llvm::all_equal(loop.getInitArgs().getTypes());
}

/// Phases that halos take: none if all are filled where the points are computed
/// that they are made of, else one along the first axis and one along the
/// others for each field that has some.
static int64_t countHaloPhases(const TimeLoop &time) {
  int64_t fields = 0;
  bool areAtOnce = true;
  for (BoundaryOp boundary : time.boundaries)
    if (!keepsAll(boundary) && !isFilledOnce(boundary, time)) {
      ++fields;
      areAtOnce &= !takesHaloPhase(boundary, time);
    }
  return areAtOnce ? 0 : 2 * fields;
}

StepPhases::StepPhases(const TimeLoop &time) {
  for (ApplyOp apply : time.applies)
    add(apply, time);
  llvm::SetVector<Value> read;
  for (LoadOp load : time.loads)
    read.insert(load.getField());
  inputs = static_cast<int64_t>(read.size());
  for (Value field : fields)
    bytes += getElementBytes(cast<GridType>(field.getType()).getElementType());
  // What is computed wherever it is read reaches as far as all of it.
  bool hasChains = count < static_cast<int64_t>(time.applies.size());
  if (hasChains) {
    reach = getReach(time, 0);
    skew = getReach(time, 1);
  }
  count = std::max<int64_t>(count, 1) + countHaloPhases(time);
}

//===----------------------------------------------------------------------===//
// Which diamonds
//===----------------------------------------------------------------------===//

namespace {
class Chooser {
public:
  Chooser(const TimeLoop &time, const DiamondRoom &room)
      : time(time), room(room), extents(getExtents(time, room)), step(time),
        rowEnds(wrapsAlong(time, 0) ? 2 : 1),
        folded(rowEnds * (getRank() > 1 && wrapsAlong(time, 1) ? 2 : 1)),
        numbers(getFacts(), getCPUFormDevice()) {}

  std::string findObstacle() const;
  int64_t getMostSteps() const;
  int64_t countTaken() const;
  int64_t getFewestSteps() const;
  /// The tile of diamonds that are so high; nothing if there is no room for
  /// one, or for a diamond of each thread.
  std::optional<int64_t> findTile(int64_t steps) const;
  std::optional<DiamondChoice::Extents> findWhere(int64_t steps) const;

private:
  static SmallVector<int64_t> getExtents(const TimeLoop &time,
                                         const DiamondRoom &room);
  int64_t getWidth(int64_t steps) const {
    return 2 * step.reach * ((steps + 1) / 2) * step.count * rowEnds;
  }
  FormFacts getFacts() const;
  int64_t getRank() const { return time.interior.getRank(); }
  double countBytes() const;
  /// Of two numbers the one for fields beyond all caches, or within a cache
  /// that is shared.
  template <typename T> T choose(ArrayRef<T> numbers) const {
    return countBytes() > static_cast<double>(room.lastCache) ? numbers.front()
                                                              : numbers.back();
  }
  /// Diamonds of a row that threads share.
  double getFewestDiamonds() const {
    return choose<double>(numbers.getList("fewest_diamonds")) *
           static_cast<double>(room.threads);
  }
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

  const TimeLoop &time;
  const DiamondRoom &room;
  /// Of the interior: those that are known, and else what is typical.
  SmallVector<int64_t> extents;
  StepPhases step;
  /// Points at one place of the first axis, and of both that are tiled: two of
  /// each that is periodic (DiamondsToLoops.cpp).
  int64_t rowEnds, folded;
  KernelNumbers numbers;
};
} // namespace

/// Of the interior along an axis: as the program has it, else as it is going to
/// be.
static std::optional<int64_t>
getKnownExtent(const TimeLoop &time, const DiamondRoom &room, size_t axis) {
  int64_t lb = time.interior.getLb()[axis], ub = time.interior.getUb()[axis];
  if (!isSymbolic(lb) && !isSymbolic(ub))
    return ub - lb;
  if (axis < room.extents.size() && room.extents[axis] > 0)
    return room.extents[axis];
  return std::nullopt;
}

SmallVector<int64_t> Chooser::getExtents(const TimeLoop &time,
                                         const DiamondRoom &room) {
  constexpr std::array<int64_t, 3> kLarge = {int64_t(1) << 24, 8192, 512};
  constexpr std::array<int64_t, 3> kSmall = {int64_t(1) << 16, 1024, 192};
  constexpr int64_t kFewPlanes = 64;
  int64_t rank = time.interior.getRank();
  bool isLarge = room.grid == DiamondGrid::Large;
  SmallVector<int64_t> extents(
      rank, (isLarge ? kLarge : kSmall)[std::min<int64_t>(rank, 3) - 1]);
  if (room.grid == DiamondGrid::Tiny && rank > 2)
    extents.front() = kFewPlanes;
  for (auto [axis, extent] : llvm::enumerate(extents))
    extent = getKnownExtent(time, room, axis).value_or(extent);
  return extents;
}

FormFacts Chooser::getFacts() const {
  ApplyOp first = time.applies.front();
  FormFacts facts("diamonds", getRank());
  facts.reads = step.readsDiagonals ? "box" : "star";
  facts.bytes = getElementBytes(first.getOutputElementType(0));
  facts.radius = std::max(step.reach, step.skew);
  facts.taps = step.taps;
  // What was measured of one input was so of one apply.
  int64_t fewest = time.applies.size() > 1 ? 2 : 1;
  facts.inputs = std::max(step.inputs, fewest);
  return facts;
}

/// In all fields together.
double Chooser::countBytes() const {
  auto all = static_cast<double>(step.bytes);
  for (int64_t extent : extents)
    all *= static_cast<double>(extent);
  return all;
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

/// Of a loop that takes fewer, as many as that; but low ones of a row are
/// short.
int64_t Chooser::getMostSteps() const {
  int64_t most = getCount("vast_steps", "most_steps").value_or(0);
  int64_t taken = countTaken();
  return taken > most
             ? most
             : std::max((taken - 1) | 1, std::min(most, getFewestSteps()));
}

/// The steps of the loop, where it says how many these are.
int64_t Chooser::countTaken() const {
  scf::ForOp loop = time.loop;
  std::optional<APInt> taken = loop.getStaticTripCount();
  return taken ? taken->getSExtValue() : INT64_MAX;
}

/// Where a cache that is shared has the fields, low diamonds gain nothing.
int64_t Chooser::getFewestSteps() const {
  return choose<int64_t>(numbers.listCounts("fewest_steps"));
}

std::string Chooser::findObstacle() const {
  if (getCount("vast_steps", "most_steps").value_or(0) < 3)
    return "nothing like it was measured to be faster in these";
  if (countTaken() < 3)
    return "the loop takes fewer than three steps";
  if (!isMeasured())
    return "nothing was measured with such a second-level cache";
  if (hasFewThreads())
    return "with so few threads they were measured to be slower";
  if (countBytes() <= static_cast<double>(room.nearCache))
    return "caches that are near enough hold the fields";
  if (step.elements < numbers.get("least_elements") * step.work)
    return "a step computes for longer than it waits for memory";
  return "";
}

std::optional<int64_t> Chooser::findTile(int64_t steps) const {
  int64_t width = getWidth(steps);
  if (static_cast<double>(llvm::divideCeil(extents[0], width)) <
      getFewestDiamonds())
    return std::nullopt;
  // On the average half of the planes of a diamond, and those beside them.
  int64_t planes = width / rowEnds / 2 + 2 * step.reach;
  double taken =
      static_cast<double>(step.bytes * folded) * static_cast<double>(planes);
  double held = static_cast<double>(room.ownCache) * numbers.get("cache_share");
  // Of a row, it is the tile.
  if (getRank() == 1)
    return taken <= held ? std::optional(int64_t(0)) : std::nullopt;
  for (int64_t extent : ArrayRef(extents).drop_front(2))
    taken *= static_cast<double>(extent);
  double size =
      held / taken - static_cast<double>(step.skew * step.count * steps);
  // A step of a few rows, or of a piece of a row, has to be worth its loops.
  if (size < numbers.get("least_tile"))
    return std::nullopt;
  auto most = static_cast<double>(*getCount("vast_tile", "most_tile"));
  auto tile = static_cast<int64_t>(std::min(size, most));
  // Whole turns of the innermost loop.
  constexpr int64_t kTurn = 64;
  return getRank() == 2 && tile > kTurn ? llvm::alignDown(tile, kTurn) : tile;
}

/// Where what is typical is assumed: grids beyond the caches that are near,
/// with diamonds for all threads, and rows that are not much longer.
std::optional<DiamondChoice::Extents> Chooser::findWhere(int64_t steps) const {
  auto isKnown = [&](int64_t axis) {
    return getKnownExtent(time, room, axis).has_value();
  };
  if (llvm::all_of(llvm::seq(getRank()), isKnown))
    return std::nullopt;
  constexpr int64_t kLonger = 2;
  auto diamonds = static_cast<int64_t>(std::ceil(getFewestDiamonds()));
  DiamondChoice::Extents where;
  where.fewestPoints = static_cast<int64_t>(room.nearCache) / step.bytes + 1;
  where.fewestPlanes = (diamonds - 1) * getWidth(steps) + 1;
  where.mostOfRows = kLonger * llvm::product_of(ArrayRef(extents).drop_front(
                                   std::min<size_t>(extents.size(), 2)));
  return where;
}

//===----------------------------------------------------------------------===//
// Extents that only a call knows
//===----------------------------------------------------------------------===//

/// Points of an interior along an axis.
static Value getLength(ImplicitLocOpBuilder &builder, BoundsAttr bounds,
                       int64_t axis) {
  auto getBound = [&](int64_t bound) -> Value {
    if (!isSymbolic(bound))
      return arith::ConstantIndexOp::create(builder, bound);
    return builder.createOrFold<arith::AddIOp>(
        ExtentOp::create(builder, axis),
        arith::ConstantIndexOp::create(builder, symbolicOffset(bound)));
  };
  return builder.createOrFold<arith::SubIOp>(getBound(bounds.getUb()[axis]),
                                             getBound(bounds.getLb()[axis]));
}

scf::ForOp stencil::branchOnExtents(scf::ForOp loop,
                                    const DiamondChoice::Extents &where) {
  BoundsAttr interior =
      (*loop.getBody()->getOps<StoreOp>().begin()).getBounds();
  ImplicitLocOpBuilder builder(loop.getLoc(), loop);
  auto compare = [&](arith::CmpIPredicate predicate, Value value,
                     int64_t limit) {
    return builder.createOrFold<arith::CmpIOp>(
        predicate, value, arith::ConstantIndexOp::create(builder, limit));
  };
  Value planes = getLength(builder, interior, 0);
  Value points = planes;
  if (interior.getRank() > 1)
    points = builder.createOrFold<arith::MulIOp>(
        points, getLength(builder, interior, 1));
  Value isLarge =
      compare(arith::CmpIPredicate::sge, planes, where.fewestPlanes);
  if (interior.getRank() > 2) {
    Value ofRows = getLength(builder, interior, 2);
    for (int64_t axis = 3; axis < interior.getRank(); ++axis)
      ofRows = builder.createOrFold<arith::MulIOp>(
          ofRows, getLength(builder, interior, axis));
    points = builder.createOrFold<arith::MulIOp>(points, ofRows);
    isLarge = builder.createOrFold<arith::AndIOp>(
        isLarge, compare(arith::CmpIPredicate::sle, ofRows, where.mostOfRows));
  }
  isLarge = builder.createOrFold<arith::AndIOp>(
      isLarge, compare(arith::CmpIPredicate::sge, points, where.fewestPoints));
  auto branch = scf::IfOp::create(builder, loop.getResultTypes(), isLarge,
                                  /*addThenBlock=*/true, /*addElseBlock=*/true);
  loop.replaceAllUsesWith(branch.getResults());
  builder.setInsertionPointToStart(branch.thenBlock());
  auto copy = cast<scf::ForOp>(builder.clone(*loop));
  scf::YieldOp::create(builder, copy.getResults());
  loop->moveBefore(branch.elseBlock(), branch.elseBlock()->end());
  builder.setInsertionPointToEnd(branch.elseBlock());
  scf::YieldOp::create(builder, loop.getResults());
  return copy;
}

//===----------------------------------------------------------------------===//
// The choice
//===----------------------------------------------------------------------===//

std::optional<DiamondChoice> stencil::chooseDiamonds(scf::ForOp loop,
                                                     const DiamondRoom &room,
                                                     std::string &why) {
  auto fail = [&](StringRef reason) {
    why = reason.str();
    return std::nullopt;
  };
  NoTimeLoop obstacle;
  std::optional<TimeLoop> time = findDiamonds(loop, obstacle);
  if (!time)
    return fail(obstacle.reason);
  for (ApplyOp apply : time->applies)
    if (llvm::product_of(apply.getUnrollFactors()) != 1)
      return fail("the body is unrolled");
  Chooser chooser(*time, room);
  if (why = chooser.findObstacle(); !why.empty())
    return std::nullopt;
  for (int64_t steps = chooser.getMostSteps();
       steps >= chooser.getFewestSteps(); steps -= 2)
    if (std::optional<int64_t> tile = chooser.findTile(steps))
      return DiamondChoice{DiamondsAttr::get(loop.getContext(), steps, *tile),
                           chooser.findWhere(steps)};
  return fail("a core's cache holds no tile of some rows, or there are fewer "
              "diamonds than threads");
}
