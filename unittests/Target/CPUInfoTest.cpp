//===- CPUInfoTest.cpp - What is known of processors ----------------------===//

#include "StencilDialect/Target/CPUInfo.h"
#include "StencilDialect/Target/Codegen.h"
#include "llvm/Target/TargetMachine.h"
#include "gtest/gtest.h"

using namespace stencil;

static constexpr uint64_t kKiB = 1024, kMiB = 1024 * kKiB;

TEST(CPUInfo, KnowsCachesByName) {
  EXPECT_EQ(getCPUInfo("sapphirerapids").getCacheShare(2), 2 * kMiB);
  EXPECT_EQ(getCPUInfo("znver4").getLastLevelBytes(), 32 * kMiB);
  EXPECT_EQ(getCPUInfo("neoverse-v2").getCacheShare(1), 64 * kKiB);
}

TEST(CPUInfo, VectorsOfMemoryAreNarrowWhereThatWasMeasured) {
  EXPECT_EQ(getCPUInfo("znver5").memoryVectorBits, 256u);
  EXPECT_EQ(getCPUInfo("znver4").memoryVectorBits, 0u);
  EXPECT_EQ(getCPUInfo("emeraldrapids").memoryVectorBits, 0u);
}

TEST(CPUInfo, PlanesAreKeptInTheCacheThatIsNear) {
  // Eight cores of two threads share 32 MiB.
  EXPECT_EQ(getCPUInfo("znver4").getWindowBytes(), 2 * kMiB);
  EXPECT_EQ(getCPUInfo("znver4").getOwnBytes(), kMiB);
  EXPECT_EQ(getCPUInfo("znver9").windowLevel, 3u);
  EXPECT_EQ(getCPUInfo("sapphirerapids").getWindowBytes(), 2 * kMiB);
  EXPECT_EQ(getCPUInfo("x86-64-v3").windowLevel, 2u);
}

TEST(CPUInfo, PlanesAreTogetherPlainlyWhereThatWasMeasured) {
  EXPECT_TRUE(getCPUInfo("znver5").jointPlanesPlain);
  EXPECT_FALSE(getCPUInfo("znver4").jointPlanesPlain);
  EXPECT_FALSE(getCPUInfo("emeraldrapids").jointPlanesPlain);
}

TEST(CPUInfo, ServersWithTilesAreKnownByTheirLastLevel) {
  EXPECT_EQ(getServerWithTiles("rocketlake", 60 * kMiB), "sapphirerapids");
  EXPECT_EQ(getServerWithTiles("rocketlake", 300 * kMiB), "emeraldrapids");
  EXPECT_EQ(getServerWithTiles("rocketlake", 480 * kMiB), "graniterapids");
  EXPECT_EQ(getServerWithTiles("rocketlake", 1024 * kMiB), "rocketlake");
  EXPECT_EQ(getServerWithTiles("sapphirerapids", 480 * kMiB), "sapphirerapids");
}

TEST(CPUInfo, FourRowsAreTogetherWhereThatWasMeasured) {
  EXPECT_EQ(getCPUInfo("znver5").jointRows, 4);
  EXPECT_EQ(getCPUInfo("graniterapids").jointRows, 4);
  EXPECT_EQ(getCPUInfo("emeraldrapids").jointRows, 2);
}

TEST(CPUInfo, UnknownNamesAreGeneric) {
  CPUInfo info = getCPUInfo("nobody-knows-it");
  EXPECT_EQ(info.getCacheShare(2), kMiB);
  EXPECT_EQ(info.getLastLevelBytes(), 32 * kMiB);
  EXPECT_FALSE(info.assumesCaches);
}

TEST(CPUInfo, CachesOfTheMachineComeFirst) {
  CPUInfo info = withCaches(getCPUInfo("znver4"), {{1, 32 * kKiB, 2, 64 * kKiB},
                                                   {3, kMiB, 4, 8 * kMiB}});
  EXPECT_FALSE(info.assumesCaches);
  EXPECT_EQ(info.getWindowBytes(), 256 * kKiB);
  EXPECT_EQ(info.getLastLevelBytes(), 8 * kMiB);
  EXPECT_EQ(info.getCacheShare(2), kMiB) << "there is none";
}

TEST(CPUInfo, CachesThatCannotBeReadAreAssumedAndNamed) {
  CPUInfo info = withCaches(getCPUInfo("x86-64-v3"), {});
  EXPECT_TRUE(info.assumesCaches);
  EXPECT_EQ(info.describeCaches(),
            "1024 KiB of cache for each core and 32 MiB of last-level cache");
}

#if defined(__x86_64__)
static CPUInfo describe(llvm::StringRef cpu) {
  auto machine = createTargetMachine(cpu);
  if (!machine) {
    ADD_FAILURE() << llvm::toString(machine.takeError());
    return {};
  }
  return describeCPU(**machine, /*isHost=*/false);
}

TEST(CPUInfo, RowsGoAroundTheCacheOfBothVendors) {
  EXPECT_TRUE(describe("znver4").streamsRows);
  EXPECT_TRUE(describe("sapphirerapids").streamsRows);
}

TEST(CPUInfo, WideVectorsAreThoseOfTheInstructionSet) {
  EXPECT_EQ(describe("sapphirerapids").vectorBits, 256u);
  EXPECT_EQ(describe("sapphirerapids").wideVectorBits, 512u);
  EXPECT_EQ(describe("haswell").wideVectorBits, 256u);
}
#endif
