//===- RandomBits.h - The same random bits on every machine -----*- C++ -*-===//

#ifndef STENCIL_LIB_EXECUTION_RANDOMBITS_H
#define STENCIL_LIB_EXECUTION_RANDOMBITS_H

#include <cstdint>

namespace stencil {

/// The finaliser of SplitMix64 (Steele, Lea, Flood 2014).
inline uint64_t mixBits(uint64_t z) {
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
  z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
  return z ^ (z >> 31);
}

inline constexpr uint64_t kRandomGamma = 0x9e3779b97f4a7c15;

/// Number `index` of SplitMix64's stream that starts at `start`.
inline uint64_t getRandomBits(uint64_t start, uint64_t index) {
  return mixBits(start + (index + 1) * kRandomGamma);
}

} // namespace stencil

#endif // STENCIL_LIB_EXECUTION_RANDOMBITS_H
