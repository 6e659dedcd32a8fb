//===- FactorSums.cpp - Partial sums that neighbouring points share -------===//
//
// Before:
//   %s = stencil.weighted_sum %x (3 x 3 taps, [1 2 1] x [1 2 1])
// After:
//   %p = stencil.weighted_sum %x offsets [[0, -1], [0, 0], [0, 1]] [1 2 1]
//   %s = stencil.weighted_sum %p offsets [[-1, 0], [0, 0], [1, 0]] [1 2 1]
//
// What is computed is decided in Analysis/SumFactoring.
//
//===----------------------------------------------------------------------===//

#include "Schedules/FormBook.h"
#include "StencilDialect/Analysis/SumFactoring.h"
#include "StencilDialect/Conversion/SumArithmetic.h"
#include "StencilDialect/IR/Locations.h"
#include "StencilDialect/IR/MathMode.h"
#include "StencilDialect/IR/OpWalks.h"
#include "StencilDialect/IR/Remarks.h"
#include "StencilDialect/IR/StencilOps.h"
#include "StencilDialect/Tile/Tile.h"
#include "StencilDialect/Transforms/Passes.h"
#include "SumBodies.h"
#include "llvm/Support/FormatVariadic.h"

#include <cmath>
#include <cstring>

namespace stencil {
#define GEN_PASS_DEF_STENCILFACTORSUMS
#include "StencilDialect/Transforms/Passes.h.inc"
} // namespace stencil

using namespace mlir;
using namespace stencil;

//===----------------------------------------------------------------------===//
// Numbers
//===----------------------------------------------------------------------===//

static long double toNumber(Attribute attribute) {
  APFloat value(APFloat::x87DoubleExtended());
  bool isInexact;
  if (auto integer = dyn_cast<IntegerAttr>(attribute)) {
    value.convertFromAPInt(integer.getValue(), /*IsSigned=*/true,
                           APFloat::rmNearestTiesToEven);
  } else {
    value = cast<FloatAttr>(attribute).getValue();
    value.convert(APFloat::x87DoubleExtended(), APFloat::rmNearestTiesToEven,
                  &isInexact);
  }
  long double number = 0;
  APInt bits = value.bitcastToAPInt();
  std::memcpy(&number, bits.getRawData(), 10);
  return number;
}

static TypedAttr toAttribute(long double number, Type type) {
  uint64_t words[2] = {};
  std::memcpy(words, &number, 10);
  APFloat value(APFloat::x87DoubleExtended(), APInt(80, words));
  bool isInexact;
  if (auto floating = dyn_cast<FloatType>(type)) {
    value.convert(floating.getFloatSemantics(), APFloat::rmNearestTiesToEven,
                  &isInexact);
    return FloatAttr::get(type, value);
  }
  APSInt integer(type.getIntOrFloatBitWidth(), /*isUnsigned=*/false);
  value.convertToInteger(integer, APFloat::rmTowardZero, &isInexact);
  return IntegerAttr::get(type, integer);
}

/// The taps of a sum, whose offsets are stored in `offsets`. Points of weight
/// zero are none: they must not be read. Operands that are the same value are
/// the same weight.
static TapList getTaps(WeightedSumOp op, SmallVectorImpl<int64_t> &offsets) {
  TapList taps;
  taps.rank = op.getOffsetRank();
  if (DenseElementsAttr weights = op.getDenseWeights()) {
    for (auto [tap, weight] : llvm::enumerate(weights.getValues<Attribute>())) {
      long double number = toNumber(weight);
      if (number == 0)
        continue;
      llvm::append_range(offsets, op.getOffset(tap));
      taps.weights.push_back({number, -1});
    }
    taps.offsets = offsets;
    return taps;
  }
  taps.offsets = op.getOffsets();
  llvm::SmallDenseMap<Value, int64_t> first;
  for (auto [tap, weight] : llvm::enumerate(op.getUniforms()))
    taps.weights.push_back({1, first.try_emplace(weight, tap).first->second});
  return taps;
}

//===----------------------------------------------------------------------===//
// Rewriting
//===----------------------------------------------------------------------===//

namespace {
/// Writes the steps of a factored sum as ops.
class StepEmitter {
public:
  StepEmitter(WeightedSumOp op)
      : op(op), type(op.getRes().getType()), builder(op),
        arithmetic(builder, op.getLoc(), type, op.getFastmath()) {}

