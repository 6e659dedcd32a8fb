//===- ErrorTest.cpp - What cannot be evaluated ---------------------------===//

#include "InterpreterTest.h"

using namespace stencil;

namespace {

class ErrorTest : public InterpreterTest {
protected:
  void expectError(llvm::StringRef program,
                   std::vector<InterpreterArgument> arguments,
                   llvm::StringRef message) {
    EXPECT_FALSE(run(program, std::move(arguments)));
    EXPECT_NE(error.find(message.str()), std::string::npos) << error;
  }
  std::vector<double> values = std::vector<double>(16, 1);
};

TEST_F(ErrorTest, Arguments) {
  const char *program = R"mlir(
    func.func @main(%f: !stencil.field<[-1,3]xf64>, %n: i8, %x: f32) { return }
  )mlir";
  FieldArgument f = field(values, {4});
  expectError(program, {f, number(1)}, "expected 3 arguments, got 2");
  expectError(program, {number(1), number(1), real(1)},
              "argument 0: expected an array");
  expectError(program, {f, f, real(1)}, "argument 1: expected a value of type");
  expectError(program, {f, real(1), real(1)}, "got a floating-point number");
  expectError(program, {f, number(256), real(1)}, "got 256");
  expectError(program, {f, number(1), number(1)}, "got an integer");
  expectError(program, {field(values, {5}), number(1), real(1)},
              "expected an extent of 4 on axis 0, got 5");
  expectError(program, {field(values, {2, 2}), number(1), real(1)},
              "expected an array of rank 1, got 2");
  expectError(program, {field(values, {0}), number(1), real(1)},
              "expected a positive extent");
  EXPECT_TRUE(run(program, {f, number(255), real(1)})) << error;
  expectError("func.func private @main()", {},
              "expected a function with a body");
  expectError(
      "func.func @main(%a: memref<4xf64>, %b: memref<3xf64>) { return }",
      {f, field(values, {3})}, "arguments 0 and 1 share memory");
  expectError("func.func @main(%a: vector<4xf64>) { return }", {real(1)},
              "expected an array of type");
}

TEST_F(ErrorTest, UnknownOps) {
  expectError("func.func @main() { \"foo.bar\"() : () -> () return }", {},
              "the interpreter does not know 'foo.bar'");
  expectError(R"mlir(
    func.func @main(%x: f64) -> f64 {
      %r = math.clampf %x to [%x, %x] : f64
      return %r : f64
    })mlir",
              {real(1)}, "the interpreter does not know 'math.clampf'");
  expectError(R"mlir(
    !field = !stencil.field<[0,4]xf64>
    !temp = !stencil.temp<?xf64>
    func.func @main(%f: !field) {
      %t = stencil.load %f : !field -> !temp
      %r = stencil.apply(%x = %t : !temp) -> (!temp) {
        %c = stencil.access %x[0] : !temp
        %d = "foo.bar"(%c) : (f64) -> f64
        stencil.return %d : f64
      }
      stencil.store %r to %f(<[0], [4]>) : !temp to !field
      return
    })mlir",
              {field(values, {4})}, "the interpreter does not know 'foo.bar'");
  expectError(R"mlir(
    func.func @main(%a: f64) {
      stencil.reduce %a init %a {
      ^bb0(%x: f64, %y: f64):
        stencil.yield %x : f64
      } : f64
      return
    })mlir",
              {real(1)}, "use stencil.fold");
}

TEST_F(ErrorTest, Calls) {
  expectError(R"mlir(
    func.func private @other()
    func.func @main() { call @other() : () -> () return }
  )mlir",
              {}, "expects a function with a body, got 'other'");
  expectError("func.func @main() { call @main() : () -> () return }", {},
              "calls are nested more than");
}

TEST_F(ErrorTest, AccessesOutsideOfTheirInput) {
  expectError(R"mlir(
    !field = !stencil.field<[0,?]xf64>
    !temp = !stencil.temp<?xf64>
    func.func @main(%f: !field) {
      %t = stencil.load %f : !field -> !temp
      %r = stencil.apply(%x = %t : !temp) -> (!temp) {
        %c = stencil.access %x[1] : !temp
        stencil.return %c : f64
      }
      stencil.store %r to %f(<[0], [?]>) : !temp to !field
      return
    })mlir",
              {field(values, {4})},
              "accesses [1,5) of axis 0, expected to stay in [0,4)\n"
              "evaluated on [0,4) here");
}

TEST_F(ErrorTest, BoxesThatAreEmptyOrTooLarge) {
  const char *program = R"mlir(
    !field = !stencil.field<[-1,?+1]xf64>
    !temp = !stencil.temp<?xf64>
    func.func @main(%f: !field) {
      %t = stencil.load %f : !field -> !temp
      stencil.store %t to %f(<[2], [?]>) : !temp to !field
      return
    })mlir";
  EXPECT_TRUE(run(program, {field(values, {5})})) << error;
  expectError(program, {field(values, {4})},
              "is empty where axis 0 has 2 interior points");
  expectError(program, {field(values, {2})},
              "expected an array of at least 3 points on axis 0, got 2");
  expectError(R"mlir(
    func.func @main() {
      %f = stencil.alloc : !stencil.field<[0,1099511627776]x[0,4096]xf64>
      return
    })mlir",
              {}, "does not fit in memory");
  expectError(R"mlir(
    func.func @main() {
      %f = stencil.alloc : !stencil.field<[0,1099511627776]x[0,1099511627776]xf64>
      return
    })mlir",
              {}, "does not fit in memory");
}

TEST_F(ErrorTest, Loops) {
  expectError(R"mlir(
    func.func @main(%n: index) {
      scf.for %i = %n to %n step %n { }
      return
    })mlir",
              {number(0)}, "expected a positive step, got 0");
}

} // namespace
