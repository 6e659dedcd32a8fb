//===- ApplyFusion.cpp - Two applies become one ---------------------------===//
//
// A value of the producer that its consumer reads at several offsets is
// computed once in the fused body, at one of these offsets (the base), and
// moved to the others by weighted sums of one tap. So the base is always an
// offset at which the producer was evaluated before: nothing is read that was
// not read.
//
//===----------------------------------------------------------------------===//

#include "ApplyFusion.h"
#include "Bodies/BodyPruning.h"
#include "StencilDialect/Analysis/Fusion.h"
#include "StencilDialect/IR/Schedule.h"
#include "Sums/SumBodies.h"

using namespace mlir;
using namespace stencil;

//===----------------------------------------------------------------------===//
// Bodies
//===----------------------------------------------------------------------===//

void stencil::addInputs(ApplyOp apply, ApplyOp other, IRMapping &mapping) {
  Block *body = apply.getBodyBlock();
  // As the other apply keeps them, if it says so: it has no schedule or the
  // same.
  SmallVector<Space> windows;
  auto schedule = ScheduleAttr::of(other);
  unsigned field = 0;
  for (auto [input, argument] :
       llvm::zip_equal(other.getArgs(), other.getBodyBlock()->getArguments())) {
    unsigned before = body->getNumArguments();
    BlockArgument own = apply.getOrAddInput(input, argument.getLoc());
    bool isField = isa<GridType>(input.getType());
    if (isField && body->getNumArguments() > before)
      windows.push_back(schedule ? schedule.getWindowOf(field) : Space::Cache);
    field += isField;
    mapping.map(argument, own);
  }
  addWindows(apply, windows);
}

//===----------------------------------------------------------------------===//
// Producer and consumer
//===----------------------------------------------------------------------===//

namespace {
/// Moves a body by `offset`, into one that has more axes: `axes` are those of
/// the apply that the body comes from, in the apply that it goes to.
struct Move {
  SmallVector<int64_t> offset;
  SmallVector<int64_t> axes;
};

/// Puts one producer into one consumer.
class Inliner {
public:
  Inliner(ApplyOp producer, ApplyOp fused)
      : producer(producer), fused(fused), builder(fused.getContext()) {}

  /// `reads` are the accesses and sums of the consumer, by result.
  void run(ArrayRef<SmallVector<Operation *>> reads, const IRMapping &inputs,
           MutableArrayRef<Value> kept);

private:
  SmallVector<int64_t> getBase(ArrayRef<Operation *> reads, bool isKept);
  void clone(const Move &move, const IRMapping &inputs, Operation *before);
  void replace(Operation *read, Value value, const Move &move);
  Value shift(Value value, ArrayRef<int64_t> offset, Location loc);

  ApplyOp producer, fused;
  OpBuilder builder;
  IRMapping mapping;
};
} // namespace

static SmallVector<int64_t> getAxesOf(Operation *read) {
  if (auto access = dyn_cast<AccessOp>(read))
    return access.getAxes();
  return cast<WeightedSumOp>(read).getAxes();
}

static void forEachOffset(Operation *read,
                          llvm::function_ref<void(ArrayRef<int64_t>)> call) {
  if (auto access = dyn_cast<AccessOp>(read))
    return call(access.getOffset().getValues());
  auto sum = cast<WeightedSumOp>(read);
  for (int64_t tap = 0, end = sum.getNumTaps(); tap < end; ++tap)
    call(sum.getOffset(tap));
}

/// The offset to compute a value at: zero if it is read there, else the one
/// that is nearest.
SmallVector<int64_t> Inliner::getBase(ArrayRef<Operation *> reads,
                                      bool isKept) {
  SmallVector<int64_t> base(producer.getRank(), 0);
  if (isKept)
    return base;
  int64_t nearest = std::numeric_limits<int64_t>::max();
  for (Operation *read : reads)
    forEachOffset(read, [&](ArrayRef<int64_t> offset) {
      int64_t distance = 0;
      for (int64_t value : offset)
        distance += std::abs(value);
      if (distance >= nearest)
        return;
      nearest = distance;
      base.assign(offset.begin(), offset.end());
    });
  return base;
}

/// `value` as it is `offset` away.
Value Inliner::shift(Value value, ArrayRef<int64_t> offset, Location loc) {
  if (isZero(offset) || isSameEverywhere(value))
    return value;
  return shiftValue(builder, loc, value, offset);
}

void Inliner::replace(Operation *read, Value value, const Move &move) {
  builder.setInsertionPoint(read);
  SmallVector<int64_t> offsets;
  forEachOffset(read, [&](ArrayRef<int64_t> offset) {
    SmallVector<int64_t> full(move.offset.size(), 0);
    for (auto [axis, coordinate] : llvm::zip_equal(move.axes, offset))
      full[axis] = coordinate - move.offset[axis];
    llvm::append_range(offsets, full);
  });
  Value moved;
  if (isa<AccessOp>(read)) {
    moved = shift(value, offsets, read->getLoc());
  } else {
    auto sum = cast<WeightedSumOp>(builder.clone(*read));
    sum.getInputMutable().assign(value);
    sum.setOffsets(offsets);
    sum.removeOffsetMappingAttr();
    moved = sum.getRes();
  }
  read->getResult(0).replaceAllUsesWith(moved);
  read->erase();
}

