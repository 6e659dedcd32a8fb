//===- GPUOutputs.cpp - Binaries for GPUs ---------------------------------===//

#include "GPUOutputs.h"
#include "Options.h"
#include "mlir/Pass/PassManager.h"

using namespace stencil;

llvm::Error compileKernels(mlir::ModuleOp module, const Options &options,
                           llvm::SmallVectorImpl<char> &result) {
  mlir::PassManager manager(module.getContext());
  buildKernelCompilation(manager, *options.gpu, hasKernels(module));
  if (failed(manager.run(module)))
    return llvm::createStringError("");
  auto binaries = llvm::to_vector(module.getOps<mlir::gpu::BinaryOp>());
  if (binaries.size() != 1)
    return llvm::createStringError(
        "'" + options.file +
        "': expected kernels of one function, got those "
        "of " +
        llvm::Twine(binaries.size()) +
        (binaries.empty() ? "" : "; --entry NAME chooses one"));
  auto object = llvm::cast<mlir::gpu::ObjectAttr>(binaries[0].getObjects()[0]);
  llvm::append_range(result, object.getObject().getValue());
  return llvm::Error::success();
}
