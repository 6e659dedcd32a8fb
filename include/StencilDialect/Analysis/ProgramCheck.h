//===- ProgramCheck.h - What must hold before a program is run --*- C++ -*-===//
//
// Rules that span ops and that no verifier of one op can state. Called by the
// passes, the interpreter and the tools alike.
//
//===----------------------------------------------------------------------===//

#ifndef STENCILDIALECT_ANALYSIS_PROGRAMCHECK_H
#define STENCILDIALECT_ANALYSIS_PROGRAMCHECK_H

#include "StencilDialect/IR/StencilOps.h"

namespace stencil {

/// Emits an error at the op for every broken rule in `root` (a function or a
/// module), and fails if there was one:
/// - control flow around and in stencil ops is structured: no successors;
/// - a time loop (scf.for or scf.while with fields among its carried values)
///   yields a permutation of its field arguments, whatever inner loops and
///   branches are taken, and starts from distinct fields;
/// - the fields passed to a call are distinct;
/// - a temp is made and used by stencil ops only: none is carried by a loop,
///   returned by a branch, or crosses a function boundary;
/// - there is no stencil.reduce, which has no result;
/// - the extent of an apply is a multiple of its unroll factors;
/// - a result that stores nothing at some points is only stored, directly or
///   through combines;
/// - a function that has a tile.kernel has no values outside of pipelines;
/// - the extent of an axis that bounds are relative to is bound: by an argument
///   of the function whose type has such bounds, or by a cast of an argument in
///   the function's entry block;
/// - no bounds of an input of lower rank are relative to the extent of an axis
///   that has another number in the apply.
mlir::LogicalResult checkProgram(mlir::Operation *root);

/// True if there is a tile.kernel in the function.
bool hasKernel(mlir::Operation *function);

/// The values that a body returns for an output: one, or one for each point
/// that an unrolled body computes.
mlir::ValueRange getReturned(ApplyOp apply, unsigned output);

/// True if a result of an apply may have no value at some points.
bool mayBeEmpty(mlir::OpResult result);

/// The result of a combine that an operand is a part of.
mlir::Value getCombined(CombineOp combine, unsigned operand);

/// The rule on unroll factors, for a box that is not in the types yet.
mlir::LogicalResult checkUnroll(ApplyOp apply, BoundsAttr domain);

} // namespace stencil

#endif // STENCILDIALECT_ANALYSIS_PROGRAMCHECK_H
