//===- GPUTranslation.h - Dialects of GPU programs --------------*- C++ -*-===//

#ifndef STENCILDIALECT_TARGET_GPUTRANSLATION_H
#define STENCILDIALECT_TARGET_GPUTRANSLATION_H

namespace mlir {
class DialectRegistry;
} // namespace mlir

namespace stencil {

/// Adds the translations of gpu.module and gpu.binary to LLVM IR.
void registerGPUTranslations(mlir::DialectRegistry &registry);

/// Adds the dialects of GPU programs, from level 4 down, with their conversions
/// to the LLVM dialect and their translations to LLVM IR; comes on top of
/// registerCPUDialects.
void registerGPUDialects(mlir::DialectRegistry &registry);

} // namespace stencil

#endif // STENCILDIALECT_TARGET_GPUTRANSLATION_H
