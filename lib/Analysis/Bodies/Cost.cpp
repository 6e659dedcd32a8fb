//===- Cost.cpp - What an apply has to do per point -----------------------===//

#include "StencilDialect/Analysis/Cost.h"
#include "StencilDialect/Analysis/BodyCost.h"
#include "StencilDialect/IR/Elements.h"
#include "StencilDialect/IR/Footprint.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

#include <limits>

using namespace mlir;
using namespace stencil;

OperationCount &OperationCount::add(const OperationCount &other,
                                    uint64_t times) {
  adds += times * other.adds;
  multiplies += times * other.multiplies;
  fmas += times * other.fmas;
  divisions += times * other.divisions;
  functions += times * other.functions;
  others += times * other.others;
  loads += times * other.loads;
  partials += times * other.partials;
  return *this;
}

namespace {
class CostCounter {
public:
  CostCounter(ApplyOp apply, bool contract)
      : apply(apply), contract(contract), uniform(apply) {}

  ApplyCost count();

private:
  /// Values beyond which a body is too large to be followed.
  static constexpr uint64_t kMostOffsets = 1 << 20;

  /// Whether the op has another value at every point.
  bool isVarying(Operation &op) const {
    return llvm::any_of(op.getResults(), [&](Value result) {
      return !uniform.contains(result);
    });
  }

  /// What the op takes, ops within it included.
  OperationCount countOp(Operation &op) const;
  OperationCount countBlock(Block &block) const;
  OperationCount countSum(WeightedSumOp sum) const;
  OperationCount countFloat(Operation &op) const;
  bool isFused(Operation &multiply) const;

  void addReads(Operation &op, ArrayRef<Offset> points);
  void addNeeds(Operation &op, ArrayRef<Offset> points);
  bool countAlone(ApplyCost &cost);
  void countFields(ApplyCost &cost);

  /// False once there are too many offsets to go on.
  bool spend(uint64_t offsets) {
    spent += offsets;
    return spent <= kMostOffsets;
  }

  ApplyOp apply;
  bool contract;
  UniformValues uniform;
  /// Where the values of top-level ops are needed, relative to the point; not
  /// normalized.
  llvm::DenseMap<Operation *, OffsetSet> needed;
  /// What is read of every input, in its own axes; not normalized.
  llvm::DenseMap<Value, OffsetSet> taps;
  uint64_t spent = 0;
};
} // namespace

//===----------------------------------------------------------------------===//
// Operations
//===----------------------------------------------------------------------===//

/// Whether the multiplication goes into the one addition that uses it. An
/// addition takes one only: its first.
bool CostCounter::isFused(Operation &multiply) const {
  if (!contract || !isa<arith::MulFOp>(multiply) || !isVarying(multiply) ||
      !multiply.hasOneUse())
    return false;
  Operation *user = *multiply.user_begin();
  if (!isa<arith::AddFOp, arith::SubFOp>(user) ||
      user->getBlock() != multiply.getBlock())
    return false;
  Operation *first = user->getOperand(0).getDefiningOp();
  return first == &multiply || !first || !isFused(*first);
}

OperationCount CostCounter::countFloat(Operation &op) const {
  OperationCount count;
  if (isa<arith::AddFOp, arith::SubFOp>(op)) {
    bool fuses = llvm::any_of(op.getOperands(), [&](Value operand) {
      Operation *def = operand.getDefiningOp();
      return def && isFused(*def);
    });
    ++(fuses ? count.fmas : count.adds);
  } else if (isa<arith::MulFOp>(op)) {
    if (!isFused(op))
      ++count.multiplies;
  } else if (isa<math::FmaOp>(op)) {
    ++count.fmas;
  } else if (isa<arith::DivFOp, arith::RemFOp>(op)) {
    ++count.divisions;
  }
  return count;
}

OperationCount CostCounter::countSum(WeightedSumOp sum) const {
  OperationCount count;
  bool isFloat = isa<FloatType>(sum.getRes().getType());
  bool widens = sum.getTapType() != sum.getRes().getType();
  bool isFirst = true;
  forEachTap(sum, [&](int64_t tap, bool isUnit) {
    if (sum.isOverInput())
      ++count.loads;
    else if (!isZero(sum.getOffset(tap)))
      ++count.partials;
    if (widens)
      ++count.others;
    if (isFirst || isUnit || !contract || !isFloat) {
      count.multiplies += !isUnit;
      count.adds += !isFirst;
    } else {
      ++count.fmas;
    }
    isFirst = false;
  });
  return count;
}

