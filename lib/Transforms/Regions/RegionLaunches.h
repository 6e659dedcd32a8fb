//===- RegionLaunches.h - How regions are launched --------------*- C++ -*-===//

#ifndef STENCILDIALECT_LIB_TRANSFORMS_REGIONLAUNCHES_H
#define STENCILDIALECT_LIB_TRANSFORMS_REGIONLAUNCHES_H

#include "StencilDialect/IR/MathMode.h"
#include "StencilDialect/IR/StencilOps.h"
#include "StencilDialect/Target/TargetInfo.h"

namespace stencil {

/// Says of the regions of one sweep, of which the program does not say how they
/// are launched, that each has a stream of its own; two that are alike and thin
/// along the rows become one launch. `regions` have their schedules and are in
/// one block. What turns out to depend on another one stays as it is, with a
/// remark.
void chooseRegionLaunches(mlir::ModuleOp module,
                          llvm::ArrayRef<ApplyOp> regions,
                          const TargetInfo &target, MathMode math);

} // namespace stencil

#endif // STENCILDIALECT_LIB_TRANSFORMS_REGIONLAUNCHES_H
