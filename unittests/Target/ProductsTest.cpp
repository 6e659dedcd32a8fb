//===- ProductsTest.cpp - GPUs as they are sold ---------------------------===//

#include "StencilDialect/Target/Products.h"
#include "llvm/ADT/StringExtras.h"

#include "gtest/gtest.h"

#include <set>

using namespace stencil;

static const TargetInfo &get(llvm::StringRef name) {
  return llvm::cantFail(getTargetInfo(name));
}

TEST(Products, NameArchitecturesAndFigures) {
  EXPECT_GE(getProducts().size(), 30U);
  std::set<std::string> names;
  for (const Product &product : getProducts()) {
    SCOPED_TRACE(product.name);
    EXPECT_TRUE(names.insert(product.name).second);
    EXPECT_EQ(product.name, llvm::StringRef(product.name).lower());
    EXPECT_FALSE(getVendorOfChip(product.name));
    EXPECT_TRUE(hasArchitecture(product.chip));
    EXPECT_GT(product.multiprocessors, 0U);
    EXPECT_GT(product.clock, 1e9);
    EXPECT_GT(product.l2Bytes, 0U);
    EXPECT_GT(product.dramBytes, product.l2Bytes);
    EXPECT_GT(product.dramBandwidth, 1e11);
    EXPECT_LT(product.measuredBandwidth, product.dramBandwidth);
    const TargetInfo &info = get(product.name);
    EXPECT_TRUE(info.exact);
    EXPECT_EQ(info.chip, product.chip);
    EXPECT_EQ(info.getName(), product.name);
    EXPECT_EQ(info.dramBandwidth, product.dramBandwidth);
    EXPECT_GT(info.fp64, 0);
    EXPECT_GE(info.fp32, info.fp64);
    EXPECT_GT(info.l2Bandwidth, info.dramBandwidth);
    EXPECT_GT(info.getCopyBandwidth(), 0);
    EXPECT_LE(info.getCopyBandwidth(), info.dramBandwidth);
  }
}

TEST(Products, InAnyCase) {
  EXPECT_EQ(&get("H100"), &get("h100"));
  EXPECT_EQ(&get("MI300X"), &get("mi300x"));
}

TEST(Products, FiguresOfTheirOwn) {
  EXPECT_EQ(get("h100").getCopyBandwidth(), 3020e9);
  EXPECT_EQ(get("h100").l2Bytes, 50U << 20);
  EXPECT_EQ(get("h100").measuredMatrix64, get("sm_90").measuredMatrix64);
  EXPECT_NEAR(get("h100-pcie").fp64, 25.6e12, 0.1e12);
  EXPECT_EQ(get("h100-pcie").multiprocessors, 114U);
  EXPECT_NEAR(get("rtx-4090").fp32, 82.6e12, 0.5e12);
  EXPECT_NEAR(get("mi250x").fp64, 23.9e12, 0.1e12);
  // 0.85 of the peak where nothing was measured.
  EXPECT_EQ(get("a100").getCopyBandwidth(), 0.85 * 2039e9);
}

// What a chip stands for: its records are of it.
TEST(Products, ChipsStandForOne) {
  const TargetInfo &chip = get("sm_90"), &product = get("h200");
  EXPECT_EQ(chip.product, "");
  EXPECT_EQ(chip.getName(), "sm_90");
  EXPECT_EQ(chip.measuredBandwidth, product.measuredBandwidth);
  EXPECT_EQ(chip.fp64, product.fp64);
  EXPECT_EQ(chip.l2Bytes, product.l2Bytes);
  EXPECT_EQ(chip.l2Bandwidth, product.l2Bandwidth);
  constexpr std::pair<const char *, const char *> kPairs[] = {
      {"sm_80", "a100"},    {"sm_90", "h200"},    {"sm_100", "b200"},
      {"gfx90a", "mi250x"}, {"gfx942", "mi300x"}, {"gfx950", "mi355x"}};
  for (auto [chip, product] : kPairs) {
    EXPECT_EQ(get(chip).multiprocessors, get(product).multiprocessors) << chip;
    EXPECT_EQ(get(chip).clock, get(product).clock) << chip;
    EXPECT_EQ(get(chip).l2Bytes, get(product).l2Bytes) << chip;
    EXPECT_EQ(get(chip).dramBandwidth, get(product).dramBandwidth) << chip;
    EXPECT_EQ(get(chip).measuredBandwidth, get(product).measuredBandwidth)
        << chip;
    EXPECT_EQ(get(chip).fp32, get(product).fp32) << chip;
  }
}

