//===- LinearFormTest.cpp -------------------------------------------------===//

#include "StencilDialect/Analysis/LinearForm.h"
#include "ParseTest.h"
#include <ctime>

using namespace mlir;
using stencil::Coefficient;
using stencil::LinearForm;
using stencil::Number;
using stencil::TapSource;

namespace {

/// Sources %x, %y, and scalars %a, %b of type f64; %i of type i8.
struct LinearFormTest : ParseTest {
  void SetUp() override {
    parse(R"mlir(
func.func @f(%x: !stencil.temp<?xf64>, %y: !stencil.temp<?x?xf64>, %a: f64, %b: f64, %i: i8) {
  "test.name"(%x) {n = "x"} : (!stencil.temp<?xf64>) -> ()
  "test.name"(%y) {n = "y"} : (!stencil.temp<?x?xf64>) -> ()
  "test.name"(%a) {n = "a"} : (f64) -> ()
  "test.name"(%b) {n = "b"} : (f64) -> ()
  "test.name"(%i) {n = "i"} : (i8) -> ()
  return
})mlir");
    f64 = Float64Type::get(&context);
    x = {names["x"], {0}};
    y = {names["y"], {0, 1}};
  }

  Coefficient number(double value) {
    return Coefficient(Number::get(llvm::APFloat(value)));
  }
  Coefficient scalar(llvm::StringRef name) {
    return Coefficient::get((*this)[name]);
  }
  double valueOf(const Number &number) {
    return cast<FloatAttr>(number.round(f64)).getValueAsDouble();
  }
  double weight(const LinearForm &form, const TapSource &source,
                llvm::ArrayRef<int64_t> offset) {
    const auto *taps = form.getSources().find(source);
    if (taps == form.getSources().end())
      return NAN;
    auto tap = taps->second.find(LinearForm::Offset(offset));
    return tap == taps->second.end() ? NAN : valueOf(tap->second.getNumber());
  }

