//===- BoundedDiff.cpp - Comparison with a bound for each point -----------===//

#include "StencilDialect/Support/BoundedDiff.h"
#include "FloatFormat.h"
#include "StencilDialect/Support/PointError.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Parallel.h"

#include <vector>

using namespace stencil;

namespace {

enum class Outcome : uint8_t { Right, Bad, Excused, Spread };

/// What was found in a piece of the array.
struct Found {
  int64_t bad = 0, excused = 0, spread = 0, notFinite = 0;
  int64_t worst = -1;
  double worstShare = 0, worstUlp = 0, maxUlp = 0, maxAbsolute = 0;
  bool isBounded = false;
};

class Comparer {
public:
  Comparer(ElementKind kind, const void *values, const void *reference,
           const PointBounds &bounds)
      : kind(kind), isFloat(isFloatKind(kind)), values(values),
        reference(reference), bounds(bounds) {
    if (isFloat)
      withFormat(kind, [&](auto format) {
        // What is half a step beyond the largest value rounds to infinity.
        limit =
            std::ldexp(1.0L, format.maxExponent + 1) -
            std::ldexp(1.0L, format.maxExponent - int(format.mantissaBits) - 1);
      });
  }

  long double getValue(int64_t i) const {
    if (kind == ElementKind::I64)
      return static_cast<const int64_t *>(values)[i];
    return loadElement(kind, values, i);
  }
  long double getReference(int64_t i) const {
    if (isFloat && bounds.isExtended)
      return static_cast<const long double *>(reference)[i];
    if (kind == ElementKind::I64)
      return static_cast<const int64_t *>(reference)[i];
    return loadElement(kind, reference, i);
  }
  double getBound(int64_t i) const {
    return bounds.errors == nullptr || bounds.factor == 0
               ? 0
               : double(bounds.factor) * std::fabs(bounds.errors[i].bound);
  }

  void compare(int64_t i, Found &found) const;

private:
  Outcome judge(int64_t i, long double value, long double wanted,
                double bound) const;
  double getUlp(long double value, long double wanted) const;

  ElementKind kind;
  bool isFloat;
  const void *values, *reference;
  const PointBounds &bounds;
  long double limit = 0;
};

} // namespace

double Comparer::getUlp(long double value, long double wanted) const {
  if (!isFloat)
    return double(std::fabs(value - wanted));
  return withFormat(kind, [&](auto format) {
    if (bounds.isExtended)
      return decltype(format)::distance(value, wanted);
    uint64_t bits[2] = {};
    storeElement(kind, &bits[0], 0, double(value));
    storeElement(kind, &bits[1], 0, double(wanted));
    uint64_t steps = getUlpDistance(kind, bits[0], bits[1]);
    return steps == kIncomparable ? kInfinity : double(steps);
  });
}

Outcome Comparer::judge(int64_t i, long double value, long double wanted,
                        double bound) const {
  double error =
      bounds.errors && bounds.factor != 0 ? bounds.errors[i].bound : 0;
  if (!(bound < kInfinity))
    return Outcome::Excused;
  if (std::isnan(value) && std::isnan(wanted))
    return Outcome::Right;
  bool isLarge = isFloat && std::fabs(wanted) >= limit;
  if (!std::isfinite(wanted) || (isLarge && bounds.isExtended)) {
    if (std::isinf(value) && std::signbit(value) == std::signbit(wanted) &&
        !std::isnan(wanted))
      return Outcome::Right;
    // Sums in another order have another kind, or cancel what is not finite.
    if (mayBeNotFinite(error))
      return std::isfinite(value) ? Outcome::Excused : Outcome::Right;
    return isLarge && std::isfinite(wanted) &&
                   std::fabs(value - wanted) <= bound
               ? Outcome::Right
               : Outcome::Bad;
  }
  if (!std::isfinite(value)) {
    if (mayBeNotFinite(error))
      return Outcome::Spread;
    bool mayOverflow =
        std::isinf(value) && bound > 0 &&
        std::fabs(value < 0 ? wanted - bound : wanted + bound) >= limit;
    return mayOverflow ? Outcome::Right : Outcome::Bad;
  }
  if (bound == 0) {
    bool isEqual = value == wanted;
    if (isEqual && value == 0 && isFloat && bounds.distinguishesZeros)
      isEqual = std::signbit(value) == std::signbit(wanted);
    return isEqual ? Outcome::Right : Outcome::Bad;
  }
  if (!(std::fabs(value - wanted) <= bound))
    return Outcome::Bad;
  return isBlind(error) ? Outcome::Excused : Outcome::Right;
}

