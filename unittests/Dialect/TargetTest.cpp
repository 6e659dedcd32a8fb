//===- TargetTest.cpp - Which GPU a module is for -------------------------===//

#include "StencilDialect/IR/Target.h"
#include "StencilDialect/IR/StencilAttrs.h"
#include "StencilDialect/IR/StencilDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Parser/Parser.h"

#include "gtest/gtest.h"

using namespace mlir;
using namespace stencil;

namespace {
struct TargetTest : testing::Test {
  TargetTest() { context.loadDialect<StencilDialect>(); }

  MLIRContext context;
};
} // namespace

TEST_F(TargetTest, AnswersForTheNearestModule) {
  OwningOpRef<ModuleOp> outer = parseSourceString<ModuleOp>(
      R"(module attributes {stencil.target = #stencil.target<chip = "sm_80">} {
           module @inherits { module @own attributes {
             stencil.target = #stencil.target<chip = "gfx942">} {} }
         })",
      &context);
  ASSERT_TRUE(outer);
  auto inherits = *outer->getOps<ModuleOp>().begin();
  auto own = *inherits.getOps<ModuleOp>().begin();
  ASSERT_NE(findTarget(inherits), nullptr);
  EXPECT_EQ(findTarget(inherits), findTarget(*outer));
  EXPECT_EQ(findTarget(inherits)->chip, "sm_80");
  EXPECT_TRUE(findTarget(inherits)->hasAsyncCopy(AsyncCopyElements));
  EXPECT_EQ(findTarget(own)->warpSize, 64U);
  FailureOr<const TargetInfo *> required = requireTarget(own);
  ASSERT_TRUE(succeeded(required));
  EXPECT_EQ(*required, findTarget(own));
}

TEST_F(TargetTest, WithoutOneIsNoneOrAnError) {
  OwningOpRef<ModuleOp> module = ModuleOp::create(UnknownLoc::get(&context));
  EXPECT_EQ(findTarget(*module), nullptr);
  std::string message;
  ScopedDiagnosticHandler handler(
      &context, [&](Diagnostic &diagnostic) { message = diagnostic.str(); });
  EXPECT_TRUE(failed(requireTarget(*module)));
  EXPECT_EQ(message, "expected a module with the attribute stencil.target; "
                     "stencil-attach-target=\"chip=sm_90\" sets it");
}

TEST_F(TargetTest, LooksUpOnce) {
  auto target = TargetAttr::get(&context, llvm::StringRef("sm_90a"));
  EXPECT_EQ(target, TargetAttr::get(&context, llvm::StringRef("sm_90a")));
  EXPECT_EQ(&target.getInfo(), &target.getInfo());
  EXPECT_EQ(target.getInfo().chip, "sm_90a");
  EXPECT_TRUE(target.getInfo().exact);
}
