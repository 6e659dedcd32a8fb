//===- FoldTest.cpp - stencil.fold ----------------------------------------===//

#include "InterpreterTest.h"

#include <cmath>
#include <limits>

using namespace stencil;

namespace {

class FoldTest : public InterpreterTest {
protected:
  bool fold(llvm::StringRef kind, std::vector<double> values) {
    auto n = std::to_string(values.size());
    std::string type = "!stencil.field<[0," + n + "]xf64>";
    return run("func.func @main(%f: " + type + ") -> f64 {\n" +
                   "%t = stencil.load %f : " + type +
                   " -> !stencil.temp<?xf64>\n%r = stencil.fold %t(<[0], [" +
                   n + "]>) " + kind.str() +
                   " : !stencil.temp<?xf64>\nreturn %r : f64\n}",
               {field(values, {static_cast<int64_t>(values.size())})});
  }
  long double get(llvm::StringRef kind, const std::vector<double> &values) {
    EXPECT_TRUE(fold(kind, values)) << error;
    return getReal();
  }
};

TEST_F(FoldTest, Kinds) {
  EXPECT_EQ(get("max", {-3, -1, -2}), -1);
  EXPECT_EQ(get("min", {-3, -1, -2}), -3);
  EXPECT_EQ(get("sum", {-3, -1, -2}), -6);
  EXPECT_EQ(get("rms", {1, -7, 5, 5}), 5);
  double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_TRUE(std::isnan(get("max", {1, nan, 3})));
  EXPECT_TRUE(std::isnan(get("min", {nan, 1, 3})));
  EXPECT_FALSE(std::signbit(get("max", {-0.0, 0.0})));
}

// More than a piece, and the same on any number of threads.
TEST_F(FoldTest, LargeSumsDoNotDependOnThreads) {
  std::vector<double> values(50000);
  long double exact = 0;
  for (size_t i = 0; i < values.size(); ++i)
    exact += values[i] = 1.0 / (1.0 + static_cast<double>(i));
  options.threads = 1;
  long double serial = get("sum", values);
  options.threads = 4;
  EXPECT_EQ(get("sum", values), serial);
  // Both add positive numbers in 80 bits, so each addition is off by half an
  // epsilon of the sum at most; the fold is rounded to double in the end.
  double bound = 2 * values.size() * 0x1p-64 + 0x1p-53;
  EXPECT_NEAR(static_cast<double>(serial), static_cast<double>(exact),
              bound * static_cast<double>(exact));
}

TEST_F(FoldTest, LengthsOfVectorsAndFields) {
  std::vector<float> u = {3, 0, 5, 8}, v = {4, 1, 12, 15};
  ASSERT_TRUE(run(R"mlir(
    !field = !stencil.field<[0,2]x[0,2]xf32>
    !temp = !stencil.temp<?x?xf32>
    func.func @main(%u: !field, %v: !field) -> (f32, f32, f32, f32) {
      %a = stencil.load %u : !field -> !temp
      %b = stencil.load %v : !field -> !temp
      %max = stencil.fold %a, %b(<[0, 0], [2, 2]>) max : !temp, !temp
      %sum = stencil.fold %a, %v(<[1, 0], [2, 2]>) sum : !temp, !field
      %rms = stencil.fold %u, %b(<[0, 0], [2, 1]>) rms : !field, !temp
      %min = stencil.fold %u(<[0, 0], [2, 2]>) min : !field
      return %max, %sum, %rms, %min : f32, f32, f32, f32
    })mlir",
                  {field(u, {2, 2}), field(v, {2, 2})}))
      << error;
  EXPECT_EQ(getReal(0), 17);
  EXPECT_EQ(getReal(1), 30);
  EXPECT_EQ(getReal(2), static_cast<float>(std::sqrt((25.0 + 169.0) / 2)));
  EXPECT_EQ(getReal(3), 0);
}

TEST_F(FoldTest, OutsideOfAValue) {
  std::vector<double> values(4);
  EXPECT_FALSE(run(R"mlir(
    func.func @main(%f: !stencil.field<[0,?]xf64>) -> f64 {
      %t = stencil.load %f : !stencil.field<[0,?]xf64> -> !stencil.temp<?xf64>
      %r = stencil.fold %t(<[0], [10]>) sum : !stencil.temp<?xf64>
      return %r : f64
    })mlir",
                   {field(values, {4})}));
  EXPECT_NE(error.find("to lie in the operand, [0,4)"), std::string::npos)
      << error;
}

} // namespace
