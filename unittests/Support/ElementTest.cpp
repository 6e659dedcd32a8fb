//===- ElementTest.cpp - Kinds of field elements --------------------------===//

#include "StencilDialect/Support/Element.h"

#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/bit.h"

#include "gtest/gtest.h"

#include <array>
#include <cmath>
#include <limits>
#include <random>

using namespace stencil;
using llvm::APFloat;

static constexpr double kInfinity = std::numeric_limits<double>::infinity();
static constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

namespace {
/// A format of 16 bits, with LLVM's arithmetic as the judge.
struct Narrow {
  const llvm::fltSemantics &semantics;
  double (*widen)(uint16_t);
  uint16_t (*narrow)(double);
};
} // namespace

static std::array<Narrow, 2> getFormats() {
  return {Narrow{APFloat::IEEEhalf(), f16ToDouble, doubleToF16},
          Narrow{APFloat::BFloat(), bf16ToDouble, doubleToBF16}};
}

static void expectNarrowed(const Narrow &format, double value) {
  APFloat expected(value);
  bool losesInfo;
  expected.convert(format.semantics, APFloat::rmNearestTiesToEven, &losesInfo);
  uint64_t bits = expected.bitcastToAPInt().getZExtValue();
  ASSERT_EQ(format.narrow(value), bits) << std::hexfloat << value;
}

TEST(Element, SixteenBitsRoundTripThroughDouble) {
  for (const Narrow &format : getFormats()) {
    for (unsigned bits = 0; bits < 65536; ++bits) {
      APFloat value(format.semantics, llvm::APInt(16, bits));
      double wide = format.widen(bits);
      if (value.isNaN()) {
        ASSERT_TRUE(std::isnan(wide)) << bits;
        ASSERT_TRUE(std::isnan(format.widen(format.narrow(wide)))) << bits;
        continue;
      }
      bool losesInfo;
      value.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven,
                    &losesInfo);
      ASSERT_EQ(llvm::bit_cast<uint64_t>(wide),
                value.bitcastToAPInt().getZExtValue())
          << bits;
      ASSERT_EQ(format.narrow(wide), bits);
    }
  }
}

TEST(Element, NarrowingRoundsToNearestEven) {
  for (const Narrow &format : getFormats()) {
    // All values, the ties between neighbours, and what is next to the ties:
    // rounding by way of float would get the latter wrong.
    for (unsigned bits = 0; bits < 0x7fff; ++bits) {
      double low = format.widen(bits), high = format.widen(bits + 1);
      if (std::isnan(high))
        break;
      if (std::isinf(high))
        high = 2 * low - format.widen(bits - 1);
      double tie = low + (high - low) / 2;
      for (double sign : {1.0, -1.0})
        for (double value : {low, std::nextafter(tie, 0.0), tie,
                             std::nextafter(tie, kInfinity)})
          expectNarrowed(format, sign * value);
    }
    // The same values in every run. NOLINTNEXTLINE
    std::mt19937_64 random(1);
    for (int i = 0; i < 100000; ++i) {
      auto value = llvm::bit_cast<double>(random());
      if (!std::isnan(value))
        expectNarrowed(format, value);
      // Within the range of a half.
      expectNarrowed(format, std::ldexp(double(int64_t(random())),
                                        -63 - 30 + int(random() % 50)));
    }
    for (double value : {0.0, 5e-324, 1e-310, 1e308, kInfinity})
      for (double sign : {1.0, -1.0})
        expectNarrowed(format, sign * value);
  }
}

TEST(Element, NarrowedNaNIsQuiet) {
  // A payload that is in the low bits only must not become an infinity.
  double signalling = llvm::bit_cast<double>(0x7ff0000000000001ull);
  EXPECT_EQ(doubleToF16(signalling), 0x7e00);
  EXPECT_EQ(doubleToBF16(-signalling), 0xffc0);
}

TEST(Element, NamesRoundTrip) {
  for (ElementKind kind : kAllElementKinds)
    EXPECT_EQ(parseElementKind(getElementName(kind)), kind);
  EXPECT_EQ(parseElementKind("bf16"), ElementKind::BF16);
  EXPECT_EQ(parseElementKind("f80"), std::nullopt);
  EXPECT_EQ(parseElementKind(""), std::nullopt);
}

TEST(Element, EpsilonIsTheStepAtOne) {
  for (ElementKind kind : kAllElementKinds) {
    if (!isFloatKind(kind)) {
      EXPECT_EQ(getElementEpsilon(kind), 0);
      continue;
    }
    uint64_t one = 0;
    storeElement(kind, &one, 0, 1.0);
    uint64_t next = one + 1;
    EXPECT_EQ(loadElement(kind, &next, 0) - 1, getElementEpsilon(kind));
  }
}

TEST(Element, StoresWhatItLoads) {
  for (ElementKind kind : kAllElementKinds) {
    alignas(8) unsigned char data[4 * 8] = {};
    std::vector<double> values = {0, 1, -5, 100};
    if (kind == ElementKind::I1)
      values = {0, 1, 1, 0};
    for (int i = 0; i < 4; ++i)
      storeElement(kind, data, i, values[i]);
    for (int i = 0; i < 4; ++i)
      EXPECT_EQ(loadElement(kind, data, i), values[i])
          << getElementName(kind).str();
    for (size_t i = 4 * getElementSize(kind); i < sizeof(data); ++i)
      EXPECT_EQ(data[i], 0) << getElementName(kind).str();
  }
}

template <typename T> static void expectClamped(ElementKind kind) {
  using Limits = std::numeric_limits<T>;
  T value;
  auto store = [&](double number) {
    storeElement(kind, &value, 0, number);
    return value;
  };
  EXPECT_EQ(store(1e300), Limits::max());
  EXPECT_EQ(store(-kInfinity), Limits::min());
  EXPECT_EQ(store(-double(Limits::min())), Limits::max());
  EXPECT_EQ(store(double(Limits::min())), Limits::min());
  EXPECT_EQ(store(kNaN), 0);
  EXPECT_EQ(store(-2.9), -2);
  EXPECT_EQ(store(2.9), 2);
}

TEST(Element, IntegersAreClamped) {
  expectClamped<int8_t>(ElementKind::I8);
  expectClamped<int16_t>(ElementKind::I16);
  expectClamped<int32_t>(ElementKind::I32);
  expectClamped<int64_t>(ElementKind::I64);
  uint8_t flag;
  storeElement(ElementKind::I1, &flag, 0, -7);
  EXPECT_EQ(flag, 1);
  storeElement(ElementKind::I1, &flag, 0, kNaN);
  EXPECT_EQ(flag, 0);
}
