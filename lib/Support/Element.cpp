//===- Element.cpp - Kinds of field elements ------------------------------===//

#include "StencilDialect/Support/Element.h"

#include "llvm/ADT/bit.h"

#include <cmath>
#include <cstring>
#include <limits>

using namespace stencil;

llvm::StringRef stencil::getElementName(ElementKind kind) {
  switch (kind) {
  case ElementKind::F16:
    return "f16";
  case ElementKind::BF16:
    return "bf16";
  case ElementKind::F32:
    return "f32";
  case ElementKind::F64:
    return "f64";
  case ElementKind::I1:
    return "i1";
  case ElementKind::I8:
    return "i8";
  case ElementKind::I16:
    return "i16";
  case ElementKind::I32:
    return "i32";
  case ElementKind::I64:
    return "i64";
  }
  return "";
}

std::optional<ElementKind> stencil::parseElementKind(llvm::StringRef name) {
  for (ElementKind kind : kAllElementKinds)
    if (name == getElementName(kind))
      return kind;
  return std::nullopt;
}

double stencil::getElementEpsilon(ElementKind kind) {
  switch (kind) {
  case ElementKind::F16:
    return 0x1p-10;
  case ElementKind::BF16:
    return 0x1p-7;
  case ElementKind::F32:
    return 0x1p-23;
  case ElementKind::F64:
    return 0x1p-52;
  default:
    return 0;
  }
}

/// Rounds a double to an IEEE format of 16 bits with so many exponent and
/// mantissa bits.
template <unsigned exponentBits, unsigned mantissaBits>
static uint16_t narrow(double value) {
  static_assert(1 + exponentBits + mantissaBits == 16);
  constexpr int bias = (1 << (exponentBits - 1)) - 1;
  constexpr uint16_t infinity = ((1u << exponentBits) - 1) << mantissaBits;
  constexpr uint64_t implicitBit = 1ull << 52;

  uint64_t bits = llvm::bit_cast<uint64_t>(value);
  uint16_t sign = (bits >> 63) << 15;
  uint64_t magnitude = bits & ~(1ull << 63);
  if (magnitude > (0x7ffull << 52))
    return sign | infinity | (1u << (mantissaBits - 1));
  int exponent = int(magnitude >> 52) - 1023;
  if (exponent > bias)
    return sign | infinity;

  // A subnormal result has its last bit at a fixed place: shift further.
  unsigned shift = 52 - mantissaBits;
  uint16_t base = 0;
  if (exponent < 1 - bias)
    shift += 1 - bias - exponent;
  else
    base = (exponent + bias - 1) << mantissaBits;
  // A double is below half of the smallest value then, subnormal doubles too.
  if (shift > 53)
    return sign;
  uint64_t mantissa = (magnitude & (implicitBit - 1)) | implicitBit;
  uint64_t quotient = mantissa >> shift;
  uint64_t rest = mantissa & ((1ull << shift) - 1);
  uint64_t half = 1ull << (shift - 1);
  if (rest > half || (rest == half && (quotient & 1)))
    ++quotient;
  // The implicit bit, and a carry out of the mantissa, raise the exponent; the
  // largest value rounded up is infinity.
  return sign | uint16_t(base + quotient);
}

double stencil::f16ToDouble(uint16_t bits) {
  unsigned exponent = (bits >> 10) & 0x1f;
  uint64_t mantissa = bits & 0x3ff;
  uint64_t sign = uint64_t(bits >> 15) << 63;
  if (exponent == 0) {
    double magnitude = double(mantissa) * 0x1p-24;
    return sign ? -magnitude : magnitude;
  }
  uint64_t wide = exponent == 0x1f ? 0x7ff : exponent - 15 + 1023;
  return llvm::bit_cast<double>(sign | (wide << 52) | (mantissa << 42));
}

double stencil::bf16ToDouble(uint16_t bits) {
  return llvm::bit_cast<float>(uint32_t(bits) << 16);
}

uint16_t stencil::doubleToF16(double value) { return narrow<5, 10>(value); }
uint16_t stencil::doubleToBF16(double value) { return narrow<8, 7>(value); }

template <typename T> static T load(const void *data, int64_t index) {
  return static_cast<const T *>(data)[index];
}

double stencil::loadElement(ElementKind kind, const void *data, int64_t index) {
  switch (kind) {
  case ElementKind::F16:
    return f16ToDouble(load<uint16_t>(data, index));
  case ElementKind::BF16:
    return bf16ToDouble(load<uint16_t>(data, index));
  case ElementKind::F32:
    return load<float>(data, index);
  case ElementKind::F64:
    return load<double>(data, index);
  case ElementKind::I1:
    return load<uint8_t>(data, index) & 1;
  case ElementKind::I8:
    return load<int8_t>(data, index);
  case ElementKind::I16:
    return load<int16_t>(data, index);
  case ElementKind::I32:
    return load<int32_t>(data, index);
  case ElementKind::I64:
    return double(load<int64_t>(data, index));
  }
  return 0;
}

template <typename T> static void store(void *data, int64_t index, T value) {
  static_cast<T *>(data)[index] = value;
}

/// A cast of what does not fit would be undefined.
template <typename T>
static void storeClamped(void *data, int64_t index, double value) {
  using Limits = std::numeric_limits<T>;
  // -2^(n-1) and 2^(n-1), both exact.
  constexpr double low = double(Limits::min());
  T result = 0;
  if (value <= low)
    result = Limits::min();
  else if (value >= -low)
    result = Limits::max();
  else if (!std::isnan(value))
    result = T(value);
  store<T>(data, index, result);
}

void stencil::storeElement(ElementKind kind, void *data, int64_t index,
                           double value) {
  switch (kind) {
  case ElementKind::F16:
    return store<uint16_t>(data, index, doubleToF16(value));
  case ElementKind::BF16:
    return store<uint16_t>(data, index, doubleToBF16(value));
  case ElementKind::F32:
    return store<float>(data, index, float(value));
  case ElementKind::F64:
    return store<double>(data, index, value);
  case ElementKind::I1:
    return store<uint8_t>(data, index, value != 0 && !std::isnan(value));
  case ElementKind::I8:
    return storeClamped<int8_t>(data, index, value);
  case ElementKind::I16:
    return storeClamped<int16_t>(data, index, value);
  case ElementKind::I32:
    return storeClamped<int32_t>(data, index, value);
  case ElementKind::I64:
    return storeClamped<int64_t>(data, index, value);
  }
}
