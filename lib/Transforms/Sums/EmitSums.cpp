//===- EmitSums.cpp - Ops of linear forms ---------------------------------===//

#include "StencilDialect/Conversion/SumArithmetic.h"
#include "SumBodies.h"
#include <unordered_map>

using namespace mlir;
using namespace stencil;

namespace {

/// A summand, or what is to be subtracted.
struct Summand {
  Value value;
  bool isNegative = false;
};

/// Taps of one source, if they have the same scalars as factors: those and the
/// numbers; else the coefficients.
struct Part {
  const TapSource *source;
  const LinearForm::Taps *taps;
};

struct Group {
  /// Empty if the parts have nothing in common.
  ScalarProduct factor;
  /// The weights of the parts are numbers.
  bool isConstant;
  SmallVector<Part> parts;
};

struct CoefficientHash {
  size_t operator()(const Coefficient &coefficient) const {
    return coefficient.getHash();
  }
};

class Emitter : SumArithmetic {
public:
  Emitter(OpBuilder &builder, Location loc, int64_t rank, Type type,
          arith::FastMathFlags flags, KnownTap known)
      : SumArithmetic(builder, loc, type, flags), rank(rank), type(type),
        known(known) {}

  Value emit(const LinearForm &form);
  Value emitScalar(const Coefficient &coefficient);

private:
  Value emitConstant(const Number &number) {
    return arith::ConstantOp::create(builder, loc, number.round(type));
  }
  Value negate(Value a) {
    if (isa<FloatType>(type))
      return arith::NegFOp::create(builder, loc, a, flags);
    return subtract(emitConstant(Number::get(type, 0)), a);
  }
  Value sum(ArrayRef<Summand> summands);
  Value multiplyAll(ArrayRef<Value> factors) {
    Value product = factors.front();
    for (Value factor : factors.drop_front())
      product = multiply(product, factor);
    return product;
  }

  Value emitTap(const Part &part);
  Value emitTaps(const Part &part, bool isConstant);
  Summand emitGroup(const Group &group);

  int64_t rank;
  Type type;
  KnownTap known;
};

} // namespace

Value Emitter::sum(ArrayRef<Summand> summands) {
  const Summand *first = llvm::find_if(
      summands, [](const Summand &summand) { return !summand.isNegative; });
  if (first == summands.end())
    first = summands.begin();
  Value total = first->isNegative ? negate(first->value) : first->value;
  for (const Summand &summand : summands)
    if (&summand != first)
      total = summand.isNegative ? subtract(total, summand.value)
                                 : add(total, summand.value);
  return total;
}

Value Emitter::emitScalar(const Coefficient &coefficient) {
  SmallVector<Summand> summands;
  for (const auto &[product, number] : coefficient.getTerms()) {
    Value value = multiplyAll(product);
    if (!number.isOne() && !number.isMinusOne())
      value = multiply(value, emitConstant(number));
    summands.push_back({value, number.isMinusOne() && !number.isOne()});
  }
  if (summands.empty() || !coefficient.getNumber().isZero())
    summands.push_back({emitConstant(coefficient.getNumber())});
  return sum(summands);
}

/// The only tap of a part, without its coefficient.
Value Emitter::emitTap(const Part &part) {
  const TapSource &source = *part.source;
  const LinearForm::Offset &offset = part.taps->begin()->first;
  if (known)
    if (Value value = known(source, offset))
      return value;
  auto grid = dyn_cast<GridType>(source.value.getType());
  if (grid) {
    Value value = AccessOp::create(
        builder, loc, source.value, offset,
        getOffsetMapping(builder.getContext(), source.axes, rank));
    if (value.getType() != type)
      value = arith::ExtFOp::create(builder, loc, type, value);
    return value;
  }
  if (source.value.getType() == type && isZero(offset))
    return source.value;
  Attribute one = Number::get(type, 1).round(type);
  return WeightedSumOp::create(builder, loc, source.value, offset,
                               makeWeights(type, one), IndexAttr(), flags);
}

