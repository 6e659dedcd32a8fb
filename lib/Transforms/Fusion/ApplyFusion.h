//===- ApplyFusion.h - Two applies become one -------------------*- C++ -*-===//
//
// The rewriting of stencil-fuse-applies. What is legal and what pays is for
// Analysis/Fusion to say.
//
//===----------------------------------------------------------------------===//

#ifndef STENCIL_LIB_TRANSFORMS_APPLYFUSION_H
#define STENCIL_LIB_TRANSFORMS_APPLYFUSION_H

#include "StencilDialect/IR/DiscardableAttrs.h"
#include "StencilDialect/IR/StencilOps.h"
#include "mlir/IR/IRMapping.h"

namespace stencil {

/// Puts the body of `producer` into that of `consumer`: an access to a result
/// becomes the value, moved by a sum of one tap where needed. Returns the new
/// apply, which stands before `place`; `consumer` is gone. With `keepsResults`,
/// other uses of the producer's results become uses of results of the new
/// apply. The producer is erased if nobody uses it.
ApplyOp inlineProducer(ApplyOp producer, ApplyOp consumer, bool keepsResults,
                       mlir::Operation *place);

/// Makes one apply with the results of `a`, then those of `b`, before `place`.
ApplyOp mergeSiblings(ApplyOp a, ApplyOp b, mlir::Operation *place);

/// What an apply that reads combines becomes at their split.
struct SplitApply {
  ApplyOp lower, upper;
  /// Joins their results.
  CombineOp combine;
};

/// Makes an apply for either side of the split of `combine`, with these boxes,
/// and uses them in the place of `apply`, which is left without uses.
SplitApply splitAtCombine(ApplyOp apply, CombineOp combine, BoundsAttr lower,
                          BoundsAttr upper);

/// The name of an apply for options and remarks: its attribute `stencil.name`,
/// else the name of its location; empty if it has none.
llvm::StringRef getApplyName(ApplyOp apply);

/// True for the name of an apply, also if it has been merged with others.
bool hasName(ApplyOp apply, llvm::StringRef name);

/// Gives `apply` the inputs of `other`, too; maps the arguments of the body of
/// `other` to those of its own.
void addInputs(ApplyOp apply, ApplyOp other, mlir::IRMapping &mapping);

} // namespace stencil

#endif // STENCIL_LIB_TRANSFORMS_APPLYFUSION_H
