//===- TileOps.td - What a block does ----------------------*- tablegen -*-===//

#ifndef STENCILDIALECT_TILE_TILEOPS_TD
#define STENCILDIALECT_TILE_TILEOPS_TD

include "StencilDialect/Tile/TileKernelOps.td"
include "StencilDialect/Tile/TileMemoryOps.td"
include "StencilDialect/Tile/TileValueOps.td"

#endif // STENCILDIALECT_TILE_TILEOPS_TD
