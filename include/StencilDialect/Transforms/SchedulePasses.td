//===- SchedulePasses.td - Schedules and costs -------------*- tablegen -*-===//

#ifndef STENCILDIALECT_TRANSFORMS_SCHEDULEPASSES_TD
#define STENCILDIALECT_TRANSFORMS_SCHEDULEPASSES_TD

include "StencilDialect/IR/MathOption.td"
include "mlir/Pass/PassBase.td"

def StencilAttachTarget : Pass<"stencil-attach-target", "::mlir::ModuleOp"> {
  let summary = "say which GPU a module is compiled for";
  let description = [{
    Sets the attribute `stencil.target` of the module, which all passes for GPUs
    read. Before, and after with `chip=sm_90`:
    ```mlir
    module { ... }
    module attributes {stencil.target = #stencil.target<chip = "sm_90">} { ... }
    ```
    A module that has another target already is an error. Without the option it
    is one if the module has none.

    A product, such as `chip=h100` or `chip=mi300x`, is a chip with rates of its
    own (docs/targets.md).

    A chip that LLVM knows and we do not is a remark (category "Target").
  }];
  let options = [
    Option<"chip", "chip", "std::string", /*default=*/"",
           "GPU to compile for, a chip such as sm_90 or gfx942, or a product "
           "such as h100; default: the module's target">,
    Option<"vendor", "vendor", "std::string", /*default=*/"",
           "nvidia or amd: refuse chips of the other; default: take both">
  ];
  let dependentDialects = ["::stencil::StencilDialect"];
}

def StencilSelectCPUSchedule : Pass<"stencil-select-cpu-schedule", "::mlir::ModuleOp"> {
  let summary = "of schedules, what has a meaning on a CPU";
  let description = [{
    On a CPU a schedule says how many steps of a time loop are taken at once (`time`), whether values that the body reads at
    neighbouring points are stages (`chain = shared`) of a walk (`stream`), by how many planes that goes on at a time
    (`step`), and how large the tiles are that a thread keeps in its own cache (`block` times `points` across the walk;
    without them, they are chosen for that cache).

    The option `schedule` is checked: another key, a name or a list is an error. Of an apply's own schedule that has other
    keys, which was made for a GPU, `time` is left.

    Before:
    ```mlir
    %s = stencil.apply(%x = %t : !temp) -> (!temp) attributes {stencil.schedule = #stencil.schedule<time = 3, window = shared, prefetch = tma>} { ... }
    ```
    After:
    ```mlir
    %s = stencil.apply(%x = %t : !temp) -> (!temp) attributes {stencil.schedule = #stencil.schedule<time = 3>} { ... }
    ```
  }];
  let options = [
    Option<"schedule", "schedule", "std::string", /*default=*/"",
           "#stencil.schedule of all applies that have none">
  ];
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
    After, with `schedule=st_smem`, for a module whose `stencil.target` is
    `sm_90`:
    ```mlir
    stencil.apply(%x = %u : !field) outs (%v : !field) attributes {stencil.schedule = #stencil.schedule<block = [1, 16, 16], points = [1, 1, 1], stream = 0, window = shared, accumulate = gather>} { ... } to <[0, 0, 0], [64, 64, 64]>
    ```
    Applies that it does not suit, by the number of their axes and inputs or by
    what they read, stay without; it is an error if it suits none.

    With `schedule=auto`, or nothing, and a target (`stencil-attach-target`)
    whose rates are known, a model chooses: of the schedules that fit the apply
    and the GPU, the one with the shortest predicted time (docs/cost-model.md).
    If that is not at least 3 % faster than what an apply without a schedule
    gets, the apply stays without. So it does if the candidates that are
    predicted to be faster turn out to be impossible. Remarks of the category
    `Schedule` say what was chosen, why, and what came next. Of open extents, what
    suits 512 x 512 x 512 points (rows and planes: what the cost model takes them
    for) is chosen, with `planes` instead of `segments`. `schedule=model`
    takes what the model chooses only, `schedule=measured` what was measured
    only: the forms of the next paragraph, and what is in `tuning-db`;
    `schedule=default` takes neither. With `say-evidence`, the attribute
    `stencil.evidence` of an apply says what its schedule was chosen by: `asked`,
    `measured`, `model` or `default`.

    Where measurements are at hand of such a kernel, it gets the form in which it
    was fastest rather than what the model prefers: walks and cubes in large
    volumes, and regions (`stencil-split-regions`) with how they are launched,
    also those that only say that they are a region (`regions`).

    With `tuning-db=FILE`, what stencil-tune has measured comes before what the
    model chooses, if the database has an entry for this program, its extents,
    the target's chip and `math` (docs/tuning.md). Remarks say which one was
    taken, or why none was.
  }];
  let options = [
    Option<"schedule", "schedule", "std::string", /*default=*/"",
           "a #stencil.schedule, the name of one, or a list of one for each "
           "apply, in which unit says nothing; auto: chosen by a model "
           "and by what was measured; model or measured: by one of "
           "these; default: none">,
    Option<"model", "model", "bool", /*default=*/"true",
           "without a schedule, let a model choose">,
    MathOption<"what floating-point arithmetic may do">,
    Option<"tuningDb", "tuning-db", "std::string", /*default=*/"",
           "file of schedules that stencil-tune has measured">,
    Option<"emulate", "emulate", "bool", /*default=*/"false",
           "for the emulator: also entries that were measured in it">,
    Option<"sayEvidence", "say-evidence", "bool", /*default=*/"false",
           "give each apply the attribute stencil.evidence: what its schedule "
           "was chosen by">
  ];
  // Fragments of matrix instructions are layouts of tiles.
  let dependentDialects = ["::stencil::tile::TileDialect"];
}

