//===- Locations.h - Where errors are ---------------------------*- C++ -*-===//

#ifndef STENCILDIALECT_IR_LOCATIONS_H
#define STENCILDIALECT_IR_LOCATIONS_H

#include "mlir/IR/Operation.h"

namespace stencil {

/// Where errors about a whole program are, such as those about options: the
/// start of its file. MLIR's parser gives modules that are not written out line
/// 0, where no editor finds them.
mlir::Location getStart(mlir::Operation *program);

} // namespace stencil

#endif // STENCILDIALECT_IR_LOCATIONS_H
