//===- StencilAttrs.td - Attributes of the stencil dialect --*- tablegen -*-===//

#ifndef STENCILDIALECT_IR_STENCILATTRS_TD
#define STENCILDIALECT_IR_STENCILATTRS_TD

include "StencilDialect/IR/StencilDialect.td"
include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/EnumAttr.td"
include "mlir/IR/BuiltinAttributeInterfaces.td"

class Stencil_Attr<string name, string attrMnemonic>
    : AttrDef<Stencil_Dialect, name> {
  let mnemonic = attrMnemonic;
}

def Stencil_IndexAttr : Stencil_Attr<"Index", "index"> {
  let summary = "one integer per axis: an offset, a position or a factor";
  let description = [{
    Example: `#stencil.index<[-1, 0]>`.
  }];
  let parameters = (ins ArrayRefParameter<"int64_t">:$values);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    int64_t getRank() const { return getValues().size(); }
    bool isZero() const {
      return ::llvm::all_of(getValues(), [](int64_t v) { return v == 0; });
    }
  }];
}

def Stencil_BoundsAttr : Stencil_Attr<"Bounds", "bounds"> {
  let summary = "a half-open box of grid points";
  let description = [{
    `#stencil.bounds<[0, 0], [64, 64]>` is the box `[0,64) x [0,64)`. A bound may
    be relative to the run-time extent of its axis: `<[0, 0], [?, ?-1]>`. The
    upper bound is greater than the lower one on every axis.
  }];
  let parameters = (ins ArrayRefParameter<"int64_t">:$lb,
                        ArrayRefParameter<"int64_t">:$ub);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    int64_t getRank() const { return getLb().size(); }

    /// True if a bound is relative to a run-time extent.
    bool isSymbolic() const;

    /// Extents per axis; ShapedType::kDynamic where not known statically.
    ::llvm::SmallVector<int64_t> getShape() const;

    /// True if every point of `other` lies in this box.
    bool contains(BoundsAttr other) const;
  }];
}

//===----------------------------------------------------------------------===//
// Boundary conditions
//===----------------------------------------------------------------------===//

def Stencil_PeriodicAttr : Stencil_Attr<"Periodic", "periodic"> {
  let summary = "f[c] = f[lb + (c - lb) mod n]; on both sides of an axis or on none";
}

def Stencil_NeumannAttr : Stencil_Attr<"Neumann", "neumann"> {
  let summary = "zero gradient: the nearest interior value";
}

def Stencil_SymmetricAttr : Stencil_Attr<"Symmetric", "symmetric"> {
  let summary = "mirror about the outermost interior point: f[lb-1-i] = f[lb+1+i]";
}

def Stencil_AntisymmetricAttr : Stencil_Attr<"Antisymmetric", "antisymmetric"> {
  let summary = "negated mirror: f[lb-1-i] = -f[lb+1+i]";
}

def Stencil_KeepAttr : Stencil_Attr<"Keep", "keep"> {
  let summary = "the halo is left as it is";
}

def Stencil_DirichletAttr : Stencil_Attr<"Dirichlet", "dirichlet"> {
  let summary = "the halo has a given value";
  let description = [{
    Example: `#stencil.dirichlet<1.5>`. The value is converted to the element
    type of the field; a value that an integer field cannot hold is an error.
  }];
  let parameters = (ins "::mlir::TypedAttr":$value);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
}

def Stencil_ExtrapolateAttr : Stencil_Attr<"Extrapolate", "extrapolate"> {
  let summary = "polynomial of the given order through the nearest order+1 interior points";
  let description = [{
    Order 0 repeats the outermost value, order 1 continues its slope. Orders up
    to 8 are accepted; the weights grow like binomial coefficients.
  }];
  let parameters = (ins "int64_t":$order);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
}

//===----------------------------------------------------------------------===//
// Targets
//===----------------------------------------------------------------------===//

