//===- count-applies.cpp - A tool outside of the project ------------------===//
//
// Parses a stencil program, infers its shapes and says how many applies it has.
//
//===----------------------------------------------------------------------===//

#include "StencilDialect/IR/StencilDialect.h"
#include "StencilDialect/IR/StencilOps.h"
#include "StencilDialect/Transforms/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"

int main(int argc, char **argv) {
  if (argc != 2) {
    llvm::errs() << "usage: count-applies FILE\n";
    return 2;
  }
  mlir::MLIRContext context;
  context.loadDialect<mlir::arith::ArithDialect, mlir::func::FuncDialect,
                      stencil::StencilDialect>();
  auto module = mlir::parseSourceFile<mlir::ModuleOp>(argv[1], &context);
  if (!module)
    return 1;

  mlir::PassManager manager(&context);
  manager.addPass(stencil::createStencilInferShapes());
  if (failed(manager.run(*module)))
    return 1;

  unsigned applies = 0;
  module->walk([&](stencil::ApplyOp) { ++applies; });
  llvm::outs() << applies << " applies\n";
  return 0;
}