/// Copies the producer's body, moved, to before `before`.
void Inliner::clone(const Move &move, const IRMapping &inputs,
                    Operation *before) {
  mapping = inputs;
  builder.setInsertionPoint(before);
  bool isSame = isZero(move.offset) && fused.getRank() == producer.getRank();
  for (Operation &op : producer.getBodyBlock()->without_terminator()) {
    Operation *copy = builder.clone(op, mapping);
    if (!isSame)
      copy->walk([&](PlacedOpInterface placed) {
        placed.move(move.offset, move.axes);
      });
  }
}

void Inliner::run(ArrayRef<SmallVector<Operation *>> reads,
                  const IRMapping &inputs, MutableArrayRef<Value> kept) {
  int64_t rank = fused.getRank();
  // One copy of the body for every base and mapping of the axes, of which there
  // is one only but for odd programs.
  std::map<std::pair<SmallVector<int64_t>, SmallVector<int64_t>>,
           SmallVector<std::pair<unsigned, SmallVector<Operation *>>>>
      groups;
  for (auto [index, all] : llvm::enumerate(reads)) {
    std::map<SmallVector<int64_t>, SmallVector<Operation *>> byAxes;
    bool isKept = kept[index] != nullptr;
    if (isKept)
      byAxes[llvm::to_vector(llvm::seq<int64_t>(0, rank))];
    for (Operation *read : all)
      byAxes[getAxesOf(read)].push_back(read);
    for (auto &[axes, some] : byAxes)
      groups[{axes, getBase(some, isKept)}].push_back({index, some});
  }
  Block *body = fused.getBodyBlock();
  for (auto &[key, results] : groups) {
    Move move;
    move.axes = key.first;
    move.offset.assign(rank, 0);
    for (auto [axis, value] : llvm::zip_equal(key.first, key.second))
      move.offset[axis] = value;
    Operation *first = body->getTerminator();
    for (auto &[index, some] : results)
      for (Operation *read : some)
        if (Operation *top = body->findAncestorOpInBlock(*read);
            top->isBeforeInBlock(first))
          first = top;
    clone(move, inputs, first);
    for (auto &[index, some] : results) {
      Value value = mapping.lookupOrDefault(getReturnedValue(producer, index));
      for (Operation *read : some)
        replace(read, value, move);
      if (kept[index])
        kept[index] = value;
    }
  }
}

/// Replaces uses of a value but by `except`; the bodies of applies follow.
static void replaceOtherUses(Value value, Value by, Operation *except) {
  for (OpOperand &use : llvm::make_early_inc_range(value.getUses())) {
    if (use.getOwner() == except)
      continue;
    use.set(by);
    if (auto apply = dyn_cast<ApplyOp>(use.getOwner()))
      apply.retypeArguments();
  }
}

ApplyOp stencil::inlineProducer(ApplyOp producer, ApplyOp consumer,
                                bool keepsResults, Operation *place) {
  OpBuilder builder(place);
  auto type = cast<TempType>(consumer.getRes().front().getType());
  SmallVector<Type> types(consumer->getResultTypes());
  // Where to find what else is used of the producer; a mark until it is known.
  SmallVector<Value> kept(producer->getNumResults());
  for (OpResult result : producer->getResults()) {
    bool isUsed = llvm::any_of(
        result.getUsers(), [&](Operation *user) { return user != consumer; });
    if (!keepsResults || !isUsed)
      continue;
    kept[result.getResultNumber()] = result;
    Type element = getElementType(result);
    types.push_back(type.getBounds() ? TempType::get(type.getBounds(), element)
                                     : TempType::get(type.getRank(), element));
  }

  auto fused =
      ApplyOp::create(builder, consumer.getLoc(), types, consumer.getArgs());
  fused->setDiscardableAttrs(consumer->getDiscardableAttrDictionary());
  fused.getRegion().takeBody(consumer.getRegion());
  Block *body = fused.getBodyBlock();
  std::vector<SmallVector<Operation *>> reads(producer->getNumResults());
  for (auto [input, argument] :
       llvm::zip_equal(fused.getArgs(), body->getArguments())) {
    if (input.getDefiningOp() != producer)
      continue;
    llvm::SetVector<Operation *> users;
    users.insert_range(argument.getUsers());
    // Uses are listed latest first.
    llvm::append_range(reads[cast<OpResult>(input).getResultNumber()],
                       llvm::reverse(users));
  }
  IRMapping inputs;
  addInputs(fused, producer, inputs);
  Inliner(producer, fused).run(reads, inputs, kept);

  unsigned next = consumer->getNumResults();
  for (auto [old, result] :
       llvm::zip(consumer->getResults(), fused->getResults()))
    old.replaceAllUsesWith(result);
  consumer.erase();
  Operation *terminator = body->getTerminator();
  for (auto [old, value] : llvm::zip_equal(producer->getResults(), kept)) {
    if (!value)
      continue;
    terminator->insertOperands(terminator->getNumOperands(), value);
    replaceOtherUses(old, fused->getResult(next++), fused);
  }
  eraseUnusedOps(fused.getRegion());
  dropUnusedOperands(fused);
  if (producer->use_empty())
    producer.erase();
  return fused;
}

