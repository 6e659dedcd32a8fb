//===- FusionCost.cpp - Whether two applies are better one ----------------===//

#include "StencilDialect/Analysis/Fusion.h"
#include "StencilDialect/Analysis/ProgramCheck.h"
#include "StencilDialect/IR/Elements.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace stencil;

//===----------------------------------------------------------------------===//
// Points and bytes
//===----------------------------------------------------------------------===//

/// Points of a box that is moved by offsets from `low` to `high`. Extents that
/// are not known are taken to be those of large grids.
static double countPoints(BoundsAttr box, ArrayRef<int64_t> low = {},
                          ArrayRef<int64_t> high = {}) {
  double points = 1;
  int64_t nominal = box.getRank() == 1   ? 1 << 24
                    : box.getRank() == 2 ? 1 << 12
                                         : 1 << 8;
  for (int64_t axis = 0; axis < box.getRank(); ++axis) {
    if (!low.empty() && low[axis] == kNoAxis)
      continue;
    double extent = static_cast<double>(resolve(box.getUb()[axis], nominal)) -
                    resolve(box.getLb()[axis], nominal);
    if (!low.empty())
      extent += high[axis] - low[axis];
    points *= std::max(extent, 1.0);
  }
  return points;
}

static double countPointBytes(Value grid) {
  return getElementBytes(getElementType(grid));
}

double FusionAnalysis::countBytes(Value value, BoundsAttr box) const {
  return box ? countPoints(box) * countPointBytes(value) : 0;
}

KernelCost &KernelCost::operator+=(const KernelCost &other) {
  bytes += other.bytes;
  flops += other.flops;
  cacheBytes += other.cacheBytes;
  time += other.time;
  registers = std::max(registers, other.registers);
  evaluations = std::max(evaluations, other.evaluations);
  isTooLarge |= other.isTooLarge;
  return *this;
}

//===----------------------------------------------------------------------===//
// Kernels
//===----------------------------------------------------------------------===//

/// The cost of one kernel, gathered from the bodies in it.
class stencil::KernelEstimate {
public:
  /// Of an apply that is evaluated on `domain`.
  KernelEstimate(const FusionAnalysis &analysis, BoundsAttr domain,
                 ApplyOp apply)
      : analysis(analysis), domain(domain),
        factor(llvm::product_of(apply.getUnrollFactors())) {}

  /// Adds a body. Results of `inside` are computed in this kernel.
  void addBody(ApplyOp apply, const BodyCost &body,
               Operation *inside = nullptr);
  void addResult(Value result) {
    cost.bytes += analysis.countBytes(result, domain);
  }
  /// Those of an apply that somebody uses.
  void addResults(ApplyOp apply) {
    for (Value result : apply.getRes())
      if (!result.use_empty())
        addResult(result);
  }
  KernelCost finish();

private:
  struct Input {
    Value value;
    OffsetSet offsets;
    bool isWhole = false;
  };

  const FusionAnalysis &analysis;
  BoundsAttr domain;
  double factor;
  KernelCost cost;
  llvm::MapVector<Value, Input> inputs;
};

void KernelEstimate::addBody(ApplyOp apply, const BodyCost &body,
                             Operation *inside) {
  cost.isTooLarge |= body.isTooLarge;
  cost.flops += body.flops / factor;
  cost.evaluations += body.evaluations / factor;
  cost.registers = std::max(cost.registers, body.registers);
  for (auto [value, offsets] : llvm::zip_equal(apply.getArgs(), body.reads)) {
    if (!isa<GridType>(value.getType()) || offsets.empty() ||
        (inside && value.getDefiningOp() == inside))
      continue;
    Value memory = value;
    if (auto load = value.getDefiningOp<LoadOp>())
      memory = load.getField();
    Input &input = inputs[memory];
    input.value = value;
    // Its axes are not those of the domain.
    input.isWhole |= apply.getRank() != domain.getRank();
    if (input.offsets.empty())
      input.offsets = offsets;
    else if (!input.isWhole)
      llvm::append_range(input.offsets, offsets);
  }
}

