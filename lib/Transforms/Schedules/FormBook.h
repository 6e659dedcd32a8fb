//===- FormBook.h - Where forms are looked up -------------------*- C++ -*-===//

#ifndef STENCIL_LIB_TRANSFORMS_FORMBOOK_H
#define STENCIL_LIB_TRANSFORMS_FORMBOOK_H

#include "StencilDialect/IR/Schedule.h"
#include "StencilDialect/Target/TargetInfo.h"
#include "StencilDialect/Tuning/Forms.h"

namespace stencil {

/// A form of a kernel, for what a remark says of it, and a schedule: as it is
/// written there, or what becomes of that for a kernel. Null: none.
struct FoundForm {
  const TuningForm *form = nullptr;
  ScheduleAttr schedule;

  explicit operator bool() const { return static_cast<bool>(schedule); }
};

/// The forms of a tuning database, which come first, and those that are
/// shipped (Tuning/Forms.h).
class FormBook {
public:
  /// Takes the forms of a database. What is wrong with one is an error at
  /// `loc`, with its place in the file.
  mlir::LogicalResult load(llvm::StringRef path, mlir::Location loc);

  FoundForm find(const FormFacts &facts, const TargetInfo &target,
                 mlir::MLIRContext *context) const;
  /// The fewest taps that a form for rows of such elements has.
  std::optional<int64_t> getFewestTaps(const FormFacts &row,
                                       const TargetInfo &target) const;

  /// "'star of 7 points' of the shipped forms".
  std::string describe(const TuningForm &form) const;

private:
  std::vector<TuningForm> own;
  std::string path;
};

/// The schedule that a text is; null, and why, if it is none.
ScheduleAttr parseSchedule(llvm::StringRef text, mlir::MLIRContext *context,
                           std::string &why);

/// The schedule of a shipped form that has one.
ScheduleAttr parseShippedSchedule(const TuningForm &form,
                                  mlir::MLIRContext *context);

/// The schedule of these keys; null if a number is none that it can have, as
/// one may that follows from a form and the extents.
ScheduleAttr makeSchedule(const ScheduleKeys &keys, mlir::MLIRContext *context);

} // namespace stencil

#endif // STENCIL_LIB_TRANSFORMS_FORMBOOK_H
