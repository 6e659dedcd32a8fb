//===- ValueOps.td - What is computed at each point --------*- tablegen -*-===//
//
// Included by StencilOps.td, which defines what all ops share.
//
//===----------------------------------------------------------------------===//

#ifndef STENCILDIALECT_IR_VALUEOPS_TD
#define STENCILDIALECT_IR_VALUEOPS_TD

def Stencil_ApplyOp : Stencil_Op<"apply", [
    IsolatedFromAbove, AttrSizedOperandSegments, SingleBlock,
    RecursiveMemoryEffects, Stencil_HasScalarBody, Stencil_KernelLike,
    Stencil_StageLike, Stencil_HandlesValues,
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "evaluates a stencil at every point of a box";
  let description = [{
    ```mlir
    %v = stencil.apply(%x = %t : !stencil.temp<?x?xf64>, %c = %k : f64) -> (!stencil.temp<?x?xf64>) {
      %l = stencil.access %x[0, -1] : !stencil.temp<?x?xf64>
      %r = stencil.access %x[0, 1] : !stencil.temp<?x?xf64>
      %d = arith.subf %r, %l : f64
      %s = arith.mulf %c, %d : f64
      stencil.return %s : f64
    }
    ```
    The body is evaluated once per point of the box of the results, in any
    order. In the bufferised form it reads fields and writes fields:

    ```mlir
    stencil.apply(%x = %f : !stencil.field<[-4,68]xf64>) outs (%g : !stencil.field<[-4,68]xf64>) {
      ...
    } to <[0], [64]>
    ```

    Constraints: block arguments have the operands' types; either results or
    `outs` with `to` bounds, at least one of them; all results have one box; an
    access stays in the box of its input; a bufferised apply does not read its
    own output at a non-zero offset.
  }];
  let arguments = (ins Variadic<AnyType>:$args,
                       Variadic<Stencil_Field>:$dest,
                       OptionalAttr<Stencil_BoundsAttr>:$bounds);
  let results = (outs Variadic<Stencil_Temp>:$res);
  let regions = (region SizedRegion<1>:$region);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
  let hasRegionVerifier = 1;
  let hasCanonicalizer = 1;
  let skipDefaultBuilders = 1;
  let builders = [
    /// Value form. The body gets one block with an argument per operand.
    OpBuilder<(ins "::mlir::TypeRange":$resultTypes, "::mlir::ValueRange":$args)>,
    /// Bufferised form.
    OpBuilder<(ins "::mlir::ValueRange":$args, "::mlir::ValueRange":$dest,
                   "::stencil::BoundsAttr":$bounds)>
  ];
  let extraClassDeclaration = [{
    ::mlir::Block *getBodyBlock() { return &getRegion().front(); }

    /// Rank of the results, which is the rank of the accesses in the body.
    int64_t getRank();

    /// Number of results, in either form.
    unsigned getNumOutputs() { return getDest().empty() ? getRes().size() : getDest().size(); }

    /// Element type of a result, in either form.
    ::mlir::Type getOutputElementType(unsigned index);

    /// Types of values that the results can be, in a box; null: none is known.
    ::llvm::SmallVector<::mlir::Type> getTempTypes(::stencil::BoundsAttr box = {});

    bool isBufferised() { return !getDest().empty(); }

    /// What an argument of the body is given.
    ::mlir::Value getInput(::mlir::Value argument) {
      return getArgs()[::mlir::cast<::mlir::BlockArgument>(argument).getArgNumber()];
    }
    /// Adds an operand; its argument of the body.
    ::mlir::BlockArgument addInput(::mlir::Value input, ::mlir::Location loc);
    /// The same of one that it may have already.
    ::mlir::BlockArgument getOrAddInput(::mlir::Value input, ::mlir::Location loc);

    /// Gives the arguments of the body the types of the inputs.
    void retypeArguments();

    /// Makes the body return what the first input has at these offsets.
    void returnInput(::llvm::ArrayRef<::llvm::SmallVector<int64_t>> offsets);

    /// The points at which the body is evaluated; null if not known yet.
    ::stencil::BoundsAttr getDomain();

    /// Unroll factors of the return, one per axis; all 1 without `unroll`.
    ::llvm::SmallVector<int64_t> getUnrollFactors();
  }];
}

