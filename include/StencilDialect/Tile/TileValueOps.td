//===- TileValueOps.td - Values, and kernels over lists ----*- tablegen -*-===//

#ifndef STENCILDIALECT_TILE_TILEVALUEOPS_TD
#define STENCILDIALECT_TILE_TILEVALUEOPS_TD

include "StencilDialect/Tile/TileOpBase.td"

def Tile_JoinOp : Tile_Op<"join", [Pure, Tile_ValueView]> {
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

def Tile_ShiftOp : Tile_Op<"shift", [Pure, Tile_ValueView]> {
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
                       DefaultValuedAttr<Tile_I64Attr, "0">:$filled);
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

#endif // STENCILDIALECT_TILE_TILEVALUEOPS_TD
