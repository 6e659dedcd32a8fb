//===- Architectures.h - What all products with a chip have -----*- C++ -*-===//

#ifndef STENCIL_LIB_TARGET_ARCHITECTURES_H
#define STENCIL_LIB_TARGET_ARCHITECTURES_H

#include "StencilDialect/Target/TargetInfo.h"

namespace stencil {

/// The descriptions that a chip's name stands for, each with the rates of one
/// product.
llvm::ArrayRef<TargetInfo> getChipDescriptions();

/// The architecture of a chip, with the rates of some product; null if it is
/// not described.
const TargetInfo *findArchitecture(llvm::StringRef chip);

/// What every GPU of the vendor has.
TargetInfo describeAny(llvm::StringRef chip, GPUVendor vendor);

/// As in TargetInfo.
llvm::StringRef getPTXFeature(llvm::StringRef chip);

} // namespace stencil

#endif // STENCIL_LIB_TARGET_ARCHITECTURES_H
