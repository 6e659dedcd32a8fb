//===- TileMemoryOps.td - Rings, copies and stores ---------*- tablegen -*-===//

#ifndef STENCILDIALECT_TILE_TILEMEMORYOPS_TD
#define STENCILDIALECT_TILE_TILEMEMORYOPS_TD

include "StencilDialect/Tile/TileOpBase.td"

def Tile_RingOp : Tile_Op<"ring", [
    HasParent<"KernelOp">, MemoryEffects<[MemAlloc]>]> {
  let summary = "shared memory for planes";
  let description = [{
    `%w = tile.ring overlay 1 : !tile.ring<1 x [-1,9]x[-1,33]xf64>`

    Rings with one `overlay` number lie beside each other; those with another
    one lie at the same place, and are never in use at the same time: between
    the last read of one and the first copy to the next there is a barrier. Without
    a number a ring has its memory for itself.

    With `relay`, each leg of the grid's `relay` has a ring of its own, to which it puts planes for the next one (`tile.take`). A `tile.source` of
    it names that of the last leg.

    Constraints: the type's box has the rank of the grid; `[0,1)` along the walk, if
    there is one, else one slot; `overlay` from 0 to 1023, in a walk with one slot and another fill than `delayed`;
    `relay` with `fill = stage` only, in a grid that has one, and without `overlay`.
  }];
  let arguments = (ins OptionalAttr<Tile_I64Attr>:$overlay, UnitAttr:$relay);
  let results = (outs Tile_Ring:$res);
  let assemblyFormat = "(`overlay` $overlay^)? (`relay` $relay^)? attr-dict `:` type($res)";
  // Bytecode of rings that had no `relay` is read.
  let useCustomPropertiesEncoding = 1;
  let builders = [
    OpBuilder<(ins "::mlir::Type":$res, "::mlir::IntegerAttr":$overlay), [{
      build($_builder, $_state, res, overlay, ::mlir::UnitAttr());
    }]>
  ];
  let extraClassDeclaration = [{
    /// Of all legs, if each has one.
    int64_t getBytes();
  }];
  let hasVerifier = 1;
}

def Tile_CopyOp : Tile_Op<"copy", [AttrSizedOperandSegments, Tile_IsOrdered]> {
  let summary = "brings a plane of a field to its slot of a ring";
  let description = [{
    ```mlir
    tile.copy %a[%p] to %w[%c] plane 3 needs <[-1, -1, -1], [2, 2, 2]> : !field, !ring
    tile.copy %a to %w : !field, !ring1
    ```
    Copies the ring's box, as far as it lies in the field, of plane p + 3 (`plane`) of an iteration, or of the
    tile. Of points that lie outside of the field, and of those outside of what is
    needed, nothing is read: what is in the ring then is not specified. What is needed is, with `needs`, what any
    point of the domain reads at offsets in that box.

    The copy is done, requested or begun as the type of the ring says (`fill`). A copy to a slot that threads have read is behind a `tile.barrier` that is behind the reads.

    With `boundary`, a plane beyond its box along the walk is copied from where it has its values. What is beside the box, and all of a
    plane that has constants or the other sign there, is not specified before a `tile.patch`.

    Constraints: the field has the rank and the element type of the ring; a plane and
    a cursor of as many slots if the kernel walks, else neither; `plane` from -1024 to 1024; with `boundary`, `needs`, a box in the field, a halo of
    constant width, an interior that is as wide as its conditions need it, and of sides that are kept a field that has what is read; `needs` that are known, from -2^20 to 2^20;
    with `fill = tma` a `tile.wait` for the ring, and without a walk no other copy to it.
  }];
  let arguments = (ins Arg<Stencil_Field, "", [MemRead]>:$field, Optional<Index>:$iteration,
                       Arg<Tile_Ring, "", [MemWrite]>:$ring, Optional<Tile_Cursor>:$cursor,
                       DefaultValuedAttr<Tile_I64Attr, "0">:$plane,
                       OptionalAttr<Stencil_BoundsAttr>:$needs,
                       OptionalAttr<Tile_BoundaryAttr>:$boundary);
  let assemblyFormat = [{
    $field (`[` $iteration^ `]`)? `to` $ring (`[` $cursor^ `]`)? (`plane` $plane^)? (`needs` $needs^)? (`boundary` $boundary^)?
    attr-dict `:` type($field) `,` custom<RingType>(type($ring), ref($cursor), type($cursor))
  }];
  let hasVerifier = 1;
}

