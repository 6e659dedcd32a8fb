//===- ScalarTest.cpp - Elementwise ops on scalars ------------------------===//

#include "InterpreterTest.h"

#include <cmath>
#include <limits>

using namespace stencil;

namespace {

class ScalarTest : public InterpreterTest {
protected:
  /// Evaluates `op` on two arguments of a type.
  bool evaluate(llvm::StringRef op, llvm::StringRef type,
                llvm::StringRef resultType, ScalarValue a, ScalarValue b) {
    std::string program = ("func.func @main(%a: " + type + ", %b: " + type +
                           ") -> " + resultType + " {\n %r = " + op +
                           "\n return %r : " + resultType + "\n}")
                              .str();
    return run(program, {a, b});
  }
  int64_t integer(llvm::StringRef op, llvm::StringRef type, int64_t a,
                  int64_t b, llvm::StringRef resultType = "") {
    bool isDone =
        evaluate((op + (resultType.empty() ? " : " + type : "")).str(), type,
                 resultType.empty() ? type : resultType, number(a), number(b));
    EXPECT_TRUE(isDone) << error;
    return isDone ? getInteger() : 0;
  }
  long double floating(llvm::StringRef op, llvm::StringRef type, long double a,
                       long double b = 0) {
    bool isDone =
        evaluate((op + " : " + type).str(), type, type, real(a), real(b));
    EXPECT_TRUE(isDone) << error;
    return isDone ? getReal() : 0;
  }
};

TEST_F(ScalarTest, IntegersWrap) {
  EXPECT_EQ(integer("arith.addi %a, %b", "i8", 127, 1), -128);
  EXPECT_EQ(integer("arith.subi %a, %b", "i16", -32768, 1), 32767);
  EXPECT_EQ(integer("arith.muli %a, %b", "i16", -1, -1), 1);
  EXPECT_EQ(integer("arith.muli %a, %b", "i32", 65536, 65536), 0);
  EXPECT_EQ(integer("arith.addi %a, %b", "i1", 1, 1), 0);
  EXPECT_EQ(integer("arith.addi %a, %b", "i64", INT64_MAX, 1), INT64_MIN);
  EXPECT_EQ(integer("arith.addi %a, %b", "index", 40, 2), 42);
}

TEST_F(ScalarTest, SignedAndUnsigned) {
  EXPECT_EQ(integer("arith.divsi %a, %b", "i8", -7, 2), -3);
  EXPECT_EQ(integer("arith.divui %a, %b", "i8", -7, 2), 124);
  EXPECT_EQ(integer("arith.remsi %a, %b", "i32", -7, 3), -1);
  EXPECT_EQ(integer("arith.remui %a, %b", "i8", 255, 16), 15);
  EXPECT_EQ(integer("arith.floordivsi %a, %b", "i32", -7, 2), -4);
  EXPECT_EQ(integer("arith.ceildivsi %a, %b", "i32", -7, 2), -3);
  EXPECT_EQ(integer("arith.ceildivsi %a, %b", "i32", 7, 2), 4);
  EXPECT_EQ(integer("arith.ceildivui %a, %b", "i8", 200, 3), 67);
  EXPECT_EQ(integer("arith.shrsi %a, %b", "i8", -8, 1), -4);
  EXPECT_EQ(integer("arith.shrui %a, %b", "i8", -8, 1), 124);
  EXPECT_EQ(integer("arith.shli %a, %b", "i8", 1, 9), 0);
  EXPECT_EQ(integer("arith.shrsi %a, %b", "i64", -5, 64), -1);
  EXPECT_EQ(integer("arith.maxsi %a, %b", "i16", -1, 1), 1);
  EXPECT_EQ(integer("arith.maxui %a, %b", "i16", -1, 1), -1);
  EXPECT_EQ(integer("arith.minui %a, %b", "i16", -1, 1), 1);
  EXPECT_EQ(integer("math.ipowi %a, %b", "i32", -3, 5), -243);
  EXPECT_EQ(integer("math.ipowi %a, %b", "i32", -1, -3), -1);
  EXPECT_EQ(integer("math.ipowi %a, %b", "i32", 2, -1), 0);
  EXPECT_EQ(integer("math.ctlz %a", "i16", 1, 0), 15);
  EXPECT_EQ(integer("math.cttz %a", "i16", 0, 0), 16);
  EXPECT_EQ(integer("math.ctpop %a", "i8", -1, 0), 8);
  EXPECT_EQ(integer("math.absi %a", "i8", -5, 0), 5);
}

TEST_F(ScalarTest, ComparesIntegers) {
  EXPECT_EQ(integer("arith.cmpi slt, %a, %b : i8", "i8", -1, 1, "i1"), 1);
  EXPECT_EQ(integer("arith.cmpi ult, %a, %b : i8", "i8", -1, 1, "i1"), 0);
  EXPECT_EQ(integer("arith.cmpi uge, %a, %b : i64", "i64", -1, 1, "i1"), 1);
  EXPECT_EQ(integer("arith.cmpi ne, %a, %b : i64", "i64", 3, 3, "i1"), 0);
}

TEST_F(ScalarTest, DivisionsThatAreNone) {
  EXPECT_FALSE(
      evaluate("arith.divsi %a, %b : i32", "i32", "i32", number(1), number(0)));
  EXPECT_EQ(error, "division by zero\n");
  EXPECT_FALSE(evaluate("arith.divsi %a, %b : i32", "i32", "i32",
                        number(INT32_MIN), number(-1)));
  EXPECT_EQ(error, "the quotient overflows\n");
  EXPECT_FALSE(
      evaluate("arith.remui %a, %b : i8", "i8", "i8", number(1), number(0)));
  EXPECT_FALSE(
      evaluate("math.ipowi %a, %b : i32", "i32", "i32", number(0), number(-1)));
}

TEST_F(ScalarTest, FloatsAreRoundedToTheirType) {
  EXPECT_EQ(floating("arith.addf %a, %b", "f32", 0.1L, 0.2L), 0.1F + 0.2F);
  EXPECT_EQ(floating("arith.addf %a, %b", "f64", 0.1L, 0.2L), 0.1 + 0.2);
  EXPECT_EQ(floating("arith.addf %a, %b", "f16", 2048, 1), 2048);
  EXPECT_EQ(floating("arith.mulf %a, %b", "bf16", 1.0078125L, 1.0078125L),
            1.015625L);
  EXPECT_EQ(floating("arith.divf %a, %b", "f80", 1, 3), 1.0L / 3.0L);
  EXPECT_EQ(floating("arith.remf %a, %b", "f64", -7.5L, 2), -1.5L);
  EXPECT_EQ(floating("arith.negf %a", "f16", 3), -3);
  EXPECT_EQ(floating("arith.mulf %a, %b", "f16", 300, 300), INFINITY);
}

TEST_F(ScalarTest, NaN) {
  long double nan = std::numeric_limits<long double>::quiet_NaN();
  for (const char *type : {"f16", "bf16", "f32", "f64", "f80"}) {
    EXPECT_TRUE(std::isnan(floating("arith.maximumf %a, %b", type, nan, 1)));
    EXPECT_TRUE(std::isnan(floating("arith.minimumf %a, %b", type, 1, nan)));
    EXPECT_EQ(floating("arith.maxnumf %a, %b", type, nan, 1), 1);
    EXPECT_EQ(floating("arith.minnumf %a, %b", type, 1, nan), 1);
    EXPECT_FALSE(
        std::signbit(floating("arith.maximumf %a, %b", type, -0.0L, 0.0L)));
    EXPECT_TRUE(
        std::signbit(floating("arith.minimumf %a, %b", type, 0.0L, -0.0L)));
  }
}

// Every predicate on less, equal, greater and unordered operands.
TEST_F(ScalarTest, ComparesFloats) {
  struct Predicate {
    const char *name;
    int less, equal, greater, unordered;
  };
  for (Predicate p : {Predicate{"false", 0, 0, 0, 0},
                      {"oeq", 0, 1, 0, 0},
                      {"ogt", 0, 0, 1, 0},
                      {"oge", 0, 1, 1, 0},
                      {"olt", 1, 0, 0, 0},
                      {"ole", 1, 1, 0, 0},
                      {"one", 1, 0, 1, 0},
                      {"ord", 1, 1, 1, 0},
                      {"ueq", 0, 1, 0, 1},
                      {"ugt", 0, 0, 1, 1},
                      {"uge", 0, 1, 1, 1},
                      {"ult", 1, 0, 0, 1},
                      {"ule", 1, 1, 0, 1},
                      {"une", 1, 0, 1, 1},
                      {"uno", 0, 0, 0, 1},
                      {"true", 1, 1, 1, 1}}) {
    std::string op = std::string("arith.cmpf ") + p.name + ", %a, %b : f64";
    auto test = [&](long double a, long double b) {
      EXPECT_TRUE(evaluate(op, "f64", "i1", real(a), real(b))) << error;
      return getInteger();
    };
    long double nan = std::numeric_limits<long double>::quiet_NaN();
    EXPECT_EQ(test(1, 2), p.less) << p.name;
    EXPECT_EQ(test(2, 2), p.equal) << p.name;
    EXPECT_EQ(test(3, 2), p.greater) << p.name;
    EXPECT_EQ(test(nan, 2), p.unordered) << p.name;
  }
}

TEST_F(ScalarTest, Functions) {
  EXPECT_EQ(floating("math.sqrt %a", "f32", 2), std::sqrt(2.0F));
  EXPECT_EQ(floating("math.rsqrt %a", "f64", 4), 0.5L);
  EXPECT_EQ(floating("math.exp %a", "f64", 1), std::exp(1.0));
  EXPECT_EQ(floating("math.atan2 %a, %b", "f64", 1, -1), std::atan2(1.0, -1.0));
  EXPECT_EQ(floating("math.powf %a, %b", "f32", 2, 0.5L),
            static_cast<float>(std::pow(2.0, 0.5)));
  EXPECT_EQ(floating("math.roundeven %a", "f64", 2.5L), 2);
  EXPECT_EQ(floating("math.round %a", "f64", 2.5L), 3);
  EXPECT_EQ(floating("math.floor %a", "f16", -0.5L), -1);
  EXPECT_EQ(floating("math.copysign %a, %b", "f64", 3, -0.0L), -3);
  EXPECT_EQ(floating("math.erf %a", "f80", 0.5L), std::erf(0.5L));
  EXPECT_EQ(floating("math.cbrt %a", "bf16", 27), 3);
  EXPECT_EQ(floating("math.expm1 %a", "f64", 1e-10L), std::expm1(1e-10));
}

// 1 + 2^-11 is a midpoint in f16; what is added decides.
TEST_F(ScalarTest, FusedMultiplyAddRoundsOnce) {
  EXPECT_EQ(floating("math.fma %a, %b, %b", "f64", 0x1p-53L, 1), 1);
  EXPECT_EQ(floating("math.fma %a, %a, %b", "f64", 1 + 0x1p-30L, -1),
            0x1p-29L + 0x1p-60L);
  EXPECT_EQ(floating("math.fma %a, %a, %b", "f16", 1 + 0x1p-10L, 0x1p-24L),
            1 + 0x1p-9L);
  // (1 + 2^-7)(1.5) = 1.51171875 is a midpoint of bf16; 2^-100 tips it over.
  EXPECT_TRUE(run(R"mlir(
    func.func @main(%a: bf16, %b: bf16, %c: bf16) -> bf16 {
      %r = math.fma %a, %b, %c : bf16
      return %r : bf16
    })mlir",
                  {real(1.0078125L), real(1.5L), real(0x1p-100L)}));
  EXPECT_EQ(getReal(), 1.515625L);
}

