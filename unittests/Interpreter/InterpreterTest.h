//===- InterpreterTest.h - Runs programs given as text ----------*- C++ -*-===//

#ifndef STENCIL_UNITTESTS_INTERPRETER_INTERPRETERTEST_H
#define STENCIL_UNITTESTS_INTERPRETER_INTERPRETERTEST_H

#include "StencilDialect/IR/StencilDialect.h"
#include "StencilDialect/Interpreter/Interpreter.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"

namespace stencil {

template <typename T>
FieldArgument field(std::vector<T> &data,
                    std::initializer_list<int64_t> shape) {
  FieldArgument argument;
  argument.shape = shape;
  argument.data = data.data();
  return argument;
}

inline ScalarValue number(int64_t value) { return value; }
inline ScalarValue real(long double value) { return value; }

/// Runs the function `main` of a program. What went wrong, if anything, is in
/// `error`, with the notes after it.
class InterpreterTest : public ::testing::Test {
protected:
  InterpreterTest() {
    context.loadDialect<StencilDialect, mlir::arith::ArithDialect,
                        mlir::func::FuncDialect, mlir::math::MathDialect,
                        mlir::memref::MemRefDialect, mlir::scf::SCFDialect>();
    context.allowUnregisteredDialects();
    context.printOpOnDiagnostic(false);
  }

  bool run(llvm::StringRef program,
           std::vector<InterpreterArgument> arguments) {
    results.clear();
    error.clear();
    mlir::ScopedDiagnosticHandler handler(
        &context, [&](mlir::Diagnostic &diag) {
          error += diag.str() + "\n";
          for (const mlir::Diagnostic &note : diag.getNotes())
            error += note.str() + "\n";
          return mlir::success();
        });
    auto module = mlir::parseSourceString<mlir::ModuleOp>(program, &context);
    if (!module)
      return false;
    auto main = module->lookupSymbol<mlir::func::FuncOp>("main");
    return succeeded(interpret(main, arguments, results, options));
  }

  /// A scalar result.
  long double getReal(unsigned index = 0) {
    return std::get<long double>(results[index]);
  }
  int64_t getInteger(unsigned index = 0) {
    return std::get<int64_t>(results[index]);
  }

  mlir::MLIRContext context{mlir::MLIRContext::Threading::DISABLED};
  InterpreterOptions options;
  llvm::SmallVector<ScalarValue> results;
  std::string error;
};

} // namespace stencil

#endif // STENCIL_UNITTESTS_INTERPRETER_INTERPRETERTEST_H
