//===- TargetInfo.cpp - What GPUs have and can do -------------------------===//

#include "StencilDialect/Target/TargetInfo.h"
#include "Architectures.h"
#include "StencilDialect/Support/Words.h"
#include "StencilDialect/Target/Products.h"
#include "StencilDialect/Target/Vendors.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/TargetParser/Triple.h"

#include <map>
#include <memory>
#include <mutex>
#include <vector>

using namespace llvm;
using namespace stencil;

//===----------------------------------------------------------------------===//
// Look-up
//===----------------------------------------------------------------------===//

static TargetInfo describeChip(StringRef chip, GPUVendor vendor) {
  // gfx90a's letter is part of its number.
  StringRef described = chip.rtrim(getVendorInfo(vendor).chipSuffixes);
  const TargetInfo *candidate =
      find_if(getChipDescriptions(), [&](const TargetInfo &candidate) {
        return candidate.chip == described;
      });
  TargetInfo info = candidate != getChipDescriptions().end()
                        ? *candidate
                        : describeAny(chip, vendor);
  info.chip = chip.str();
  info.ptxFeature = getPTXFeature(chip);
  return info;
}

static bool isKnown(StringRef chip, const VendorInfo &vendor) {
  if (vendor.triple.empty())
    return findArchitecture(chip) != nullptr;
  static bool registered = [] {
    for (const VendorInfo &known : getVendors())
      if (known.registerChips)
        known.registerChips();
    return true;
  }();
  (void)registered;
  Triple triple(vendor.triple);
  std::string message;
  const Target *target = TargetRegistry::lookupTarget(triple, message);
  if (!target)
    return false;
  std::unique_ptr<MCSubtargetInfo> subtarget(
      target->createMCSubtargetInfo(triple, "", ""));
  return subtarget && subtarget->isCPUStringValid(chip);
}

static Error makeUnknownNameError(StringRef name) {
  std::vector<StringRef> products;
  for (const Product &product : getProducts())
    products.push_back(product.name);
  return createStringError(
      "expected the chip of a GPU that LLVM knows, such as " +
      joinChoices(getDescribedChips()) + ", or a product (" +
      join(products, ", ") + "), got '" + name + "'");
}

namespace {
/// What has been asked for; entries of a map stay where they are.
struct KnownTargets {
  std::mutex mutex;
  std::map<std::string, TargetInfo, std::less<>> byName;
  /// Products that were added, by their names.
  std::map<std::string, Product, std::less<>> added;
};
} // namespace

static KnownTargets &getKnownTargets() {
  static KnownTargets known;
  return known;
}

/// Of the table, or added.
static const Product *findNamed(const KnownTargets &known, StringRef name) {
  for (const Product &product : getProducts())
    if (product.name == name)
      return &product;
  auto found = known.added.find(name);
  return found == known.added.end() ? nullptr : &found->second;
}

static std::optional<TargetInfo> describe(const KnownTargets &known,
                                          StringRef name) {
  if (std::optional<GPUVendor> vendor = getVendorOfChip(name)) {
    if (!isKnown(name, getVendorInfo(*vendor)))
      return std::nullopt;
    return describeChip(name, *vendor);
  }
  const Product *product = findNamed(known, name.lower());
  if (!product)
    return std::nullopt;
  TargetInfo info = describeProduct(*product);
  info.ptxFeature = getPTXFeature(info.chip);
  return info;
}

Expected<const TargetInfo &> stencil::getTargetInfo(StringRef name) {
  KnownTargets &known = getKnownTargets();
  std::lock_guard<std::mutex> lock(known.mutex);
  // As many as LLVM knows at most, and products in any case of their letters.
  auto found = known.byName.find(name);
  if (found == known.byName.end()) {
    std::optional<TargetInfo> info = describe(known, name);
    if (!info)
      return makeUnknownNameError(name);
    // One description for all ways to write a name.
    found = known.byName.try_emplace(info->getName().str(), *info).first;
  }
  return found->second;
}

Error stencil::addProduct(const Product &product) {
  KnownTargets &known = getKnownTargets();
  std::lock_guard<std::mutex> lock(known.mutex);
  if (product.name != StringRef(product.name).lower() ||
      getVendorOfChip(product.name) || findNamed(known, product.name))
    return createStringError("expected a new name of a GPU, in lower case, got "
                             "'" +
                             product.name + "'");
  if (!findArchitecture(product.chip))
    return createStringError("expected a chip whose architecture is described, "
                             "got '" +
                             product.chip + "'");
  known.added.try_emplace(product.name, product);
  return Error::success();
}

ArrayRef<StringRef> stencil::getDescribedChips() {
  static const std::vector<StringRef> names = [] {
    std::vector<StringRef> names;
    for (const TargetInfo &info : getChipDescriptions())
      names.push_back(info.chip);
    return names;
  }();
  return names;
}

double TargetInfo::getCopyBandwidth() const {
  constexpr double kCopyShare = 0.85;
  return measuredBandwidth > 0 ? measuredBandwidth : kCopyShare * dramBandwidth;
}