KernelCost KernelEstimate::finish() {
  double points = countPoints(domain);
  cost.flops *= points;
  for (auto &[memory, input] : inputs) {
    double bytes = countPointBytes(input.value);
    normalize(input.offsets);
    cost.cacheBytes += countLoads(input.offsets) * bytes * points / factor;
    if (input.isWhole) {
      cost.bytes +=
          analysis.countBytes(input.value, analysis.getBox(input.value));
      continue;
    }
    Offset low = input.offsets.front(), high = low;
    for (const Offset &offset : input.offsets)
      for (auto [axis, value] : llvm::enumerate(offset)) {
        low[axis] = std::min(low[axis], value);
        high[axis] = std::max(high[axis], value);
      }
    cost.bytes += countPoints(domain, low, high) * bytes;
  }
  const FusionLimits &limits = analysis.limits;
  double compute = cost.flops / limits.balance;
  double cache = cost.cacheBytes / FusionLimits::kCacheBalance;
  double longest = std::max({cost.bytes, compute, cache});
  cost.time = longest + (cost.bytes + compute + cache - longest) / 4;
  return cost;
}

//===----------------------------------------------------------------------===//
// Verdicts
//===----------------------------------------------------------------------===//

static FusionVerdict makeVerdict(FusionVerdict::Kind kind, Obstacle obstacle) {
  FusionVerdict verdict;
  verdict.kind = kind;
  verdict.obstacle = std::move(obstacle);
  return verdict;
}

/// Declines where there is an obstacle, else compares the costs. `blamed` is at
/// fault if the obstacle does not say who is.
void FusionAnalysis::decide(FusionVerdict &verdict, Operation *blamed) {
  const KernelCost &after = verdict.after;
  std::string &reason = verdict.obstacle.reason;
  if (reason.empty() && after.evaluations > limits.maxOps)
    reason = "too many ops per point";
  if (reason.empty() && after.registers > limits.maxRegisters &&
      after.registers > verdict.before.registers)
    reason = "too many registers";
  if (reason.empty() && after.time * limits.gain > verdict.before.time)
    reason = "it would not pay";
  if (reason.empty())
    return;
  verdict.kind = FusionVerdict::Decline;
  if (!verdict.obstacle.op)
    verdict.obstacle.op = blamed;
}

std::string stencil::describeChange(const KernelCost &before,
                                    const KernelCost &after, double points) {
  auto change = [](double a, double b) {
    return llvm::formatv("{0:f1} -> {1:f1}", a, b).str();
  };
  return llvm::formatv(
             "per point flops {0}, bytes {1}, cached bytes {2}, time {3}; "
             "registers {4}",
             change(before.flops / points, after.flops / points),
             change(before.bytes / points, after.bytes / points),
             change(before.cacheBytes / points, after.cacheBytes / points),
             change(before.time / points, after.time / points),
             change(before.registers, after.registers))
      .str();
}

KernelCost FusionAnalysis::getCost(ApplyOp apply) const {
  KernelEstimate kernel(*this, getBox(apply.getRes().front()), apply);
  kernel.addBody(apply, getBodyCost(apply));
  kernel.addResults(apply);
  return kernel.finish();
}

/// Offsets of a consumer as those of a producer that has fewer axes.
static OffsetSet dropAxes(const OffsetSet &offsets) {
  OffsetSet fewer;
  for (const Offset &offset : offsets) {
    Offset &kept = fewer.emplace_back();
    llvm::copy_if(offset, std::back_inserter(kept),
                  [](int64_t value) { return value != kNoAxis; });
  }
  normalize(fewer);
  return fewer;
}

/// True if the body alone is beyond the limit.
bool FusionAnalysis::hasTooManyOps(ApplyOp apply) {
  unsigned &size = sizes[apply];
  if (size == 0)
    apply.getRegion().walk([&](Operation *) { ++size; });
  return size > limits.maxOps;
}

