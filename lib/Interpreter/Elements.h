//===- Elements.h - Element kinds and their rounding ------------*- C++ -*-===//
//
// The kinds of elements that the interpreter computes with, and conversions
// between them that round once, to nearest even. Knows no MLIR. The 16-bit
// conversions are written without branches on the value so that loops over them
// are vectorised.
//
//===----------------------------------------------------------------------===//

#ifndef STENCIL_LIB_INTERPRETER_ELEMENTS_H
#define STENCIL_LIB_INTERPRETER_ELEMENTS_H

#include "llvm/ADT/bit.h"

#include <cmath>
#include <cstdint>
#include <type_traits>

namespace stencil::interp {

/// What one element of an array or register is. I1 is a byte, 0 or 1; `index`
/// is I64. F80 is `long double`.
enum class Kind : uint8_t { I1, I8, I16, I32, I64, F16, BF16, F32, F64, F80 };

constexpr bool isFloat(Kind kind) { return kind >= Kind::F16; }

constexpr unsigned getSize(Kind kind) {
  constexpr unsigned sizes[] = {1, 1, 2, 4, 8, 2, 2, 4, 8, sizeof(long double)};
  return sizes[static_cast<unsigned>(kind)];
}

/// IEEE binary16 and bfloat16 as bit patterns.
struct Half {
  uint16_t bits;
};
struct BFloat {
  uint16_t bits;
};

//===----------------------------------------------------------------------===//
// Widening (exact)
//===----------------------------------------------------------------------===//

inline float widen(Half value) {
  // The exponent is rebased by a multiplication, which also normalises
  // subnormals; infinity and NaN then get float's largest exponent.
  uint32_t magnitude = static_cast<uint32_t>(value.bits & 0x7fff) << 13;
  uint32_t bits =
      llvm::bit_cast<uint32_t>(llvm::bit_cast<float>(magnitude) * 0x1p112F);
  bits |= magnitude >= 0x0f800000 ? 0x7f800000 : 0;
  bits |= static_cast<uint32_t>(value.bits & 0x8000) << 16;
  return llvm::bit_cast<float>(bits);
}
inline float widen(BFloat value) {
  return llvm::bit_cast<float>(static_cast<uint32_t>(value.bits) << 16);
}
inline float widen(float value) { return value; }
inline double widen(double value) { return value; }
inline long double widen(long double value) { return value; }

//===----------------------------------------------------------------------===//
// Narrowing (one rounding)
//===----------------------------------------------------------------------===//

inline Half narrowToHalf(float value) {
  uint32_t x = llvm::bit_cast<uint32_t>(value);
  uint32_t sign = x & 0x80000000;
  x ^= sign;
  // The addition of 0.5 aligns the last bit of a subnormal half with that of
  // the sum, so that the hardware rounds it.
  uint32_t subnormal =
      llvm::bit_cast<uint32_t>(llvm::bit_cast<float>(x) + 0.5F) - 0x3f000000;
  uint32_t normal = (x - 0x38000000 + 0xfff + ((x >> 13) & 1)) >> 13;
  uint32_t special = x > 0x7f800000 ? 0x7e00 : 0x7c00;
  uint32_t result = x < 0x38800000 ? subnormal : normal;
  result = x >= 0x47800000 ? special : result;
  return {static_cast<uint16_t>(result | (sign >> 16))};
}

inline BFloat narrowToBFloat(float value) {
  uint32_t x = llvm::bit_cast<uint32_t>(value);
  uint32_t rounded = (x + 0x7fff + ((x >> 16) & 1)) >> 16;
  uint32_t quiet = (x >> 16) | 0x40;
  return {
      static_cast<uint16_t>((x & 0x7fffffff) > 0x7f800000 ? quiet : rounded)};
}

/// Rounds to odd: a later rounding to at most 22 bits gives what one rounding
/// of `value` would (Boldo and Melquiond 2008).
template <typename Wide> inline float roundToOdd(Wide value) {
  auto nearest = static_cast<float>(value);
  if (value != value)
    return nearest;
  uint32_t bits = llvm::bit_cast<uint32_t>(nearest);
  if (std::fabs(static_cast<Wide>(nearest)) > std::fabs(value))
    --bits;
  if (static_cast<Wide>(llvm::bit_cast<float>(bits)) != value)
    bits |= 1;
  return llvm::bit_cast<float>(bits);
}

/// `value`, of any floating-point type, rounded to T.
template <typename T, typename Wide> inline T narrow(Wide value) {
  if constexpr (std::is_same_v<T, Half> || std::is_same_v<T, BFloat>) {
    float single;
    if constexpr (std::is_same_v<Wide, float>)
      single = value;
    else
      single = roundToOdd(value);
    if constexpr (std::is_same_v<T, Half>)
      return narrowToHalf(single);
    else
      return narrowToBFloat(single);
  } else {
    return static_cast<T>(value);
  }
}

} // namespace stencil::interp

#endif // STENCIL_LIB_INTERPRETER_ELEMENTS_H
