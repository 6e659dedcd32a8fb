//===- RollStages.cpp - Equal stages to a loop ----------------------------===//
//
//   %1 = apply(%0) {f}; %2 = apply(%1) {f}; ...; %n = apply(%n-1) {f}
//     ==> %n = scf.for ... iter_args(%x = %0) { two of them }
//
// The steps of a row are such stages: written one after the other, many of them
// are more code than the instruction caches hold.
//
//===----------------------------------------------------------------------===//

#include "StencilDialect/IR/Remarks.h"
#include "StencilDialect/Tile/Passes.h"
#include "StencilDialect/Tile/Tile.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/OperationSupport.h"

namespace stencil {
#define GEN_PASS_DEF_STENCILROLLSTAGES
#include "StencilDialect/Tile/Passes.h.inc"
} // namespace stencil

using namespace mlir;
using namespace stencil;
using namespace stencil::tile;

/// Results are in the registers of operands then, and need not be moved: a
/// thread goes through its points forwards and backwards in turn.
static constexpr unsigned kTurnsPerIteration = 2;
/// Fewer are little code. A loop of 27 turns of 26 points was as fast as its
/// turns one after the other, of 51 of 50 points it was faster
/// (docs/notebook.md).
static constexpr unsigned kFewestTurns = 8;

namespace {

/// A result of a turn's ops, so many turns before.
struct TurnValue {
  unsigned op = 0, result = 0, before = 0;

  bool operator==(const TurnValue &other) const {
    return std::tie(op, result, before) ==
           std::tie(other.op, other.result, other.before);
  }
};

/// Ops that repeat the `period` ops before them, again and again.
class EqualTurns {
public:
  /// Of ops that stand one after the other, the first ones.
  EqualTurns(ArrayRef<Operation *> ops, size_t period);

  bool isLoop() const { return turns >= kFewestTurns; }
  size_t getOpCount() const { return turns * period; }
  void roll();

private:
  std::optional<unsigned> getTurn(Operation *op) const;
  std::optional<TurnValue> locate(unsigned turn, Value operand) const;
  bool readsAlike(unsigned turn, Value operand, Value alike);
  bool repeats(unsigned turn);
  bool isReadInTurnsOnly() const;
  size_t findCarried(const TurnValue &value, unsigned turn) const;
  Value getValue(const TurnValue &value, unsigned turn) const;

  ArrayRef<Operation *> ops;
  size_t period;
  unsigned turns = 0;
  llvm::DenseMap<Operation *, unsigned> numbers;
  /// What turns read of those before, and what the first ones read instead.
  SmallVector<std::pair<TurnValue, Value>> carried;
};

} // namespace

/// The farthest turn before that one may read: two levels of a wave.
static constexpr unsigned kFarthest = 2;

EqualTurns::EqualTurns(ArrayRef<Operation *> ops, size_t period)
    : ops(ops), period(period) {
  for (auto [index, op] : llvm::enumerate(ops))
    numbers[op] = index;
  unsigned most = ops.size() / period;
  // The turn behind those that may read what is before all turns says what
  // turns read.
  if (most <= kFarthest)
    return;
  for (unsigned op = 0; op < period; ++op)
    for (Value operand : ops[kFarthest * period + op]->getOperands())
      if (auto value = locate(kFarthest, operand); value && value->before != 0)
        for (unsigned before = 1; before <= value->before; ++before) {
          TurnValue earlier{value->op, value->result, before};
          if (!llvm::is_contained(llvm::make_first_range(carried), earlier))
            carried.push_back({earlier, Value()});
        }
  while (turns < most && repeats(turns))
    ++turns;
  while (isLoop() && !isReadInTurnsOnly())
    --turns;
}

std::optional<unsigned> EqualTurns::getTurn(Operation *op) const {
  auto known = numbers.find(op);
  if (!op || known == numbers.end())
    return std::nullopt;
  return known->second / period;
}

/// Which result of which turn an operand of a turn is; nothing if of none.
std::optional<TurnValue> EqualTurns::locate(unsigned turn,
                                            Value operand) const {
  std::optional<unsigned> made = getTurn(operand.getDefiningOp());
  if (!made)
    return std::nullopt;
  unsigned number = numbers.lookup(operand.getDefiningOp());
  return TurnValue{static_cast<unsigned>(number % period),
                   cast<OpResult>(operand).getResultNumber(), turn - *made};
}

/// Whether an operand of a turn is to it what `alike` is to the turn that says
/// what turns read.
bool EqualTurns::readsAlike(unsigned turn, Value operand, Value alike) {
  std::optional<TurnValue> value = locate(kFarthest, alike);
  if (!value)
    return operand == alike;
  if (value->before <= turn)
    return locate(turn, operand) == value;
  // The first turns read what is before all of them.
  if (locate(turn, operand))
    return false;
  TurnValue first{value->op, value->result, value->before - turn};
  for (auto &[known, init] : carried)
    if (known == first) {
      if (!init)
        init = operand;
      return init == operand && operand.getType() == alike.getType();
    }
  return false;
}

/// Whether a turn does the same as the one that says what turns read.
bool EqualTurns::repeats(unsigned turn) {
  constexpr auto kFlags = OperationEquivalence::IgnoreLocations;
  for (unsigned number = 0; number < period; ++number) {
    Operation *op = ops[turn * period + number];
    Operation *alike = ops[kFarthest * period + number];
    if (!OperationEquivalence::isEquivalentTo(
            op, alike, OperationEquivalence::ignoreValueEquivalence,
            /*markEquivalent=*/nullptr, kFlags))
      return false;
    for (auto [own, other] :
         llvm::zip_equal(op->getRegions(), alike->getRegions()))
      if (!OperationEquivalence::isRegionEquivalentTo(&own, &other, kFlags))
        return false;
    for (auto [own, other] :
         llvm::zip_equal(op->getOperands(), alike->getOperands()))
      if (!readsAlike(turn, own, other))
        return false;
  }
  return true;
}

