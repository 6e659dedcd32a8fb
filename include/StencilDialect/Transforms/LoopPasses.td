//===- LoopPasses.td - Time loops and their steps ----------*- tablegen -*-===//

#ifndef STENCILDIALECT_TRANSFORMS_LOOPPASSES_TD
#define STENCILDIALECT_TRANSFORMS_LOOPPASSES_TD

include "StencilDialect/IR/MathOption.td"
include "mlir/Pass/PassBase.td"

def StencilCheckSteps : Pass<"stencil-check-steps", "::mlir::func::FuncOp"> {
  let summary = "loops count upwards, or the program fails";
  let description = [{
    An scf.for whose step is not positive has no meaning. Of a step that is not
    a constant, an assertion in front of the loop sees to it at run time; in the
    body of an apply, the lowering does.

    Before: `scf.for %i = %lower to %upper step %step {`. After:
    ```mlir
    %zero = arith.constant 0 : index
    %holds = arith.cmpi sgt, %step, %zero : index
    cf.assert %holds, "expected a positive step"
    scf.for %i = %lower to %upper step %step {
    ```
    A loop whose last step might lead past the largest number, and so to the
    smallest, becomes one over the numbers of its iterations. An assertion in
    front of a `math.ipowi`, too, sees to it that it is not the inverse of 0.

    An error: a constant step that is not positive.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::cf::ControlFlowDialect"];
}

def StencilRaiseLoops : Pass<"stencil-raise-loops", "::mlir::ModuleOp"> {
  let summary = "nests of loops over memrefs, and ops of linalg, to stencils";
  let description = [{
    The way in for front ends that have loops or linalg. Nests of `affine.for`,
    `affine.parallel`, `scf.for` and `scf.parallel` of step 1, and ops of linalg
    on memrefs that are windows, become applies between loads and stores of
    fields; the memrefs stay the storage (`stencil.external_load`). Sums, maxima
    and minima over all points become folds. Loops around the nests stay, and
    carry fields where they carried memrefs.

    Before:
    ```mlir
    func.func @average(%u: memref<66xf64>, %v: memref<66xf64>) {
      scf.for %i = %c1 to %c65 step %c1 {
        %l = arith.subi %i, %c1 : index
        %r = arith.addi %i, %c1 : index
        %a = memref.load %u[%l] : memref<66xf64>
        %b = memref.load %u[%r] : memref<66xf64>
        %s = arith.addf %a, %b : f64
        memref.store %s, %v[%i] : memref<66xf64>
      }
      return
    }
    ```
    After:
    ```mlir
    func.func @average(%u: memref<66xf64>, %v: memref<66xf64>) {
      %0 = stencil.external_load %u : memref<66xf64> -> !stencil.field<[-1,65]xf64>
      %1 = stencil.external_load %v : memref<66xf64> -> !stencil.field<[-1,65]xf64>
      %2 = stencil.load %0 : !stencil.field<[-1,65]xf64> -> !stencil.temp<?xf64>
      %3 = stencil.apply(%x = %2 : !stencil.temp<?xf64>) -> (!stencil.temp<?xf64>) {
        %a = stencil.access %x[-1] : !stencil.temp<?xf64>
        %b = stencil.access %x[1] : !stencil.temp<?xf64>
        %s = arith.addf %a, %b : f64
        stencil.return %s : f64
      }
      stencil.store %3 to %1(<[0], [64]>) : !stencil.temp<?xf64> to !stencil.field<[-1,65]xf64>
      return
    }
    ```
    Every point is computed by the ops that computed it, in their order: the
    results are the same bit by bit, but for sums of floats over all points,
    which are raised where the order of the points is not specified
    (`fastmath<reassoc>`, parallel loops, linalg). Arguments of a function are taken to be
    distinct memory, as everywhere in the dialect.

    The first point that the largest nest stores becomes the origin. Which
    extents and bounds of loops belong together, where they are known at run
    time only, is guessed if neither loops nor assertions (`cf.assert` of
    `arith.cmpi eq`) say it; casts and assertions check it when the program runs.

    Of what stays as it is, a remark (category "Loops") gives the reason. A
    function of which nothing is raised does not change; in others, affine and
    linalg that is no stencil may become loops of scf. docs/raising.md lists what
    is recognised and what is not.
  }];
  let options = [
    Option<"fieldArguments", "field-arguments", "bool", /*default=*/"false",
           "arguments that are used as fields only become fields: changes the "
           "signatures of functions">
  ];
  let dependentDialects = [
    "::mlir::affine::AffineDialect", "::mlir::cf::ControlFlowDialect",
    "::mlir::memref::MemRefDialect", "::mlir::scf::SCFDialect",
    "::mlir::vector::VectorDialect", "::stencil::StencilDialect"];
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

    Along one axis the rim can be computed at once (`rim=at-once`, and by itself
    from eight steps): a linear step and a linear boundary condition are a matrix,
    and so are k of them (`stencil.matvec`), with a row for each point of the rim
    and columns for what is within reach of it: interior points, the halo where it
    is kept, and 1 where something is added. Elements are multiplied out in the
    host's `long double` (80 bits on x86-64) and rounded once. On a periodic axis
    the rim is the composed sum of a copy that has images of the other end.

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

    A composed sum over one axis has ends far below rounding: of 1707 steps of a
    3-point sum, 556 taps of 3415 can have all but 1e-17 of its weight. With
    `tolerance`, the others are dropped, and points of the rim take what is within
    the reach of those that are left. Up to 4096 steps can then be composed.

    `automatic` composes the loops over one axis of doubles for which the GPU of
    the module (`stencil-attach-target`) has a matrix unit that was measured: of
    512 taps or so at once, and of the steps that are left fewer and fewer. A
    step then takes as long as the matrix unit for its share of the taps, and
    memory moves once for all of them. Loops that it is nothing for stay as they
    are, with a remark.

    An error, with the reason: a loop that stores to fields whose steps cannot be
    composed; no such loop; an interior too small for its rim. With bounds
    relative to an extent, that is checked at run time.
  }];
  let options = [
    Option<"steps", "steps", "unsigned", /*default=*/"0",
           "steps that become one, from 2">,
    Option<"automatic", "automatic", "bool", /*default=*/"false",
           "steps as the model says, of loops where it says that composing pays">,
    Option<"tolerance", "tolerance", "double", /*default=*/"0",
           "at either end of a composed sum over one axis, taps whose magnitudes "
           "are together at most this part of those of all are dropped">,
    Option<"rim", "rim", "::stencil::ComposedRim",
           /*default=*/"::stencil::ComposedRim::Auto",
           "how points next to a boundary are computed",
           "::stencil::getComposedRimValues()">,
    MathOption<"what may be done to floating-point sums">
  ];
  let dependentDialects = ["::stencil::StencilDialect", "::mlir::scf::SCFDialect"];
}