OperationCount CostCounter::countOp(Operation &op) const {
  if (!isVarying(op))
    return {};
  OperationCount count;
  if (auto sum = dyn_cast<WeightedSumOp>(op))
    return countSum(sum);
  if (auto product = dyn_cast<MatVecOp>(op)) {
    // Its element, too, is read.
    auto columns = static_cast<uint64_t>(product.getNumColumns());
    count.loads = 2 * columns;
    (contract ? count.fmas : count.multiplies) = columns;
    count.adds = contract ? 0 : columns;
  } else if (auto placed = dyn_cast<PlacedOpInterface>(op)) {
    SmallVector<int64_t> axes, lower, upper;
    count.loads = placed.getReadHull(axes, lower, upper);
  } else if (auto pointwise = dyn_cast<PointwiseOpInterface>(op)) {
    count = countBlock(Expansion(pointwise).getBlock());
  } else if (auto branch = dyn_cast<scf::IfOp>(op)) {
    count = countBlock(branch.getThenRegion().front());
    if (Block *block = branch.elseBlock()) {
      OperationCount other = countBlock(*block);
      if (other.operations() > count.operations())
        count = other;
    }
  } else if (auto loop = dyn_cast<scf::ForOp>(op)) {
    std::optional<APInt> trips = loop.getStaticTripCount();
    // A trip count beyond this is no count any more.
    uint64_t times = trips ? trips->getLimitedValue(uint64_t(1) << 32) : 1;
    count.add(countBlock(*loop.getBody()), times);
  } else if (op.getNumRegions() != 0) {
    for (Region &region : op.getRegions())
      for (Block &block : region)
        count.add(countBlock(block));
  } else if (isa<arith::AddFOp, arith::SubFOp, arith::MulFOp, arith::DivFOp,
                 arith::RemFOp, math::FmaOp>(op)) {
    count = countFloat(op);
  } else if (isa<arith::AddIOp, arith::SubIOp>(op)) {
    count.adds = 1;
  } else if (isa<arith::MulIOp>(op)) {
    count.multiplies = 1;
  } else if (isa<arith::DivSIOp, arith::DivUIOp, arith::RemSIOp, arith::RemUIOp,
                 arith::CeilDivSIOp, arith::CeilDivUIOp, arith::FloorDivSIOp>(
                 op)) {
    count.divisions = 1;
  } else if (isa_and_nonnull<math::MathDialect>(op.getDialect())) {
    // Absolute values and signs are operand modifiers or logic.
    ++(isa<math::AbsFOp, math::AbsIOp, math::CopySignOp>(op) ? count.others
                                                             : count.functions);
  } else if (isa_and_nonnull<arith::ArithDialect>(op.getDialect())) {
    if (!isa<arith::NegFOp, arith::BitcastOp, arith::IndexCastOp,
             arith::ConstantOp>(op))
      count.others = 1;
  }
  return count;
}

OperationCount CostCounter::countBlock(Block &block) const {
  OperationCount count;
  for (Operation &op : block)
    count.add(countOp(op));
  return count;
}

//===----------------------------------------------------------------------===//
// One point alone
//===----------------------------------------------------------------------===//

/// Notes what the op reads of inputs when it is evaluated at the points.
void CostCounter::addReads(Operation &op, ArrayRef<Offset> points) {
  op.walk([&](Operation *inner) {
    auto read = [&](Value input, ArrayRef<int64_t> offset,
                    ArrayRef<int64_t> axes) {
      if (!spend(points.size()))
        return;
      OffsetSet &set = taps[input];
      for (const Offset &point : points) {
        Offset &tap = set.emplace_back(offset);
        for (auto [entry, axis] : llvm::zip_equal(tap, axes))
          entry += point[axis];
      }
    };
    SmallVector<int64_t> axes, lower, upper;
    if (auto product = dyn_cast<MatVecOp>(inner)) {
      // As wide as its widest row.
      for (int64_t column = 0; column < product.getNumColumns(); ++column)
        read(product.getTemp(), {product.getFromAttr().getInt() + column}, {0});
    } else if (auto sum = dyn_cast<WeightedSumOp>(inner);
               sum && sum.isOverInput()) {
      axes = sum.getAxes();
      forEachTap(sum, [&](int64_t tap, bool) {
        read(sum.getInput(), sum.getOffset(tap), axes);
      });
    } else if (auto placed = dyn_cast<PlacedOpInterface>(inner);
               placed && placed.getReadHull(axes, lower, upper)) {
      // Where a computed point is, is not known; wherever that is, it is one.
      read(inner->getOperand(0), lower, axes);
    }
  });
}

/// Notes where the values are needed that the op uses at the points.
void CostCounter::addNeeds(Operation &op, ArrayRef<Offset> points) {
  auto need = [&](Value value, ArrayRef<int64_t> shift) {
    Operation *def = value.getDefiningOp();
    if (!def || def->getBlock() != apply.getBodyBlock() || !isVarying(*def) ||
        !spend(points.size()))
      return;
    OffsetSet &set = needed[def];
    for (const Offset &point : points) {
      Offset &shifted = set.emplace_back(point);
      for (auto [entry, step] : llvm::zip(shifted, shift))
        entry += step;
    }
  };
  op.walk([&](Operation *inner) {
    if (auto sum = dyn_cast<WeightedSumOp>(inner); sum && !sum.isOverInput())
      forEachTap(sum, [&](int64_t tap, bool) {
        need(sum.getInput(), sum.getOffset(tap));
      });
    else
      for (Value operand : inner->getOperands())
        need(operand, {});
  });
}