/// Whether what comes after the turns reads nothing but what the last ones
/// would hand on.
bool EqualTurns::isReadInTurnsOnly() const {
  for (Operation *op : ops.take_front(getOpCount()))
    for (OpResult result : op->getResults())
      for (Operation *user : result.getUsers()) {
        std::optional<unsigned> turn =
            getTurn(op->getBlock()->findAncestorOpInBlock(*user));
        if (turn && *turn < turns)
          continue;
        if (!llvm::is_contained(llvm::make_first_range(carried),
                                *locate(turns, result)))
          return false;
      }
  return true;
}

/// The carried value that a turn reads of one before all turns.
size_t EqualTurns::findCarried(const TurnValue &value, unsigned turn) const {
  TurnValue first{value.op, value.result, value.before - turn};
  return llvm::find_if(
             carried, [&](const auto &known) { return known.first == first; }) -
         carried.begin();
}

/// What a turn reads of those before.
Value EqualTurns::getValue(const TurnValue &value, unsigned turn) const {
  if (value.before > turn)
    return carried[findCarried(value, turn)].second;
  return ops[(turn - value.before) * period + value.op]->getResult(
      value.result);
}

void EqualTurns::roll() {
  // Those that are left over come first, as they are.
  unsigned first = turns % kTurnsPerIteration;
  Operation *begin = ops[first * period];
  OpBuilder builder(begin);
  Location loc = begin->getLoc();
  auto constant = [&](int64_t value) -> Value {
    return arith::ConstantIndexOp::create(builder, loc, value);
  };
  SmallVector<Value> inits, last;
  for (const auto &[value, init] : carried) {
    inits.push_back(getValue(value, first));
    last.push_back(getValue(value, turns));
  }
  auto loop = scf::ForOp::create(builder, loc, constant(0),
                                 constant(turns / kTurnsPerIteration),
                                 constant(1), inits);
  builder.setInsertionPointToStart(loop.getBody());
  SmallVector<Operation *> copies;
  // What so many turns before a turn of the loop has made.
  auto getCopy = [&](const TurnValue &value, unsigned turn) -> Value {
    if (value.before <= turn)
      return copies[(turn - value.before) * period + value.op]->getResult(
          value.result);
    return loop.getRegionIterArg(findCarried(value, turn));
  };
  for (unsigned turn = 0; turn < kTurnsPerIteration; ++turn)
    for (Operation *op : ops.slice(kFarthest * period, period)) {
      Operation *copy = builder.clone(*op);
      for (OpOperand &operand : copy->getOpOperands())
        if (std::optional<TurnValue> value = locate(kFarthest, operand.get()))
          operand.set(getCopy(*value, turn));
      copies.push_back(copy);
    }
  SmallVector<Value> yielded;
  for (const auto &[value, init] : carried)
    yielded.push_back(getCopy(value, kTurnsPerIteration));
  scf::YieldOp::create(builder, loc, yielded);
  for (auto [value, result] : llvm::zip_equal(last, loop.getResults()))
    value.replaceUsesWithIf(result, [&](OpOperand &use) {
      Operation *user =
          begin->getBlock()->findAncestorOpInBlock(*use.getOwner());
      std::optional<unsigned> turn = getTurn(user);
      return !turn || *turn >= turns;
    });
  for (Operation *op :
       llvm::reverse(ops.slice(first * period, getOpCount() - first * period)))
    op->erase();
  remarkPassed(loc, "Stages", "Rolled",
               Twine(turns - first) + " turns of " + Twine(period) +
                   (period == 1 ? " op" : " ops") + " are a loop");
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

/// The longest turn: two steps of two values.
static constexpr size_t kLongestTurn = 16;

/// Rolls ops that stand one after the other and have no effects.
static bool rollOps(ArrayRef<Operation *> ops) {
  bool isChanged = false;
  while (!ops.empty()) {
    std::optional<EqualTurns> best;
    for (size_t period = 1;
         period <= std::min(kLongestTurn, ops.size() / kFewestTurns);
         ++period) {
      EqualTurns turns(ops, period);
      if (turns.isLoop() && (!best || turns.getOpCount() > best->getOpCount()))
        best.emplace(std::move(turns));
    }
    size_t count = best ? best->getOpCount() : 1;
    ArrayRef<Operation *> rest = ops.drop_front(count);
    if (best) {
      best->roll();
      isChanged = true;
    }
    ops = rest;
  }
  return isChanged;
}

namespace {

struct RollStages : stencil::impl::StencilRollStagesBase<RollStages> {
  void runOnOperation() override;
};

} // namespace

void RollStages::runOnOperation() {
  bool isChanged = false;
  getOperation().walk([&](KernelOp kernel) {
    SmallVector<SmallVector<Operation *>> runs(1);
    for (Operation &op : *kernel.getBodyBlock()) {
      if (isa<ApplyOp, JoinOp>(op))
        runs.back().push_back(&op);
      else if (!runs.back().empty())
        runs.emplace_back();
    }
    for (ArrayRef<Operation *> ops : runs)
      isChanged |= rollOps(ops);
    return WalkResult::skip();
  });
  // What is as it was needs no verification.
  if (!isChanged)
    markAllAnalysesPreserved();
}
