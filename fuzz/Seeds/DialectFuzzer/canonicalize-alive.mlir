func.func @alive(%f: !stencil.field<[0,8]xf64>, %m: memref<8xf64>) {
  stencil.apply() outs (%f : !stencil.field<[0,8]xf64>) {
    %c = arith.constant 1.0 : f64
    stencil.return %c : f64
  } to <[1], [7]>
  stencil.boundary %f(<[1], [7]>) [#stencil.periodic] : !stencil.field<[0,8]xf64>
  stencil.external_store %f to %m : !stencil.field<[0,8]xf64> to memref<8xf64>
  %r = stencil.apply(%x = %m : memref<8xf64>) -> (!stencil.temp<[0,8]xf64>) {
    %c = arith.constant 1.0 : f64
    %i = stencil.index 0 <[0]>
    memref.store %c, %x[%i] : memref<8xf64>
    stencil.return %c : f64
  }
  return
}
