//===- PrecisionTest.cpp - Element types and 80-bit evaluation ------------===//

#include "Elements.h"
#include "InterpreterTest.h"

using namespace stencil;

namespace {

class PrecisionTest : public InterpreterTest {
protected:
  /// u + 0.1 u, twice.
  template <typename T>
  std::vector<T> scale(llvm::StringRef type, std::vector<T> u) {
    std::string program = R"mlir(
      func.func @main(%f: !stencil.field<[0,3]xT>) {
        %t = stencil.load %f : !stencil.field<[0,3]xT> -> !stencil.temp<?xT>
        %r = stencil.apply(%x = %t : !stencil.temp<?xT>) -> (!stencil.temp<?xT>) {
          %v = stencil.access %x[0] : !stencil.temp<?xT>
          %k = arith.constant 0.1 : T;
          %p = arith.mulf %k, %v : T;
          %s = arith.addf %v, %p : T;
          stencil.return %s : T;
        }
        stencil.store %r to %f(<[0], [3]>) : !stencil.temp<?xT> to !stencil.field<[0,3]xT>
        return
      })mlir";
    for (llvm::StringRef from : {"xT>", "T;"})
      for (size_t at = program.find(from); at != std::string::npos;
           at = program.find(from))
        program.replace(at, from.size(),
                        from == "T;" ? type.str() : "x" + type.str() + ">");
    EXPECT_TRUE(run(program, {field(u, {3})})) << error;
    return u;
  }
};

TEST_F(PrecisionTest, EveryOpIsRoundedToItsType) {
  EXPECT_EQ(scale<float>("f32", {1, 3, 7}),
            (std::vector<float>{1 + 0.1F * 1, 3 + 0.1F * 3, 7 + 0.1F * 7}));
  std::vector<double> expected;
  for (double v : {1.0, 3.0, 7.0}) {
    volatile double product = 0.1 * v;
    expected.push_back(v + product);
  }
  EXPECT_EQ(scale<double>("f64", {1, 3, 7}), expected);
  // The parser reads 0.1 as a double.
  long double k = 0.1;
  EXPECT_EQ(scale<long double>("f80", {1, 3, 7}),
            (std::vector<long double>{1 + k, 3 + k * 3, 7 + k * 7}));
}

template <typename T> void expectSixteenBit(const std::vector<uint16_t> &got) {
  for (unsigned i = 0; i < 3; ++i) {
    double v = 3.0 + i, k = interp::widen(interp::narrow<T>(0.1));
    double product = interp::widen(interp::narrow<T>(k * v));
    EXPECT_EQ(got[i], interp::narrow<T>(v + product).bits);
  }
}

TEST_F(PrecisionTest, SixteenBits) {
  using interp::BFloat, interp::Half, interp::narrow;
  expectSixteenBit<Half>(
      scale<uint16_t>("f16", {narrow<Half>(3.0F).bits, narrow<Half>(4.0F).bits,
                              narrow<Half>(5.0F).bits}));
  expectSixteenBit<BFloat>(scale<uint16_t>(
      "bf16", {narrow<BFloat>(3.0F).bits, narrow<BFloat>(4.0F).bits,
               narrow<BFloat>(5.0F).bits}));
}

// The constant is the program's: 0.1 rounded to f32.
TEST_F(PrecisionTest, ExtendedArraysAndArithmetic) {
  options.precision = Precision::Extended;
  long double k = 0.1F;
  EXPECT_EQ(scale<long double>("f32", {1, 3, 7}),
            (std::vector<long double>{1 + k, 3 + k * 3, 7 + k * 7}));
}

TEST_F(PrecisionTest, TypesThatAreNotKnown) {
  std::vector<char> bytes(64);
  for (const char *type : {"i7", "f128", "tensor<4xf64>", "f8E4M3FN", "si32"}) {
    std::string name = std::string("!stencil.field<[0,3]x") + type + ">";
    EXPECT_FALSE(run("func.func @main(%f: " + name + ") { return }",
                     {field(bytes, {3})}));
    EXPECT_NE(error.find("cannot compute with values of type"),
              std::string::npos)
        << error;
  }
}

} // namespace
