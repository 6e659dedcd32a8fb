//===- BankTest.cpp - Conflicts for the banks of shared memory ------------===//

#include "../../runtime/emulator/Banks.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "gtest/gtest.h"

using namespace stencil::runtime::emulator;

namespace {

/// What is told of a warp whose lanes access `bytes` bytes each.
std::string count(llvm::function_ref<size_t(uint32_t)> getOffset, size_t bytes,
                  uint32_t lanes) {
  BankStatistics statistics;
  BankCounter counter(statistics, "k", /*warpSize=*/lanes);
  for (uint32_t lane = 0; lane < lanes; ++lane)
    counter.note(/*warp=*/0, lane, "f.mlir:1:2", getOffset(lane), bytes);
  counter.flush();
  std::string text = statistics.print();
  return text.substr(0, text.find('\n'));
}

/// The same, `stride` apart.
std::string count(size_t bytes, size_t stride, uint32_t lanes = 32) {
  return count([&](uint32_t lane) { return lane * stride; }, bytes, lanes);
}

std::string expected(int passes, int conflicts) {
  return "emulator: kernel k: 1 accesses of warps to shared memory in " +
         std::to_string(passes) + " passes, " + std::to_string(conflicts) +
         " of them for bank conflicts";
}

TEST(BankTest, OneWordPerLane) {
  EXPECT_EQ(count(4, 4), expected(1, 0));
  // All the same word.
  EXPECT_EQ(count(4, 0), expected(1, 0));
  EXPECT_EQ(count(4, 8), expected(2, 1));
  EXPECT_EQ(count(4, 12), expected(1, 0));
  EXPECT_EQ(count(4, 128), expected(32, 31));
  EXPECT_EQ(count(4, 132), expected(1, 0));
  EXPECT_EQ(count(2, 2), expected(1, 0));
}

TEST(BankTest, WideAccessesTakeTurns) {
  EXPECT_EQ(count(8, 8), expected(2, 0));
  EXPECT_EQ(count(8, 16), expected(4, 2));
  EXPECT_EQ(count(16, 16), expected(4, 0));
  EXPECT_EQ(count(16, 32), expected(8, 4));
}

TEST(BankTest, HalvesOf64LanesTakeTurns) {
  EXPECT_EQ(count(4, 4, 64), expected(2, 0));
  EXPECT_EQ(count(4, 8, 64), expected(4, 2));
  EXPECT_EQ(count(8, 8, 64), expected(4, 0));
  EXPECT_EQ(count(8, 16, 64), expected(8, 4));
  EXPECT_EQ(count(16, 16, 64), expected(8, 0));
  // The second 16 lanes are in the banks that the first ones leave free.
  EXPECT_EQ(
      count(
          [](uint32_t lane) { return 16 * (lane % 16) + 8 * (lane / 16 % 2); },
          8, 64),
      expected(4, 0));
}

TEST(BankTest, AccessesAreToldApart) {
  BankStatistics statistics;
  BankCounter counter(statistics, "k", /*warpSize=*/32);
  for (uint32_t warp = 0; warp < 2; ++warp)
    for (uint32_t lane = 0; lane < 32; ++lane)
      for (size_t visit = 0; visit < 3; ++visit) {
        counter.note(warp, lane, "a", 4 * lane + 128 * visit, 4);
        counter.note(warp, lane, "b", 128 * lane, 4);
      }
  counter.flush();
  // Behind a barrier, lanes that have come more often are even again.
  counter.note(0, 0, "a", 0, 4);
  counter.flush();
  for (uint32_t lane = 0; lane < 32; ++lane)
    counter.note(0, lane, "a", 4 * lane, 4);
  counter.flush();
  EXPECT_EQ(statistics.print(),
            "emulator: kernel k: 14 accesses of warps to shared memory in 200 "
            "passes, 186 of them for bank conflicts\n"
            "emulator:   b: 6 accesses of warps to shared memory in 192 "
            "passes, 186 of them for bank conflicts\n"
            "emulator:   a: 8 accesses of warps to shared memory in 8 passes, "
            "0 of them for bank conflicts\n");
}

} // namespace
