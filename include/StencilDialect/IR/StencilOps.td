//===- StencilOps.td - Operations of the stencil dialect ----*- tablegen -*-===//

#ifndef STENCILDIALECT_IR_STENCILOPS_TD
#define STENCILDIALECT_IR_STENCILOPS_TD

include "StencilDialect/IR/StencilAttrs.td"
include "StencilDialect/IR/StencilTypes.td"
include "mlir/Dialect/Arith/IR/ArithBase.td"
include "mlir/Dialect/Arith/IR/ArithOpsInterfaces.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "mlir/IR/BuiltinTypes.td"
include "mlir/IR/CommonAttrConstraints.td"
include "mlir/IR/RegionKindInterface.td"

class Stencil_Op<string opMnemonic, list<Trait> traits = []>
    : Op<Stencil_Dialect, opMnemonic, traits>;

// Constraints of C++ type mlir::Type, so that types are printed with their
// full name, as xDSL expects.
class Stencil_IsA<string cppName, string summary>
    : Type<CPred<"::llvm::isa<::stencil::" # cppName # ">($_self)">, summary>;
def Stencil_Field : Stencil_IsA<"FieldType", "stencil.field">;
def Stencil_Temp : Stencil_IsA<"TempType", "stencil.temp">;
def Stencil_Result : Stencil_IsA<"ResultType", "stencil.result">;
def Stencil_FieldOrTemp : AnyTypeOf<[Stencil_Field, Stencil_Temp],
    "stencil.field or stencil.temp">;

/// The result has the element type of a field or temp operand.
class ElementTypeOf<string grid, string value>
    : TypesMatchWith<"type of " # value # " to be the element type of " # grid,
                     grid, value,
                     "::mlir::cast<::stencil::GridType>($_self).getElementType()">;

//===----------------------------------------------------------------------===//
// Fields
//===----------------------------------------------------------------------===//

def Stencil_CastOp : Stencil_Op<"cast", [NoMemoryEffect]> {
  let summary = "gives a field of unknown bounds its bounds";
  let description = [{
    ```mlir
    %f = stencil.cast %a : !stencil.field<?x?xf64> -> !stencil.field<[-4,68]x[-4,68]xf64>
    %g = stencil.cast %b : !stencil.field<?x?xf64> -> !stencil.field<[-4,?+4]x[-4,?+4]xf64>
    ```
    The extents of the operand must be those of the result: at compile time if
    the operand has bounds, at run time otherwise. A result with bounds
    relative to the extents (`?+4`) binds them: here N0 is the extent of axis 0
    less 8. All casts of a function must agree on them.

    Constraints: same rank; same element type; bounds of the operand, if any,
    equal those of the result.
  }];
  let arguments = (ins Stencil_Field:$field);
  let results = (outs Stencil_Field:$result);
  let assemblyFormat = "$field attr-dict-with-keyword `:` type($field) `->` type($result)";
  let hasVerifier = 1;
  let hasFolder = 1;
}

def Stencil_AllocOp : Stencil_Op<"alloc"> {
  let summary = "allocates a field";
  let description = [{
    Its contents are undefined until stored. Example:
    `%f = stencil.alloc : !stencil.field<[0,64]x[0,64]xf64>`

    Constraint: the field has bounds.
  }];
  let results = (outs Res<Stencil_Field, "", [MemAlloc]>:$field);
  let assemblyFormat = "attr-dict `:` type($field)";
  let hasVerifier = 1;
}

def Stencil_ExternalLoadOp : Stencil_Op<"external_load"> {
  let summary = "makes a field of foreign storage, such as a memref";
  let description = [{
    The field and the operand are the same memory. Example:
    `%f = stencil.external_load %m : memref<72x72xf64> -> !stencil.field<[-4,68]x[-4,68]xf64>`

    Constraint: a memref operand and a field result have the same rank,
    element type and, where static, extents.
  }];
  let arguments = (ins AnyType:$field);
  let results = (outs AnyTypeOf<[Stencil_Field, AnyMemRef]>:$result);
  let assemblyFormat = "$field attr-dict-with-keyword `:` type($field) `->` type($result)";
  let hasVerifier = 1;
}

