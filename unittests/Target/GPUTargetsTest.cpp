//===- GPUTargetsTest.cpp - The table of targets --------------------------===//

#include "StencilDialect/Target/GPUTargets.h"
#include "gtest/gtest.h"

#include <set>

using namespace stencil;

// Programs that were compiled have the numbers.
TEST(GPUTargets, HaveTheNumbersOfTheRuntime) {
  EXPECT_EQ(findGPUTarget("cuda")->backend, 0);
  EXPECT_EQ(findGPUTarget("hip")->backend, 1);
  EXPECT_EQ(findGPUTarget("emulator")->backend, 2);
  EXPECT_EQ(findGPUTarget("cpu"), nullptr);
  EXPECT_EQ(findGPUTarget(""), nullptr);
}

TEST(GPUTargets, AreOnesOfAllVendors) {
  std::set<int32_t> numbers;
  for (const GPUTarget &target : getGPUTargets())
    EXPECT_TRUE(numbers.insert(target.backend).second) << target.name.str();
  for (const VendorInfo &info : getVendors()) {
    const GPUTarget &target = getGPUTarget(info.vendor);
    EXPECT_EQ(target.vendor, &info);
    EXPECT_EQ(target.name, info.runtime);
    EXPECT_EQ(&chooseGPUTarget(info.vendor, /*emulate=*/false), &target);
    EXPECT_TRUE(chooseGPUTarget(info.vendor, /*emulate=*/true).isEmulator());
  }
}

// What options and messages name is there.
TEST(GPUTargets, ExampleChipsAreDescribed) {
  for (const VendorInfo &info : getVendors()) {
    llvm::Expected<const TargetInfo &> chip = getTargetInfo(info.exampleChip);
    ASSERT_TRUE(static_cast<bool>(chip)) << info.name.str();
    EXPECT_TRUE(chip->exact);
    EXPECT_EQ(chip->vendor, info.vendor);
  }
}

TEST(GPUTargets, AreListed) {
  EXPECT_EQ(listGPUTargets(), "cuda, hip or emulator");
  EXPECT_EQ(listGPUTargets({"cpu"}), "cpu, cuda, hip or emulator");
  EXPECT_EQ(getEmulator().getExampleChips(), "sm_90 or gfx942");
  EXPECT_EQ(findGPUTarget("hip")->getExampleChips(), "gfx942");
}

// As blocks of a multiprocessor, or warps of each of its four units.
TEST(Vendors, CountLaunchBounds) {
  const LaunchBounds &blocks = getVendorInfo(GPUVendor::NVIDIA).launchBounds;
  EXPECT_EQ(blocks.count(/*blocks=*/3, /*threads=*/256, /*warpSize=*/32), 3);
  const LaunchBounds &waves = getVendorInfo(GPUVendor::AMD).launchBounds;
  EXPECT_EQ(waves.count(3, 256, 64), 3);
  EXPECT_EQ(waves.count(3, 320, 64), 4);
  EXPECT_EQ(waves.count(1, 64, 64), 1);
}
