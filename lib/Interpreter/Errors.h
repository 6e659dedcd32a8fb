//===- Errors.h - Running error analysis ------------------------*- C++ -*-===//
//
// Beside a register of values stand three of numbers, in double:
//   linear     what comes from the errors of what was read, added up: they may
//              have one cause;
//   quadratic  what comes from roundings in this body, added up as squares:
//              they are independent;
//   magnitude  the sum of the magnitudes of the terms that the value is a sum
//              of, where that is more than the value's own: what is rounded
//              under `reassociate`, and what a bound is compared with to see
//              whether it says anything.
// The error of a value is linear + quadratic, in units of which the compiled
// program may be off by `factor`. Two examples of an error, with their signs,
// go beside it:
//   coherent   every rounding away from zero, by its whole unit;
//   random     every rounding up or down by chance.
//
//===----------------------------------------------------------------------===//

#ifndef STENCIL_LIB_INTERPRETER_ERRORS_H
#define STENCIL_LIB_INTERPRETER_ERRORS_H

#include "Instructions.h"
#include "StencilDialect/Interpreter/ErrorBounds.h"

#include <atomic>
#include <limits>

namespace stencil::interp {

inline constexpr double kUnknown = std::numeric_limits<double>::infinity();

/// Says of an error that is linear alone that it is no copy.
inline constexpr double kLeastError = std::numeric_limits<double>::denorm_min();

/// What all instructions of a run share.
struct ErrorAnalysis {
  MathMode math = MathMode::Contract;
  double factor = 5;
  bool flushesDenormals = false;
  int64_t patch = 1;
  Precision precision = Precision::Program;
  std::atomic<int64_t> undecided{0};
  int64_t undecidedBranches = 0;
  /// Numbers that tell draws by chance apart.
  uint64_t evaluations = 0, instructions = 0;

  ErrorAnalysis(const ErrorBounds &bounds, Precision precision)
      : math(bounds.math), factor(bounds.factor),
        flushesDenormals(bounds.flushesDenormals), patch(bounds.patch),
        precision(precision) {}

  /// The compiled program rounds where the interpreter does not.
  bool roundsAlways() const {
    return precision == Precision::Extended || flushesDenormals;
  }
};

/// The distance from 1 to the next value of the type, and what may be lost of a
/// number for being small. Zeros for integers.
struct Rounding {
  double epsilon = 0, tiny = 0;
};
Rounding getRounding(mlir::Type type, const ErrorAnalysis &analysis);

/// Bits that depend on all bits of a number (Steele, Lea, Flood 2014).
inline uint64_t mixSalt(uint64_t z) {
  z += 0x9e3779b97f4a7c15;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
  z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
  return z ^ (z >> 31);
}

/// Adds the rounding of lane `lane` to an error.
inline void addRounding(PointError &error, double unit, int64_t lane) {
  error.bound += unit;
  error.coherent += unit;
  error.random += (mixSalt(lane) & 1) != 0 ? unit : -unit;
}

/// How the errors of operands become that of a result.
enum class ErrorRule : uint8_t {
  /// Integers and tests: known if all operands are.
  Discrete,
  And,
  Or,
  /// The first operand's, as it is.
  Pass,
  Add,
  Multiply,
  Divide,
  Fma,
  Remainder,
  Extreme,
  /// By the values at both ends of the operand's bound: rounded right, or to a
  /// whole number, or a function of `math`.
  Root,
  Step,
  Function,
  /// The slope is at most 1, values are within [-1, 1].
  Wave,
  Tangent,
  /// By the values at the corners.
  Binary,
  /// A binary function that jumps at the negative first axis.
  Angle,
  Power,
  Narrow,
  FromInteger,
  ToInteger,
  CompareFloats,
  CompareIntegers,
  Select,
  IntegerSum,
  IntegerProduct
};

/// The errors of one result of an elementwise op. Follows the instruction that
/// computes the result.
class PropagateError : public Instruction {
public:
  PropagateError(mlir::Operation *op, unsigned resultIndex,
                 ErrorAnalysis &analysis, Kind kind, unsigned result,
                 llvm::ArrayRef<Kind> operandKinds,
                 llvm::ArrayRef<unsigned> operands);
  /// A product or sum of a weighted sum.
  PropagateError(mlir::Operation *op, ErrorRule rule, ErrorAnalysis &analysis,
                 Kind kind, unsigned result, llvm::ArrayRef<unsigned> operands,
                 bool isSubtraction);
  bool run(Frame &frame) const override;

private:
  struct Lanes;
  void setUp(mlir::Operation *op, mlir::Type type);
  void roundFactors(mlir::Operation *op);
  void runDiscrete(Lanes &lanes) const;
  void runArithmetic(Lanes &lanes, uint64_t salt) const;
  void runUnary(Lanes &lanes, Frame &frame) const;
  void runBinary(Lanes &lanes, Frame &frame) const;
  void runChoice(Lanes &lanes, Frame &frame) const;
  double getUnit(double z, double magnitude, bool agrees) const;
  double getFactorUnit(const Lanes &lanes, int64_t i) const;
  void count(const Frame &frame, int64_t lane) const {
    if (frame.isActive(lane))
      analysis.undecided.fetch_add(1, std::memory_order_relaxed);
  }

  ErrorAnalysis &analysis;
  ErrorRule rule;
  Kind kind;
  unsigned result;
  unsigned numOperands;
  std::array<Kind, 3> kinds{};
  std::array<unsigned, 3> args{};
  Rounding rounding;
  bool reassociates = false;
  bool isSubtraction = false, isNegation = false, isMagnitude = false;
  uint64_t id = 0;
  /// Rounds differently although the operands are the same.
  bool isSource = false;
  /// With TF32, relative to the product of the first two operands, or to an
  /// operand: by how much what is multiplied may be rounded.
  double productRounding = 0;
  std::array<double, 3> operandRounding{};
  /// The function in double.
  Kernel function = nullptr;
};

/// All lanes of a register are known exactly.
class ClearError : public Instruction {
public:
  explicit ClearError(unsigned result) : result(result) {}
  bool run(Frame &frame) const override;

private:
  unsigned result;
};

/// Elements of any kind as double.
void toDouble(double *target, const void *source, Kind kind, int64_t n);

/// The distance of two numbers: 0 if both are NaN or the same infinity.
double getDistance(double a, double b);

} // namespace stencil::interp

#endif // STENCIL_LIB_INTERPRETER_ERRORS_H
