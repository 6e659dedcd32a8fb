//===- RunState.h - What all ops of a run share -----------------*- C++ -*-===//

#ifndef STENCIL_LIB_INTERPRETER_RUNSTATE_H
#define STENCIL_LIB_INTERPRETER_RUNSTATE_H

#include "Errors.h"
#include "Extents.h"
#include "Runner.h"
#include "StencilDialect/Interpreter/Interpreter.h"
#include "Tiles.h"

#include <variant>

namespace stencil::interp {

struct Scalar {
  Kind kind = Kind::I64;
  Cell cell;
  /// See Errors.h.
  double error = 0;
};

inline Scalar makeIndex(int64_t value) {
  return {Kind::I64, Cell::ofInteger(value, Kind::I64)};
}

/// Nothing: a temp of which no point is needed. The last four: in kernels of
/// tiles.
using RuntimeValue =
    std::variant<std::monostate, Scalar, FieldValue, TempValue, RingValue,
                 CursorValue, SourceValue, TileValue>;

/// The values of the call that runs, and what is kept from op to op: memory and
/// threads.
class RunState {
public:
  explicit RunState(const InterpreterOptions &options)
      : options(options), team(options.threads) {
    if (options.bounds)
      analysis.emplace(*options.bounds, options.precision);
  }

  const InterpreterOptions &options;
  std::optional<ErrorAnalysis> analysis;
  MemoryPool pool;
  ThreadTeam team;

  /// One call of a function.
  struct Activation {
    llvm::DenseMap<mlir::Value, RuntimeValue> values;
    Extents extents;
    Demand demand;
    /// Null outside of kernels of tiles.
    TileBlock *block = nullptr;
  };
  Activation *activation = nullptr;

  // Values by kind. A verified program has a value of that kind there; a temp
  // that is not known is an error at `op`.
  RuntimeValue &get(mlir::Value value) { return activation->values[value]; }
  const Scalar &getScalar(mlir::Value value) {
    return std::get<Scalar>(get(value));
  }
  int64_t getInteger(mlir::Value value) {
    const Scalar &scalar = getScalar(value);
    return scalar.cell.getInteger(scalar.kind);
  }
  FieldValue &getField(mlir::Value value) {
    return std::get<FieldValue>(get(value));
  }
  RingValue getRing(mlir::Value value) {
    return std::get<RingValue>(get(value));
  }
  TempValue *getTemp(mlir::Operation *op, mlir::Value value);
  /// The number of a cursor's iteration.
  int64_t getIteration(mlir::Value cursor) {
    return std::get<CursorValue>(get(cursor)).iteration;
  }

  std::optional<Box> resolve(BoundsAttr bounds,
                             mlir::Operation *op = nullptr) const {
    return activation->extents.resolve(bounds, op);
  }
  /// Gives a field the bounds that an op says; null: none.
  mlir::LogicalResult bind(mlir::Operation *op, BoundsAttr bounds,
                           FieldValue &field);
  Box getDemand(mlir::Value value) const {
    return activation->demand.lookup(value);
  }
  mlir::FailureOr<Kind> requireKind(mlir::Operation *op,
                                    mlir::Type type) const {
    return interp::requireKind(op, type, options.precision);
  }

  mlir::FailureOr<TempValue> makeTemp(mlir::Operation *op, Kind kind,
                                      const Box &box, bool isMasked);
  mlir::FailureOr<FieldValue> makeField(mlir::Operation *op,
                                        mlir::Type elementType,
                                        llvm::ArrayRef<int64_t> shape, Box box);
  /// To be called before every write to a field.
  mlir::LogicalResult prepareWrite(mlir::Operation *op, FieldStorage &storage);
  mlir::LogicalResult copyStorage(mlir::Operation *op, const FieldStorage &from,
                                  FieldStorage &to);
  /// Counts a branch that rounding decides.
  void noteBranch(mlir::Value condition) {
    if (analysis && getScalar(condition).error > 0)
      ++analysis->undecidedBranches;
  }
  /// The values of some others, all at once: fields may be swapped.
  void assign(mlir::ValueRange targets, mlir::ValueRange sources);

private:
  /// Memory for the points of a box, with their errors; fails with an error.
  template <typename Contents>
  mlir::LogicalResult allocate(mlir::Operation *op, Kind kind, const Box &box,
                               Contents &contents);
};

} // namespace stencil::interp

#endif // STENCIL_LIB_INTERPRETER_RUNSTATE_H
