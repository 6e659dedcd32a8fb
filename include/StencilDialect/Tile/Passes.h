//===- Passes.h - Passes on the tile dialect --------------------*- C++ -*-===//

#ifndef STENCILDIALECT_TILE_PASSES_H
#define STENCILDIALECT_TILE_PASSES_H

#include "StencilDialect/Tile/Tile.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Pass/Pass.h"

namespace stencil {

#define GEN_PASS_DECL
#include "StencilDialect/Tile/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "StencilDialect/Tile/Passes.h.inc"

} // namespace stencil

#endif // STENCILDIALECT_TILE_PASSES_H
