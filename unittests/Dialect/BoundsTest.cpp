//===- BoundsTest.cpp - Static and symbolic bounds ------------------------===//

#include "StencilDialect/IR/StencilDialect.h"
#include "StencilDialect/IR/StencilTypes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/MLIRContext.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace stencil;

namespace {

std::string print(int64_t bound) {
  std::string text;
  llvm::raw_string_ostream os(text);
  printBound(os, bound);
  return text;
}

class BoundsTest : public testing::Test {
protected:
  BoundsTest() { context.loadDialect<StencilDialect>(); }

  BoundsAttr box(ArrayRef<int64_t> lb, ArrayRef<int64_t> ub) {
    return BoundsAttr::get(&context, lb, ub);
  }

  /// Whether the verifier of bounds accepts a box of one axis.
  bool isValid(int64_t lb, int64_t ub) {
    auto ignore = [&] { return emitError(UnknownLoc::get(&context)); };
    context.getDiagEngine().registerHandler([](Diagnostic &) {});
    return succeeded(BoundsAttr::verify(ignore, {lb}, {ub}));
  }

  MLIRContext context;
};

TEST_F(BoundsTest, SymbolsAreAboveAllCoordinates) {
  EXPECT_FALSE(isSymbolic(0));
  EXPECT_FALSE(isSymbolic(kMaxBound));
  EXPECT_FALSE(isSymbolic(-kMaxBound));
  EXPECT_TRUE(isSymbolic(makeSymbolic(0)));
  EXPECT_TRUE(isSymbolic(makeSymbolic(-kMaxBound)));
  EXPECT_TRUE(isSymbolic(makeSymbolic(kMaxBound)));
  EXPECT_LT(kMaxBound, makeSymbolic(-kMaxBound));
}

TEST_F(BoundsTest, SumsOfManyOffsetsKeepTheirKind) {
  int64_t coordinate = kMaxBound, symbol = makeSymbolic(-kMaxBound);
  for (int i = 0; i < 1000; ++i) {
    coordinate += kMaxBound;
    symbol -= kMaxBound;
  }
  EXPECT_FALSE(isSymbolic(coordinate));
  EXPECT_TRUE(isSymbolic(symbol));
}

TEST_F(BoundsTest, ResolvesAtAnExtent) {
  EXPECT_EQ(resolve(-4, 100), -4);
  EXPECT_EQ(resolve(makeSymbolic(4), 100), 104);
  EXPECT_EQ(resolve(makeSymbolic(-4), 100), 96);
  EXPECT_EQ(symbolicOffset(makeSymbolic(-4)), -4);
}

TEST_F(BoundsTest, Prints) {
  EXPECT_EQ(print(0), "0");
  EXPECT_EQ(print(-7), "-7");
  EXPECT_EQ(print(makeSymbolic(0)), "?");
  EXPECT_EQ(print(makeSymbolic(4)), "?+4");
  EXPECT_EQ(print(makeSymbolic(-4)), "?-4");
}

TEST_F(BoundsTest, Shape) {
  BoundsAttr bounds =
      box({-1, 0, makeSymbolic(-2)}, {9, makeSymbolic(0), makeSymbolic(2)});
  EXPECT_TRUE(bounds.isSymbolic());
  EXPECT_EQ(bounds.getShape(),
            (SmallVector<int64_t>{10, ShapedType::kDynamic, 4}));
  EXPECT_FALSE(box({0}, {4}).isSymbolic());
}

TEST_F(BoundsTest, Contains) {
  BoundsAttr field = box({-1}, {makeSymbolic(1)});
  EXPECT_TRUE(field.contains(field));
  EXPECT_TRUE(field.contains(box({0}, {makeSymbolic(0)})));
  EXPECT_TRUE(field.contains(box({makeSymbolic(0)}, {makeSymbolic(1)})));
  // "N is large": every coordinate is below N.
  EXPECT_TRUE(field.contains(box({0}, {1000000})));
  EXPECT_FALSE(field.contains(box({-2}, {0})));
  EXPECT_FALSE(field.contains(box({0}, {makeSymbolic(2)})));
  EXPECT_FALSE(box({0}, {64}).contains(box({0}, {makeSymbolic(-1000)})));
  EXPECT_FALSE(field.contains(box({0, 0}, {1, 1})));
}

TEST_F(BoundsTest, Verifies) {
  EXPECT_TRUE(isValid(0, 1));
  EXPECT_TRUE(isValid(-kMaxBound, kMaxBound));
  EXPECT_TRUE(isValid(0, makeSymbolic(-kMaxBound)));
  EXPECT_TRUE(isValid(makeSymbolic(-1), makeSymbolic(0)));
  EXPECT_FALSE(isValid(1, 1));
  EXPECT_FALSE(isValid(makeSymbolic(0), makeSymbolic(0)));
  EXPECT_FALSE(isValid(makeSymbolic(0), 5));
  EXPECT_FALSE(isValid(0, kMaxBound + 1));
  EXPECT_FALSE(isValid(-kMaxBound - 1, 0));
  EXPECT_FALSE(isValid(0, makeSymbolic(kMaxBound + 1)));
  EXPECT_FALSE(isValid(0, makeSymbolic(-kMaxBound - 1)));
  EXPECT_FALSE(isValid(0, std::numeric_limits<int64_t>::max()));
  EXPECT_FALSE(isValid(std::numeric_limits<int64_t>::min(), 0));
}

TEST_F(BoundsTest, TypesForgetAndTakeBounds) {
  Type f64 = Float64Type::get(&context);
  auto sized = cast<GridType>(Type(FieldType::get(box({0, 0}, {4, 4}), f64)));
  GridType unsizedType = sized.withBounds({});
  EXPECT_EQ(Type(unsizedType), FieldType::get(2, f64));
  EXPECT_EQ(unsizedType.getRank(), 2);
  EXPECT_EQ(unsizedType.withBounds(box({0, 0}, {4, 4})), sized);
  EXPECT_EQ(unwrapResult(ResultType::get(&context, f64)), f64);
  EXPECT_EQ(unwrapResult(f64), f64);
}

} // namespace
