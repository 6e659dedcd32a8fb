//===- MapLists.h - Boundaries and folds to kernels of tiles ----*- C++ -*-===//

#ifndef STENCIL_LIB_CONVERSION_STENCILTOTILE_MAPLISTS_H
#define STENCIL_LIB_CONVERSION_STENCILTOTILE_MAPLISTS_H

#include "StencilDialect/Analysis/FieldAlias.h"
#include "StencilDialect/Tile/Tile.h"

namespace stencil {

/// Builds the kernels, before `op`, that fill the halos of it and of those
/// behind it that do the same to other fields, with nothing but scalars in
/// between. All of these ops are appended to `done`, `op` first; they stay.
llvm::SmallVector<tile::KernelOp>
mapBoundary(BoundaryOp op, FieldAliasAnalysis &aliases,
            llvm::SmallVectorImpl<mlir::Operation *> &done);

/// Builds the kernel of a fold of fields before the op, and has those that use
/// the op's result use the kernel's; the op stays.
tile::KernelOp mapFold(FoldOp op);

} // namespace stencil

#endif // STENCIL_LIB_CONVERSION_STENCILTOTILE_MAPLISTS_H
