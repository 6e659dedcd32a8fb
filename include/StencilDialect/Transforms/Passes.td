//===- Passes.td - Passes on the stencil dialect ------------*- tablegen -*-===//

#ifndef STENCILDIALECT_TRANSFORMS_PASSES_TD
#define STENCILDIALECT_TRANSFORMS_PASSES_TD

include "mlir/Pass/PassBase.td"

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
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::stencil::StencilDialect"];
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

def StencilSpecializeExtents
    : Pass<"stencil-specialize-extents", "::mlir::ModuleOp"> {
  let summary = "give bounds that are relative to run-time extents their values";
  let description = [{
    For a run whose extents are known before it is compiled: addresses then have
    constant strides, and trip counts are constants.

    Before, with `extents=64`: `!stencil.field<[-1,?+1]xf64>`. After:
    `!stencil.field<[-1,65]xf64>`. That the arrays have these extents is checked
    at run time where the fields are cast.

    An error: bounds relative to an axis for which no extent is given, or that
    are empty for the extent.
  }];
  let options = [
    ListOption<"extents", "extents", "int64_t",
               "interior points of every axis, 0 for one that stays open">
  ];
  let dependentDialects = ["::stencil::StencilDialect"];
}

def StencilCaptureGraphs : Pass<"stencil-capture-graphs", "::mlir::ModuleOp"> {
  let summary = "launch many steps of a time loop at once";
  let description = [{
    A launch costs the host two to four microseconds, more than a step on a
    small grid takes. A loop that does nothing but launch, and whose fields are
    in their places again after p steps, records some multiple of p steps as a
    graph once (`stencilBeginCapture`, `stencilEndCapture`) and launches that;
    the steps that are left are launched one by one. Runs that are too short to
    gain are decided at run time. Descriptors of TMA (`nvgpu.tma.create.descriptor`)
    may be made in the loop: the launches that are recorded keep copies.

    Works on level 4, behind `convert-stencil-to-gpu`.
  }];
  let options = [
    Option<"nodes", "nodes", "unsigned", /*default=*/"64",
           "kernels of a graph, roughly">
  ];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::func::FuncDialect",
                           "::mlir::LLVM::LLVMDialect",
                           "::mlir::scf::SCFDialect"];
}

def StencilGroupRegions : Pass<"stencil-group-regions", "::mlir::ModuleOp"> {
  let summary = "which regions of a sweep can be launched together";
  let description = [{
    Applies and pipelines that follow each other and store to disjoint boxes of
    one field are the regions of a sweep (`stencil-split-regions`). If their
    schedules have `regions = launch` or `regions = streams`, they get the
    attribute `stencil.region_group`, and stand next to each other, the largest
    one first.

    Before:
    ```mlir
    stencil.apply(...) outs (%v : ...) attributes {stencil.schedule = #stencil.schedule<regions = launch>} { ... } to <[0], [4]>
    stencil.apply(...) outs (%v : ...) attributes {stencil.schedule = #stencil.schedule<regions = launch>} { ... } to <[4], [64]>
    ```
    After:
    ```mlir
    stencil.apply(...) outs (%v : ...) attributes {stencil.region_group = #stencil.region_group<0, launch>, ...} { ... } to <[4], [64]>
    stencil.apply(...) outs (%v : ...) attributes {stencil.region_group = #stencil.region_group<0, launch>, ...} { ... } to <[0], [4]>
    ```

    What stores to points that the sweep has stored to already begins another
    sweep. An error: a region of the sweep that reads what another one stores
    to, or stores to what another one reads.

    Needs bufferised programs (`stencil-bufferize`).
  }];
  let dependentDialects = ["::stencil::StencilDialect"];
}

