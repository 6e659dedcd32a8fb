//===- PtxasLogTest.cpp - What ptxas says ---------------------------------===//

#include "KernelSerializer.h"

#include "gtest/gtest.h"

using namespace stencil;

TEST(PtxasLog, ResourcesOfEachKernel) {
  std::vector<KernelResources> kernels = parsePtxasLog(
      "ptxas info    : 0 bytes gmem\n"
      "ptxas info    : Compiling entry function 'b' for 'sm_90'\n"
      "ptxas info    : Function properties for b\n"
      "    16 bytes stack frame, 8 bytes spill stores, 24 bytes spill loads\n"
      "ptxas info    : Used 255 registers, used 1 barriers, 8192 bytes smem\n"
      "ptxas info    : Compile time = 12.000 ms\n"
      "ptxas info    : Compiling entry function 'a' for 'sm_90'\n"
      "ptxas info    : Function properties for a\n"
      "    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads\n"
      "ptxas info    : Used 10 registers, 376 bytes cmem[0]\n"
      "ptxas info    : Function properties for helper\n"
      "    96 bytes stack frame, 4 bytes spill stores, 4 bytes spill loads\n");
  ASSERT_EQ(kernels.size(), 2U);
  EXPECT_EQ(kernels[0].kernel, "a");
  EXPECT_EQ(kernels[0].registers, 10U);
  EXPECT_EQ(kernels[0].sharedBytes, 0U);
  EXPECT_FALSE(kernels[0].spills());
  EXPECT_EQ(kernels[1].kernel, "b");
  EXPECT_EQ(kernels[1].registers, 255U);
  EXPECT_EQ(kernels[1].stackBytes, 16U);
  EXPECT_EQ(kernels[1].spillStores, 8U);
  EXPECT_EQ(kernels[1].spillLoads, 24U);
  EXPECT_EQ(kernels[1].sharedBytes, 8192U);
  EXPECT_TRUE(kernels[1].spills());
}

TEST(PtxasLog, AnotherText) {
  EXPECT_TRUE(parsePtxasLog("").empty());
  EXPECT_TRUE(parsePtxasLog("ptxas warning : something\n").empty());
  std::vector<KernelResources> kernels =
      parsePtxasLog("Compiling entry function 'k' for 'sm_90'\n bytes stack "
                    "frame, x bytes spill stores\n: Used registers\n");
  ASSERT_EQ(kernels.size(), 1U);
  EXPECT_EQ(kernels[0].registers, 0U);
}
