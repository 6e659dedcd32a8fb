//===- PipelineOps.td - Kernels over rolling windows --------*- tablegen -*-===//
//
// Level 3: a kernel is a chain of stages that walks along one axis, or none. A
// stage is a stencil.apply; the ops here say how its values are kept. All of
// them have value semantics: a pipeline means what its body means if one takes
// no notice of windows. docs/windows.md has the whole specification.
//
//===----------------------------------------------------------------------===//

#ifndef STENCILDIALECT_IR_PIPELINEOPS_TD
#define STENCILDIALECT_IR_PIPELINEOPS_TD

def Stencil_PipelineOp : Stencil_Op<"pipeline", [
    SingleBlock, NoTerminator, NoRegionArguments, RecursiveMemoryEffects,
    Stencil_KernelLike]> {
  let summary = "a kernel that walks along an axis, or computes one tile per block";
  let description = [{
    ```mlir
    stencil.pipeline axis 0 {
      %x = stencil.load %u : !field -> !temp
      %w = stencil.window shared %x depth 4 lead 4 prefetch tma : !temp
      %t:3 = stencil.apply(%a = %w : !temp) -> (!temp, !temp, !temp) {
        ...
      } attributes {stencil.stage = #stencil.stage<lead = 1>}
      %s = stencil.accumulate %t#0, %t#1, %t#2 at [-1, 0, 1] : !temp
      stencil.store %s to %v(<[0, 0, 0], [64, 64, 64]>) : !temp to !field
    }
    ```
    The ops of the body are those of a program of values: loads, applies (the
    stages), stores, and windows between them. With an axis A, the kernel walks
    along it; in the iteration for plane p, whatever has lead L handles plane
    p + L of axis A. Without an axis a block computes one tile.

    With `step S` (`axis 0 step 4`), the walk goes on by S planes at a time: the iteration for plane p is for
    planes p to p + S - 1, whatever has lead L handles planes p + L to p + L + S - 1, and a window has its
    planes from p + lead + S - 1 down. What the pipeline computes does not depend on it.

    A value that a stage reads is
    - a load: read from memory, through the caches of the hardware, at any
      offset;
    - a window: see `stencil.window`;
    - an accumulation, or the result of another stage: at offset zero and with
      the same lead, as a value of the thread.

    A store takes plane p + L of what it stores, too: that of the lead of a stage or an accumulation; of a window, plane p if it has that, or
    else the one of its planes that is nearest to p. So a stage of lead 1 may be stored while a stage of lead 0 still reads it. Each plane of the box is stored once, whatever the lead.

    Loads have what was in their fields before the pipeline. Values have no box (`?x?`): what is needed of them follows from the stores.
    Constraints: only loads, applies, windows, accumulations and stores in the body, at least one store; all of one rank, but for loads without a
    window; all stores have one box and different fields, and come after the loads of these; what is stored comes from a stage; values come from
    ops before in the body; every apply is in its value form, without `unroll` and without a schedule; the schedule of the pipeline has no key that
    its ops stand for (`window`, `groups`, `accumulate`, `prefetch`, `stages`, `chain`, `step`), its axis as `stream`, if at all, and 1 in `block` and `points` for that axis;
    `step` from 1 to 1024 planes, with an axis only, and as many planes in each window (`depth`) at least;
    with an axis, which is within the rank, each apply has a `stencil.stage`, of a lead up to 1024 planes either way; a stage reads nothing before
    it has been made (its lead plus the largest offset along the axis is at most the lead of what it reads), and nothing that its window has lost
    (`depth`); what is stored has no negative lead; of what has a window nothing is read at computed coordinates; what is needed of a load is in its field.
  }];
  let arguments = (ins OptionalAttr<IndexAttr>:$axis, DefaultValuedAttr<I64Attr, "1">:$step);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = "(`axis` $axis^)? (`step` $step^)? attr-dict-with-keyword $body";
  let hasRegionVerifier = 1;
  let extraClassDeclaration = [{
    ::mlir::Block *getBodyBlock() { return &getBody().front(); }

    /// The axis that the kernel walks along.
    ::std::optional<int64_t> getWalkAxis() {
      if (auto axis = getAxisAttr())
        return axis.getInt();
      return ::std::nullopt;
    }

    /// The box of the stores.
    ::stencil::BoundsAttr getDomain();
    int64_t getRank() { return getDomain().getRank(); }
  }];
}

