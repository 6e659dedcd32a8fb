//===- TargetInfoTest.cpp - Descriptions of GPUs --------------------------===//

#include "StencilDialect/Target/TargetInfo.h"

#include "gtest/gtest.h"

using namespace stencil;

static const TargetInfo &get(llvm::StringRef chip) {
  llvm::Expected<const TargetInfo &> info = getTargetInfo(chip);
  EXPECT_TRUE(static_cast<bool>(info)) << chip.str();
  return info ? *info : llvm::cantFail(getTargetInfo("sm_80"));
}

TEST(TargetInfo, DescribesEveryNumber) {
  EXPECT_EQ(getDescribedChips().size(), 6U);
  for (llvm::StringRef chip : getDescribedChips()) {
    const TargetInfo &info = get(chip);
    EXPECT_TRUE(info.exact) << chip.str();
    EXPECT_EQ(info.chip, chip);
    EXPECT_EQ(info.threadsPerBlock, 1024U);
    EXPECT_EQ(info.threadsPerMultiprocessor % info.warpSize, 0U);
    EXPECT_GE(info.sharedPerMultiprocessor, info.sharedPerBlock);
    EXPECT_GE(info.sharedPerBlock, info.staticSharedPerBlock);
    EXPECT_GE(info.vectorBytes, 16U);
    EXPECT_GT(info.multiprocessors, 0U);
    EXPECT_GT(info.l2Bytes, 0U);
    EXPECT_GT(info.dramBandwidth, 1e12);
    EXPECT_GE(info.fp32, info.fp64);
    EXPECT_GE(info.fp64Matrix, info.fp64);
    EXPECT_FALSE(info.matrixInstructions.empty());
  }
}

TEST(TargetInfo, LimitsOfNVIDIA) {
  EXPECT_EQ(get("sm_80").sharedPerBlock, 166912U);
  EXPECT_EQ(get("sm_90").sharedPerBlock, 232448U);
  EXPECT_EQ(get("sm_90").sharedPerMultiprocessor, 233472U);
  EXPECT_EQ(get("sm_90").registersPerThread, 255U);
  EXPECT_EQ(get("sm_90").warpSize, 32U);
  EXPECT_EQ(get("sm_100").vectorBytes, 32U);
}

TEST(TargetInfo, LimitsOfAMD) {
  EXPECT_EQ(get("gfx90a").warpSize, 64U);
  EXPECT_EQ(get("gfx942").sharedPerBlock, 65536U);
  EXPECT_EQ(get("gfx950").sharedPerBlock, 163840U);
  EXPECT_EQ(get("gfx942").registersPerThread, 512U);
}

TEST(TargetInfo, MatrixInstructionsAndCopies) {
  using E = MatrixElement;
  auto has = [](const char *chip, unsigned m, unsigned n, unsigned k, E type) {
    return llvm::any_of(get(chip).matrixInstructions, [&](const auto &each) {
      return each.m == m && each.n == n && each.k == k && each.operand == type;
    });
  };
  EXPECT_TRUE(has("sm_80", 8, 8, 4, E::F64));
  EXPECT_FALSE(has("sm_80", 16, 8, 4, E::F64));
  EXPECT_TRUE(has("sm_90", 16, 8, 16, E::F64));
  EXPECT_TRUE(has("gfx942", 16, 16, 4, E::F64));
  EXPECT_FALSE(has("gfx950", 16, 16, 8, E::TF32));
  EXPECT_TRUE(get("sm_80").hasAsyncCopy(AsyncCopyElements));
  EXPECT_FALSE(get("sm_80").hasAsyncCopy(AsyncCopyTensor));
  EXPECT_TRUE(get("sm_90").hasAsyncCopy(AsyncCopyTensor));
  EXPECT_TRUE(get("gfx950").hasAsyncCopy(AsyncCopyToLDS16));
  EXPECT_FALSE(get("gfx942").hasAsyncCopy(AsyncCopyToLDS16));
}

