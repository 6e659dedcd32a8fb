//===- KernelSet.h - The kernels of a function, as they are made *- C++ -*-===//
//
// What emitters of kernels see of the program: fields and scalars, which they
// pass on. Where fields live on the device, who allocates and copies them, and
// on which stream a kernel runs, is for stencil-place-fields, which reads what
// is left in the IR: stencil.launch and the ops that make its arguments.
//
//===----------------------------------------------------------------------===//

#ifndef STENCIL_LIB_CONVERSION_STENCILTOGPU_KERNELSET_H
#define STENCIL_LIB_CONVERSION_STENCILTOGPU_KERNELSET_H

#include "DeviceLayout.h"
#include "StencilDialect/Analysis/FieldAlias.h"
#include "StencilDialect/IR/MathMode.h"
#include "StencilDialect/IR/StencilOps.h"
#include "StencilDialect/Target/TargetInfo.h"
#include "StencilDialect/Tile/Tile.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"

namespace stencil {

/// What the lowering was asked for.
struct KernelOptions {
  TargetInfo target;
  MathMode math = MathMode::Contract;
};

/// State of making the kernels of one function.
class KernelSet {
public:
  /// Kernels are added to those that the function has already, if it has any.
  KernelSet(mlir::func::FuncOp function, const KernelOptions &options);

  mlir::gpu::GPUModuleOp getModule() const { return module; }
  const KernelOptions &getOptions() const { return options; }
  FieldAliasAnalysis &getAliases() { return aliases; }
  /// That of all fields of the function.
  RowLayout getRows() const { return rows; }

  /// The interior extent of an axis, on the host, before the op at which
  /// `builder` is.
  mlir::Value getExtent(mlir::OpBuilder &builder, mlir::Location loc,
                        int64_t axis);
  /// The coordinate that a bound stands for, likewise.
  mlir::Value getBound(mlir::OpBuilder &builder, mlir::Location loc,
                       int64_t bound, int64_t axis);

  /// The word of device memory to which a kernel stores `addMessage(text)` when
  /// it finds an error that only shows at run time. There is one for the
  /// function, which has to be asked for first.
  mlir::Value getErrorWord();
  int32_t addMessage(llvm::StringRef text);

  /// Numbers that all threads read alike, as a memref: in constant memory, as
  /// far as the kernels' module has any left.
  mlir::Value getConstants(mlir::OpBuilder &builder, mlir::Location loc,
                           mlir::DenseElementsAttr values);
  /// Numbers that threads read at different places, as a memref.
  mlir::Value getTable(mlir::OpBuilder &builder, mlir::Location loc,
                       mlir::DenseElementsAttr values);

  /// A name for a kernel: that of the function, the role, and a number if the
  /// role has none, or if there is such a kernel.
  std::string nameKernel(llvm::StringRef role);

private:
  mlir::func::FuncOp function;
  mlir::gpu::GPUModuleOp module;
  const KernelOptions &options;
  RowLayout rows;
  FieldAliasAnalysis aliases;
  llvm::StringMap<unsigned> numbers;
  ErrorWordOp errorWord;
  /// Behind it is the place of the word.
  mlir::Operation *lastScratch = nullptr;
  /// Extents that are known before this op.
  mlir::Operation *place = nullptr;
  llvm::SmallVector<mlir::Value> extents;
};

/// Builds the kernel of a tile.kernel, or the kernels of one over a list, and
/// launches them before the op. Fails with an error.
mlir::LogicalResult lowerTileKernel(tile::KernelOp op, KernelSet &kernels);
void lowerListKernel(tile::KernelOp op, KernelSet &kernels);

} // namespace stencil

#endif // STENCIL_LIB_CONVERSION_STENCILTOGPU_KERNELSET_H