def Tile_WaitOp : Tile_Op<"wait", [Tile_IsOrdered]> {
  let summary = "lets a thread go on when a plane has come";
  let description = [{
    `tile.wait %w[%c] plane 1 : !ring`

    All copies to the ring of planes up to p + 1 are complete, for the thread that has requested them (`async`,
    `delayed`: others see them behind a barrier), or for all (`tma`).

    Constraints: a ring that is not filled by `threads`, which nobody waits for; without a walk, behind a copy to it.
  }];
  let arguments = (ins Arg<Tile_Ring, "", [MemRead, MemWrite]>:$ring, Optional<Tile_Cursor>:$cursor,
                       DefaultValuedAttr<Tile_I64Attr, "0">:$plane);
  let assemblyFormat = [{
    $ring (`[` $cursor^ `]`)? (`plane` $plane^)? attr-dict `:` custom<RingType>(type($ring), ref($cursor), type($cursor))
  }];
  let hasVerifier = 1;
}

def Tile_FringeOp : Tile_Op<"fringe", [Tile_IsOrdered]> {
  let summary = "loads what a plane has beside a box";
  let description = [{
    `tile.fringe %a[%p] for %w plane 2 needs <[-1, -1, -1], [2, 2, 2]> boundary #edge : !field, !ring`

    Threads load what a `tile.patch` of the ring will write to plane p + 2: the values, from where the conditions say that they are in the field, of what is needed beside the box. Until then they are in
    registers: with `plane` one more than that of the patch, the loads have an iteration to come. As with copies, what is loaded ahead is there for the first iterations, too.

    Constraints: those of the ring's `tile.copy`, and its field, `needs` and `boundary`.
  }];
  let arguments = (ins Arg<Stencil_Field, "", [MemRead]>:$field, Optional<Index>:$iteration,
                       Arg<Tile_Ring, "", [MemWrite]>:$ring, DefaultValuedAttr<Tile_I64Attr, "0">:$plane,
                       Stencil_BoundsAttr:$needs, Tile_BoundaryAttr:$boundary);
  let assemblyFormat = [{
    $field (`[` $iteration^ `]`)? `for` $ring (`plane` $plane^)? `needs` $needs `boundary` $boundary
    attr-dict `:` type($field) `,` type($ring)
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    /// Iterations until a patch in the same block writes what is loaded.
    int64_t countAhead();
  }];
}

def Tile_PatchOp : Tile_Op<"patch", [AttrSizedOperandSegments, Tile_IsOrdered]> {
  let summary = "gives a plane in a ring the values around a box";
  let description = [{
    `tile.patch %w[%c] plane 1 from %a[%p] needs <[-1, -1, -1], [2, 2, 2]> boundary #edge : !field, !ring`

    Threads write over what lies beside the box in plane p + 1, which has come, with the values that the oldest `tile.fringe` has loaded; of a plane beyond the box along
    the walk, they write over all that has constants, or the other sign. What is needed of the plane is as it would be behind a `stencil.boundary` then.

    What others have written to the ring is behind a `tile.barrier` (with `fill = tma`, behind the `tile.wait`), and so is who reads the plane.

    Constraints: those of the ring's `tile.copy`, and its field, `needs` and `boundary`; in a walk, one patch and one fringe per iteration to a ring whose copy has a boundary,
    of a plane that has come, whose fringe has been loaded, before it is read; and a `lookback` with which the first iteration patches the first plane that is needed.
  }];
  let arguments = (ins Arg<Tile_Ring, "", [MemRead, MemWrite]>:$ring, Optional<Tile_Cursor>:$cursor,
                       Stencil_Field:$field, Optional<Index>:$iteration,
                       DefaultValuedAttr<Tile_I64Attr, "0">:$plane,
                       Stencil_BoundsAttr:$needs, Tile_BoundaryAttr:$boundary);
  let assemblyFormat = [{
    $ring (`[` $cursor^ `]`)? (`plane` $plane^)? `from` $field (`[` $iteration^ `]`)? `needs` $needs `boundary` $boundary
    attr-dict `:` type($field) `,` custom<RingType>(type($ring), ref($cursor), type($cursor))
  }];
  let hasVerifier = 1;
}

