//===- KernelNumbers.h - Numbers that rules ask for -------------*- C++ -*-===//
//
// What was measured, and what a rule does with it, are two things: the numbers
// are those of the shipped forms (Tuning/Forms.h, lib/Tuning/forms.json), by
// the class of the kernel and by the GPU.
//
//===----------------------------------------------------------------------===//

#ifndef STENCILDIALECT_ANALYSIS_KERNELNUMBERS_H
#define STENCILDIALECT_ANALYSIS_KERNELNUMBERS_H

#include "StencilDialect/Support/LLVM.h"
#include "StencilDialect/Target/TargetInfo.h"
#include "StencilDialect/Tuning/Forms.h"
#include "llvm/ADT/SmallVector.h"

namespace stencil {

/// A GPU as forms name it, and any CPU.
FormDevice getFormDevice(const TargetInfo &target);
inline FormDevice getCPUFormDevice() { return {"", "", "cpu"}; }

/// The numbers for one kernel. Each is that of the first form that has it.
class KernelNumbers {
public:
  KernelNumbers(const FormFacts &facts, const FormDevice &device)
      : kernel(facts.kernel), forms(listShippedForms(facts, device)) {}
  KernelNumbers(const FormFacts &facts, const TargetInfo &target)
      : KernelNumbers(facts, getFormDevice(target)) {}

  /// Nothing where no form has it.
  std::optional<double> find(StringRef key) const;
  std::optional<int64_t> findCount(StringRef key) const { return find(key); }
  /// What a form for any kernel of its kind on any GPU has, if no other does.
  double get(StringRef key) const { return getList(key).front(); }
  int64_t getCount(StringRef key) const {
    return static_cast<int64_t>(get(key));
  }
  SmallVector<double> getList(StringRef key) const;
  /// Empty where no form has it.
  SmallVector<int64_t> listCounts(StringRef key) const;
  /// Of two numbers of which one is to be taken, whether it is `key`: whether
  /// that is in the first form that has one of them.
  bool comesFirst(StringRef key, StringRef other) const;
  /// Those that have a schedule.
  SmallVector<const TuningForm *> listSchedules() const;

private:
  ArrayRef<double> findList(StringRef key) const;

  StringRef kernel;
  std::vector<const TuningForm *> forms;
};

} // namespace stencil

#endif // STENCILDIALECT_ANALYSIS_KERNELNUMBERS_H
