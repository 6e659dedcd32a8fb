//===- ProgramTest.cpp - Loads, applies, stores and time loops ------------===//

#include "InterpreterTest.h"

using namespace stencil;

namespace {

class ProgramTest : public InterpreterTest {};

TEST_F(ProgramTest, LaplacianOnAStaticBox) {
  std::vector<double> in(36), out(36, -1);
  for (int i = 0; i < 36; ++i)
    in[i] = i * i;
  ASSERT_TRUE(run(R"mlir(
    !field = !stencil.field<[-1,5]x[-1,5]xf64>
    !temp = !stencil.temp<?x?xf64>
    func.func @main(%in: !field, %out: !field) {
      %t = stencil.load %in : !field -> !temp
      %r = stencil.apply(%x = %t : !temp) -> (!temp) {
        %n = stencil.access %x[-1, 0] : !temp
        %s = stencil.access %x[1, 0] : !temp
        %w = stencil.access %x[0, -1] : !temp
        %e = stencil.access %x[0, 1] : !temp
        %c = stencil.access %x[0, 0] : !temp
        %four = arith.constant -4.0 : f64
        %0 = arith.addf %n, %s : f64
        %1 = arith.addf %0, %w : f64
        %2 = arith.addf %1, %e : f64
        %3 = arith.mulf %four, %c : f64
        %4 = arith.addf %2, %3 : f64
        stencil.return %4 : f64
      }
      stencil.store %r to %out(<[0, 0], [4, 4]>) : !temp to !field
      return
    }
  )mlir",
                  {field(in, {6, 6}), field(out, {6, 6})}))
      << error;
  for (int i = 0; i < 6; ++i)
    for (int j = 0; j < 6; ++j) {
      bool inside = i > 0 && i < 5 && j > 0 && j < 5;
      const double *c = &in[6 * i + j];
      EXPECT_EQ(out[6 * i + j],
                inside ? c[-6] + c[6] + c[-1] + c[1] - 4 * c[0] : -1.0);
    }
}

// Chunks, pieces and threads: a row longer than a chunk, many rows.
TEST_F(ProgramTest, HeatInParallelIsHeatInALoop) {
  constexpr int64_t rows = 67, columns = 2500, steps = 3;
  const char *program = R"mlir(
    !field = !stencil.field<[-1,?+1]x[-1,?+1]xf64>
    !temp = !stencil.temp<?x?xf64>
    func.func @main(%a: !stencil.field<?x?xf64>, %b: !stencil.field<?x?xf64>, %steps: index) {
      %u0 = stencil.cast %a : !stencil.field<?x?xf64> -> !field
      %v0 = stencil.cast %b : !stencil.field<?x?xf64> -> !field
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %r:2 = scf.for %i = %c0 to %steps step %c1 iter_args(%u = %u0, %v = %v0) -> (!field, !field) {
        stencil.boundary %u(<[0, 0], [?, ?]>) [#stencil.neumann, #stencil.periodic] : !field
        %t = stencil.load %u : !field -> !temp
        %n = stencil.apply(%x = %t : !temp) -> (!temp) {
          %up = stencil.access %x[-1, 0] : !temp
          %down = stencil.access %x[1, 0] : !temp
          %w = stencil.access %x[0, -1] : !temp
          %e = stencil.access %x[0, 1] : !temp
          %k = arith.constant 0.25 : f64
          %0 = arith.addf %up, %down : f64
          %1 = arith.addf %w, %e : f64
          %2 = arith.addf %0, %1 : f64
          %3 = arith.mulf %k, %2 : f64
          stencil.return %3 : f64
        }
        stencil.store %n to %v(<[0, 0], [?, ?]>) : !temp to !field
        scf.yield %v, %u : !field, !field
      }
      return
    }
  )mlir";
  std::vector<double> u((rows + 2) * (columns + 2));
  for (size_t i = 0; i < u.size(); ++i)
    u[i] = static_cast<double>((i * 7919) % 1013) / 1013.0;
  std::vector<double> v(u.size());
  std::vector<double> expected = u, next = u;
  constexpr int64_t pitch = columns + 2;
  for (int64_t step = 0; step < steps; ++step) {
    for (int64_t j = 1; j <= columns; ++j) {
      expected[j] = expected[pitch + j];
      expected[(rows + 1) * pitch + j] = expected[rows * pitch + j];
    }
    for (int64_t i = 0; i < rows + 2; ++i) {
      expected[i * pitch] = expected[i * pitch + columns];
      expected[i * pitch + columns + 1] = expected[i * pitch + 1];
    }
    for (int64_t i = 1; i <= rows; ++i)
      for (int64_t j = 1; j <= columns; ++j) {
        const double *c = &expected[i * pitch + j];
        next[i * pitch + j] = 0.25 * ((c[-pitch] + c[pitch]) + (c[-1] + c[1]));
      }
    std::swap(expected, next);
  }
  for (unsigned threads : {1u, 3u}) {
    options.threads = threads;
    std::vector<double> a = u, b = v;
    double fraction = 0;
    options.progress = [&](double done) { fraction = done; };
    ASSERT_TRUE(
        run(program, {field(a, {rows + 2, columns + 2}),
                      field(b, {rows + 2, columns + 2}), number(steps)}))
        << error;
    EXPECT_EQ(fraction, 1.0);
    for (int64_t i = 1; i <= rows; ++i)
      for (int64_t j = 1; j <= columns; ++j)
        ASSERT_EQ(b[i * pitch + j], expected[i * pitch + j]) << i << ' ' << j;
  }
}

