//===- BoundaryPasses.td - Boundaries of fields ------------*- tablegen -*-===//

#ifndef STENCILDIALECT_TRANSFORMS_BOUNDARYPASSES_TD
#define STENCILDIALECT_TRANSFORMS_BOUNDARYPASSES_TD

include "mlir/Pass/PassBase.td"

def StencilHoistBoundaries : Pass<"stencil-hoist-boundaries", "::mlir::ModuleOp"> {
  let summary = "fill halos that are constant before the time loop";
  let description = [{
    A time loop (see `stencil-raise-time-loops`) stores to the interiors of its
    buffers only. A Dirichlet condition fills the same halo of the same buffer
    with the same constant at each of its turns; now it does so once, before the
    loop, for each buffer that would be filled in it, and is `keep` inside. A
    boundary op of which nothing but `keep` is left is removed. Fields hold in
    the end what they would have held, halos included, also where the loop takes
    fewer steps than it has buffers. Where a step reads a halo that is filled
    for the first time later, as at the end of a step, it stays as it is.

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
  let dependentDialects = ["::mlir::scf::SCFDialect", "::stencil::StencilDialect"];
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
  let dependentDialects = ["::mlir::scf::SCFDialect", "::stencil::StencilDialect"];
}

def StencilWrapStages : Pass<"stencil-wrap-stages", "::mlir::func::FuncOp"> {
  let summary = "stages that windows with periodic boundaries keep, around the box";
  let description = [{
    A window of what a stage makes may have a periodic boundary. What is at the
    other end of the box is in another block, or not there yet. Here the stage
    is computed around the box, as far as its readers reach.

    Before:
    ```mlir
    %x = stencil.load %u : !field -> !temp
    %s = stencil.apply(%a = %x : !temp) -> (!temp) {
      %c = stencil.access %a[-1] : !temp
      ...
    }
    %w = stencil.window shared %s boundary(<[0], [64]>) [#stencil.periodic] : !temp
    ```
    After:
    ```mlir
    %x = stencil.load %u : !field -> !temp
    %p = stencil.window shared %x prefetch none boundary(<[-1], [63]>) [#stencil.periodic] : !temp
    %s = stencil.apply(%a = %p : !temp) -> (!temp) {
      %c = stencil.access %a[-1] : !temp
      ...
    }
    %w = stencil.window shared %s : !temp
    ```
    Beyond the box, the stage is what it is at the other end: it reads there
    what it reads here, halos of fields included, and `stencil.index` is that
    of the other end. So what does not repeat (a load, a stage that reads one or
    asks for its coordinates) is made again for each offset at which it is read
    along the axis: of a load, a periodic window around the box at that offset;
    of a stage, a copy of it. What repeats, because it is computed of windows of
    loads with a periodic boundary around the same box, is read as it is, and is
    computed once. A field that has not all axes is read from a copy with a
    periodic halo, which is made before the pipeline. Who reads a stage within the box reads that copy, too.

    Conditions on other axes stay. In a walk leads and depths grow.

    An error: on an axis before the periodic one, a side is kept that readers
    reach; the stage, or one that it reads, reads beyond another boundary along
    that axis, what a side keeps, at computed coordinates, or a field that has
    the axis as another one of its own and an extent that is known at run time
    only.
  }];
  let dependentDialects = ["::stencil::StencilDialect"];
}

def StencilExpandBoundaries : Pass<"stencil-expand-boundaries", "::mlir::func::FuncOp"> {
  let summary = "boundary conditions of windows to bodies of the stages that read them";
  let description = [{
    A window of what a stage makes may have a boundary. Here the stages that
    read it compute what is beyond the box: they ask for their coordinates, and
    choose between what they read and what the condition says.

    Before:
    ```mlir
    %w = stencil.window shared %s depth 3 lead 1 boundary(<[0, 0], [64, 64]>) [#stencil.neumann, #stencil.dirichlet<1.0>] : !temp
    %r = stencil.apply(%a = %w : !temp) -> (!temp) {
      %below = stencil.access %a[-1, 0] : !temp
      ...
    }
    ```
    After:
    ```mlir
    %w = stencil.window shared %s depth 3 lead 1 attributes {stencil.within = #stencil.bounds<[0, 0], [64, 64]>} : !temp
    %r = stencil.apply(%a = %w : !temp) -> (!temp) {
      %i = stencil.index 0 <[0, 0]>
      %isBeyond = arith.cmpi eq, %i, %zero : index
      %here = stencil.access %a[0, 0] : !temp
      %before = stencil.access %a[-1, 0] : !temp
      %below = arith.select %isBeyond, %here, %before : f64
      ...
    }
    ```
    What the window has beyond the box, nobody uses (`stencil.within`), and no
    stage computes it. Axis by axis, the last one outermost, as
    `stencil.boundary` goes: a corner is what the condition of its last axis
    makes of the values there. A copy of the window in registers is read in the
    same way. Values of sides that are kept come from the load that `keep`
    names; where points of that would be read that no one needs, from a shared
    window of it, with zeros around the others. Where a condition reads planes that a
    window does not have, leads and depths grow.

    A window of a load has a boundary in kernels, but for extrapolations. If it
    has one on a side that is read, its readers compute that and all others but
    the periodic ones; the window has zeros there. What is kept is read as if
    the load was named by `keep`; with a periodic axis, in the window, and it is
    an error if its field does not have all that is read then.

    An error: a sum that is a loop or a product of matrices
    (`stencil.tap_loop`, `stencil.matrix_product`) reads such a window;
    a window that needs other planes is in a group; or a body would be very
    long.
  }];
  let dependentDialects = ["::stencil::StencilDialect"];
}

// On the module: a field's aliases are followed into other functions.
def StencilRotateBoundaries : Pass<"stencil-rotate-boundaries", "::mlir::ModuleOp"> {
  let summary = "periodic halos of a time loop behind what stores the field";
  let description = [{
    Where a step of a loop gives periodic halos to fields and computes one
    bufferised apply, which stores to the fields of the next step, the boundary
    ops of the next step come behind the apply, if its schedule says
    `boundary = store`. `stencil-map-stages` makes one kernel of both: the
    halo points of a periodic axis are images of interior points, and who stores
    a point stores its images.

    Before:
    ```mlir
    %r:2 = scf.for %i = %zero to %n step %one iter_args(%u = %a, %v = %b) -> (!field, !field) {
      stencil.boundary %u(<[0, 0], [64, 64]>) [#stencil.periodic, #stencil.periodic] : !field
      stencil.apply(%x = %u : !field) outs (%v : !field) attributes {stencil.schedule = #stencil.schedule<boundary = store>} { ... } to <[0, 0], [64, 64]>
      scf.yield %v, %u : !field, !field
    }
    ```
    After:
    ```mlir
    scf.if %hasSteps {
      stencil.boundary %a(<[0, 0], [64, 64]>) [#stencil.periodic, #stencil.periodic] : !field
    }
    %q:2 = scf.for %i = %zero to %m step %one iter_args(%u = %a, %v = %b) -> (!field, !field) {
      stencil.apply(%x = %u : !field) outs (%v : !field) { ... } to <[0, 0], [64, 64]>
      stencil.boundary %v(<[0, 0], [64, 64]>) [#stencil.periodic, #stencil.periodic] : !field
      scf.yield %v, %u : !field, !field
    }
    %r:2 = scf.for %i = %m to %n step %one iter_args(%u = %q#0, %v = %q#1) -> (!field, !field) {
      stencil.apply ... // the same: the last step
      scf.yield %v, %u : !field, !field
    }
    ```
    The same ops run in the same order, so that all fields hold what they held,
    halos included. An error, if it was asked for: loops whose step is more than
    that, conditions other than `periodic` and `keep`, extents that are not
    known, or less than the halos on both sides, and applies that read neighbours
    of what they store to. Not asked for, it is done on NVIDIA GPUs for bodies
    with more than 128 reads: there it was measured to pay. The GPU is that of
    the module's `stencil.target`; without one, only what is asked for is done.
  }];
  let dependentDialects = ["::mlir::scf::SCFDialect", "::stencil::StencilDialect"];
}

#endif // STENCILDIALECT_TRANSFORMS_BOUNDARYPASSES_TD