def Stencil_TargetAttr : Stencil_Attr<"Target", "target"> {
  let summary = "the GPU that a module is compiled for";
  let description = [{
    The attribute `stencil.target` of a module: passes take from it what the GPU
    has and can do. `stencil-attach-target` sets it, the pipelines for GPUs do so
    first. A module without it is for the CPU, or for a GPU that is chosen later.

    ```mlir
    module attributes {stencil.target = #stencil.target<chip = "sm_90">} { ... }
    ```

    `chip` is a name that LLVM compiles for, such as `sm_90`, `sm_90a` or
    `gfx942`; another one is an error. The facts are those of
    [TargetInfo.h](../../include/StencilDialect/Target/TargetInfo.h): exact for
    `sm_80`, `sm_90`, `sm_100`, `gfx90a`, `gfx942` and `gfx950`; for others what
    every GPU of the vendor has.
  }];
  let parameters = (ins StringRefParameter<"a name that LLVM compiles for">:$chip);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    /// The name of the attribute of a module that holds a target.
    static constexpr ::llvm::StringLiteral kAttrName = "stencil.target";

    /// What the GPU has and can do. It lives as long as the process.
    const ::stencil::TargetInfo &getInfo() const;
  }];
}

//===----------------------------------------------------------------------===//
// Schedules
//===----------------------------------------------------------------------===//

def Stencil_Window : I32EnumAttr<"Window", "where the neighbours of a point live while it is computed", [
    I32EnumAttrCase<"Cache", 0, "cache">,
    I32EnumAttrCase<"Shared", 1, "shared">,
    I32EnumAttrCase<"Registers", 2, "registers">,
    I32EnumAttrCase<"Shuffle", 3, "shuffle">]> {
  let cppNamespace = "::stencil";
}

def Stencil_Accumulation : I32EnumAttr<"Accumulation", "how a point gets what comes from other planes of the stream", [
    I32EnumAttrCase<"Gather", 0, "gather">,
    I32EnumAttrCase<"Shift", 1, "shift">,
    I32EnumAttrCase<"Scatter", 2, "scatter">,
    I32EnumAttrCase<"Semi", 3, "semi">]> {
  let cppNamespace = "::stencil";
}

def Stencil_Chain : I32EnumAttr<"Chain", "where values live that a body computes and reads at neighbouring points", [
    I32EnumAttrCase<"Shared", 0, "shared">,
    I32EnumAttrCase<"Registers", 1, "registers">]> {
  let cppNamespace = "::stencil";
}

def Stencil_Engine : I32EnumAttr<"Engine", "what computes the sums of a body", [
    I32EnumAttrCase<"Fma", 0, "fma">,
    I32EnumAttrCase<"Taps", 1, "taps">,
    I32EnumAttrCase<"Mma", 2, "mma">]> {
  let cppNamespace = "::stencil";
}

def Stencil_RegionLaunch : I32EnumAttr<"RegionLaunch", "how the regions of a sweep are launched", [
    I32EnumAttrCase<"Separate", 0, "separate">,
    I32EnumAttrCase<"Launch", 1, "launch">,
    I32EnumAttrCase<"Streams", 2, "streams">]> {
  let cppNamespace = "::stencil";
}