  Type f64;
  TapSource x, y;
};

TEST_F(LinearFormTest, NumbersAreRoundedOnce) {
  // In double precision, 1 + 2^-60 - 1 is 0.
  Number sum = Number::get(llvm::APFloat(1.0)) +
               Number::get(llvm::APFloat(0x1p-60)) + Number::get(f64, -1);
  EXPECT_EQ(valueOf(sum), 0x1p-60);
  Number third = Number::get(f64, 1) / Number::get(f64, 3);
  EXPECT_EQ(valueOf(third), 1.0 / 3.0);
  EXPECT_TRUE((third + -third).isZero());
  EXPECT_TRUE((-Number::get(f64, 1)).isMinusOne());
}

TEST_F(LinearFormTest, NumbersThatATypeCannotHold) {
  Number large = Number::get(llvm::APFloat(1e10));
  EXPECT_TRUE(large.isFinite());
  auto half = cast<FloatAttr>(large.round(Float16Type::get(&context)));
  EXPECT_TRUE(half.getValue().isInfinity());
  EXPECT_FALSE(
      Number::get(llvm::APFloat(std::numeric_limits<double>::quiet_NaN()))
          .isFinite());
}

TEST_F(LinearFormTest, IntegersWrapAround) {
  Type i8 = IntegerType::get(&context, 8);
  Number sum = Number::get(i8, 200) + Number::get(i8, 100);
  EXPECT_EQ(sum, Number::get(i8, 44));
  EXPECT_TRUE((Number::get(i8, 16) * Number::get(i8, 16)).isZero());
  EXPECT_TRUE(Number::get(i8, 255).isMinusOne());
  Type i1 = IntegerType::get(&context, 1);
  EXPECT_TRUE((Number::get(i1, 1) + Number::get(i1, 1)).isZero());
  EXPECT_EQ(Number::get(IndexType::get(&context), -1) +
                Number::get(IndexType::get(&context), 1),
            Number::get(IndexType::get(&context), 0));
  EXPECT_TRUE(Coefficient::get((*this)["i"]) == Coefficient::get((*this)["i"]));
}

TEST_F(LinearFormTest, ScalarsCommute) {
  Coefficient ab = scalar("a") * scalar("b");
  Coefficient ba = scalar("b") * scalar("a");
  EXPECT_EQ(ab, ba);
  Coefficient sum = ab * number(2.0);
  sum += ba * number(3.0);
  ASSERT_EQ(sum.getTerms().size(), 1u);
  EXPECT_EQ(valueOf(sum.getTerms().front().second), 5.0);
  sum += -(ab * number(5.0));
  EXPECT_TRUE(sum.isZero());
  EXPECT_NE(scalar("a"), scalar("b"));
  EXPECT_NE(scalar("a"), scalar("a") * scalar("a"));
}

TEST_F(LinearFormTest, CoefficientsDistribute) {
  // (2 + a)(3 + b) = 6 + 3 a + 2 b + a b
  Coefficient left = number(2.0), right = number(3.0);
  left += scalar("a");
  right += scalar("b");
  Coefficient product = left * right;
  EXPECT_EQ(valueOf(product.getNumber()), 6.0);
  EXPECT_EQ(product.getTerms().size(), 3u);
  EXPECT_EQ(product, right * left);
  EXPECT_FALSE(product.getMonomial());
  ASSERT_TRUE((scalar("a") * number(4.0)).getMonomial());
  EXPECT_EQ(valueOf((scalar("a") * number(4.0)).getMonomial()->second), 4.0);
  EXPECT_TRUE((scalar("a") * number(0.0)).isZero());
}

TEST_F(LinearFormTest, TapsAtOnePointAreOne) {
  LinearForm form(f64);
  form.add(x, {-1}, number(1.0));
  form.add(x, {1}, number(1.0));
  form.add(x, {-1}, number(0.5));
  form.addConstant(number(7.0));
  EXPECT_EQ(form.getNumTaps(), 2u);
  EXPECT_EQ(weight(form, x, {-1}), 1.5);
  EXPECT_EQ(weight(form, x, {1}), 1.0);
  EXPECT_TRUE(std::isnan(weight(form, x, {4})));
  EXPECT_EQ(valueOf(form.getConstant().getNumber()), 7.0);
}

TEST_F(LinearFormTest, ZerosDisappear) {
  LinearForm form(f64);
  form.add(x, {0}, number(1.0));
  form.add(y, {0, 1}, number(1.0));
  form.add(x, {0}, number(-1.0));
  EXPECT_EQ(form.getNumTaps(), 2u);
  form.dropZeros();
  EXPECT_EQ(form.getNumTaps(), 1u);
  EXPECT_EQ(form.getSources().size(), 1u);
  EXPECT_EQ(form.getSources().front().first, y);
}

TEST_F(LinearFormTest, SubstituteIsConvolution) {
  // [1 -2 1] of [1 -2 1] of x is [1 -4 6 -4 1] of x.
  TapSource input{(*this)["y"], {0}};
  LinearForm producer(f64), consumer(f64);
  for (auto [offset, value] : {std::pair(-1, 1.0), {0, -2.0}, {1, 1.0}}) {
    producer.add(x, {offset}, number(value));
    consumer.add(input, {offset}, number(value));
  }
  producer.addConstant(number(3.0));
  consumer.add(x, {0}, number(10.0));
  consumer.substitute(input.value, producer);
  EXPECT_EQ(consumer.getSources().size(), 1u);
  EXPECT_EQ(weight(consumer, x, {-2}), 1.0);
  EXPECT_EQ(weight(consumer, x, {-1}), -4.0);
  EXPECT_EQ(weight(consumer, x, {0}), 16.0);
  EXPECT_EQ(weight(consumer, x, {2}), 1.0);
  EXPECT_EQ(valueOf(consumer.getConstant().getNumber()), 0.0);
}

TEST_F(LinearFormTest, SubstituteOnOtherAxes) {
  // The producer has one axis, which is axis 1 of the consumer.
  TapSource input{(*this)["x"], {1}};
  LinearForm producer(f64), consumer(f64);
  producer.add({(*this)["y"], {0}}, {5}, number(2.0));
  consumer.add(input, {1}, number(3.0));
  consumer.substitute(input.value, producer);
  EXPECT_EQ(weight(consumer, {(*this)["y"], {1}}, {6}), 6.0);
}

TEST_F(LinearFormTest, RoundingInTheEnd) {
  LinearForm form(Float16Type::get(&context));
  form.add(x, {0}, number(1.0 / 3.0));
  form.add(x, {1}, number(1e-9));
  form.add(x, {2}, scalar("a") * number(0.1));
  ASSERT_TRUE(form.round());
  // What is too small is no tap.
  EXPECT_EQ(form.getNumTaps(), 2u);
  EXPECT_EQ(weight(form, x, {0}), 0x1.554p-2);
  form.add(x, {0}, number(1e6));
  EXPECT_FALSE(form.round());
}

TEST_F(LinearFormTest, EqualCoefficientsHaveEqualHashes) {
  Coefficient left = scalar("a") * scalar("b"), right = number(2.0);
  left += number(2.0);
  right += scalar("b") * scalar("a");
  EXPECT_EQ(left, right);
  EXPECT_EQ(left.getHash(), right.getHash());
  EXPECT_NE(left.getHash(), scalar("a").getHash());
}

TEST_F(LinearFormTest, ManyTapsAreFast) {
  // What the processor does for this test, whatever else it does.
  std::clock_t start = std::clock();
  LinearForm form(f64);
  for (int64_t i = 0; i < 10000; ++i)
    form.add(x, {(i * 7919) % 10000}, number(1.0 + double(i)));
  form.dropZeros();
  EXPECT_EQ(form.getNumTaps(), 10000u);
  // 49 points of 9 points each.
  LinearForm inner(f64), outer(f64);
  TapSource input{(*this)["x"], {0, 1}};
  for (int64_t i = -3; i <= 3; ++i)
    for (int64_t j = -3; j <= 3; ++j) {
      outer.add(input, {i, j}, number(1.0));
      if (std::abs(i) < 2 && std::abs(j) < 2)
        inner.add(y, {i, j}, number(1.0));
    }
  outer.substitute(input.value, inner);
  EXPECT_EQ(outer.getNumTaps(), 81u);
  EXPECT_EQ(weight(outer, y, {0, 0}), 9.0);
  EXPECT_EQ(weight(outer, y, {-4, 4}), 1.0);
  EXPECT_LT(double(std::clock() - start) / CLOCKS_PER_SEC, 3.0);
}

} // namespace
