//===- LLVMTranslation.h - From the LLVM dialect to LLVM IR -----*- C++ -*-===//

#ifndef STENCILDIALECT_TARGET_LLVMTRANSLATION_H
#define STENCILDIALECT_TARGET_LLVMTRANSLATION_H

#include "mlir/Support/LLVM.h"
#include "llvm/ADT/STLFunctionalExtras.h"

#include <memory>

namespace llvm {
class LLVMContext;
class Module;
} // namespace llvm

namespace mlir {
class DialectRegistry;
class Operation;
} // namespace mlir

namespace stencil {

/// Adds the dialects of level-0 programs and of everything that the CPU
/// pipeline makes of them, with their translations to LLVM IR. Far fewer than
/// all dialects: registration is a part of the start-up time of a tool.
void registerCPUDialects(mlir::DialectRegistry &registry);

/// Emits an error at the first op below `module` that is not converted, "'NAME'
/// op PROBLEM"; without one at the first cast that a conversion left, "'TYPE'
/// PROBLEM".
mlir::LogicalResult
checkConverted(mlir::Operation *module,
               llvm::function_ref<bool(mlir::Operation *)> isConverted,
               llvm::StringRef problem);

/// Translates what a pipeline left of a module, or of a gpu.module. Returns
/// null after an error.
std::unique_ptr<llvm::Module> translateToLLVM(mlir::Operation *module,
                                              llvm::LLVMContext &context);

} // namespace stencil

#endif // STENCILDIALECT_TARGET_LLVMTRANSLATION_H