TEST_F(ScalarTest, Casts) {
  auto cast = [&](const char *op, const char *from, const char *to,
                  ScalarValue value) {
    std::string program = std::string("func.func @main(%a: ") + from + ") -> " +
                          to + " { %r = " + op + " %a : " + from + " to " + to +
                          " return %r : " + to + " }";
    EXPECT_TRUE(run(program, {value})) << error;
    return results.empty() ? number(0) : results[0];
  };
  EXPECT_EQ(cast("arith.extsi", "i8", "i32", number(-1)), number(-1));
  EXPECT_EQ(cast("arith.extui", "i8", "i32", number(-1)), number(255));
  EXPECT_EQ(cast("arith.extsi", "i1", "i32", number(1)), number(-1));
  EXPECT_EQ(cast("arith.trunci", "i32", "i8", number(511)), number(-1));
  EXPECT_EQ(cast("arith.index_cast", "i32", "index", number(-2)), number(-2));
  EXPECT_EQ(cast("arith.index_castui", "i32", "index", number(-2)),
            number(4294967294));
  EXPECT_EQ(cast("arith.sitofp", "i64", "f32", number(16777217)),
            real(16777216.0L));
  EXPECT_EQ(cast("arith.sitofp", "i64", "bf16", number(0x1010000000000001)),
            real(0x1.02p60L));
  EXPECT_EQ(cast("arith.uitofp", "i8", "f64", number(-1)), real(255.0L));
  EXPECT_EQ(cast("arith.fptosi", "f64", "i32", real(-2.9L)), number(-2));
  EXPECT_EQ(cast("arith.fptosi", "f64", "i8", real(1000)), number(127));
  EXPECT_EQ(cast("arith.fptosi", "f64", "i64", real(-1e30L)),
            number(INT64_MIN));
  EXPECT_EQ(cast("arith.fptoui", "f32", "i8", real(200)), number(-56));
  EXPECT_EQ(cast("arith.truncf", "f64", "f16", real(1.00048828126L)),
            real(1.0009765625L));
  EXPECT_EQ(cast("arith.extf", "bf16", "f64", real(0.5L)), real(0.5L));
  EXPECT_EQ(cast("arith.bitcast", "f32", "i32", real(1)), number(0x3f800000));
  options.precision = Precision::Extended;
  EXPECT_EQ(cast("arith.bitcast", "f32", "i32", real(1)), number(0x3f800000));
  EXPECT_EQ(cast("arith.bitcast", "i64", "f64", number(0x4000000000000000)),
            real(2));
}