void Comparer::compare(int64_t i, Found &found) const {
  long double value = getValue(i), wanted = getReference(i);
  double bound = getBound(i);
  found.isBounded |= bound > 0;
  found.notFinite += !std::isfinite(wanted);
  Outcome outcome = judge(i, value, wanted, bound);
  found.excused += outcome == Outcome::Excused;
  found.spread += outcome == Outcome::Spread;
  bool isBad = outcome == Outcome::Bad;
  // An infinity that may be NaN says nothing about distances.
  bool isNumber = std::isfinite(value) && std::isfinite(wanted);
  if (!isBad && (value == wanted || !isNumber))
    return;
  double ulp = getUlp(value, wanted);
  if (outcome == Outcome::Right || isBad)
    found.maxUlp = std::max(found.maxUlp, ulp);
  // Bad points before others; those before these that are farther beyond.
  double difference = double(std::fabs(value - wanted));
  double share = bound > 0 ? difference / bound : kInfinity;
  if (!(share < kInfinity))
    share = ulp > 0 ? std::min(ulp, 0x1p1000) * 0x1p20 : 1;
  if (isBad) {
    ++found.bad;
    if (difference > found.maxAbsolute)
      found.maxAbsolute = difference;
  }
  if (outcome == Outcome::Excused || (found.bad > 0 && !isBad))
    return;
  if (found.worst < 0 || (isBad && found.bad == 1) ||
      share > found.worstShare) {
    found.worst = i;
    found.worstShare = share;
    found.worstUlp = ulp;
  }
}

FieldDiff stencil::compareWithBounds(ElementKind kind, const void *values,
                                     const void *reference, int64_t count,
                                     const PointBounds &bounds) {
  FieldDiff diff;
  diff.kind = kind;
  diff.points = count;
  diff.allowedUlp = isFloatKind(kind) ? bounds.factor : 0;
  Comparer comparer(kind, values, reference, bounds);
  constexpr int64_t piece = 1 << 16;
  std::vector<Found> pieces(llvm::divideCeil(count, piece));
  auto compare = [&](size_t number) {
    int64_t begin = int64_t(number) * piece;
    for (int64_t i = begin; i < std::min(begin + piece, count); ++i)
      comparer.compare(i, pieces[number]);
  };
  // Small fields are not worth starting threads.
  if (pieces.size() == 1)
    compare(0);
  else
    llvm::parallelFor(0, pieces.size(), compare);

  const Found *worst = nullptr;
  for (const Found &found : pieces) {
    diff.bad += found.bad;
    diff.excused += found.excused;
    diff.spread += found.spread;
    diff.notFinite += found.notFinite;
    diff.isBounded |= found.isBounded;
    diff.maxUlp = std::max(diff.maxUlp, found.maxUlp);
    diff.maxAbsolute = std::max(diff.maxAbsolute, found.maxAbsolute);
    if (found.worst < 0)
      continue;
    if (!worst || (found.bad > 0) > (worst->bad > 0) ||
        ((found.bad > 0) == (worst->bad > 0) &&
         found.worstShare > worst->worstShare))
      worst = &found;
  }
  if (worst) {
    diff.worst = worst->worst;
    diff.worstUlp = worst->worstUlp;
    diff.worstValue = comparer.getValue(diff.worst);
    diff.worstReference = comparer.getReference(diff.worst);
    diff.worstBound = comparer.getBound(diff.worst);
  }
  return diff;
}
