//===- KernelNumbers.cpp - Numbers that rules ask for ---------------------===//

#include "StencilDialect/Analysis/KernelNumbers.h"
#include "StencilDialect/Target/Vendors.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/ErrorHandling.h"

using namespace stencil;

FormDevice stencil::getFormDevice(const TargetInfo &target) {
  const VendorInfo &vendor = getVendorInfo(target.vendor);
  // With a feature suffix ("sm_90a") it is the same GPU; gfx90a's letter is
  // part of its number.
  return {target.product,
          llvm::StringRef(target.chip).rtrim(vendor.chipSuffixes), vendor.key};
}

const std::vector<double> *KernelNumbers::findList(llvm::StringRef key) const {
  for (const TuningForm *form : forms)
    if (const std::vector<double> *found = form->findNumbers(key))
      return found;
  return nullptr;
}

std::optional<double> KernelNumbers::find(llvm::StringRef key) const {
  const std::vector<double> *found = findList(key);
  return found ? std::optional(found->front()) : std::nullopt;
}

std::optional<int64_t> KernelNumbers::findCount(llvm::StringRef key) const {
  std::optional<double> found = find(key);
  return found ? std::optional(static_cast<int64_t>(*found)) : std::nullopt;
}

double KernelNumbers::get(llvm::StringRef key) const {
  return getList(key).front();
}

int64_t KernelNumbers::getCount(llvm::StringRef key) const {
  return static_cast<int64_t>(get(key));
}

llvm::SmallVector<double> KernelNumbers::getList(llvm::StringRef key) const {
  const std::vector<double> *found = findList(key);
  if (!found)
    llvm::report_fatal_error(llvm::Twine("the shipped forms of '") + kernel +
                             "' have no '" + key + "'");
  return llvm::SmallVector<double>(found->begin(), found->end());
}

llvm::SmallVector<int64_t>
KernelNumbers::listCounts(llvm::StringRef key) const {
  llvm::SmallVector<int64_t> counts;
  if (const std::vector<double> *found = findList(key))
    for (double number : *found)
      counts.push_back(static_cast<int64_t>(number));
  return counts;
}

bool KernelNumbers::comesFirst(llvm::StringRef key,
                               llvm::StringRef other) const {
  for (const TuningForm *form : forms)
    if (form->findNumbers(key) || form->findNumbers(other))
      return form->findNumbers(key);
  return false;
}

llvm::SmallVector<const TuningForm *> KernelNumbers::listSchedules() const {
  return llvm::to_vector(llvm::make_filter_range(
      forms, [](const TuningForm *form) { return !form->schedule.empty(); }));
}