  Value emit(const FactoredSum &sum) {
    // Sums over values of the body are over those of its top level. What takes
    // none stays in its branch, and is not read elsewhere.
    Block *body = op->getParentOfType<ApplyOp>().getBodyBlock();
    if (!op.isOverInput() || sumsSteps(sum))
      builder.setInsertionPoint(body->findAncestorOpInBlock(*op));
    for (const FactoredSum::Step &step : sum.steps)
      values.push_back(step.terms.front().offset.empty() ? emitJoin(step)
                                                         : emitShifts(step));
    return values.back();
  }

private:
  using Term = FactoredSum::Term;

  /// True if a step is summed over neighbouring points.
  static bool sumsSteps(const FactoredSum &sum) {
    return llvm::any_of(sum.steps, [](const FactoredSum::Step &step) {
      const Term &first = step.terms.front();
      return !first.offset.empty() && first.source >= 0;
    });
  }

  /// A weighted sum over the input or an earlier step.
  Value emitShifts(const FactoredSum::Step &step) {
    int64_t source = step.terms.front().source;
    bool isInput = source < 0;
    Value over = isInput ? op.getInput() : values[source];
    // Steps have all axes of the apply.
    SmallVector<int64_t> axes = op.getAxes();
    int64_t rank =
        isInput ? op.getOffsetRank() : op->getParentOfType<ApplyOp>().getRank();
    SmallVector<int64_t> offsets;
    SmallVector<Attribute> weights;
    for (const Term &term : sorted(step)) {
      SmallVector<int64_t> offset(rank, 0);
      for (auto [i, distance] : llvm::enumerate(term.offset))
        offset[isInput ? static_cast<int64_t>(i) : axes[i]] = distance;
      llvm::append_range(offsets, offset);
      weights.push_back(toAttribute(term.weight.number, type));
    }
    stencil::IndexAttr mapping =
        isInput ? op.getOffsetMappingAttr() : stencil::IndexAttr();
    if (step.terms.size() == 1 && isInput && op.getTapType() == type &&
        step.terms.front().weight == FactorWeight()) {
      if (op.isOverInput())
        return AccessOp::create(builder, op.getLoc(), over, offsets, mapping);
      if (isZero(offsets))
        return over;
    }
    return WeightedSumOp::create(builder, op.getLoc(), over, offsets,
                                 makeWeights(type, weights), mapping,
                                 op.getFastmath());
  }

  /// Arithmetic on values at this point.
  Value emitJoin(const FactoredSum::Step &step) {
    Value sum;
    for (const Term &term : sorted(step)) {
      Value value = values[term.source];
      bool isNegative = term.weight.number < 0 &&
                        (sum || term.weight.symbol >= 0) &&
                        (term.weight.symbol >= 0 || term.weight.isUnit());
      if (!(term.weight == FactorWeight()) &&
          !(isNegative && term.weight.symbol < 0))
        value = arithmetic.multiply(getFactor(term.weight), value);
      if (sum)
        sum = isNegative ? arithmetic.subtract(sum, value)
                         : arithmetic.add(sum, value);
      else
        sum = isNegative ? arithmetic.subtract(getZero(), value) : value;
    }
    return sum;
  }

  /// A term of weight 1, which is no operation, first.
  static std::vector<Term> sorted(const FactoredSum::Step &step) {
    std::vector<Term> terms;
    for (bool isPlain : {true, false})
      llvm::copy_if(step.terms, std::back_inserter(terms),
                    [&](const Term &term) {
                      return (term.weight == FactorWeight()) == isPlain;
                    });
    return terms;
  }

  Value getFactor(const FactorWeight &weight) {
    if (weight.symbol >= 0)
      return op.getUniforms()[weight.symbol];
    return arith::ConstantOp::create(builder, op.getLoc(),
                                     toAttribute(weight.number, type));
  }
  Value getZero() {
    return arith::ConstantOp::create(builder, op.getLoc(),
                                     builder.getZeroAttr(type));
  }

  WeightedSumOp op;
  Type type;
  OpBuilder builder;
  SumArithmetic arithmetic;
  SmallVector<Value> values;
};

struct FactorSums : stencil::impl::StencilFactorSumsBase<FactorSums> {
  using StencilFactorSumsBase::StencilFactorSumsBase;

  /// What is no attribute, such as a name, is for others to judge.
  LogicalResult initialize(MLIRContext *context) override {
    std::string ignored;
    if (StringRef text = StringRef(schedule).trim(); text.starts_with("#"))
      given = parseSchedule(text, context, ignored);
    return success();
  }

