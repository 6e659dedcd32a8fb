// Diffusion that stops at edges: a coefficient that falls with the gradient, which is to be in memory, then the update. The halo is kept.

!field = !stencil.field<[-2,?+2]x[-2,?+2]xf64>
!temp = !stencil.temp<?x?xf64>

func.func @edges(%a: !field, %b: !field, %n: index) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %r:2 = scf.for %i = %zero to %n step %one iter_args(%u = %a, %v = %b) -> (!field, !field) {
    %t = stencil.load %u : !field -> !temp
    %g = stencil.apply(%x = %t : !temp) -> (!temp) {
      %n = stencil.access %x[-1, 0] : !temp
      %s = stencil.access %x[1, 0] : !temp
      %w = stencil.access %x[0, -1] : !temp
      %e = stencil.access %x[0, 1] : !temp
      %dy = arith.subf %s, %n : f64
      %dx = arith.subf %e, %w : f64
      %yy = arith.mulf %dy, %dy : f64
      %xx = arith.mulf %dx, %dx : f64
      %square = arith.addf %yy, %xx : f64
      %unit = arith.constant 1.0 : f64
      %more = arith.addf %square, %unit : f64
      %coefficient = arith.divf %unit, %more : f64
      stencil.return %coefficient : f64
    }
    %k = stencil.buffer %g : !temp -> !temp
    %new = stencil.apply(%x = %t : !temp, %c = %k : !temp) -> (!temp) {
      %here = stencil.access %x[0, 0] : !temp
      %n = stencil.access %x[-1, 0] : !temp
      %e = stencil.access %x[0, 1] : !temp
      %cn = stencil.access %c[-1, 0] : !temp
      %ce = stencil.access %c[0, 1] : !temp
      %dn = arith.subf %n, %here : f64
      %de = arith.subf %e, %here : f64
      %fn = arith.mulf %cn, %dn : f64
      %fe = arith.mulf %ce, %de : f64
      %sum = arith.addf %fn, %fe : f64
      %dt = arith.constant 0.2 : f64
      %change = arith.mulf %dt, %sum : f64
      %after = arith.addf %here, %change : f64
      stencil.return %after : f64
    }
    stencil.store %new to %v(<[0, 0], [?, ?]>) : !temp to !field
    scf.yield %v, %u : !field, !field
  }
  return
}