def Stencil_ExternalStoreOp : Stencil_Op<"external_store"> {
  let summary = "writes a field to foreign storage, such as a memref";
  let description = [{
    Nothing is copied if the field was made of that very storage. Example:
    `stencil.external_store %f to %m : !stencil.field<[-4,68]x[-4,68]xf64> to memref<72x72xf64>`
  }];
  let arguments = (ins Stencil_Field:$temp, AnyType:$field);
  let assemblyFormat = "$temp `to` $field attr-dict-with-keyword `:` type($temp) `to` type($field)";
  let hasVerifier = 1;
}

def Stencil_LoadOp : Stencil_Op<"load"> {
  let summary = "the value of a field at this moment";
  let description = [{
    A snapshot: later stores to the field do not change the value. Example:
    `%t = stencil.load %f : !stencil.field<[-4,68]x[-4,68]xf64> -> !stencil.temp<?x?xf64>`

    Constraints: the field has bounds; same rank and element type; the box of
    the result, if known, lies in the field.
  }];
  let arguments = (ins Arg<Stencil_Field, "", [MemRead]>:$field);
  let results = (outs Stencil_Temp:$res);
  let assemblyFormat = "$field attr-dict-with-keyword `:` type($field) `->` type($res)";
  let hasVerifier = 1;
}

def Stencil_StoreOp : Stencil_Op<"store"> {
  let summary = "writes a value to a box of a field";
  let description = [{
    Example:
    `stencil.store %t to %f(<[0, 0], [64, 64]>) : !stencil.temp<?x?xf64> to !stencil.field<[-4,68]x[-4,68]xf64>`

    The bounds of stores are the only demand from which `stencil-infer-shapes`
    infers the boxes of values.

    Constraints: the field has bounds; same rank and element type; the box lies
    in the field, and in the box of the value, if known.
  }];
  let arguments = (ins Stencil_Temp:$temp,
                       Arg<Stencil_Field, "", [MemWrite]>:$field,
                       Stencil_BoundsAttr:$bounds);
  let assemblyFormat = [{
    $temp `to` $field `` `(` $bounds `)` attr-dict-with-keyword `:` type($temp) `to` type($field)
  }];
  let hasVerifier = 1;
}

def Stencil_BoundaryOp : Stencil_Op<"boundary"> {
  let summary = "gives the halo of a field its values";
  let description = [{
    ```mlir
    stencil.boundary %f(<[0, 0], [64, 64]>) [#stencil.periodic, #stencil.dirichlet<0.0> | #stencil.neumann] : !stencil.field<[-4,68]x[-4,68]xf64>
    ```
    The box is the interior; what the field has beyond it is its halo. There is
    one entry per axis: a condition for both sides, or `lower | upper`. Axes are
    filled in order: the halo of axis d is filled over the full extents of the
    axes before it and over the interior of the axes after it, so that edges and
    corners are defined.

    Constraints: one entry per axis; the box lies in the field; periodic on both
    sides or none; the interior is wide enough for what a condition reads
    (symmetric and antisymmetric: halo + 1, extrapolate: order + 1 points);
    conditions need an integer or floating-point element type.
  }];
  let arguments = (ins Arg<Stencil_Field, "", [MemRead, MemWrite]>:$field,
                       Stencil_BoundsAttr:$bounds,
                       ArrayAttr:$conditions);
  let assemblyFormat = [{
    $field `` `(` $bounds `)` custom<Conditions>($conditions) attr-dict-with-keyword `:` type($field)
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    /// Condition of the lower or upper side of an axis.
    ::mlir::Attribute getCondition(int64_t axis, bool upper) {
      return getConditions()[2 * axis + (upper ? 1 : 0)];
    }
  }];
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

def Stencil_ApplyOp : Stencil_Op<"apply", [
    IsolatedFromAbove, AttrSizedOperandSegments, SingleBlock,
    RecursiveMemoryEffects,
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

    bool isBufferised() { return !getDest().empty(); }

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
  let hasVerifier = 1;
}

def Stencil_AccessOp : Stencil_Op<"access", [Pure]> {
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
                   CArg<"::stencil::IndexAttr", "{}">:$mapping)>
  ];
  let extraClassDeclaration = [{
    /// Axis of the apply for every axis of the input.
    ::llvm::SmallVector<int64_t> getAxes();
  }];
}