def StencilPadFields : Pass<"stencil-pad-fields", "::mlir::func::FuncOp"> {
  let summary = "time loops over a caller's arrays in fields with whole sectors";
  let description = [{
    A caller's arrays on a GPU (`stencil.device_arrays`) have rows without gaps,
    halo included: with a halo of one, row and interior begin at no multiple of
    16 bytes, values are read one by one, and the copy engine cannot begin where
    tiles do. A time loop (see `stencil-raise-time-loops`) of many steps is taken
    in fields of its own, whose halo is wider along rows, so that rows and column
    0 begin at multiples of 32 bytes. The fields are copied before and the states,
    halos included, behind it; the loop as it was takes the steps that are no
    whole period of the fields' rotation. Results have the same bits.

    That is for known extents, fields of numbers, and loops of so many steps, over
    fields of so many bytes, that the copies take little beside them; a call with
    fewer steps allocates and copies nothing. Their numbers are data (`padded
    fields` of the shipped forms). In planes nothing was gained by it.

    Before:
    ```mlir
    %r:2 = scf.for %i = %zero to %n step %one iter_args(%u = %a, %v = %b) -> (!field, !field) {
      ...
    }
    ```
    After:
    ```mlir
    scf.if %many {
      %u1 = stencil.alloc : !wide
      %v1 = stencil.alloc : !wide
      ...                                   // copies
      %s:2 = scf.for %i = %zero to %m step %one iter_args(%u = %u1, %v = %v1) -> (!wide, !wide) {
        ...
      }
      ...                                   // copies
    }
    %r:2 = scf.for %i = %m to %n step %one iter_args(%u = %a, %v = %b) -> (!field, !field) {
      ...
    }
    ```
  }];
  let options = [
    Option<"fewestSteps", "fewest-steps", "uint64_t", "0",
           "steps from which on a loop gets its own fields; 0: as measured">,
    Option<"leastBytes", "least-bytes", "uint64_t", "0",
           "of all fields from which on it does; 0: as measured">
  ];
  let dependentDialects = ["::stencil::StencilDialect", "::mlir::arith::ArithDialect",
                           "::mlir::scf::SCFDialect"];
}

