//===- Interpreter.h - Reference evaluation of stencil programs -*- C++ -*-===//
//
// Evaluates level-0 IR directly and shares nothing with the compiled paths: it
// is the judge of their numbers.
//
//===----------------------------------------------------------------------===//

#ifndef STENCILDIALECT_INTERPRETER_INTERPRETER_H
#define STENCILDIALECT_INTERPRETER_INTERPRETER_H

#include "StencilDialect/Interpreter/ErrorBounds.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/SmallVector.h"

#include <cstdint>
#include <functional>
#include <variant>
#include <vector>

namespace stencil {

/// The precision of floating-point arithmetic.
enum class Precision {
  /// The types of the program: every operation is rounded to its result type.
  Program,
  /// 80-bit extended for every floating-point type.
  Extended
};

/// The array of a field or memref argument: row-major, full extent with halo.
/// Arrays of different arguments must not overlap. Of a pointer argument it is
/// the memory, of rank 1, in bytes.
///
/// Under Precision::Program its elements have the program's type (f16 and bf16
/// as 16-bit patterns, i1 as bytes of 0 or 1). Under Precision::Extended every
/// floating-point element is a `long double` instead; integers are as before.
struct FieldArgument {
  llvm::SmallVector<int64_t> shape;
  void *data = nullptr;
  /// Elements from one row to the next, if there is a gap behind each: only
  /// programs that are compiled for that take them. 0: there is none.
  int64_t rowStride = 0;
};

/// A scalar: integers and index as int64_t, any floating-point type as long
/// double, which holds all of them exactly.
using ScalarValue = std::variant<int64_t, long double>;

using InterpreterArgument = std::variant<FieldArgument, ScalarValue>;

struct InterpreterOptions {
  Precision precision = Precision::Program;
  /// Threads; 0 is one per core. The result does not depend on it.
  unsigned threads = 0;
  /// Where errors are followed to, if they are: several times the work, and 24
  /// bytes more per point. Its fields are filled anew.
  ErrorBounds *bounds = nullptr;
  /// Chooses the order in which the blocks of a tile.kernel run. The result
  /// does not depend on it.
  uint64_t blockOrder = 0;
  /// Called from the calling thread now and then with the fraction (0..1) of
  /// the steps of the outermost time loop that is done.
  std::function<void(double)> progress;
};

/// Runs `entry`. Field arguments are updated in place. Scalar results are
/// appended to `results` in order; field results alias arguments and are
/// skipped.
///
/// Fails with an error at the op's location: for ops and element types that it
/// does not know, a field whose shape does not match its type or cast, accesses
/// outside of a value, dynamic accesses outside of their range, a program that
/// `checkProgram` (Analysis) refuses, integer division by zero or with a
/// quotient that overflows. The field arguments are unspecified then.
///
/// What MLIR calls poison has a value here, so that runs are repeatable: shifts
/// by the width or more shift everything out; a float that its integer type
/// cannot hold becomes the nearest that it can, NaN becomes 0. Timers (isTimer
/// in Analysis/Signature.h) give 0. A fresh
/// stencil.alloc or memref.alloc holds NaN, or 127, 32639, ... in integers.
mlir::LogicalResult
interpret(mlir::func::FuncOp entry,
          llvm::MutableArrayRef<InterpreterArgument> arguments,
          llvm::SmallVectorImpl<ScalarValue> &results,
          const InterpreterOptions &options = {});

} // namespace stencil

#endif // STENCILDIALECT_INTERPRETER_INTERPRETER_H
