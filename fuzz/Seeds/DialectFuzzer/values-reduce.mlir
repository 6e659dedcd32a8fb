func.func @reduce(%a: f64, %b: f64) {
  stencil.reduce %a init %b {
  ^bb0(%x: f64, %y: f64):
    %s = arith.addf %x, %y : f64
    stencil.yield %s : f64
  } {name = "x"} : f64
  return
}
