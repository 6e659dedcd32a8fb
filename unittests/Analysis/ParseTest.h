//===- ParseTest.h - Tests on a program given as text -----------*- C++ -*-===//

#ifndef UNITTESTS_ANALYSIS_PARSETEST_H
#define UNITTESTS_ANALYSIS_PARSETEST_H

#include "StencilDialect/IR/StencilDialect.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Parser/Parser.h"
#include <gtest/gtest.h>

/// Parses a program in which `"test.name"(%x) {n = "x"} : (T) -> ()` gives
/// values names to be asked for.
struct ParseTest : testing::Test {
  ParseTest() {
    context.loadDialect<stencil::StencilDialect, mlir::arith::ArithDialect,
                        mlir::func::FuncDialect, mlir::memref::MemRefDialect,
                        mlir::scf::SCFDialect>();
    context.allowUnregisteredDialects();
  }

  void parse(llvm::StringRef text) {
    module = mlir::parseSourceString<mlir::ModuleOp>(text, &context);
    ASSERT_TRUE(module);
    module->walk([&](mlir::Operation *op) {
      if (op->getName().getStringRef() == "test.name")
        names[op->getAttrOfType<mlir::StringAttr>("n").getValue()] =
            op->getOperand(0);
    });
  }

  mlir::Value operator[](llvm::StringRef name) {
    EXPECT_TRUE(names.contains(name)) << name.str();
    return names.lookup(name);
  }

  mlir::MLIRContext context;
  mlir::OwningOpRef<mlir::ModuleOp> module;
  llvm::StringMap<mlir::Value> names;
};

#endif // UNITTESTS_ANALYSIS_PARSETEST_H
