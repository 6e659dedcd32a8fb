//===- Passes.td - Passes on the tile dialect ---------------*- tablegen -*-===//

#ifndef STENCILDIALECT_TILE_PASSES_TD
#define STENCILDIALECT_TILE_PASSES_TD

include "mlir/Pass/PassBase.td"

def StencilPlaceBarriers
    : Pass<"stencil-place-barriers", "::mlir::func::FuncOp"> {
  let summary = "barriers where one thread reads what another one has written";
  let description = [{
    Puts as few `tile.barrier`s into each `tile.kernel` as its order of ops allows. There
    is one

    - between what puts a plane into a ring and the stages that read it. That is the copy with
      `fill = threads`, the wait with `delayed` and `async`; for `tma` the wait is enough;
    - between the stages that read a plane and what takes its place: the wait with `delayed`, else the copy. In a walk that
      is the one of plane p + k, N planes later for N slots, mostly in a later iteration;
    - between the use of a ring and the copy to one at the same place (`overlay`).

    A `tile.patch` reads its plane, and writes it. A barrier that only patches need is `for_patches`: it has no place where there are none.

    Barriers that are there count. Nothing is moved. A remark (category
    `Barriers`) says why each one is needed. A kernel whose walk is expanded stays as it
    is.

    Before:
    ```mlir
    tile.walk lookback 1 plane %p cursors(%c : !tile.cursor<4>) {
      tile.wait %w[%c] plane 1 : !ring
      tile.copy %a[%p] to %w[%c] plane 2 : !field, !ring
      ...
    }
    ```
    After: all threads have waited for plane p + 1, and none reads plane p - 2 any more, in whose place plane p + 2 comes.
    ```mlir
    tile.walk lookback 1 plane %p cursors(%c : !tile.cursor<4>) {
      tile.wait %w[%c] plane 1 : !ring
      tile.barrier
      tile.copy %a[%p] to %w[%c] plane 2 : !field, !ring
      ...
    }
    ```
  }];
}

def StencilExpandWalks
    : Pass<"stencil-expand-walks", "::mlir::func::FuncOp"> {
  let summary = "walks to loops over the planes of a segment";
  let description = [{
    A `tile.walk` becomes loops (`scf.for`) over the numbers of its iterations:

    1. what its copies bring ahead for the first iterations, and waits and a barrier where the first iteration
       relies on them;
    2. a loop for the `lookback` iterations before the first plane that is stored, without stores and what only
       they need;
    3. a loop for the others, unrolled until each carried value is in its place again, so that no register is moved; at most 32 times. Where
       all of them together need more, the longest rotation counts. A walk with `stencil.unroll = N` has a loop of N planes;
    4. a loop for the iterations that are left.

    The walk's barriers must be there (`stencil-place-barriers`).

    Where a kernel has patches (`tile.patch`), blocks that need something beyond the box of a boundary (`tile.at_edge`) have loops of
    their own, in a branch of an `scf.if`. In those of the other blocks there are no patches, no barriers that are `for_patches`, and
    copies have no boundary. So it is with a kernel that does not walk.

    A kernel with `stencil.inner`, a box at whose points stages choose nothing by coordinates, has two branches, too: in one for blocks that are in the box, what is
    the same at all points of it is decided. In each, the loop 3 is for the planes in the box, and the others are in loops plane by plane before and behind it.
    Of a relay whose stages choose more than once for four operations, the loop 2 is cut in the same way: most segments have all of its planes in the box.

    Before:
    ```mlir
    tile.walk lookback 1 plane %p cursors(%c : !tile.cursor<4>) {
      tile.wait %w[%c] plane 1 : !ring
      tile.barrier
      tile.copy %a[%p] to %w[%c] plane 2 : !field, !ring
      %r = stencil.apply ...
      tile.store %r to %b[%p] : !plane to !field
    }
    ```
    After:
    ```mlir
    %first, %count = tile.segment lookback 1 : index
    %c = tile.cursor %c0 : !tile.cursor<4>
    tile.copy %a[%first] to %w[%c] : !field, !ring
    tile.copy %a[%first] to %w[%c] plane 1 : !field, !ring
    %empty = arith.cmpi eq, %count, %c0 : index
    %begin = arith.select %empty, %count, %c1 : index
    %d = scf.for %i = %c0 to %begin step %c1 iter_args(%e = %c) -> (!tile.cursor<4>) {
      %p = arith.addi %first, %i : index
      tile.wait %w[%e] plane 1 : !ring
      tile.barrier
      tile.copy %a[%p] to %w[%e] plane 2 : !field, !ring
      %next = tile.advance %e : !tile.cursor<4>
      scf.yield %next : !tile.cursor<4>
    }
    scf.for %i = %begin to %count step %c1 iter_args(%e = %d) -> (!tile.cursor<4>) {
      ... all of it, with the store
    }
    ```
  }];
  let options = [
    Option<"unrollSlots", "unroll-slots", "bool", /*default=*/"false",
           "unroll until cursors are in their place again, too, so that slots are constants">
  ];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect"];
}

