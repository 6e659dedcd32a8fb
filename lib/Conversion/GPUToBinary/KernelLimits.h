//===- KernelLimits.h - Whether kernels fit on a GPU ------------*- C++ -*-===//

#ifndef STENCILDIALECT_LIB_CONVERSION_GPUTOBINARY_KERNELLIMITS_H
#define STENCILDIALECT_LIB_CONVERSION_GPUTOBINARY_KERNELLIMITS_H

#include "StencilDialect/Support/LLVM.h"
#include "mlir/Support/LLVM.h"

namespace mlir::gpu {
class GPUFuncOp;
class LaunchFuncOp;
} // namespace mlir::gpu

namespace stencil {

struct TargetInfo;

/// Emits an error at a kernel that asks for more than every launch on the
/// target could give: threads, static shared memory, registers, blocks on a
/// multiprocessor. Also at an array that cannot be handed in as a pointer.
LogicalResult checkKernelLimits(mlir::gpu::GPUFuncOp kernel,
                                const TargetInfo &target);

/// The same for what is constant in a launch: threads, blocks, dynamic shared
/// memory.
LogicalResult checkLaunchLimits(mlir::gpu::LaunchFuncOp launch,
                                const TargetInfo &target);

/// "32 x 4 x 1".
std::string describeSizes(ArrayRef<int64_t> sizes);

} // namespace stencil

#endif // STENCILDIALECT_LIB_CONVERSION_GPUTOBINARY_KERNELLIMITS_H
