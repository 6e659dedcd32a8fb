//===- ElementsTest.cpp - Conversions of 16-bit floats --------------------===//

#include "Elements.h"
#include "StencilDialect/Support/Element.h"
#include "gtest/gtest.h"

#include <random>

using namespace stencil;
using namespace stencil::interp;

namespace {

bool isNaN(double value) { return value != value; }

TEST(Elements, WidensEveryPattern) {
  for (unsigned bits = 0; bits < 0x10000; ++bits) {
    auto pattern = static_cast<uint16_t>(bits);
    double half = widen(Half{pattern}), bfloat = widen(BFloat{pattern});
    if (isNaN(f16ToDouble(pattern))) {
      EXPECT_TRUE(isNaN(half));
    } else {
      EXPECT_EQ(half, f16ToDouble(pattern));
      EXPECT_EQ(narrow<Half>(half).bits, pattern);
    }
    if (isNaN(bf16ToDouble(pattern))) {
      EXPECT_TRUE(isNaN(bfloat));
    } else {
      EXPECT_EQ(bfloat, bf16ToDouble(pattern));
      EXPECT_EQ(narrow<BFloat>(bfloat).bits, pattern);
    }
  }
}

void expectOneRounding(double value) {
  if (isNaN(value)) {
    EXPECT_TRUE(isNaN(widen(narrow<Half>(value))));
    EXPECT_TRUE(isNaN(widen(narrow<BFloat>(value))));
    return;
  }
  EXPECT_EQ(narrow<Half>(value).bits, doubleToF16(value)) << value;
  EXPECT_EQ(narrow<BFloat>(value).bits, doubleToBF16(value)) << value;
  EXPECT_EQ(narrow<Half>(static_cast<long double>(value)).bits,
            doubleToF16(value));
}

// Midpoints of neighbours, and what is a little off: where two roundings
// differ from one.
TEST(Elements, RoundsOnce) {
  for (unsigned bits = 0; bits < 0x10000; ++bits) {
    auto pattern = static_cast<uint16_t>(bits),
         above = static_cast<uint16_t>(bits + 1);
    for (double midpoint :
         {(f16ToDouble(pattern) + f16ToDouble(above)) / 2,
          (bf16ToDouble(pattern) + bf16ToDouble(above)) / 2}) {
      expectOneRounding(midpoint);
      expectOneRounding(std::nextafter(midpoint, INFINITY));
      expectOneRounding(std::nextafter(midpoint, -INFINITY));
    }
  }
  std::mt19937_64 random(1); // NOLINT(bugprone-random-generator-seed)
  for (int i = 0; i < 200000; ++i)
    expectOneRounding(llvm::bit_cast<double>(random()));
  for (double value : {65504.0, 65519.999, 65520.0, 65536.0, 1e300, 0x1p-25,
                       0x1p-24, 0x1.8p-25, 5e-324, 0.0, -0.0})
    for (double sign : {1.0, -1.0})
      expectOneRounding(sign * value);
  expectOneRounding(INFINITY);
  // Beyond double: a midpoint and a little more.
  EXPECT_EQ(widen(narrow<Half>(1.00048828125L)), 1.0F);
  EXPECT_EQ(widen(narrow<Half>(1.00048828125L + 0x1p-60L)), 1.0009765625F);
}

} // namespace
