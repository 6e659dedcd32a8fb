//===- MachineTest.cpp - What the machine at hand can do ------------------===//

#include "StencilDialect/Support/Machine.h"

#include "TestSupport.h"

#include <cstdint>

using namespace stencil;

static constexpr int64_t kMax = INT64_MAX;

TEST(Machine, MemoryIsPlausible) {
  uint64_t available = getAvailableMemory();
  EXPECT_GT(available, uint64_t(16) << 20);
  EXPECT_LT(available, uint64_t(1) << 50);
}

TEST(Machine, RefusesWhatDoesNotFit) {
  EXPECT_EQ(message(checkFitsInMemory(1 << 20, "x")), "success");
  std::string refusal =
      message(checkFitsInMemory(uint64_t(4096) << 30, "field '%arg0'"));
  EXPECT_TRUE(
      llvm::StringRef(refusal).starts_with("field '%arg0': expected at most "))
      << refusal;
  EXPECT_TRUE(
      llvm::StringRef(refusal).ends_with(" GiB of memory, got 4096.0 GiB"))
      << refusal;
  EXPECT_NE(message(checkFitsInMemory(UINT64_MAX, "x")), "success");
}

TEST(Machine, ByteSizeDoesNotOverflow) {
  EXPECT_EQ(getByteSize({}, 8), 8u);
  EXPECT_EQ(getByteSize({3, 4}, 8), 96u);
  EXPECT_EQ(getByteSize({kMax}, 1), uint64_t(kMax));
  EXPECT_EQ(getByteSize({kMax}, 2), std::nullopt);
  EXPECT_EQ(getByteSize({int64_t(1) << 32, int64_t(1) << 32}, 1), std::nullopt);
  EXPECT_EQ(getByteSize({int64_t(1) << 60}, 8), std::nullopt);
  EXPECT_EQ(getByteSize({kMax, kMax, 0}, 8), 0u);
  EXPECT_EQ(getByteSize({-1, 0}, 8), std::nullopt);
}

TEST(Machine, ProcessorIsPlausible) {
  EXPECT_GE(getNumUsableCpus(), 1u);
  EXPECT_GE(getLastLevelCacheSize(), uint64_t(1) << 18);
  EXPECT_LE(getLastLevelCacheSize(), uint64_t(1) << 36);
}

TEST(Machine, TriadMeasuresBandwidth) {
  TriadOptions options;
  options.arrayBytes = 8 << 20;
  options.repeats = 3;
  for (unsigned threads : {1u, 2u, 3u}) {
    options.threads = threads;
    TriadBandwidth bandwidth = measureTriadBandwidth(options);
    for (double kind : {bandwidth.plain, bandwidth.streamed}) {
      EXPECT_GT(kind, 1e8);
      EXPECT_LT(kind, 1e14);
      EXPECT_LE(kind, bandwidth.getBest());
    }
  }
}

TEST(Machine, TriadRefusesTooLargeArrays) {
  TriadOptions options;
  options.arrayBytes = uint64_t(1) << 60;
  EXPECT_EQ(measureTriadBandwidth(options).getBest(), 0);
}
