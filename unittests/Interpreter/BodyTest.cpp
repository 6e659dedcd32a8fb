//===- BodyTest.cpp - What apply bodies can do ----------------------------===//

#include "InterpreterTest.h"

using namespace stencil;

namespace {

class BodyTest : public InterpreterTest {
protected:
  /// Runs a body from a 1D i32 or f64 input `%x` on [-2, 12) to an output on
  /// [0, 10); `%k` is an index argument.
  template <typename T>
  bool apply(llvm::StringRef type, llvm::StringRef body, std::vector<T> in,
             std::vector<T> &out, int64_t k = 0) {
    out.assign(10, 0);
    std::string program = R"mlir(
      func.func @main(%in: !stencil.field<[-2,12]xT>, %out: !stencil.field<[0,10]xT>, %k: index) {
        %t = stencil.load %in : !stencil.field<[-2,12]xT> -> !stencil.temp<?xT>
        %r = stencil.apply(%x = %t : !stencil.temp<?xT>, %k_ = %k : index) -> (!stencil.temp<?xT>) {
          BODY
        }
        stencil.store %r to %out(<[0], [10]>) : !stencil.temp<?xT> to !stencil.field<[0,10]xT>
        return
      })mlir";
    auto replace = [&](llvm::StringRef from, llvm::StringRef to) {
      for (size_t at = program.find(from); at != std::string::npos;
           at = program.find(from, at + to.size()))
        program.replace(at, from.size(), to.str());
    };
    replace("BODY", body);
    replace("xT>", ("x" + type + ">").str());
    return run(program, {field(in, {14}), field(out, {10}), number(k)});
  }
  static std::vector<int32_t> iota() {
    std::vector<int32_t> values(14);
    for (int i = 0; i < 14; ++i)
      values[i] = i - 2;
    return values;
  }
};

TEST_F(BodyTest, BranchesDifferBetweenPoints) {
  std::vector<int32_t> out;
  ASSERT_TRUE(apply("i32", R"mlir(
    %c = stencil.access %x[0] : !stencil.temp<?xi32>
    %w = stencil.access %x[-2] : !stencil.temp<?xi32>
    %zero = arith.constant 0 : i32
    %two = arith.constant 2 : i32
    %five = arith.constant 5 : i32
    %bit = arith.remsi %c, %two : i32
    %even = arith.cmpi eq, %bit, %zero : i32
    %r:2 = scf.if %even -> (i32, i32) {
      %small = arith.cmpi slt, %c, %five : i32
      %inner = scf.if %small -> i32 {
        scf.yield %w : i32
      } else {
        %n = arith.subi %zero, %c : i32
        scf.yield %n : i32
      }
      scf.yield %inner, %c : i32, i32
    } else {
      // Only where it is defined: the divisor is zero at even points.
      %q = arith.divsi %five, %bit : i32
      scf.yield %q, %zero : i32, i32
    }
    %s = arith.addi %r#0, %r#1 : i32
    stencil.return %s : i32
  )mlir",
                    iota(), out))
      << error;
  EXPECT_EQ(out, (std::vector<int32_t>{-2, 5, 2, 5, 6, 5, 0, 5, 0, 5}));
}

