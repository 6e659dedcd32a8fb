//===- ApplyFuser.cpp - Which applies of a function are fused -------------===//
//
// Consumers come before producers, so that a chain collapses from its end; then
// what reads combines is divided at their split if that lets both sides be
// fused; then siblings; then producers that several applies read. Again, until
// nothing changes.
//
//===----------------------------------------------------------------------===//

#include "ApplyFuser.h"
#include "StencilDialect/IR/OpWalks.h"
#include "StencilDialect/IR/Remarks.h"
#include "llvm/ADT/IntEqClasses.h"

#include <array>
#include <set>

using namespace mlir;
using namespace stencil;

//===----------------------------------------------------------------------===//
// Names and remarks
//===----------------------------------------------------------------------===//

bool FusionWishes::isForbidden(ApplyOp a, ApplyOp b) const {
  return llvm::any_of(forbid, [&](StringRef name) {
    auto [first, second] = name.split('+');
    if (second.empty())
      return hasName(a, first) || hasName(b, first);
    return (hasName(a, first) && hasName(b, second)) ||
           (hasName(b, first) && hasName(a, second));
  });
}

static std::string quote(ApplyOp apply, StringRef otherwise) {
  StringRef name = getApplyName(apply);
  return name.empty() ? otherwise.str() : ("'" + name + "'").str();
}

static std::string describe(const FusionVerdict &verdict) {
  return describeChange(verdict.before, verdict.after, verdict.points);
}

static std::string explain(const FusionVerdict &verdict) {
  if (verdict.kind == FusionVerdict::Illegal)
    return "cannot: " + verdict.obstacle.reason;
  if (verdict.before.time == 0)
    return verdict.obstacle.reason;
  return verdict.obstacle.reason + ": " + describe(verdict);
}

//===----------------------------------------------------------------------===//
// Fusion
//===----------------------------------------------------------------------===//

SmallVector<ApplyOp> Fuser::collect() {
  SmallVector<ApplyOp> applies;
  alive.clear();
  for (Operation *op : listProgram(function.getFunctionBody()))
    if (auto apply = dyn_cast<ApplyOp>(op); apply && !apply.isBufferised()) {
      applies.push_back(apply);
      alive.insert(apply);
    }
  return applies;
}

SmallVector<ApplyOp> Fuser::getConsumers(Operation *producer) {
  llvm::SetVector<Operation *> users;
  for (Operation *user : producer->getUsers())
    if (isa<ApplyOp>(user) && !analysis.ignoredUsers.contains(user))
      users.insert(user);
  return llvm::map_to_vector(llvm::reverse(users), llvm::CastTo<ApplyOp>);
}

/// Moves what `apply` reads to before `place`.
void Fuser::moveInputs(ApplyOp apply, Operation *except, Operation *place) {
  SmallVector<Operation *> moves;
  for (Value input : apply.getArgs())
    if (input.getDefiningOp() != except)
      (void)analysis.findMoves(input, place, moves);
  for (Operation *op : moves) {
    op->moveBefore(place);
    analysis.setPlace(op, place);
  }
}

void Fuser::fuse(ApplyOp producer, MutableArrayRef<ApplyOp> consumers,
                 const FusionVerdict &verdict) {
  for (ApplyOp consumer : consumers)
    remarkPassed(producer.getLoc(), "Fusion", "Fused",
                 "fused " + quote(producer, "it") + " into " +
                     quote(consumer, "its consumer") + ": " +
                     describe(verdict));
  bool isLast = llvm::all_of(producer->getUsers(), [&](Operation *user) {
    return verdict.keepsResults || llvm::is_contained(consumers, user);
  });
  if (isLast)
    alive.erase(producer);
  for (ApplyOp &consumer : consumers) {
    BoundsAttr box = analysis.getBox(consumer.getRes().front());
    Operation *place = verdict.place ? verdict.place : consumer.getOperation();
    if (verdict.place)
      moveInputs(consumer, producer, place);
    alive.erase(consumer);
    unsigned position = analysis.getPosition(place);
    consumer = inlineProducer(producer, consumer, verdict.keepsResults, place);
    analysis.setPosition(consumer, position);
    for (Value result : consumer.getRes())
      analysis.setBox(result, box);
  }
}

ApplyOp Fuser::fuse(ApplyOp a, ApplyOp b, const FusionVerdict &verdict) {
  remarkPassed(a.getLoc(), "Fusion", "Fused",
               "merged " + quote(a, "it") + " with " + quote(b, "its sibling") +
                   ": " + describe(verdict));
  Operation *place = verdict.place ? verdict.place : b.getOperation();
  if (verdict.place)
    moveInputs(b, nullptr, place);
  GridBox hull(analysis.getBox(a.getRes().front()));
  hull.join(GridBox(analysis.getBox(b.getRes().front())));
  BoundsAttr box = hull.get(a.getContext());
  unsigned position = analysis.getPosition(place);
  ApplyOp merged = mergeSiblings(a, b, place);
  analysis.setPosition(merged, position);
  for (Value result : merged.getRes())
    analysis.setBox(result, box);
  return merged;
}

