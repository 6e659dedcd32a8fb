//===- VerificationTest.cpp - What is compared with a reference -----------===//

#include "StencilDialect/Execution/Verification.h"
#include "StencilDialect/IR/StencilDialect.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/FormatVariadic.h"

#include "gtest/gtest.h"

using namespace mlir;
using namespace stencil;

namespace {

/// Scalar results of a call, f32, f64 and i64, beside those of a reference that
/// a compiled program has made, within 2 ULP.
class CompiledReferenceTest : public testing::Test {
protected:
  CompiledReferenceTest() {
    context.loadDialect<func::FuncDialect, StencilDialect>();
    module = parseSourceString<ModuleOp>(
        "func.func private @f() -> (f32, f64, i64)", &context);
    entry = cast<func::FuncOp>(module->getBody()->front());
    llvm::append_range(signature.results, entry.getResultTypes());
    reference.isCompiled = true;
    reference.results = {1.0L, -3.0L, int64_t(7)};
    options.ulp = 2;
  }

  /// The results that are wrong; "" if none is.
  std::string compare(std::initializer_list<ScalarValue> results) {
    Verdict verdict =
        compareWithReference(entry, signature, Extents(), reference, {},
                             llvm::ArrayRef(results), options);
    EXPECT_EQ(verdict.comparisons.size(), results.size());
    std::string wrong;
    for (const Comparison &comparison : verdict.comparisons)
      if (!comparison.isRight())
        wrong +=
            llvm::formatv("{0}: expected {1:F0}, got {2:F0}", comparison.name(),
                          static_cast<double>(comparison.diff.worstReference),
                          static_cast<double>(comparison.diff.worstValue));
    return wrong;
  }

  MLIRContext context;
  OwningOpRef<ModuleOp> module;
  func::FuncOp entry;
  Signature signature;
  Reference reference;
  VerifyOptions options;
};

} // namespace

TEST_F(CompiledReferenceTest, TakesWhatIsClose) {
  EXPECT_EQ("", compare({1.0L, -3.0L, int64_t(7)}));
  EXPECT_EQ("", compare({1.0L + 0x1p-22L, -3.0L - 0x1p-50L, int64_t(7)}));
}

TEST_F(CompiledReferenceTest, NamesTheResultThatIsNot) {
  EXPECT_EQ("result 0: expected 1, got 2", compare({2.0L, -3.0L, int64_t(7)}));
  EXPECT_EQ("result 1: expected -3, got 0", compare({1.0L, 0.0L, int64_t(7)}));
  EXPECT_EQ("result 2: expected 7, got 8", compare({1.0L, -3.0L, int64_t(8)}));
  // Three steps of an f64.
  EXPECT_EQ("result 1: expected -3, got -3",
            compare({1.0L, -3.0L - 0x1.8p-50L, int64_t(7)}));
}

TEST(Comparison, SaysHowManyPointsAreExcused) {
  Comparison comparison{/*isResult=*/false, /*index=*/3, {}, {}, {}};
  comparison.diff.points = 100;
  comparison.diff.allowedUlp = 2;
  std::string start = "argument 3: max 0 ulp, 0 of 100 points beyond 2 ulp";
  EXPECT_EQ(start, comparison.str());
  comparison.diff.excused = 1;
  EXPECT_EQ(start + ", 1 not checked", comparison.str());
  comparison.diff.allowedScale = 2;
  comparison.diff.largest = 8;
  EXPECT_EQ(start + ", 1 more within 2 epsilon of the largest magnitude, 8",
            comparison.str());
}

TEST(Comparison, SaysWhatIsNotFinite) {
  Comparison comparison{/*isResult=*/true, /*index=*/0, {}, {}, {}};
  comparison.diff.points = 4;
  comparison.diff.notFinite = 2;
  std::string start = "result 0: max 0 ulp, 0 of 4 points beyond 0 ulp";
  EXPECT_EQ(start, comparison.str());
  comparison.diff.spread = 1;
  start += ", 1 not finite in reach of what is not finite";
  EXPECT_EQ(start, comparison.str());
  comparison.diff.notFinite = 3;
  EXPECT_EQ(start + "; most of it, 3 points, is not finite", comparison.str());
}
