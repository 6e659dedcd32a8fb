//===- LinearForm.cpp - The algebra of weighted sums ----------------------===//

#include "StencilDialect/Analysis/LinearForm.h"
#include "StencilDialect/IR/Elements.h"
#include "mlir/IR/BuiltinTypes.h"
#include "llvm/ADT/Hashing.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace stencil;
using llvm::APInt;

//===----------------------------------------------------------------------===//
// Number
//===----------------------------------------------------------------------===//

static constexpr auto kNearest = APFloat::rmNearestTiesToEven;

Number Number::get(Type elementType, int64_t value) {
  if (!isa<FloatType>(elementType))
    return Number(APInt(64, value, /*isSigned=*/true)
                      .sextOrTrunc(getBitWidth(elementType)));
  APFloat number(APFloat::IEEEquad());
  number.convertFromAPInt(APInt(64, value, /*isSigned=*/true),
                          /*IsSigned=*/true, kNearest);
  return Number(std::move(number));
}

Number Number::get(const APFloat &value) {
  APFloat number = value;
  bool losesInfo;
  number.convert(APFloat::IEEEquad(), kNearest, &losesInfo);
  return Number(std::move(number));
}

std::optional<Number> Number::get(Attribute attribute) {
  if (auto number = dyn_cast_or_null<FloatAttr>(attribute))
    return get(number.getValue());
  if (auto number = dyn_cast_or_null<IntegerAttr>(attribute))
    return get(number.getValue());
  return std::nullopt;
}

bool Number::isZero() const {
  return std::visit([](const auto &v) { return v.isZero(); }, value);
}

bool Number::isOne() const {
  if (const auto *number = std::get_if<APFloat>(&value))
    return number->isExactlyValue(1.0);
  return std::get<APInt>(value).isOne();
}

bool Number::isMinusOne() const { return (-*this).isOne(); }

bool Number::isFinite() const {
  const auto *number = std::get_if<APFloat>(&value);
  return !number || number->isFinite();
}

Number Number::operator+(const Number &other) const {
  return std::visit(
      [&](const auto &v) {
        using T = std::decay_t<decltype(v)>;
        return Number(T(v + std::get<T>(other.value)));
      },
      value);
}

Number Number::operator*(const Number &other) const {
  return std::visit(
      [&](const auto &v) {
        using T = std::decay_t<decltype(v)>;
        return Number(T(v * std::get<T>(other.value)));
      },
      value);
}

Number Number::operator/(const Number &other) const {
  return Number(
      APFloat(std::get<APFloat>(value) / std::get<APFloat>(other.value)));
}

Number Number::operator-() const {
  return std::visit(
      [](const auto &v) { return Number(std::decay_t<decltype(v)>(-v)); },
      value);
}

bool Number::operator==(const Number &other) const {
  if (const auto *number = std::get_if<APFloat>(&value))
    return *number == std::get<APFloat>(other.value);
  return std::get<APInt>(value) == std::get<APInt>(other.value);
}

size_t Number::getHash() const {
  return std::visit([](const auto &v) -> size_t { return hash_value(v); },
                    value);
}

TypedAttr Number::round(Type elementType) const {
  if (const auto *number = std::get_if<APInt>(&value))
    return IntegerAttr::get(elementType, *number);
  APFloat rounded = std::get<APFloat>(value);
  bool losesInfo;
  rounded.convert(cast<FloatType>(elementType).getFloatSemantics(), kNearest,
                  &losesInfo);
  return FloatAttr::get(elementType, rounded);
}

//===----------------------------------------------------------------------===//
// Coefficient
//===----------------------------------------------------------------------===//

ScalarProduct ScalarProductInfo::getEmptyKey() {
  return {DenseMapInfo<Value>::getEmptyKey()};
}

ScalarProduct ScalarProductInfo::getTombstoneKey() {
  return {DenseMapInfo<Value>::getTombstoneKey()};
}

unsigned ScalarProductInfo::getHashValue(const ScalarProduct &product) {
  // The same for every order.
  unsigned hash = 0;
  for (Value factor : product)
    hash += DenseMapInfo<Value>::getHashValue(factor);
  return hash;
}

bool ScalarProductInfo::isEqual(const ScalarProduct &a,
                                const ScalarProduct &b) {
  return a.size() == b.size() &&
         std::is_permutation(a.begin(), a.end(), b.begin());
}

Coefficient Coefficient::get(Value scalar) {
  Coefficient result(Number::get(scalar.getType(), 0));
  result.addTerm({scalar}, Number::get(scalar.getType(), 1));
  return result;
}

std::optional<std::pair<ScalarProduct, Number>>
Coefficient::getMonomial() const {
  if (terms.empty())
    return std::make_pair(ScalarProduct(), number);
  if (terms.size() == 1 && number.isZero())
    return std::make_pair(terms.front().first, terms.front().second);
  return std::nullopt;
}

void Coefficient::addTerm(const ScalarProduct &product, const Number &factor) {
  if (product.empty()) {
    number = number + factor;
    return;
  }
  auto [it, isNew] = terms.try_emplace(product, factor);
  if (!isNew)
    it->second = it->second + factor;
  if (it->second.isZero())
    terms.erase(it);
}