  void runOnOperation() override {
    Location loc = getStart(getOperation());
    if (form != "auto" && form != "axes" && form != "weights") {
      emitError(loc, "expected form=auto, axes or weights, got '")
          << form << "'";
      return signalPassFailure();
    }
    if (!(tolerance >= 0 && tolerance < 1)) {
      emitError(loc, "expected a tolerance from 0 to below 1, got ")
          << std::to_string(tolerance);
      return signalPassFailure();
    }
    for (WeightedSumOp op : listWithin<WeightedSumOp>(getOperation()))
      if (failed(factor(op)))
        return signalPassFailure();
  }

private:
  /// An error if it was asked for, else a remark.
  LogicalResult decline(WeightedSumOp op, const Twine &reason) {
    if (form != "auto")
      return op.emitOpError("cannot be factored: ") << reason;
    remarkMissed(op.getLoc(), "Sums", "SumNotFactored", reason);
    return success();
  }

  bool isTakenWhole(WeightedSumOp op) const {
    auto apply = op->getParentOfType<ApplyOp>();
    // Of a kernel of tiles.
    if (apply->hasAttr(tile::TileDialect::kEngineAttrName))
      return tile::takesWholeSums(apply);
    auto own = ScheduleAttr::of(apply);
    ScheduleAttr schedule = own ? own : given;
    return schedule && schedule.getEngine() == Engine::Mma;
  }

  /// Operations per point as a tile shares them. A plane is not walked through
  /// as a volume is: a thread has eight rows at most. Of 49 weights of rank
  /// four in FP32, 40 operations that all points share were 76 of two rows, 27
  /// % slower than the 49 of the sum.
  double countInTile(WeightedSumOp op, const FactoredSum &sum) const {
    constexpr unsigned kRows = 8;
    bool isPlane = op->getParentOfType<ApplyOp>().getRank() == 2;
    int64_t shared = points == 0 && isPlane ? kRows : points;
    return shared > 0 ? sum.countWithin(shared)
                      : static_cast<double>(sum.countShared());
  }

  LogicalResult factor(WeightedSumOp op) {
    if (isTakenWhole(op))
      return decline(op, "its engine takes it as it is");
    Type type = op.getRes().getType();
    if (!mayReassociate(op, math))
      return decline(op, "its order may not be changed; needs "
                         "math=reassociate, or fastmath<reassoc> on the sum");
    auto floating = dyn_cast<FloatType>(type);
    if (floating &&
        APFloat::semanticsPrecision(floating.getFloatSemantics()) > 64)
      return decline(op, "its weights are more precise than 64 bits");
    auto isNested = [&](Value weight) {
      Operation *source = weight.getDefiningOp();
      return source && source->getBlock() !=
                           op->getParentOfType<ApplyOp>().getBodyBlock();
    };
    if (llvm::any_of(op.getUniforms(), isNested))
      return decline(op, "a weight is computed in a region");

    SmallVector<int64_t> offsets;
    TapList taps = getTaps(op, offsets);
    // It is zero.
    if (taps.size() == 0)
      return success();
    FactoringLimits limits;
    limits.rank = rank;
    if (floating) {
      limits.semantics = &floating.getFloatSemantics();
      long double epsilon =
          std::ldexp(1.0L, 1 - static_cast<int>(APFloat::semanticsPrecision(
                                   floating.getFloatSemantics())));
      limits.tolerance = tolerance > 0 ? static_cast<long double>(tolerance)
                                       : epsilon / 2 * taps.size();
    }
    std::string reason;
    std::optional<FactoredSum> sum;
    if (form == "axes" || (form == "auto" && countPlain(taps) >= atLeast))
      sum = factorAlongAxes(taps, limits, reason);
    else if (form == "auto")
      reason = "too few operations for partial sums to pay: " +
               std::to_string(countPlain(taps));
    auto count = [&] {
      return points > 0 ? sum->countWithin(points)
                        : static_cast<double>(sum->countShared());
    };
    double inTile = sum ? countInTile(op, *sum) : 0;
    if (sum && form == "auto" && inTile > 0.9 * countPlain(taps)) {
      reason = llvm::formatv("{0:f1} operations per point along axes, {1} of "
                             "the sum as it is",
                             inTile, countPlain(taps))
                   .str();
      sum.reset();
    }
    if (!sum && form != "axes") {
      sum = factorByWeight(taps);
      if (form == "auto" && 3 * sum->countProducts() > 2 * countProducts(taps))
        return decline(op, reason);
    }
    if (!sum)
      return decline(op, reason);
    remarkPassed(
        op.getLoc(), "Sums", "SumFactored",
        llvm::formatv("{0:f1} operations per point instead of {1}, {2} "
                      "products instead of {3}, weights off by {4:e1}",
                      count(), countPlain(taps), sum->countProducts(),
                      countProducts(taps), static_cast<double>(sum->error)));
    op.replaceAllUsesWith(StepEmitter(op).emit(*sum));
    op.erase();
    return success();
  }

  /// Of applies that have none; null if that is not known.
  ScheduleAttr given;
};
} // namespace