def Stencil_WindowOp : Stencil_Op<"window", [
    Pure, SameOperandsAndResultType, HasParent<"PipelineOp">,
    Stencil_HandlesValues]> {
  let summary = "where some planes of a value are kept for the stages that read it";
  let description = [{
    ```mlir
    %w = stencil.window shared %x depth 6 lead 4 prefetch tma : !stencil.temp<?x?x?xf64>
    %q = stencil.window registers %w depth 3 lead 1 : !stencil.temp<?x?x?xf64>
    ```
    | space | holds |
    |---|---|
    | `shared` | of a tile and its halo, in the memory that the threads of a block share |
    | `registers` | per thread, what its points read |
    | `shuffle` | per thread, its points; neighbours along the last axis are read from the registers of neighbouring threads of the warp |

    The operand is a load (then the window is filled from memory), another
    window (a copy, such as of the thread's own column), the result of a stage or
    an accumulation. In the iteration for plane p the window gets plane
    p + lead and has the planes down to p + lead - depth + 1. How far it reaches
    in the other axes follows from what its readers access. Without an axis of
    the pipeline it has the whole tile, and neither depth nor lead.

    | prefetch | of a shared window of a load |
    |---|---|
    | `none` | loaded and stored in the iteration that handles the plane |
    | `registers` | loaded into registers one iteration before it is stored |
    | `async` | copied by cp.async, some planes ahead |
    | `tma` | copied by the tensor memory accelerator (sm_90), some planes ahead |

    With a `boundary`, the window has the values of %x in a box, and around it
    what `stencil.boundary` with this box and these conditions would write
    there, as far as its readers need it. Of what is outside of the box, nothing
    is read but on sides with `#stencil.keep`.

    ```mlir
    %w = stencil.window shared %x depth 5 lead 3 boundary(<[0, 0, 0], [64, 64, 64]>) [#stencil.periodic, #stencil.neumann, #stencil.dirichlet<0.0> | #stencil.keep] : !stencil.temp<?x?x?xf64>
    ```

    Of what a stage makes, nothing is needed outside of the box then. What sides
    with `#stencil.keep` have there are the values of another load, `keep`:

    ```mlir
    %h = stencil.load %v : !field -> !stencil.temp<?x?x?xf64>
    %q = stencil.window shared %s depth 3 lead 2 boundary(<[0, 0, 0], [64, 64, 64]>) [#stencil.neumann, #stencil.keep, #stencil.dirichlet<0.0>] keep %h : !stencil.temp<?x?x?xf64>
    ```

    With `exchange [A]`, a `shuffle` window of what a stage makes may be read at offsets of axis A, too, the one before the
    last: rows that a thread has itself are read in its registers, those beside them in shared memory, where each thread
    writes the rows at the edges of its own ones.

    ```mlir
    %q = stencil.window shuffle %s depth 3 lead 1 exchange [1] : !stencil.temp<?x?x?xf64>
    ```

    Shared windows of loads may be in a `group`: those of one
    number lie beside each other, and those of another number at the same place,
    when nobody reads the ones before any more. With an axis this is so in each
    iteration: they have one plane, that of their lead.

    ```mlir
    %w = stencil.window shared %x group 1 prefetch async : !stencil.temp<?x?x?xf64>
    ```

    Constraints: `depth` and `lead` with an axis, not without; depth from 1 to 1024, lead
    up to 1024 planes either way; the lead of the stage, if the operand is what a stage
    makes; `prefetch` for shared windows of loads only, `prefetch registers` with an axis
    only; a window of a window is a copy of a shared one to `registers` or `shuffle`;
    `exchange` for `shuffle` windows of
    what a stage makes only, with an axis that is not the one before the last, which it names;
    `boundary` for shared windows of loads and any windows of what stages make, with an entry per axis as in
    `stencil.boundary`, and a box that is wide enough for what its conditions read, and lies in the field of a load;
    of what a stage makes, on an axis where readers reach beyond the box, it has the ends of the box of the stores;
    `keep` for such windows only, a load, which they have if they reach beyond the box on a side with `#stencil.keep`, and none else; `group` for shared windows of loads only, with an axis of `depth 1` and without `prefetch registers`; no op reads windows of two
    groups, and none a group after another op has read a later one.
  }];
  let arguments = (ins Stencil_Space:$space, Stencil_Temp:$temp,
                       OptionalAttr<IndexAttr>:$depth,
                       OptionalAttr<IndexAttr>:$lead,
                       OptionalAttr<DenseI64ArrayAttr>:$exchange,
                       OptionalAttr<IndexAttr>:$group,
                       OptionalAttr<Stencil_PrefetchAttr>:$prefetch,
                       OptionalAttr<Stencil_BoundsAttr>:$bounds,
                       OptionalAttr<ArrayAttr>:$conditions,
                       Optional<Stencil_Temp>:$keep);
  let results = (outs Stencil_Temp:$res);
  let assemblyFormat = [{
    $space $temp (`depth` $depth^)? (`lead` $lead^)? (`exchange` $exchange^)? (`group` $group^)?
    (`prefetch` $prefetch^)?
    (`boundary` `(` $bounds^ `)` custom<Conditions>($conditions))? (`keep` $keep^)?
    attr-dict-with-keyword `:` type($res)
  }];
  let builders = [
    OpBuilder<(ins "::mlir::Value":$temp, "::stencil::Space":$space,
                   CArg<"::std::optional<int64_t>", "{}">:$depth,
                   CArg<"::std::optional<int64_t>", "{}">:$lead,
                   CArg<"::std::optional<::stencil::Prefetch>", "{}">:$prefetch)>];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    /// The number of its group; none: its memory is its own.
    ::std::optional<int64_t> getGroupNumber() {
      if (auto group = getGroupAttr())
        return group.getInt();
      return ::std::nullopt;
    }

    bool hasBoundary() { return getBounds().has_value(); }
    void setBoundary(::stencil::BoundsAttr box, ::mlir::ArrayAttr conditions);
    void removeBoundary();

    /// Whether it keeps a load, of which it is filled from memory.
    bool isOfLoad();
    /// Whether it keeps what a stage makes, or an accumulation.
    bool isOfStage();

    /// Whether threads have rows beside their own ones along an axis from each
    /// other, by way of shared memory.
    bool exchanges(int64_t axis) {
      return getExchange() && ::llvm::is_contained(*getExchange(), axis);
    }

    /// Of the boundary: the condition of the lower or upper side of an axis.
    ::mlir::Attribute getCondition(int64_t axis, bool upper) {
      return (*getConditions())[2 * axis + (upper ? 1 : 0)];
    }
  }];
}

