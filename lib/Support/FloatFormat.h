//===- FloatFormat.h - Distances of two floats ------------------*- C++ -*-===//

#ifndef STENCIL_LIB_SUPPORT_FLOATFORMAT_H
#define STENCIL_LIB_SUPPORT_FLOATFORMAT_H

#include "StencilDialect/Support/Element.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

namespace stencil {

inline constexpr uint64_t kIncomparable = std::numeric_limits<uint64_t>::max();
inline constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// A float format through the signed integer of its size.
template <typename IntT, unsigned mantissaBitsV, int maxExponentV>
struct FloatFormat {
  using Int = IntT;
  static constexpr unsigned mantissaBits = mantissaBitsV;
  static constexpr int maxExponent = maxExponentV;
  static constexpr Int magnitudeMask = std::numeric_limits<Int>::max();
  static constexpr Int infinity = magnitudeMask >> mantissaBits << mantissaBits;

  static uint64_t distance(Int a, Int b) {
    Int magnitudeA = a & magnitudeMask, magnitudeB = b & magnitudeMask;
    if (magnitudeA > infinity || magnitudeB > infinity)
      return magnitudeA > infinity && magnitudeB > infinity ? 0 : kIncomparable;
    if (a == b)
      return 0;
    if (magnitudeA == infinity || magnitudeB == infinity)
      return kIncomparable;
    // Magnitudes of neighbours are neighbours; negative values count downwards.
    int64_t x = a < 0 ? -int64_t(magnitudeA) : int64_t(magnitudeA);
    int64_t y = b < 0 ? -int64_t(magnitudeB) : int64_t(magnitudeB);
    return x > y ? uint64_t(x) - uint64_t(y) : uint64_t(y) - uint64_t(x);
  }

  /// In ULP of this format at the reference.
  static double distance(long double value, long double reference) {
    if (std::isnan(value) || std::isnan(reference))
      return std::isnan(value) && std::isnan(reference) ? 0 : kInfinity;
    // What is half a step beyond the largest value rounds to infinity.
    const long double limit = std::ldexp(1.0L, maxExponent + 1) -
                              std::ldexp(1.0L, maxExponent - mantissaBits - 1);
    if (std::fabs(reference) >= limit)
      reference = std::copysign((long double)kInfinity, reference);
    if (std::isinf(value) || std::isinf(reference))
      return value == reference ? 0 : kInfinity;
    int exponent = 1 - maxExponent;
    if (reference != 0)
      exponent = std::clamp(std::ilogb(reference), exponent, maxExponent);
    return double(
        std::ldexp(std::fabs(value - reference), int(mantissaBits) - exponent));
  }
};

/// Calls `function` with the format of a float kind.
template <typename Function>
auto withFormat(ElementKind kind, Function function) {
  switch (kind) {
  case ElementKind::F16:
    return function(FloatFormat<int16_t, 10, 15>());
  case ElementKind::BF16:
    return function(FloatFormat<int16_t, 7, 127>());
  case ElementKind::F32:
    return function(FloatFormat<int32_t, 23, 127>());
  default:
    return function(FloatFormat<int64_t, 52, 1023>());
  }
}

} // namespace stencil

#endif // STENCIL_LIB_SUPPORT_FLOATFORMAT_H