/// The weighted sum of a part.
Value Emitter::emitTaps(const Part &part, bool isConstant) {
  SmallVector<int64_t> offsets;
  for (const auto &[offset, coefficient] : *part.taps)
    llvm::append_range(offsets, offset);
  IndexAttr mapping =
      getOffsetMapping(builder.getContext(), part.source->axes, rank);
  if (isConstant) {
    SmallVector<Attribute> weights;
    for (const auto &[offset, coefficient] : *part.taps)
      weights.push_back(coefficient.getMonomial()->second.round(type));
    return WeightedSumOp::create(builder, loc, part.source->value, offsets,
                                 makeWeights(type, weights), mapping, flags);
  }
  SmallVector<Value> weights;
  std::unordered_map<Coefficient, Value, CoefficientHash> emitted;
  for (const auto &[offset, coefficient] : *part.taps) {
    Value &weight = emitted[coefficient];
    if (!weight)
      weight = emitScalar(coefficient);
    weights.push_back(weight);
  }
  return WeightedSumOp::create(builder, loc, part.source->value, offsets,
                               weights, mapping, flags);
}

Summand Emitter::emitGroup(const Group &group) {
  SmallVector<Summand> summands;
  for (const Part &part : group.parts) {
    if (part.taps->size() > 1) {
      summands.push_back({emitTaps(part, group.isConstant)});
      continue;
    }
    const Coefficient &coefficient = part.taps->begin()->second;
    Value tap = emitTap(part);
    if (!group.isConstant) {
      summands.push_back({multiply(emitScalar(coefficient), tap)});
      continue;
    }
    Number number = coefficient.getMonomial()->second;
    bool isMinus = number.isMinusOne() && !number.isOne();
    if (number.isOne() || isMinus) {
      summands.push_back({tap, isMinus});
    } else if (group.parts.size() == 1) {
      // The scalars and the number are multiplied first: once for all points.
      return {multiply(emitScalar(coefficient), tap)};
    } else {
      summands.push_back({multiply(emitConstant(number), tap)});
    }
  }
  if (group.factor.empty() && summands.size() == 1)
    return summands.front();
  bool isNegative = summands.size() == 1 && summands.front().isNegative;
  Value total = isNegative ? summands.front().value : sum(summands);
  if (!group.factor.empty())
    total = multiply(multiplyAll(group.factor), total);
  return {total, isNegative};
}

Value Emitter::emit(const LinearForm &form) {
  SmallVector<Group> groups;
  llvm::DenseMap<ScalarProduct, unsigned, ScalarProductInfo> groupOf;
  for (const auto &[source, taps] : form.getSources()) {
    auto first = taps.begin()->second.getMonomial();
    bool isUniform = true;
    for (const auto &[offset, coefficient] : taps) {
      auto monomial = coefficient.getMonomial();
      isUniform &= first && monomial &&
                   ScalarProductInfo::isEqual(first->first, monomial->first);
    }
    if (!isUniform) {
      groups.push_back({{}, false, {{&source, &taps}}});
      continue;
    }
    auto [it, isNew] = groupOf.try_emplace(first->first, groups.size());
    if (isNew)
      groups.push_back({first->first, true, {}});
    groups[it->second].parts.push_back({&source, &taps});
  }
  SmallVector<Summand> summands;
  for (const Group &group : groups) {
    if (!group.isConstant || !group.factor.empty()) {
      summands.push_back(emitGroup(group));
      continue;
    }
    // Without a common factor, every part is a summand of the whole.
    for (const Part &part : group.parts)
      summands.push_back(emitGroup({{}, true, {part}}));
  }
  if (summands.empty() || !form.getConstant().isZero())
    summands.push_back({emitScalar(form.getConstant())});
  return sum(summands);
}

Value stencil::emitForm(OpBuilder &builder, Location loc, int64_t rank,
                        const LinearForm &form, arith::FastMathFlags flags,
                        KnownTap known) {
  LinearForm rounded = form;
  if (!rounded.round())
    return {};
  return Emitter(builder, loc, rank, form.getElementType(), flags, known)
      .emit(rounded);
}