//===----------------------------------------------------------------------===//
// Names
//===----------------------------------------------------------------------===//

StringRef stencil::getApplyName(ApplyOp apply) {
  if (auto name = apply->getAttrOfType<StringAttr>(kApplyNameAttr))
    return name.getValue();
  if (auto name = dyn_cast<NameLoc>(apply->getLoc()))
    return name.getName().getValue();
  return {};
}

bool stencil::hasName(ApplyOp apply, StringRef name) {
  StringRef own = getApplyName(apply);
  return !own.empty() &&
         (own == name || llvm::is_contained(llvm::split(own, '+'), name));
}

//===----------------------------------------------------------------------===//
// Siblings
//===----------------------------------------------------------------------===//

/// Applies and buffers see their operands' boxes.
static void updateTypes(Value value) {
  for (OpOperand &use : value.getUses()) {
    if (auto apply = dyn_cast<ApplyOp>(use.getOwner())) {
      apply.retypeArguments();
    } else if (auto buffer = dyn_cast<BufferOp>(use.getOwner())) {
      BoundsAttr bounds = getBounds(value);
      auto type = cast<GridType>(buffer.getRes().getType());
      if (type.getBounds() == bounds)
        continue;
      buffer.getRes().setType(type.withBounds(bounds));
      updateTypes(buffer.getRes());
    }
  }
}

ApplyOp stencil::mergeSiblings(ApplyOp a, ApplyOp b, Operation *place) {
  OpBuilder builder(place);
  SmallVector<Type> types(a->getResultTypes());
  llvm::append_range(types, b->getResultTypes());
  // All results have one box. Where it is not written down, or not as one, it
  // is to be inferred.
  auto getBounds = [](Type type) { return cast<GridType>(type).getBounds(); };
  if (!llvm::all_equal(llvm::map_range(types, getBounds)))
    for (Type &type : types)
      type = cast<GridType>(type).withBounds({});
  Location loc = builder.getFusedLoc({a.getLoc(), b.getLoc()});
  auto merged = ApplyOp::create(builder, loc, types, a.getArgs());
  merged->setDiscardableAttrs(a->getDiscardableAttrDictionary());
  StringRef nameA = getApplyName(a), nameB = getApplyName(b);
  if (!nameA.empty() && !nameB.empty())
    merged->setAttr(kApplyNameAttr, builder.getStringAttr(nameA + "+" + nameB));
  merged.getRegion().takeBody(a.getRegion());

  IRMapping mapping;
  addInputs(merged, b, mapping);
  Operation *terminator = merged.getBodyBlock()->getTerminator();
  builder.setInsertionPoint(terminator);
  Block *body = b.getBodyBlock();
  for (Operation &op : body->without_terminator())
    builder.clone(op, mapping);
  for (Value value : body->getTerminator()->getOperands())
    terminator->insertOperands(terminator->getNumOperands(),
                               mapping.lookupOrDefault(value));
  unsigned next = 0;
  for (ApplyOp old : {a, b})
    for (Value result : old.getRes()) {
      Value by = merged.getRes()[next++];
      result.replaceAllUsesWith(by);
      updateTypes(by);
    }
  a.erase();
  b.erase();
  return merged;
}

//===----------------------------------------------------------------------===//
// Combines
//===----------------------------------------------------------------------===//

SplitApply stencil::splitAtCombine(ApplyOp apply, CombineOp combine,
                                   BoundsAttr lower, BoundsAttr upper) {
  OpBuilder builder(apply);
  auto makeSide = [&](bool isUpper) {
    auto side = cast<ApplyOp>(builder.clone(*apply));
    for (OpOperand &use : side.getArgsMutable()) {
      auto part = use.get().getDefiningOp<CombineOp>();
      if (!part || part.getDim() != combine.getDim() ||
          part.getIndex() != combine.getIndex())
        continue;
      unsigned index = cast<OpResult>(use.get()).getResultNumber();
      unsigned pairs = part.getLower().size();
      if (index < pairs)
        use.set(isUpper ? part.getUpper()[index] : part.getLower()[index]);
      else
        use.set(part->getOperand(pairs + index));
    }
    side.retypeArguments();
    // Boxes that are not written down are to be inferred.
    for (Value result : side.getRes())
      if (auto type = cast<TempType>(result.getType()); type.getBounds())
        result.setType(
            TempType::get(isUpper ? upper : lower, type.getElementType()));
    return side;
  };
  SplitApply split;
  split.lower = makeSide(false);
  split.upper = makeSide(true);
  split.combine = CombineOp::create(
      builder, combine.getLoc(), apply->getResultTypes(), combine.getDimAttr(),
      combine.getIndexAttr(), split.lower.getRes(), split.upper.getRes(),
      ValueRange(), ValueRange());
  apply->replaceAllUsesWith(split.combine);
  return split;
}