def StencilJoinLaunches : Pass<"stencil-join-launches", "::mlir::ModuleOp"> {
  let summary = "launches of the regions of a sweep to one launch";
  let description = [{
    Launches of one `stencil.region_group` with `launch` become one: its blocks
    are those of all of its kernels, one kernel after the other, and a block's
    number says which body it runs.

    Before:
    ```mlir
    gpu.launch_func <%s : !llvm.ptr> @k::@f_apply0 blocks in (%c90, %c1, %c1) threads in (%c64, %c1, %c1) args(%u : ..., %v : ...) {stencil.region_group = #stencil.region_group<0, launch>}
    gpu.launch_func <%s : !llvm.ptr> @k::@f_apply1 blocks in (%c10, %c1, %c1) threads in (%c64, %c1, %c1) args(%u : ..., %v : ...) {stencil.region_group = #stencil.region_group<0, launch>}
    ```
    After:
    ```mlir
    gpu.func @f_regions0(%u: ..., %v: ...) kernel {
      %b = gpu.block_id x
      %is0 = arith.cmpi ult, %b, %c90 : index
      scf.if %is0 { ... } else { ... }
    }
    gpu.launch_func <%s : !llvm.ptr> @k::@f_regions0 blocks in (%c100, %c1, %c1) threads in (%c64, %c1, %c1) args(%u : ..., %v : ...)
    ```
    Blocks of another shape are counted through. Smaller blocks are padded by
    threads that do nothing. An error: smaller blocks whose threads wait for each
    other, and kernels that ask for the block's size or number in another way
    than `gpu.thread_id`, `gpu.block_id`, `gpu.block_dim` and `gpu.grid_dim`.

    Works on level 4, behind `convert-stencil-to-gpu`.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::gpu::GPUDialect",
                           "::mlir::scf::SCFDialect"];
}

def StencilOverlapLaunches : Pass<"stencil-overlap-launches", "::mlir::ModuleOp"> {
  let summary = "launches of the regions of a sweep to streams of their own";
  let description = [{
    Of the launches of one `stencil.region_group` with `streams`, the first one
    stays in its stream; the others get streams of the function's own, which
    wait for that one, and it for them. Where a step is recorded
    (`stencil-capture-graphs`, which comes before), they are branches of the
    graph.

    Before:
    ```mlir
    gpu.launch_func <%s : !llvm.ptr> @k::@f_apply0 ... {stencil.region_group = #stencil.region_group<0, streams>}
    gpu.launch_func <%s : !llvm.ptr> @k::@f_apply1 ... {stencil.region_group = #stencil.region_group<0, streams>}
    ```
    After:
    ```mlir
    call @mgpuEventRecord(%begin, %s)
    call @mgpuStreamWaitEvent(%s1, %begin)
    gpu.launch_func <%s : !llvm.ptr> @k::@f_apply0 ...
    gpu.launch_func <%s1 : !llvm.ptr> @k::@f_apply1 ...
    call @mgpuEventRecord(%done, %s1)
    call @mgpuStreamWaitEvent(%s, %done)
    ```

    Works on level 4, behind `convert-stencil-to-gpu`.
  }];
  let dependentDialects = ["::mlir::func::FuncDialect",
                           "::mlir::gpu::GPUDialect",
                           "::mlir::LLVM::LLVMDialect"];
}

def StencilExpandWeightedSums
    : Pass<"stencil-expand-weighted-sums", "::mlir::ModuleOp"> {
  let summary = "weighted sums to accesses and arithmetic";
  let description = [{
    Every tap becomes a product and a sum, in the order of the list, with the
    fast-math flags of the sum. A multiplication by 1 or -1 is left out, as is a
    tap whose constant weight is zero. For a sum over a value of the body, what
    the value depends on is copied once for every point at which some sum of the
    body needs it: common subexpressions of neighbouring points (a register
    tile) are then found by CSE.

    Before:
    ```mlir
    %s = stencil.weighted_sum %x offsets [[-1], [1]] weights dense<[0.5, -1.0]> : tensor<2xf64> : !stencil.temp<?xf64>
    ```
    After:
    ```mlir
    %cst = arith.constant 5.0e-01 : f64
    %a = stencil.access %x[-1] : !stencil.temp<?xf64>
    %p = arith.mulf %cst, %a : f64
    %b = stencil.access %x[1] : !stencil.temp<?xf64>
    %s = arith.subf %p, %b : f64
    ```

    An error: a body that evaluates more than a million ops at other points, or
    sums over sums more than 512 deep.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
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
  let dependentDialects = ["::stencil::StencilDialect",
                           "::mlir::arith::ArithDialect",
                           "::mlir::scf::SCFDialect"];
}

def StencilFactorSums : Pass<"stencil-factor-sums", "::mlir::ModuleOp"> {
  let summary = "partial sums that neighbouring points share";
  let description = [{
    A weighted sum over a box of taps is a tensor of weights. Where the vectors
    of weights along an axis span a space of few dimensions, sums along that
    axis with a basis of the space are computed first, then sums of those along
    the next axis, and so on: pair sums of a symmetric kernel, differences of an
    antisymmetric one, a row and a column of a separable one. The basis comes
    from a singular value decomposition, in reduced row echelon form, whose
    coefficients are weights of the sum itself.

    Before:
    ```mlir
    %s = stencil.weighted_sum %x offsets [[-1, -1], [-1, 0], [-1, 1], [0, -1], [0, 0], [0, 1], [1, -1], [1, 0], [1, 1]]
         weights dense<[1.0, 2.0, 1.0, 2.0, 4.0, 2.0, 1.0, 2.0, 1.0]> : tensor<9xf64> : !stencil.temp<?x?xf64>
    ```
    After:
    ```mlir
    %p = stencil.weighted_sum %x offsets [[0, -1], [0, 0], [0, 1]] weights dense<[1.0, 2.0, 1.0]> : tensor<3xf64> : !stencil.temp<?x?xf64>
    %s = stencil.weighted_sum %p offsets [[-1, 0], [0, 0], [1, 0]] weights dense<[1.0, 2.0, 1.0]> : tensor<3xf64> : f64
    ```

    With `form=auto`, a sum of at least `at-least` operations (a product and a
    sum at once are one) is taken apart along axes if that saves a tenth of
    them, counting what `points` neighbours along axis 0 share: below, memory is
    what bounds a stencil, and shared partial sums cost registers. Else, taps of
    equal weight are added first, if that saves a third of the products: as many
    operations, but additions need no weight (and are faster: on an H200, an
    addition takes 2 cycles, a product with a sum up to 3). Else a remark says
    why not. With `form=axes` or `form=weights` every sum is taken apart, or an
    error says why not.

    The weights that are computed with differ from those given by no more than
    `tolerance` times the sum of the absolute weights. The default is what
    rounding in another order may amount to: half an epsilon per tap. Sums whose
    terms would cancel are not taken apart.

    Needs `math=reassociate`, or sums with `fastmath<reassoc>`, or integers. Of
    a sum in a region the partial sums stand before it, at the body's top level.
  }];
  let options = [
    Option<"math", "math", "::stencil::MathMode",
           /*default=*/"::stencil::MathMode::Contract",
           "what may be done to floating-point sums",
           "::stencil::getMathModeValues()">,
    Option<"form", "form", "std::string", /*default=*/"\"auto\"",
           "auto; axes: along axes; weights: taps of equal weight first">,
    Option<"tolerance", "tolerance", "double", /*default=*/"0",
           "largest change of the weights, relative to their sum; 0: that of "
           "another order">,
    Option<"rank", "rank", "unsigned", /*default=*/"0",
           "basis vectors per axis at most; 0: as many as the tolerance needs">,
    Option<"atLeast", "at-least", "unsigned", /*default=*/"40",
           "operations of a sum that is taken apart along axes by form=auto">,
    Option<"points", "points", "unsigned", /*default=*/"0",
           "neighbours along axis 0 that share partial sums; 0: all">
  ];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

def StencilReportCost : Pass<"stencil-report-cost", "::mlir::ModuleOp"> {
  let summary = "print what every apply takes per point: operations, loads, bytes";
  let description = [{
    Changes nothing. Counts what stands in the body of every apply, dead code
    included, per point of its results:

    | word | what is counted |
    |---|---|
    | adds | additions and subtractions that are not part of an fma |
    | multiplies | multiplications that are not part of an fma |
    | fmas | `math.fma`, and, unless `math=strict`, an addition with a multiplication of which it is the only user |
    | divisions, functions | divisions and remainders; ops of `math` |
    | others | comparisons, selects, minima, maxima, conversions, logic |
    | operations | the sum of all these |
    | flops | adds + multiplies + 2 fmas + divisions + functions |
    | loads | values read from inputs |
    | partials | values of the body at another point that a `stencil.weighted_sum` reads |
    | taps (points) | distinct points of inputs that the value of one point depends on |
    | bytes | every field that is read, once, and every result: the compulsory traffic |

    A `stencil.weighted_sum` of n taps is a multiplication and n - 1 fmas (one
    multiplication and n - 1 of each with `math=strict`); a weight of 1 or -1
    saves the multiplication, a constant weight of 0 is no tap. Negations, and
    what is the same at all points, are not counted. Of an `scf.if` the branch
    with more operations counts; of an `scf.for` the body as often as it runs,
    once if that is not a constant.

    Two counts are given. *Shared*: every value of the body is computed once per
    point, and partial sums are kept for the neighbours that need them. *Alone*:
    what a point takes that shares nothing: each value once for every point at
    which it is needed.

    The roofline bound is the smaller of bandwidth / bytes and of peak / 2 /
    operations (shared): an addition takes as long as an fma. It uses measured
    rates of the chip where there are any, else those of the data sheet.

    For a heat equation, `chip=sm_90` prints:
    ```text
    // cost: @conv_heat2d, apply 0, kernels/conv_heat2d.mlir:14:12
    //   reads 1 field at 5 points, writes 1: 16 bytes per point
    //   shared: 5 operations (3 adds, 1 multiply, 1 fma), 6 flops, 5 loads, 0 partials
    //   alone: 5 operations (3 adds, 1 multiply, 1 fma), 6 flops, 5 loads
    //   0.375 flops per byte; sm_90: at most 267.5 GStencil/s, by memory (measured; 4280.0 GB/s, 30.7 Tflop/s)
    ```
    The text is a comment of MLIR, so that a program that follows it on the
    standard output can be read again. `format=json` writes one line: an object
    whose `applies` is a list of objects with `taps`, `bytes_per_point`,
    `shared`, `alone`, ...; counts there are per evaluation of the body, that is
    of `points` points.

    Reads both forms of the apply, with or without inferred shapes. To see what
    passes do, run it before and after them, with a `label` each.
  }];
  let options = [
    Option<"format", "format", "::stencil::ReportFormat",
           /*default=*/"::stencil::ReportFormat::Text", "of the report",
           "::stencil::getReportFormatValues()">,
    Option<"output", "output", "std::string", /*default=*/[{"-"}],
           "the file to write, - for the standard output">,
    Option<"label", "label", "std::string", /*default=*/[{""}],
           "a word to tell reports apart">,
    Option<"chip", "chip", "std::string", /*default=*/[{""}],
           "the GPU of the roofline, such as sm_90 or gfx942; none without">,
    Option<"math", "math", "::stencil::MathMode",
           /*default=*/"::stencil::MathMode::Contract",
           "what floating-point arithmetic may do",
           "::stencil::getMathModeValues()">
  ];
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
    `balance`, or what it reads of the caches divided by `cache-balance`,
    whichever is most, and a quarter of the others. Operations that are needed
    at several offsets are counted as often as `stencil-expand-weighted-sums`
    repeats them. The defaults fit FP64 on a current data-center GPU (an H200
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
    Option<"cacheBalance", "cache-balance", "double", /*default=*/"6.0",
           "bytes from the caches per byte from memory">,
    Option<"gain", "gain", "double", /*default=*/"1.05",
           "how many times shorter the time has to become">,
    Option<"maxRegisters", "max-registers", "double", /*default=*/"160",
           "32-bit registers per point">,
    Option<"maxOps", "max-ops", "double", /*default=*/"1000",
           "ops per point, as often as they are repeated">
  ];
  let dependentDialects = ["::stencil::StencilDialect"];
}

def StencilRaiseWeightedSums
    : Pass<"stencil-raise-weighted-sums", "::mlir::ModuleOp"> {
  let summary = "sums of neighbours to stencil.weighted_sum";
  let description = [{
    Brings the bodies of applies to the normal form: weighted sums over the
    points around, and the rest, which is not linear, behind them.

    Before:
    ```mlir
    %l = stencil.access %x[-1] : !stencil.temp<?xf64>
    %r = stencil.access %x[1] : !stencil.temp<?xf64>
    %half = arith.constant 0.5 : f64
    %s = arith.addf %l, %r : f64
    %m = arith.mulf %half, %s : f64
    ```
    After, with `math=reassociate`:
    ```mlir
    %m = stencil.weighted_sum %x offsets [[-1], [1]] weights dense<5.000000e-01> : tensor<2xf64> : !stencil.temp<?xf64>
    ```
    and without it:
    ```mlir
    %s = stencil.weighted_sum %x offsets [[-1], [1]] weights dense<1.000000e+00> : tensor<2xf64> : !stencil.temp<?xf64>
    %m = arith.mulf %half, %s : f64
    ```

    Where sums may be reassociated (integers; `math=reassociate`; ops that all
    carry the flag `reassoc`), any tree of accesses, constants, scalars that are
    the same at all points, additions, subtractions, negations, products with and
    quotients by these, `math.fma`, exact extensions of inputs, and weighted sums
    becomes one weighted sum per input with several points; points that occur
    repeatedly become one, and what cancels disappears. Weights are computed in
    quad precision and rounded once. Scalars that all weights of an input have in
    common stay outside. What several users read is computed once: a sum of
    several terms that has several users stays a value of its own. A tree that
    would not become smaller stays as it is.

    Elsewhere, a chain ((w0 x0 + w1 x1) + w2 x2) - w3 x3 ... of one input becomes
    a weighted sum as far as it computes exactly that: the weights are constants
    or scalars, additions may be commuted, division by a power of two is a
    product, `math.fma` is one unless `math=strict`. The chain ends where a point
    occurs a second time, at a product with zero, and where a partial sum has
    another user.

    The flags of ops that are merged are intersected.
  }];
  let options = [
    Option<"math", "math", "::stencil::MathMode",
           /*default=*/"::stencil::MathMode::Contract",
           "what may be done to floating-point sums",
           "::stencil::getMathModeValues()">
  ];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

def StencilPruneZeros : Pass<"stencil-prune-zeros", "::mlir::ModuleOp"> {
  let summary = "remove what does not contribute: taps, fields, applies";
  let description = [{
    - Taps of a weighted sum whose constant weight is zero, which are none.
    - Products with zero, and differences of a value and itself, where these are
      zero whatever the value is: integers, `math=reassociate` or the flag
      `reassoc`, or the flags `nnan` and `nsz`. Otherwise they stay: zero times
      infinity is no number, zero times -1 is -0.
    - Reads of results that are the same number at all points: the number takes
      their place (through buffers and combines).
    - Then what nobody reads any more: ops of bodies, operands and results of
      applies and combines, whole applies, buffers, loads. What is stored stays,
      and so does what is folded and used.

    Before:
    ```mlir
    %t = stencil.load %f : !stencil.field<[-1,65]xf64> -> !stencil.temp<?xf64>
    %r = stencil.apply(%x = %s : !stencil.temp<?xf64>, %y = %t : !stencil.temp<?xf64>) -> (!stencil.temp<?xf64>) {
      %a = stencil.weighted_sum %x offsets [[-1], [0], [1]] weights dense<[1.0, 0.0, 1.0]> : tensor<3xf64> : !stencil.temp<?xf64>
      %b = stencil.weighted_sum %y offsets [[-1], [1]] weights dense<0.0> : tensor<2xf64> : !stencil.temp<?xf64>
      %c = arith.subf %a, %b : f64
      stencil.return %c : f64
    }
    ```
    After:
    ```mlir
    %r = stencil.apply(%x = %s : !stencil.temp<?xf64>) -> (!stencil.temp<?xf64>) {
      %a = stencil.weighted_sum %x offsets [[-1], [1]] weights dense<1.0> : tensor<2xf64> : !stencil.temp<?xf64>
      stencil.return %a : f64
    }
    ```

    Every op is visited twice, however long the chain of applies is.
  }];
  let options = [
    Option<"math", "math", "::stencil::MathMode",
           /*default=*/"::stencil::MathMode::Contract",
           "what may be done to floating-point sums",
           "::stencil::getMathModeValues()">
  ];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

def StencilRaiseTimeLoops : Pass<"stencil-raise-time-loops", "::mlir::ModuleOp"> {
  let summary = "find the loops over time steps";
  let description = [{
    A time loop is an scf.for that carries fields, computes their next state and
    yields them in another order. What optimising several steps at once rests on
    is proven:
    - the loop carries fields only;
    - its body, the step, has no side effects but stores and boundary ops, no
      branches or loops, and no stencil.fold, on which a test for convergence
      may rest;
    - it stores only to fields that it carries, always to the same box, the
      interior, which is also the one that its boundary ops name;
    - a halo is filled before the step reads the field, if at all;
    - no other field that it reads may be one that it stores to.

    Before:
    ```mlir
    %r:2 = scf.for %step = %zero to %steps step %one iter_args(%u = %u0, %v = %v0) -> (!field, !field) {
      stencil.boundary %u(<[0, 0], [?, ?]>) [#stencil.neumann, #stencil.neumann] : !field
      %old = stencil.load %u : !field -> !temp
      %new = stencil.apply(...) // reads %old within one point
      stencil.store %new to %v(<[0, 0], [?, ?]>) : !temp to !field
      scf.yield %v, %u : !field, !field
    }
    ```
    After: the loop has the attribute
    `stencil.time_loop = #stencil.time_loop<interior = <[0, 0], [?, ?]>, lower = <[-1, -1]>, upper = <[1, 1]>, buffers = 2, levels = 1, stages = 1, period = 2>`
    (see the attribute). An attribute that is there already is replaced, or
    removed if it does not hold any more. For a loop that stores to fields and is
    no time loop, a remark (category "TimeLoops") says why not.
  }];
  let dependentDialects = ["::stencil::StencilDialect"];
}

def StencilHoistBoundaries : Pass<"stencil-hoist-boundaries", "::mlir::ModuleOp"> {
  let summary = "fill halos that are constant before the time loop";
  let description = [{
    A time loop (see `stencil-raise-time-loops`) stores to the interiors of its
    buffers only. A Dirichlet condition fills the same halo of the same buffer
    with the same constant at each of its turns; now it does so once, before the
    loop, for each buffer that would be filled in it, and is `keep` inside. A
    boundary op of which nothing but `keep` is left is removed. Fields hold in
    the end what they would have held, halos included, also where the loop takes
    fewer steps than it has buffers.

    Before:
    ```mlir
    %r:2 = scf.for %i = %zero to %n step %one iter_args(%u = %a, %v = %b) -> (!field, !field) {
      stencil.boundary %u(<[0, 0], [64, 64]>) [#stencil.dirichlet<0.0>, #stencil.neumann] : !field
      ... // stores to %v
      scf.yield %v, %u : !field, !field
    }
    ```
    After:
    ```mlir
    scf.if %hasStep0 {
      stencil.boundary %a(<[0, 0], [64, 64]>) [#stencil.dirichlet<0.0>, #stencil.keep] : !field
    }
    scf.if %hasStep1 {
      stencil.boundary %b(<[0, 0], [64, 64]>) [#stencil.dirichlet<0.0>, #stencil.keep] : !field
    }
    %r:2 = scf.for %i = %zero to %n step %one iter_args(%u = %a, %v = %b) -> (!field, !field) {
      stencil.boundary %u(<[0, 0], [64, 64]>) [#stencil.keep, #stencil.neumann] : !field
      ...
    }
    ```
    Left alone: loops that are no time loops or count without sign, and buffers
    that take turns with different conditions.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect",
                           "::stencil::StencilDialect"];
}

def StencilComposeSteps : Pass<"stencil-compose-steps", "::mlir::ModuleOp"> {
  let summary = "several steps of a linear time loop as one weighted sum";
  let description = [{
    Of a time loop (see `stencil-raise-time-loops`) that swaps two fields and
    whose step is linear in one of them, with weights that are constants and
    scalars, k steps become one `stencil.weighted_sum`: three steps of a 9-point
    box are 49 points (ConvStencil). The weights are multiplied out in quad
    precision and rounded once; those with scalars become polynomials in them.

    Boundaries are not touched by it. The composed sum is taken where no step in
    between would have read a halo, at (k - 1) radii from every boundary. The rim
    is computed step by step, in fields of its own, over boxes that shrink from
    step to step, and the loop's boundary conditions are applied at each.

    Before:
    ```mlir
    %r:2 = scf.for %i = %zero to %n step %one iter_args(%u = %a, %v = %b) -> (!field, !field) {
      stencil.boundary %u(<[0], [64]>) [#stencil.neumann] : !field
      %t = stencil.load %u : !field -> !temp
      %s = stencil.apply(%x = %t : !temp) -> (!temp) { /* 3 taps */ }
      stencil.store %s to %v(<[0], [64]>) : !temp to !field
      scf.yield %v, %u : !field, !field
    }
    ```
    After, with `steps=3`: a loop of (n - 2) / 3 iterations, each of which
    computes 7 taps on `[2, 62)` and three steps at either end, and then the loop
    above for the remaining steps. These are at least two (one, if nothing but
    the stores writes to the fields), so that both fields, halos included, hold in
    the end what they would have held.

    Sums are computed in another order: needs `math=reassociate`, sums with
    `fastmath<reassoc>`, or integers.

    An error, with the reason: a loop that stores to fields whose steps cannot be
    composed; no such loop; an interior too small for its rim. With bounds
    relative to an extent, that is checked at run time.
  }];
  let options = [
    Option<"steps", "steps", "unsigned", /*default=*/"0",
           "steps that become one, from 2">,
    Option<"math", "math", "::stencil::MathMode",
           /*default=*/"::stencil::MathMode::Contract",
           "what may be done to floating-point sums",
           "::stencil::getMathModeValues()">
  ];
  let dependentDialects = ["::stencil::StencilDialect",
                           "::mlir::arith::ArithDialect",
                           "::mlir::scf::SCFDialect"];
}

def StencilComposeSums : Pass<"stencil-compose-sums", "::mlir::ModuleOp"> {
  let summary = "weighted sums of weighted sums become one";
  let description = [{
    A weighted sum over a value of the body that is linear itself (a sum, sums
    added and scaled, with what is the same at all points) becomes a weighted
    sum over what that is made of: the weights are convolved. Numbers are
    multiplied and added in quad precision and rounded once; scalars become
    arithmetic on scalars, done once for all points.

    Before:
    ```mlir
    %v = stencil.weighted_sum %x offsets [[0], [1]] weights dense<[-1.0, 1.0]> : tensor<2xf64> : !stencil.temp<?xf64>
    %s = stencil.weighted_sum %v offsets [[-1], [0]] weights dense<[-1.0, 1.0]> : tensor<2xf64> : f64
    ```
    After:
    ```mlir
    %s = stencil.weighted_sum %x offsets [[-1], [0], [1]] weights dense<[1.0, -2.0, 1.0]> : tensor<3xf64> : !stencil.temp<?xf64>
    ```
    Also across applies: a producer whose result is linear goes into the apply
    that reads it. Its other readers keep it. (Two steps of Box-2D9P become one
    of 25 points, three of 49: ConvStencil, section 3.)

    In a body, sums are composed if that saves operations and loads, the inner
    sum being counted as often as `stencil-expand-weighted-sums` repeats it;
    so this comes before stencil-factor-sums. Across applies, if it shortens the
    time by the roofline of stencil-fuse-applies. Every verdict is a remark of
    the category `Sums`. `force=NAME` composes the body of an apply, and it into
    the applies that read it, whatever it costs; `forbid=NAME` leaves it as it
    is. The name is the attribute `stencil.name`, else that of the location.

    Needs `math=reassociate`, or `fastmath<reassoc>` on all that is composed, or
    integers. An error: forced, and not possible; a name that no apply has.
    Level 0; bodies also when bufferised.
  }];
  let options = [
    Option<"math", "math", "::stencil::MathMode",
           /*default=*/"::stencil::MathMode::Contract",
           "what may be done to floating-point sums",
           "::stencil::getMathModeValues()">,
    ListOption<"force", "force", "std::string",
               "names of applies to be composed">,
    ListOption<"forbid", "forbid", "std::string",
               "names of applies to be left as they are">,
    Option<"maxTaps", "max-taps", "unsigned", /*default=*/"1024",
           "most taps of a sum">,
    Option<"balance", "balance", "double", /*default=*/"7.0",
           "64-bit floating-point operations per byte of memory traffic">,
    Option<"cacheBalance", "cache-balance", "double", /*default=*/"6.0",
           "bytes from the caches per byte from memory">,
    Option<"gain", "gain", "double", /*default=*/"1.05",
           "how many times shorter the time has to become">
  ];
  let dependentDialects = ["::stencil::StencilDialect",
                           "::mlir::arith::ArithDialect"];
}

def StencilStreamWindows : Pass<"stencil-stream-windows", "::mlir::ModuleOp"> {
  let summary = "applies to pipelines over rolling windows, as their schedules say";
  let description = [{
    A bufferised apply whose `stencil.schedule` names an axis to stream along, or
    a window that is not the cache, becomes a `stencil.pipeline`. So does one
    without a schedule that the option `schedule` suits. Others stay.

    Before:
    ```mlir
    stencil.apply(%x = %u : !field) outs (%v : !field) attributes {stencil.schedule = #stencil.schedule<block = [1, 8, 32], stream = 0, window = shared, prefetch = async>} {
      %s = stencil.weighted_sum %x offsets [[-1, 0, 0], [0, 0, -1], [0, 0, 1], [1, 0, 0]] weights dense<0.25> : tensor<4xf64> : !field
      stencil.return %s : f64
    } to <[0, 0, 0], [64, 64, 64]>
    ```
    After:
    ```mlir
    stencil.pipeline axis 0 attributes {stencil.schedule = #stencil.schedule<block = [1, 8, 32], stream = 0>} {
      %t = stencil.load %u : !field -> !temp
      %w = stencil.window shared %t depth 5 lead 3 prefetch async : !temp
      %r = stencil.apply(%x = %w : !temp) -> (!temp) attributes {stencil.stage = #stencil.stage<lead = 0>} {
        %s = stencil.weighted_sum %x ... : !temp
        stencil.return %s : f64
      }
      stencil.store %r to %v(<[0, 0, 0], [64, 64, 64]>) : !temp to !field
    }
    ```

    | `accumulate` | stages |
    |---|---|
    | `gather` (default) | one, which reads all planes from the windows |
    | `shift` | one; points without an offset in the plane are read from a queue in registers, if there are several planes of them |
    | `scatter` | one that reads the newest plane only and computes what this contributes to every plane, where it is accumulated; one for what is not linear in these sums, if there is such |
    | `semi` | as `scatter`, but what planes behind contribute is summed with what the newest one contributes to itself, from a queue of the column, if it is all in the column |

    A shared window has the planes that are read; one more with `prefetch` none
    or registers, so that one barrier per plane is enough; two more with `async`
    or `tma`, all windows as many. `stages` fixes their number. On GPUs of AMD
    `async` is through registers.

    `scatter` and `semi` add in another order: this needs `math=reassociate`, the
    flag `reassoc` on all sums over several planes, or integers. Their sums are linear: of
    accesses, weighted sums, additions, products with and quotients by what is
    the same on all planes; functions of one plane are values of this plane.

    An error: what was asked for and is not possible, with the numbers.
  }];
  let options = [
    Option<"schedule", "schedule", "std::string", /*default=*/"",
           "the #stencil.schedule of applies that have none, or the name of one">,
    Option<"chip", "chip", "std::string", /*default=*/"",
           "the GPU that it is for, such as sm_90; what it cannot do is an error">,
    Option<"math", "math", "::stencil::MathMode",
           /*default=*/"::stencil::MathMode::Contract",
           "what may be done to floating-point sums",
           "::stencil::getMathModeValues()">
  ];
  let dependentDialects = ["::stencil::StencilDialect",
                           "::mlir::arith::ArithDialect"];
}

def StencilFoldBoundaries : Pass<"stencil-fold-boundaries", "::mlir::ModuleOp"> {
  let summary = "boundary conditions to the windows that read halos";
  let description = [{
    Where a pipeline whose schedule has `boundary = window` reads a field in
    shared windows, and a `stencil.boundary` just before it fills the field's
    halo, the windows get the conditions, and the boundary op comes after the
    pipeline.

    Before:
    ```mlir
    %r:2 = scf.for %i = %zero to %n step %one iter_args(%u = %a, %v = %b) -> (!field, !field) {
      stencil.boundary %u(<[0, 0], [64, 64]>) [#stencil.periodic, #stencil.neumann] : !field
      stencil.pipeline axis 0 attributes {stencil.schedule = #stencil.schedule<boundary = window>} {
        %x = stencil.load %u : !field -> !temp
        %w = stencil.window shared %x depth 3 lead 1 : !temp
        ... // stores to %v
      }
      scf.yield %v, %u : !field, !field
    }
    ```
    After:
    ```mlir
    %q:2 = scf.for %i = %zero to %m step %one iter_args(%u = %a, %v = %b) -> (!field, !field) {
      stencil.pipeline axis 0 attributes {stencil.schedule = #stencil.schedule<>} {
        %x = stencil.load %u : !field -> !temp
        %w = stencil.window shared %x depth 3 lead 1 boundary(<[0, 0], [64, 64]>) [#stencil.periodic, #stencil.neumann] : !temp
        ...
      }
      scf.yield %v, %u : !field, !field
    }
    %r:2 = scf.for %i = %m to %n step %one iter_args(%u = %q#0, %v = %q#1) -> (!field, !field) {
      stencil.pipeline ... // the same
      stencil.boundary %u(<[0, 0], [64, 64]>) [#stencil.periodic, #stencil.neumann] : !field
      scf.yield %v, %u : !field, !field
    }
    ```
    The halo in memory can be seen after the loop. In a loop that takes turns in
    m buffers, the last m steps fill the halo of each of them, and what earlier
    steps write there is seen by nobody if nothing in the loop reads beyond the
    boundary's box, or stores there, and all boundary ops of the buffers are
    alike: the loop is split, and the first part has no boundary op. If that
    does not hold, it stays one, with a remark of the category `Boundaries`.

    A pipeline that reads no halo which a boundary op fills is left as it is. An
    error: the field is read or stored to between the boundary op and the
    pipeline, stored to by the pipeline, read beyond the box without a shared
    window, or the boundary extrapolates.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect",
                           "::stencil::StencilDialect"];
}

def StencilRollSums : Pass<"stencil-roll-sums", "::mlir::ModuleOp"> {
  let summary = "loops over the taps of long sums";
  let description = [{
    A sum of hundreds of taps, each of which is an instruction or two for every
    point of a thread, is code that fits no instruction cache. This pass marks
    the long sums over an input (`min-taps` or more, in rows of 16 or more along the
    last axis, constant weights) that the conversions have loops for: some taps
    of a row at a time, for all points of the thread, with the weights in an
    array, on GPUs in constant memory. The taps are added in the same order.

    Before:
    ```mlir
    %s = stencil.weighted_sum %x offsets [[-64], [-63], ...] weights dense<[...]> : tensor<129xf64> : !temp
    ```
    After:
    ```mlir
    %s = stencil.weighted_sum %x offsets [[-64], [-63], ...] weights dense<[...]> : tensor<129xf64> attributes {stencil.tap_loop} : !temp
    ```
    On a GPU there are such loops over a shared window of an apply that does not
    walk (`#stencil.schedule<window = shared>`); neighbouring points of a thread
    pass on what they have read in registers. stencil-expand-weighted-sums writes
    out all other sums, and those that sums over values of the body need at other
    points.
  }];
  let options = [
    Option<"withoutWindows", "without-windows", "bool", /*default=*/"false",
           "also in applies without windows, as the conversion to CPU code can">,
    Option<"minTaps", "min-taps", "int64_t", /*default=*/"64",
           "sums of fewer taps are left as they are">
  ];
  let dependentDialects = ["::stencil::StencilDialect"];
}

def StencilSelectSchedule : Pass<"stencil-select-schedule", "::mlir::ModuleOp"> {
  let summary = "a schedule for applies that have none";
  let description = [{
    Every apply without the attribute `stencil.schedule` gets the one that the
    option `schedule` names: a `#stencil.schedule`, or the name of one, such as
    `st_smem`, which stands for another attribute for each shape of kernel and
    each GPU (docs/schedules.md).

    Before:
    ```mlir
    stencil.apply(%x = %u : !field) outs (%v : !field) { ... } to <[0, 0, 0], [64, 64, 64]>
    ```
    After, with `chip=sm_90 schedule=st_smem`:
    ```mlir
    stencil.apply(%x = %u : !field) outs (%v : !field) attributes {stencil.schedule = #stencil.schedule<block = [1, 16, 16], points = [1, 1, 1], stream = 0, window = shared, accumulate = gather>} { ... } to <[0, 0, 0], [64, 64, 64]>
    ```
    Applies that it does not suit, by the number of their axes and inputs or by
    what they read, stay without; it is an error if it suits none.

    With `schedule=auto`, or nothing, and a chip whose rates are known, a model
    chooses: of the schedules that fit the apply and the GPU, the one with the
    shortest predicted time (docs/cost-model.md). If that is not at least 3 %
    faster than what an apply without a schedule gets, the apply stays without.
    So it does if the candidates that are predicted to be faster turn out to be
    impossible. Remarks of the category `Schedule` say what was chosen, why, and
    what came next. `schedule=default` chooses nothing.

    With `tuning-db=FILE`, what stencil-tune has measured comes before what the
    model chooses, if the database has an entry for this program, its extents,
    the chip and `math` (docs/tuning.md). Remarks say which one was taken, or why
    none was.
  }];
  let options = [
    Option<"chip", "chip", "std::string", /*default=*/"",
           "the GPU that it is for, such as sm_90">,
    Option<"schedule", "schedule", "std::string", /*default=*/"",
           "a #stencil.schedule, the name of one, or a list of one for each "
           "apply, in which unit says nothing; auto: chosen by a model; "
           "default: none">,
    Option<"model", "model", "bool", /*default=*/"true",
           "without a schedule, let a model choose">,
    Option<"math", "math", "::stencil::MathMode",
           /*default=*/"::stencil::MathMode::Contract",
           "what floating-point arithmetic may do",
           "::stencil::getMathModeValues()">,
    Option<"tuningDb", "tuning-db", "std::string", /*default=*/"",
           "file of schedules that stencil-tune has measured">,
    Option<"emulate", "emulate", "bool", /*default=*/"false",
           "for the emulator: also entries that were measured in it">
  ];
  let dependentDialects = ["::stencil::StencilDialect"];
}

def StencilReportSchedules : Pass<"stencil-report-schedules", "::mlir::ModuleOp"> {
  let summary = "print how long applies are predicted to take with schedules";
  let description = [{
    Changes nothing. For each apply it prints the predictions of the cost model
    (docs/cost-model.md) for the schedules in the file `schedules`, a JSON list
    of texts, in their order; an empty text is what an apply without a schedule
    gets. Without a file: for the schedule that the apply has, or else for the
    `top` fastest candidates and the default. Run it behind stencil-bufferize;
    extents that the program leaves open are those of `extents`, or assumed to
    be large.

    It writes one line, a JSON object:
    ```text
    {"applies":[{"apply":0,"extents":[512,512,512],"function":"star","predictions":[{"schedule":"#stencil.schedule<...>","seconds":5.9e-4,"limiter":"L2", ...} ]} ], "chip": "sm_90"}
    ```
    A schedule that does not suit an apply or the chip has a `misfit`, which
    says why, instead of a prediction.
  }];
  let options = [
    Option<"chip", "chip", "std::string", /*default=*/"",
           "the GPU that they are for, such as sm_90">,
    Option<"schedules", "schedules", "std::string", /*default=*/"",
           "a file with a JSON list of schedules; none: the fastest ones">,
    Option<"top", "top", "unsigned", /*default=*/"5",
           "how many of the fastest">,
    ListOption<"extents", "extents", "int64_t",
               "interior points per axis; 0 for an axis whose are not known">,
    Option<"output", "output", "std::string", /*default=*/[{"-"}],
           "the file to write, - for the standard output">,
    Option<"math", "math", "::stencil::MathMode",
           /*default=*/"::stencil::MathMode::Contract",
           "what floating-point arithmetic may do",
           "::stencil::getMathModeValues()">
  ];
  let dependentDialects = ["::stencil::StencilDialect"];
}

def StencilTileRegisters : Pass<"stencil-tile-registers", "::mlir::ModuleOp"> {
  let summary = "tiles, points and segments of pipelines";
  let description = [{
    Completes the `stencil.schedule` of every `stencil.pipeline`: `block` and
    `points`, and `segments` if the number of planes is known. What it has
    already stays.

    Before:
    ```mlir
    stencil.pipeline axis 0 attributes {stencil.schedule = #stencil.schedule<points = [1, 4, 2], stream = 0>} { ... }
    ```
    After, with `chip=sm_90`, for a star of radius 1 on 512 x 512 x 512 points:
    ```mlir
    stencil.pipeline axis 0 attributes {stencil.schedule = #stencil.schedule<block = [1, 4, 64], points = [1, 4, 2], stream = 0, segments = 32>} { ... }
    ```
    Tiles are 16 rows of 128 points (64, if sums are spread over seven planes);
    a thread computes a vector of 16 bytes in 2 or 4 rows, or, where long sums
    take its registers, 8 points below each other. They become smaller where the
    box is small, or shared memory or the registers do not hold the windows.
    Segments have 16 planes at radius 1, 32, 128 and 256 at 2, 3 and 4, less if
    there would be fewer blocks than multiprocessors. With `regions = launch`,
    blocks have 256 threads also where the box is small. What was chosen is a remark
    of the category `Schedule`.

    An error, with both numbers: more threads or points than there can be;
    shared windows larger than the shared memory of a block; windows and sums
    that take more registers than a thread has; a shuffled window whose rows of
    threads are neither warps nor equal parts of one; segments shorter than the
    halo.
  }];
  let options = [
    Option<"chip", "chip", "std::string", /*default=*/"",
           "the GPU that they are for, such as sm_90">
  ];
  let dependentDialects = ["::stencil::StencilDialect"];
}

def StencilHoistScalars : Pass<"stencil-hoist-scalars", "::mlir::ModuleOp"> {
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

def StencilOrderBodies : Pass<"stencil-order-bodies", "::mlir::ModuleOp"> {
  let summary = "bodies in an order that holds few values at once";
  let description = [{
    A body whose values take more registers at once than `registers` (of 32
    bits; an access being made where its value is first used) is put in another
    order: input after input, the operators of an input together, each followed
    by what it lets complete; unless that takes no fewer. Values are the same, to
    the last bit; with `math=reassociate`, sums of what comes from several inputs
    are added in that order, too. Bodies with side effects stay as they are.

    Needs expanded weighted sums to see what they read.
  }];
  let options = [
    Option<"registers", "registers", "int64_t", /*default=*/"64",
           "bodies that take no more are left as they are">,
    Option<"math", "math", "::stencil::MathMode",
           /*default=*/"::stencil::MathMode::Contract",
           "what may be done to floating-point arithmetic",
           "::stencil::getMathModeValues()">
  ];
}

#endif // STENCILDIALECT_TRANSFORMS_PASSES_TD
