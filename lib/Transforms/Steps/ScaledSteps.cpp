//===- ScaledSteps.cpp - Steps with a tap of weight one -------------------===//
//
//   u' = 0.3 u + 0.2 u[-1] + 0.1 u[1], T times
//     ==> v' = v + 2/3 v[-1] + 1/3 v[1], T times, and u = 0.3^T v
//
//===----------------------------------------------------------------------===//

#include "Bodies/BodyPruning.h"
#include "ComposedParts.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace stencil;

/// Powers of two that values may be larger between steps: of FP64 2^128 of
/// 2^1024 and more, of FP32 2^24 of 2^128.
static int getMostGained(FloatType type) {
  constexpr int kOfDouble = 128, kOfSingle = 24;
  return type.isF64() ? kOfDouble : type.isF32() ? kOfSingle : 0;
}

static APFloat getFloat(const Number &number, FloatType type) {
  return cast<FloatAttr>(number.round(type)).getValue();
}

/// The taps of a step, if they are all that it is.
static const LinearForm::Taps *findTaps(const LinearForm &form) {
  if (form.getSources().size() != 1 || !form.getConstant().isZero())
    return nullptr;
  const LinearForm::Taps &taps = form.getSources().front().second;
  bool areNumbers = llvm::all_of(taps, [](const auto &tap) {
    return tap.second.isConstant() && tap.second.getNumber().isFinite();
  });
  return areNumbers && taps.size() > 1 ? &taps : nullptr;
}

std::optional<ScaledStep> stencil::scaleSteps(ApplyOp step, unsigned input,
                                              unsigned steps, MathMode math,
                                              bool areScattered) {
  auto type = dyn_cast<FloatType>(step.getOutputElementType(0));
  std::string why;
  std::optional<ComposedForm> form = findStepForm(step, input, math, why);
  if (!type || !form)
    return std::nullopt;
  const LinearForm::Taps *taps = findTaps(form->form);
  if (!taps)
    return std::nullopt;
  int64_t first = taps->begin()->first.front();
  for (const auto &[offset, weight] : *taps)
    first = std::min<int64_t>(first, offset.front());
  // What a partial sum begins with takes no operation then.
  auto getKey = [&](const auto &tap) {
    return std::pair(areScattered && tap.first.front() == first,
                     abs(getFloat(tap.second.getNumber(), type)));
  };
  auto largest = llvm::max_element(*taps, [&](const auto &a, const auto &b) {
    auto [isFirst, size] = getKey(a);
    auto [isOtherFirst, otherSize] = getKey(b);
    return isFirst != isOtherFirst ? isOtherFirst : size < otherSize;
  });
  const Number &scale = largest->second.getNumber();
  APFloat rounded = getFloat(scale, type);
  if (rounded.isZero() ||
      std::abs(ilogb(rounded)) * static_cast<int64_t>(steps) >
          getMostGained(type))
    return std::nullopt;
  ScaledStep scaled;
  scaled.flags = form->flags;
  scaled.factor = scale;
  Number whole = scale;
  for (unsigned i = 1; i < steps; ++i)
    whole = whole * scale;
  scaled.whole = whole.round(type);
  SmallVector<Attribute> weights, last;
  auto add = [&](const LinearForm::Offset &offset, const Number &weight) {
    llvm::append_range(scaled.offsets, offset);
    weights.push_back((weight / scale).round(type));
    last.push_back((weight / scale * whole).round(type));
  };
  add(largest->first, scale);
  for (auto it = taps->begin(); it != taps->end(); ++it)
    if (it != largest)
      add(it->first, it->second.getNumber());
  auto all =
      RankedTensorType::get({static_cast<int64_t>(weights.size())}, type);
  scaled.weights = DenseElementsAttr::get(all, weights);
  if (areScattered)
    scaled.lastWeights = DenseElementsAttr::get(all, last);
  return scaled;
}

TypedAttr ScaledStep::scale(TypedAttr number, int64_t power) const {
  Number result = *Number::get(number);
  for (int64_t i = 0; i < power; ++i)
    result = result * factor;
  for (int64_t i = 0; i > power; --i)
    result = result / factor;
  return result.round(number.getType());
}

void ScaledStep::apply(ApplyOp step, unsigned input, bool isLast) const {
  Operation *terminator = step.getBodyBlock()->getTerminator();
  OpBuilder builder(terminator);
  Location loc = step.getLoc();
  bool isWeighted = isLast && lastWeights;
  Value sum = WeightedSumOp::create(
      builder, loc, step.getBodyBlock()->getArgument(input), offsets,
      isWeighted ? lastWeights : weights, IndexAttr(), flags);
  if (isLast && !isWeighted)
    sum = arith::MulFOp::create(builder, loc, sum,
                                arith::ConstantOp::create(builder, loc, whole),
                                flags);
  terminator->setOperand(0, sum);
  eraseUnusedOps(step.getRegion());
}
