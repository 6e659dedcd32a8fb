//===- DeviceArguments.h - Arrays that are on the device already *- C++ -*-===//

#ifndef STENCIL_LIB_CONVERSION_STENCILTOGPU_DEVICEARGUMENTS_H
#define STENCIL_LIB_CONVERSION_STENCILTOGPU_DEVICEARGUMENTS_H

#include "DeviceStream.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "llvm/ADT/SetVector.h"

namespace stencil {

/// The memref that `memref` is a view of.
mlir::Value getRoot(mlir::Value memref);

/// The arguments of a function that are arrays on the device.
class DeviceArrays {
public:
  /// Finds them, with an error at what the host does with them and cannot.
  mlir::LogicalResult find(mlir::func::FuncOp function);
  /// The one that a memref is, or is a view of; else null.
  mlir::BlockArgument get(mlir::Value memref) const;

  /// A copy by the host from one to another.
  void copy(mlir::memref::CopyOp op, DeviceStream &stream);
  /// The host copies to one.
  void addCopied(mlir::BlockArgument array) { copiedTo.insert(array); }
  /// Kernels need as much, in bytes.
  void requireAlignment(int64_t bytes) {
    alignment = std::max(alignment, bytes);
  }
  /// They are what kernels expect, which write to some.
  void check(mlir::OpBuilder &builder, mlir::Location loc, RowLayout rows,
             llvm::function_ref<bool(mlir::BlockArgument)> isWritten) const;

private:
  mlir::LogicalResult checkUse(mlir::Operation *op) const;

  llvm::SmallSetVector<mlir::BlockArgument, 8> arrays, copiedTo;
  int64_t alignment = 1;
};

} // namespace stencil

#endif // STENCIL_LIB_CONVERSION_STENCILTOGPU_DEVICEARGUMENTS_H
