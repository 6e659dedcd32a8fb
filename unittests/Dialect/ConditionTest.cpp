//===- ConditionTest.cpp - Boundary conditions of other dialects ----------===//

#include "StencilDialect/IR/StencilAttrs.h"
#include "StencilDialect/IR/StencilDialect.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Parser/Parser.h"

#include "gtest/gtest.h"

using namespace mlir;
using namespace stencil;

namespace {

/// Arrays of numbers are conditions: of two, the point first + step d, of one,
/// the polynomial of this order, of none, a constant that was forgotten.
struct Numbers : ConditionAttrInterface::ExternalModel<Numbers, ArrayAttr> {
  HaloRule getRule(Attribute condition) const {
    auto numbers = cast<ArrayAttr>(condition);
    auto get = [&](size_t i) { return cast<IntegerAttr>(numbers[i]).getInt(); };
    if (numbers.empty())
      return HaloRule::constant({});
    return numbers.size() == 1 ? HaloRule::polynomial(get(0))
                               : HaloRule::point(get(0), get(1));
  }
};

struct ConditionTest : testing::Test {
  ConditionTest() {
    context.loadDialect<StencilDialect, func::FuncDialect>();
    ArrayAttr::attachInterface<Numbers>(context);
    context.printOpOnDiagnostic(false);
  }

  /// What is wrong with `numbers` as a condition around 16 points; empty if
  /// nothing is.
  std::string check(llvm::StringRef numbers) {
    std::string message;
    ScopedDiagnosticHandler handler(
        &context, [&](Diagnostic &diagnostic) { message += diagnostic.str(); });
    std::string program = "func.func @main(%f: !stencil.field<[-2,18]xf64>) { "
                          "stencil.boundary %f(<[0], [16]>) [" +
                          numbers.str() +
                          "] : !stencil.field<[-2,18]xf64> return }";
    parseSourceString<ModuleOp>(program, &context);
    return message;
  }

  MLIRContext context;
};

} // namespace

TEST_F(ConditionTest, TakesRulesWithinTheirLimits) {
  EXPECT_EQ(check("[-1, 1]"), "");
  EXPECT_EQ(check("[0, 0] | [8]"), "");
  EXPECT_EQ(check("[3, 2]"), "");
}

TEST_F(ConditionTest, RefusesOthers) {
  std::string op = "'stencil.boundary' op expected ";
  EXPECT_EQ(check("[]"), op + "a number as the value of []");
  EXPECT_EQ(check("[9]"), op + "a polynomial of order 0 to 8, got "
                               "one of order 9 for [9]");
  EXPECT_EQ(check("[-2]"), op + "a polynomial of order 0 to 8, got "
                                "one of order -2 for [-2]");
  // Halo points, and what no coordinate holds.
  for (llvm::StringRef numbers : {"-2, 1", "4, -1", "0, 9223372036854775807",
                                  "-9223372036854775808, 1", "1048577, 0"})
    EXPECT_EQ(llvm::StringRef(check("[" + numbers.str() + "]"))
                  .find(op + "points of the interior, at most 1048576 apart"),
              0U)
        << numbers.str();
  // More of the interior than there is.
  EXPECT_NE(check("[15, 1]"), "");
}
