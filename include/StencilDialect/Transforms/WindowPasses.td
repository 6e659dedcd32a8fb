//===- WindowPasses.td - Pipelines and their windows -------*- tablegen -*-===//

#ifndef STENCILDIALECT_TRANSFORMS_WINDOWPASSES_TD
#define STENCILDIALECT_TRANSFORMS_WINDOWPASSES_TD

include "StencilDialect/IR/MathOption.td"
include "mlir/Pass/PassBase.td"

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
    MathOption<"what may be done to floating-point sums">
  ];
  let dependentDialects = ["::stencil::StencilDialect"];
}

// On the module: whether a call returns a field that it was given is read in
// the body of another function, which another thread may be rewriting.
def StencilCoalesceStores
    : Pass<"stencil-coalesce-stores", "::mlir::ModuleOp"> {
  let summary = "results through shared memory";
  let description = [{
    Where a thread of a `stencil.pipeline` without a walk computes an odd number
    of points of a row (five or more; or that is left open, and a long sum gets
    such a tile), what stages make goes through windows in shared memory. Its
    threads would otherwise store each of these points by itself, a warp at 32
    places at once.

    Before:
    ```mlir
    stencil.store %r to %v(<[0], [1024]>) : !temp to !field
    ```
    After:
    ```mlir
    %s = stencil.window shared %r : !temp
    stencil.store %s to %v(<[0], [1024]>) : !temp to !field
    ```
    All threads of a block then store neighbouring vectors (docs/windows.md).
    Left as it is: a pipeline that also loads what it stores to, or that stores
    at some points only. So is one whose shared memory does not hold the
    windows, which a remark of the category `Schedule` says.
  }];
  let dependentDialects = ["::stencil::StencilDialect"];
}

def StencilShareNeighbours
    : Pass<"stencil-share-neighbours", "::mlir::func::FuncOp"> {
  let summary = "neighbours that threads do not hold, in shared memory";
  let description = [{
    A window in `registers` of what a stage makes has, in each thread, what that
    computes at its own points, and a `shuffle` window what the threads of a row
    compute. Reads at other offsets get a `shared` window beside it, with the
    planes that they read; what a thread has, it still reads there.

    Before:
    ```mlir
    %q = stencil.window registers %s depth 3 lead 1 : !temp
    %r = stencil.apply(%a = %q : !temp) -> (!temp) attributes {stencil.stage = #stencil.stage<lead = 0>} {
      %b = stencil.access %a[-1, 0] : !temp
      %c = stencil.access %a[0, 1] : !temp
      ...
    }
    ```
    After, in a walk along axis 0:
    ```mlir
    %q = stencil.window registers %s depth 3 lead 1 : !temp
    %n = stencil.window shared %s depth 2 lead 1 : !temp
    %r = stencil.apply(%a = %q : !temp, %d = %n : !temp) -> (!temp) attributes {stencil.stage = #stencil.stage<lead = 0>} {
      %b = stencil.access %a[-1, 0] : !temp
      %c = stencil.access %d[0, 1] : !temp
      ...
    }
    ```
    A `shuffle` window becomes one in registers where there are no lanes to ask:
    in a walk along the last axis, and if a stage that reads it is computed
    beside the tile for others. A remark of the category `Schedule` says what got
    a window. Windows of loads and copies of shared ones stay: what they do not
    have is read where it comes from. So do those of a relay.
  }];
  let dependentDialects = ["::stencil::StencilDialect"];
}

def StencilSkewStages : Pass<"stencil-skew-stages", "::mlir::func::FuncOp"> {
  let summary = "stages with a skew read where it says";
  let description = [{
    A pass on positions: what threads compute at point x of the tile, of a stage of skew s, is point x + s - t, if what is stored has skew t. So
    a stage has its offsets, coordinates too, moved by s - t, and back by as much as what it reads is moved. Loads, and windows and copies of them, are not. No pipeline has a skew behind it.

    Before:
    ```mlir
    %w = stencil.window shuffle %r depth 1 lead 1 : !temp          // %r: skew = [0, -1]
    %s = stencil.apply(%a = %w : !temp) -> (!temp) attributes {stencil.stage = #stencil.stage<lead = 1, skew = [0, -2]>} {
      %b = stencil.access %a[0, -1] : !temp
      %c = stencil.access %a[0, 1] : !temp
      ...
    }
    stencil.store %s to %v(<[0, 0], [64, 64]>) : !temp to !field
    ```
    After:
    ```mlir
    %w = stencil.window shuffle %r depth 1 lead 1 : !temp          // reads its own inputs 1 further
    %s = stencil.apply(%a = %w : !temp) -> (!temp) attributes {stencil.stage = #stencil.stage<lead = 1>} {
      %b = stencil.access %a[0, -2] : !temp
      %c = stencil.access %a[0, 0] : !temp
      ...
    }
    stencil.store %s to %v(<[0, 0], [64, 64]>) : !temp to !field
    ```
    Errors: what is stored has several skews; stages of different skews without a window between them, or as terms of one sum; a window with a `boundary` of a stage that is moved, whose box would
    not be that of the stores any more; legs (`relay`) whose stages have different skews: they run one code,
    and the first one reads the load, which is not moved.
  }];
  let dependentDialects = ["::stencil::StencilDialect"];
}

def StencilTileRegisters : Pass<"stencil-tile-registers", "::mlir::func::FuncOp"> {
  let summary = "tiles, points and segments of pipelines";
  let description = [{
    Completes the `stencil.schedule` of every `stencil.pipeline`: `block` and
    `points`, and `segments` if the number of planes is known. What it has
    already stays.

    Before:
    ```mlir
    stencil.pipeline axis 0 attributes {stencil.schedule = #stencil.schedule<points = [1, 4, 2], stream = 0>} { ... }
    ```
    After, for `sm_90`, for a star of radius 1 on 512 x 512 x 512 points:
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
  let dependentDialects = ["::stencil::StencilDialect"];
}

#endif // STENCILDIALECT_TRANSFORMS_WINDOWPASSES_TD
