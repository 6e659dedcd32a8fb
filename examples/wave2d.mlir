// A wave in a tank with fixed walls, driven by a Ricker wavelet at one point:
// u(n+1) = 2 u(n) - u(n-1) + k (u_xx + u_yy) + source, k = (c dt / dx)^2 = 0.25.
//
//   examples/inputs.py wave2d out --size 401x601
//   stencil-run examples/wave2d.mlir --target cpu --arg 0=out/wave2d-old.npy --arg 1=out/wave2d-now.npy \
//       --arg 2=600 --arg 3=120 --arg 4=250 --out 0=out/wave2d.npy --png 0=out/wave2d.png
//
// The arguments: u(n-1), u(n), the steps, the source's row and column. Leapfrog:
// u(n+1) is stored over u(n-1), which is read at offset zero only, so that two
// arrays are enough. After an even number of steps, argument 0 is u(n-1) again.

!field = !stencil.field<[-1,?+1]x[-1,?+1]xf64>
!temp = !stencil.temp<?x?xf64>

func.func @wave2d(%arg0: !stencil.field<?x?xf64>, %arg1: !stencil.field<?x?xf64>, %steps: index, %row: index, %col: index) {
  %old0 = stencil.cast %arg0 : !stencil.field<?x?xf64> -> !field
  %now0 = stencil.cast %arg1 : !stencil.field<?x?xf64> -> !field
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %r:2 = scf.for %step = %zero to %steps step %one iter_args(%old = %old0, %now = %now0) -> (!field, !field) {
    // Ricker wavelet (1 - 2 b) exp(-b), b = (pi f (t - t0))^2, pi f dt = 0.1, t0 = 30 steps.
    %t0 = arith.constant 30 : index
    %dt = arith.constant 0.1 : f64
    %f1 = arith.constant 1.0 : f64
    %f2 = arith.constant 2.0 : f64
    %since = arith.subi %step, %t0 : index
    %since_i = arith.index_cast %since : index to i64
    %since_f = arith.sitofp %since_i : i64 to f64
    %phase = arith.mulf %dt, %since_f : f64
    %b = arith.mulf %phase, %phase : f64
    %minusb = arith.negf %b : f64
    %exp = math.exp %minusb : f64
    %b2 = arith.mulf %f2, %b : f64
    %shape = arith.subf %f1, %b2 : f64
    %ricker = arith.mulf %shape, %exp : f64

    stencil.boundary %now(<[0, 0], [?, ?]>) [#stencil.dirichlet<0.0>, #stencil.dirichlet<0.0>] : !field
    %told = stencil.load %old : !field -> !temp
    %tnow = stencil.load %now : !field -> !temp
    %new = stencil.apply(%p = %told : !temp, %u = %tnow : !temp, %amp = %ricker : f64, %si = %row : index, %sj = %col : index) -> (!temp) {
      %n = stencil.access %u[-1, 0] : !temp
      %w = stencil.access %u[0, -1] : !temp
      %c = stencil.access %u[0, 0] : !temp
      %e = stencil.access %u[0, 1] : !temp
      %s = stencil.access %u[1, 0] : !temp
      %before = stencil.access %p[0, 0] : !temp
      %minus4 = arith.constant -4.0 : f64
      %two = arith.constant 2.0 : f64
      %k = arith.constant 0.25 : f64
      %s0 = arith.addf %n, %s : f64
      %s1 = arith.addf %w, %e : f64
      %s2 = arith.addf %s0, %s1 : f64
      %s3 = arith.mulf %minus4, %c : f64
      %lap = arith.addf %s2, %s3 : f64
      %klap = arith.mulf %k, %lap : f64
      %c2 = arith.mulf %two, %c : f64
      %swing = arith.subf %c2, %before : f64
      %free = arith.addf %swing, %klap : f64
      // The source acts at one point only.
      %i = stencil.index 0 <[0, 0]>
      %j = stencil.index 1 <[0, 0]>
      %oni = arith.cmpi eq, %i, %si : index
      %onj = arith.cmpi eq, %j, %sj : index
      %on = arith.andi %oni, %onj : i1
      %driven = arith.addf %free, %amp : f64
      %res = arith.select %on, %driven, %free : f64
      stencil.return %res : f64
    }
    stencil.store %new to %old(<[0, 0], [?, ?]>) : !temp to !field
    scf.yield %now, %old : !field, !field
  }
  return
}
