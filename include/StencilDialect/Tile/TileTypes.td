//===- TileTypes.td - Planes in shared memory ---------------*- tablegen -*-===//

#ifndef STENCILDIALECT_TILE_TILETYPES_TD
#define STENCILDIALECT_TILE_TILETYPES_TD

include "StencilDialect/Tile/TileAttrs.td"

class Tile_Type<string name, string typeMnemonic>
    : TypeDef<Tile_Dialect, name> {
  let mnemonic = typeMnemonic;
}

def Tile_RingType : Tile_Type<"Ring", "ring"> {
  let summary = "planes of a value in the memory that the threads of a block share";
  let description = [{
    ```mlir
    !tile.ring<4 x [0,1]x[-1,9]x[-1,33]xf64, fill = tma>
    ```
    Four slots, each for the box `[-1,9) x [-1,33)` of a plane, in tile
    coordinates. In a kernel that walks along axis A the box is `[0,1)` along A,
    and plane p + k of the iteration with number i, for plane p, is in slot
    (i + k) mod 4. A kernel that does not walk has rings of one slot.

    | `fill` | a `tile.copy` to it |
    |---|---|
    | `threads` | is done by the threads, at once (default) |
    | `delayed` | is loaded into registers at the copy, and stored to the ring at the `tile.wait` |
    | `async` | is `cp.async` of the threads, and complete after the `tile.wait` |
    | `tma` | is one thread's request to the tensor memory accelerator, and complete after the `tile.wait` |
    | `stage` | there is none: threads write what they have computed (`tile.put`) |

    With `edges = R of N` and `fill = stage`, threads have what they write in registers, N rows each along the axis before the
    last; the ring is for the others, `#tile.lanes`. In memory are the R first and the R last rows of each N, if these are
    fewer than N.

    ```mlir
    !tile.ring<2 x [0,1]x[-1,33]x[-2,66]xf64, fill = stage, edges = 1 of 8>
    ```

    `pitch` is the distance of rows in elements; the default is the row, rounded up to
    32 bytes. Slots begin at multiples of 128 bytes, as the copy engine needs it.

    With `segment = S, gap = G` a row is in segments, which begin at the coordinates that are multiples of S, and behind each lie G elements that nobody uses: who reads points that
    are S apart finds them in different banks of shared memory.

    ```mlir
    !tile.ring<1 x [-4,68]xf64, segment = 8, gap = 4, fill = async>
    ```
    The copy engine (`tma`) fills the gaps, too: with the first points of the next segment, which nobody reads there. So a row is whole segments, and behind the last one is a gap. Where a segment
    is not within a row of the field, at its ends, threads copy the tile, and arrive at the mbarrier that is waited for.

    Constraints: 1 to 1024 slots; elements of at most 16 bytes; at most 2^20 elements in a slot, and 16 MiB in all; coordinates from -2^20 to 2^20; `pitch` at least the row, with its gaps; segments of 1 to 2^20 elements and gaps of at most 256, not with `stage`; who reads a ring with gaps asks for them (`#tile.mma`); with `tma` elements of a tensor map (floats and integers of 1 to 8 bytes), at most five axes and
    256 points along each, of which segments and what lies in one are two, a `pitch` that is the row, and rows, or segments and gaps, of a multiple of 16
    bytes: what the copy engine can do (PTX ISA, cuTensorMapEncodeTiled); `edges` with `fill = stage`, two axes or more, and a
    box that has whole groups of N rows, and R rows on either side of them.
  }];
  let parameters = (ins "int64_t":$slots, "::stencil::BoundsAttr":$box,
                        "::mlir::Type":$elementType, "int64_t":$pitch,
                        "::stencil::tile::Fill":$fill, "int64_t":$edge, "int64_t":$groupRows,
                        "int64_t":$segment, "int64_t":$gap);
  let builders = [
    TypeBuilder<(ins "int64_t":$slots, "::stencil::BoundsAttr":$box, "::mlir::Type":$elementType, "int64_t":$pitch,
                     "::stencil::tile::Fill":$fill, CArg<"int64_t", "0">:$edge, CArg<"int64_t", "0">:$groupRows), [{
      return $_get($_ctxt, slots, box, elementType, pitch, fill, edge, groupRows, /*segment=*/1, /*gap=*/0);
    }]>];
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    /// The pitch of rows of `box` if nobody gives one, in elements.
    static int64_t getDefaultPitch(::stencil::BoundsAttr box, ::mlir::Type elementType, Fill fill, int64_t segment = 1,
                                   int64_t gap = 0);
    /// Whether the copy engine knows elements of a type: floats and integers
    /// of 1 to 8 bytes.
    static bool isOfTensorMap(::mlir::Type elementType);
    /// Elements of which a copy with `fill = tma` begins at a multiple: those of 16 bytes. Of others, sm_90 makes an
    /// illegal instruction.
    static int64_t getTensorMapStep(::mlir::Type elementType);
    /// What the copy engine brings of a plane: its box; of rows with gaps, the last two axes are segments, and what lies
    /// in one and in its gap.
    ::llvm::SmallVector<int64_t> getCopiedShape() const;
    /// Where points are.
    ::stencil::tile::RingPlaces getPlaces() const;
    /// Elements from a slot to the next.
    int64_t getSlotElements() const;
    /// Of all slots.
    int64_t getBytes() const;
    /// Elements of a row that a thread can read at once, whose `points`
    /// neighbouring ones begin at a multiple of as many.
    int64_t getVectorLength(int64_t points) const;
    /// Whether only rows at the edges of those of each thread are in memory.
    bool hasEdges() const { return getEdge() > 0; }
    /// Of each thread's rows, those that are in memory; all of them without
    /// edges (`rows`).
    int64_t countStoredRows(int64_t rows) const;
    /// Where a row is, counted from where a thread's first one is; nothing if
    /// it is in no memory.
    ::std::optional<int64_t> findStoredRow(int64_t row) const;
    bool isAsynchronous() const {
      return getFill() != Fill::Threads && getFill() != Fill::Stage;
    }
  }];
}

def Tile_CursorType : Tile_Type<"Cursor", "cursor"> {
  let summary = "where an iteration is in rings of so many slots";
  let description = [{
    `!tile.cursor<4>`: the slot of plane p of an iteration, and how often the
    rings have been filled before (its parity is what an mbarrier is asked for). 1 to 1024 slots.
  }];
  let parameters = (ins "int64_t":$slots);
  let assemblyFormat = "`<` $slots `>`";
  let genVerifyDecl = 1;
}

#endif // STENCILDIALECT_TILE_TILETYPES_TD
