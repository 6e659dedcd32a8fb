//===- Products.cpp - GPUs as they are sold -------------------------------===//
//
// From the vendors' data sheets: NVIDIA's of V100, A100, A30, A10, A40, L4,
// L40, L40S, H100, H200, GH200 and B200, the architecture papers of GeForce RTX
// 30, 40 and 50 and of RTX PRO 6000; AMD's of the Instinct MI100 to MI355X.
// Clocks are the highest ones; of a product of two devices the figures are
// those of one.
//
//===----------------------------------------------------------------------===//

#include "StencilDialect/Target/Products.h"
#include "Architectures.h"
#include "StencilDialect/Target/Vendors.h"
#include "llvm/ADT/STLExtras.h"

#include <cassert>
#include <cmath>

using namespace llvm;
using namespace stencil;

//===----------------------------------------------------------------------===//
// The table
//===----------------------------------------------------------------------===//

namespace {
/// A line of the table, in the units of data sheets.
struct Line {
  const char *name, *chip;
  unsigned multiprocessors;
  double megahertz;
  uint64_t l2MiB, dramGiB;
  double gigabytes;
  /// What a copy reached (docs/benchmarks.md, docs/notebook.md), else 0.
  double measured = 0;
  const char *mark = "";
};
} // namespace

static constexpr Line kLines[] = {
    // clang-format off
    {"v100",           "sm_70",   80, 1530,   6,  32,  900},
    {"v100-pcie",      "sm_70",   80, 1380,   6,  16,  900, 0, "V100-PCIE"},
    {"a100",           "sm_80",  108, 1410,  40,  80, 2039},
    {"a100-40gb",      "sm_80",  108, 1410,  40,  40, 1555},
    {"a100-pcie",      "sm_80",  108, 1410,  40,  80, 1935},
    {"a30",            "sm_80",   56, 1440,  24,  24,  933},
    {"a10",            "sm_86",   72, 1695,   6,  24,  600},
    {"a40",            "sm_86",   84, 1740,   6,  48,  696},
    {"rtx-a6000",      "sm_86",   84, 1800,   6,  48,  768},
    {"rtx-3080",       "sm_86",   68, 1710,   5,  10,  760},
    {"rtx-3090",       "sm_86",   82, 1695,   6,  24,  936},
    {"l4",             "sm_89",   58, 2040,  48,  24,  300},
    {"l40",            "sm_89",  142, 2490,  96,  48,  864},
    {"l40s",           "sm_89",  142, 2520,  96,  48,  864, 0, "L40S"},
    {"rtx-6000-ada",   "sm_89",  142, 2505,  96,  48,  960},
    {"rtx-4080",       "sm_89",   76, 2505,  64,  16,  717},
    {"rtx-4090",       "sm_89",  128, 2520,  72,  24, 1008},
    {"h100",           "sm_90",  132, 1980,  50,  80, 3352, 3020},
    {"h100-pcie",      "sm_90",  114, 1755,  50,  80, 2039},
    {"h100-nvl",       "sm_90",  132, 1785,  50,  94, 3938, 0, "H100 NVL"},
    {"h200",           "sm_90",  132, 1980,  60, 141, 4800, 4280},
    {"h200-nvl",       "sm_90",  132, 1785,  60, 141, 4800, 0, "H200 NVL"},
    {"gh200",          "sm_90",  132, 1980,  50,  96, 4000, 0, "GH200"},
    {"gh200-144gb",    "sm_90",  132, 1980,  60, 144, 4900, 0, "GH200 144G"},
    {"b200",           "sm_100", 148, 1960, 126, 180, 8000},
    {"rtx-5080",       "sm_120",  84, 2617,  64,  16,  960},
    {"rtx-5090",       "sm_120", 170, 2407,  96,  32, 1792},
    {"rtx-pro-6000",   "sm_120", 188, 2617, 128,  96, 1792},
    {"mi100",          "gfx908", 120, 1502,   8,  32, 1229},
    {"mi210",          "gfx90a", 104, 1700,   8,  64, 1638, 0, "MI210"},
    {"mi250",          "gfx90a", 104, 1700,   8,  64, 1638},
    {"mi250x",         "gfx90a", 110, 1700,   8,  64, 1638},
    {"mi300a",         "gfx942", 228, 2100,  24, 128, 5300},
    {"mi300x",         "gfx942", 304, 2100,  32, 192, 5300},
    {"mi325x",         "gfx942", 304, 2100,  32, 256, 6000, 0, "MI325X"},
    {"mi350x",         "gfx950", 256, 2200,  32, 288, 8000},
    {"mi355x",         "gfx950", 256, 2400,  32, 288, 8000, 0, "MI355X"},
    // clang-format on
};

