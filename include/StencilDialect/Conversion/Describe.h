//===- Describe.h - Messages of compiled programs ---------------*- C++ -*-===//

#ifndef STENCILDIALECT_CONVERSION_DESCRIBE_H
#define STENCILDIALECT_CONVERSION_DESCRIBE_H

#include "mlir/IR/Location.h"
#include "llvm/ADT/Twine.h"

#include <string>

namespace stencil {

/// A message for the user of a compiled program, who has no IR at hand:
/// `file:line:column: what`.
std::string describe(mlir::Location loc, const llvm::Twine &what);

} // namespace stencil

#endif // STENCILDIALECT_CONVERSION_DESCRIBE_H
