//===- Diagnostics.h - Errors with notes ------------------------*- C++ -*-===//

#ifndef STENCILDIALECT_IR_DIAGNOSTICS_H
#define STENCILDIALECT_IR_DIAGNOSTICS_H

#include "mlir/IR/Diagnostics.h"

namespace stencil {

/// An error with a note at something that it is about.
inline mlir::InFlightDiagnostic withNote(mlir::InFlightDiagnostic &&error,
                                         mlir::Location at,
                                         const llvm::Twine &note) {
  error.attachNote(at) << note;
  return std::move(error);
}

} // namespace stencil

#endif // STENCILDIALECT_IR_DIAGNOSTICS_H
