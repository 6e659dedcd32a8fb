//===- ChoiceAttrs.h - Which choice a kernel is made by ---------*- C++ -*-===//
//
// What spills after compilation is declined for the next best
// (docs/spills.md). For that a kernel knows the applies that it is made of, and
// an apply the schedules that it is not to have. Both are there only while a
// program is compiled.
//
//===----------------------------------------------------------------------===//

#ifndef STENCILDIALECT_IR_CHOICEATTRS_H
#define STENCILDIALECT_IR_CHOICEATTRS_H

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Operation.h"

namespace stencil {

/// Of a stencil.apply whose schedule is chosen, and of the pipelines and
/// kernels that it becomes: the number of the apply; of a kernel of several,
/// their numbers. An array<i64>.
inline constexpr llvm::StringLiteral kChoiceAttr = "stencil.choice";

/// Of a stencil.apply: the schedules that spilled, an array of dictionaries
/// with `schedule`, which is left out of the default, and `registers`, those of
/// a thread that were missing; or a unit: what the apply has is what it gets.
inline constexpr llvm::StringLiteral kDeclinedAttr = "stencil.declined";

/// What becomes of an op is by the same choice.
inline void copyChoice(mlir::Operation *from, mlir::Operation *to) {
  if (mlir::Attribute choice = from->getDiscardableAttr(kChoiceAttr))
    to->setDiscardableAttr(kChoiceAttr, choice);
}

/// The numbers of the applies that an op is made of.
inline llvm::ArrayRef<int64_t> getChoices(mlir::Operation *op) {
  auto choices = llvm::dyn_cast_or_null<mlir::DenseI64ArrayAttr>(
      op->getDiscardableAttr(kChoiceAttr));
  return choices ? choices.asArrayRef() : llvm::ArrayRef<int64_t>();
}

} // namespace stencil

#endif // STENCILDIALECT_IR_CHOICEATTRS_H
