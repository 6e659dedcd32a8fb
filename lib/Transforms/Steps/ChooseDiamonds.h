//===- ChooseDiamonds.h - Which diamonds pay on a CPU -----------*- C++ -*-===//

#ifndef STENCIL_LIB_TRANSFORMS_CHOOSEDIAMONDS_H
#define STENCIL_LIB_TRANSFORMS_CHOOSEDIAMONDS_H

#include "StencilDialect/IR/CPULoops.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

#include <string>

namespace stencil {

/// What a CPU has for diamonds, and what they are to cover.
struct DiamondRoom {
  /// Bytes of a core's second-level cache, and of all last-level caches.
  uint64_t ownCache = 0, lastCache = 0;
  int64_t threads = 1;
  /// Of the interior; empty: any.
  llvm::ArrayRef<int64_t> extents;
};

/// The diamonds in which the steps of a loop are faster than otherwise; null,
/// and why, if there are none.
DiamondsAttr chooseDiamonds(mlir::scf::ForOp loop, const DiamondRoom &room,
                            std::string &why);

} // namespace stencil

#endif // STENCIL_LIB_TRANSFORMS_CHOOSEDIAMONDS_H
