func.func @constants(%a: !stencil.temp<?xf64>) -> !stencil.temp<?xf64> {
  %two = arith.constant 2.0 : f64
  %three = arith.constant 3.0 : f64
  %r = stencil.apply(%x = %a : !stencil.temp<?xf64>, %y = %two : f64, %z = %three : f64) -> (!stencil.temp<?xf64>) {
    %c = arith.mulf %y, %z : f64
    %v = stencil.access %x[0] : !stencil.temp<?xf64>
    %p = arith.mulf %v, %c : f64
    stencil.return %p : f64
  }
  return %r : !stencil.temp<?xf64>
}
