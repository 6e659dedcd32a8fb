// Devito's acoustic wave in FP32, second order in time and space, as it is
// written there: r0 = dt^-2 is 1.0e8, r1 to r2 are the inverse squares of the
// spacings, m the squared slowness, damp the sponge.
!field = !stencil.field<[-2,62]x[-2,62]xf32>
!temp = !stencil.temp<?x?xf32>
func.func @acoustic(%u0: !field, %u1: !field, %u2: !field, %m: !field, %damp: !field, %steps: index) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %r:3 = scf.for %i = %zero to %steps step %one iter_args(%old = %u0, %now = %u1, %new = %u2) -> (!field, !field, !field) {
    %t0 = stencil.load %old : !field -> !temp
    %t1 = stencil.load %now : !field -> !temp
    %tm = stencil.load %m : !field -> !temp
    %td = stencil.load %damp : !field -> !temp
    %s = stencil.apply(%o = %t0 : !temp, %u = %t1 : !temp, %vm = %tm : !temp, %vd = %td : !temp) -> (!temp) {
      %r0 = arith.constant 1.0e8 : f32
      %r1 = arith.constant 1.0e4 : f32
      %r2 = arith.constant 1.0e-2 : f32
      %minus2 = arith.constant -2.0 : f32
      %c = stencil.access %u[0, 0] : !temp
      %p = stencil.access %o[0, 0] : !temp
      %slow = stencil.access %vm[0, 0] : !temp
      %d = stencil.access %vd[0, 0] : !temp
      %xl = stencil.access %u[-1, 0] : !temp
      %xr = stencil.access %u[1, 0] : !temp
      %yl = stencil.access %u[0, -1] : !temp
      %yr = stencil.access %u[0, 1] : !temp
      %c2 = arith.mulf %minus2, %c : f32
      // The time derivative: r0 * (-2 u + u_old).
      %a0 = arith.mulf %r0, %c2 : f32
      %a1 = arith.mulf %r0, %p : f32
      %a2 = arith.addf %a0, %a1 : f32
      %a3 = arith.negf %slow : f32
      %a4 = arith.mulf %a3, %a2 : f32
      %rd = arith.mulf %r1, %d : f32
      %a5 = arith.mulf %rd, %c : f32
      // The Laplacian.
      %b0 = arith.mulf %r2, %c2 : f32
      %x0 = arith.mulf %r2, %xl : f32
      %x1 = arith.mulf %r2, %xr : f32
      %x2 = arith.addf %b0, %x0 : f32
      %x3 = arith.addf %x2, %x1 : f32
      %y0 = arith.mulf %r2, %yl : f32
      %y1 = arith.mulf %r2, %yr : f32
      %y2 = arith.addf %b0, %y0 : f32
      %y3 = arith.addf %y2, %y1 : f32
      %lap = arith.addf %x3, %y3 : f32
      %s0 = arith.addf %a5, %a4 : f32
      %s1 = arith.addf %s0, %lap : f32
      %n0 = arith.mulf %r0, %slow : f32
      %n1 = arith.addf %n0, %rd : f32
      %v = arith.divf %s1, %n1 : f32
      stencil.return %v : f32
    }
    stencil.store %s to %new(<[0, 0], [60, 60]>) : !temp to !field
    scf.yield %now, %new, %old : !field, !field, !field
  }
  return
}
