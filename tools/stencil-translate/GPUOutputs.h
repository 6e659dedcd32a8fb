//===- GPUOutputs.h - Binaries for GPUs -------------------------*- C++ -*-===//

#ifndef STENCILDIALECT_TOOLS_STENCILTRANSLATE_GPUOUTPUTS_H
#define STENCILDIALECT_TOOLS_STENCILTRANSLATE_GPUOUTPUTS_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/Error.h"

namespace stencil {
class Source;
} // namespace stencil

namespace mlir {
class ModuleOp;
} // namespace mlir

struct Options;

/// The text or binary of --to-ptx, --to-cubin, --to-fatbin and --to-hsaco. The
/// message of the error is empty if one has been emitted.
llvm::Error compileKernels(mlir::ModuleOp module, const Options &options,
                           llvm::SmallVectorImpl<char> &result);

/// The text of --to-cuda and --to-hip. Errors are as above.
llvm::Error writeSource(stencil::Source &source, const Options &options,
                        llvm::SmallVectorImpl<char> &result);

#endif // STENCILDIALECT_TOOLS_STENCILTRANSLATE_GPUOUTPUTS_H