def StencilRollStages
    : Pass<"stencil-roll-stages", "::mlir::func::FuncOp"> {
  let summary = "equal stages one after the other to a loop";
  let description = [{
    Eight or more turns of stages, each of which does to what the ones before have made what the ones before did, become the body of a
    loop (`scf.for`), two turns an iteration. It carries values on boxes, which are registers of threads; a turn may read what the
    two before it have made. Of an odd number, the first turn stays before the loop. The steps of a row are such stages
    (`stencil-block-time`); written one after the other they are more code than the instruction caches hold.

    The stages have to stand in the body of a kernel itself, with nothing but stages and `tile.join`s between them, and only the
    last ones may be read by others. Nothing else changes: where there are no such turns, the kernel stays as it is. A remark
    (category `Stages`) says how many turns are in a loop.

    Before:
    ```mlir
    %1 = stencil.apply(%a = %0 : !tile) -> (!tile) { f }
    %2 = stencil.apply(%a = %1 : !tile) -> (!tile) { f }
    ...
    %8 = stencil.apply(%a = %7 : !tile) -> (!tile) { f }
    ```
    After:
    ```mlir
    %8 = scf.for %i = %c0 to %c4 step %c1 iter_args(%x = %0) -> (!tile) {
      %y = stencil.apply(%a = %x : !tile) -> (!tile) { f }
      %z = stencil.apply(%a = %y : !tile) -> (!tile) { f }
      scf.yield %z : !tile
    }
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect"];
}

def StencilShuffleColumns
    : Pass<"stencil-shuffle-columns", "::mlir::func::FuncOp"> {
  let summary = "columns of rings that other lanes have read come from these";
  let description = [{
    In a walk whose stages have columns from other lanes (`#tile.lanes`), a stage that reads a ring of `fill = tma` beside its threads' own columns, in several rows or of doubles, is given
    these columns by other lanes, too: each thread reads its own ones of a row, as vectors. So fewer cycles of the shared memory are
    taken, where lanes that read one column of each vector meet in its banks. What lies beyond the row of threads is not specified then. So it is
    done where tiles overlap enough: no point that is stored, or is read by later stages of such points, reads there (the `needs` of the `tile.where` around
    the stage, `inner` of the grid). Others stay as they are, as do stars, which read columns in one row, of kernels with `stencil.inner`.
    A ring of which nobody reads the columns beside the threads any more has none, and none are copied.

    Before:
    ```mlir
    %x = tile.source %ring[%c]
    %r = stencil.apply(%a = %x : !read) -> (!tile) { %a[0, 0, -1] + %a[0, 0, 1] }
    ```
    After:
    ```mlir
    %x = tile.source %ring[%c]
    %q = stencil.apply(%a = %x : !read) -> (!tile) { %a[0, 0, 0] }
    %w = tile.join %q : !tile -> !wide
    %l, %n = stencil.apply(%a = %w : !wide, %b = %q : !tile) -> (!tile, !tile) attributes {tile.engine = #tile.lanes} { %a[0, 0, -1], %a[0, 0, 1] }
    %r = stencil.apply(%a = %l : !tile, %b = %n : !tile) -> (!tile) { %a[0, 0, 0] + %b[0, 0, 0] }
    ```
  }];
}

#endif // STENCILDIALECT_TILE_PASSES_TD