static std::string find(const char *chip, const char *name,
                        unsigned multiprocessors, uint64_t clock = 0,
                        unsigned bits = 0) {
  const Product *product =
      findProduct({chip, name, multiprocessors, clock, bits});
  return product ? product->name : "none";
}

TEST(Products, AreFoundByWhatTheDriverSays) {
  EXPECT_EQ(find("sm_90", "NVIDIA H100 80GB HBM3", 132, 2619000, 5120), "h100");
  EXPECT_EQ(find("sm_90", "NVIDIA H100 NVL", 132, 2619000, 6016), "h100-nvl");
  EXPECT_EQ(find("sm_90", "NVIDIA H100 PCIe", 114, 1593000, 5120), "h100-pcie");
  EXPECT_EQ(find("sm_90", "NVIDIA H200", 132, 3201000, 6144), "h200");
  EXPECT_EQ(find("sm_90", "NVIDIA H200 NVL", 132, 3201000, 6144), "h200-nvl");
  EXPECT_EQ(find("sm_80", "NVIDIA A100-SXM4-80GB", 108, 1593000, 5120), "a100");
  EXPECT_EQ(find("sm_80", "NVIDIA A100-PCIE-40GB", 108, 1215000, 5120),
            "a100-40gb");
  EXPECT_EQ(find("sm_89", "NVIDIA L40S", 142, 9001000, 384), "l40s");
  EXPECT_EQ(find("sm_89", "NVIDIA L40", 142, 9001000, 384), "l40");
  EXPECT_EQ(find("sm_86", "NVIDIA RTX A6000", 84, 8001000, 384), "rtx-a6000");
  EXPECT_EQ(find("gfx942", "AMD Instinct MI300X", 304, 1300000, 8192),
            "mi300x");
  EXPECT_EQ(find("gfx942", "AMD Instinct MI325X", 304), "mi325x");
  // A part of a device, one with other memory, another chip.
  EXPECT_EQ(find("sm_90", "NVIDIA H100 80GB HBM3 MIG 1g.10gb", 16), "none");
  EXPECT_EQ(find("sm_90", "NVIDIA H100", 132, 1000000, 5120), "none");
  EXPECT_EQ(find("sm_70", "NVIDIA H200", 132), "none");
}

TEST(Products, CanBeAdded) {
  Product product = getProducts().front();
  product.name = "of-a-test";
  product.chip = "sm_90";
  product.measuredFp64 = 1e12;
  EXPECT_FALSE(static_cast<bool>(addProduct(product)));
  EXPECT_EQ(get("of-a-test").measuredFp64, 1e12);
  EXPECT_EQ(get("of-a-test").chip, "sm_90");
  auto expectRefused = [&](const char *name, const char *chip,
                           const char *message) {
    product.name = name;
    product.chip = chip;
    EXPECT_EQ(llvm::toString(addProduct(product)), message);
  };
  expectRefused("h100", "sm_90",
                "expected a new name of a GPU, in lower case, got 'h100'");
  expectRefused("Upper", "sm_90",
                "expected a new name of a GPU, in lower case, got 'Upper'");
  expectRefused("other", "sm_75",
                "expected a chip whose architecture is described, got "
                "'sm_75'");
}