def Stencil_ScheduleAttr : Stencil_Attr<"Schedule", "schedule"> {
  let summary = "how an apply is to be computed on a GPU";
  let description = [{
    The attribute `stencil.schedule` of an apply. Lists have one entry per axis
    of the apply, but for `window` and `groups`. What is not named is chosen by the lowering.

    ```mlir
    #stencil.schedule<block = [1, 4, 64], points = [1, 1, 2], window = cache, order = [2, 1, 0], panel = [0, 8, 0], launch_bounds = 2>
    #stencil.schedule<block = [1, 4, 64], points = [1, 4, 2], stream = 0, segments = 32, window = [shared, cache], accumulate = scatter, prefetch = tma, stages = 4>
    ```

    | key | value | meaning |
    |---|---|---|
    | `block` | positive numbers | threads of a block per axis; of the axes before the last three, one, and of the axis of `stream` |
    | `points` | positive numbers | neighbouring outputs that a thread computes, per axis; those along the last axis are loaded and stored as vectors; along the axis of `stream`, one |
    | `stream` | an axis | a block walks along this axis, from plane to plane; without it, a block computes one tile |
    | `segments` | a positive number | pieces that the axis of `stream` is cut into; each is another block's walk, and fetches its halo anew |
    | `window` | `cache`, `shared`, `registers`, `shuffle`; or a list, one for each input of the apply that is a field or temp | where neighbours live. `cache`: in the caches of the hardware; `shared`: in shared memory; `registers`: planes of the thread's own points, in its registers, so that other points cannot be read (needs `stream`); `shuffle`: in registers, read by the other lanes of the warp. Default: `cache` |
    | `groups` | positive numbers | how many of the inputs in shared windows are fetched at a time, the first ones first; the last number holds for all that follow. One group after the other has the same shared memory; a thread keeps what it has computed of the ones before. Needs a shared window, and no `stream`: a walk keeps planes of all inputs at once |
    | `accumulate` | `gather`, `shift`, `scatter`, `semi` | where the planes along `stream` come from. `gather`: all of them from the window; `shift`: those of the thread's own points from a queue in registers, the rest from the window; `scatter`: only the newest plane is read and adds to partial sums of all the planes that need it; `semi`: the planes behind as with `shift`, those ahead as with `scatter`. Needs `stream` |
    | `prefetch` | `none`, `registers`, `async`, `tma`, `l2` | how the planes of shared windows come from memory. `none`: when they are needed; `registers`: loaded into registers a plane earlier (needs `stream`); `async`: by asynchronous copies (cp.async); `tma`: by the copy engine of sm_90 and later. These need a shared window. `l2`: without windows, each block asks the second-level cache for what the next block along the last axis of `order` is the first one to read (NVIDIA GPUs) |
    | `stages` | a number from 2 to 1024 | planes that a shared window holds: those that are read and those on their way, as far as there is shared memory. Needs `stream` and a shared window |
    | `eviction` | `normal`, `last` | which lines the second-level cache gives up for others. `last`: what the kernel reads is given up after everything else, such as what is stored (PTX: `.L2::evict_last`): all copies by `prefetch = tma` and `async`, and loads of inputs that nobody stores to while it runs. Needs an NVIDIA GPU of sm_80 or later. Default: as measured best |
    | `boundary` | `kernel`, `window`, `store` | where a `stencil.boundary` before the apply is done. `kernel`: by a kernel that writes the halo; `window`: by the blocks that read it, in their shared windows (`stencil-fold-boundaries`); `store`: in a time loop, by the apply of the step before, which stores the periodic images of its points, too (`stencil-rotate-boundaries`). Default: `kernel`. `window` needs a shared window, `store` neither `stream` nor any window but the cache |
    | `chain` | `shared`, `registers` | where values live that the body computes and reads at neighbouring points (`stencil.weighted_sum` of a scalar). Each becomes a stage of its own that is computed once. `shared`: in shared memory; `registers`: in the registers of the thread, if they are read along the axis of `stream` only. Without it they are computed again for each point that reads them. Needs `window` or `stream` |
    | `engine` | `fma`, `taps`, `mma` | what computes the sums (`stencil.weighted_sum`). `fma`: instructions for each tap; `taps`: loops over the taps, with the weights in constant memory, of all sums with constant weights over an input in a shared window; needs one, and no `stream`: the window has the whole tile. `mma`: matrix instructions, of all sums with constant weights over an input in a shared window (`stencil-map-to-tensor-cores`); needs one, and a tile of whole patches for each warp. Default: `taps` for sums of 64 taps or more in long rows where it is possible, else `fma` |
    | `order` | a permutation of the axes | the axis along which successive blocks follow each other first, then the next, ... |
    | `panel` | numbers of blocks, 0: all | of an axis, so many blocks are walked together before the other axes go on: neighbouring planes then meet in the second-level cache |
    | `launch_bounds` | a positive number | blocks that a multiprocessor is to hold at least; bounds the registers of a thread |

    | `regions` | `separate`, `launch`, `streams` | how the applies that store to disjoint boxes of one field, as `stencil-split-regions` makes them, are launched. `separate`: one after the other; `launch`: as one kernel, each block of which computes a part of one region; `streams`: each in its own stream, so that they may run at the same time. Default: `separate` |

    The CPU and the interpreter do not look at schedules.
  }];
  let parameters = (ins OptionalArrayRefParameter<"int64_t">:$block,
                        OptionalArrayRefParameter<"int64_t">:$points,
                        "::std::optional<int64_t>":$stream,
                        "::std::optional<int64_t>":$segments,
                        OptionalArrayRefParameter<"::stencil::Window">:$window,
                        OptionalArrayRefParameter<"int64_t">:$groups,
                        "::std::optional<::stencil::Accumulation>":$accumulate,
                        "::std::optional<::stencil::Prefetch>":$prefetch,
                        "::std::optional<int64_t>":$stages,
                        "::std::optional<::stencil::Eviction>":$eviction,
                        "::std::optional<::stencil::BoundaryPlace>":$boundary,
                        "::std::optional<::stencil::Chain>":$chain,
                        "::std::optional<::stencil::Engine>":$engine,
                        OptionalArrayRefParameter<"int64_t">:$order,
                        OptionalArrayRefParameter<"int64_t">:$panel,
                        "int64_t":$launchBounds,
                        "::std::optional<::stencil::RegionLaunch>":$regions);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    /// The name of the attribute of an apply that holds a schedule.
    static constexpr ::llvm::StringLiteral kAttrName = "stencil.schedule";

    /// The number of axes that the lists are for; 0 if there is no list.
    int64_t getRank() const;

    /// True if it can be obeyed by something of so many axes: the lists are
    /// for as many, and the axis of `stream` is one of them.
    bool suitsRank(int64_t rank) const;

    /// The window of field input number `input`, scalars not counted. One that
    /// is given holds for all inputs.
    ::stencil::Window getWindowOf(unsigned input) const;

    /// True if an apply has to become a pipeline to obey it: it walks along an
    /// axis, or has a window that is not the cache.
    bool needsPipeline() const;
  }];
}

