// Steps on any number of points: u and v swap in every step.
!field = !stencil.field<[-1,?+1]x[-2,?+2]xf64>
!temp = !stencil.temp<?x?xf64>

func.func @smooth(%u_: !stencil.field<?x?xf64>, %v_: !stencil.field<?x?xf64>, %steps: index) {
  %u0 = stencil.cast %u_ : !stencil.field<?x?xf64> -> !field
  %v0 = stencil.cast %v_ : !stencil.field<?x?xf64> -> !field
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %r:2 = scf.for %i = %zero to %steps step %one iter_args(%u = %u0, %v = %v0) -> (!field, !field) {
    %t = stencil.load %u : !field -> !temp
    %s = stencil.apply(%x = %t : !temp) -> (!temp) {
      %a = stencil.access %x[-1, 0] : !temp
      %b = stencil.access %x[1, 2] : !temp
      %c = stencil.access %x[0, -2] : !temp
      %k = arith.constant 0.3 : f64
      %0 = arith.addf %a, %b : f64
      %1 = arith.addf %0, %c : f64
      %2 = arith.mulf %k, %1 : f64
      stencil.return %2 : f64
    }
    stencil.store %s to %v(<[0, 0], [?, ?]>) : !temp to !field
    scf.yield %v, %u : !field, !field
  }
  return
}
