//===- TileTest.cpp - Kernels of tiles ------------------------------------===//

#include "StencilDialect/Tile/Tile.h"
#include "InterpreterTest.h"
#include "mlir/Dialect/UB/IR/UBOps.h"

using namespace stencil;

namespace {

class TileTest : public InterpreterTest {
protected:
  TileTest() { context.loadDialect<tile::TileDialect, mlir::ub::UBDialect>(); }

  /// A kernel in tiles of four points, on a field of eight with a halo of one.
  bool runTiles(llvm::StringRef body) {
    std::string program = R"mlir(
      !field = !stencil.field<[-1,9]xf64>
      !any = !stencil.temp<?xf64>
      !tile = !stencil.temp<[0,4]xf64>
      !ring = !tile.ring<1 x [-1,5]xf64>
      !box = !stencil.temp<[-1,5]xf64>
      func.func @main(%u: !field, %v: !field) {
        tile.kernel @k(%a = %u : !field, %b = %v : !field)
            grid <domain = <[0], [7]>, block = [4], points = [1]> {
    )mlir";
    program += body;
    program += "}\nreturn }";
    target.assign(10, -1);
    return run(program, {field(source, {10}), field(target, {10})});
  }

  std::vector<double> source = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10};
  std::vector<double> target;
};

TEST_F(TileTest, StoresTheDomainOnly) {
  ASSERT_TRUE(runTiles(R"mlir(
    %w = tile.ring : !ring
    tile.copy %a to %w needs <[1], [2]> : !field, !ring
    %x = tile.source %w : !ring -> !box
    %r = stencil.apply(%t = %x : !box) -> (!tile) {
      %0 = stencil.access %t[1] : !box
      stencil.return %0 : f64
    }
    tile.store %r to %b : !tile to !field
  )mlir"))
      << error;
  EXPECT_EQ(target, (std::vector<double>{-1, 3, 4, 5, 6, 7, 8, 9, -1, -1}));
}

/// A value that is not chosen does not matter; one that is added does.
TEST_F(TileTest, SelectionIsNoArithmetic) {
  auto compute = [&](llvm::StringRef op) {
    return runTiles((R"mlir(
      %none = ub.poison : !tile
      %x = tile.source %a : !field -> !any
      tile.where {
        %r = stencil.apply(%t = %x : !any, %q = %none : !tile) -> (!tile) {
          %yes = arith.constant true
          %p = ub.poison : f64
          %0 = stencil.access %t[0] : !any
          %1 = stencil.access %q[0] : !tile
          %2 = arith.addf %1, %p : f64
          %3 = )mlir" +
                     op + R"mlir(
          stencil.return %3 : f64
        }
        tile.store %r to %b : !tile to !field
      }
    )mlir")
                        .str());
  };
  ASSERT_TRUE(compute("arith.select %yes, %0, %2 : f64")) << error;
  EXPECT_EQ(target, (std::vector<double>{-1, 2, 3, 4, 5, 6, 7, 8, -1, -1}));
  ASSERT_TRUE(compute(R"mlir(scf.if %yes -> f64 {
    scf.yield %0 : f64
  } else {
    scf.yield %2 : f64
  })mlir"))
      << error;
  EXPECT_EQ(target[1], 2);
  for (const char *op :
       {"arith.select %yes, %2, %0 : f64", "arith.addf %0, %2 : f64",
        "arith.mulf %0, %p : f64"}) {
    EXPECT_FALSE(compute(op)) << op;
    EXPECT_NE(error.find("stores a value that is not specified"),
              std::string::npos)
        << error;
  }
}

/// What depends on a choice that is not specified is not specified.
TEST_F(TileTest, BranchesAndLoops) {
  for (const char *op : {R"mlir(scf.if %c -> f64 {
        scf.yield %0 : f64
      } else {
        scf.yield %0 : f64
      })mlir",
                         R"mlir(scf.for %i = %zero to %n step %one
          iter_args(%s = %0) -> f64 {
        scf.yield %s : f64
      })mlir",
                         R"mlir(scf.while (%s = %0) : (f64) -> f64 {
        scf.condition(%c) %s : f64
      } do {
      ^bb0(%s: f64):
        scf.yield %s : f64
      })mlir"}) {
    EXPECT_FALSE(runTiles((llvm::StringRef(R"mlir(
      %x = tile.source %a : !field -> !any
      tile.where {
        %r = stencil.apply(%t = %x : !any) -> (!tile) {
          %c = ub.poison : i1
          %n = ub.poison : index
          %zero = arith.constant 0 : index
          %one = arith.constant 1 : index
          %0 = stencil.access %t[0] : !any
          %1 = )mlir") + op +
                           R"mlir(
          stencil.return %1 : f64
        }
        tile.store %r to %b : !tile to !field
      }
    )mlir")
                              .str()));
    EXPECT_NE(error.find("stores a value that is not specified at ["),
              std::string::npos)
        << error;
  }
}

