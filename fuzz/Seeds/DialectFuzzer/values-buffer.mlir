func.func @buffer() {
  %a:2 = stencil.apply() -> (!stencil.temp<?xf64>, !stencil.temp<?xf64>) {
    %c = arith.constant 1.0 : f64
    stencil.return %c, %c : f64, f64
  }
  %b = stencil.buffer %a#0 : !stencil.temp<?xf64> -> !stencil.temp<?xf64>
  %c = stencil.buffer %a#0 attributes {name = "x"} : !stencil.temp<?xf64> -> !stencil.temp<?xf64>
  %d = stencil.combine 0 at 3 lower = (%b : !stencil.temp<?xf64>) upper = (%c : !stencil.temp<?xf64>) : !stencil.temp<?xf64>
  %e = stencil.buffer %d : !stencil.temp<?xf64> -> !stencil.temp<?xf64>
  return
}
