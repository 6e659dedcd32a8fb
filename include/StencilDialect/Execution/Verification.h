//===- Verification.h - Comparing a run with the interpreter ------*- C++
//-*-===//

#ifndef STENCILDIALECT_EXECUTION_VERIFICATION_H
#define STENCILDIALECT_EXECUTION_VERIFICATION_H

#include "StencilDialect/Execution/Arguments.h"
#include "StencilDialect/IR/MathMode.h"
#include "StencilDialect/Support/UlpDiff.h"

#include <functional>
#include <string>
#include <vector>

namespace stencil {

struct VerifyOptions {
  /// How many units in the last place each rounding may be off.
  uint64_t ulp = 5;
  /// What the compiled program may do to arithmetic.
  MathMode math = MathMode::Contract;
  /// It takes denormal numbers for zero.
  bool flushesDenormals = false;
  /// Those that it may have been compiled with where it says none itself, as
  /// ScheduleRequest takes them; some may be empty.
  std::vector<std::string> schedules;
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
  /// More points are not checked than one of 10,000.
  bool isExcusedTooOften() const {
    return diff.allowedScale == 0 && diff.excused > diff.points / 10000;
  }
  bool isRight() const { return diff.isRight() && !isExcusedTooOften(); }

  /// One line: "argument 0: max 2 ulp, 0 of 4096 points beyond 5 ulp", with the
  /// number of those of which the bound says nothing, and of those that are not
  /// finite, if any.
  std::string str() const;
  /// Why a comparison is not right: the worst point, or that the bounds say
  /// nothing, with the ways out.
  std::string describeFailure() const;
};

/// What the floating-point fields of a call hold.
struct Magnitudes {
  /// The largest finite one.
  double largest = 0;
  /// Points that are NaN or infinite.
  int64_t notFinite = 0;
};

struct Verdict {
  std::vector<Comparison> comparisons;
  /// Before the interpreter runs and behind it; nothing if the verdict is
  /// right, or there is no interpreter.
  std::optional<std::pair<Magnitudes, Magnitudes>> growth;
  /// See ErrorBounds.
  int64_t undecided = 0, undecidedBranches = 0;

  bool isRight() const;
  /// The comparison that is farthest off among those that are not right.
  const Comparison *getWorst() const;
  /// Why it is not right: that of the worst comparison, that values grow in the
  /// interpreter as well, and that the program may have gone another way
  /// outside of applies than the interpreter.
  std::string describeFailure() const;
};

/// What the interpreter makes of the arguments of a call.
struct Reference {
  Arguments arguments;
  llvm::SmallVector<ScalarValue> results;
  /// How far a compiled program may be from that; nothing: this is no
  /// interpreter's, or every value is to be equal.
  std::optional<ErrorBounds> bounds;
  /// Before it ran.
  Magnitudes before;
  /// What is compared with is itself a compiled program's.
  bool isCompiled = false;
};

/// Whether a compiled program may differ from the interpreter at all: not under
/// `strict`, unless it calls functions of `math` that nobody rounds right, or
/// folds sums.
bool mayDiffer(mlir::func::FuncOp entry, const VerifyOptions &options);

/// Runs the interpreter on `initial`, whose arrays it uses up. Emits an error
/// if it fails.
mlir::FailureOr<Reference> computeReference(mlir::func::FuncOp entry,
                                            const Signature &signature,
                                            Arguments initial,
                                            const VerifyOptions &options);

/// Compares `after`, the arguments after a run, and `results` with what the
/// interpreter made with the same options: every value is to be within `ulp`
/// times the error that ErrorBounds has for it. Without bounds, that is: equal,
/// under `strict` also the sign of zero.
///
/// With a reference that `isCompiled` there are no bounds: fields are compared
/// by the rule of UlpDiff.h, and points that are off by at most `ulp` epsilons
/// of the largest magnitude are right too; scalars may be off by as many
/// times more as the largest sum has terms.
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