// A load is a snapshot.
TEST_F(ProgramTest, StoreOverALoadedField) {
  std::vector<float> u = {1, 2, 3, 4, 5}, saved(5);
  ASSERT_TRUE(run(R"mlir(
    !field = !stencil.field<[0,5]xf32>
    !temp = !stencil.temp<?xf32>
    func.func @main(%u: !field, %saved: !field) {
      %t = stencil.load %u : !field -> !temp
      %shifted = stencil.apply(%x = %t : !temp) -> (!temp) {
        %e = stencil.access %x[1] : !temp
        stencil.return %e : f32
      }
      stencil.store %shifted to %u(<[0], [4]>) : !temp to !field
      stencil.store %t to %saved(<[0], [5]>) : !temp to !field
      return
    }
  )mlir",
                  {field(u, {5}), field(saved, {5})}))
      << error;
  EXPECT_EQ(u, (std::vector<float>{2, 3, 4, 5, 5}));
  EXPECT_EQ(saved, (std::vector<float>{1, 2, 3, 4, 5}));
}

// Leapfrog: the step is written over what is read at offset zero.
TEST_F(ProgramTest, InPlaceAtOffsetZero) {
  std::vector<double> old = {1, 2, 3, 4}, now = {10, 20, 30, 40};
  ASSERT_TRUE(run(R"mlir(
    !field = !stencil.field<[-1,3]xf64>
    !temp = !stencil.temp<?xf64>
    func.func @main(%old: !field, %now: !field) {
      %p = stencil.load %old : !field -> !temp
      %t = stencil.load %now : !field -> !temp
      %new = stencil.apply(%a = %p : !temp, %b = %t : !temp) -> (!temp) {
        %before = stencil.access %a[0] : !temp
        %w = stencil.access %b[-1] : !temp
        %e = stencil.access %b[1] : !temp
        %0 = arith.addf %w, %e : f64
        %1 = arith.subf %0, %before : f64
        stencil.return %1 : f64
      }
      stencil.store %new to %old(<[0], [2]>) : !temp to !field
      return
    }
  )mlir",
                  {field(old, {4}), field(now, {4})}))
      << error;
  EXPECT_EQ(old, (std::vector<double>{1, 38, 57, 4}));
}

TEST_F(ProgramTest, ResultsOfScalars) {
  std::vector<int32_t> u = {3, -7, 5, 2};
  ASSERT_TRUE(run(R"mlir(
    !field = !stencil.field<[0,4]xi32>
    !temp = !stencil.temp<?xi32>
    func.func @main(%u: !field, %n: index, %a: f32) -> (i32, !field, f32, index) {
      %t = stencil.load %u : !field -> !temp
      %m = stencil.fold %t(<[1], [4]>) min : !temp
      %b = arith.addf %a, %a : f32
      %k = arith.muli %n, %n : index
      return %m, %u, %b, %k : i32, !field, f32, index
    }
  )mlir",
                  {field(u, {4}), number(12), real(0.1L)}))
      << error;
  ASSERT_EQ(results.size(), 3u);
  EXPECT_EQ(getInteger(0), -7);
  EXPECT_EQ(getReal(1), static_cast<long double>(0.1F + 0.1F));
  EXPECT_EQ(getInteger(2), 144);
}

} // namespace
