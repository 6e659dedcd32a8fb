//===- ValueTest.cpp - Chains, combines, fields of other storage ----------===//

#include "InterpreterTest.h"

using namespace stencil;

namespace {

class ValueTest : public InterpreterTest {};
using Vector = std::vector<double>;

// The boxes of intermediate values are found, through a buffer.
TEST_F(ValueTest, ChainsOfApplies) {
  Vector in(9), out(5);
  for (int i = 0; i < 9; ++i)
    in[i] = i * i;
  ASSERT_TRUE(run(R"mlir(
    !in = !stencil.field<[-2,7]xf64>
    !out = !stencil.field<[0,5]xf64>
    !temp = !stencil.temp<?xf64>
    func.func @main(%a: !in, %b: !out) {
      %t = stencil.load %a : !in -> !temp
      %d = stencil.apply(%x = %t : !temp) -> (!temp) {
        %w = stencil.access %x[-1] : !temp
        %e = stencil.access %x[1] : !temp
        %s = arith.subf %e, %w : f64
        stencil.return %s : f64
      }
      %m = stencil.buffer %d : !temp -> !temp
      %dd = stencil.apply(%x = %m : !temp) -> (!temp) {
        %w = stencil.access %x[-1] : !temp
        %e = stencil.access %x[1] : !temp
        %s = arith.subf %e, %w : f64
        stencil.return %s : f64
      }
      stencil.store %dd to %b(<[0], [5]>) : !temp to !out
      return
    })mlir",
                  {field(in, {9}), field(out, {5})}))
      << error;
  EXPECT_EQ(out, (Vector(5, 8)));
}

TEST_F(ValueTest, Combine) {
  Vector in = {1, 2, 3, 4, 5, 6}, out(6, -1), extra(6, -1);
  const char *program = R"mlir(
    !field = !stencil.field<[0,6]xf64>
    !temp = !stencil.temp<?xf64>
    func.func @main(%a: !field, %b: !field, %c: !field) {
      %t = stencil.load %a : !field -> !temp
      %low:2 = stencil.apply(%x = %t : !temp) -> (!temp, !temp) {
        %v = stencil.access %x[0] : !temp
        %n = arith.negf %v : f64
        stencil.return %n, %v : f64, f64
      }
      // Defined from 1 on only.
      %high = stencil.apply(%x = %t : !temp) -> (!temp) {
        %v = stencil.access %x[-1] : !temp
        stencil.return %v : f64
      }
      %r:2 = stencil.combine 0 at 2 lower = (%low#0 : !temp) upper = (%high : !temp) lowerext = %low#1 : !temp : !temp, !temp
      stencil.store %r#0 to %b(<[0], [6]>) : !temp to !field
      stencil.store %r#1 to %c(<[0], [6]>) : !temp to !field
      return
    })mlir";
  ASSERT_TRUE(
      run(program, {field(in, {6}), field(out, {6}), field(extra, {6})}))
      << error;
  EXPECT_EQ(out, (Vector{-1, -2, 2, 3, 4, 5}));
  EXPECT_EQ(extra, (Vector{1, 2, -1, -1, -1, -1}));
}

TEST_F(ValueTest, BoundsAreRelativeToTheExtent) {
  Vector u(7, 1), w(5, 0);
  const char *program = R"mlir(
    !field = !stencil.field<[-1,?+1]xf64>
    !inner = !stencil.field<[0,?]xf64>
    !temp = !stencil.temp<?xf64>
    func.func @main(%a: !stencil.field<?xf64>, %b: !stencil.field<?xf64>) {
      %u = stencil.cast %a : !stencil.field<?xf64> -> !field
      %w = stencil.cast %b : !stencil.field<?xf64> -> !inner
      %t = stencil.load %u : !field -> !temp
      stencil.store %t to %w(<[0], [1]>) : !temp to !inner
      stencil.store %t to %w(<[?-1], [?]>) : !temp to !inner
      return
    })mlir";
  ASSERT_TRUE(run(program, {field(u, {7}), field(w, {5})})) << error;
  EXPECT_EQ(w, (Vector{1, 0, 0, 0, 1}));
  EXPECT_FALSE(run(program, {field(u, {7}), field(w, {4})}));
  EXPECT_EQ(error, "expected 5 interior points on axis 0, got 4\nbound here\n");
}

