//===- TileOpBase.td - What ops of tiles have in common ----*- tablegen -*-===//

#ifndef STENCILDIALECT_TILE_TILEOPBASE_TD
#define STENCILDIALECT_TILE_TILEOPBASE_TD

include "StencilDialect/IR/OpTraits.td"
include "StencilDialect/IR/StencilAttrs.td"
include "StencilDialect/IR/StencilTypes.td"
include "StencilDialect/Tile/TileTypes.td"
include "mlir/IR/OpAsmInterface.td"
include "mlir/Interfaces/ControlFlowInterfaces.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

class Tile_Op<string mnemonic, list<Trait> traits = []>
    : Op<Tile_Dialect, mnemonic, traits>;

class Tile_Trait<string name> : NativeOpTrait<name> {
  let cppNamespace = "::stencil::tile";
}
def Tile_ValueView : Tile_Trait<"ValueView">;
def Tile_IsOrdered : Tile_Trait<"IsOrdered">;

// A number that may be negative: a plane before that of the iteration.
def Tile_I64Attr : TypedSignlessIntegerAttrBase<I64, "int64_t", I64Attr.summary> {
  let convertFromStorage = "$_self.getInt()";
}

// Constraints of C++ type mlir::Type, so that types are printed in full.
def Tile_Ring : Stencil_IsA<"tile::RingType", "tile.ring">;
def Tile_Cursor : Stencil_IsA<"tile::CursorType", "tile.cursor">;
def Tile_FieldOrRing : AnyTypeOf<[Stencil_Field, Tile_Ring]>;

#endif // STENCILDIALECT_TILE_TILEOPBASE_TD