bool Fuser::tryProducer(ApplyOp producer, SmallVectorImpl<ApplyOp> &consumers) {
  for (ApplyOp consumer : consumers)
    if (wishes.isForbidden(producer, consumer)) {
      missed(producer.getLoc(), quote(producer, "it") + " is not fused into " +
                                    quote(consumer, "its consumer") +
                                    ": forbidden");
      return false;
    }
  FusionVerdict verdict = analysis.judgeProducer(producer, consumers);
  if (verdict.kind == FusionVerdict::Fuse) {
    fuse(producer, consumers, verdict);
    return true;
  }
  missed(producer.getLoc(),
         quote(producer, "it") + " is not fused into " +
             (consumers.size() > 1 ? "its consumers"
                                   : quote(consumers.front(), "its consumer")) +
             ": " + explain(verdict));
  return false;
}

bool Fuser::trySiblings(ApplyOp a, ApplyOp b, ApplyOp &merged) {
  if (b->isBeforeInBlock(a))
    std::swap(a, b);
  FusionVerdict verdict;
  if (!wishes.isForbidden(a, b)) {
    verdict = analysis.judgeSiblings(a, b);
    if (verdict.kind == FusionVerdict::Fuse) {
      merged = fuse(a, b, verdict);
      return true;
    }
  } else {
    verdict.kind = FusionVerdict::Illegal;
    verdict.obstacle = {"forbidden", b};
  }
  missed(a.getLoc(), quote(a, "it") + " is not merged with " +
                         quote(b, "its sibling") + ": " + explain(verdict));
  return false;
}

/// Puts into `consumer` what only it reads.
bool Fuser::absorbProducers(ApplyOp &consumer) {
  llvm::SmallPtrSet<Operation *, 8> seen;
  bool changed = false;
  for (bool again = true; std::exchange(again, false);)
    for (Value input : SmallVector<Value>(consumer.getArgs())) {
      auto producer = input.getDefiningOp<ApplyOp>();
      if (!producer || producer.isBufferised() || !seen.insert(producer).second)
        continue;
      SmallVector<ApplyOp> consumers = getConsumers(producer);
      if (consumers.size() != 1 || !tryProducer(producer, consumers))
        continue;
      consumer = consumers.front();
      // Its address may be used again.
      seen.erase(producer);
      changed = again = true;
      break;
    }
  return changed;
}

/// Divides `consumer` at the split of a combine that it reads, and fuses the
/// sides of that into the sides of this, if that pays. Returns why not.
std::optional<Obstacle> Fuser::tryCombine(ApplyOp consumer, CombineOp combine,
                                          bool isForced) {
  if (auto obstacle = analysis.findSplitObstacle(consumer, combine))
    return obstacle;
  // A result that is stored and read is better left in one piece.
  for (Value result : consumer.getRes())
    if (llvm::any_of(result.getUsers(), llvm::IsaPred<StoreOp>) &&
        !result.hasOneUse())
      return Obstacle{"its result is stored and used otherwise", consumer};
  BoundsAttr box = analysis.getBox(consumer.getRes().front());
  int64_t axis = combine.getDim().getSExtValue();
  int64_t at = combine.getIndex().getSExtValue();
  if (box.getLb()[axis] >= at || box.getUb()[axis] <= at)
    return Obstacle{"it has points on one side of the combine only", combine};
  SmallVector<int64_t> lowerEnd(box.getUb()), upperBegin(box.getLb());
  lowerEnd[axis] = upperBegin[axis] = at;
  BoundsAttr sides[] = {
      BoundsAttr::get(box.getContext(), box.getLb(), lowerEnd),
      BoundsAttr::get(box.getContext(), upperBegin, box.getUb())};
  SplitApply split = splitAtCombine(consumer, combine, sides[0], sides[1]);
  for (auto [side, part] :
       {std::pair(split.lower, sides[0]), std::pair(split.upper, sides[1])}) {
    analysis.setPlace(side, consumer);
    for (Value result : side.getRes())
      analysis.setBox(result, part);
  }
  analysis.setPlace(split.combine, consumer);
  for (auto [old, result] :
       llvm::zip_equal(consumer.getRes(), split.combine.getResults()))
    analysis.setBox(result, box);

  // The old reader, and combines that nobody else reads, count no more.
  analysis.ignoredUsers.insert(consumer);
  llvm::SetVector<Operation *> combines;
  for (Value input : consumer.getArgs())
    if (auto part = input.getDefiningOp<CombineOp>())
      combines.insert(part);
  for (Operation *part : combines)
    if (llvm::all_of(part->getUsers(),
                     [&](Operation *user) { return user == consumer; }))
      analysis.ignoredUsers.insert(part);
  auto paysFor = [&](ApplyOp side) {
    return llvm::any_of(side.getArgs(), [&](Value input) {
      auto producer = input.getDefiningOp<ApplyOp>();
      if (!producer || (!isForced && getConsumers(producer).size() != 1) ||
          wishes.isForbidden(producer, side))
        return false;
      FusionVerdict verdict = analysis.judgeProducer(producer, side, isForced);
      return verdict.kind == FusionVerdict::Fuse ||
             (isForced && verdict.kind != FusionVerdict::Illegal);
    });
  };
  if (!paysFor(split.lower) && !paysFor(split.upper)) {
    split.combine->replaceAllUsesWith(consumer);
    split.combine.erase();
    split.lower.erase();
    split.upper.erase();
    analysis.ignoredUsers.clear();
    return Obstacle{"neither side of the combine would be fused", combine};
  }
  remarkPassed(consumer.getLoc(), "Fusion", "Fused",
               "divided " + quote(consumer, "it") +
                   " at the split of a combine that it reads");
  alive.erase(consumer);
  consumer.erase();
  for (Operation *part : combines)
    if (part->use_empty())
      part->erase();
  analysis.ignoredUsers.clear();
  // What is asked for is fused by who asked.
  if (!isForced)
    for (ApplyOp side : {split.lower, split.upper})
      absorbProducers(side);
  return std::nullopt;
}