def Stencil_RegionGroupAttr : Stencil_Attr<"RegionGroup", "region_group"> {
  let summary = "which launches may run at the same time";
  let description = [{
    The attribute `stencil.region_group` of applies and pipelines, and of their
    launches. `stencil-group-regions` puts it there: those of one block of the
    program that have the same number, and follow each other, neither read nor
    store to a point that another one stores to. Those with `launch` are to
    become one launch; those with `streams`, and that launch beside them, are to
    have streams of their own.

    ```mlir
    #stencil.region_group<0, launch>
    ```
  }];
  let parameters = (ins "int64_t":$number, "::stencil::RegionLaunch":$how);
  let assemblyFormat = "`<` $number `,` $how `>`";
  let extraClassDeclaration = [{
    /// The name of the attribute of an op that holds it.
    static constexpr ::llvm::StringLiteral kAttrName = "stencil.region_group";
  }];
}

//===----------------------------------------------------------------------===//
// Pipelines
//===----------------------------------------------------------------------===//

def Stencil_WindowSpace : I32EnumAttr<"WindowSpace", "what holds the planes of a window", [
    I32EnumAttrCase<"Shared", 0, "shared">,
    I32EnumAttrCase<"Registers", 1, "registers">,
    I32EnumAttrCase<"Shuffle", 2, "shuffle">]> {
  let cppNamespace = "::stencil";
}

def Stencil_PrefetchAttr : I32EnumAttr<"Prefetch", "how what is read comes from memory", [
    I32EnumAttrCase<"None", 0, "none">,
    I32EnumAttrCase<"Registers", 1, "registers">,
    I32EnumAttrCase<"Async", 2, "async">,
    I32EnumAttrCase<"Tma", 3, "tma">,
    I32EnumAttrCase<"L2", 4, "l2">]> {
  let cppNamespace = "::stencil";
}

def Stencil_Eviction : I32EnumAttr<"Eviction", "which lines the second-level cache gives up", [
    I32EnumAttrCase<"Normal", 0, "normal">,
    I32EnumAttrCase<"Last", 1, "last">]> {
  let cppNamespace = "::stencil";
}

