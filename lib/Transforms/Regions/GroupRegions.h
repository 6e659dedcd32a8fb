//===- GroupRegions.h - Which kernels may run at the same time --*- C++ -*-===//

#ifndef STENCILDIALECT_LIB_TRANSFORMS_GROUPREGIONS_H
#define STENCILDIALECT_LIB_TRANSFORMS_GROUPREGIONS_H

#include "mlir/IR/BuiltinOps.h"

namespace stencil {

/// Groups the regions of the sweeps in a module, as stencil-group-regions does.
/// Fails with an error at a region that depends on another one. A remark says
/// of each group how it is launched, unless it is to be silent.
mlir::LogicalResult groupRegions(mlir::ModuleOp module, bool isSilent);

} // namespace stencil

#endif // STENCILDIALECT_LIB_TRANSFORMS_GROUPREGIONS_H
