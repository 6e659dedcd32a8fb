//===- OpTraits.h - Kinds of ops --------------------------------*- C++ -*-===//
//
// What passes ask of an op by `hasTrait`, so that a new op says it once.
//
//===----------------------------------------------------------------------===//

#ifndef STENCILDIALECT_IR_OPTRAITS_H
#define STENCILDIALECT_IR_OPTRAITS_H

#include "mlir/IR/OpDefinition.h"

namespace stencil {

// NOLINTBEGIN(bugprone-crtp*)

/// The op's region computes scalars: nothing in it is of the program around.
template <typename Concrete>
class HasScalarBody : public mlir::OpTrait::TraitBase<Concrete, HasScalarBody> {
};

/// The op is a kernel of its own, or becomes one, where it is in none: what its
/// region does with values is its own affair.
template <typename Concrete>
class KernelLike : public mlir::OpTrait::TraitBase<Concrete, KernelLike> {};

/// In a pipeline, the op makes values plane by plane, with a lead: a stage, or
/// what adds its results.
template <typename Concrete>
class StageLike : public mlir::OpTrait::TraitBase<Concrete, StageLike> {};

/// The op makes or uses values (temps) outside of bodies.
template <typename Concrete>
class HandlesValues : public mlir::OpTrait::TraitBase<Concrete, HandlesValues> {
};

/// What the op's results have at a point is what an operand has there.
template <typename Concrete>
class ForwardsValues
    : public mlir::OpTrait::TraitBase<Concrete, ForwardsValues> {};

/// The op's result is the memory that its only operand is.
template <typename Concrete>
class FieldView : public mlir::OpTrait::TraitBase<Concrete, FieldView> {};

// NOLINTEND(bugprone-crtp*)

/// The same, of an op that may be null.
template <template <typename> class Trait> bool hasTrait(mlir::Operation *op) {
  return op && op->hasTrait<Trait>();
}

} // namespace stencil

#endif // STENCILDIALECT_IR_OPTRAITS_H
