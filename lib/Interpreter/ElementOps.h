//===- ElementOps.h - From ops on scalars to kernels ------------*- C++ -*-===//

#ifndef STENCIL_LIB_INTERPRETER_ELEMENTOPS_H
#define STENCIL_LIB_INTERPRETER_ELEMENTOPS_H

#include "Kernels.h"
#include "StencilDialect/Interpreter/Interpreter.h"
#include "mlir/IR/Operation.h"

#include <cstring>
#include <optional>

namespace stencil::interp {

/// One element of any kind.
struct Cell {
  alignas(16) char bytes[16] = {};

  template <typename T> static Cell of(T value) {
    Cell cell;
    std::memcpy(cell.bytes, &value, sizeof(T));
    return cell;
  }
  template <typename T> T get() const {
    T value;
    std::memcpy(&value, bytes, sizeof(T));
    return value;
  }

  /// An integer cell, sign-extended (i1: 0 or 1), and the reverse, which
  /// wraps.
  int64_t getInteger(Kind kind) const;
  static Cell ofInteger(int64_t value, Kind kind);

  /// A floating-point cell, and the reverse, which rounds.
  long double getFloat(Kind kind) const;
  static Cell ofFloat(long double value, Kind kind);
};

/// How elements of a type are held; nothing for types that cannot be evaluated.
/// Under Precision::Extended every floating-point type is F80.
std::optional<Kind> getKind(mlir::Type type, Precision precision);

/// The same, with an error at `op`.
mlir::FailureOr<Kind> requireKind(mlir::Operation *op, mlir::Type type,
                                  Precision precision);

/// The value of a scalar attribute of kind `kind`; nothing for other
/// attributes.
std::optional<Cell> getCell(mlir::Attribute attribute, Kind kind);

/// How one result of an elementwise op is computed from all its operands: by
/// one of the two.
struct ElementOp {
  Kernel kernel = nullptr;
  CheckedKernel checked = nullptr;
  Kind kind = Kind::F64;
};

/// One entry per result of an arith or math op. Emits an error for ops and
/// types that the interpreter does not know.
mlir::FailureOr<llvm::SmallVector<ElementOp, 2>>
getElementOps(mlir::Operation *op, Precision precision);

/// What went wrong, for a message.
llvm::StringRef describe(FaultKind fault);

/// Emits that the interpreter does not know this op.
mlir::InFlightDiagnostic emitUnknownOp(mlir::Operation *op);

} // namespace stencil::interp

#endif // STENCIL_LIB_INTERPRETER_ELEMENTOPS_H
