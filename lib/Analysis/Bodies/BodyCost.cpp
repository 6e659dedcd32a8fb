//===- BodyCost.cpp - What a body costs per point -------------------------===//

#include "StencilDialect/Analysis/BodyCost.h"
#include "StencilDialect/IR/Elements.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"

#include <cmath>

using namespace mlir;
using namespace stencil;

//===----------------------------------------------------------------------===//
// Sets of offsets
//===----------------------------------------------------------------------===//

void stencil::normalize(OffsetSet &set) {
  llvm::sort(set);
  set.erase(llvm::unique(set), set.end());
}

/// All sums of an offset of `a` and one of `b`. An axis that is missing in one
/// of `b` is missing in the sum.
static OffsetSet addOffsets(const OffsetSet &a, const OffsetSet &b) {
  OffsetSet sums;
  sums.reserve(a.size() * b.size());
  for (const Offset &first : a)
    for (const Offset &second : b) {
      Offset sum = second;
      for (auto [x, y] : llvm::zip_equal(sum, first))
        x = x == kNoAxis ? kNoAxis : x + y;
      sums.push_back(std::move(sum));
    }
  normalize(sums);
  return sums;
}

double stencil::countLoads(const OffsetSet &offsets) {
  double loads = 0;
  for (size_t begin = 0, end = 0; begin < offsets.size(); begin = end) {
    // The last axis is the contiguous one; sorted, a row is together.
    ArrayRef<int64_t> row = ArrayRef(offsets[begin]).drop_back();
    while (end < offsets.size() && ArrayRef(offsets[end]).drop_back() == row)
      ++end;
    double count = end - begin;
    double span =
        static_cast<double>(offsets[end - 1].back()) - offsets[begin].back();
    loads += std::min(count, std::floor(span / 2) + 1);
  }
  return loads;
}

//===----------------------------------------------------------------------===//
// Single ops
//===----------------------------------------------------------------------===//

/// What an operation on this type costs, compared with one on 64-bit floats.
static double getWeightOf(Type type) {
  return isa<FloatType>(type) && type.getIntOrFloatBitWidth() > 32 ? 1 : 0.5;
}

/// Multiplications and additions of a sum.
static double getSumFlops(WeightedSumOp sum) {
  double taps = 0, products = 0;
  DenseElementsAttr weights = sum.getDenseWeights();
  if (!weights) {
    taps = products = sum.getNumTaps();
  } else {
    auto count = [&](double times, const APFloat &weight) {
      if (weight.isZero())
        return;
      taps += times;
      if (!weight.isExactlyValue(1.0) && !weight.isExactlyValue(-1.0))
        products += times;
    };
    if (!isa<FloatType>(weights.getElementType()))
      taps = products = sum.getNumTaps();
    else if (weights.isSplat())
      count(sum.getNumTaps(), weights.getSplatValue<APFloat>());
    else
      for (const APFloat &weight : weights.getValues<APFloat>())
        count(1, weight);
  }
  return products + std::max(0.0, taps - 1);
}

/// Floating-point operations of one evaluation of `op`, without what is in its
/// regions. Of an argument of 64 bits, see BodyCost::flops.
static double getFlops(Operation *op) {
  if (op->getNumResults() == 0 || op->getNumRegions() != 0 ||
      matchPattern(op, m_Constant()))
    return 0;
  double weight = getWeightOf(op->getResult(0).getType());
  if (auto sum = dyn_cast<WeightedSumOp>(op))
    return weight * getSumFlops(sum);
  if (auto product = dyn_cast<MatVecOp>(op))
    return weight * 2 * static_cast<double>(product.getNumColumns());
  if (isa<PlacedOpInterface, StoreResultOp>(op))
    return 0;
  if (auto pointwise = dyn_cast<PointwiseOpInterface>(op)) {
    double flops = 0;
    Expansion expansion(pointwise);
    for (Operation &inner : expansion.getBlock())
      flops += getFlops(&inner);
    return flops;
  }
  if (op->getName().getDialectNamespace() == "math") {
    StringRef name = op->getName().stripDialect();
    double flops = llvm::StringSwitch<double>(name)
                       .Case("fma", 2)
                       .Cases({"absf", "copysign"}, 1)
                       .Cases({"sqrt", "rsqrt"}, 8)
                       .Default(20);
    return weight * flops;
  }
  if (isa<arith::DivFOp, arith::RemFOp, arith::DivSIOp, arith::DivUIOp,
          arith::RemSIOp, arith::RemUIOp>(op))
    return weight * 8;
  return weight;
}

//===----------------------------------------------------------------------===//
// Bodies
//===----------------------------------------------------------------------===//

namespace {
class Counter {
public:
  Counter(ApplyOp apply, ArrayRef<OffsetSet> needed);
  BodyCost run();

private:
  /// Sets are interned, as most ops are needed where their users are.
  using SetId = unsigned;

  SetId intern(OffsetSet set) {
    pairs += set.size();
    sets.push_back(std::move(set));
    return sets.size() - 1;
  }
  SetId getSet(Operation *op);
  void demand(Value value, SetId set, unsigned time);
  void visitNested(Operation *op, SetId set, unsigned time);
  void read(ArrayRef<int64_t> axes, ArrayRef<int64_t> offset,
            OffsetSet &offsets);