def Tile_PutOp : Tile_Op<"put", [Tile_IsOrdered]> {
  let summary = "writes values that threads hold to a ring";
  let description = [{
    ```mlir
    tile.put %r to %w[%c] plane 1 : !stencil.temp<[1,2]x[-1,9]x[-1,33]xf64>, !tile.ring<3 x [0,1]x[-1,9]x[-4,36]xf64, fill = stage>
    ```
    Each thread writes the points that it holds, as far as they lie in the ring's box, in vectors where they lie side by side, to the slot of plane p + 1 (`plane`) of an iteration. Others read
    them behind a `tile.barrier`. What of the ring's box lies outside of that of the values is not specified.

    Constraints: a ring with `fill = stage`, of the element type of the values; both boxes have the tile, and that of the values is `plane`
    along the walk; a cursor if the kernel walks; outside of a `tile.where`; one per ring.
  }];
  let arguments = (ins Stencil_Temp:$values, Arg<Tile_Ring, "", [MemWrite]>:$ring,
                       Optional<Tile_Cursor>:$cursor, DefaultValuedAttr<Tile_I64Attr, "0">:$plane);
  let assemblyFormat = [{
    $values `to` $ring (`[` $cursor^ `]`)? (`plane` $plane^)?
    attr-dict `:` type($values) `,` custom<RingType>(type($ring), ref($cursor), type($cursor))
  }];
  let hasVerifier = 1;
}

def Tile_AtEdgeOp : Tile_Op<"at_edge", [Pure]> {
  let summary = "whether a block needs what is around a box";
  let description = [{
    `%e = tile.at_edge needs <[-1, -1, -1], [2, 2, 2]> boundary #edge : i1`

    Whether something that is needed around the points of the block, its tile or its segment, lies beyond the box, on a side that is not kept. All threads of a
    block have the same answer. `stencil-expand-walks` asks, and makes a walk without patches for the other blocks.
  }];
  let arguments = (ins Stencil_BoundsAttr:$needs, Tile_BoundaryAttr:$boundary);
  let results = (outs I1:$res);
  let assemblyFormat = "`needs` $needs `boundary` $boundary attr-dict `:` type($res)";
  let hasVerifier = 1;
}

def Tile_BarrierOp : Tile_Op<"barrier", [MemoryEffects<[MemRead, MemWrite]>, Tile_IsOrdered]> {
  let summary = "all threads of the block meet";
  let description = [{
    What a thread has written to rings, others may read behind it; what has been read may be replaced. Placed by `stencil-place-barriers`, or by hand.

    One that is `for_patches` is there because of them only: in a walk without patches there is none in its place (`stencil-expand-walks`).
  }];
  let arguments = (ins UnitAttr:$for_patches);
  let assemblyFormat = "(`for_patches` $for_patches^)? attr-dict";
}

def Tile_TakeOp : Tile_Op<"take", [AttrSizedOperandSegments, Tile_IsOrdered]> {
  let summary = "the plane that a leg of a relay begins with";
  let description = [{
    ```mlir
    %x = tile.take %w[%c] or %h[%d] : !ring, !handed -> !stencil.temp<[5,6]x[0,352]xf64>
    ```
    In a grid with `relay = N`, groups of as many threads as `block` has go through the walk side by side, each for planes of its own: what leg g of 0 to N - 1 says of plane p + k, it says of
    plane p + (N - 1 - g) L + k, L the plane of the result. So the last leg's planes are those of the block, and each other one's are L planes ahead of the next one's.
    Copies, waits and stores are the block's.

    Each thread has its own points of the plane: the first leg's has those of plane p + N L of %w, any other one what the leg before has put to its ring %h in the iteration before, as
    plane p + 1, that of its results.

    Constraints: once, in the body of a `tile.walk` whose grid has a `relay`, before all stages; %w is filled by copies, %h a ring with `relay` and two slots or more; both have the
    same box and rows, and are of the element type of the result, a plane of the tile.
  }];
  let arguments = (ins Arg<Tile_Ring, "", [MemRead]>:$ring, Optional<Tile_Cursor>:$cursor,
                       Arg<Tile_Ring, "", [MemRead]>:$handed, Optional<Tile_Cursor>:$handed_cursor);
  let results = (outs Stencil_Temp:$res);
  let assemblyFormat = [{
    $ring (`[` $cursor^ `]`)? `or` $handed (`[` $handed_cursor^ `]`)?
    attr-dict `:` custom<RingType>(type($ring), ref($cursor), type($cursor)) `,`
    custom<RingType>(type($handed), ref($handed_cursor), type($handed_cursor)) `->` type($res)
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    /// L: planes between those of one leg and those of the next one.
    int64_t getLag();
    /// The plane of the first leg's ring, counted from that of the block.
    int64_t getPlane();
  }];
}