def Stencil_ReturnOp : Stencil_Op<"return", [
    Pure, Terminator, HasParent<"ApplyOp">]> {
  let summary = "ends the body of an apply with the values at one point";
  let description = [{
    `stencil.return %a, %b unroll <[1, 2]> : f64, f64` returns the values at two
    neighbouring points along axis 1. There are as many values per result as
    the product of the factors, result by result, in row-major order of the
    points. The body then runs at every second point of that axis only.

    Constraints: number and types of the values match the results of the apply;
    one positive factor per axis.
  }];
  let arguments = (ins Variadic<AnyType>:$args, OptionalAttr<Stencil_IndexAttr>:$unroll);
  let assemblyFormat = "$args (`unroll` $unroll^)? attr-dict-with-keyword `:` type($args)";
  let builders = [OpBuilder<(ins "::mlir::ValueRange":$args), [{
    build($_builder, $_state, args, ::stencil::IndexAttr());
  }]>];
  let hasVerifier = 1;
}

def Stencil_AccessOp : Stencil_Op<"access", [
    Pure, Stencil_InBody,
    DeclareOpInterfaceMethods<Stencil_PlacedOpInterface, ["getReadHull"]>]> {
  let summary = "the value of an input at a constant offset from this point";
  let description = [{
    `%v = stencil.access %x[-1, 0] : !stencil.temp<?x?xf64>`

    An input of lower rank than the apply is accessed with `_` for the axes that
    it does not have: `stencil.access %row[_, 1]` reads a 1D input at the
    position of axis 1 plus 1. The attribute `offset_mapping` lists the axes
    that it has.

    Constraints: within an apply; one offset per axis of the input; without
    mapping, the input has the rank of the apply; a mapping is strictly
    increasing, within the rank, and as long as the offset.
  }];
  let arguments = (ins Stencil_FieldOrTemp:$temp, Stencil_IndexAttr:$offset,
                       OptionalAttr<Stencil_IndexAttr>:$offset_mapping);
  let results = (outs AnyType:$res);
  let hasCustomAssemblyFormat = 1;
  let hasCanonicalizer = 1;
  let hasVerifier = 1;
  let builders = [
    OpBuilder<(ins "::mlir::Value":$temp, "::llvm::ArrayRef<int64_t>":$offset,
                   CArg<"::stencil::IndexAttr", "{}">:$mapping)>,
    // At the point itself.
    OpBuilder<(ins "::mlir::Value":$temp)>
  ];
  let extraClassDeclaration = [{
    /// Axis of the apply for every axis of the input.
    ::llvm::SmallVector<int64_t> getAxes();
  }];
}