FusionVerdict FusionAnalysis::judgeProducer(ApplyOp producer,
                                            ArrayRef<ApplyOp> consumers,
                                            bool isForced) {
  for (ApplyOp apply : consumers)
    if (!isForced && (hasTooManyOps(apply) || hasTooManyOps(producer)))
      return makeVerdict(FusionVerdict::Decline, {"too many ops", apply});
  if (std::optional<Obstacle> obstacle = checkApply(producer))
    return makeVerdict(FusionVerdict::Illegal, *obstacle);
  for (ApplyOp consumer : consumers)
    if (std::optional<Obstacle> obstacle = checkPair(producer, consumer))
      return makeVerdict(FusionVerdict::Illegal, *obstacle);

  FusionVerdict verdict;
  bool hasOthers = llvm::any_of(producer->getUsers(), [&](Operation *user) {
    return !llvm::is_contained(consumers, user) && !ignoredUsers.contains(user);
  });
  if (hasOthers && consumers.size() == 1)
    tryToKeep(producer, consumers.front(), verdict);
  verdict.before = getCost(producer);
  if (hasOthers && !verdict.keepsResults)
    verdict.after += verdict.before;
  for (ApplyOp consumer : consumers) {
    verdict.before += getCost(consumer);
    BodyCost body = getBodyCost(consumer);
    std::vector<OffsetSet> needed(producer->getNumResults());
    for (auto [value, offsets] :
         llvm::zip_equal(consumer.getArgs(), body.reads))
      if (value.getDefiningOp() == producer)
        llvm::append_range(needed[cast<OpResult>(value).getResultNumber()],
                           producer.getRank() == consumer.getRank()
                               ? offsets
                               : dropAxes(offsets));
    KernelEstimate kernel(*this, getBox(consumer.getRes().front()), consumer);
    kernel.addResults(consumer);
    for (OpResult result : producer->getResults()) {
      bool isKept = verdict.keepsResults &&
                    llvm::any_of(result.getUsers(), [&](Operation *user) {
                      return user != consumer && !ignoredUsers.contains(user);
                    });
      OffsetSet &offsets = needed[result.getResultNumber()];
      if (isKept) {
        offsets.push_back(Offset(producer.getRank(), 0));
        kernel.addResult(result);
      }
      normalize(offsets);
    }
    BodyCost inner = getBodyCost(producer, needed);
    // The producer's values live beside the consumer's.
    inner.registers += body.registers / 2;
    kernel.addBody(consumer, body, producer);
    kernel.addBody(producer, inner, producer);
    verdict.after += kernel.finish();

    double alone = 0, copied = 0;
    (void)checkInPlace(consumer, consumer, alone);
    (void)checkInPlace(consumer, producer, copied);
    if (alone == 0)
      verdict.copied += copied;
    verdict.copied += countSnapshots(producer, consumer);
  }
  verdict.after.bytes += verdict.copied;
  verdict.after.time += verdict.copied;
  ApplyOp reader = consumers.front();
  verdict.points = countPoints(getBox(reader.getRes().front()));
  for (ApplyOp consumer : consumers) {
    auto hasSchedule = [](ApplyOp apply) {
      return apply->getAttr(ScheduleAttr::kAttrName);
    };
    if (consumer->getBlock() != producer->getBlock())
      verdict.obstacle = {"it is not evaluated as often as its consumer",
                          consumer};
    else if (hasSchedule(producer) &&
             hasSchedule(producer) != hasSchedule(consumer))
      verdict.obstacle = {"it has a schedule of its own", producer};
  }
  if (verdict.isTooLarge())
    verdict.obstacle = {"too many ops per point", producer};
  decide(verdict, reader);
  return verdict;
}

/// Checks that `apply` can be evaluated on a box that is larger than its own.
/// Adds the bytes of results that are then copied to where they are stored.
std::optional<Obstacle> FusionAnalysis::checkJoin(ApplyOp apply, BoundsAttr box,
                                                  double &copied) {
  if (getBox(apply.getRes().front()) == box)
    return std::nullopt;
  Obstacle obstacle{"its box is another", apply};
  // Boxes that are written down stay as they are.
  if (getBounds(apply.getRes().front()))
    return obstacle;
  if (llvm::product_of(apply.getUnrollFactors()) != 1)
    return obstacle;
  for (OpResult result : apply->getResults()) {
    if (mayBeEmpty(result))
      return obstacle;
    if (llvm::any_of(result.getUsers(), llvm::IsaPred<StoreOp, CombineOp>))
      copied += 2 * countBytes(result, box);
  }
  OperandDemands needs(apply);
  for (OpOperand &use : apply.getArgsMutable()) {
    if (!isa<TempType>(use.get().getType()))
      continue;
    BoundsAttr limit = getBox(use.get());
    if (auto load = use.get().getDefiningOp<LoadOp>();
        load && !getBounds(load.getRes()))
      limit = getBounds(load.getField());
    bool isInside = true;
    needs.forEach(
        use, [&](Value) { return box; },
        [&](Operation *, const GridBox &needed, const InputRead *) {
          isInside &= limit && GridBox(limit).contains(needed);
        });
    if (!isInside)
      return obstacle;
  }
  return std::nullopt;
}