/// Points at which a body stores nothing keep what is there.
TEST_F(TileTest, PartialResults) {
  ASSERT_TRUE(runTiles(R"mlir(
    %x = tile.source %a : !field -> !any
    tile.where {
      %r = stencil.apply(%t = %x : !any) -> (!tile) {
        %three = arith.constant 3 : index
        %i = stencil.index 0 <[0]>
        %c = arith.cmpi slt, %i, %three : index
        %0 = stencil.access %t[0] : !any
        %1 = scf.if %c -> !stencil.result<f64> {
          %2 = stencil.store_result %0 : !stencil.result<f64>
          scf.yield %2 : !stencil.result<f64>
        } else {
          %2 = stencil.store_result : !stencil.result<f64>
          scf.yield %2 : !stencil.result<f64>
        }
        stencil.return %1 : !stencil.result<f64>
      }
      tile.store %r to %b : !tile to !field
    }
  )mlir"))
      << error;
  EXPECT_EQ(target, (std::vector<double>{-1, 2, 3, 4, -1, -1, -1, -1, -1, -1}));
}

/// Blocks run in any order, each once.
TEST_F(TileTest, OrderOfBlocks) {
  for (uint64_t seed = 0; seed < 8; ++seed) {
    options.blockOrder = seed;
    std::vector<double> values(10, 3);
    ASSERT_TRUE(run(R"mlir(
      !field = !stencil.field<[-1,9]xf64>
      !any = !stencil.temp<?xf64>
      !tile = !stencil.temp<[0,1]xf64>
      func.func @main(%u: !field) {
        tile.kernel @k(%a = %u : !field)
            grid <domain = <[0], [8]>, block = [1], points = [1]> {
          %x = tile.source %a : !field -> !any
          %r = stencil.apply(%t = %x : !any) -> (!tile) {
            %0 = stencil.access %t[0] : !any
            %1 = arith.addf %0, %0 : f64
            stencil.return %1 : f64
          }
          tile.store %r to %a : !tile to !field
        }
        return
      }
    )mlir",
                    {field(values, {10})}))
        << error;
    EXPECT_EQ(values, (std::vector<double>{3, 6, 6, 6, 6, 6, 6, 6, 6, 3}));
  }
}

/// The bounds of errors go the same way as values.
TEST_F(TileTest, Bounds) {
  constexpr const char *body = R"mlir(
    %s = stencil.weighted_sum %t offsets [[-1], [0], [1]] weights dense<[0.1, 0.2, 0.3]> : tensor<3xf64> : )mlir";
  ErrorBounds tiled, plain;
  tiled.math = plain.math = MathMode::Reassociate;
  source[3] = std::numeric_limits<double>::infinity();
  options.bounds = &tiled;
  ASSERT_TRUE(runTiles((llvm::StringRef(R"mlir(
    %w = tile.ring : !ring
    tile.copy %a to %w : !field, !ring
    %x = tile.source %w : !ring -> !box
    %r = stencil.apply(%t = %x : !box) -> (!tile) {)mlir") +
                        body + R"mlir(!box
      stencil.return %s : f64
    }
    tile.store %r to %b : !tile to !field
  )mlir")
                           .str()))
      << error;
  options.bounds = &plain;
  std::vector<double> expected(10, -1);
  ASSERT_TRUE(run((llvm::StringRef(R"mlir(
    !field = !stencil.field<[-1,9]xf64>
    !temp = !stencil.temp<?xf64>
    func.func @main(%u: !field, %v: !field) {
      %x = stencil.load %u : !field -> !temp
      %r = stencil.apply(%t = %x : !temp) -> (!temp) {)mlir") +
                   body + R"mlir(!temp
        stencil.return %s : f64
      }
      stencil.store %r to %v(<[0], [7]>) : !temp to !field
      return
    })mlir")
                      .str(),
                  {field(source, {10}), field(expected, {10})}))
      << error;
  EXPECT_EQ(target, expected);
  for (size_t i = 0; i < 10; ++i) {
    EXPECT_EQ(tiled.fields[1][i].bound, plain.fields[1][i].bound) << i;
    EXPECT_EQ(std::signbit(tiled.fields[1][i].bound),
              std::signbit(plain.fields[1][i].bound))
        << i;
  }
  EXPECT_GT(tiled.fields[1][7].bound, 0);
}

