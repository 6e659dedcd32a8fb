//===- TileKernelOps.td - Kernels and walks ----------------*- tablegen -*-===//

#ifndef STENCILDIALECT_TILE_TILEKERNELOPS_TD
#define STENCILDIALECT_TILE_TILEKERNELOPS_TD

include "StencilDialect/Tile/TileOpBase.td"

def Tile_KernelOp : Tile_Op<"kernel", [
    IsolatedFromAbove, SingleBlock, NoTerminator, Stencil_KernelLike,
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
    /// Whether rings are filled by copies that do not go through registers: what they read may be what the kernel writes.
    bool copiesPastRegisters();
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

    With `unroll U`, behind the lookback, the loop takes U planes at a time, or a multiple of that (which one, `stencil.unroll` may say); what is left at the end, one by one.

    Constraints: the grid has a walk; at most one walk in a kernel; `lookback` from 0 to 2^20; `unroll` from 1 to 1024; copies, waits and barriers are in the body itself; what its ops say of planes and cursors are
    those of its arguments, with offsets; carried values are on boxes, or numbers; at most 16 planes of a ring of `fill = delayed` are between the copy and the wait; every ring that is copied to has a cursor of its slots. In the iteration for plane p, of a ring
    of N slots that gets plane p + k by its copy: planes up to p + w are there behind a `tile.wait` for plane w, or
    (fill `threads`) behind the copy and a barrier, and plane p + k takes the place of plane p + k - N. What is
    read before it is there, or after it is lost, is an error, with both numbers. So is what is read of a ring with a boundary before it is patched (`tile.patch`).
  }];
  let arguments = (ins DefaultValuedAttr<Tile_I64Attr, "0">:$lookback, Variadic<AnyType>:$inits,
                       DefaultValuedAttr<Tile_I64Attr, "1">:$unroll);
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
  let arguments = (ins DefaultValuedAttr<Tile_I64Attr, "0">:$lookback);
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
  let arguments = (ins Tile_Cursor:$cursor, DefaultValuedAttr<Tile_I64Attr, "1">:$distance);
  let results = (outs Tile_Cursor:$res);
  let assemblyFormat = "$cursor (`by` $distance^)? attr-dict `:` type($res)";
  let hasVerifier = 1;
}

#endif // STENCILDIALECT_TILE_TILEKERNELOPS_TD
