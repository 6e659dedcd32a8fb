//===- BoundaryTest.cpp - stencil.boundary --------------------------------===//

#include "InterpreterTest.h"

using namespace stencil;

namespace {

class BoundaryTest : public InterpreterTest {
protected:
  /// The halo of `halo` points around `interior` after a boundary op.
  template <typename T = double>
  std::vector<T> fill(llvm::StringRef type, llvm::StringRef conditions,
                      std::vector<T> interior, int64_t halo) {
    auto n = static_cast<int64_t>(interior.size());
    std::vector<T> values(n + 2 * halo, T(99));
    llvm::copy(interior, values.begin() + halo);
    std::string name = "!stencil.field<[" + std::to_string(-halo) + "," +
                       std::to_string(n + halo) + "]x" + type.str() + ">";
    EXPECT_TRUE(run("func.func @main(%f: " + name +
                        ") { stencil.boundary %f(<[0], [" + std::to_string(n) +
                        "]>) [" + conditions.str() + "] : " + name +
                        " return }",
                    {field(values, {n + 2 * halo})}))
        << error;
    return values;
  }
};

using Vector = std::vector<double>;

TEST_F(BoundaryTest, EveryCondition) {
  Vector in = {1, 2, 4};
  EXPECT_EQ(fill("f64", "#stencil.periodic", in, 2),
            (Vector{2, 4, 1, 2, 4, 1, 2}));
  EXPECT_EQ(fill("f64", "#stencil.periodic", in, 4),
            (Vector{4, 1, 2, 4, 1, 2, 4, 1, 2, 4, 1}));
  EXPECT_EQ(fill("f64", "#stencil.dirichlet<1.5> | #stencil.neumann", in, 2),
            (Vector{1.5, 1.5, 1, 2, 4, 4, 4}));
  EXPECT_EQ(fill("f64", "#stencil.symmetric", in, 2),
            (Vector{4, 2, 1, 2, 4, 2, 1}));
  EXPECT_EQ(fill("f64", "#stencil.antisymmetric", in, 2),
            (Vector{-4, -2, 1, 2, 4, -2, -1}));
  EXPECT_EQ(fill("f64", "#stencil.symmetric_about_face", in, 3),
            (Vector{4, 2, 1, 1, 2, 4, 4, 2, 1}));
  EXPECT_EQ(fill("f64", "#stencil.antisymmetric_about_face", in, 2),
            (Vector{-2, -1, 1, 2, 4, -4, -2}));
  EXPECT_EQ(fill("f64", "#stencil.keep | #stencil.extrapolate<0>", in, 2),
            (Vector{99, 99, 1, 2, 4, 4, 4}));
  EXPECT_EQ(fill("f64", "#stencil.extrapolate<1>", in, 2),
            (Vector{-1, 0, 1, 2, 4, 6, 8}));
  // The parabola 1, 2, 4, 7, 11, ...
  EXPECT_EQ(fill("f64", "#stencil.extrapolate<2>", in, 3),
            (Vector{4, 2, 1, 1, 2, 4, 7, 11, 16}));
}

TEST_F(BoundaryTest, OtherTypes) {
  using Bytes = std::vector<int8_t>;
  EXPECT_EQ(fill<int8_t>("i8", "#stencil.antisymmetric", {1, 2, -128}, 2),
            (Bytes{-128, -2, 1, 2, -128, -2, -1}));
  EXPECT_EQ(fill<int8_t>("i8", "#stencil.extrapolate<1>", {1, 2, 100}, 1),
            (Bytes{0, 1, 2, 100, static_cast<int8_t>(198)}));
  EXPECT_EQ(fill<int8_t>("i8", "#stencil.dirichlet<-3 : i8>", {1}, 1),
            (Bytes{-3, 1, -3}));
  using Floats = std::vector<float>;
  EXPECT_EQ(fill<float>("f32", "#stencil.dirichlet<0.1>", {1}, 1),
            (Floats{0.1F, 1, 0.1F}));
  options.precision = Precision::Extended;
  using Longs = std::vector<long double>;
  EXPECT_EQ(
      fill<long double>("f32", "#stencil.extrapolate<1>", {0.1L, 0.3L}, 1),
      (Longs{0.2L - 0.3L, 0.1L, 0.3L, 0.6L - 0.1L}));
  // The value is the program's: 0.1 rounded to f32.
  EXPECT_EQ(fill<long double>("f32", "#stencil.dirichlet<0.1>", {1}, 1),
            (Longs{0.1F, 1, 0.1F}));
}

// Order 8 through 9 points of a polynomial of degree 8 is exact in integers.
TEST_F(BoundaryTest, HighOrder) {
  auto polynomial = [](int64_t x) {
    int64_t value = 3, power = 1;
    for (int64_t k = 1; k <= 8; ++k)
      value += (power *= x) * (k % 3 - 1);
    return value;
  };
  std::vector<int64_t> in;
  for (int64_t x = 0; x < 9; ++x)
    in.push_back(polynomial(x));
  auto out = fill<int64_t>("i64", "#stencil.extrapolate<8>", in, 3);
  for (int64_t x = -3; x < 12; ++x)
    EXPECT_EQ(out[x + 3], polynomial(x)) << x;
}

// The axes in order, so that corners have been through both.
TEST_F(BoundaryTest, Corners) {
  Vector values(16, 99);
  values[5] = 1, values[6] = 2, values[9] = 3, values[10] = 4;
  ASSERT_TRUE(run(R"mlir(
    !field = !stencil.field<[-1,3]x[-1,3]xf64>
    func.func @main(%f: !field) {
      stencil.boundary %f(<[0, 0], [2, 2]>) [#stencil.periodic, #stencil.antisymmetric | #stencil.dirichlet<7.0>] : !field
      return
    })mlir",
                  {field(values, {4, 4})}))
      << error;
  EXPECT_EQ(values, (Vector{-4, 3, 4, 7, //
                            -2, 1, 2, 7, //
                            -4, 3, 4, 7, //
                            -2, 1, 2, 7}));
}

TEST_F(BoundaryTest, SnapshotsAreKept) {
  Vector values = {99, 1, 2, 99}, saved(4);
  ASSERT_TRUE(run(R"mlir(
    !field = !stencil.field<[-1,3]xf64>
    !temp = !stencil.temp<?xf64>
    func.func @main(%f: !field, %g: !field) {
      %t = stencil.load %f : !field -> !temp
      stencil.boundary %f(<[0], [2]>) [#stencil.neumann] : !field
      stencil.store %t to %g(<[-1], [3]>) : !temp to !field
      return
    })mlir",
                  {field(values, {4}), field(saved, {4})}))
      << error;
  EXPECT_EQ(values, (Vector{1, 1, 2, 2}));
  EXPECT_EQ(saved, (Vector{99, 1, 2, 99}));
}

TEST_F(BoundaryTest, InteriorTooNarrow) {
  Vector values(6);
  EXPECT_FALSE(run(R"mlir(
    !field = !stencil.field<[-2,?+2]xf64>
    func.func @main(%f: !field) {
      stencil.boundary %f(<[0], [?]>) [#stencil.symmetric] : !field
      return
    })mlir",
                   {field(values, {6})}));
  EXPECT_NE(error.find("expected at least 3 interior points on axis 0 for "
                       "#stencil.symmetric with a halo of 2, got 2"),
            std::string::npos)
      << error;
}

} // namespace