TEST_F(TileTest, ExtendedPrecision) {
  options.precision = Precision::Extended;
  std::vector<long double> from(10, 1), to(10, -1);
  ASSERT_TRUE(run(R"mlir(
    !field = !stencil.field<[-1,9]xf64>
    !ring = !tile.ring<2 x [0,1]xf64, fill = delayed>
    !plane = !stencil.temp<[0,1]xf64>
    func.func @main(%u: !field, %v: !field) {
      tile.kernel @k(%a = %u : !field, %b = %v : !field)
          grid <domain = <[0], [8]>, block = [1], points = [1], walk = 0, segments = 3> {
        %w = tile.ring : !ring
        tile.walk plane %p cursors(%c : !tile.cursor<2>) {
          tile.copy %a[%p] to %w[%c] plane 1 : !field, !ring
          tile.wait %w[%c] : !ring
          %x = tile.source %w[%c] : !ring -> !plane
          %r = stencil.apply(%t = %x : !plane) -> (!plane) {
            %three = arith.constant 3.0 : f64
            %0 = stencil.access %t[0] : !plane
            %1 = arith.divf %0, %three : f64
            stencil.return %1 : f64
          }
          tile.store %r to %b[%p] : !plane to !field
        }
      }
      return
    })mlir",
                  {field(from, {10}), field(to, {10})}))
      << error;
  EXPECT_EQ(to[0], -1);
  for (int i = 1; i < 9; ++i)
    EXPECT_EQ(to[i], 1.0L / 3.0L) << i;
}

TEST_F(TileTest, DistinctFields) {
  std::vector<double> values(10, 3);
  EXPECT_FALSE(run(R"mlir(
    !field = !stencil.field<[-1,9]xf64>
    !any = !stencil.temp<?xf64>
    !tile = !stencil.temp<[0,1]xf64>
    func.func @main(%u: !stencil.field<?xf64>) {
      %a0 = stencil.cast %u : !stencil.field<?xf64> -> !field
      %b0 = stencil.cast %u : !stencil.field<?xf64> -> !field
      tile.kernel @k(%a = %a0 : !field, %b = %b0 : !field)
          grid <domain = <[0], [8]>, block = [1], points = [1]> {
        %x = tile.source %a : !field -> !any
        %r = stencil.apply(%t = %x : !any) -> (!tile) {
          %0 = stencil.access %t[0] : !any
          stencil.return %0 : f64
        }
        tile.store %r to %b : !tile to !field
      }
      return
    })mlir",
                   {field(values, {10})}));
  EXPECT_NE(error.find("expected distinct fields, but operands 1 and 0 are the "
                       "same"),
            std::string::npos)
      << error;
}

/// Blocks of two points, whose fields take turns; the halo of each comes from
/// its own interior, also where a point of a row is behind the gap.
TEST_F(TileTest, HalosInTurn) {
  for (uint64_t seed = 0; seed < 8; ++seed) {
    options.blockOrder = seed;
    std::vector<double> u = {0, 0, 1, 2, 3, 0}, v = {0, 0, 4, 5, 6, 0};
    ASSERT_TRUE(run(R"mlir(
      !field = !stencil.field<[-2,4]xf64>
      !tile = !stencil.temp<[0,2]xf64>
      func.func @main(%u: !field, %v: !field) {
        tile.kernel @k(%a = %u : !field, %b = %v : !field)
            grid <domain = <[-2], [4]>, block = [2], points = [1]>
            list <[<[-2], [4]>] without <[0], [3]> turns 2> {
          %f = tile.turn %a, %b : !field
          tile.where part 0 {
            %h = tile.halo %f boundary(<[0], [3]>) [#stencil.antisymmetric | #stencil.neumann] : !field -> !tile
            tile.store %h to %f : !tile to !field
          }
        }
        return
      })mlir",
                    {field(u, {6}), field(v, {6})}))
        << error;
    EXPECT_EQ(u, (std::vector<double>{-3, -2, 1, 2, 3, 3}));
    EXPECT_EQ(v, (std::vector<double>{-6, -5, 4, 5, 6, 6}));
  }
}

/// The order is that of pieces, places and blocks, whichever block runs first:
/// with numbers so far apart, another order has another sum.
TEST_F(TileTest, FoldOrder) {
  for (uint64_t seed = 0; seed < 8; ++seed) {
    options.blockOrder = seed;
    // Pieces [1, 2], [1e16, 3] and [-1e16]; block 0 has the first and the last.
    std::vector<double> values = {1, 2, 1e16, 3, -1e16};
    ASSERT_TRUE(run(R"mlir(
      !field = !stencil.field<[0,5]xf64>
      !any = !stencil.temp<?xf64>
      func.func @main(%u: !field) -> f64 {
        %p = stencil.scratch : memref<2xf64>
        %r = stencil.scratch : memref<1xf64>
        tile.kernel @k(%a = %u : !field, %n = %p : memref<2xf64>, %o = %r : memref<1xf64>)
            grid <domain = <[0], [5]>, block = [2], points = [1]>
            list <[<[0], [5]>] blocks 2> {
          %x = tile.source %a : !field -> !any
          tile.fold sum %x to %o through %n : !any to memref<1xf64>, memref<2xf64>
        }
        %s = stencil.fetch %r : memref<1xf64>
        return %s : f64
      })mlir",
                    {field(values, {5})}))
        << error;
    double first = (1 + -1e16) + 2, second = 1e16 + 3;
    EXPECT_EQ(getReal(), first + second);
    EXPECT_NE(getReal(), 5);
  }
}

} // namespace
