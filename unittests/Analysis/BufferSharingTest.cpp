//===- BufferSharingTest.cpp ----------------------------------------------===//

#include "Fields/MemoryTimeline.h"
#include "StencilDialect/IR/StencilDialect.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/MLIRContext.h"
#include "gtest/gtest.h"

using namespace stencil;

namespace {
class BufferSharingTest : public ::testing::Test {
protected:
  BufferSharingTest() {
    context.loadDialect<StencilDialect>();
    f64 = mlir::Float64Type::get(&context);
  }

  FieldType getType(llvm::ArrayRef<int64_t> lb, llvm::ArrayRef<int64_t> ub) {
    return FieldType::get(BoundsAttr::get(&context, lb, ub), f64);
  }

  mlir::MLIRContext context;
  mlir::Type f64;
};

using Slots = llvm::SmallVector<unsigned>;

TEST_F(BufferSharingTest, SharesWhatDoesNotMeet) {
  FieldType type = getType({0}, {8});
  // 0: [1,4], 1: [4,6] meets 0 in one position, 2: [5,9], 3: [7,8].
  BufferSlots slots =
      shareBuffers({{type, 1, 4}, {type, 4, 6}, {type, 5, 9}, {type, 7, 8}});
  EXPECT_EQ(slots.slotOf, Slots({0, 1, 0, 1}));
  EXPECT_EQ(slots.types.size(), 2u);
}

TEST_F(BufferSharingTest, TakesIntervalsInOrderOfTheirFirstUse) {
  FieldType type = getType({0}, {8});
  BufferSlots slots = shareBuffers({{type, 7, 9}, {type, 1, 3}});
  EXPECT_EQ(slots.slotOf, Slots({0, 0}));
}

TEST_F(BufferSharingTest, ALargerBoxHoldsASmallerOneOnly) {
  FieldType large = getType({-1, 0}, {9, 8}), small = getType({0, 0}, {8, 8});
  EXPECT_EQ(shareBuffers({{large, 1, 2}, {small, 3, 4}}).slotOf, Slots({0, 0}));
  EXPECT_EQ(shareBuffers({{small, 1, 2}, {large, 3, 4}}).slotOf, Slots({0, 1}));
}

TEST_F(BufferSharingTest, OneElementTypeAndRank) {
  FieldType type = getType({0}, {8});
  FieldType other =
      FieldType::get(type.getBounds(), mlir::Float32Type::get(&context));
  EXPECT_EQ(shareBuffers(
                {{type, 1, 2}, {other, 3, 4}, {getType({0, 0}, {8, 8}), 5, 6}})
                .slotOf,
            Slots({0, 1, 2}));
}

TEST_F(BufferSharingTest, AnExtentMayBeSmallerThanAnyNumber) {
  FieldType symbolic = getType({0}, {makeSymbolic(0)});
  FieldType inside = getType({1}, {makeSymbolic(-1)});
  FieldType fixed = getType({0}, {8});
  EXPECT_EQ(shareBuffers({{symbolic, 1, 2}, {inside, 3, 4}}).slotOf,
            Slots({0, 0}));
  EXPECT_EQ(shareBuffers({{symbolic, 1, 2}, {fixed, 3, 4}}).slotOf,
            Slots({0, 1}));
}

} // namespace
