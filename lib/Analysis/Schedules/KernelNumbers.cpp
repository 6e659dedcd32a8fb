//===- KernelNumbers.cpp - Numbers that rules ask for ---------------------===//

#include "StencilDialect/Analysis/KernelNumbers.h"
#include "StencilDialect/Target/Vendors.h"
#include "llvm/ADT/SmallVectorExtras.h"
#include "llvm/Support/ErrorHandling.h"

using namespace stencil;

FormDevice stencil::getFormDevice(const TargetInfo &target) {
  const VendorInfo &vendor = getVendorInfo(target.vendor);
  // With a feature suffix ("sm_90a") it is the same GPU; gfx90a's letter is
  // part of its number.
  return {target.product,
          llvm::StringRef(target.chip).rtrim(vendor.chipSuffixes), vendor.key};
}

llvm::ArrayRef<double> KernelNumbers::findList(llvm::StringRef key) const {
  for (const TuningForm *form : forms)
    if (const std::vector<double> *found = form->findNumbers(key))
      return *found;
  return {};
}

std::optional<double> KernelNumbers::find(llvm::StringRef key) const {
  llvm::ArrayRef<double> found = findList(key);
  return found.empty() ? std::nullopt : std::optional(found.front());
}

llvm::SmallVector<double> KernelNumbers::getList(llvm::StringRef key) const {
  llvm::ArrayRef<double> found = findList(key);
  if (found.empty())
    llvm::report_fatal_error(llvm::Twine("the shipped forms of '") + kernel +
                             "' have no '" + key + "'");
  return llvm::SmallVector<double>(found);
}

llvm::SmallVector<int64_t>
KernelNumbers::listCounts(llvm::StringRef key) const {
  llvm::ArrayRef<double> found = findList(key);
  return {found.begin(), found.end()};
}

bool KernelNumbers::comesFirst(llvm::StringRef key,
                               llvm::StringRef other) const {
  for (const TuningForm *form : forms)
    if (form->findNumbers(key) || form->findNumbers(other))
      return form->findNumbers(key);
  return false;
}

llvm::SmallVector<const TuningForm *> KernelNumbers::listSchedules() const {
  return llvm::filter_to_vector(
      forms, [](const TuningForm *form) { return !form->schedule.empty(); });
}
