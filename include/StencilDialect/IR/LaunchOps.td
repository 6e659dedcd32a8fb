//===- LaunchOps.td - Kernels as the host sees them --------*- tablegen -*-===//
//
// Between levels 4 and 5: kernels exist, what they work on are still the fields
// of the program. These ops say all that the host has to know of a kernel:
// stencil-distribute-tiles makes them, stencil-place-fields gives fields
// memory on the device and replaces them. Included by StencilOps.td, which
// defines what all ops share.
//
//===----------------------------------------------------------------------===//

#ifndef STENCILDIALECT_IR_LAUNCHOPS_TD
#define STENCILDIALECT_IR_LAUNCHOPS_TD

def Stencil_LaunchOp : Stencil_Op<"launch", [
    DeclareOpInterfaceMethods<SymbolUserOpInterface>,
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "runs a kernel on fields of the program";
  let description = [{
    ```mlir
    stencil.launch @f_kernels::@f_pipeline0 blocks(%n) threads [64, 4, 1] shared 4096 align 16
        args(%u : !stencil.field<[-1,65]x[-4,68]xf64> read, %v : !stencil.field<[0,64]x[0,64]xf64> write, %c : f64)
    ```
    There are `%n` blocks of `threads` (x, y, z), which have `shared` bytes of
    memory each beside what the kernel itself says. There is one argument for
    each of the kernel: a field is a linear buffer there, a memref of its
    elements, or of rank 0 if its size is known at run time only (see
    `stencil.buffer_size`). All other arguments have the kernel's types.

    `read`, `write` and `readwrite` say what the kernel does with the memory of
    an argument: every field and memref has one of them. Arrays of the caller
    have to be aligned to `align` bytes, for the vectors and tensor maps of the
    kernel. Launches are ordered as the program has them; the host does not wait
    for them.

    Constraints: the kernel exists, has the attribute `gpu.kernel`, and has these
    arguments; fields have bounds; three extents of `threads`, at least 1;
    `shared` at least 0; `align` a power of two.
  }];
  let arguments = (ins SymbolRefAttr:$kernel, Index:$blocks,
                       DenseI64ArrayAttr:$threads,
                       DefaultValuedAttr<I64Attr, "0">:$shared,
                       DefaultValuedAttr<I64Attr, "1">:$alignment,
                       Variadic<AnyType>:$args, DenseI32ArrayAttr:$access);
  let assemblyFormat = [{
    $kernel `blocks` `(` $blocks `)` `threads` $threads (`shared` $shared^)?
    (`align` $alignment^)? `args` `` custom<LaunchArguments>($args, type($args), $access)
    attr-dict-with-keyword
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    /// What the kernel does with the memory of argument `index`.
    ::stencil::KernelAccess getAccessTo(unsigned index) {
      return static_cast<::stencil::KernelAccess>(getAccess()[index]);
    }
  }];
}

def Stencil_ExtentOp : Stencil_Op<"extent", [Pure]> {
  let summary = "the number of interior points along an axis";
  let description = [{
    ```mlir
    %n = stencil.extent 0
    ```
    N0, to which the bounds of the function's fields are relative: an index. A
    field argument or a `stencil.cast` before has bound it.
  }];
  let arguments = (ins ConfinedAttr<I64Attr, [IntNonNegative]>:$axis);
  let results = (outs Index:$res);
  let assemblyFormat = "$axis attr-dict-with-keyword";
}

def Stencil_BufferSizeOp : Stencil_Op<"buffer_size", [Pure]> {
  let summary = "the elements of a field's memory on the device";
  let description = [{
    ```mlir
    %n = stencil.buffer_size %u : !stencil.field<[-1,?+1]x[-4,?+4]xf64>
    ```
    An index: halo and what pads rows are part of it. Kernels are given it with
    fields whose extents are known at run time only.

    Constraint: the field has bounds.
  }];
  let arguments = (ins Stencil_Field:$field);
  let results = (outs Index:$res);
  let assemblyFormat = "$field attr-dict-with-keyword `:` type($field)";
  let hasVerifier = 1;
}

