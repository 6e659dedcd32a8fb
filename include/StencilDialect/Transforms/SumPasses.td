//===- SumPasses.td - Sums of what a body reads ------------*- tablegen -*-===//

#ifndef STENCILDIALECT_TRANSFORMS_SUMPASSES_TD
#define STENCILDIALECT_TRANSFORMS_SUMPASSES_TD

include "StencilDialect/IR/MathOption.td"
include "mlir/Pass/PassBase.td"

def StencilFoldPowers : Pass<"stencil-fold-powers", "::mlir::func::FuncOp"> {
  let summary = "powers of constants to constants";
  let description = [{
    Devito writes a derivative's weight as `math.fpowi` of the spacing and the
    order. With these known, it is a number that sums can be recognised by.

    Before:
    ```mlir
    %h = arith.constant 5.0e-01 : f32
    %n = arith.constant -2 : i64
    %w = math.fpowi %h, %n : f32, i64
    ```
    After:
    ```mlir
    %w = arith.constant 4.0 : f32
    ```

    The power is computed in quad precision and rounded once. An exponent of
    more than 40 bits stays.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

def StencilRoundProducts
    : Pass<"stencil-round-products", "::mlir::func::FuncOp"> {
  let summary = "which products are not rounded together with a sum";
  let description = [{
    Marks products of a body that are rounded by themselves, before they are
    added to anything: those that something else than a sum reads, for example
    because they are the result of the apply; those that more than four sums
    read; those that are the same at all points; and of two that are added to
    each other the one that more sums read, or else the second. All others are
    rounded together with the sums that they are in (fma).

    ```mlir
    %p = arith.mulf %w, %x {stencil.rounded} : f64
    %s = arith.addf %p, %y : f64
    stencil.return %p, %s : f64, f64
    ```

    Runs before applies are fused, and looks at one body at a time: results have
    the same bits with any fusion and any schedule. With `math=reassociate`,
    where orders of sums depend on both, nothing is marked, and LLVM decides.
    With `math=strict`, ops are looked at that have the flag `contract`.
  }];
  let options = [MathOption<"what may be done to floating-point sums">];
}

def StencilRaiseWeightedSums
    : Pass<"stencil-raise-weighted-sums", "::mlir::func::FuncOp"> {
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
  let options = [MathOption<"what may be done to floating-point sums">];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

def StencilPruneZeros : Pass<"stencil-prune-zeros", "::mlir::func::FuncOp"> {
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
  let options = [MathOption<"what may be done to floating-point sums">];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

def StencilFactorSums : Pass<"stencil-factor-sums", "::mlir::func::FuncOp"> {
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
    them, counting what `points` neighbours along axis 0 share (0: all, but of a plane the eight rows of a thread): below, memory is
    what bounds a stencil, and shared partial sums cost registers. Else, taps of
    equal weight are added first, if that saves a third of the products: as many
    operations, but additions need no weight (and are faster: on an H200, an
    addition takes 2 cycles, a product with a sum up to 3). Else a remark says
    why not. With `form=axes` or `form=weights` every sum is taken apart, or an
    error says why not.

    The weights that are computed with differ from those given by no more than
    `tolerance` times the sum of the absolute weights. The default is what
    rounding in another order may amount to: half an epsilon per tap. Sums whose
    terms would cancel, so that they are more than four times as large as now,
    are not taken apart.

    Needs `math=reassociate`, or sums with `fastmath<reassoc>`, or integers. Of
    a sum in a region the partial sums stand before it, at the body's top level.

    A sum stays as it is if its apply is to have `engine = mma`, by its own schedule or, if it has none, by `schedule`: a matrix unit takes a whole box.
  }];
  let options = [
    Option<"schedule", "schedule", "std::string", /*default=*/"\"\"",
           "#stencil.schedule<...> that applies without one are going to get">,
    MathOption<"what may be done to floating-point sums">,
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
    MathOption<"what may be done to floating-point sums">,
    ListOption<"force", "force", "std::string",
               "names of applies to be composed">,
    ListOption<"forbid", "forbid", "std::string",
               "names of applies to be left as they are">,
    Option<"maxTaps", "max-taps", "unsigned", /*default=*/"1024",
           "most taps of a sum">,
    Option<"gain", "gain", "double", /*default=*/"1.05",
           "how many times shorter the time has to become">
  ];
  let dependentDialects = ["::stencil::StencilDialect"];
}

def StencilRollSums : Pass<"stencil-roll-sums", "::mlir::func::FuncOp"> {
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
    pass on what they have read in registers. With `engine = fma` in the schedule there are none; with `engine = taps` all
    sums that loops can be made of are marked, and it is an error if there is none. stencil-expand-weighted-sums writes
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

def StencilExpandWeightedSums
    : Pass<"stencil-expand-weighted-sums", "::mlir::func::FuncOp"> {
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

#endif // STENCILDIALECT_TRANSFORMS_SUMPASSES_TD
