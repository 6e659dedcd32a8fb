//===- ScheduleRequest.h - The schedule that a user asks for ----*- C++ -*-===//

#ifndef STENCILDIALECT_ANALYSIS_SCHEDULEREQUEST_H
#define STENCILDIALECT_ANALYSIS_SCHEDULEREQUEST_H

#include "StencilDialect/Analysis/NamedSchedules.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/Support/JSON.h"

namespace stencil {

/// What schedules are taken from where nobody asks for one: from what the model
/// predicts, from what was measured (tables that are shipped, and the tuning
/// database), from both, or from neither.
enum class ScheduleChoice { Auto, Model, Measured, Default };

inline bool takesModel(ScheduleChoice choice) {
  return choice == ScheduleChoice::Auto || choice == ScheduleChoice::Model;
}
inline bool takesMeasured(ScheduleChoice choice) {
  return choice == ScheduleChoice::Auto || choice == ScheduleChoice::Measured;
}

/// The words for these, as options have them; nothing else is one. Without a
/// word, it is Auto.
std::optional<ScheduleChoice> parseScheduleChoice(StringRef text);

/// Whether a schedule that somebody asks for is the word `timed`: the best of
/// some on the device at hand (Execution/TimedSchedules.h), for what runs
/// programs. A pass has no device, and does not know the word.
bool isTimedChoice(StringRef text);

/// What a schedule was chosen by.
enum class Evidence { Asked, Measured, Model, Default };

/// "asked", "measured", "model", "default".
StringRef getEvidenceName(Evidence evidence);

/// Whether `text` is a schedule as stencil-select-schedule takes it, apart from
/// any program: what ScheduleRequest::parse takes, `auto`, `model`, `measured`
/// or `default`.
llvm::Error checkScheduleText(StringRef text);

/// A schedule as options and files have it.
std::string printSchedule(ScheduleAttr schedule);

/// The JSON list of `what` that is in a file. What is no list is an error at
/// `loc`.
FailureOr<llvm::json::Array> readJsonList(StringRef path, StringRef what,
                                          Location loc);

/// The schedules in a file, a JSON list of texts; null for an empty text. What
/// is no such list is an error at `loc`.
FailureOr<SmallVector<ScheduleAttr>>
readScheduleList(StringRef path, MLIRContext *context, Location loc);

/// The applies of a module that schedules are for, in the order of the program.
SmallVector<ApplyOp> getScheduledApplies(mlir::ModuleOp module);

/// The schedule of all applies that have none: an attribute, or a name that
/// stands for another attribute for each of them, or a list with an attribute
/// for each.
class ScheduleRequest {
public:
  /// From `#stencil.schedule<...>`, a name, a list such as
  /// `[#stencil.schedule<...>, unit]`, in which `unit` says nothing about an
  /// apply, or nothing, which is an empty request. Anything else is an error at
  /// `loc`.
  static FailureOr<ScheduleRequest> parse(StringRef text, MLIRContext *context,
                                          Location loc);

  /// The attribute for all applies; null if there is none, or it has a name.
  ScheduleAttr getAttribute() const { return attribute; }

  /// What an apply without a schedule is to have. Not of a list. `target` may
  /// be null, unless the request is a name. Null if the request is empty or
  /// does not suit it, by the number of its axes and inputs or by what it
  /// reads; `why` then says why. One window for all inputs is for those that
  /// can have it.
  ScheduleAttr getFor(ApplyOp apply, const TargetInfo *target,
                      std::string &why) const;

  /// Gives it to all applies that have none and that it suits. It is an error
  /// if there are applies without a schedule, and it suits none of them; if it
  /// is a name, and `target` null; or if it is a list that does not have as
  /// many elements as there are applies, or one that does not suit its apply.
  /// One with `time` is nobody's: stencil-block-time has given the rest of it
  /// to the applies that take several steps; an error if there are none.
  LogicalResult assign(mlir::ModuleOp module, const TargetInfo *target) const;

private:
  LogicalResult assignList(mlir::ModuleOp module) const;

  ScheduleAttr attribute;
  mlir::ArrayAttr list;
  std::string name;
};

} // namespace stencil

#endif // STENCILDIALECT_ANALYSIS_SCHEDULEREQUEST_H