def StencilBlockTime : Pass<"stencil-block-time", "::mlir::ModuleOp"> {
  let summary = "several steps of a time loop in one sweep of memory";
  let description = [{
    Of a time loop (see `stencil-raise-time-loops`), say one that swaps two fields and
    whose step is one apply, of any function of the state and of fields that do
    not change, T steps become one apply: each step is a value of its body that
    the next one reads at neighbouring points. With `chain` in its schedule, each
    is a stage of one kernel, and memory is read and written once for T steps
    (3.5D blocking; AN5D). A result is computed by the same operations in the
    same order as before, and is the same to the last bit where these are not
    contracted or reordered later (`math = strict`).

    Boundaries are exact at every step, of whatever kind. The apply takes the
    points that no boundary is in reach of, (T - 1) radii from each (T radii where
    a halo keeps its values and T is even). The rim around them is computed step
    by step, in fields of its own, over boxes that shrink from step to step, and
    the loop's boundary conditions are applied at each. Or all its steps are taken
    at once (`rim=at-once`; `auto`: over a single axis): what is near the
    boundaries is copied to a field with margins, and in an apply for each slab
    (`stencil.regions = "keep"`) every step is followed by what the conditions make
    of it beyond the boundary. That is for steps of the state alone, and for loops
    that are periodic along all axes (then a step must not depend on where its
    point is) or along none; asked for elsewhere, it is an error.

    In volumes of known extents, for a GPU with a copy engine, steps of the state
    and of fields of its rank and type are stages of a `stencil.pipeline` without a
    rim (`rim=auto`): a step is followed by what a halo has after it, where
    that is a constant or kept, and chooses what it reads beyond other sides. Where
    halos are kept, both fields have to keep the same values, which is looked at
    before the loop; one with a rim takes the steps if they do not.

    Periodic axes of planes and volumes have no rim on GPUs where the fields have
    images: a halo T radii wide, which the boundary op sets once for T steps. Where
    the program's have not, all steps but the last two or three are taken in two
    fields that have (`rim=auto`). That is for known extents, steps of the state
    alone that do not depend on where a point is, and loops without a side that
    keeps what it has.

    With `math=reassociate`, or where the sums say so, steps that are one sum with
    constant weights, without a constant, are scaled: of u(t) = s^t v(t), with s the
    largest weight, each step is v' = v[o] + sum of w(i) / s v[i], whose first tap has
    the weight one and takes no operation, and the last one is multiplied by s^T. Not
    where values would be larger by more than 2^128 (FP32: 2^24) in between. Points of
    the rim are computed by the sums as they are.

    On a CPU (`core-cache-bytes`) the steps are stages of a `stencil.pipeline`
    at once, with windows that have the boundary (`boundary` and `keep` of
    `stencil.window`). Then the rim is along periodic axes only. Of the steps that
    T at once leave over, T / 3 are taken at once, and so on, in the same tiles.

    A step may also be computed from several states, or by several applies (waves,
    fields that read each other, substeps), and depend on its number: each apply of
    each step is a stage, or a part of the apply. States are stored to other fields
    than they are read from, which are allocated where the program has none, and
    come back T steps later. The rim, T times as wide as a step reads, is the program
    step by step on copies of its fields. `rim=at-once` is not for these.

    Before:
    ```mlir
    %r:2 = scf.for %i = %zero to %n step %one iter_args(%u = %a, %v = %b) -> (!field, !field) {
      stencil.boundary %u(<[0, 0], [64, 64]>) [#stencil.neumann, #stencil.neumann] : !field
      %t = stencil.load %u : !field -> !temp
      %s = stencil.apply(%x = %t : !temp) -> (!temp) attributes {stencil.schedule = #stencil.schedule<time = 2>} {
        /* one step, with a radius of one */
      }
      stencil.store %s to %v(<[0, 0], [64, 64]>) : !temp to !field
      scf.yield %v, %u : !field, !field
    }
    ```
    After: a loop of (n - 2) / 2 iterations, each of which has an apply with
    `stencil.steps = 2` on `[1, 63)`, whose body is two steps, and the steps of
    the rim; then the loop above for the remaining steps. These are at least two
    (one, if nothing but the stores writes to the fields), so that both fields,
    halos included, hold in the end what they would have held.

    `time = T` is asked for in the schedule of a loop's apply, or by `schedule`
    for all loops. What else is in that schedule is the new apply's own, with
    `chain = shared` where a window or a walk is asked for without `chain`. Of
    the rim, it is only said that the slabs of a step are one launch. The steps
    that are left have no schedule.

    `automatic` blocks the loops for which the GPU of the module
    (`stencil-attach-target`) was measured: rows and planes of known extents, of
    floats of one input and one output, whose applies have no schedule, and read no farther than 2 and 3
    points; rows of `f64` only, and not where
    `math` is `reassociate`, as `stencil-compose-steps` does more with them. T is odd, which
    leaves fewer steps over, and of those T / 3 are taken at once again. It is
    the largest number, up to 25 and 9, for whose tiles there are registers, and
    which compute little twice. If the longest of a sweep of memory for T steps,
    the arithmetic, and the launches of the rim does not save a fifth, the loop
    stays as it is, with a remark.

    On a CPU (`core-cache-bytes`) steps are always stages, of a walk along the first axis if there are several. `automatic` blocks loops over planes and volumes of floats
    of known `extents`, beyond the last-level cache, of one apply with one output, with no division or function: the largest odd number of steps for which what a
    tile keeps fits half of a core's cache, and a tile computes little twice.

    Before that, any time loop is looked at whose step waits for memory. Where that was measured to be faster, it gets
    `stencil.diamonds` instead, and stays as it is: as many steps as leave room for a tile in a core's second-level cache
    (`own-cache-bytes`), and for diamonds of all `threads`. Of extents that are not known, a copy of the loop gets them, which a
    call goes through whose extents are such.

    An error, with the reason, where it was asked for: a loop that stores to
    fields whose steps cannot be taken together; no such loop; an interior too
    small for its rim; without `chain`, a body that would compute steps more than
    1024 times for one point. With bounds relative to an extent, that is checked at run
    time.
  }];
  let options = [
    Option<"schedule", "schedule", "std::string", /*default=*/"",
           "#stencil.schedule of all applies that have none; without `time` there "
           "is nothing to do">,
    Option<"rim", "rim", "::stencil::ComposedRim",
           /*default=*/"::stencil::ComposedRim::Auto",
           "how the points are computed that a boundary is in reach of",
           "::stencil::getComposedRimValues()">,
    Option<"automatic", "automatic", "bool", /*default=*/"false",
           "as many steps as the model says, of loops where it says that it pays">,
    MathOption<"what may be done to floating-point sums">,
    Option<"coreCacheBytes", "core-cache-bytes", "uint64_t", /*default=*/"0",
           "for a CPU: size of the cache that a core has to itself, which is to hold "
           "what the steps make; 0: for a GPU">,
    Option<"cacheBytes", "cache-bytes", "uint64_t", /*default=*/"0",
           "for a CPU: size of the last-level cache; smaller fields are not blocked">,
    Option<"ownCacheBytes", "own-cache-bytes", "uint64_t",
           /*default=*/"1048576",
           "for a CPU: size of a core's second-level cache, which is to hold a tile of "
           "steps in diamonds">,
    Option<"nearLastLevel", "near-last-level", "bool", /*default=*/"false",
           "for a CPU: the last-level cache is nearly as fast as a core's own, so that "
           "steps are taken in diamonds only beyond it">,
    Option<"threads", "threads", "unsigned", /*default=*/"16",
           "for a CPU: threads that share the diamonds of a row">,
    ListOption<"extents", "extents", "int64_t",
               "for a CPU: the interior that the program is going to have, for which "
               "steps are chosen; it may have others">
  ];
  let dependentDialects = ["::stencil::StencilDialect", "::mlir::scf::SCFDialect"];
}

#endif // STENCILDIALECT_TRANSFORMS_LOOPPASSES_TD
