//===- LoopHints.h - What LLVM is told of loops -----------------*- C++ -*-===//

#ifndef STENCILDIALECT_CONVERSION_LOOPHINTS_H
#define STENCILDIALECT_CONVERSION_LOOPHINTS_H

#include "mlir/Dialect/SCF/IR/SCF.h"

namespace stencil {

/// Tells LLVM to leave a loop as it is: neither vectorised nor unrolled.
void keepAsLoop(mlir::scf::ForOp loop);

} // namespace stencil

#endif // STENCILDIALECT_CONVERSION_LOOPHINTS_H