def Stencil_BoundaryPlace : I32EnumAttr<"BoundaryPlace", "where boundary conditions are applied", [
    I32EnumAttrCase<"Kernel", 0, "kernel">,
    I32EnumAttrCase<"Window", 1, "window">,
    I32EnumAttrCase<"Store", 2, "store">]> {
  let cppNamespace = "::stencil";
}

def Stencil_KernelAccess : I32EnumAttr<"KernelAccess", "what a kernel does with memory that it is given", [
    I32EnumAttrCase<"None", 0, "none">,
    I32EnumAttrCase<"Read", 1, "read">,
    I32EnumAttrCase<"Write", 2, "write">,
    I32EnumAttrCase<"ReadWrite", 3, "readwrite">]> {
  let cppNamespace = "::stencil";
}

def Stencil_StageAttr : Stencil_Attr<"Stage", "stage"> {
  let summary = "when a pipeline runs a stage";
  let description = [{
    The attribute `stencil.stage` of an apply in a `stencil.pipeline` with an
    axis: in the iteration for plane p the stage computes plane p + lead.

    ```mlir
    #stencil.stage<lead = 4>
    ```
  }];
  let parameters = (ins "int64_t":$lead);
  let assemblyFormat = "`<` struct(params) `>`";
  let extraClassDeclaration = [{
    /// The name of the attribute of an apply that holds it.
    static constexpr ::llvm::StringLiteral kAttrName = "stencil.stage";
  }];
}

//===----------------------------------------------------------------------===//
// Time loops
//===----------------------------------------------------------------------===//

def Stencil_TimeLoopAttr : Stencil_Attr<"TimeLoop", "time_loop"> {
  let summary = "what is known of a loop over time steps";
  let description = [{
    The attribute `stencil.time_loop` of an scf.for, which
    `stencil-raise-time-loops` puts there. It says that the loop carries fields
    only and yields a permutation of them, that its body is one step without
    other side effects or branches, that all stores and boundary ops are for one
    interior, that halos are filled before they are read, and that no field that
    it only reads is one that it stores to.

    ```mlir
    #stencil.time_loop<interior = <[0, 0], [?, ?]>, lower = <[-1, -1]>, upper = <[1, 1]>, buffers = 2, levels = 1, stages = 1, period = 2>
    ```

    | key | meaning |
    |---|---|
    | `interior` | the box that is stored to |
    | `lower`, `upper` | the box of offsets, both ends included, from which the state reaches a point within one step |
    | `buffers` | fields that take turns in holding the state; 1: in place |
    | `levels` | fields whose contents at the beginning of a step are read: 1 for u(n+1) = f(u(n)), 2 for u(n+1) = f(u(n), u(n-1)) |
    | `stages` | substeps: stores that depend on each other within a step |
    | `period` | steps after which all fields are in their places again |
    | `step_dependent` | whether an apply takes a scalar that is computed from the loop's induction variable |
  }];
  let parameters = (ins "::stencil::BoundsAttr":$interior,
                        "::stencil::IndexAttr":$lower,
                        "::stencil::IndexAttr":$upper,
                        "uint64_t":$buffers, "uint64_t":$levels,
                        "uint64_t":$stages, "uint64_t":$period,
                        DefaultValuedParameter<"bool", "false">:$step_dependent);
  let assemblyFormat = "`<` struct(params) `>`";
  let genVerifyDecl = 1;
}

//===----------------------------------------------------------------------===//
// Fold kinds
//===----------------------------------------------------------------------===//

def Stencil_FoldKind : I32EnumAttr<"FoldKind", "what stencil.fold computes", [
    I32EnumAttrCase<"Max", 0, "max">,
    I32EnumAttrCase<"Min", 1, "min">,
    I32EnumAttrCase<"Sum", 2, "sum">,
    I32EnumAttrCase<"Rms", 3, "rms">]> {
  let cppNamespace = "::stencil";
}

#endif // STENCILDIALECT_IR_STENCILATTRS_TD
