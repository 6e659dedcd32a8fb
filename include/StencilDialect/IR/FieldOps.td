//===- FieldOps.td - Fields in memory, and their boundaries *- tablegen -*-===//
//
// Included by StencilOps.td, which defines what all ops share.
//
//===----------------------------------------------------------------------===//

#ifndef STENCILDIALECT_IR_FIELDOPS_TD
#define STENCILDIALECT_IR_FIELDOPS_TD

def Stencil_CastOp : Stencil_Op<"cast", [NoMemoryEffect, Stencil_FieldView]> {
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

def Stencil_ExternalLoadOp : Stencil_Op<"external_load", [Stencil_FieldView]> {
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

def Stencil_LoadOp : Stencil_Op<"load", [Stencil_HandlesValues]> {
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
  // The box of the value is not known.
  let builders = [OpBuilder<(ins "::mlir::Value":$field)>];
  let hasVerifier = 1;
}

def Stencil_StoreOp : Stencil_Op<"store", [Stencil_HandlesValues]> {
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

#endif // STENCILDIALECT_IR_FIELDOPS_TD
