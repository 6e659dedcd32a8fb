//===- RingTest.cpp - Planes in shared memory -----------------------------===//

#include "StencilDialect/Tile/Tile.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace stencil;
using namespace stencil::tile;

namespace {

class RingTest : public testing::Test {
protected:
  RingTest() : builder(&context) { context.loadDialect<TileDialect>(); }

  BoundsAttr box(ArrayRef<int64_t> lower, ArrayRef<int64_t> upper) {
    return BoundsAttr::get(&context, lower, upper);
  }
  /// A ring with the pitch that one has if nobody gives it.
  RingType get(int64_t slots, BoundsAttr box, Type element,
               Fill fill = Fill::Threads) {
    return RingType::get(&context, slots, box, element,
                         RingType::getDefaultPitch(box, element, fill), fill);
  }
  bool isValid(int64_t slots, BoundsAttr box, Type element, int64_t pitch,
               Fill fill = Fill::Threads) {
    ScopedDiagnosticHandler quiet(&context, [](Diagnostic &) {});
    Location loc = UnknownLoc::get(&context);
    return static_cast<bool>(
        RingType::getChecked([&] { return emitError(loc); }, &context, slots,
                             box, element, pitch, fill));
  }

  MLIRContext context;
  Builder builder;
};

} // namespace

// Rows are rounded up to 32 bytes, but for the copy engine, which has no gaps.
TEST_F(RingTest, Pitch) {
  BoundsAttr row = box({0, -1}, {1, 33});
  EXPECT_EQ(RingType::getDefaultPitch(row, builder.getF64Type(), Fill::Async),
            36);
  EXPECT_EQ(RingType::getDefaultPitch(row, builder.getF32Type(), Fill::Async),
            40);
  EXPECT_EQ(RingType::getDefaultPitch(row, builder.getI8Type(), Fill::Threads),
            64);
  EXPECT_EQ(RingType::getDefaultPitch(row, builder.getF64Type(), Fill::Tma),
            34);
}

TEST_F(RingTest, StridesAndSlots) {
  RingType ring = get(4, box({0, -1, -1}, {1, 9, 33}), builder.getF64Type());
  EXPECT_EQ(ring.getPlaces().strides, (SmallVector<int64_t>{360, 36, 1}));
  // 360 elements are 2880 bytes: 22.5 times 128.
  EXPECT_EQ(ring.getSlotElements(), 368);
  EXPECT_EQ(ring.getBytes(), 4 * 368 * 8);
  // Of one axis, the row is all.
  RingType line = get(1, box({-2}, {40}), builder.getF32Type());
  EXPECT_EQ(line.getPlaces().strides, (SmallVector<int64_t>{1}));
  EXPECT_EQ(line.getSlotElements(), 64);
  EXPECT_EQ(line.getBytes(), 256);
}

TEST_F(RingTest, SlotsBeginAtMultiplesOf128Bytes) {
  for (Type element : {Type(builder.getI8Type()), Type(builder.getF16Type()),
                       Type(builder.getF32Type()), Type(builder.getF64Type())})
    for (int64_t extent = 1; extent < 70; ++extent) {
      RingType ring = get(2, box({0, 0}, {3, extent}), element);
      int64_t bytes = ring.getBytes() / 2;
      EXPECT_EQ(bytes % 128, 0);
      EXPECT_GE(ring.getSlotElements(), 3 * ring.getPitch());
      EXPECT_LT(ring.getSlotElements(), 3 * ring.getPitch() + 128);
    }
}

TEST_F(RingTest, Invalid) {
  Type f64 = builder.getF64Type();
  BoundsAttr row = box({0}, {32});
  EXPECT_TRUE(isValid(1024, row, f64, 32));
  EXPECT_FALSE(isValid(0, row, f64, 32));
  EXPECT_FALSE(isValid(1025, row, f64, 32));
  EXPECT_FALSE(isValid(1, row, f64, 31));
  EXPECT_TRUE(isValid(1, row, builder.getIndexType(), 32));
  EXPECT_FALSE(isValid(1, row, builder.getIndexType(), 32, Fill::Async));
  EXPECT_FALSE(isValid(1, row, builder.getIntegerType(256), 32));
  EXPECT_TRUE(isValid(1, row, builder.getIntegerType(128), 32));
  // Together at most 16 MiB, so that no sum of them overflows.
  EXPECT_TRUE(isValid(2, box({0, 0}, {1024, 1024}), f64, 1024));
  EXPECT_FALSE(isValid(3, box({0, 0}, {1024, 1024}), f64, 1024));
  EXPECT_FALSE(isValid(1, row, f64, INT64_MAX));
  EXPECT_FALSE(isValid(1, box({0, 0}, {kMaxBound, 32}), f64, 32));
  EXPECT_FALSE(isValid(1, box({kMaxBound - 32}, {kMaxBound}), f64, 32));
}

