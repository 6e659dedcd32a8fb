//===- LaunchParts.h - Kernels that become one ------------------*- C++ -*-===//

#ifndef STENCILDIALECT_LIB_TRANSFORMS_LAUNCHPARTS_H
#define STENCILDIALECT_LIB_TRANSFORMS_LAUNCHPARTS_H

#include "mlir/Dialect/GPU/IR/GPUDialect.h"

namespace stencil {

/// One of the kernels that become one.
struct LaunchPart {
  mutable mlir::gpu::LaunchFuncOp launch;
  mutable mlir::gpu::GPUFuncOp kernel;
  /// Threads along x, y, z.
  std::array<int64_t, 3> threads = {1, 1, 1};
  /// Who waits for others cannot be short of some.
  bool synchronises = false;

  int64_t countThreads() const { return threads[0] * threads[1] * threads[2]; }
};

/// An op of a kernel that asks where it is, and for which there is an answer in
/// a joint kernel.
bool isPosition(mlir::Operation *op);

/// Emits an error if launches cannot be joined: each is of a constant block and
/// a grid along x, and all are of one module and for one stream.
mlir::FailureOr<llvm::SmallVector<LaunchPart>>
readLaunchParts(llvm::ArrayRef<mlir::gpu::LaunchFuncOp> launches);

/// The part of the most threads, which the joint kernel has. Null, and an error
/// is emitted, if one of fewer threads waits for all of its block.
const LaunchPart *findLargestPart(llvm::ArrayRef<LaunchPart> parts);

} // namespace stencil

#endif // STENCILDIALECT_LIB_TRANSFORMS_LAUNCHPARTS_H
