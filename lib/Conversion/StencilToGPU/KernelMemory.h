//===- KernelMemory.h - Memory that kernels hand each other -----*- C++ -*-===//

#ifndef STENCIL_LIB_CONVERSION_STENCILTOGPU_KERNELMEMORY_H
#define STENCIL_LIB_CONVERSION_STENCILTOGPU_KERNELMEMORY_H

#include "DeviceStream.h"

namespace stencil {

/// Memory of the device that kernels hand each other, and the host. Ops that
/// name it become it.
class KernelMemory {
public:
  explicit KernelMemory(DeviceStream &stream) : stream(stream) {}

  mlir::LogicalResult lower(ScratchOp op);
  mlir::LogicalResult lower(FetchOp op);
  mlir::LogicalResult lower(ErrorWordOp op);
  llvm::ArrayRef<mlir::Value> getBuffers() const { return buffers; }
  /// What kernels have noted becomes errors of the program.
  void checkErrors(mlir::OpBuilder &builder, mlir::Location loc);

private:
  mlir::Value allocate(mlir::Location loc, mlir::Type type);

  DeviceStream &stream;
  llvm::SmallVector<mlir::Value> buffers;
  /// Words of device memory, and what numbers in them mean, from 1 on.
  llvm::SmallVector<std::pair<mlir::Value, mlir::ArrayAttr>> errorWords;
};

} // namespace stencil

#endif // STENCIL_LIB_CONVERSION_STENCILTOGPU_KERNELMEMORY_H
