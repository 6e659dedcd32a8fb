//===- PointError.h - How far a value may be off ----------------*- C++ -*-===//
//
// A bound per point, of which two bits say something else: the sign, that the
// value may be not finite although the reference is; the last bit, that the
// bound says nothing, because from end to end it is wider than the sum of the
// magnitudes of what was added up.
//
//===----------------------------------------------------------------------===//

#ifndef STENCILDIALECT_SUPPORT_POINTERROR_H
#define STENCILDIALECT_SUPPORT_POINTERROR_H

#include "llvm/ADT/bit.h"

#include <cmath>
#include <cstdint>

namespace stencil {

/// What an interpreter knows about the errors at a point, in units of which a
/// compiled program may be off by several.
struct PointError {
  /// What no value is off by more.
  double bound = 0;
  /// Examples with signs, which cancel where errors do: all roundings in one
  /// direction, and each in a direction by chance.
  double coherent = 0, random = 0;
};

inline bool mayBeNotFinite(double error) { return std::signbit(error); }

inline bool isBlind(double error) {
  return !(std::fabs(error) < HUGE_VAL) ||
         (llvm::bit_cast<uint64_t>(error) & 1) != 0;
}

/// `error` with the mark of a blind point, or without it.
inline double markBlind(double error, bool isBlind) {
  uint64_t bits = llvm::bit_cast<uint64_t>(error);
  // Infinity needs no mark.
  if (!(std::fabs(error) < HUGE_VAL))
    return error;
  return llvm::bit_cast<double>((bits & ~uint64_t(1)) | (isBlind ? 1 : 0));
}

} // namespace stencil

#endif // STENCILDIALECT_SUPPORT_POINTERROR_H
