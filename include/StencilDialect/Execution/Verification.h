//===- Verification.h - Comparing a run with the interpreter ------*- C++
//-*-===//

#ifndef STENCILDIALECT_EXECUTION_VERIFICATION_H
#define STENCILDIALECT_EXECUTION_VERIFICATION_H

#include "StencilDialect/Execution/Arguments.h"
#include "StencilDialect/Support/UlpDiff.h"

#include <functional>

namespace stencil {

struct VerifyOptions {
  /// Allowed distance in units in the last place.
  uint64_t ulp = 5;
  /// Compare with 80-bit arithmetic instead of that of the program's types.
  bool extended = false;
  /// See InterpreterOptions.
  unsigned threads = 0;
  std::function<void(double)> progress;
};

/// How one field argument or one scalar result compares.
struct Comparison {
  bool isResult;
  /// Position among the arguments or results of the function.
  unsigned index;
  FieldDiff diff;
  /// Extents of the field, and the coordinates of its first point.
  llvm::SmallVector<int64_t> shape, origin;

  /// "argument 0", "result 1".
  std::string name() const;
  /// One line: "argument 0: max 2 ulp, 0 of 4096 points beyond 5 ulp", with the
  /// number of those that are excused, if any.
  std::string str() const;
  /// The worst point of a comparison that is not right, and how large the
  /// differences are at the scale of the field.
  std::string describeFailure() const;
};

struct Verdict {
  std::vector<Comparison> comparisons;

  bool isRight() const;
  /// The comparison that is farthest off among those that are not right.
  const Comparison *getWorst() const;
};

/// What the interpreter makes of the arguments of a call.
struct Reference {
  Arguments arguments;
  llvm::SmallVector<ScalarValue> results;
};

/// Runs the interpreter on `initial`, whose arrays it uses up. Emits an error
/// if it fails.
mlir::FailureOr<Reference> computeReference(mlir::func::FuncOp entry,
                                            const Signature &signature,
                                            Arguments initial,
                                            const VerifyOptions &options);

/// Compares `after`, the arguments after a run, and `results` with what the
/// interpreter made with the same options.
///
/// Fields are compared by the rule of UlpDiff.h with `ulp`. Points that break
/// it are excused, and counted, if they are off by at most `ulp` machine
/// epsilons of the field's largest magnitude: where terms of that size cancel,
/// a contracted product is off by as much, and no rule that looks at the result
/// alone can tell. A scalar result of a floating-point type may be off by `ulp`
/// times the number of points of the largest sum or rms in the program: the
/// bound on the error of a sum of that many terms of one sign, whatever its
/// order (Higham, Accuracy and Stability of Numerical Algorithms, 2002,
/// section 4.2).
Verdict compareWithReference(mlir::func::FuncOp entry,
                             const Signature &signature, const Extents &extents,
                             const Reference &reference,
                             llvm::ArrayRef<InterpreterArgument> after,
                             llvm::ArrayRef<ScalarValue> results,
                             const VerifyOptions &options);

/// Both.
mlir::FailureOr<Verdict>
verify(mlir::func::FuncOp entry, const Signature &signature,
       const Extents &extents, Arguments initial, const Arguments &after,
       llvm::ArrayRef<ScalarValue> results, const VerifyOptions &options);

} // namespace stencil

#endif // STENCILDIALECT_EXECUTION_VERIFICATION_H