bool Fuser::pushThroughCombines(ApplyOp consumer) {
  for (Value input : consumer.getArgs()) {
    auto combine = input.getDefiningOp<CombineOp>();
    if (!combine)
      continue;
    std::optional<Obstacle> obstacle =
        tryCombine(consumer, combine, /*isForced=*/false);
    if (!obstacle)
      return true;
    missed(
        consumer.getLoc(),
        quote(consumer, "it") +
            " is not divided at the split of a combine: " + obstacle->reason);
  }
  return false;
}

/// Merges applies that read the same memory.
bool Fuser::mergeReaders() {
  // An apply that has been merged stands where the first one was.
  SmallVector<ApplyOp> applies = collect();
  SmallVector<unsigned> merges(applies.size(), 0);
  llvm::IntEqClasses classes(applies.size());
  llvm::MapVector<std::pair<Value, Block *>, SmallVector<unsigned>> readers;
  for (auto [number, apply] : llvm::enumerate(applies)) {
    llvm::SmallPtrSet<void *, 8> seen;
    for (Value input : apply.getArgs()) {
      if (!isa<TempType>(input.getType()))
        continue;
      if (auto load = input.getDefiningOp<LoadOp>())
        input = load.getField();
      if (seen.insert(input.getAsOpaquePointer()).second)
        readers[{input, apply->getBlock()}].push_back(number);
    }
  }
  // Far apart in the text, two rarely have much in common.
  constexpr size_t window = 4;
  bool changed = false;
  std::set<std::array<unsigned, 4>> judged;
  for (auto &[memory, list] : readers)
    for (size_t i = 0; i < list.size(); ++i)
      for (size_t j = i + 1; j < list.size() && j <= i + window; ++j) {
        unsigned a = classes.findLeader(list[i]);
        unsigned b = classes.findLeader(list[j]);
        if (a == b || !judged.insert({a, b, merges[a], merges[b]}).second)
          continue;
        ApplyOp merged;
        if (!trySiblings(applies[a], applies[b], merged))
          continue;
        unsigned leader = classes.join(a, b);
        applies[leader] = merged;
        ++merges[leader];
        changed = true;
      }
  return changed;
}

void Fuser::run() {
  constexpr int patience = 10;
  for (int round = 0; round < patience; ++round) {
    declined.clear();
    bool changed = false;
    auto tryEach = [&](llvm::function_ref<bool(ApplyOp)> attempt) {
      SmallVector<ApplyOp> applies = collect();
      for (ApplyOp apply : llvm::reverse(applies))
        if (alive.contains(apply))
          changed |= attempt(apply);
    };
    tryEach([&](ApplyOp apply) { return absorbProducers(apply); });
    tryEach([&](ApplyOp apply) { return pushThroughCombines(apply); });
    changed |= mergeReaders();
    tryEach([&](ApplyOp apply) {
      SmallVector<ApplyOp> consumers = getConsumers(apply);
      return consumers.size() > 1 && tryProducer(apply, consumers);
    });
    if (!changed)
      break;
  }
  for (const auto &[loc, text] : declined)
    remarkMissed(loc, "Fusion", "NotFused", text);
}
