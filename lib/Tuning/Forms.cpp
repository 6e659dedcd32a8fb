//===- Forms.cpp - The form of a kernel -----------------------------------===//

#include "StencilDialect/Tuning/Forms.h"
#include "StencilDialect/Tuning/Database.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/ErrorHandling.h"

using namespace llvm;
using namespace stencil;

namespace stencil {
/// The text of forms.json (FormsText.cpp.in).
extern const char *const kShippedForms;
} // namespace stencil

static bool isOneOf(ArrayRef<std::string> words, StringRef word) {
  return words.empty() || llvm::is_contained(words, word);
}

bool KernelClass::contains(const FormFacts &facts) const {
  if (kernel != facts.kernel || !isOneOf(reads, facts.reads) ||
      !isOneOf(types, facts.type) || (needsFreeSums && !facts.areSumsFree) ||
      (!planes.empty() && planes != facts.planes) ||
      extents.size() > facts.extents.size())
    return false;
  for (auto [range, extent] : llvm::zip(extents, facts.extents))
    if (!range.contains(extent))
      return false;
  return bytes.contains(facts.bytes) && radius.contains(facts.radius) &&
         taps.contains(facts.taps) && inputs.contains(facts.inputs) &&
         outputs.contains(facts.outputs) && points.contains(facts.points);
}

bool TuningForm::isFor(const FormDevice &device) const {
  return llvm::any_of(devices, [&](StringRef name) {
    return name == "any" || name == device.product || name == device.chip ||
           name == device.vendor;
  });
}

ArrayRef<TuningForm> stencil::getShippedForms() {
  static const TuningDatabase database = [] {
    auto parsed = TuningDatabase::parse(kShippedForms, "lib/Tuning/forms.json");
    if (!parsed)
      llvm::report_fatal_error(parsed.takeError());
    return std::move(*parsed);
  }();
  return database.forms;
}

const TuningForm *stencil::findForm(ArrayRef<TuningForm> forms,
                                    const FormFacts &facts,
                                    const FormDevice &device) {
  for (StringRef name :
       {device.product, device.chip, device.vendor, StringRef("any")})
    for (const TuningForm &form : forms)
      if (!name.empty() && llvm::is_contained(form.devices, name) &&
          form.of.contains(facts))
        return &form;
  return nullptr;
}

std::optional<int64_t> stencil::getFewestTaps(ArrayRef<TuningForm> forms,
                                              const FormFacts &row,
                                              const FormDevice &device) {
  std::optional<int64_t> fewest;
  for (const TuningForm &form : forms) {
    KernelClass of = form.of;
    of.taps = {};
    if (form.isFor(device) && of.contains(row))
      fewest =
          std::min(fewest.value_or(form.of.taps.least), form.of.taps.least);
  }
  return fewest;
}
