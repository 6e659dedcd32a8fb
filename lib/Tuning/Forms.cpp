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
      (needsJoint && !facts.isJoint) || (needsLongSums && !facts.areSumsLong) ||
      (needsHalosInSteps && !facts.hasHalosInSteps) ||
      (!planes.empty() && planes != facts.planes) ||
      extents.size() > facts.extents.size())
    return false;
  for (auto [range, extent] : llvm::zip(extents, facts.extents))
    if (!range.contains(extent))
      return false;
  return bytes.contains(facts.bytes) && radius.contains(facts.radius) &&
         taps.contains(facts.taps) && inputs.contains(facts.inputs) &&
         outputs.contains(facts.outputs) && points.contains(facts.points) &&
         rank.contains(facts.rank) && span.contains(facts.span) &&
         steps.contains(facts.steps) && registers.contains(facts.registers);
}

const std::vector<double> *TuningForm::findNumbers(StringRef key) const {
  auto found = numbers.find(key);
  return found == numbers.end() ? nullptr : &found->second;
}

bool TuningForm::isFor(const FormDevice &device) const {
  return llvm::any_of(devices, [&](StringRef name) {
    return name == "any" || name == device.product || name == device.chip ||
           name == device.vendor;
  });
}

ArrayRef<FormKind> stencil::getFormKinds() {
  static const std::vector<FormKind> kinds = {
      {"walk"},
      {"layer"},
      {"interior"},
      {"row"},
      {"product row"},
      {"product plane"},
      {"step", /*hasSchedule=*/true, /*isOnlyShipped=*/true},
      // What a schedule leaves open (stencil-tile-registers).
      {"open walk",
       false,
       true,
       {"tile", "rows", "points", "blocks", "planes", "fewest_planes",
        "few_threads", "panel_bytes"}},
      {"open tile", false, true, {"tile", "rows", "blocks", "few_threads"}},
      {"open products", false, true, {"points", "warps"}},
      {"tap loop", false, true, {"points", "threads"}},
      // The same of kernels without windows (stencil-tile-applies).
      {"plain tile",
       false,
       true,
       {"most_ops", "reuse", "registers", "paying_reuse", "box_registers",
        "far_too_many", "most_live", "row_threads", "row_points", "rows",
        "deep_planes", "deep_blocks", "panel_blocks", "panel_rows",
        "panel_part", "fewest_panel_blocks", "keeps_lines"}},
      // Several steps at once: tiles of what is asked for, and what is chosen.
      {"stages", true, true, {"shortest_segment", "halos_of_segment"}},
      {"steps",
       false,
       true,
       {"points", "warps", "narrow_warps", "ahead", "legs", "leg_warps",
        "leg_points", "leg_stages", "leg_ends", "leg_rim", "leg_fewest_points",
        "rows", "columns", "most_rounds"}},
      {"steps in halos",
       true,
       true,
       {"bytes_of_point", "large_fields", "segments", "ahead",
        "most_operations"}},
      {"step loop",
       false,
       true,
       {"most_steps", "more_steps", "farthest", "fewest_points", "least_stored",
        "least_stored_of_legs", "rates", "share_alone", "share_of_large",
        "large_fields", "most_operations", "most_inputs", "rims", "rows"}},
      {"wave",
       false,
       true,
       {"most_steps", "farthest", "fewest_points", "most_operations",
        "most_fields"}},
      {"diamonds",
       false,
       true,
       {"most_steps", "fewest_steps", "least_tile", "most_tile", "cache_share",
        "fewest_diamonds", "fewest_threads", "own_cache", "vast_cache",
        "vast_steps", "vast_tile", "least_elements"}},
      {"composed steps", false, true, {"most_taps", "fewer", "rim_at_once"}},
      // Copies of a caller's arrays for a time loop (stencil-pad-fields).
      {"padded fields",
       false,
       true,
       {"fewest_steps", "fewest_bytes", "most_bytes"}},
      // Walks of which a multiprocessor has one block at a time.
      {"tail",
       false,
       true,
       {"fewer_rounds", "most_segments", "most_cut", "shortest"}},
      // Results through shared memory (stencil-coalesce-stores).
      {"stores", false, true, {"fewest_points", "fewest_vectors"}},
  };
  return kinds;
}

const FormKind *stencil::findFormKind(StringRef kernel) {
  for (const FormKind &kind : getFormKinds())
    if (kind.kernel == kernel)
      return &kind;
  return nullptr;
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
      if (!name.empty() && !form.schedule.empty() &&
          llvm::is_contained(form.devices, name) && form.of.contains(facts))
        return &form;
  return nullptr;
}

std::vector<const TuningForm *>
stencil::listShippedForms(const FormFacts &facts, const FormDevice &device) {
  // Rules ask often.
  static const std::map<StringRef, std::vector<const TuningForm *>> byKernel =
      [] {
        std::map<StringRef, std::vector<const TuningForm *>> forms;
        for (const TuningForm &form : getShippedForms())
          forms[form.of.kernel].push_back(&form);
        return forms;
      }();
  std::vector<const TuningForm *> found;
  auto known = byKernel.find(facts.kernel);
  if (known == byKernel.end())
    return found;
  for (StringRef name :
       {device.product, device.chip, device.vendor, StringRef("any")})
    for (const TuningForm *form : known->second)
      if (!name.empty() && llvm::is_contained(form->devices, name) &&
          form->of.contains(facts) && !llvm::is_contained(found, form))
        found.push_back(form);
  return found;
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