  ApplyOp apply;
  int64_t rank;
  std::vector<OffsetSet> sets;
  size_t pairs = 0;
  /// Of the ops in the body's block: the sets they are needed at, and when they
  /// are used last.
  llvm::DenseMap<Operation *, SmallVector<SetId, 2>> demands;
  llvm::DenseMap<Operation *, unsigned> lastUse;
  BodyCost cost;
};
} // namespace

Counter::Counter(ApplyOp apply, ArrayRef<OffsetSet> needed)
    : apply(apply), rank(apply.getRank()) {
  Block *body = apply.getBodyBlock();
  cost.reads.resize(body->getNumArguments());
  // Set 0 is this point.
  intern({Offset(rank, 0)});
  OperandRange returned = body->getTerminator()->getOperands();
  size_t factor = returned.size() / std::max(1u, apply.getNumOutputs());
  for (auto [i, value] : llvm::enumerate(returned)) {
    SetId set = needed.empty() ? 0 : intern(needed[i / factor]);
    if (!sets[set].empty())
      demand(value, set, 0);
  }
}

void Counter::demand(Value value, SetId set, unsigned time) {
  Operation *op = value.getDefiningOp();
  if (!op || op->getBlock() != apply.getBodyBlock())
    return;
  SmallVector<SetId, 2> &known = demands[op];
  if (known.empty() || known.back() != set)
    known.push_back(set);
  // Backwards: the first to come is the last to use.
  lastUse.try_emplace(op, time);
}

Counter::SetId Counter::getSet(Operation *op) {
  ArrayRef<SetId> known = demands[op];
  if (known.empty())
    return ~0u;
  if (llvm::all_equal(known))
    return known.front();
  OffsetSet joined;
  for (SetId set : known)
    llvm::append_range(joined, sets[set]);
  normalize(joined);
  for (SetId set : known)
    if (sets[set].size() == joined.size())
      return set;
  return intern(std::move(joined));
}

/// Adds one offset of an input, along the axes of the apply.
void Counter::read(ArrayRef<int64_t> axes, ArrayRef<int64_t> offset,
                   OffsetSet &offsets) {
  Offset full(rank, axes.size() == static_cast<size_t>(rank) ? 0 : kNoAxis);
  for (auto [axis, value] : llvm::zip(axes, offset))
    full[axis] = value;
  offsets.push_back(std::move(full));
}

/// `op`, in the body's block or deeper, is evaluated at the offsets of `set`.
void Counter::visitNested(Operation *op, SetId set, unsigned time) {
  size_t times = sets[set].size();
  cost.flops += getFlops(op) * times;
  cost.evaluations += times;
  ++cost.ops;
  BlockArgument input;
  OffsetSet offsets;
  SmallVector<int64_t> axes, lower, upper;
  if (auto sum = dyn_cast<WeightedSumOp>(op)) {
    input = dyn_cast<BlockArgument>(sum.getInput());
    for (int64_t tap = 0, end = sum.getNumTaps(); tap < end; ++tap)
      read(sum.getAxes(), sum.getOffset(tap), offsets);
    for (Value weight : sum.getUniforms())
      demand(weight, set, time);
  } else if (auto placed = dyn_cast<PlacedOpInterface>(op);
             placed && placed.getReadHull(axes, lower, upper)) {
    input = dyn_cast<BlockArgument>(op->getOperand(0));
    read(axes, lower, offsets);
    if (placed.readsComputedPoints())
      read(axes, upper, offsets);
  }
  if (offsets.empty()) {
    for (Value operand : op->getOperands())
      demand(operand, set, time);
    return;
  }
  if (offsets.size() * times > kMaxPairs) {
    cost.isTooLarge = true;
    return;
  }
  OffsetSet moved = addOffsets(sets[set], offsets);
  if (input) {
    pairs += moved.size();
    llvm::append_range(cost.reads[input.getArgNumber()], moved);
  } else {
    demand(cast<WeightedSumOp>(op).getInput(), intern(std::move(moved)), time);
  }
}

BodyCost Counter::run() {
  Block *body = apply.getBodyBlock();
  // Times run backwards from the return; registers by when they become free.
  SmallVector<std::pair<unsigned, double>> live;
  unsigned time = 0;
  for (Operation &op : llvm::reverse(body->without_terminator())) {
    ++time;
    SetId set = getSet(&op);
    // Nobody needs it.
    if (set == ~0u)
      continue;
    op.walk([&](Operation *inner) { visitNested(inner, set, time); });
    if (cost.isTooLarge || pairs > kMaxPairs) {
      cost.isTooLarge = true;
      return std::move(cost);
    }
    if (isa<AccessOp, IndexOp>(op) || matchPattern(&op, m_Constant()))
      continue;
    double width = 0;
    for (Type type : op.getResultTypes())
      width += getBitWidth(type) <= 32 ? 1 : 2;
    live.push_back({lastUse.lookup(&op), width * sets[set].size()});
    live.push_back({time, -width * sets[set].size()});
  }
  llvm::sort(live);
  double registers = 0;
  for (auto [when, change] : live)
    cost.registers = std::max(cost.registers, registers += change);
  for (OffsetSet &read : cost.reads)
    normalize(read);
  return std::move(cost);
}

BodyCost stencil::getBodyCost(ApplyOp apply, ArrayRef<OffsetSet> needed) {
  return Counter(apply, needed).run();
}
