func.func @store_result(%t: !stencil.temp<?xf64>, %p: i1) {
  %r:2 = stencil.apply(%x = %t : !stencil.temp<?xf64>, %q = %p : i1) -> (!stencil.temp<?xf64>, !stencil.temp<?xf64>) {
    %a = stencil.access %x[0] : !stencil.temp<?xf64>
    %b = scf.if %q -> (!stencil.result<f64>) {
      %c = stencil.store_result %a : !stencil.result<f64>
      scf.yield %c : !stencil.result<f64>
    } else {
      %c = stencil.store_result : !stencil.result<f64>
      scf.yield %c : !stencil.result<f64>
    }
    %d = stencil.store_result %a attributes {name = "x"} : !stencil.result<f64>
    stencil.return %b, %d : !stencil.result<f64>, !stencil.result<f64>
  }
  return
}