TEST_F(BodyTest, LoopsDifferBetweenPoints) {
  std::vector<int32_t> out;
  // Fibonacci numbers: the carried values are swapped.
  ASSERT_TRUE(apply("i32", R"mlir(
    %i = stencil.index 0 <[0]>
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %r:2 = scf.for %j = %c0 to %i step %c1 iter_args(%a = %zero, %b = %one) -> (i32, i32) {
      %s = arith.addi %a, %b : i32
      scf.yield %b, %s : i32, i32
    }
    stencil.return %r#0 : i32
  )mlir",
                    iota(), out))
      << error;
  EXPECT_EQ(out, (std::vector<int32_t>{0, 1, 1, 2, 3, 5, 8, 13, 21, 34}));

  // The integer logarithm by halving, in a while loop with a division.
  ASSERT_TRUE(apply("i32", R"mlir(
    %c = stencil.access %x[0] : !stencil.temp<?xi32>
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %two = arith.constant 2 : i32
    %r:2 = scf.while (%v = %c, %n = %zero) : (i32, i32) -> (i32, i32) {
      %go = arith.cmpi sgt, %v, %one : i32
      scf.condition(%go) %n, %v : i32, i32
    } do {
    ^bb0(%n: i32, %v: i32):
      %h = arith.divsi %v, %two : i32
      %n1 = arith.addi %n, %one : i32
      scf.yield %h, %n1 : i32, i32
    }
    stencil.return %r#0 : i32
  )mlir",
                    iota(), out))
      << error;
  EXPECT_EQ(out, (std::vector<int32_t>{0, 0, 1, 1, 2, 2, 2, 2, 3, 3}));

  // An inner loop whose bound depends on the outer one.
  ASSERT_TRUE(apply("i32", R"mlir(
    %i = stencil.index 0 <[1]>
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %r = scf.for %j = %c0 to %i step %c1 iter_args(%a = %zero) -> i32 {
      %q = scf.for %k2 = %j to %i step %c1 iter_args(%b = %a) -> i32 {
        %s = arith.addi %b, %one : i32
        scf.yield %s : i32
      }
      scf.yield %q : i32
    }
    stencil.return %r : i32
  )mlir",
                    iota(), out))
      << error;
  EXPECT_EQ(out, (std::vector<int32_t>{1, 3, 6, 10, 15, 21, 28, 36, 45, 55}));
}

TEST_F(BodyTest, DynamicAccess) {
  std::vector<int32_t> out;
  // Mirrors pairs of points: 0 <-> 1, 2 <-> 3, ...
  ASSERT_TRUE(apply("i32", R"mlir(
    %i = stencil.index 0 <[0]>
    %one = arith.constant 1 : index
    %j = arith.xori %i, %one : index
    %v = stencil.dyn_access %x[%j] in <[-1]> : <[1]> : !stencil.temp<?xi32>
    stencil.return %v : i32
  )mlir",
                    iota(), out))
      << error;
  EXPECT_EQ(out, (std::vector<int32_t>{1, 0, 3, 2, 5, 4, 7, 6, 9, 8}));

  EXPECT_FALSE(apply("i32", R"mlir(
    %v = stencil.dyn_access %x[%k_] in <[-2]> : <[2]> : !stencil.temp<?xi32>
    stencil.return %v : i32
  )mlir",
                     iota(), out, 5));
  EXPECT_EQ(error,
            "coordinates out of range: [5] at point [0]\nin this apply\n");

  // Lanes that are not active may ask for anything.
  ASSERT_TRUE(apply("i32", R"mlir(
    %i = stencil.index 0 <[0]>
    %at = arith.cmpi eq, %i, %k_ : index
    %c = arith.constant 77 : i32
    %r = scf.if %at -> i32 {
      %v = stencil.dyn_access %x[%k_] in <[0]> : <[0]> : !stencil.temp<?xi32>
      scf.yield %v : i32
    } else {
      scf.yield %c : i32
    }
    stencil.return %r : i32
  )mlir",
                    iota(), out, 5))
      << error;
  EXPECT_EQ(out, (std::vector<int32_t>{77, 77, 77, 77, 77, 5, 77, 77, 77, 77}));
}

TEST_F(BodyTest, FaultsNameTheFirstPoint) {
  std::vector<int32_t> in = iota(), out;
  in[2 + 7] = in[2 + 3] = 0;
  in[2] = 1;
  EXPECT_FALSE(apply("i32", R"mlir(
    %c = stencil.access %x[0] : !stencil.temp<?xi32>
    %q = arith.divui %c, %c : i32
    stencil.return %q : i32
  )mlir",
                     in, out));
  EXPECT_EQ(error, "division by zero at point [3]\nin this apply\n");
  EXPECT_FALSE(apply("i32", R"mlir(
    %c0 = arith.constant 0 : index
    %zero = arith.constant 0 : i32
    %r = scf.for %j = %c0 to %k_ step %c0 iter_args(%a = %zero) -> i32 {
      scf.yield %a : i32
    }
    stencil.return %r : i32
  )mlir",
                     in, out));
  EXPECT_EQ(error,
            "expected a positive step, got 0 at point [0]\nin this apply\n");
}