FusionVerdict FusionAnalysis::judgeSiblings(ApplyOp a, ApplyOp b,
                                            bool isForced) {
  for (ApplyOp apply : {a, b})
    if (!isForced && hasTooManyOps(apply))
      return makeVerdict(FusionVerdict::Decline, {"too many ops", apply});
  for (ApplyOp apply : {a, b})
    if (std::optional<Obstacle> obstacle = checkApply(apply))
      return makeVerdict(FusionVerdict::Illegal, *obstacle);
  for (ApplyOp apply : {a, b})
    if (llvm::any_of(apply->getResults(), mayBeEmpty))
      return makeVerdict(FusionVerdict::Illegal,
                         {"a result is empty at some points", apply});
  if (a->getBlock() != b->getBlock())
    return makeVerdict(FusionVerdict::Illegal,
                       {"they are in different blocks", b});
  if (a.getRank() != b.getRank() ||
      a.getUnrollFactors() != b.getUnrollFactors())
    return makeVerdict(FusionVerdict::Illegal,
                       {"they are evaluated at other points", b});

  // No path from one to the other, be it through memory: either all that b
  // reads is there where a is, or whoever uses a comes after b.
  FusionVerdict verdict;
  bool isLate = llvm::all_of(a->getUsers(), [&](Operation *user) {
    Operation *ancestor = a->getBlock()->findAncestorOpInBlock(*user);
    return ancestor && b->isBeforeInBlock(ancestor);
  });
  SmallVector<Operation *> moves;
  bool isEarly = llvm::all_of(b.getArgs(), [&](Value input) {
    return input.getDefiningOp() != a && succeeded(findMoves(input, a, moves));
  });
  if (!isLate && !isEarly)
    return makeVerdict(FusionVerdict::Illegal,
                       {"what one needs comes after the other is used", b});
  verdict.place = isLate ? nullptr : a.getOperation();

  BoundsAttr boxA = getBox(a.getRes().front()),
             boxB = getBox(b.getRes().front());
  GridBox hull(boxA);
  hull.join(GridBox(boxB));
  BoundsAttr joined = hull.get(a.getContext());
  double copied = 0;
  for (ApplyOp apply : {a, b})
    if (std::optional<Obstacle> obstacle = checkJoin(apply, joined, copied))
      return makeVerdict(FusionVerdict::Illegal, *obstacle);
  double alone = 0;
  for (auto [writer, reader] : {std::pair(a, b), std::pair(b, a)}) {
    (void)checkInPlace(writer, writer, alone);
    if (std::optional<Obstacle> obstacle = checkInPlace(writer, reader, copied))
      return makeVerdict(FusionVerdict::Illegal, *obstacle);
  }
  copied = std::max(copied - alone, 0.0);

  KernelEstimate kernel(*this, joined, a);
  BodyCost costA = getBodyCost(a), costB = getBodyCost(b);
  // Results of the first wait for the second to end.
  costB.registers += 2.0 * a->getNumResults();
  kernel.addBody(a, costA);
  kernel.addBody(b, costB);
  for (ApplyOp apply : {a, b}) {
    verdict.before += getCost(apply);
    kernel.addResults(apply);
  }
  verdict.after = kernel.finish();
  verdict.copied = copied;
  verdict.after.bytes += copied;
  verdict.after.time += copied;
  verdict.points = countPoints(joined);
  if (a->getAttr(ScheduleAttr::kAttrName) !=
      b->getAttr(ScheduleAttr::kAttrName))
    verdict.obstacle = {"they have different schedules", b};
  else if (verdict.isTooLarge())
    verdict.obstacle = {"too many ops per point", b};
  decide(verdict, b);
  return verdict;
}
