//===- ComposedForm.cpp - What k steps compute, as one sum ----------------===//

#include "Bodies/BodyPruning.h"
#include "ComposedParts.h"
#include "StencilDialect/Analysis/LinearTrees.h"
#include "StencilDialect/Transforms/ComposeBody.h"
#include "Sums/SumBodies.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace stencil;

/// Multiplying out takes a second or so for these limits.
static constexpr size_t kMaxProducts = 1 << 20;
/// Of coefficients that are sums of products of scalars: factors to multiply.
static constexpr size_t kMaxFactors = 1 << 24;

std::optional<ComposedForm> stencil::findStepForm(ApplyOp step, unsigned input,
                                                  MathMode math,
                                                  std::string &why) {
  LinearTrees trees(step, math);
  Value returned = step.getBodyBlock()->getTerminator()->getOperand(0);
  LinearTrees::Expansion whole = trees.expand(returned);
  ComposedForm result(returned.getType());
  result.form = std::move(whole.form);
  result.flags = whole.flags;
  Value state = step.getBodyBlock()->getArgument(input);
  // Values that several sums of the body use are sources: last ones first, none
  // comes back.
  while (true) {
    Value inner;
    for (const auto &[source, taps] : result.form.getSources()) {
      if (source.value == state)
        continue;
      if (!source.value.getDefiningOp()) {
        why = "the step reads something besides the state";
        return std::nullopt;
      }
      if (!inner ||
          inner.getDefiningOp()->isBeforeInBlock(source.value.getDefiningOp()))
        inner = source.value;
    }
    if (!inner)
      break;
    LinearTrees::Expansion part = trees.expand(inner);
    bool isOpaque =
        llvm::any_of(part.form.getSources(), [&](const auto &entry) {
          return entry.first.value == inner;
        });
    if (isOpaque) {
      why = "the step is not linear in the state";
      return std::nullopt;
    }
    result.form.substitute(inner, part.form);
    result.flags = result.flags & part.flags;
    if (result.form.getNumTaps() > kMaxComposedTaps) {
      why = "the step has too many taps";
      return std::nullopt;
    }
  }
  result.form.dropZeros();
  for (const auto &[source, taps] : result.form.getSources())
    if (static_cast<int64_t>(source.axes.size()) != step.getRank()) {
      why = "the state has a lower rank than the step";
      return std::nullopt;
    }
  return result;
}

/// Products of scalars in all coefficients.
static size_t countTerms(const LinearForm &form) {
  size_t count = form.getConstant().getTerms().size();
  for (const auto &[source, taps] : form.getSources())
    for (const auto &[offset, coefficient] : taps)
      count += 1 + coefficient.getTerms().size();
  return count;
}

/// Scalars that are multiplied in all coefficients.
static size_t countFactors(const LinearForm &form) {
  size_t count = 0;
  for (const auto &[source, taps] : form.getSources())
    for (const auto &[offset, coefficient] : taps)
      for (const auto &[product, number] : coefficient.getTerms())
        count += 1 + product.size();
  return count;
}

std::optional<ComposedForm> stencil::composeForm(ApplyOp step, unsigned input,
                                                 unsigned steps, MathMode math,
                                                 std::string &why) {
  std::optional<ComposedForm> one = findStepForm(step, input, math, why);
  if (!one) {
    std::string ignored;
    if (!mayReassociate(math) &&
        findStepForm(step, input, MathMode::Reassociate, ignored))
      why = "the order of its sums may not be changed; needs "
            "math=reassociate, or fastmath<reassoc> on the sums";
    return std::nullopt;
  }
  ComposedForm composed = *one;
  Value state = step.getBodyBlock()->getArgument(input);
  size_t products = 0, factors = 0;
  for (unsigned i = 1; i < steps; ++i) {
    products += one->form.getNumTaps() * composed.form.getNumTaps();
    factors += countFactors(one->form) * countFactors(composed.form);
    if (products > kMaxProducts || factors > kMaxFactors) {
      why = "multiplying out its sums would take more than " +
            std::to_string(kMaxProducts) + " products, or " +
            std::to_string(kMaxFactors) + " factors in them";
      return std::nullopt;
    }
    composed.form.substitute(state, one->form);
    if (countTerms(composed.form) > kMaxComposedTaps) {
      why = "the composed sum would have more than " +
            std::to_string(kMaxComposedTaps) + " terms";
      return std::nullopt;
    }
  }
  composed.form.dropZeros();
  if (!composed.form.round()) {
    why = "a composed weight is too large for its type";
    return std::nullopt;
  }
  return composed;
}

bool stencil::composeWholeBody(ApplyOp apply, MathMode mode, size_t maxTaps) {
  Operation *terminator = apply.getBodyBlock()->getTerminator();
  if (terminator->getNumOperands() != 1 ||
      !isa<FloatType>(terminator->getOperand(0).getType()))
    return false;
  Value returned = terminator->getOperand(0);
  if (auto sum = returned.getDefiningOp<WeightedSumOp>();
      sum && sum.isOverInput())
    return true;
  // A sum of one input: findStepForm takes it for the state.
  std::optional<unsigned> input;
  for (BlockArgument argument : apply.getBodyBlock()->getArguments())
    if (isa<GridType>(argument.getType()) && !argument.use_empty()) {
      if (input)
        return false;
      input = argument.getArgNumber();
    }
  std::string why;
  if (!input)
    return false;
  std::optional<ComposedForm> whole = findStepForm(apply, *input, mode, why);
  if (!whole || whole->form.getNumTaps() < 2 ||
      whole->form.getNumTaps() > maxTaps || !whole->form.getConstant().isZero())
    return false;
  for (const auto &[source, taps] : whole->form.getSources())
    for (const auto &[offset, coefficient] : taps)
      if (!coefficient.isConstant())
        return false;
  OpBuilder builder(terminator);
  Value sum = whole->form.round()
                  ? emitForm(builder, returned.getLoc(), apply.getRank(),
                             whole->form, whole->flags)
                  : Value();
  if (!sum)
    return false;
  terminator->setOperand(0, sum);
  eraseUnusedOps(apply.getRegion());
  return true;
}

//===----------------------------------------------------------------------===//
// Steps with a tap of weight one
//
//   u' = 0.3 u + 0.2 u[-1] + 0.1 u[1], T times
//     ==> v' = v + 2/3 v[-1] + 1/3 v[1], T times, and u = 0.3^T v
//
//===----------------------------------------------------------------------===//

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