TEST(TargetInfo, Capabilities) {
  EXPECT_EQ(get("sm_90").threadsAlongZ, 64U);
  EXPECT_EQ(get("gfx942").threadsAlongZ, 1024U);
  EXPECT_EQ(get("sm_80").constantBytes, 65536U);
  EXPECT_EQ(get("gfx90a").constantBytes, UINT64_MAX);
  EXPECT_TRUE(get("sm_75").hasL2Prefetch);
  EXPECT_FALSE(get("gfx950").hasL2Prefetch);
  EXPECT_FALSE(get("sm_75").hasEvictionPolicies);
  EXPECT_TRUE(get("sm_80").hasEvictionPolicies);
  EXPECT_FALSE(get("gfx942").hasEvictionPolicies);
  EXPECT_FALSE(get("sm_75").replacesAsyncCopies);
  EXPECT_TRUE(get("gfx942").replacesAsyncCopies);
  EXPECT_EQ(get("sm_75").matrixForm, MatrixForm::MmaSync);
  EXPECT_FALSE(get("sm_90").roundsTF32);
  EXPECT_EQ(get("gfx1100").matrixForm, MatrixForm::Mfma);
  EXPECT_TRUE(get("gfx942").roundsTF32);
  EXPECT_TRUE(get("sm_75").hasMeasuredBlocks);
  EXPECT_FALSE(get("gfx90a").hasMeasuredBlocks);
  EXPECT_EQ(get("sm_90").ptxFeature, "+ptx80");
  EXPECT_EQ(get("sm_86").ptxFeature, "+ptx74");
  EXPECT_EQ(get("sm_90a").ptxFeature, "");
}

TEST(TargetInfo, IsMadeOnce) {
  EXPECT_EQ(&get("sm_86"), &get("sm_86"));
  EXPECT_NE(&get("sm_90"), &get("sm_90a"));
}

TEST(TargetInfo, Vendors) {
  EXPECT_EQ(getVendorOfChip("sm_90a"), GPUVendor::NVIDIA);
  EXPECT_EQ(getVendorOfChip("gfx942"), GPUVendor::AMD);
  EXPECT_EQ(getVendorOfChip("cpu"), std::nullopt);
}

TEST(TargetInfo, FeatureSuffix) {
  const TargetInfo &info = get("sm_90a");
  EXPECT_TRUE(info.exact);
  EXPECT_EQ(info.chip, "sm_90a");
  EXPECT_EQ(info.sharedPerBlock, get("sm_90").sharedPerBlock);
  EXPECT_TRUE(get("sm_100f").exact);
}

TEST(TargetInfo, ConservativeForTheRest) {
  const TargetInfo &ada = get("sm_86");
  EXPECT_FALSE(ada.exact);
  EXPECT_EQ(ada.vendor, GPUVendor::NVIDIA);
  EXPECT_EQ(ada.sharedPerBlock, 49152U);
  EXPECT_TRUE(ada.hasAsyncCopy(AsyncCopyElements));
  EXPECT_FALSE(get("sm_75").hasAsyncCopy(AsyncCopyElements));
  EXPECT_TRUE(get("sm_120a").hasAsyncCopy(AsyncCopyTensor));
  EXPECT_FALSE(get("gfx1100").exact);
  EXPECT_EQ(get("gfx1100").warpSize, 32U);
  EXPECT_EQ(get("gfx906").warpSize, 64U);
}

TEST(TargetInfo, UnknownChips) {
  for (const char *chip : {"", "sm_", "sm_91", "sm_90 ", "90", "gfx", "gfx943",
                           "gfx90", "generic", "fiji", "x86-64", "SM_90"}) {
    llvm::Expected<const TargetInfo &> info = getTargetInfo(chip);
    ASSERT_FALSE(static_cast<bool>(info)) << chip;
    llvm::StringRef expected =
        "expected the chip of a GPU that LLVM knows, such as sm_80, sm_90, "
        "sm_100, gfx90a, gfx942 or gfx950, or a product (v100, ";
    std::string message = llvm::toString(info.takeError());
    EXPECT_TRUE(llvm::StringRef(message).starts_with(expected)) << message;
    EXPECT_TRUE(llvm::StringRef(message).ends_with(", mi355x), got '" +
                                                   std::string(chip) + "'"))
        << message;
  }
}
