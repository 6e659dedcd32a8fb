//===- Rotation.cpp - Carried values that change places -------------------===//
//
// A queue of planes is a chain: each carried value becomes the one that was
// before the next, and a new one comes to its end.
//
//   carry(%old, %new) { %x = ...; yield %new, %x }
//
// So do partial sums, each with a term added on its way. The new value takes
// the registers of the old one if nobody reads that any more: after two
// iterations all are in place again. If somebody does, it needs registers of
// its own, and it takes three.
//
//===----------------------------------------------------------------------===//

#include "WalkExpander.h"
#include "mlir/Analysis/SliceAnalysis.h"
#include "llvm/ADT/SetVector.h"
#include <numeric>

using namespace mlir;
using namespace stencil;
using namespace stencil::tile;

namespace {

class RotationFinder {
public:
  explicit RotationFinder(WalkOp walk) : walk(walk) {}

  SmallVector<int64_t> find();

private:
  /// The carried value that a value is, or is made of; none for a new one.
  std::optional<unsigned> findCarried(Value value);
  std::optional<unsigned> findUpdated(ApplyOp stage, unsigned result);
  bool isReadSince(Value value, Operation *place);

  WalkOp walk;
  llvm::DenseMap<Value, std::optional<unsigned>> carriedIn;
};

} // namespace

/// What a value was called before, planes earlier.
static Value lookThroughShifts(Value value) {
  while (auto shift = value.getDefiningOp<ShiftOp>())
    value = shift.getValues();
  return value;
}

/// The one carried value that a stage adds to; none if it is made of several,
/// or of none.
std::optional<unsigned> RotationFinder::findUpdated(ApplyOp stage,
                                                    unsigned result) {
  Value returned = stage.getBodyBlock()->getTerminator()->getOperand(result);
  SetVector<Operation *> slice;
  BackwardSliceOptions options;
  options.inclusive = true;
  options.omitBlockArguments = true;
  options.filter = [&](Operation *op) { return stage->isProperAncestor(op); };
  if (failed(getBackwardSlice(returned, &slice, options)))
    return std::nullopt;
  llvm::SmallDenseSet<unsigned> found;
  bool readsSeveral = false;
  auto visit = [&](Operation *op) {
    for (Value operand : op->getOperands()) {
      auto input = dyn_cast<BlockArgument>(operand);
      if (!input || input.getOwner() != stage.getBodyBlock())
        continue;
      Value read = stage.getInput(input);
      readsSeveral |= static_cast<bool>(read.getDefiningOp<JoinOp>());
      if (auto carried = findCarried(read))
        found.insert(*carried);
    }
  };
  for (Operation *op : slice)
    op->walk(visit);
  if (found.size() != 1 || readsSeveral)
    return std::nullopt;
  return *found.begin();
}

std::optional<unsigned> RotationFinder::findCarried(Value value) {
  value = lookThroughShifts(value);
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    unsigned before = 1 + walk.getCursors().size();
    if (argument.getOwner() == walk.getBodyBlock() &&
        argument.getArgNumber() >= before)
      return argument.getArgNumber() - before;
    return std::nullopt;
  }
  auto known = carriedIn.find(value);
  if (known != carriedIn.end())
    return known->second;
  std::optional<unsigned> found;
  unsigned number = cast<OpResult>(value).getResultNumber();
  if (auto where = value.getDefiningOp<WhereOp>())
    found =
        findCarried(where.getBodyBlock()->getTerminator()->getOperand(number));
  else if (auto stage = value.getDefiningOp<ApplyOp>())
    found = findUpdated(stage, number);
  carriedIn[value] = found;
  return found;
}

bool RotationFinder::isReadSince(Value value, Operation *place) {
  return llvm::any_of(value.getUsers(), [&](Operation *user) {
    if (user->hasTrait<ValueView>())
      return isReadSince(user->getResult(0), place);
    Operation *own = walk.getBodyBlock()->findAncestorOpInBlock(*user);
    return own == place || place->isBeforeInBlock(own);
  });
}

SmallVector<int64_t> RotationFinder::find() {
  SmallVector<int64_t> found;
  unsigned count = walk.getCarried().size();
  auto yielded = walk.getBodyBlock()->getTerminator()->getOperands();
  // Who becomes which carried value, and the other way round.
  SmallVector<std::optional<unsigned>> origins(count);
  for (unsigned index = 0; index < count; ++index)
    if (isa<TempType>(walk.getCarried()[index].getType()))
      origins[index] = findCarried(yielded[index]);
  for (unsigned index = 0; index < count; ++index) {
    BlockArgument carried = walk.getCarried()[index];
    if (!isa<TempType>(carried.getType()))
      continue;
    // From an old value along its chain to the new one, or around a circle.
    int64_t length = 1;
    unsigned at = index;
    while (origins[at] && *origins[at] != index && length <= count) {
      at = *origins[at];
      ++length;
    }
    if (length > count)
      continue; // It leads into a circle of others.
    if (origins[at]) {
      found.push_back(length);
      continue;
    }
    // A chain counts from its end: what nobody is made of.
    Operation *maker = lookThroughShifts(yielded[at]).getDefiningOp();
    bool isEnd = !llvm::is_contained(origins, index);
    if (isEnd && maker && walk->isProperAncestor(maker))
      found.push_back(length + (isReadSince(carried, maker) ? 1 : 0));
  }
  return found;
}

SmallVector<int64_t> tile::findRotations(WalkOp walk) {
  return RotationFinder(walk).find();
}

int64_t tile::countUnrolled(ArrayRef<int64_t> rotations) {
  int64_t common = 1, longest = 1;
  for (int64_t rotation : rotations) {
    common = std::min(std::lcm(common, rotation), 2 * kMaxUnrolled);
    longest = std::max(longest, rotation);
  }
  if (common <= kMaxUnrolled)
    return common;
  return longest <= kMaxUnrolled ? longest : 1;
}
