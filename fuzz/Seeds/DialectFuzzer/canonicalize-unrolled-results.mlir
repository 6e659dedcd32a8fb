func.func @unrolled_results(%a: f64) -> (!stencil.temp<[0,8]xf64>, !stencil.temp<[0,8]xf64>, !stencil.temp<[0,8]xf64>) {
  %r:4 = stencil.apply(%x = %a : f64) -> (!stencil.temp<[0,8]xf64>, !stencil.temp<[0,8]xf64>, !stencil.temp<[0,8]xf64>, !stencil.temp<[0,8]xf64>) {
    %n = arith.negf %x : f64
    stencil.return %x, %n, %n, %n, %x, %x, %x, %n unroll <[2]> : f64, f64, f64, f64, f64, f64, f64, f64
  }
  return %r#0, %r#2, %r#3 : !stencil.temp<[0,8]xf64>, !stencil.temp<[0,8]xf64>, !stencil.temp<[0,8]xf64>
}