def Stencil_WeightedSumOp : Stencil_Op<"weighted_sum", [
    Pure, DeclareOpInterfaceMethods<ArithFastMathInterface>]> {
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
    NoMemoryEffect, ElementTypeOf<"temp", "res">]> {
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
}

def Stencil_IndexOp : Stencil_Op<"index", [Pure]> {
  let summary = "the coordinate of this point along an axis, plus an offset";
  let description = [{
    `%i = stencil.index 0 <[-1, 0]>` is the coordinate along axis 0, less one.

    Constraints: within an apply; the axis and the offset fit its rank.
  }];
  let arguments = (ins IndexAttr:$dim, Stencil_IndexAttr:$offset);
  let results = (outs Index:$idx);
  let assemblyFormat = "$dim $offset attr-dict-with-keyword";
  let hasVerifier = 1;
}

def Stencil_StoreResultOp : Stencil_Op<"store_result", [Pure]> {
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

def Stencil_CombineOp : Stencil_Op<"combine", [Pure, AttrSizedOperandSegments]> {
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

def Stencil_BufferOp : Stencil_Op<"buffer", [Pure]> {
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

//===----------------------------------------------------------------------===//
// Reductions
//===----------------------------------------------------------------------===//

def Stencil_FoldOp : Stencil_Op<"fold", [
    AlwaysSpeculatable, DeclareOpInterfaceMethods<InferTypeOpInterface>,
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "reduces a value over a box to a scalar";
  let description = [{
    ```mlir
    %m = stencil.fold %t(<[0, 0], [64, 64]>) max : !stencil.temp<?x?xf64>
    %e = stencil.fold %u, %v(<[0, 0], [64, 64]>) rms : !stencil.temp<?x?xf64>, !stencil.temp<?x?xf64>
    ```
    Kinds: `max`, `min`, `sum`, and `rms`, the root of the mean of squares. With
    several operands, the length of the vector (u, v, ...) is folded. NaN
    propagates through `max` and `min`. The order of a sum is not specified; it
    does not change from run to run. (Astaroth's acReduceScal, acReduceVec.)
    An operand may be a field: then its contents at this moment are folded.

    Constraints: at least one operand; all of one rank and element type, integer
    or floating point; `rms` and lengths need floating point; the box lies in
    the boxes of the operands, where known.
  }];
  let arguments = (ins Variadic<Stencil_FieldOrTemp>:$temps,
                       Stencil_BoundsAttr:$bounds, Stencil_FoldKind:$kind);
  let results = (outs AnyType:$res);
  let assemblyFormat = [{
    $temps `` `(` $bounds `)` $kind attr-dict-with-keyword `:` type($temps)
  }];
  let hasVerifier = 1;
}

def Stencil_ReduceOp : Stencil_Op<"reduce", [
    AllTypesMatch<["acc", "init"]>, SingleBlock]> {
  let summary = "accumulates values across iterations (xDSL)";
  let description = [{
    ```mlir
    stencil.reduce %a init %b {
    ^bb0(%x: f64, %y: f64):
      %s = arith.addf %x, %y : f64
      stencil.yield %s : f64
    } : f64
    ```
    Kept for exchange with xDSL, which gives it no result. Use `stencil.fold` to
    compute with a reduction.

    Constraints: the body has two arguments of the operands' type and yields
    that type.
  }];
  let arguments = (ins AnyType:$acc, AnyType:$init);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = "$acc `init` $init $body attr-dict `:` type($acc)";
  let hasRegionVerifier = 1;
}

def Stencil_YieldOp : Stencil_Op<"yield", [
    Pure, Terminator, HasParent<"ReduceOp">]> {
  let summary = "ends the body of stencil.reduce";
  let arguments = (ins AnyType:$operand);
  let assemblyFormat = "$operand attr-dict `:` type($operand)";
}

include "StencilDialect/IR/PipelineOps.td"

#endif // STENCILDIALECT_IR_STENCILOPS_TD