def Stencil_AccumulateOp : Stencil_Op<"accumulate", [
    Pure, SameOperandsAndResultType, HasParent<"PipelineOp">,
    Stencil_StageLike, Stencil_HandlesValues]> {
  let summary = "a sum over planes whose terms come plane by plane";
  let description = [{
    ```mlir
    %s = stencil.accumulate %a, %b, %c at [-1, 0, 1] : !stencil.temp<?x?x?xf64>
    ```
    The value at plane q along the axis of the pipeline is
    `(%a[q - 1] + %b[q]) + %c[q + 1]`, in this order. Its terms are results of
    stages of one lead, which read the newest plane only: a thread keeps one partial sum
    per plane that is not complete yet ("register fixed" in the papers; the
    scatter form). With the lead L of the stages, the sum is complete for plane
    p + L - (last of the list).

    Constraints: the pipeline has an axis; as many numbers as terms, strictly
    increasing, of a magnitude up to 1024; the terms are results of stages of one lead;
    floats, or integers of more than one bit.
  }];
  let arguments = (ins Variadic<Stencil_Temp>:$terms, DenseI64ArrayAttr:$planes);
  let results = (outs Stencil_Temp:$res);
  let assemblyFormat = "$terms `at` $planes attr-dict-with-keyword `:` type($res)";
  let hasVerifier = 1;
}

#endif // STENCILDIALECT_IR_PIPELINEOPS_TD