TEST_F(BodyTest, Unroll) {
  std::vector<int32_t> out;
  ASSERT_TRUE(apply("i32", R"mlir(
    %w = stencil.access %x[-1] : !stencil.temp<?xi32>
    %e = stencil.access %x[1] : !stencil.temp<?xi32>
    %i = stencil.index 0 <[100]>
    %j = arith.index_cast %i : index to i32
    %s = arith.addi %w, %e : i32
    stencil.return %s, %j unroll <[2]> : i32, i32
  )mlir",
                    iota(), out))
      << error;
  EXPECT_EQ(out,
            (std::vector<int32_t>{0, 100, 4, 102, 8, 104, 12, 106, 16, 108}));
  EXPECT_FALSE(apply("i32", R"mlir(
    %c = stencil.access %x[0] : !stencil.temp<?xi32>
    stencil.return %c, %c, %c unroll <[3]> : i32, i32, i32
  )mlir",
                     iota(), out));
  EXPECT_NE(error.find("multiple of the unroll factor 3, got 10"),
            std::string::npos)
      << error;
}

TEST_F(BodyTest, UnrollOfTwoResultsInTwoDimensions) {
  std::vector<double> a(4 * 6), b(4 * 6), c(4 * 6);
  for (int i = 0; i < 24; ++i)
    a[i] = i;
  ASSERT_TRUE(run(R"mlir(
    !field = !stencil.field<[0,4]x[0,6]xf64>
    !temp = !stencil.temp<?x?xf64>
    func.func @main(%a: !field, %b: !field, %c: !field) {
      %t = stencil.load %a : !field -> !temp
      %r:2 = stencil.apply(%x = %t : !temp) -> (!temp, !temp) {
        %v00 = stencil.access %x[0, 0] : !temp
        %v01 = stencil.access %x[0, 1] : !temp
        %v10 = stencil.access %x[1, 0] : !temp
        %v11 = stencil.access %x[1, 1] : !temp
        %n = arith.negf %v00 : f64
        stencil.return %v00, %v01, %v10, %v11, %n, %n, %n, %v11 unroll <[2, 2]> : f64, f64, f64, f64, f64, f64, f64, f64
      }
      stencil.store %r#0 to %b(<[0, 0], [4, 6]>) : !temp to !field
      stencil.store %r#1 to %c(<[0, 0], [4, 6]>) : !temp to !field
      return
    })mlir",
                  {field(a, {4, 6}), field(b, {4, 6}), field(c, {4, 6})}))
      << error;
  EXPECT_EQ(b, a);
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 6; ++j) {
      bool isLast = i % 2 == 1 && j % 2 == 1;
      double base = a[i / 2 * 2 * 6 + j / 2 * 2];
      EXPECT_EQ(c[6 * i + j], isLast ? a[6 * i + j] : -base);
    }
}

TEST_F(BodyTest, InputsOfLowerRank) {
  std::vector<float> row = {10, 20, 30, 40}, column = {1, 2, 3}, out(6);
  ASSERT_TRUE(run(R"mlir(
    !out = !stencil.field<[0,2]x[0,3]xf32>
    !row = !stencil.field<[0,4]xf32>
    !column = !stencil.field<[-1,2]xf32>
    !line = !stencil.temp<?xf32>
    func.func @main(%row: !row, %column: !column, %out: !out) {
      %r = stencil.load %row : !row -> !line
      %c = stencil.load %column : !column -> !line
      %s = stencil.apply(%x = %r : !line, %y = %c : !line) -> (!stencil.temp<?x?xf32>) {
        %a = stencil.access %x[_, 1] : !line
        %b = stencil.access %y[-1, _] : !line
        %d = arith.addf %a, %b : f32
        stencil.return %d : f32
      }
      stencil.store %s to %out(<[0, 0], [2, 3]>) : !stencil.temp<?x?xf32> to !out
      return
    })mlir",
                  {field(row, {4}), field(column, {3}), field(out, {2, 3})}))
      << error;
  EXPECT_EQ(out, (std::vector<float>{21, 31, 41, 22, 32, 42}));
}