TEST_F(ValueTest, AllocationsAndMemRefs) {
  Vector in = {1, 2, 3, 4}, out(4);
  ASSERT_TRUE(run(R"mlir(
    !field = !stencil.field<[0,4]xf64>
    !temp = !stencil.temp<?xf64>
    func.func @main(%a: memref<4xf64>, %b: memref<?xf64>) {
      %f = stencil.external_load %a : memref<4xf64> -> !field
      %t = stencil.load %f : !field -> !temp
      %g = stencil.alloc : !field
      stencil.store %t to %g(<[0], [3]>) : !temp to !field
      stencil.external_store %g to %b : !field to memref<?xf64>
      return
    })mlir",
                  {field(in, {4}), field(out, {4})}))
      << error;
  EXPECT_EQ(out[2], 3);
  // What was never stored is conspicuous.
  EXPECT_TRUE(out[3] != out[3]);
}

TEST_F(ValueTest, CallsWithFields) {
  Vector u = {1, 2, 3};
  ASSERT_TRUE(run(R"mlir(
    !field = !stencil.field<[0,3]xf64>
    !temp = !stencil.temp<?xf64>
    func.func @step(%f: !field, %k: f64) -> !field {
      %t = stencil.load %f : !field -> !temp
      %r = stencil.apply(%x = %t : !temp, %c = %k : f64) -> (!temp) {
        %v = stencil.access %x[0] : !temp
        %w = arith.mulf %v, %c : f64
        stencil.return %w : f64
      }
      stencil.store %r to %f(<[0], [3]>) : !temp to !field
      return %f : !field
    }
    func.func @main(%f: !field) {
      %k = arith.constant 2.0 : f64
      %g = func.call @step(%f, %k) : (!field, f64) -> !field
      %h = func.call @step(%g, %k) : (!field, f64) -> !field
      return
    })mlir",
                  {field(u, {3})}))
      << error;
  EXPECT_EQ(u, (Vector{4, 8, 12}));
}

// Regions: stores of several values to disjoint boxes of the field that the
// others were computed from.
TEST_F(ValueTest, StoresInProgramOrder) {
  Vector u = {1, 2, 3, 4};
  ASSERT_TRUE(run(R"mlir(
    !field = !stencil.field<[0,4]xf64>
    !temp = !stencil.temp<?xf64>
    func.func @main(%f: !field) {
      %t = stencil.load %f : !field -> !temp
      %r = stencil.apply(%x = %t : !temp) -> (!temp) {
        %v = stencil.access %x[2] : !temp
        stencil.return %v : f64
      }
      %s = stencil.apply(%x = %t : !temp) -> (!temp) {
        %v = stencil.access %x[-2] : !temp
        stencil.return %v : f64
      }
      stencil.store %r to %f(<[0], [2]>) : !temp to !field
      stencil.store %s to %f(<[2], [4]>) : !temp to !field
      return
    })mlir",
                  {field(u, {4})}))
      << error;
  EXPECT_EQ(u, (Vector{3, 4, 1, 2}));
}

TEST_F(ValueTest, ConvergenceLoop) {
  Vector u = {64, 64, 64};
  ASSERT_TRUE(run(R"mlir(
    !field = !stencil.field<[0,3]xf64>
    !temp = !stencil.temp<?xf64>
    func.func @main(%f: !field) -> i32 {
      %zero = arith.constant 0 : i32
      %one = arith.constant 1 : i32
      %eps = arith.constant 1.0 : f64
      %n = scf.while (%k = %zero) : (i32) -> i32 {
        %t = stencil.load %f : !field -> !temp
        %m = stencil.fold %t(<[0], [3]>) max : !temp
        %go = arith.cmpf ogt, %m, %eps : f64
        scf.condition(%go) %k : i32
      } do {
      ^bb0(%k: i32):
        %t = stencil.load %f : !field -> !temp
        %r = stencil.apply(%x = %t : !temp) -> (!temp) {
          %v = stencil.access %x[0] : !temp
          %h = arith.constant 0.5 : f64
          %w = arith.mulf %v, %h : f64
          stencil.return %w : f64
        }
        stencil.store %r to %f(<[0], [3]>) : !temp to !field
        %k1 = arith.addi %k, %one : i32
        scf.yield %k1 : i32
      }
      return %n : i32
    })mlir",
                  {field(u, {3})}))
      << error;
  EXPECT_EQ(getInteger(), 6);
  EXPECT_EQ(u, Vector(3, 1));
}

} // namespace
