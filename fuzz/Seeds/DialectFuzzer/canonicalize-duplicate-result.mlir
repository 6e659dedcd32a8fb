func.func @duplicate_result(%a: f64) -> (!stencil.temp<?xf64>, !stencil.temp<?xf64>, !stencil.temp<?xf64>) {
  %r:3 = stencil.apply(%x = %a : f64) -> (!stencil.temp<?xf64>, !stencil.temp<?xf64>, !stencil.temp<?xf64>) {
    %n = arith.negf %x : f64
    stencil.return %x, %n, %x : f64, f64, f64
  }
  return %r#1, %r#0, %r#2 : !stencil.temp<?xf64>, !stencil.temp<?xf64>, !stencil.temp<?xf64>
}