/// Fills in what one point takes by itself. False if that is too much.
bool CostCounter::countAlone(ApplyCost &cost) {
  OperationCount total;
  // A value is defined before its uses: backwards, all of these are known.
  for (Operation &op : llvm::reverse(*apply.getBodyBlock())) {
    OffsetSet points = std::move(needed[&op]);
    // What nobody uses is computed where it stands.
    if (points.empty())
      points.push_back(Offset(apply.getRank(), 0));
    normalize(points);
    total.add(countOp(op), points.size());
    addReads(op, points);
    addNeeds(op, points);
    if (!spend(0))
      return false;
  }
  cost.alone = total;
  return true;
}

//===----------------------------------------------------------------------===//
// Fields and bytes
//===----------------------------------------------------------------------===//

/// Bytes of an element in memory; an i1 takes one.
static uint64_t countBytes(Type element) {
  return getElementBytes(unwrapResult(element));
}

void CostCounter::countFields(ApplyCost &cost) {
  // Loads of one field are of the same memory.
  llvm::DenseSet<Value> fields;
  bool isKnown = cost.alone.has_value();
  uint64_t allTaps = 0;
  for (auto [index, operand] : llvm::enumerate(apply.getArgs())) {
    auto type = dyn_cast<GridType>(operand.getType());
    BlockArgument argument = apply.getBodyBlock()->getArgument(index);
    if (!type || argument.use_empty())
      continue;
    InputCost input;
    input.index = index;
    input.readers = llvm::range_size(argument.getUsers());
    if (type.getRank() == apply.getRank())
      input.bytes = countBytes(type.getElementType());
    if (isKnown) {
      normalize(taps[argument]);
      input.taps = taps[argument].size();
      allTaps += *input.taps;
    }
    Value field = operand;
    if (auto load = operand.getDefiningOp<LoadOp>())
      field = load.getField();
    if (fields.insert(field).second)
      cost.bytesPerPoint += input.bytes;
    cost.isDouble |= type.getElementType().isF64();
    cost.inputs.push_back(input);
  }
  cost.fieldsRead = fields.size();
  if (isKnown)
    cost.taps = allTaps;
  cost.fieldsWritten = apply.getNumOutputs();
  for (unsigned i = 0; i < cost.fieldsWritten; ++i) {
    cost.bytesPerPoint += countBytes(apply.getOutputElementType(i));
    cost.isDouble |= apply.getOutputElementType(i).isF64();
  }
  apply.getBodyBlock()->walk([&](Operation *op) {
    cost.isDouble |= llvm::any_of(op->getResultTypes(),
                                  [](Type type) { return type.isF64(); });
  });
}

ApplyCost CostCounter::count() {
  ApplyCost cost;
  cost.points = llvm::product_of(apply.getUnrollFactors());
  cost.shared = countBlock(*apply.getBodyBlock());
  countAlone(cost);
  countFields(cost);
  return cost;
}

ApplyCost stencil::getApplyCost(ApplyOp apply, bool contract) {
  return CostCounter(apply, contract).count();
}

//===----------------------------------------------------------------------===//
// How fast an apply can be
//===----------------------------------------------------------------------===//

double ApplyCost::getIntensity() const {
  if (bytesPerPoint == 0)
    return 0;
  return static_cast<double>(shared.flops()) /
         static_cast<double>(points * bytesPerPoint);
}

std::optional<Roofline> stencil::getRoofline(const ApplyCost &cost,
                                             const TargetInfo &target) {
  Roofline line;
  double measuredPeak =
      cost.isDouble ? target.measuredFp64 : target.measuredFp32;
  line.isMeasured = target.measuredBandwidth > 0 && measuredPeak > 0;
  line.bandwidth =
      line.isMeasured ? target.measuredBandwidth : target.dramBandwidth;
  line.peak = line.isMeasured ? measuredPeak
              : cost.isDouble ? target.fp64
                              : target.fp32;
  if (line.bandwidth <= 0 || line.peak <= 0)
    return std::nullopt;
  // What takes nothing is not bound by it.
  auto divide = [](double rate, uint64_t amount) {
    return amount == 0 ? std::numeric_limits<double>::infinity()
                       : rate / static_cast<double>(amount);
  };
  line.byMemory = divide(line.bandwidth, cost.bytesPerPoint);
  line.byArithmetic = divide(line.peak / 2, cost.shared.operations()) *
                      static_cast<double>(cost.points);
  return line;
}
