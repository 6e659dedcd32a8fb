//===- Forms.h - Schedules of classes of kernels ----------------*- C++ -*-===//
//
// What measured best of a few kernels, for all that are like them. Forms are
// data: those that are shipped are in lib/Tuning/forms.json, a tuning database
// (Database.h) can have others, which come first. Each says
//
//   {"name": "star of 25 points",
//    "of": {"kernel": "walk", "reads": ["star"], "bytes": 8, "radius": [4, 5]},
//    "devices": ["sm_90"],
//    "schedule": "#stencil.schedule<...>", "ahead": 3,
//    "from": [{"kernel": "brick_star25p", "type": "f64", "math": "contract",
//              "extents": [512, 512, 512]}],
//    "measured": [{"kernel": "brick_star25p", ..., "gstencil_per_s": 230.3}]}
//
// Some say "numbers" instead of a schedule, or beside it: what rules of the
// compiler ask for, such as
//
//   {"name": "sums over seven planes",
//    "of": {"kernel": "open walk", "span": 7},
//    "devices": ["any"], "numbers": {"rows": 4}, "source": "..."}
//
// A number, [least, most] or [least] is what a class asks for.
// docs/cost-model.md has all keys, and the command that makes the shipped file
// of what was recorded.
//
//===----------------------------------------------------------------------===//

#ifndef STENCILDIALECT_TUNING_FORMS_H
#define STENCILDIALECT_TUNING_FORMS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/JSON.h"

#include <limits>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace stencil {

/// What a class asks a number to be; of nothing, any, known or not.
struct FormRange {
  int64_t least = 0, most = std::numeric_limits<int64_t>::max();
  bool isGiven = false;

  bool contains(std::optional<int64_t> number) const {
    return !isGiven || (number && least <= *number && *number <= most);
  }
};

/// What of a kernel decides its class. What is absent is not known, or of no
/// meaning for such a kernel, and suits only who does not ask.
struct FormFacts {
  /// "walk" (a volume that can be walked through, plane by plane), "layer" and
  /// "interior" (regions of a volume), "row" (of weighted sums), "product row"
  /// and "product plane" (sums as products of matrices), "step" (of a time
  /// loop, between boundary conditions). Of what rules ask for: getFormKinds.
  llvm::StringRef kernel;
  /// "star", "box", and of one input "nearest" (the point and the six next to
  /// it), "cube" (all points of one, in sums that may not be reordered),
  /// "single star" (of four bytes, from radius 2 on). Of products, which of
  /// "memory" and "products" is expected to take longer.
  llvm::StringRef reads;
  /// Of the elements, as MLIR writes it.
  std::string type;
  /// Of the largest element; points beside the point, along the walk or, of a
  /// region, any axis; taps of a row's sum, or at which the input with most is
  /// read; inputs that have all axes; results; points of the box.
  std::optional<int64_t> bytes, radius, taps, inputs, outputs, points;
  /// Axes; planes that a sum is spread over, plane by plane (0: none is); steps
  /// at once; registers of what a thread's points read.
  std::optional<int64_t> rank, span, steps, registers;
  std::vector<int64_t> extents;
  /// "wide" or "narrow", as walks with panels distinguish them
  /// (Analysis/Panels.h).
  llvm::StringRef planes;
  /// There are sums that may be added plane by plane.
  bool areSumsFree = false;
  /// Other regions are launched with it; its sums are loops over their taps.
  bool isJoint = false, areSumsLong = false;
  /// Each of several steps stores its own halos.
  bool hasHalosInSteps = false;

  FormFacts() = default;
  explicit FormFacts(llvm::StringRef kernel, std::optional<int64_t> rank = {})
      : kernel(kernel), rank(rank) {}

  /// Of more than can be counted, as many as can.
  void setPoints(double count) {
    constexpr double kMost = 0x1p62;
    points = static_cast<int64_t>(count < kMost ? count : kMost);
  }
};

/// The kernels that a form is for.
struct KernelClass {
  std::string kernel;
  /// One of these; none: any.
  std::vector<std::string> reads, types;
  FormRange bytes, radius, taps, inputs, outputs, points;
  FormRange rank, span, steps, registers;
  std::vector<FormRange> extents;
  std::string planes;
  /// Only those whose sums may be added plane by plane.
  bool needsFreeSums = false;
  bool needsJoint = false, needsLongSums = false, needsHalosInSteps = false;

  bool contains(const FormFacts &facts) const;
};

/// The GPU that a form is wanted for, as TargetInfo names it.
struct FormDevice {
  llvm::StringRef product, chip, vendor;
};

struct TuningForm {
  /// For people: remarks have it.
  std::string name;
  KernelClass of;
  /// Products ("h200"), chips ("sm_90"), vendors ("nvidia", "amd"), "cpu", or
  /// "any".
  std::vector<std::string> devices;
  /// An attribute, as text. What follows from extents and reads is in `ahead`
  /// and in the key `planes`, and what is open is chosen as if nobody asked.
  /// Empty where there are only numbers.
  std::string schedule;
  /// What rules ask for, by its name: one number or several.
  std::map<std::string, std::vector<double>, std::less<>> numbers;
  /// Planes of a walk's window beside those that are read.
  std::optional<int64_t> ahead;
  /// Whatever the model chooses: it is faster than what the model takes to be.
  bool isForced = false;
  /// All of it, with what is for people and for benchmarks/forms only.
  llvm::json::Value json = nullptr;

  bool isFor(const FormDevice &device) const;
  /// Null if it has no such numbers.
  const std::vector<double> *findNumbers(llvm::StringRef key) const;
};

/// What a kind of kernels has forms for: a schedule, and numbers by name.
struct FormKind {
  llvm::StringRef kernel;
  bool hasSchedule = true;
  /// Shipped ones alone: rules read them where no database is at hand.
  bool isOnlyShipped = false;
  std::vector<llvm::StringRef> numbers = {};
};

/// All kinds of kernels that there are forms for.
llvm::ArrayRef<FormKind> getFormKinds();
/// Null if there is none.
const FormKind *findFormKind(llvm::StringRef kernel);

/// The forms that are shipped, the first that suits first.
llvm::ArrayRef<TuningForm> getShippedForms();

/// The form of a kernel on a device that has a schedule; null if there is none.
/// Of several, the first one of those for the product, then for the chip, the
/// vendor, any GPU.
const TuningForm *findForm(llvm::ArrayRef<TuningForm> forms,
                           const FormFacts &facts, const FormDevice &device);

/// All shipped forms of a kernel on a device: those for the product, then for
/// the chip, the vendor, any GPU.
std::vector<const TuningForm *> listShippedForms(const FormFacts &facts,
                                                 const FormDevice &device);

/// The fewest taps that a form for rows of such elements has; none if there is
/// no form.
std::optional<int64_t> getFewestTaps(llvm::ArrayRef<TuningForm> forms,
                                     const FormFacts &row,
                                     const FormDevice &device);

} // namespace stencil

#endif // STENCILDIALECT_TUNING_FORMS_H