def Stencil_TensorMapOp : Stencil_Op<"tensor_map", [Pure]> {
  let summary = "what NVIDIA's copy engine has to know of a field";
  let description = [{
    ```mlir
    %m = stencil.tensor_map %u : !stencil.field<[-1,65]x[-4,68]xf64> -> !nvgpu.tensormap.descriptor<tensor = memref<10x72xf64, 3>, swizzle = none, l2promo = l2promo_128b, oob = zero, interleave = none>
    ```
    A kernel that is given the result copies boxes of the descriptor's shape
    from the field to shared memory. Coordinates count from the lower bounds of
    the field; along the last axis, from the beginning of a row in memory, which
    may be before that.

    ```mlir
    %m = stencil.tensor_map %u segment 8 : !stencil.field<[-4,1028]xf64> -> !nvgpu.tensormap.descriptor<tensor = memref<34x12xf64, 3>, swizzle = none, l2promo = l2promo_128b, oob = zero, interleave = none>
    ```
    With `segment S` boxes have an axis more, before the last: of segments of a
    row, each of which begins S points behind the one before it. They may
    overlap: here, 34 segments have 12 points each, of which the last 4 are the
    first of the next segment, too. All coordinates of this axis are 0; boxes
    that do not lie within rows are copied by threads.

    Constraints: the field has bounds, a constant one below along the last axis,
    and at most 5 axes; the descriptor has its rank, one more with `segment`,
    but at most 5, and its element type, boxes of 1 to 256 points along each
    axis, and rows of a multiple of 16 bytes, as `segment` is.
  }];
  let arguments = (ins Stencil_Field:$field, OptionalAttr<I64Attr>:$segment);
  let results = (outs AnyType:$map);
  let assemblyFormat = "$field (`segment` $segment^)? attr-dict-with-keyword `:` type($field) `->` type($map)";
  let hasVerifier = 1;
}

def Stencil_ScratchOp : Stencil_Op<"scratch"> {
  let summary = "memory of the device for what kernels hand each other";
  let description = [{
    ```mlir
    %p = stencil.scratch : memref<2048xf64>
    ```
    Lives until the function returns; there is one for each such op, however
    often it is passed. Its contents are undefined until a kernel writes them.

    Constraint: a memref of static shape, without a layout or a memory space.
  }];
  let results = (outs Res<AnyMemRef, "", [MemAlloc]>:$memory);
  let assemblyFormat = "attr-dict-with-keyword `:` type($memory)";
  let hasVerifier = 1;
}

def Stencil_ErrorWordOp : Stencil_Op<"error_word"> {
  let summary = "where kernels write down what only shows at run time";
  let description = [{
    ```mlir
    %e = stencil.error_word ["f.mlir:3:5: division by zero", "f.mlir:4:5: out of range"] : memref<1xi32>
    ```
    Memory of the device that is 0 when the function begins. A kernel that finds
    an error stores the number of its message there, the first of them is 1.
    When the function is about to return, the host waits for the device and
    reports that message.

    Constraint: a memref<1xi32>.
  }];
  let arguments = (ins StrArrayAttr:$messages);
  let results = (outs Res<AnyMemRef, "", [MemAlloc]>:$word);
  let assemblyFormat = "$messages attr-dict-with-keyword `:` type($word)";
  let hasVerifier = 1;
}

def Stencil_FetchOp : Stencil_Op<"fetch", [
    TypesMatchWith<"type of the result to be the element type of the memory",
                   "memory", "res",
                   "::mlir::cast<::mlir::MemRefType>($_self).getElementType()">]> {
  let summary = "what kernels have computed, for the host";
  let description = [{
    ```mlir
    %r = stencil.fetch %p : memref<1xf64>
    ```
    The only element of memory of the device. The host waits for it.

    Constraint: a memref of one element.
  }];
  let arguments = (ins Arg<AnyStaticShapeMemRef, "", [MemRead]>:$memory);
  let results = (outs AnyType:$res);
  let assemblyFormat = "$memory attr-dict-with-keyword `:` type($memory)";
  let hasVerifier = 1;
}

#endif // STENCILDIALECT_IR_LAUNCHOPS_TD
