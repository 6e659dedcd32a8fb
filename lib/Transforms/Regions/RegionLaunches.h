//===- RegionLaunches.h - How regions are launched --------------*- C++ -*-===//

#ifndef STENCIL_LIB_TRANSFORMS_REGIONS_REGIONLAUNCHES_H
#define STENCIL_LIB_TRANSFORMS_REGIONS_REGIONLAUNCHES_H

#include "StencilDialect/IR/MathMode.h"
#include "StencilDialect/IR/StencilOps.h"
#include "StencilDialect/Target/TargetInfo.h"
#include "mlir/IR/BuiltinOps.h"

namespace stencil {

/// Groups the regions of the sweeps in a module, as stencil-group-regions does.
/// Fails with an error at a region that depends on another one. A remark says
/// of each group how it is launched, unless it is to be silent.
mlir::LogicalResult groupRegions(mlir::ModuleOp module, bool isSilent);

/// Says with what else an apply is launched.
void setLaunch(ApplyOp apply, RegionLaunch how);

/// Says of the regions of one sweep, of which the program does not say how they
/// are launched, that each has a stream of its own; two that are alike and thin
/// along the rows become one launch. `regions` have their schedules and are in
/// one block. What turns out to depend on another one stays as it is, with a
/// remark.
void chooseRegionLaunches(mlir::ModuleOp module,
                          llvm::ArrayRef<ApplyOp> regions,
                          const TargetInfo &target, MathMode math);

} // namespace stencil

#endif // STENCIL_LIB_TRANSFORMS_REGIONS_REGIONLAUNCHES_H