def Stencil_WeightedSumOp : Stencil_Op<"weighted_sum", [
    Pure, Stencil_InBody, DeclareOpInterfaceMethods<ArithFastMathInterface>,
    DeclareOpInterfaceMethods<Stencil_PlacedOpInterface, ["getReadHull"]>]> {
  let summary = "the weighted sum of the values at some neighbouring points";
  let description = [{
    ```mlir
    %l = stencil.weighted_sum %x offsets [[-1, 0], [0, 0], [1, 0]] weights dense<[1.0, -2.0, 1.0]> : tensor<3xf64> : !stencil.temp<?x?xf64>
    %d = stencil.weighted_sum %x offsets [[0, -1], [0, 1]] weights (%a, %b) : !stencil.temp<?x?xf64>
    %s = stencil.weighted_sum %l fastmath<reassoc> offsets [[0, -1], [0, 1]] weights dense<0.5> : tensor<2xf64> : f64
    ```
    The normal form of linear stencils (Astaroth's A in phi(A B)): one row of
    coefficients. The neighbours are those of an input of the apply, or, of a
    scalar that the body computes, the values that it has when the body is
    evaluated at the neighbouring points: accesses and `stencil.index` that it
    depends on move along. That is how partial sums are written that
    neighbouring points share. One tap of weight 1 is a shift.

    The value is `s = w0 * x0`, then `s = s + w1 * x1`, and so on, in the order
    of the list and in the type of the result. What may differ from that:

    | math | |
    |---|---|
    | strict | nothing: every product and every sum is rounded |
    | contract | a product and the sum that it is added in may be rounded once |
    | reassociate | any order of the sum, common factors, shared partial sums |

    `reassoc` in `fastmath` is `reassociate` for this op. A multiplication by 1
    or -1 is none, in every mode. A constant weight of zero says that the point
    is no tap: it is not read, and what is there does not matter; a sum without
    taps is zero. A weight that is not constant multiplies whatever it is.
    Integers are computed modulo 2^n, where the order does not matter.

    Weights are constants (`dense<...>`, a single one for all, or a
    `dense_resource`), one per offset, or as many scalars that are the same at
    all points. The result may be of a wider floating-point type than the input
    (`-> f32`): values are then extended first.

    Constraints: within an apply; the input is one of the apply, or a scalar
    computed at the top level of its body; its elements are floats, or integers
    of more than one bit; at least one offset, as long as the input (the apply,
    for a scalar) has axes, none twice; as many weights, finite, of the
    result's type; `offset_mapping` as in `stencil.access`; weights that are
    operands follow from constants and scalar arguments of the apply alone.
  }];
  let arguments = (ins AnyType:$input, Variadic<AnyType>:$uniforms,
                       DenseI64ArrayAttr:$offsets,
                       OptionalAttr<ElementsAttr>:$weights,
                       OptionalAttr<Stencil_IndexAttr>:$offset_mapping,
                       DefaultValuedAttr<Arith_FastMathAttr,
                           "::mlir::arith::FastMathFlags::none">:$fastmath);
  let results = (outs AnyType:$res);
  let hasCustomAssemblyFormat = 1;
  let hasCanonicalizer = 1;
  let hasVerifier = 1;
  let builders = [
    /// Constant weights, a dense attribute of the result's element type.
    /// `offsets` has all coordinates of the first tap, then of the second, ...
    OpBuilder<(ins "::mlir::Value":$input, "::llvm::ArrayRef<int64_t>":$offsets,
                   "::mlir::ElementsAttr":$weights,
                   CArg<"::stencil::IndexAttr", "{}">:$mapping,
                   CArg<"::mlir::arith::FastMathFlags",
                        "::mlir::arith::FastMathFlags::none">:$fastmath)>,
    /// Weights that are scalars of the result's type.
    OpBuilder<(ins "::mlir::Value":$input, "::llvm::ArrayRef<int64_t>":$offsets,
                   "::mlir::ValueRange":$weights,
                   CArg<"::stencil::IndexAttr", "{}">:$mapping,
                   CArg<"::mlir::arith::FastMathFlags",
                        "::mlir::arith::FastMathFlags::none">:$fastmath)>
  ];
  let extraClassDeclaration = [{
    /// True if the neighbours are those of an input of the apply, false if the
    /// body is evaluated at them.
    bool isOverInput() { return ::mlir::isa<::stencil::GridType>(getInput().getType()); }

    int64_t getNumTaps() {
      return getWeights() ? getWeights()->getNumElements() : getUniforms().size();
    }
    int64_t getOffsetRank() { return getOffsets().size() / getNumTaps(); }
    ::llvm::ArrayRef<int64_t> getOffset(int64_t tap) {
      return getOffsets().slice(tap * getOffsetRank(), getOffsetRank());
    }

    /// Axis of the apply for every entry of an offset.
    ::llvm::SmallVector<int64_t> getAxes();

    /// Element type of what is summed.
    ::mlir::Type getTapType();

    /// What can be summed: floats, and integers of more than one bit.
    static bool isSummable(::mlir::Type type);

    /// True if every number of `narrow` is one of `wide`, another type.
    static bool isExactlyWider(::mlir::FloatType wide, ::mlir::FloatType narrow);

    /// The constant weights, also those of a resource; null if the weights are
    /// operands.
    ::mlir::DenseElementsAttr getDenseWeights();
  }];
}

def Stencil_DynAccessOp : Stencil_Op<"dyn_access", [
    NoMemoryEffect, ElementTypeOf<"temp", "res">, Stencil_InBody,
    DeclareOpInterfaceMethods<Stencil_PlacedOpInterface,
                              ["getReadHull", "readsComputedPoints"]>]> {
  let summary = "the value of an input at computed coordinates";
  let description = [{
    `%v = stencil.dyn_access %x[%i, %j] in <[-1, -1]> : <[1, 1]> : !stencil.temp<?x?xf64>`

    The coordinates are absolute. The range, relative to this point and with
    both ends included, is what the access may touch; coordinates outside of it
    are an error at run time.

    Constraints: within an apply; as many coordinates and range entries as the
    input has axes, and as many as the apply has; lower end <= upper end.
  }];
  let arguments = (ins Stencil_FieldOrTemp:$temp, Variadic<Index>:$offset,
                       Stencil_IndexAttr:$lb, Stencil_IndexAttr:$ub);
  let results = (outs AnyType:$res);
  let assemblyFormat = [{
    $temp `[` $offset `]` `in` $lb `:` $ub attr-dict-with-keyword `:` type($temp)
  }];
  let hasVerifier = 1;
  let extraClassDefinition = [{
    bool $cppClass::readsComputedPoints() { return true; }
  }];
}

def Stencil_MatVecOp : Stencil_Op<"matvec", [
    Pure, ElementTypeOf<"temp", "res">, Stencil_InBody,
    DeclareOpInterfaceMethods<ArithFastMathInterface>,
    DeclareOpInterfaceMethods<Stencil_PlacedOpInterface,
                              ["getReadHull", "readsComputedPoints"]>]> {
  let summary = "a row of a matrix times the points of an input";
  let description = [{
    ```mlir
    %i = stencil.index 0 <[0]>
    %v = stencil.matvec %x[%i] from -1 matrix dense<[[0.5, 0.25, 0.0], [0.25, 0.5, 0.25]]> : tensor<2x3xf64> : !stencil.temp<?xf64>
    ```
    Each point has a row of weights of its own, as points next to a boundary
    have: a matrix G of M rows and N columns, of which this point has row number
    n, and all points together compute G x. The value at point p is the sum of
    G[n][j] * x[p - n + from + j] for j = 0, ..., N - 1, in this order; what
    `math` and `fastmath` allow is what they do for `stencil.weighted_sum`. A
    number beyond the first or the last row is that of the first or the last
    one. An element that is zero is no tap: what it would multiply does not
    matter.

    In the example, points 0 and 1 read points -1, 0 and 1.

    Whatever the rows, the input reaches as far as a point could read: from
    p + from - (M - 1) to p + from + N - 1.

    Constraints: at the top level of the body of an apply of one axis, which
    returns one point and has no sums of its own values; the input is one of the
    apply, of floats; the matrix is `dense<...>`, of finite numbers of that
    type, of at least one row and one column and at most 2^24 elements.
  }];
  let arguments = (ins Stencil_FieldOrTemp:$temp, Index:$row, I64Attr:$from,
                       ElementsAttr:$matrix,
                       DefaultValuedAttr<Arith_FastMathAttr,
                           "::mlir::arith::FastMathFlags::none">:$fastmath);
  let results = (outs AnyType:$res);
  let assemblyFormat = [{
    $temp `[` $row `]` (`fastmath` `` $fastmath^)? `from` $from `matrix` $matrix
    attr-dict-with-keyword `:` type($temp)
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    /// Code has them as a table, column by column.
    static constexpr uint64_t kMostElements = uint64_t(1) << 24;

    ::mlir::DenseElementsAttr getDenseMatrix() {
      return ::llvm::cast<::mlir::DenseElementsAttr>(getMatrix());
    }
    int64_t getNumRows() { return getMatrix().getShapedType().getDimSize(0); }
    int64_t getNumColumns() { return getMatrix().getShapedType().getDimSize(1); }

    /// What a point may read, relative to it, both ends included.
    int64_t getLower() { return getFromAttr().getInt() - (getNumRows() - 1); }
    int64_t getUpper() { return getFromAttr().getInt() + getNumColumns() - 1; }
  }];
  let extraClassDefinition = [{
    bool $cppClass::readsComputedPoints() { return true; }
  }];
}

def Stencil_IndexOp : Stencil_Op<"index", [
    Pure, Stencil_InBody,
    DeclareOpInterfaceMethods<Stencil_PlacedOpInterface, ["usesCoordinate"]>]> {
  let summary = "the coordinate of this point along an axis, plus an offset";
  let description = [{
    `%i = stencil.index 0 <[-1, 0]>` is the coordinate along axis 0, less one.

    Constraints: within an apply; the axis and the offset fit its rank.
  }];
  let arguments = (ins IndexAttr:$dim, Stencil_IndexAttr:$offset);
  let results = (outs Index:$idx);
  let builders = [OpBuilder<(ins "int64_t":$axis,
                                 "::llvm::ArrayRef<int64_t>":$offset), [{
    build($_builder, $_state, ::llvm::APInt(64, axis),
          IndexAttr::get($_builder.getContext(), offset));
  }]>];
  let assemblyFormat = "$dim $offset attr-dict-with-keyword";
  let hasVerifier = 1;
  let extraClassDefinition = [{
    bool $cppClass::usesCoordinate(::std::optional<int64_t> axis) {
      return !axis || *axis == getDim().getSExtValue();
    }
  }];
}

def Stencil_StoreResultOp : Stencil_Op<"store_result", [Pure, Stencil_InBody]> {
  let summary = "wraps the value to be stored at a point, or nothing";
  let description = [{
    `%r = stencil.store_result %v : !stencil.result<f64>`, or, to leave what the
    stored-to field has at this point, `%r = stencil.store_result : !stencil.result<f64>`.

    Constraints: within an apply; the operand, if any, has the type wrapped.
  }];
  let arguments = (ins Optional<AnyType>:$arg);
  let results = (outs Stencil_Result:$res);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
}

def Stencil_CombineOp : Stencil_Op<"combine", [
    Pure, AttrSizedOperandSegments, Stencil_HandlesValues,
    Stencil_ForwardsValues]> {
  let summary = "joins two values along an axis";
  let description = [{
    ```mlir
    %r = stencil.combine 0 at 11 lower = (%a : T) upper = (%b : T) : T
    ```
    has the values of %a below coordinate 11 of axis 0 and those of %b from there
    on. Operands in `lowerext` and `upperext` pass through: they are defined on
    the lower, respectively upper, side only. Results: one per pair, then those
    of `lowerext`, then those of `upperext`.

    Constraints: as many `lower` as `upper`; one result per pair and extra
    operand; same rank and element type; the axis is within the rank.
  }];
  let arguments = (ins IndexAttr:$dim, IndexAttr:$index,
                       Variadic<Stencil_Temp>:$lower,
                       Variadic<Stencil_Temp>:$upper,
                       Variadic<Stencil_Temp>:$lowerext,
                       Variadic<Stencil_Temp>:$upperext);
  let results = (outs Variadic<Stencil_Temp>:$results_);
  let assemblyFormat = [{
    $dim `at` $index `lower` `=` `(` $lower `:` type($lower) `)`
    `upper` `=` `(` $upper `:` type($upper) `)`
    (`lowerext` `=` $lowerext^ `:` type($lowerext))?
    (`upperext` `=` $upperext^ `:` type($upperext))?
    attr-dict-with-keyword `:` type($results_)
  }];
  let hasVerifier = 1;
  let hasFolder = 1;
}

def Stencil_BufferOp : Stencil_Op<"buffer", [
    Pure, Stencil_HandlesValues, Stencil_ForwardsValues]> {
  let summary = "a value that is to be in memory: keeps applies from being fused across it";
  let description = [{
    `%b = stencil.buffer %t : !stencil.temp<?x?xf64> -> !stencil.temp<?x?xf64>`

    What else reads the operand may compute it again.

    Constraints: same bounds and element type; the operand comes from an apply
    or a combine. xDSL has another one, that only buffers use the operand; it
    would not outlive CSE, which makes one of two equal applies of which one is
    buffered.
  }];
  let arguments = (ins Stencil_Temp:$temp);
  let results = (outs Stencil_FieldOrTemp:$res);
  let assemblyFormat = "$temp attr-dict-with-keyword `:` type($temp) `->` type($res)";
  let hasVerifier = 1;
}

#endif // STENCILDIALECT_IR_VALUEOPS_TD
