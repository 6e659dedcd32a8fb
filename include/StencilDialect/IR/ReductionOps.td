//===- ReductionOps.td - One number of many points ---------*- tablegen -*-===//
//
// Included by StencilOps.td, which defines what all ops share.
//
//===----------------------------------------------------------------------===//

#ifndef STENCILDIALECT_IR_REDUCTIONOPS_TD
#define STENCILDIALECT_IR_REDUCTIONOPS_TD

def Stencil_FoldOp : Stencil_Op<"fold", [
    AlwaysSpeculatable, Stencil_HandlesValues,
    DeclareOpInterfaceMethods<InferTypeOpInterface>,
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
    AllTypesMatch<["acc", "init"]>, SingleBlock, Stencil_HasScalarBody]> {
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

#endif // STENCILDIALECT_IR_REDUCTIONOPS_TD