// Segments begin at multiples of their length, also before the tile.
TEST_F(RingTest, Gaps) {
  BoundsAttr line = box({-4}, {20});
  Type f64 = builder.getF64Type();
  // Gaps of 4 elements before 0, 8 and 16.
  int64_t pitch = RingType::getDefaultPitch(line, f64, Fill::Async,
                                            /*segment=*/8, /*gap=*/4);
  EXPECT_EQ(pitch, 24 + 3 * 4);
  auto ring = RingType::get(&context, 1, line, f64, pitch, Fill::Async,
                            int64_t(0), int64_t(0), int64_t(8), int64_t(4));
  RingPlaces places = ring.getPlaces();
  EXPECT_EQ(places.getDistance({7}, std::nullopt), 7);
  EXPECT_EQ(places.getDistance({8}, std::nullopt), 12);
  EXPECT_EQ(places.getDistance({17}, std::nullopt), 25);
  EXPECT_EQ(places.getDistance({-1}, std::nullopt), -5);
  EXPECT_EQ(places.getDistance({-9}, std::nullopt), -17);
  // The points of a plane of a walk along this axis are in slots.
  EXPECT_EQ(places.getDistance({8}, /*walk=*/0), 0);
  // What is read at once lies in a segment.
  EXPECT_EQ(ring.getVectorLength(8), 2);
  EXPECT_EQ(ring.getSlotElements(), 48);
}

// From the first point of the box on, gaps are where segments end.
TEST_F(RingTest, PlacesOfThreads) {
  context.loadDialect<arith::ArithDialect>();
  OwningOpRef<ModuleOp> module = ModuleOp::create(UnknownLoc::get(&context));
  OpBuilder inModule = OpBuilder::atBlockBegin(module->getBody());
  Arithmetic math(inModule, UnknownLoc::get(&context), inModule.getIndexType());
  RingPlaces places{{1}, /*segment=*/8, /*gap=*/4};
  for (int64_t along = 0; along < 40; ++along) {
    Value place = places.findPlace(math, 0, math.constant(along), /*first=*/-4);
    APInt found;
    ASSERT_TRUE(matchPattern(place, m_ConstantInt(&found)));
    EXPECT_EQ(found.getSExtValue(),
              places.getDistance({along - 4}, std::nullopt) -
                  places.getDistance({-4}, std::nullopt));
  }
}

// What the copy engine can do: cuTensorMapEncodeTiled.
TEST_F(RingTest, Tma) {
  Type f64 = builder.getF64Type();
  EXPECT_TRUE(isValid(1, box({0}, {256}), f64, 256, Fill::Tma));
  EXPECT_FALSE(isValid(1, box({0}, {258}), f64, 258, Fill::Tma));
  // Rows of a multiple of 16 bytes, without a gap.
  EXPECT_FALSE(isValid(1, box({0}, {33}), f64, 33, Fill::Tma));
  EXPECT_FALSE(isValid(1, box({0}, {32}), f64, 34, Fill::Tma));
  EXPECT_TRUE(isValid(1, box({0}, {16}), builder.getI8Type(), 16, Fill::Tma));
  EXPECT_FALSE(
      isValid(1, box({0}, {16}), builder.getIntegerType(7), 16, Fill::Tma));
  SmallVector<int64_t> lower(5, 0), upper(5, 2);
  EXPECT_TRUE(isValid(1, box(lower, upper), f64, 2, Fill::Tma));
  lower.push_back(0), upper.push_back(2);
  EXPECT_FALSE(isValid(1, box(lower, upper), f64, 2, Fill::Tma));
}

// Of 8 rows of a thread, the first two and the last two are there, and two more
// beside those of all threads; of 4 or fewer, all are.
TEST_F(RingTest, Edges) {
  auto make = [&](int64_t rows) {
    BoundsAttr around = box({0, -2, 0}, {1, 16 + 2, 32});
    return RingType::get(&context, 2, around, builder.getF64Type(), 32,
                         Fill::Stage, /*edge=*/2, rows);
  };
  RingType ring = make(8);
  EXPECT_EQ(ring.countStoredRows(8), 4);
  EXPECT_EQ(ring.findStoredRow(-2), -2);
  EXPECT_EQ(ring.findStoredRow(1), 1);
  EXPECT_EQ(ring.findStoredRow(2), std::nullopt);
  EXPECT_EQ(ring.findStoredRow(5), std::nullopt);
  EXPECT_EQ(ring.findStoredRow(6), 2);
  // The first row of the next thread.
  EXPECT_EQ(ring.findStoredRow(8), 4);
  EXPECT_EQ(ring.getSlotElements(), (2 + 2 * 4 + 2) * 32);
  EXPECT_EQ(make(4).findStoredRow(2), 2);
  EXPECT_EQ(make(4).getSlotElements(), (2 + 16 + 2) * 32);
  EXPECT_EQ(make(1).findStoredRow(3), 3);
}