TEST_F(BodyTest, PointsThatAreNotStored) {
  std::vector<int32_t> in = iota(), out(10, -9);
  ASSERT_TRUE(run(R"mlir(
    !in = !stencil.field<[-2,12]xi32>
    !out = !stencil.field<[0,10]xi32>
    !temp = !stencil.temp<?xi32>
    func.func @main(%a: !in, %b: !out) {
      %t = stencil.load %a : !in -> !temp
      %r = stencil.apply(%x = %t : !temp) -> (!temp) {
        %c = stencil.access %x[0] : !temp
        %four = arith.constant 4 : i32
        %small = arith.cmpi slt, %c, %four : i32
        %v = scf.if %small -> !stencil.result<i32> {
          %s = stencil.store_result %c : !stencil.result<i32>
          scf.yield %s : !stencil.result<i32>
        } else {
          %n = stencil.store_result : !stencil.result<i32>
          scf.yield %n : !stencil.result<i32>
        }
        stencil.return %v : !stencil.result<i32>
      }
      stencil.store %r to %b(<[0], [10]>) : !temp to !out
      return
    })mlir",
                  {field(in, {14}), field(out, {10})}))
      << error;
  EXPECT_EQ(out, (std::vector<int32_t>{0, 1, 2, 3, -9, -9, -9, -9, -9, -9}));
}

TEST_F(BodyTest, BufferisedApplies) {
  std::vector<double> a = {1, 2, 3, 4, 5, 6}, b(6, -1), c = {9, 9, 9, 9, 9, 9};
  // One value for two outputs; the second is also read, at offset zero.
  const char *program = R"mlir(
    !field = !stencil.field<[-1,5]xf64>
    func.func @main(%a: !field, %b: !field, %c: !field) {
      stencil.apply(%x = %a : !field, %y = %c : !field) outs (%b : !field, %c : !field) {
        %w = stencil.access %x[-1] : !field
        %e = stencil.access %x[1] : !field
        %o = stencil.access %y[0] : !field
        %s = arith.addf %w, %e : f64
        %r = arith.addf %s, %o : f64
        stencil.return %r, %r : f64, f64
      } to <[0], [4]>
      return
    })mlir";
  ASSERT_TRUE(run(program, {field(a, {6}), field(b, {6}), field(c, {6})}))
      << error;
  EXPECT_EQ(b, (std::vector<double>{-1, 13, 15, 17, 19, -1}));
  EXPECT_EQ(c, (std::vector<double>{9, 13, 15, 17, 19, 9}));
}

TEST_F(BodyTest, CallsInBodies) {
  std::vector<double> a = {1, 2, 3}, b(3);
  ASSERT_TRUE(run(R"mlir(
    !field = !stencil.field<[0,3]xf64>
    !temp = !stencil.temp<?xf64>
    func.func @twice(%x: f64) -> f64 {
      %y = arith.addf %x, %x : f64
      return %y : f64
    }
    func.func @main(%a: !field, %b: !field) {
      %t = stencil.load %a : !field -> !temp
      %r = stencil.apply(%x = %t : !temp) -> (!temp) {
        %c = stencil.access %x[0] : !temp
        %d = func.call @twice(%c) : (f64) -> f64
        %e = func.call @twice(%d) : (f64) -> f64
        %f = arith.addf %d, %e : f64
        stencil.return %f : f64
      }
      stencil.store %r to %b(<[0], [3]>) : !temp to !field
      return
    })mlir",
                  {field(a, {3}), field(b, {3})}))
      << error;
  EXPECT_EQ(b, (std::vector<double>{6, 12, 18}));
}

// Registers are reused: a long chain whose early values are needed late.
TEST_F(BodyTest, LongBodies) {
  std::string body = "%v0 = stencil.access %x[0] : !stencil.temp<?xf64>\n";
  std::vector<double> in(14), expected(10), out;
  std::vector<std::vector<double>> v(1);
  for (int i = 0; i < 14; ++i)
    in[i] = 0.1 * i;
  v[0].assign(in.begin() + 2, in.begin() + 12);
  for (int n = 1; n < 400; ++n) {
    int other = (n * 37) % n, again = n > 200 ? n - 200 : 0;
    std::string k = std::to_string(n);
    body += "%s" + k + " = arith.subf %v" + std::to_string(n - 1) + ", %v" +
            std::to_string(other) + " : f64\n%v" + k + " = arith.addf %s" + k +
            ", %v" + std::to_string(again) + " : f64\n";
    v.emplace_back(10);
    for (int i = 0; i < 10; ++i)
      v[n][i] = (v[n - 1][i] - v[other][i]) + v[again][i];
  }
  body += "stencil.return %v399 : f64";
  ASSERT_TRUE(apply("f64", body, in, out)) << error;
  EXPECT_EQ(out, v[399]);
}

} // namespace
