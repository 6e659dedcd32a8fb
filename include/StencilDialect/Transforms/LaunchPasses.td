//===- LaunchPasses.td - Launches of kernels ---------------*- tablegen -*-===//

#ifndef STENCILDIALECT_TRANSFORMS_LAUNCHPASSES_TD
#define STENCILDIALECT_TRANSFORMS_LAUNCHPASSES_TD

include "mlir/Pass/PassBase.td"

def StencilGroupRegions : Pass<"stencil-group-regions", "::mlir::ModuleOp"> {
  let summary = "which regions of a sweep can be launched together";
  let description = [{
    Applies and pipelines that follow each other and store to disjoint boxes of
    one field are the regions of a sweep (`stencil-split-regions`). If their
    schedules have `regions = launch` or `regions = streams`, they get the
    attribute `stencil.region_group`, and stand next to each other, the largest
    one first. Regions that ask for different things are one group, in which
    those with `launch` count as one, as large as all of them. If beside these
    one alone asks for streams, as where several steps are taken at once, it is
    put before all that stands before the sweep and that it does not depend on:
    the steps of a rim.

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
    to, or stores to what another one reads, unless it is the first one that asks
    for something else.

    Needs bufferised programs (`stencil-bufferize`).
  }];
  let dependentDialects = ["::stencil::StencilDialect"];
}

def StencilJoinLaunches : Pass<"stencil-join-launches", "::mlir::ModuleOp"> {
  let summary = "launches of the regions of a sweep to one launch";
  let description = [{
    Launches of one `stencil.region_group` with `launch` become one: its blocks
    are those of all of its kernels, one kernel after the other, and a block's
    number says which body it runs. Blocks of kernels that follow each other and
    have as many of them, which is known, alternate.

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
    If others of the group have `streams`, so has the launch that they become.

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

// On the module: functions of the runtime are declared in it.
def StencilOverlapLaunches : Pass<"stencil-overlap-launches", "::mlir::ModuleOp"> {
  let summary = "launches of the regions of a sweep to streams of their own";
  let description = [{
    Of the launches of one `stencil.region_group` with `streams`, the first one
    stays in its stream; the others get streams of the function's own, which
    wait for that one, and it for them. Launches of others that stand between
    the first one and the second one go where the second one goes, and run
    beside the first one, too, which is to be the largest; then blocks of these
    streams are prior to those of the first one. Where a step is recorded
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

// On the module: functions of the runtime are declared in it.
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

    A stream that the caller may have set (`stencilOpenStream`) is not waited for,
    and nothing is recorded of one that the caller records (`stencilMayCapture`).

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

// On the module: functions of the runtime are declared in it.
def StencilCountSteps : Pass<"stencil-count-steps", "::mlir::ModuleOp"> {
  let summary = "let loops say how far they are";
  let description = [{
    For programs whose progress is shown: each loop over steps, which is one of
    the host that applies, launches or calls something, tells the runtime how
    many steps it takes (`stencilBeginSteps`), after each that it is done
    (`stencilCountSteps`), or that it was given to a stream
    (`stencilCountLaunchedSteps`), and that it has ended (`stencilEndSteps`).

    Before:
    ```mlir
    scf.for %i = %lower to %upper step %step { ... }
    ```
    After:
    ```mlir
    llvm.call @stencilBeginSteps(%total, %before, %loops) : (i64, i64, i64) -> ()
    scf.for %i = %lower to %upper step %step {
      ...
      llvm.call @stencilCountSteps(%one) : (i64) -> ()
    }
    llvm.call @stencilEndSteps() : () -> ()
    ```

    `%before` is the number of outermost loops before this one, of `%loops` in
    the function. Works on bufferised programs, and on level 4 before
    `stencil-capture-graphs`, which counts the steps of a graph at once.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::LLVM::LLVMDialect",
                           "::mlir::scf::SCFDialect"];
}

#endif // STENCILDIALECT_TRANSFORMS_LAUNCHPASSES_TD
