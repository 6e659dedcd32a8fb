// An acoustic wave in rock: the 25-point star of seismic codes, 8th order in
// space and 2nd in time, FP32: u(n+1) = 2 u(n) - u(n-1) + k lap(u(n)), where
// k = (c dt / dx)^2 is a field of its own, from the velocities c.
//
//   examples/inputs.py acoustic25 out --size 96x128x160
//   stencil-run examples/acoustic25.mlir --target cpu --arg 0=out/acoustic25-u.npy \
//       --arg 1=out/acoustic25-u.npy --arg 2=out/acoustic25-k.npy --arg 3=260 \
//       --out 0=out/acoustic25.npy --png 0=out/acoustic25.png
//
// Axis 1 is depth, so that the picture is an upright section. Its lower end is
// the sea's surface, where the pressure is zero: odd reflection. The other ends
// are walls, held at zero. Leapfrog: u(n+1) is stored over u(n-1), which is read
// at offset zero only.

!field = !stencil.field<[-4,?+4]x[-4,?+4]x[-4,?+4]xf32>
!coeff = !stencil.field<[0,?]x[0,?]x[0,?]xf32>
!temp = !stencil.temp<?x?x?xf32>

func.func @acoustic25(%arg0: !stencil.field<?x?x?xf32>, %arg1: !stencil.field<?x?x?xf32>, %arg2: !stencil.field<?x?x?xf32>, %steps: index) {
  %old0 = stencil.cast %arg0 : !stencil.field<?x?x?xf32> -> !field
  %now0 = stencil.cast %arg1 : !stencil.field<?x?x?xf32> -> !field
  %k = stencil.cast %arg2 : !stencil.field<?x?x?xf32> -> !coeff
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %r:2 = scf.for %step = %zero to %steps step %one iter_args(%old = %old0, %now = %now0) -> (!field, !field) {
    stencil.boundary %now(<[0, 0, 0], [?, ?, ?]>)
      [#stencil.dirichlet<0.0>, #stencil.antisymmetric | #stencil.dirichlet<0.0>, #stencil.dirichlet<0.0>] : !field
    %told = stencil.load %old : !field -> !temp
    %tnow = stencil.load %now : !field -> !temp
    %tk = stencil.load %k : !coeff -> !temp
    %new = stencil.apply(%p = %told : !temp, %u = %tnow : !temp, %kk = %tk : !temp) -> (!temp) {
      %before = stencil.access %p[0, 0, 0] : !temp
      %kc = stencil.access %kk[0, 0, 0] : !temp
      %c = stencil.access %u[0, 0, 0] : !temp
      // The second derivative's weights, 3 x the one of the centre.
      %w0 = arith.constant -8.54166667 : f32
      %w1 = arith.constant 1.6 : f32
      %w2 = arith.constant -0.2 : f32
      %w3 = arith.constant 2.53968254e-2 : f32
      %w4 = arith.constant -1.78571429e-3 : f32
      %lap0 = arith.mulf %w0, %c : f32
      %m01 = stencil.access %u[-1, 0, 0] : !temp
      %p01 = stencil.access %u[1, 0, 0] : !temp
      %m11 = stencil.access %u[0, -1, 0] : !temp
      %p11 = stencil.access %u[0, 1, 0] : !temp
      %m21 = stencil.access %u[0, 0, -1] : !temp
      %p21 = stencil.access %u[0, 0, 1] : !temp
      %z1 = arith.addf %m01, %p01 : f32
      %y1 = arith.addf %m11, %p11 : f32
      %x1 = arith.addf %m21, %p21 : f32
      %zy1 = arith.addf %z1, %y1 : f32
      %zyx1 = arith.addf %zy1, %x1 : f32
      %t1 = arith.mulf %w1, %zyx1 : f32
      %lap1 = arith.addf %lap0, %t1 : f32
      %m02 = stencil.access %u[-2, 0, 0] : !temp
      %p02 = stencil.access %u[2, 0, 0] : !temp
      %m12 = stencil.access %u[0, -2, 0] : !temp
      %p12 = stencil.access %u[0, 2, 0] : !temp
      %m22 = stencil.access %u[0, 0, -2] : !temp
      %p22 = stencil.access %u[0, 0, 2] : !temp
      %z2 = arith.addf %m02, %p02 : f32
      %y2 = arith.addf %m12, %p12 : f32
      %x2 = arith.addf %m22, %p22 : f32
      %zy2 = arith.addf %z2, %y2 : f32
      %zyx2 = arith.addf %zy2, %x2 : f32
      %t2 = arith.mulf %w2, %zyx2 : f32
      %lap2 = arith.addf %lap1, %t2 : f32
      %m03 = stencil.access %u[-3, 0, 0] : !temp
      %p03 = stencil.access %u[3, 0, 0] : !temp
      %m13 = stencil.access %u[0, -3, 0] : !temp
      %p13 = stencil.access %u[0, 3, 0] : !temp
      %m23 = stencil.access %u[0, 0, -3] : !temp
      %p23 = stencil.access %u[0, 0, 3] : !temp
      %z3 = arith.addf %m03, %p03 : f32
      %y3 = arith.addf %m13, %p13 : f32
      %x3 = arith.addf %m23, %p23 : f32
      %zy3 = arith.addf %z3, %y3 : f32
      %zyx3 = arith.addf %zy3, %x3 : f32
      %t3 = arith.mulf %w3, %zyx3 : f32
      %lap3 = arith.addf %lap2, %t3 : f32
      %m04 = stencil.access %u[-4, 0, 0] : !temp
      %p04 = stencil.access %u[4, 0, 0] : !temp
      %m14 = stencil.access %u[0, -4, 0] : !temp
      %p14 = stencil.access %u[0, 4, 0] : !temp
      %m24 = stencil.access %u[0, 0, -4] : !temp
      %p24 = stencil.access %u[0, 0, 4] : !temp
      %z4 = arith.addf %m04, %p04 : f32
      %y4 = arith.addf %m14, %p14 : f32
      %x4 = arith.addf %m24, %p24 : f32
      %zy4 = arith.addf %z4, %y4 : f32
      %zyx4 = arith.addf %zy4, %x4 : f32
      %t4 = arith.mulf %w4, %zyx4 : f32
      %lap4 = arith.addf %lap3, %t4 : f32
      %two = arith.constant 2.0 : f32
      %c2 = arith.mulf %two, %c : f32
      %swing = arith.subf %c2, %before : f32
      %klap = arith.mulf %kc, %lap4 : f32
      %res = arith.addf %swing, %klap : f32
      stencil.return %res : f32
    }
    stencil.store %new to %old(<[0, 0, 0], [?, ?, ?]>) : !temp to !field
    scf.yield %now, %old : !field, !field
  }
  return
}