Coefficient &Coefficient::operator+=(const Coefficient &other) {
  number = number + other.number;
  for (const auto &[product, factor] : other.terms)
    addTerm(product, factor);
  return *this;
}

Coefficient Coefficient::operator*(const Coefficient &other) const {
  Coefficient result(number * other.number);
  if (!other.number.isZero())
    for (const auto &[product, factor] : terms)
      result.addTerm(product, factor * other.number);
  if (!number.isZero())
    for (const auto &[product, factor] : other.terms)
      result.addTerm(product, number * factor);
  for (const auto &[product, factor] : terms)
    for (const auto &[otherProduct, otherFactor] : other.terms) {
      ScalarProduct both = product;
      both.append(otherProduct);
      result.addTerm(both, factor * otherFactor);
    }
  return result;
}

Coefficient Coefficient::operator-() const {
  Coefficient result = *this;
  result.number = -number;
  for (auto &[product, factor] : result.terms)
    factor = -factor;
  return result;
}

std::optional<Coefficient> Coefficient::round(Type elementType) const {
  auto roundNumber = [&](const Number &exact) {
    return *Number::get(exact.round(elementType));
  };
  Coefficient result(roundNumber(number));
  bool isFinite = result.number.isFinite();
  for (const auto &[product, factor] : terms) {
    Number rounded = roundNumber(factor);
    isFinite &= rounded.isFinite();
    result.addTerm(product, rounded);
  }
  return isFinite ? std::optional(result) : std::nullopt;
}

bool Coefficient::operator==(const Coefficient &other) const {
  if (number != other.number || terms.size() != other.terms.size())
    return false;
  return llvm::all_of(terms, [&](const auto &term) {
    auto it = other.terms.find(term.first);
    return it != other.terms.end() && it->second == term.second;
  });
}

size_t Coefficient::getHash() const {
  // The same for every order of the terms.
  size_t hash = number.getHash();
  for (const auto &[product, factor] : terms)
    hash += llvm::hash_combine(ScalarProductInfo::getHashValue(product),
                               factor.getHash());
  return hash;
}

//===----------------------------------------------------------------------===//
// LinearForm
//===----------------------------------------------------------------------===//

TapSource TapSourceInfo::getEmptyKey() {
  return {DenseMapInfo<Value>::getEmptyKey(), {}};
}

TapSource TapSourceInfo::getTombstoneKey() {
  return {DenseMapInfo<Value>::getTombstoneKey(), {}};
}

unsigned TapSourceInfo::getHashValue(const TapSource &source) {
  return llvm::hash_combine(
      mlir::hash_value(source.value),
      llvm::hash_combine_range(source.axes.begin(), source.axes.end()));
}

LinearForm::LinearForm(Type elementType)
    : elementType(elementType), constant(Coefficient::get(elementType, 0)) {}

size_t LinearForm::getNumTaps() const {
  size_t count = 0;
  for (const auto &[source, taps] : sources)
    count += taps.size();
  return count;
}

static void addTap(LinearForm::Taps &taps, LinearForm::Offset offset,
                   const Coefficient &coefficient) {
  auto [it, isNew] = taps.try_emplace(std::move(offset), coefficient);
  if (!isNew)
    it->second += coefficient;
}

void LinearForm::add(const TapSource &source, ArrayRef<int64_t> offset,
                     const Coefficient &coefficient) {
  addTap(sources[source], Offset(offset), coefficient);
}

void LinearForm::substitute(Value input, const LinearForm &producer) {
  Sources kept;
  std::swap(kept, sources);
  for (auto &[source, taps] : kept) {
    if (source.value != input) {
      Taps &mine = sources[source];
      if (mine.empty()) {
        mine = std::move(taps);
        continue;
      }
      for (const auto &[offset, coefficient] : taps)
        addTap(mine, offset, coefficient);
      continue;
    }
    for (const auto &[inner, innerTaps] : producer.sources) {
      TapSource moved{inner.value, {}};
      for (int64_t axis : inner.axes)
        moved.axes.push_back(source.axes[axis]);
      Taps &mine = sources[moved];
      for (const auto &[offset, coefficient] : taps)
        for (const auto &[innerOffset, innerCoefficient] : innerTaps) {
          Offset sum = innerOffset;
          for (auto [entry, axis] : llvm::zip_equal(sum, inner.axes))
            entry += offset[axis];
          addTap(mine, std::move(sum), coefficient * innerCoefficient);
        }
    }
    if (!producer.constant.isZero())
      for (const auto &[offset, coefficient] : taps)
        constant += coefficient * producer.constant;
  }
}

void LinearForm::dropZeros() {
  for (auto &[source, taps] : sources)
    for (auto it = taps.begin(); it != taps.end();)
      it = it->second.isZero() ? taps.erase(it) : std::next(it);
  sources.remove_if([](const auto &entry) { return entry.second.empty(); });
}

bool LinearForm::round() {
  auto roundInPlace = [&](Coefficient &coefficient) {
    std::optional<Coefficient> rounded = coefficient.round(elementType);
    if (rounded)
      coefficient = *rounded;
    return rounded.has_value();
  };
  bool isFinite = roundInPlace(constant);
  for (auto &[source, taps] : sources)
    for (auto &[offset, coefficient] : taps)
      isFinite = isFinite && roundInPlace(coefficient);
  dropZeros();
  return isFinite;
}
