//===- ProgramPasses.td - Programs and their applies -------*- tablegen -*-===//

#ifndef STENCILDIALECT_TRANSFORMS_PROGRAMPASSES_TD
#define STENCILDIALECT_TRANSFORMS_PROGRAMPASSES_TD

include "mlir/Pass/PassBase.td"

def StencilAdoptPointers
    : Pass<"stencil-adopt-pointers", "::mlir::ModuleOp"> {
  let summary = "pointers that a function takes for arrays become memrefs";
  let description = [{
    PSyclone's functions take `!llvm.ptr` from Fortran and put each into the
    descriptor of a memref themselves. The argument becomes that memref.

    Before:
    ```mlir
    func.func @f(%p: !llvm.ptr) {
      %0 = llvm.mlir.undef : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
      %1 = llvm.insertvalue %p, %0[0] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
      %2 = llvm.insertvalue %p, %1[1] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
      %u = builtin.unrealized_conversion_cast %2 : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)> to memref<10xf64>
    ```
    After:
    ```mlir
    func.func @f(%u: memref<10xf64>) {
    ```

    A pointer that the function uses in any other way, or as two types, stays,
    and so does one of a function that is called. The memref has to be static
    and row-major: what the descriptor says of its sizes and strides is not
    read then.
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect"];
}

def StencilInferShapes : Pass<"stencil-infer-shapes", "::mlir::ModuleOp"> {
  let summary = "infer the box of every value from the stores backwards";
  let description = [{
    The boxes of stores and folds are the demand. It flows backwards through
    applies (each access shifts it, a dynamic access and an unrolled return
    widen it), combines (each side gets its part) and buffers to the loads,
    where it has to lie in the field. Several consumers demand the hull.

    Before:
    ```mlir
    %t = stencil.load %f : !stencil.field<[-4,68]xf64> -> !stencil.temp<?xf64>
    %r = stencil.apply(%x = %t : !stencil.temp<?xf64>) -> (!stencil.temp<?xf64>) {
      %v = stencil.access %x[-1] : !stencil.temp<?xf64>
      stencil.return %v : f64
    }
    stencil.store %r to %g(<[0], [64]>) : !stencil.temp<?xf64> to !stencil.field<[-4,68]xf64>
    ```
    After: `%t : !stencil.temp<[-1,63]xf64>`, `%r : !stencil.temp<[0,64]xf64>`.

    Afterwards every temp has bounds: values that nobody needs a point of are
    removed. All results of an apply have one box. A side of a combine that has
    no points gets the operand of the other side. Bounds that are there already
    stay, and have to cover the demand.

    Bounds relative to the extent N of an axis are compared with coordinates as
    if N were large. The smallest N for which that holds, one per axis, become
    the attribute `stencil.minimal_extents` of the function; they are checked at
    run time.

    Checks the rules of whole programs first (loops that permute their fields,
    values that stay among stencil ops, extents that are bound, ...).
  }];
  let dependentDialects = ["::stencil::StencilDialect"];
}

def StencilCheckHalos : Pass<"stencil-check-halos", "::mlir::ModuleOp"> {
  let summary = "check that fields have what is read of them";
  let description = [{
    Infers the boxes of all values, as `stencil-infer-shapes` does, and keeps
    none. It stands before the passes that rewrite sums: a halo that is too small
    is an error at the access that needs more, not at the sum that the access has
    become a part of. So is one that is read with a weight of zero.

    ```text
    heat.mlir:11:12: error: 'stencil.access' op halo too small: needs [-1,?-1) on axis 0, the field has [0,?)
    ```
  }];
}

def StencilSpecializeExtents
    : Pass<"stencil-specialize-extents", "::mlir::ModuleOp"> {
  let summary = "give bounds that are relative to run-time extents their values";
  let description = [{
    For a run whose extents are known before it is compiled: addresses then have
    constant strides, and trip counts are constants.

    Before, with `extents=64`: `!stencil.field<[-1,?+1]xf64>`. After:
    `!stencil.field<[-1,65]xf64>`. That the arrays have these extents is checked
    at run time where the fields are cast.

    Casts of fields that come from outside of a loop move out of it, with and
    without extents: a function learns extents at its top level.

    An error: bounds relative to an axis for which no extent is given, or that
    are empty for the extent.
  }];
  let options = [
    ListOption<"extents", "extents", "int64_t",
               "interior points of every axis, 0 for one that stays open">
  ];
  let dependentDialects = ["::stencil::StencilDialect"];
}

def StencilBufferize : Pass<"stencil-bufferize", "::mlir::ModuleOp"> {
  let summary = "values to fields: applies write fields, no load, store or temp remains";
  let description = [{
    Every apply becomes bufferised (`outs`). A result that is stored is written
    to the field directly where no one can tell the difference: the boxes are
    equal, and nothing touches the field between apply and store. Else it is
    written to a buffer (`stencil.alloc`, at the function's entry, outside of all
    loops) and copied at the store. The sides of a combine are written where they
    belong. A loaded value that is used after its field was written is copied
    when it is loaded: a load is a snapshot. A step that writes u(n+1) over
    u(n-1), read at offset zero only, stays in place. Buffers that are not in use
    at the same time share memory.

    Before:
    ```mlir
    %t = stencil.load %u : !stencil.field<[-1,65]xf64> -> !stencil.temp<[-1,65]xf64>
    %r = stencil.apply(%x = %t : !stencil.temp<[-1,65]xf64>) -> (!stencil.temp<[0,64]xf64>) {
      %v = stencil.access %x[-1] : !stencil.temp<[-1,65]xf64>
      stencil.return %v : f64
    }
    stencil.store %r to %v(<[0], [64]>) : !stencil.temp<[0,64]xf64> to !stencil.field<[-1,65]xf64>
    ```
    After:
    ```mlir
    stencil.apply(%x = %u : !stencil.field<[-1,65]xf64>) outs (%v : !stencil.field<[-1,65]xf64>) {
      %v = stencil.access %x[-1] : !stencil.field<[-1,65]xf64>
      stencil.return %v : f64
    } to <[0], [64]>
    ```

    Needs inferred shapes, and sequential control flow around stencil ops. An
    error: a result that stores nothing at some points, but would need a copy.
  }];
  let dependentDialects = ["::stencil::StencilDialect"];
}

def StencilFuseApplies : Pass<"stencil-fuse-applies", "::mlir::ModuleOp"> {
  let summary = "fewer applies that move less memory: producers into consumers, siblings into one";
  let description = [{
    A producer goes into the apply that reads its results. Where that reads a
    result at several offsets, the value is computed once in the body, and
    moved by `stencil.weighted_sum` of one tap; a sum over the result becomes a
    sum over the value. So nothing stands twice in the IR; who lowers it decides
    what is recomputed and what is kept in a window.

    Before:
    ```mlir
    %f = stencil.apply(%x = %t : !stencil.temp<?xf64>) -> (!stencil.temp<?xf64>) {
      %a = stencil.access %x[0] : !stencil.temp<?xf64>
      %b = stencil.access %x[1] : !stencil.temp<?xf64>
      %d = arith.subf %b, %a : f64
      stencil.return %d : f64
    }
    %r = stencil.apply(%y = %f : !stencil.temp<?xf64>) -> (!stencil.temp<?xf64>) {
      %e = stencil.access %y[0] : !stencil.temp<?xf64>
      %w = stencil.access %y[-1] : !stencil.temp<?xf64>
      %s = arith.subf %e, %w : f64
      stencil.return %s : f64
    }
    ```
    After:
    ```mlir
    %r = stencil.apply(%x = %t : !stencil.temp<?xf64>) -> (!stencil.temp<?xf64>) {
      %a = stencil.access %x[0] : !stencil.temp<?xf64>
      %b = stencil.access %x[1] : !stencil.temp<?xf64>
      %d = arith.subf %b, %a : f64
      %w = stencil.weighted_sum %d offsets [[-1]] weights dense<1.000000e+00> : tensor<1xf64> : f64
      %s = arith.subf %d, %w : f64
      stencil.return %s : f64
    }
    ```
    Results that somebody else needs, too, on the same box, become results of
    the fused apply. Siblings that read the same memory, on the same box or on
    one that can be extended, and of which none follows from the other, become
    one apply with the results of both. An apply that reads both sides of a
    combine, each at its own points only, is divided at the split, and either
    side is fused.

    A pair is fused if a roofline says that it pays: the time of a kernel is
    what it moves to and from memory, in bytes, or its operations divided by
    `balance`, or a sixth of what it reads of the caches, whichever is most, and
    a quarter of the others. Operations that are needed at several offsets are
    counted as often as `stencil-expand-weighted-sums` repeats them. The defaults fit FP64 on a current data-center GPU (an H200
    computes 34 TFLOP/s and moves 4.8 TB/s). Every verdict is a remark of the
    category `Fusion`, with the numbers.

    `force=NAME` fuses an apply into all applies that read it, `force=A+B` merges
    siblings, whatever it costs; `forbid` likewise keeps an apply as it is, or a
    pair apart. The name of an apply is its attribute `stencil.name`, else the
    name of its location.

    Not fused: across `stencil.buffer`; what is read by `stencil.dyn_access`;
    producers whose return is unrolled; bodies with side effects; where a
    result that stores nothing at some points could no longer be written in
    place. An error: forced, and not possible; a name that no apply has.

    The same operations are computed as before. Level 0, before
    stencil-bufferize.
  }];
  let options = [
    Option<"automatic", "automatic", "bool", /*default=*/"true",
           "fuse where it pays; false: only what is forced">,
    ListOption<"force", "force", "std::string",
               "names of applies to be fused into their consumers, or A+B of siblings">,
    ListOption<"forbid", "forbid", "std::string",
               "names of applies not to be fused, or A+B of a pair">,
    Option<"balance", "balance", "double", /*default=*/"7.0",
           "64-bit floating-point operations per byte of memory traffic">,
    Option<"gain", "gain", "double", /*default=*/"1.05",
           "how many times shorter the time has to become">,
    Option<"maxRegisters", "max-registers", "double", /*default=*/"160",
           "32-bit registers per point">,
    Option<"maxOps", "max-ops", "double", /*default=*/"1000",
           "ops per point, as often as they are repeated">
  ];
  let dependentDialects = ["::stencil::StencilDialect"];
}

def StencilSplitRegions : Pass<"stencil-split-regions", "::mlir::ModuleOp"> {
  let summary = "applies that branch on the point to one apply per region";
  let description = [{
    The region decomposition of seismic codes. An apply whose body branches
    (scf.if, arith.select) on comparisons of `stencil.index` with constants, also
    combined by and, or, not, min, max, becomes one apply per box of points at
    which all such branches go the same way, without them. Stores go to disjoint
    boxes; other users get a stencil.combine. Every point is computed as before,
    bit by bit.

    Before:
    ```mlir
    %r = stencil.apply(%x = %t : !stencil.temp<?xf64>) -> (!stencil.temp<?xf64>) {
      %i = stencil.index 0 <[0]>
      %c10 = arith.constant 10 : index
      %isLayer = arith.cmpi slt, %i, %c10 : index
      %v = scf.if %isLayer -> (f64) { ... } else { ... }
      stencil.return %v : f64
    }
    stencil.store %r to %f(<[0], [64]>) : !stencil.temp<?xf64> to !stencil.field<[0,64]xf64>
    ```
    After: an apply with the one branch, stored to `<[0], [10]>`, and an apply
    with the other, stored to `<[10], [64]>`.

    With `regions=all` an interior with absorbing layers on all sides of three
    axes becomes 7 regions: two slabs per axis, nested, and the interior. With
    `regions=two` it becomes 2: the largest box, and an apply that is evaluated
    everywhere, keeps its branches, and stores nothing in that box.

    `axes` leaves branches on other axes where they are: with `axes=0,1`, the
    same layers become 5 regions, two slabs along each of the first two axes, and
    an interior of whole rows, which branches on where in its row a point is.

    The attributes of an apply, `stencil.regions`, "all", "two" or "keep", and
    `stencil.region_axes`, such as `array<i64: 0, 1>`, have precedence. What the
    first one asks for and is not possible is an error; where it is absent, a
    remark (category "Regions"). An apply is not split
    - if nothing branches on comparisons of one coordinate with constants (or
      scalars that are passed to the apply and are constants there);
    - if it takes more than `max-regions` regions;
    - if it is unrolled, and not all of a region is needed;
    - in two, if a result is not stored to one field on all of its box, or if
      the apply may read the field that is stored to.

    The attribute `stencil.region` of the new applies has their boxes.

    With bounds relative to the extent of an axis (`?`), a grid that is so small
    that a region has no points is refused at run time, as with all such bounds.
    A branch on a run-time extent is not decided: give the extents first
    (stencil-specialize-extents).
  }];
  let options = [
    Option<"regions", "regions", "std::string", /*default=*/"\"all\"",
           "of every apply without the attribute stencil.regions: all, two or "
           "keep">,
    Option<"maxRegions", "max-regions", "unsigned", /*default=*/"64",
           "an apply that would take more regions is left as it is">,
    ListOption<"axes", "axes", "int64_t",
               "of every apply without the attribute stencil.region_axes: the "
               "axes that are divided (default: all)">
  ];
  let dependentDialects = ["::stencil::StencilDialect", "::mlir::scf::SCFDialect"];
}

def StencilHoistScalars : Pass<"stencil-hoist-scalars", "::mlir::func::FuncOp"> {
  let summary = "arithmetic that is the same at every point: once, before the apply";
  let description = [{
    Additions, subtractions, products, quotients and negations of f32 and f64
    whose operands are constants and scalars of an apply are computed before it,
    and their results become scalars of it. A kernel has them as arguments,
    which take no registers. At most 256 per apply.

    Before:
    ```mlir
    stencil.apply(%x = %u : !field, %a = %dt : f64) outs (%v : !field) {
      %k = arith.mulf %a, %a : f64
      %c = stencil.access %x[0] : !field
      %r = arith.mulf %k, %c : f64
      stencil.return %r : f64
    } to <[0], [64]>
    ```
    After:
    ```mlir
    %k = arith.mulf %dt, %dt : f64
    stencil.apply(%x = %u : !field, %a = %dt : f64, %b = %k : f64) outs (%v : !field) {
      %c = stencil.access %x[0] : !field
      %r = arith.mulf %b, %c : f64
      stencil.return %r : f64
    } to <[0], [64]>
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

#endif // STENCILDIALECT_TRANSFORMS_PROGRAMPASSES_TD
