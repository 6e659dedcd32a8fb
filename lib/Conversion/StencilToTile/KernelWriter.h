//===- KernelWriter.h - Where the ops of a kernel go ------------*- C++ -*-===//

#ifndef STENCIL_LIB_CONVERSION_STENCILTOTILE_KERNELWRITER_H
#define STENCIL_LIB_CONVERSION_STENCILTOTILE_KERNELWRITER_H

#include "Guards.h"

namespace stencil {

/// A kernel that is being written: its arguments, the plane of the iteration,
/// and the place for what comes next.
class KernelWriter {
public:
  /// Begins the kernel, before the pipeline.
  KernelWriter(const TiledPipeline &pipeline, llvm::StringRef name);

  const TiledPipeline &pipeline;
  mlir::OpBuilder builder;
  /// Null without a walk.
  mlir::Value plane;

  tile::KernelOp getKernel() { return frame.get(); }
  /// What stands for a field or scalar from outside.
  mlir::Value getArgument(mlir::Value outside) const { return frame[outside]; }

  /// Opens a part of the kernel for points that somebody needs. What is in it
  /// comes next.
  tile::WhereOp openWhere(mlir::Location loc, mlir::TypeRange results,
                          const OffsetBox &needs, mlir::Value plane = {});
  using Make = llvm::function_ref<mlir::ValueRange()>;
  /// Has something made for planes that somebody needs only, and where somebody
  /// needs it only.
  llvm::SmallVector<mlir::Value>
  makeWhere(mlir::Location loc, mlir::TypeRange types, const OffsetBox &needs,
            bool isGuarded, std::optional<WantedPlanes> ofPlanes, Make make);
  /// A stage that reads nothing but single points, one for each result.
  ApplyOp makeCopy(mlir::Location loc, mlir::Value source, mlir::Type type,
                   llvm::ArrayRef<llvm::SmallVector<int64_t>> offsets);
  /// A stage that asks for coordinates knows them from what it reads in memory,
  /// or is told.
  void tellPlane(ApplyOp stage);

private:
  KernelFrame frame;
};

} // namespace stencil

#endif // STENCIL_LIB_CONVERSION_STENCILTOTILE_KERNELWRITER_H
