//===- Locations.h - Where errors are ---------------------------*- C++ -*-===//

#ifndef STENCILDIALECT_IR_LOCATIONS_H
#define STENCILDIALECT_IR_LOCATIONS_H

#include "mlir/IR/Operation.h"

namespace stencil {

/// Where errors about a whole program are, such as those about options: the
/// start of its file. MLIR's parser gives modules that are not written out line
/// 0, where no editor finds them.
mlir::Location getStart(mlir::Operation *program);

/// Where errors about the value of an option are, such as one of a pass that is
/// the tools' `--schedule`: in a tool they are errors of its command line
/// (Tools/Source.h), elsewhere at `place`.
mlir::Location getOptionLocation(llvm::StringRef option, mlir::Location place);

/// The option that such a location names; empty for all others.
llvm::StringRef getOptionName(mlir::Location location);

} // namespace stencil

#endif // STENCILDIALECT_IR_LOCATIONS_H
