//===- Neighbourhood.h - What is close to a schedule ------------*- C++ -*-===//

#ifndef STENCIL_TOOLS_STENCIL_TUNE_NEIGHBOURHOOD_H
#define STENCIL_TOOLS_STENCIL_TUNE_NEIGHBOURHOOD_H

#include "StencilDialect/Analysis/KernelProfile.h"
#include "StencilDialect/Target/TargetInfo.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

#include <memory>

namespace stencil {

/// Null if it is none.
ScheduleAttr parseSchedule(llvm::StringRef text, mlir::MLIRContext *context);

/// The schedule with the tile and the segments that the passes behind
/// stencil-select-schedule choose for the apply, which is the one of this
/// number in `module`; null if they fail, or if there is nothing to write out.
ScheduleAttr writeOut(mlir::ModuleOp module, size_t number,
                      ScheduleAttr schedule, llvm::StringRef chip,
                      MathMode math);

/// Finds the neighbours of the choices of an apply.
class Neighbourhood {
public:
  /// `untuned`: what the search begins with, and `whole` the same written out;
  /// they may be null.
  Neighbourhood(std::shared_ptr<mlir::OwningOpRef<mlir::ModuleOp>> module,
                size_t number, ApplyOp apply, KernelProfile profile,
                const TargetInfo &target, llvm::StringRef chip,
                ScheduleAttr untuned, ScheduleAttr whole, MathMode math)
      : module(std::move(module)), number(number), apply(apply),
        profile(std::move(profile)), target(target), chip(chip),
        untuned(untuned), whole(whole), math(math) {}

  /// Of a choice as text.
  std::vector<std::string> operator()(const std::string &choice) const;
  std::vector<ScheduleAttr> list(ScheduleAttr schedule) const;

private:
  bool canBeMade(ScheduleAttr schedule) const;

  /// Holds the apply.
  std::shared_ptr<mlir::OwningOpRef<mlir::ModuleOp>> module;
  size_t number;
  ApplyOp apply;
  KernelProfile profile;
  TargetInfo target;
  std::string chip;
  ScheduleAttr untuned, whole;
  MathMode math;
};

} // namespace stencil

#endif // STENCIL_TOOLS_STENCIL_TUNE_NEIGHBOURHOOD_H
