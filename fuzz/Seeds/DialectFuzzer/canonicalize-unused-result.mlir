func.func @unused_result(%a: f64, %b: f64) -> (!stencil.temp<?xf64>, !stencil.temp<?xi1>) {
  %r:3 = stencil.apply(%x = %a : f64, %y = %b : f64) -> (!stencil.temp<?xf64>, !stencil.temp<?xf64>, !stencil.temp<?xi1>) attributes {name = "kept"} {
    %s = arith.addf %x, %y : f64
    %c = arith.cmpf olt, %x, %y : f64
    stencil.return %x, %s, %c : f64, f64, i1
  }
  return %r#0, %r#2 : !stencil.temp<?xf64>, !stencil.temp<?xi1>
}
