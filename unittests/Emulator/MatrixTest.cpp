//===- MatrixTest.cpp - Matrix instructions against a triple loop ---------===//
//
// The places of elements are written down per shape as in the figures of the
// PTX ISA ("Matrix Fragments for mma.mMnNkK") and of the CDNA3 ISA.
//
//===----------------------------------------------------------------------===//

#include "../../runtime/emulator/Numbers.h"
#include "EmulatorTest.h"

#include <cmath>

using namespace stencil::runtime;
using namespace stencil::runtime::emulator;

namespace {

struct Place {
  int row, col;
};
/// Of element `i` of the fragment of a lane; g is lane / 4, t is lane % 4.
using GetPlace = Place (*)(int i, int g, int t);

struct MmaCase {
  const char *name;
  int m, n, k;
  EmulatorElement element, accumulator;
  GetPlace a, b, c;
};
// GoogleTest's name. NOLINTNEXTLINE(readability-identifier-naming)
void PrintTo(const MmaCase &test, std::ostream *os) { *os << test.name; }

using Element = EmulatorElement;
constexpr auto kF64 = static_cast<int32_t>(Element::F64);
const GetPlace kC16 = [](int i, int g, int t) {
  return Place{i < 2 ? g : g + 8, 2 * t + (i & 1)};
};
const GetPlace kA16k8 = [](int i, int g, int t) {
  return Place{i < 2 ? g : g + 8, 2 * t + (i & 1)};
};
const GetPlace kB16k8 = [](int i, int g, int t) {
  return Place{2 * t + (i & 1), g};
};
const GetPlace kA16k16 = [](int i, int g, int t) {
  return Place{i < 2 || (i >= 4 && i < 6) ? g : g + 8,
               2 * t + (i & 1) + (i < 4 ? 0 : 8)};
};
const GetPlace kB16k16 = [](int i, int g, int t) {
  return Place{2 * t + (i & 1) + (i < 2 ? 0 : 8), g};
};
const GetPlace kAWordK4 = [](int i, int g, int t) {
  return Place{i == 0 ? g : g + 8, t};
};
const GetPlace kBWordK4 = [](int, int g, int t) { return Place{t, g}; };
const GetPlace kAWordK8 = [](int i, int g, int t) {
  return Place{i == 0 || i == 2 ? g : g + 8, i < 2 ? t : t + 4};
};
const GetPlace kBWordK8 = [](int i, int g, int t) {
  return Place{i == 0 ? t : t + 4, g};
};
const GetPlace kAF64K16 = [](int i, int g, int t) {
  return Place{i % 2 == 0 ? g : g + 8, t + i / 2 * 4};
};
const GetPlace kBF64K16 = [](int i, int g, int t) {
  return Place{t + i * 4, g};
};
const GetPlace kA8k4 = [](int, int g, int t) { return Place{g, t}; };
const GetPlace kC8 = [](int i, int g, int t) { return Place{g, 2 * t + i}; };
const GetPlace kAByteK16 = [](int i, int g, int t) {
  return Place{i < 4 ? g : g + 8, 4 * t + (i & 3)};
};
const GetPlace kBByteK16 = [](int i, int g, int t) {
  return Place{4 * t + (i & 3), g};
};
const GetPlace kAByteK32 = [](int i, int g, int t) {
  return Place{i < 4 || (i >= 8 && i < 12) ? g : g + 8,
               4 * t + (i & 3) + (i < 8 ? 0 : 16)};
};
const GetPlace kBByteK32 = [](int i, int g, int t) {
  return Place{4 * t + (i & 3) + (i < 4 ? 0 : 16), g};
};

const MmaCase kCases[] = {
    {"m8n8k4_f64", 8, 8, 4, Element::F64, Element::F64, kA8k4, kBWordK4, kC8},
    {"m16n8k4_f64", 16, 8, 4, Element::F64, Element::F64, kAWordK4, kBWordK4,
     kC16},
    {"m16n8k8_f64", 16, 8, 8, Element::F64, Element::F64, kAWordK8, kBWordK8,
     kC16},
    {"m16n8k16_f64", 16, 8, 16, Element::F64, Element::F64, kAF64K16, kBF64K16,
     kC16},
    {"m16n8k4_tf32", 16, 8, 4, Element::TF32, Element::F32, kAWordK4, kBWordK4,
     kC16},
    {"m16n8k8_tf32", 16, 8, 8, Element::TF32, Element::F32, kAWordK8, kBWordK8,
     kC16},
    {"m16n8k8_bf16", 16, 8, 8, Element::BF16, Element::F32, kA16k8, kB16k8,
     kC16},
    {"m16n8k16_bf16", 16, 8, 16, Element::BF16, Element::F32, kA16k16, kB16k16,
     kC16},
    {"m16n8k8_f16", 16, 8, 8, Element::F16, Element::F16, kA16k8, kB16k8, kC16},
    {"m16n8k16_f16", 16, 8, 16, Element::F16, Element::F16, kA16k16, kB16k16,
     kC16},
    {"m16n8k16_f16_f32", 16, 8, 16, Element::F16, Element::F32, kA16k16,
     kB16k16, kC16},
    {"m16n8k16_s8", 16, 8, 16, Element::S8, Element::S32, kAByteK16, kBByteK16,
     kC16},
    {"m16n8k32_s8", 16, 8, 32, Element::S8, Element::S32, kAByteK32, kBByteK32,
     kC16},
};

/// A small integer, exact in every type, different around each element.
double getA(int row, int col) { return (row * 5 + col * 3) % 7 - 3; }
double getB(int row, int col) { return (row * 2 + col * 5) % 9 - 4; }
double getC(int row, int col) { return (row * 3 + col) % 11 - 5; }

double getD(int row, int col, int k) {
  double sum = getC(row, col);
  for (int i = 0; i < k; ++i)
    sum += getA(row, i) * getB(i, col);
  return sum;
}

/// Small integers are kept by bf16 and s8, which `store` does not have.
void put(Element element, void *array, int i, double value) {
  if (element == Element::BF16) {
    auto number = static_cast<float>(value);
    uint32_t bits = 0;
    std::memcpy(&bits, &number, 4);
    static_cast<uint16_t *>(array)[i] = bits >> 16;
  } else if (element == Element::S8) {
    static_cast<int8_t *>(array)[i] = static_cast<int8_t>(value);
  } else {
    store(element, array, i, value);
  }
}

class MmaTest : public EmulatorTest,
                public ::testing::WithParamInterface<MmaCase> {};
INSTANTIATE_TEST_SUITE_P(Shapes, MmaTest, ::testing::ValuesIn(kCases),
                         [](const auto &info) { return info.param.name; });

TEST_P(MmaTest, TripleLoop) {
  const MmaCase &test = GetParam();
  EXPECT_EQ(run(64, 32,
                [&] {
                  int lane = getThread() % 32, g = lane / 4, t = lane % 4;
                  alignas(8) char a[64], b[64], c[64];
                  for (int i = 0; i < test.m * test.k / 32; ++i) {
                    Place place = test.a(i, g, t);
                    put(test.element, a, i, getA(place.row, place.col));
                  }
                  for (int i = 0; i < test.k * test.n / 32; ++i) {
                    Place place = test.b(i, g, t);
                    put(test.element, b, i, getB(place.row, place.col));
                  }
                  for (int i = 0; i < test.m * test.n / 32; ++i) {
                    Place place = test.c(i, g, t);
                    put(test.accumulator, c, i, getC(place.row, place.col));
                  }
                  stencilEmulatorMma(test.m, test.n, test.k,
                                     static_cast<int32_t>(test.element),
                                     static_cast<int32_t>(test.accumulator), a,
                                     b, c, "here");
                  for (int i = 0; i < test.m * test.n / 32; ++i) {
                    Place place = test.c(i, g, t);
                    EXPECT_EQ(load(test.accumulator, c, i),
                              getD(place.row, place.col, test.k));
                  }
                }),
            "");
}

TEST_F(EmulatorTest, MfmaF64) {
  EXPECT_EQ(run(64, 64,
                [&] {
                  int lane = getThread();
                  double a = getA(lane % 16, lane / 16);
                  double b = getB(lane / 16, lane % 16);
                  double c[4];
                  for (int i = 0; i < 4; ++i)
                    c[i] = getC(4 * i + lane / 16, lane % 16);
                  stencilEmulatorMfma(16, 16, 4, 1, kF64, 0, &a, &b, c, "here");
                  for (int i = 0; i < 4; ++i)
                    EXPECT_EQ(c[i], getD(4 * i + lane / 16, lane % 16, 4));

                  // Four products side by side; block n is shifted by n.
                  int block = lane / 4 % 4, i = lane % 4, k = lane / 16;
                  a = getA(i, k) + block;
                  b = getB(k, i);
                  double d = 1;
                  stencilEmulatorMfma(4, 4, 4, 4, kF64, 4, &a, &b, &d, "here");
                  double expected = -1;
                  for (int j = 0; j < 4; ++j)
                    expected += (getA(k, j) + block) * getB(j, i);
                  EXPECT_EQ(d, expected);
                }),
            "");
}

// v_mfma_f32_16x16x16_f16, _bf16: four neighbours along k in a lane, and of C
// and D four neighbouring rows.
TEST_F(EmulatorTest, MfmaOf16Bits) {
  for (Element element : {Element::F16, Element::BF16})
    EXPECT_EQ(run(64, 64,
                  [&] {
                    int lane = getThread();
                    alignas(8) char a[8], b[8];
                    float c[4];
                    for (int i = 0; i < 4; ++i) {
                      int k = 4 * (lane / 16) + i;
                      put(element, a, i, getA(lane % 16, k));
                      put(element, b, i, getB(k, lane % 16));
                      c[i] = static_cast<float>(getC(k, lane % 16));
                    }
                    stencilEmulatorMfma(16, 16, 16, 1,
                                        static_cast<int32_t>(element), 0, a, b,
                                        c, "here");
                    for (int i = 0; i < 4; ++i)
                      EXPECT_EQ(c[i], getD(4 * (lane / 16) + i, lane % 16, 16));
                  }),
              "");
}

// v_mfma_f32_16x16x8_xf32: two neighbours along k in a lane, of which the upper
// 19 bits count.
TEST_F(EmulatorTest, MfmaOfTF32) {
  EXPECT_EQ(
      run(64, 64,
          [&] {
            int lane = getThread();
            float a[2], b[2], c[4];
            for (int i = 0; i < 2; ++i) {
              int k = 2 * (lane / 16) + i;
              a[i] = static_cast<float>(getA(lane % 16, k) * (1 + 0x1p-11));
              b[i] = static_cast<float>(getB(k, lane % 16));
            }
            for (int i = 0; i < 4; ++i)
              c[i] = static_cast<float>(getC(4 * (lane / 16) + i, lane % 16));
            stencilEmulatorMfma(16, 16, 8, 1,
                                static_cast<int32_t>(Element::TF32), 0, a, b, c,
                                "here");
            for (int i = 0; i < 4; ++i)
              EXPECT_EQ(c[i], getD(4 * (lane / 16) + i, lane % 16, 8));
          }),
      "");
}

TEST_F(EmulatorTest, HalfPrecision) {
  // Every f16 that is a number survives, and a tie goes to the even one.
  for (int bits = 0; bits < 0x10000; ++bits) {
    auto half = static_cast<uint16_t>(bits), again = half;
    double value = load(Element::F16, &half, 0);
    if (std::isnan(value))
      continue;
    store(Element::F16, &again, 0, value);
    ASSERT_EQ(again, half);
  }
  uint16_t half = 0;
  store(Element::F16, &half, 0, 2049);
  EXPECT_EQ(load(Element::F16, &half, 0), 2048);
  store(Element::F16, &half, 0, 2051);
  EXPECT_EQ(load(Element::F16, &half, 0), 2052);
  store(Element::F16, &half, 0, 65519);
  EXPECT_EQ(load(Element::F16, &half, 0), 65504);
  store(Element::F16, &half, 0, 65520);
  EXPECT_TRUE(std::isinf(load(Element::F16, &half, 0)));
}

} // namespace
