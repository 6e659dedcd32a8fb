//===- TileOps.td - What a block does -----------------------*- tablegen -*-===//

#ifndef STENCILDIALECT_TILE_TILEOPS_TD
#define STENCILDIALECT_TILE_TILEOPS_TD

include "StencilDialect/IR/StencilAttrs.td"
include "StencilDialect/IR/StencilTypes.td"
include "StencilDialect/Tile/TileTypes.td"
include "mlir/IR/OpAsmInterface.td"
include "mlir/Interfaces/ControlFlowInterfaces.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

class Tile_Op<string mnemonic, list<Trait> traits = []>
    : Op<Tile_Dialect, mnemonic, traits>;

// Constraints of C++ type mlir::Type, so that types are printed in full.
def Tile_Ring : Stencil_IsA<"tile::RingType", "tile.ring">;
def Tile_Cursor : Stencil_IsA<"tile::CursorType", "tile.cursor">;
def Tile_FieldOrRing : AnyTypeOf<[Stencil_Field, Tile_Ring]>;

//===----------------------------------------------------------------------===//
// Kernels and walks
//===----------------------------------------------------------------------===//

def Tile_KernelOp : Tile_Op<"kernel", [
    IsolatedFromAbove, SingleBlock, NoTerminator,
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "what a block does with its tile";
  let description = [{
    ```mlir
    tile.kernel @star(%a = %u : !field, %b = %v : !field)
        grid <domain = <[0, 0, 0], [64, 64, 64]>, block = [1, 4, 32], points = [1, 2, 1], walk = 0> {
      %w = tile.ring : !tile.ring<3 x [0,1]x[-1,9]x[-1,33]xf64>
      tile.walk lookback 1 plane %p cursors(%c : !tile.cursor<3>) {
        tile.copy %a[%p] to %w[%c] plane 1 : !field, !tile.ring<3 x [0,1]x[-1,9]x[-1,33]xf64>
        tile.barrier
        %x = tile.source %w[%c] : !tile.ring<3 x [0,1]x[-1,9]x[-1,33]xf64> -> !stencil.temp<[-1,2]x[-1,9]x[-1,33]xf64>
        %r = stencil.apply(%t = %x : !stencil.temp<[-1,2]x[-1,9]x[-1,33]xf64>) -> (!stencil.temp<[0,1]x[0,8]x[0,32]xf64>) {
          ...
        }
        tile.store %r to %b[%p] : !stencil.temp<[0,1]x[0,8]x[0,32]xf64> to !field
      }
    }
    ```
    Runs the body once per tile of the grid, and per segment if it walks, in no
    order. Operands are fields and scalars of the host; the name is the
    kernel's, behind that of the function. The box of a `!stencil.temp` is in tile coordinates (`#tile.grid`).

    With a `list` behind the grid (`#tile.list`), a tile is not a box of the domain, but the next points of the list.

    With the attribute `keeps_lines`, the second-level cache gives up what the kernel reads after everything else.

    Stages (`stencil.apply`) between two barriers are a phase: they are computed point by point, each point through all of them,
    and a thread reads at other offsets than its own what is in a field or in a ring, not what a stage of the phase has just made.

    Constraints: block arguments have the operands' types: fields with bounds,
    of at most the rank of the grid, scalars, and memory with one axis; the body has a `tile.walk` if the grid has a walk,
    else none, and a stage reads no ring that has not been filled before; what is stored to is read only where it is stored; the box of each
    stage is covered by its layout (that of the kernel: `block` x `points` of the grid; or its attribute `tile.layout`, a `#tile.layout` or
    a `#tile.core_and_rim` whose core is that of the kernel), and values that a stage reads have that layout, or a rim besides. Over a list: only
    `tile.turn`, `tile.source`, `tile.fold`, and `tile.halo` and `tile.store` in a `tile.where`; a grid of `domain`, `block` and `points`, with one point per thread, and threads along
    the last axis only; boxes in the domain; one store per field and box; no `keeps_lines`.

    Nothing stands between an op and what it reads: a ring is the result of a `tile.ring`, a field an argument of the kernel,
    a `tile.source` is read by stages and folds alone, and values on boxes (of the grid's rank, at most 2^20 points, coordinates up to 2^20) are made by stages and ops of this
    dialect, and carried by loops, whose steps are positive constants. In the body of a stage there are no ops of this dialect.
    A kernel is in no other one, and in no stage. A stage in a `tile.where` reads fields where they have points, for all that the domain
    needs. If the module has a target, rings are filled in ways that it has, and take no more than the shared memory of a
    block.
  }];
  let arguments = (ins StrAttr:$name, Variadic<AnyType>:$args, Tile_GridAttr:$grid,
                       OptionalAttr<Tile_ListAttr>:$list, UnitAttr:$keeps_lines);
  let regions = (region SizedRegion<1>:$body);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
  let hasRegionVerifier = 1;
  let extraClassDeclaration = [{
    ::mlir::Block *getBodyBlock() { return &getBody().front(); }
    /// What a value of the body is outside; null for what is no argument.
    ::mlir::Value getOperandOf(::mlir::Value argument);
    /// Whether the kernel may read a field, or store to it, which is an argument of the body.
    bool isRead(::mlir::Value argument);
    bool isStored(::mlir::Value argument);
    /// The layout of stages that have none of their own.
    ::stencil::tile::LayoutAttr getLayout();
    /// Of all rings: those of one overlay lie beside each other, the overlays at
    /// one place.
    int64_t getSharedBytes();
  }];
}

def Tile_WalkOp : Tile_Op<"walk", [
    HasParent<"KernelOp">, SingleBlockImplicitTerminator<"YieldOp">,
    RecursiveMemoryEffects]> {
  let summary = "the iterations of a block, one per plane of its segment";
  let description = [{
    ```mlir
    tile.walk lookback 1 plane %p cursors(%c : !tile.cursor<4>) carry(%q = %none : !stencil.temp<[-1,0]x[0,8]x[0,32]xf64>) {
      ...
      tile.yield %s : !stencil.temp<[-1,0]x[0,8]x[0,32]xf64>
    }
    ```
    Iterates over the planes p of a segment of the grid, in ascending order,
    from `lookback` planes before the first one that is stored on: until then,
    nothing is stored. Tile coordinates along the walk are relative to p; `%p`
    is the coordinate p. A cursor is where plane p is in rings of its number of
    slots.

    Copies run ahead: what a `tile.copy` of plane k brings for later iterations
    (k > 0) it has brought for the first ones, too, before they begin. That is how a software pipeline is written down before it has a prologue.

    Carried values are those that the iteration before has yielded; the first
    one has the operands (usually `ub.poison`: what is read of it is not stored, or
    not read before `lookback` iterations have passed). `tile.shift` gives a value the box that it has for the next iteration.

    With `unroll U`, behind the lookback, the loop takes U planes at a time, or a multiple of that; what is left at the end, one by one.

    Constraints: the grid has a walk; at most one walk in a kernel; `lookback` from 0 to 2^20; `unroll` from 1 to 1024; copies, waits and barriers are in the body itself; what its ops say of planes and cursors are
    those of its arguments, with offsets; carried values are on boxes, or numbers; at most 16 planes of a ring of `fill = delayed` are between the copy and the wait; every ring that is copied to has a cursor of its slots. In the iteration for plane p, of a ring
    of N slots that gets plane p + k by its copy: planes up to p + w are there behind a `tile.wait` for plane w, or
    (fill `threads`) behind the copy and a barrier, and plane p + k takes the place of plane p + k - N. What is
    read before it is there, or after it is lost, is an error, with both numbers. So is what is read of a ring with a boundary before it is patched (`tile.patch`).
  }];
  let arguments = (ins DefaultValuedAttr<I64Attr, "0">:$lookback, Variadic<AnyType>:$inits,
                       DefaultValuedAttr<I64Attr, "1">:$unroll);
  let results = (outs Variadic<AnyType>:$res);
  let regions = (region SizedRegion<1>:$body);
  // Bytecode of walks that had no `unroll` is read.
  let useCustomPropertiesEncoding = 1;
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
  let hasRegionVerifier = 1;
  let extraClassDeclaration = [{
    ::mlir::Block *getBodyBlock() { return &getBody().front(); }
    ::mlir::BlockArgument getPlane() { return getBodyBlock()->getArgument(0); }
    ::llvm::ArrayRef<::mlir::BlockArgument> getCursors() {
      return getBodyBlock()->getArguments().drop_front(1).drop_back(getInits().size());
    }
    ::llvm::ArrayRef<::mlir::BlockArgument> getCarried() {
      return getBodyBlock()->getArguments().take_back(getInits().size());
    }
  }];
}

def Tile_YieldOp : Tile_Op<"yield", [
    Pure, Terminator, ReturnLike, ParentOneOf<["WalkOp", "WhereOp"]>]> {
  let summary = "ends a walk's iteration, or what happens where";
  let description = [{
    In a walk: the values that the next iteration carries. In a `tile.where`: its results.
  }];
  let arguments = (ins Variadic<AnyType>:$args);
  let assemblyFormat = "attr-dict ($args^ `:` type($args))?";
  let builders = [OpBuilder<(ins), [{ /* No values. */ }]>];
}

def Tile_SegmentOp : Tile_Op<"segment", [Pure]> {
  let summary = "the planes of a block's segment";
  let description = [{
    `%first, %count = tile.segment lookback 1 : index`

    The coordinate of the first plane that an iteration is for, `lookback`
    planes before the first one that is stored, and the number of iterations, 0 for a segment without planes. What
    `tile.walk` becomes is a loop (`scf.for`) over them (`stencil-expand-walks`).

    Constraint: in a kernel whose grid has a walk.
  }];
  let arguments = (ins DefaultValuedAttr<I64Attr, "0">:$lookback);
  let results = (outs Index:$first, Index:$count);
  let assemblyFormat = "(`lookback` $lookback^)? attr-dict `:` type($first)";
  let hasVerifier = 1;
}

def Tile_CursorOp : Tile_Op<"cursor", [Pure]> {
  let summary = "where an iteration is in rings, from its number";
  let description = [{
    `%c = tile.cursor %i : !tile.cursor<4>`

    The cursor of the iteration with number %i, counted from 0.
  }];
  let arguments = (ins Index:$iteration);
  let results = (outs Tile_Cursor:$res);
  let assemblyFormat = "$iteration attr-dict `:` type($res)";
}

def Tile_AdvanceOp : Tile_Op<"advance", [Pure, SameOperandsAndResultType]> {
  let summary = "the cursor of a later iteration";
  let description = [{
    `%d = tile.advance %c by 1 : !tile.cursor<4>`. Constraint: a distance from 1 to 1024.
  }];
  let arguments = (ins Tile_Cursor:$cursor, DefaultValuedAttr<I64Attr, "1">:$distance);
  let results = (outs Tile_Cursor:$res);
  let assemblyFormat = "$cursor (`by` $distance^)? attr-dict `:` type($res)";
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

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
  let arguments = (ins OptionalAttr<I64Attr>:$overlay, UnitAttr:$relay);
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

def Tile_CopyOp : Tile_Op<"copy", [AttrSizedOperandSegments]> {
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
                       DefaultValuedAttr<I64Attr, "0">:$plane,
                       OptionalAttr<Stencil_BoundsAttr>:$needs,
                       OptionalAttr<Tile_BoundaryAttr>:$boundary);
  let assemblyFormat = [{
    $field (`[` $iteration^ `]`)? `to` $ring (`[` $cursor^ `]`)? (`plane` $plane^)? (`needs` $needs^)? (`boundary` $boundary^)?
    attr-dict `:` type($field) `,` custom<RingType>(type($ring), ref($cursor), type($cursor))
  }];
  let hasVerifier = 1;
}

def Tile_WaitOp : Tile_Op<"wait"> {
  let summary = "lets a thread go on when a plane has come";
  let description = [{
    `tile.wait %w[%c] plane 1 : !ring`

    All copies to the ring of planes up to p + 1 are complete, for the thread that has requested them (`async`,
    `delayed`: others see them behind a barrier), or for all (`tma`).

    Constraints: a ring that is not filled by `threads`, which nobody waits for; without a walk, behind a copy to it.
  }];
  let arguments = (ins Arg<Tile_Ring, "", [MemRead, MemWrite]>:$ring, Optional<Tile_Cursor>:$cursor,
                       DefaultValuedAttr<I64Attr, "0">:$plane);
  let assemblyFormat = [{
    $ring (`[` $cursor^ `]`)? (`plane` $plane^)? attr-dict `:` custom<RingType>(type($ring), ref($cursor), type($cursor))
  }];
  let hasVerifier = 1;
}

def Tile_FringeOp : Tile_Op<"fringe"> {
  let summary = "loads what a plane has beside a box";
  let description = [{
    `tile.fringe %a[%p] for %w plane 2 needs <[-1, -1, -1], [2, 2, 2]> boundary #edge : !field, !ring`

    Threads load what a `tile.patch` of the ring will write to plane p + 2: the values, from where the conditions say that they are in the field, of what is needed beside the box. Until then they are in
    registers: with `plane` one more than that of the patch, the loads have an iteration to come. As with copies, what is loaded ahead is there for the first iterations, too.

    Constraints: those of the ring's `tile.copy`, and its field, `needs` and `boundary`.
  }];
  let arguments = (ins Arg<Stencil_Field, "", [MemRead]>:$field, Optional<Index>:$iteration,
                       Arg<Tile_Ring, "", [MemWrite]>:$ring, DefaultValuedAttr<I64Attr, "0">:$plane,
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

def Tile_PatchOp : Tile_Op<"patch", [AttrSizedOperandSegments]> {
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
                       DefaultValuedAttr<I64Attr, "0">:$plane,
                       Stencil_BoundsAttr:$needs, Tile_BoundaryAttr:$boundary);
  let assemblyFormat = [{
    $ring (`[` $cursor^ `]`)? (`plane` $plane^)? `from` $field (`[` $iteration^ `]`)? `needs` $needs `boundary` $boundary
    attr-dict `:` type($field) `,` custom<RingType>(type($ring), ref($cursor), type($cursor))
  }];
  let hasVerifier = 1;
}

def Tile_PutOp : Tile_Op<"put"> {
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
                       Optional<Tile_Cursor>:$cursor, DefaultValuedAttr<I64Attr, "0">:$plane);
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

def Tile_BarrierOp : Tile_Op<"barrier", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "all threads of the block meet";
  let description = [{
    What a thread has written to rings, others may read behind it; what has been read may be replaced. Placed by `stencil-place-barriers`, or by hand.

    One that is `for_patches` is there because of them only: in a walk without patches there is none in its place (`stencil-expand-walks`).
  }];
  let arguments = (ins UnitAttr:$for_patches);
  let assemblyFormat = "(`for_patches` $for_patches^)? attr-dict";
}

def Tile_TakeOp : Tile_Op<"take", [AttrSizedOperandSegments]> {
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

def Tile_SourceOp : Tile_Op<"source", [Pure]> {
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
  let arguments = (ins Variadic<Stencil_Field>:$fields, DenseI64ArrayAttr:$at, I64Attr:$along);
  let assemblyFormat = "$fields `at` $at `along` $along attr-dict `:` type($fields)";
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

def Tile_JoinOp : Tile_Op<"join", [Pure]> {
  let summary = "planes that threads hold, as one value";
  let description = [{
    ```mlir
    %x = tile.join %q1, %q0 : !stencil.temp<[-1,0]x[0,8]x[0,32]xf64>, !stencil.temp<[0,1]x[0,8]x[0,32]xf64> -> !stencil.temp<[-1,1]x[0,8]x[0,32]xf64>
    ```
    A stage that reads a window in registers reads this, at offset 0 along all axes but that of the walk.

    The result may be wider than what is joined, along the last axis. There it is not specified: a stage with the engine `#tile.lanes` reads neighbours of the same row of threads in it, and
    what lies beyond that row is for points of tiles that overlap, which are not stored.

    Constraints: boxes that follow each other along the walk, and are equal along other axes; one value without a walk.
  }];
  let arguments = (ins Variadic<Stencil_Temp>:$planes);
  let results = (outs Stencil_Temp:$res);
  let assemblyFormat = "$planes attr-dict `:` type($planes) `->` type($res)";
  let hasVerifier = 1;
}

def Tile_ShiftOp : Tile_Op<"shift", [Pure]> {
  let summary = "a value, seen from the next iteration";
  let description = [{
    `%s = tile.shift %n : !stencil.temp<[0,1]x[0,8]x[0,32]xf64> -> !stencil.temp<[-1,0]x[0,8]x[0,32]xf64>`

    Plane p + 1 of an iteration is plane p of the next one: the same values, whose box is one less along the walk.
  }];
  let arguments = (ins Stencil_Temp:$values);
  let results = (outs Stencil_Temp:$res);
  let assemblyFormat = "$values attr-dict `:` type($values) `->` type($res)";
  let hasVerifier = 1;
}

def Tile_WhereOp : Tile_Op<"where", [
    SingleBlockImplicitTerminator<"YieldOp">, RecursiveMemoryEffects]> {
  let summary = "stages that are computed where somebody needs them only";
  let description = [{
    ```mlir
    tile.where needs <[0, 0, 0], [1, 1, 1]> {
      %r = stencil.apply(%t = %x : ...) -> (!stencil.temp<[0,1]x[0,8]x[0,32]xf64>) { ... }
      tile.store %r to %b[%p] : !stencil.temp<[0,1]x[0,8]x[0,32]xf64> to !field
    }
    ```
    The stages within are computed at the points that are in the domain, or with `needs`, at an offset of that box from one that is. Elsewhere
    their results are not specified, and nothing is read or fails. Threads whose points are all such ones have no test but one. In a
    kernel over a list, `part k` are the points of its box number k, counted from 0.

    ```mlir
    %t = tile.where plane %p needs <[-1, 0, 0], [2, 1, 1]> -> (!stencil.temp<[1,2]x[0,8]x[0,32]xf64>) { ... }
    ```
    With `plane` the condition is one of planes: what is within is computed, at all points, for planes of the segment at an offset of `needs` along the
    walk, and for others not at all: one test for a block. So a stage is left out of the first iterations that reads a ring before its planes are there.

    Constraints: `needs` as those of a `tile.copy`; no barriers, copies, waits and puts within; results are those of `tile.yield`; all stages within have one layout; with `plane`, `needs`, one plane for all stages,
    and not in another `tile.where`; without, in none but one with `plane`. Over a list, a `part` of it, without `needs`, and neither results nor another `tile.where` around it.
  }];
  let arguments = (ins Optional<Index>:$iteration, OptionalAttr<Stencil_BoundsAttr>:$needs,
                       OptionalAttr<I64Attr>:$part);
  let results = (outs Variadic<Stencil_Temp>:$res);
  let regions = (region SizedRegion<1>:$body);
  let builders = [
    OpBuilder<(ins "::mlir::TypeRange":$res, "::stencil::BoundsAttr":$needs), [{
      build($_builder, $_state, res, ::mlir::Value(), needs, ::mlir::IntegerAttr());
    }]>,
    OpBuilder<(ins "::mlir::TypeRange":$res, "::mlir::Value":$plane, "::stencil::BoundsAttr":$needs), [{
      build($_builder, $_state, res, plane, needs, ::mlir::IntegerAttr());
    }]>
  ];
  let assemblyFormat = "(`plane` $iteration^)? (`needs` $needs^)? (`part` $part^)? (`->` `(` type($res)^ `)`)? attr-dict-with-keyword $body";
  let hasVerifier = 1;
  let hasRegionVerifier = 1;
  let extraClassDeclaration = [{
    ::mlir::Block *getBodyBlock() { return &getBody().front(); }
  }];
}

//===----------------------------------------------------------------------===//
// Kernels over lists
//===----------------------------------------------------------------------===//

def Tile_TurnOp : Tile_Op<"turn", [Pure]> {
  let summary = "the field whose turn it is";
  let description = [{
    `%f = tile.turn %a, %b : !field`

    Of the blocks that share a piece of a list, each has one of the fields.

    Constraints: in the body of a kernel over a list with as many `turns`; different arguments of the kernel, of the result's type.
  }];
  let arguments = (ins Variadic<Stencil_Field>:$fields);
  let results = (outs Stencil_Field:$res);
  let assemblyFormat = "$fields attr-dict `:` custom<SameTypes>(ref($fields), type($fields), type($res))";
  let hasVerifier = 1;
}

def Tile_HaloOp : Tile_Op<"halo"> {
  let summary = "the values of halo points, by boundary conditions";
  let description = [{
    ```mlir
    tile.where part 0 {
      %h = tile.halo %a boundary(<[0, 0], [64, 64]>) [#stencil.neumann, #stencil.periodic] : !field -> !stencil.temp<[0,1]x[0,128]xf64>
      tile.store %h to %a : !stencil.temp<[0,1]x[0,128]xf64> to !field
    }
    ```
    At the points of the part: what `stencil.boundary` with this box and these conditions stores there. With `filled d`, the
    halos of the first d axes have their values already.

    What a point takes from the halo of an earlier axis is followed to where that has it from. So what is read is in the interior, or in a
    halo that nobody fills here: of the first d axes, or with `#stencil.keep`.

    Constraints: those of `stencil.boundary`; each box of the list lies in the halo of one axis from `filled` on, beyond the interior along this axis and inside of it along later ones; on both
    sides if its rows are `without` those of the interior; the condition there is not `#stencil.keep`; if it is
    `#stencil.extrapolate`, a box is one point wide, on one side, and its axis is the first one that is not filled; all ops of a kernel have one boundary.
  }];
  let arguments = (ins Arg<Stencil_Field, "", [MemRead]>:$field, Stencil_BoundsAttr:$bounds, ArrayAttr:$conditions,
                       DefaultValuedAttr<I64Attr, "0">:$filled);
  let results = (outs Stencil_Temp:$res);
  let assemblyFormat = [{
    $field `boundary` `` `(` $bounds `)` custom<Conditions>($conditions) (`filled` $filled^)?
    attr-dict `:` type($field) `->` type($res)
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    /// Condition of the lower or upper side of an axis.
    ::mlir::Attribute getCondition(int64_t axis, bool upper) {
      return getConditions()[2 * axis + (upper ? 1 : 0)];
    }
    /// The halo that a box of the list lies in; nothing if it lies in none.
    ::std::optional<::stencil::tile::HaloSide> locate(::stencil::tile::ListAttr list, unsigned part);
  }];
}

def Tile_FoldOp : Tile_Op<"fold"> {
  let summary = "folds the points of a list to a number";
  let description = [{
    `tile.fold max %x to %r through %p : !stencil.temp<?x?xf32> to memref<1xf64>, memref<2048xf64>`

    When the kernel has ended, `%r` has the fold of what the source has at the points of the list, as `stencil.fold` has it before its last steps: numbers are `f64`, or `i64` for integers.

    | | one operand | several, of a vector |
    |---|---|---|
    | `max`, `min` | of the values | of the squares of the lengths |
    | `sum` | of the values | of the lengths |
    | `rms` | the sum of the squares | the sum of the squares of the lengths |

    The order is this one. Each place of a block's tile begins with the neutral element, and folds its points in the order of the block's pieces; then the first half of the places folds
    what the second half has, the first quarter what the second one has, until one place is left. `%p` has this number for each block. What it has
    is folded to `%r` in the same way, as the points of a single block.

    Constraints: alone in a kernel over a list with `blocks`, of one box without a gap, whose tile has a power of two of points; sources of fields, arguments of the kernel, of one element type; `rms` and
    lengths need floating point; memory of one number, and of `blocks` numbers.
  }];
  let arguments = (ins Stencil_FoldKind:$kind, Variadic<Stencil_Temp>:$temps,
                       Arg<AnyMemRef, "", [MemWrite]>:$result,
                       Arg<AnyMemRef, "", [MemRead, MemWrite]>:$partial);
  let assemblyFormat = [{
    $kind $temps `to` $result `through` $partial attr-dict `:` type($temps) `to` type($result) `,` type($partial)
  }];
  let hasVerifier = 1;
}

#endif // STENCILDIALECT_TILE_TILEOPS_TD
