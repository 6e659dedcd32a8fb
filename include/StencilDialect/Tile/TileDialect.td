//===- TileDialect.td - One block's program -----------------*- tablegen -*-===//

#ifndef STENCILDIALECT_TILE_TILEDIALECT_TD
#define STENCILDIALECT_TILE_TILEDIALECT_TD

include "mlir/IR/OpBase.td"

def Tile_Dialect : Dialect {
  let name = "tile";
  let cppNamespace = "::stencil::tile";
  let summary = "one block's program: planes in shared memory, copies, barriers, stages";
  let description = [{
    The level between pipelines and threads (docs/tiles.md). A `tile.kernel` is
    what one block of threads does with its tile; there is no thread in it.
    Values are `!stencil.temp`s whose boxes are relative to the tile; a stage is
    a `stencil.apply` of such values. What is new at this level is where values
    live (`tile.ring`, `tile.source`), how they get there (`tile.copy`,
    `tile.wait`), when (`tile.walk`, `tile.barrier`), and who holds which point
    (`#tile.layout`) and what computes a stage (`tile.engine`).
  }];
  let dependentDialects = ["::stencil::StencilDialect"];
  let hasOperationAttrVerify = 1;
  let useDefaultTypePrinterParser = 1;
  let useDefaultAttributePrinterParser = 1;
  let extraClassDeclaration = [{
    void registerAttributes();
    void registerTypes();

    /// On a stage (`stencil.apply`): the `#tile.layout` of its results, if it
    /// is not that of the kernel.
    static constexpr ::llvm::StringLiteral kLayoutAttrName = "tile.layout";

    /// On a stage: what computes it, an attribute with the interface
    /// EngineAttrInterface; without one, `#tile.fma`.
    static constexpr ::llvm::StringLiteral kEngineAttrName = "tile.engine";
  }];
}

#endif // STENCILDIALECT_TILE_TILEDIALECT_TD