def Tile_SourceOp : Tile_Op<"source", [Pure, Tile_ValueView]> {
  let summary = "what a stage reads of a field or a ring";
  let description = [{
    ```mlir
    %x = tile.source %w[%c] : !tile.ring<4 x [0,1]x[-1,9]x[-1,33]xf64> -> !stencil.temp<[-1,2]x[-1,9]x[-1,33]xf64>
    %y = tile.source %a[%p] : !field -> !stencil.temp<?x?x?xf64>
    ```
    Names memory; it reads nothing. The engine of a stage does the reading, at the offsets of the stage's body, when the stage is computed. The box of the result, in tile
    coordinates, is what may be read: of a ring, its box, and along the walk the
    planes from the first to the last that stages read; of a field, `?`: whatever lies in it.

    Constraints: rank and element type of the memory; of a ring, a box in that of the
    ring, and no more planes than slots; a plane (of a field) or a cursor (of a ring) if the kernel walks, else none.
  }];
  let arguments = (ins Tile_FieldOrRing:$memory, Optional<AnyTypeOf<[Index, Tile_Cursor]>>:$iteration);
  let results = (outs Stencil_Temp:$res);
  let assemblyFormat = [{
    $memory (`[` $iteration^ `]`)? attr-dict `:` custom<MemoryType>(type($memory), ref($iteration), type($iteration)) `->` type($res)
  }];
  let hasVerifier = 1;
}

def Tile_StoreOp : Tile_Op<"store"> {
  let summary = "stores the values of a tile to a field";
  let description = [{
    ```mlir
    tile.store %r to %b[%p] : !stencil.temp<[0,1]x[0,8]x[0,32]xf64> to !field
    tile.store %r to %b images [0, 2] : !stencil.temp<[0,4]x[0,8]x[0,32]xf64> to !field
    ```
    Stores what of the tile lies in the domain; in a walk, if the plane is one of the segment, not one before (`lookback`) or behind. With a box of
    plane L along the walk (`[1,2]`), the iteration for plane p stores plane p + L. A thread
    stores what it holds. What a `tile.source` of a ring names, all threads of the block store together: the tile is dealt out to them in vectors, so that
    neighbouring threads store neighbouring vectors, whoever has written them to the ring.

    With `images`, it stores also to the halo of the field what a domain that is periodic along these axes
    has there: a point near the end of one has an image before the beginning, and the reverse; near the edges of two axes
    it has three, of three axes seven.

    Constraints: rank and element type of the field; the box has the tile, and is one plane of
    a walk, from plane 0 on, and no farther ahead than the walk's `lookback`; what a field has at a plane is read before it is stored to there; the value is no source of a field, and that of a ring is stored outside of a `tile.where`, without `images`; no `images` in a grid with `inner`; the domain lies in the field; `images` in a kernel that does not walk, of axes in
    ascending order, along which the extent is known, and at least as large as the halos on both sides together.
  }];
  let arguments = (ins Stencil_Temp:$values, Arg<Stencil_Field, "", [MemWrite]>:$field, Optional<Index>:$iteration,
                       OptionalAttr<DenseI64ArrayAttr>:$images);
  let assemblyFormat = [{
    $values `to` $field (`[` $iteration^ `]`)? (`images` $images^)? attr-dict `:` type($values) `to` type($field)
  }];
  let builders = [
    OpBuilder<(ins "::mlir::Value":$values, "::mlir::Value":$field,
                   CArg<"::mlir::Value", "{}">:$iteration), [{
      build($_builder, $_state, values, field, iteration,
            /*images=*/::mlir::DenseI64ArrayAttr());
    }]>
  ];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    /// Along an axis, which points have an image.
    struct ImageAxis {
      int64_t axis;
      /// Points below `low` have one above the domain, those from `high` on
      /// below it, both `extent` away.
      int64_t low, high, extent;
    };
    /// Those along which the field has a halo.
    ::llvm::SmallVector<ImageAxis> getImageAxes();
    /// In a walk, the plane that it stores, from that of the iteration.
    int64_t getLead();
  }];
}

def Tile_PrefetchOp : Tile_Op<"prefetch", [ParentOneOf<["WhereOp"]>]> {
  let summary = "asks the second-level cache for what the next tile reads first";
  let description = [{
    `tile.prefetch %a, %b at [3, 2] along 0 : !field, !field`

    Of the tile that follows this one along axis 0 (`along`), each thread asks for its own points, moved along this axis by the offset that
    `at` has for the field: for the rows that are read farthest ahead, while those before them
    are in the cache already. Nothing is asked for where some of these points, not moved, are outside of the domain, and on behalf of threads of which that holds in this tile. Rows
    are asked for line by line.

    Constraints: in a `tile.where` without `needs`, in a kernel that does not walk; fields of the grid's
    rank, an offset for each; `along` is an axis before the last one. On NVIDIA GPUs only.
  }];
  let arguments = (ins Variadic<Stencil_Field>:$fields, DenseI64ArrayAttr:$at, Tile_I64Attr:$along);
  let assemblyFormat = "$fields `at` $at `along` $along attr-dict `:` type($fields)";
  let hasVerifier = 1;
}

#endif // STENCILDIALECT_TILE_TILEMEMORYOPS_TD
