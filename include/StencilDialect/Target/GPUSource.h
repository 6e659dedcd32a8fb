//===- GPUSource.h - CUDA and HIP sources of GPU programs ---------*- C++
//-*-===//
//
// Writes a level-4 module (gpu.func kernels and the functions that launch them)
// as a source file for people to read, change and compile with nvcc or hipcc.
// Names, loops and the structure of formulas survive.
//
//===----------------------------------------------------------------------===//

#ifndef STENCILDIALECT_TARGET_GPUSOURCE_H
#define STENCILDIALECT_TARGET_GPUSOURCE_H

#include "mlir/IR/BuiltinOps.h"
#include "llvm/Support/raw_ostream.h"

namespace llvm {
class SourceMgr;
} // namespace llvm

namespace stencil {

enum class GPULanguage { CUDA, HIP };

/// Writes `module`, which came from the file `name`, to `os`; rewrites it a
/// little on the way. Names of arguments of functions are read from `sources`
/// if given. An op that has no form in C++ is an error at its location, and
/// then nothing is written.
mlir::LogicalResult emitGPUSource(mlir::ModuleOp module, GPULanguage language,
                                  llvm::StringRef name,
                                  llvm::SourceMgr *sources,
                                  llvm::raw_ostream &os);

} // namespace stencil

#endif // STENCILDIALECT_TARGET_GPUSOURCE_H
