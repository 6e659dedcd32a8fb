//===- BytecodeTest.cpp - Versions of bytecode ----------------------------===//

#include "StencilDialect/IR/BytecodeVersion.h"
#include "StencilDialect/IR/StencilDialect.h"
#include "mlir/Bytecode/BytecodeWriter.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace stencil;

namespace {

class BytecodeTest : public testing::Test {
protected:
  BytecodeTest() { context.loadDialect<StencilDialect>(); }

  /// A program as a project of this version writes it.
  std::string write(uint64_t version) {
    auto module = parseSourceString<ModuleOp>("%f = stencil.alloc : "
                                              "!stencil.field<[0,8]xf64>",
                                              &context);
    BytecodeWriterConfig config;
    config.setDialectVersion<StencilDialect>(
        std::make_unique<BytecodeVersion>(version));
    std::string bytecode;
    llvm::raw_string_ostream os(bytecode);
    EXPECT_TRUE(succeeded(writeBytecodeToFile(*module, os, config)));
    return bytecode;
  }

  /// The first error on reading it; empty: it was read.
  std::string read(const std::string &bytecode) {
    std::string message;
    ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
      if (message.empty())
        message = diagnostic.str();
    });
    auto module = parseSourceString<ModuleOp>(bytecode, &context);
    EXPECT_EQ(!module, !message.empty());
    return message;
  }

  MLIRContext context;
};

TEST_F(BytecodeTest, ReadsItsOwnAndOlder) {
  EXPECT_EQ(read(write(BytecodeVersion::kCurrent)), "");
  EXPECT_EQ(read(write(0)), "");
}

TEST_F(BytecodeTest, RefusesNewer) {
  EXPECT_EQ(
      read(write(BytecodeVersion::kCurrent + 1)),
      "expected version 1 or older of the stencil dialect, got 2: a newer "
      "StencilDialect has written this");
}

} // namespace
