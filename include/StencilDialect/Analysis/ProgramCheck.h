//===- ProgramCheck.h - What must hold before a program is run ----*- C++
//-*-===//
//
// Rules that span ops and that no verifier of one op can state. Called by the
// passes, the interpreter and the tools alike.
//
//===----------------------------------------------------------------------===//

#ifndef STENCILDIALECT_ANALYSIS_PROGRAMCHECK_H
#define STENCILDIALECT_ANALYSIS_PROGRAMCHECK_H

#include "mlir/IR/Operation.h"

namespace stencil {

/// Emits an error at the op for every broken rule in `root` (a function or a
/// module), and fails if there was one:
/// - a time loop (scf.for or scf.while with fields among its carried values)
///   yields a permutation of its field arguments, and starts from distinct
///   fields;
/// - no temp is carried by a loop or crosses a function boundary;
/// - the extent of an apply is a multiple of its unroll factors;
/// - a result that stores nothing at some points is only stored, directly or
///   through combines;
/// - bounds relative to an axis' extent are bound by a cast or by a field
///   argument of the function, and are not used on inputs of lower rank.
mlir::LogicalResult checkProgram(mlir::Operation *root);

} // namespace stencil

#endif // STENCILDIALECT_ANALYSIS_PROGRAMCHECK_H