static Product makeProduct(const Line &line) {
  constexpr double kMega = 1e6, kGiga = 1e9;
  Product product;
  product.name = line.name;
  product.chip = line.chip;
  product.multiprocessors = line.multiprocessors;
  product.clock = line.megahertz * kMega;
  product.l2Bytes = line.l2MiB << 20;
  product.dramBytes = line.dramGiB << 30;
  product.dramBandwidth = line.gigabytes * kGiga;
  product.measuredBandwidth = line.measured * kGiga;
  product.mark = line.mark;
  return product;
}

ArrayRef<Product> stencil::getProducts() {
  static const std::vector<Product> products = [] {
    std::vector<Product> made;
    for (const Line &line : kLines)
      made.push_back(makeProduct(line));
    return made;
  }();
  return products;
}

//===----------------------------------------------------------------------===//
// What a device is
//===----------------------------------------------------------------------===//

/// Nothing where the driver's clock of the memory does not say it.
static double getBandwidth(const DriverFigures &figures) {
  std::optional<GPUVendor> vendor = getVendorOfChip(figures.chip);
  if (!vendor)
    return 0;
  constexpr double kBytesPerKilohertz = 1e3 / 8;
  return kBytesPerKilohertz * getVendorInfo(*vendor).transfersPerCycle *
         static_cast<double>(figures.memoryClockKHz) * figures.memoryBusBits;
}

const Product *stencil::findProduct(const DriverFigures &figures) {
  constexpr double kMost = 0.1;
  double bandwidth = getBandwidth(figures);
  const Product *best = nullptr;
  // A name that says so counts more than how near the bandwidth is.
  auto rank = [&](const Product &product) {
    double off =
        bandwidth > 0 ? std::abs(product.dramBandwidth / bandwidth - 1) : 0;
    return std::pair(-static_cast<double>(product.mark.size()), off);
  };
  for (const Product &product : getProducts())
    if (product.chip == figures.chip &&
        product.multiprocessors == figures.multiprocessors &&
        StringRef(figures.name).contains_insensitive(product.mark) &&
        rank(product).second <= kMost && (!best || rank(product) < rank(*best)))
      best = &product;
  return best;
}

//===----------------------------------------------------------------------===//
// Descriptions
//===----------------------------------------------------------------------===//

bool stencil::hasArchitecture(StringRef chip) {
  return findArchitecture(chip) != nullptr;
}

TargetInfo stencil::describeProduct(const Product &product) {
  const TargetInfo *architecture = findArchitecture(product.chip);
  assert(architecture && "a product has a described architecture");
  TargetInfo info = *architecture;
  // Multiprocessors of an architecture do as much per cycle, and the way to the
  // second-level cache is as wide as there are many of them.
  double scale = product.multiprocessors * product.clock /
                 (info.multiprocessors * info.clock);
  for (double *rate :
       {&info.fp64, &info.fp32, &info.fp64Matrix, &info.l2Bandwidth,
        &info.measuredFp64, &info.measuredFp32, &info.measuredMatrix64,
        &info.measuredMatrix32, &info.measuredMatrix16})
    *rate *= scale;
  info.product = product.name;
  info.multiprocessors = product.multiprocessors;
  info.clock = product.clock;
  info.l2Bytes = product.l2Bytes;
  info.dramBytes = product.dramBytes;
  info.dramBandwidth = product.dramBandwidth;
  info.measuredBandwidth = product.measuredBandwidth;
  if (product.measuredFp64 > 0)
    info.measuredFp64 = product.measuredFp64;
  if (product.measuredFp32 > 0)
    info.measuredFp32 = product.measuredFp32;
  return info;
}
