func.func @one_axis(%t: !stencil.temp<?xf64>, %k: f64) {
  %r = stencil.apply(%x = %t : !stencil.temp<?xf64>, %c = %k : f64) -> (!stencil.temp<?xf64>) {
    %l = stencil.access %x[-1] : !stencil.temp<?xf64>
    %p = arith.mulf %l, %c : f64
    stencil.return %p : f64
  }
  return
}