def StencilVaryExtents : Pass<"stencil-vary-extents", "::mlir::ModuleOp"> {
  let summary = "variants of applies of open extents, one of which a launch takes";
  let description = [{
    A bufferised apply of two axes or more whose extents only the run knows
    becomes two or three, in the branches of an `scf.if`, if that is expected to
    be faster. Run it before stencil-select-schedule, with the same options,
    which gives each a schedule of its own.

    Before, for `sm_90`:
    ```mlir
    stencil.apply(%x = %u : !field) outs (%v : !field) { ... } to <[0, 0], [?, ?]>
    ```
    After:
    ```mlir
    %n0 = stencil.extent 0
    %n1 = stencil.extent 1
    ...
    scf.if %fits {
      stencil.apply(%x = %u : !field) outs (%v : !field) attributes {stencil.narrow = 191 : i64} { ... } to <[0, 0], [?, ?]>
    } else {
      stencil.apply(%x = %u : !field) outs (%v : !field) { ... } to <[0, 0], [?, ?]>
    }
    ```
    `%fits` is true if 32 bits hold every position in the fields. Kernels of the
    first branch compute addresses with them, as those of known extents do. It
    stands where 64 bits take time: where the model chooses another schedule for
    them, and, with the same one, of all kernels but walks of FP64; not where the
    kernel is expected to reach 90 % of a copy.

    If the model would choose another schedule for 700 x 500 x 300 points
    (5000 x 7000) than for the large box that is assumed, and expects it to take
    8 % less there, the first branch has two: the host multiplies the points of
    all tiles of each, those beyond the box included, by what the model expects
    for a point, and takes the smaller one. What was measured is not compared.

    What a launch does not take is compiled all the same. Applies of one sweep's
    regions, beside a boundary condition, and with fields of fewer axes have one
    schedule, as have all with `tuning-db`, and where a schedule is asked for.
    Remarks of the category `Schedule` say which variants there are, or why not.
  }];
  let options = [
    Option<"schedule", "schedule", "std::string", /*default=*/"",
           "as of stencil-select-schedule: what is asked for has no variants">,
    MathOption<"what floating-point arithmetic may do">,
    Option<"tuningDb", "tuning-db", "std::string", /*default=*/"",
           "as of stencil-select-schedule: without variants then">,
    Option<"limit", "limit", "int64_t", /*default=*/"int64_t(1) << 30",
           "elements from which fields are large (for tests)">
  ];
  let dependentDialects = ["::mlir::scf::SCFDialect", "::stencil::tile::TileDialect"];
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
    be large. The module has to have a target (`stencil-attach-target`).

    It writes one line, a JSON object:
    ```text
    {"applies":[{"apply":0,"extents":[512,512,512],"function":"star","predictions":[{"schedule":"#stencil.schedule<...>","seconds":5.9e-4,"limiter":"L2", ...} ]} ], "chip": "sm_90"}
    ```
    A schedule that does not suit an apply or the chip has a `misfit`, which
    says why, instead of a prediction. With a file `constants`, a JSON list of
    objects such as `{"norm": 3}`, each prediction has `seconds_with` and
    `registers_with`, lists of what these would be with such constants of the
    model in place of its own, which are the document's `constants`
    (benchmarks/calibrate).
  }];
  let options = [
    Option<"schedules", "schedules", "std::string", /*default=*/"",
           "a file with a JSON list of schedules; none: the fastest ones">,
    Option<"top", "top", "unsigned", /*default=*/"5",
           "how many of the fastest">,
    Option<"constants", "constants", "std::string", /*default=*/"",
           "a file with a JSON list of other constants of the model">,
    ListOption<"extents", "extents", "int64_t",
               "interior points per axis; 0 for an axis whose are not known">,
    Option<"output", "output", "std::string", /*default=*/[{"-"}],
           "the file to write, - for the standard output">,
    MathOption<"what floating-point arithmetic may do">
  ];
  let dependentDialects = ["::stencil::StencilDialect"];
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
    rates of the module's target where there are any, else those of the data
    sheet; a module without a target has no such bound.

    For a heat equation in a module for `sm_90` it prints:
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
    MathOption<"what floating-point arithmetic may do">
  ];
}

def StencilTileApplies : Pass<"stencil-tile-applies", "::mlir::ModuleOp"> {
  let summary = "tiles, points and panels of applies that are kernels";
  let description = [{
    Completes the `stencil.schedule` of every bufferised `stencil.apply` outside of a pipeline, by rules that need no
    rates of the GPU (docs/schedules.md): `block` and `points`, `panel` if neighbouring planes do not fit the
    second-level cache, `launch_bounds` and `prefetch` of bodies that fit no register file, and `eviction`. What it has
    already stays. Behind it, `stencil-map-stages` chooses nothing.

    Before:
    ```mlir
    stencil.apply(%x = %u : !field) outs (%v : !field) { ... } to <[0, 0], [64, 64]>
    ```
    After, for `sm_90`, for a star of radius 1:
    ```mlir
    stencil.apply(%x = %u : !field) outs (%v : !field) attributes {stencil.schedule = #stencil.schedule<block = [8, 32], points = [1, 2], eviction = last>} { ... } to <[0, 0], [64, 64]>
    ```
    Run it behind stencil-order-bodies and stencil-group-regions: what a body holds at once, and whether it runs beside
    others, matter. A schedule with windows or a walk stays as it is: `stencil-stream-windows` makes pipelines of these.
  }];
  let dependentDialects = ["::stencil::StencilDialect"];
}

def StencilOrderBodies : Pass<"stencil-order-bodies", "::mlir::func::FuncOp"> {
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
    MathOption<"what may be done to floating-point arithmetic">
  ];
}

#endif // STENCILDIALECT_TRANSFORMS_SCHEDULEPASSES_TD
