//===- LLVMTranslation.h - From the LLVM dialect to LLVM IR -------*- C++
//-*-===//

#ifndef STENCILDIALECT_TARGET_LLVMTRANSLATION_H
#define STENCILDIALECT_TARGET_LLVMTRANSLATION_H

#include <memory>

namespace llvm {
class LLVMContext;
class Module;
} // namespace llvm

namespace mlir {
class DialectRegistry;
class ModuleOp;
} // namespace mlir

namespace stencil {

/// Adds the dialects of level-0 programs and of everything that the CPU
/// pipeline makes of them, with their translations to LLVM IR. Far fewer than
/// all dialects: registration is a part of the start-up time of a tool.
void registerCPUDialects(mlir::DialectRegistry &registry);

/// Translates what the CPU pipeline left. Returns null after an error.
std::unique_ptr<llvm::Module> translateToLLVM(mlir::ModuleOp module,
                                              llvm::LLVMContext &context);

} // namespace stencil

#endif // STENCILDIALECT_TARGET_LLVMTRANSLATION_H