TEST_F(ScalarTest, TwoResults) {
  ASSERT_TRUE(run(R"mlir(
    func.func @main(%a: i8, %b: i8, %x: f64) -> (i8, i1, i8, i8, i8, i8, f64, f64) {
      %s, %c = arith.addui_extended %a, %b : i8, i1
      %l, %h = arith.mulsi_extended %a, %b : i8
      %ul, %uh = arith.mului_extended %a, %b : i8
      %sin, %cos = math.sincos %x : f64
      return %s, %c, %l, %h, %ul, %uh, %sin, %cos : i8, i1, i8, i8, i8, i8, f64, f64
    })mlir",
                  {number(-2), number(100), real(0.5L)}))
      << error;
  std::vector<int64_t> expected = {98, 1, 56, -1, 56, 99};
  for (unsigned i = 0; i < 6; ++i)
    EXPECT_EQ(getInteger(i), expected[i]) << i;
  EXPECT_EQ(getReal(6), std::sin(0.5));
  EXPECT_EQ(getReal(7), std::cos(0.5));
}

TEST_F(ScalarTest, ControlFlowAndCalls) {
  ASSERT_TRUE(run(R"mlir(
    func.func @square(%x: i64) -> i64 {
      %y = arith.muli %x, %x : i64
      return %y : i64
    }
    // The number of Collatz steps, and a sum of squares.
    func.func @main(%start: i64, %n: index) -> (i64, i64) {
      %zero = arith.constant 0 : i64
      %one = arith.constant 1 : i64
      %two = arith.constant 2 : i64
      %three = arith.constant 3 : i64
      %r:2 = scf.while (%x = %start, %k = %zero) : (i64, i64) -> (i64, i64) {
        %go = arith.cmpi ne, %x, %one : i64
        scf.condition(%go) %x, %k : i64, i64
      } do {
      ^bb0(%x: i64, %k: i64):
        %bit = arith.remsi %x, %two : i64
        %odd = arith.cmpi eq, %bit, %one : i64
        %next = scf.if %odd -> i64 {
          %t = arith.muli %x, %three : i64
          %u = arith.addi %t, %one : i64
          scf.yield %u : i64
        } else {
          %h = arith.divsi %x, %two : i64
          scf.yield %h : i64
        }
        %k1 = arith.addi %k, %one : i64
        scf.yield %next, %k1 : i64, i64
      }
      %c0 = arith.constant 0 : index
      %c2 = arith.constant 2 : index
      %sum = scf.for %i = %c0 to %n step %c2 iter_args(%s = %zero) -> i64 {
        %ii = arith.index_cast %i : index to i64
        %sq = func.call @square(%ii) : (i64) -> i64
        %s1 = arith.addi %s, %sq : i64
        scf.yield %s1 : i64
      }
      return %r#1, %sum : i64, i64
    })mlir",
                  {number(27), number(7)}))
      << error;
  EXPECT_EQ(getInteger(0), 111);
  EXPECT_EQ(getInteger(1), 4 + 16 + 36);
}

} // namespace
