func.func @dynamic(%t: !stencil.temp<?x?xf64>, %f: !stencil.field<?x?xf64>) {
  %r = stencil.apply(%x = %t : !stencil.temp<?x?xf64>, %y = %f : !stencil.field<?x?xf64>) -> (!stencil.temp<?x?xf64>) {
    %i = stencil.index 0 <[0, 0]>
    %j = stencil.index 1 <[0, 1]>
    %a = stencil.dyn_access %x[%i, %j] in <[-1, 0]> : <[1, 2]> : !stencil.temp<?x?xf64>
    %b = stencil.dyn_access %y[%i, %i] in <[0, 0]> : <[0, 0]> attributes {name = "x"} : !stencil.field<?x?xf64>
    %c = arith.addf %a, %b : f64
    stencil.return %c : f64
  }
  return
}
