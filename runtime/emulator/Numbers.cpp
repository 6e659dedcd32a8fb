//===- Numbers.cpp - Elements of matrices as doubles ----------------------===//

#include "Numbers.h"

#include <cmath>
#include <cstring>

using namespace stencil::runtime;
using namespace stencil::runtime::emulator;

unsigned stencil::runtime::emulator::getBytes(EmulatorElement element) {
  switch (element) {
  case EmulatorElement::F64:
    return 8;
  case EmulatorElement::TF32:
  case EmulatorElement::F32:
  case EmulatorElement::S32:
    return 4;
  case EmulatorElement::F16:
  case EmulatorElement::BF16:
    return 2;
  case EmulatorElement::S8:
    return 1;
  }
  return 0;
}

template <typename Value> static Value get(const void *array, int i) {
  Value value;
  std::memcpy(&value, static_cast<const char *>(array) + i * sizeof(Value),
              sizeof(Value));
  return value;
}

template <typename Value> static void put(void *array, int i, Value value) {
  std::memcpy(static_cast<char *>(array) + i * sizeof(Value), &value,
              sizeof(Value));
}

static float asFloat(uint32_t bits) {
  float value = 0;
  std::memcpy(&value, &bits, sizeof(value));
  return value;
}

static double halfToDouble(uint16_t bits) {
  int exponent = bits >> 10 & 31;
  int mantissa = bits & 1023;
  double magnitude = exponent == 31 ? (mantissa ? NAN : INFINITY)
                     : exponent == 0
                         ? std::ldexp(mantissa, -24)
                         : std::ldexp(mantissa + 1024, exponent - 25);
  return bits >> 15 ? -magnitude : magnitude;
}

static uint16_t doubleToHalf(double value) {
  uint16_t sign = std::signbit(value) ? 0x8000 : 0;
  double magnitude = std::fabs(value);
  if (std::isnan(value))
    return sign | 0x7e00;
  // Above the largest number plus half its last place.
  if (magnitude >= 65520)
    return sign | 0x7c00;
  if (magnitude == 0)
    return sign;
  int exponent = 0;
  std::frexp(magnitude, &exponent);
  // The unit in the last place; subnormals have that of the smallest normal.
  int unit = std::max(exponent - 11, -24);
  auto steps =
      static_cast<uint16_t>(std::nearbyint(std::ldexp(magnitude, -unit)));
  // A mantissa that was rounded up to 2048 moves into the exponent by itself.
  return sign + ((unit + 24) << 10) + steps;
}

double stencil::runtime::emulator::load(EmulatorElement element,
                                        const void *array, int i) {
  switch (element) {
  case EmulatorElement::F64:
    return get<double>(array, i);
  case EmulatorElement::F32:
    return get<float>(array, i);
  case EmulatorElement::TF32:
    return asFloat(get<uint32_t>(array, i) & ~uint32_t(0x1fff));
  case EmulatorElement::F16:
    return halfToDouble(get<uint16_t>(array, i));
  case EmulatorElement::BF16:
    return asFloat(uint32_t(get<uint16_t>(array, i)) << 16);
  case EmulatorElement::S8:
    return get<int8_t>(array, i);
  case EmulatorElement::S32:
    return get<int32_t>(array, i);
  }
  return 0;
}

void stencil::runtime::emulator::store(EmulatorElement element, void *array,
                                       int i, double value) {
  switch (element) {
  case EmulatorElement::F64:
    return put(array, i, value);
  case EmulatorElement::S32:
    return put(array, i, static_cast<uint32_t>(static_cast<int64_t>(value)));
  case EmulatorElement::F16:
    return put(array, i, doubleToHalf(value));
  default:
    return put(array, i, static_cast<float>(value));
  }
}
