// Horizontal diffusion of a weather model: on every level a Laplacian, then
// fluxes that are cut off where they would run up the gradient, then the
// update with a coefficient per point. Axes: level, south-north, west-east.
//
//   examples/inputs.py hdiff out
//   stencil-run examples/hdiff.mlir --target cpu --arg 0=out/hdiff-u.npy --arg 1=out/hdiff-u.npy \
//       --arg 2=out/hdiff-coeff.npy --arg 3=20 --out 0=out/hdiff.npy --png 0=out/hdiff.png
//
// The two outermost rows and columns are the state of the driving model: the
// halo, which is never written. Both buffers start with it, hence the same
// file twice. There is no halo in the vertical.

!field = !stencil.field<[0,60]x[-2,65]x[-2,87]xf64>
!coeff = !stencil.field<[0,60]x[0,63]x[0,85]xf64>
!temp = !stencil.temp<?x?x?xf64>

func.func @hdiff(%u0: !field, %v0: !field, %k: !coeff, %steps: index) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %tk = stencil.load %k : !coeff -> !temp
  %r:2 = scf.for %step = %zero to %steps step %one iter_args(%u = %u0, %v = %v0) -> (!field, !field) {
    %tu = stencil.load %u : !field -> !temp
    // lap = 4 u - (u_n + u_s + u_w + u_e)
    %lap = stencil.apply(%x = %tu : !temp) -> (!temp) {
      %s = stencil.access %x[0, -1, 0] : !temp
      %w = stencil.access %x[0, 0, -1] : !temp
      %c = stencil.access %x[0, 0, 0] : !temp
      %e = stencil.access %x[0, 0, 1] : !temp
      %n = stencil.access %x[0, 1, 0] : !temp
      %four = arith.constant 4.0 : f64
      %s0 = arith.addf %s, %n : f64
      %s1 = arith.addf %w, %e : f64
      %s2 = arith.addf %s0, %s1 : f64
      %c4 = arith.mulf %four, %c : f64
      %l = arith.subf %c4, %s2 : f64
      stencil.return %l : f64
    }
    // Eastward and northward flux between a point and the next; the limiter
    // sets it to zero where it has the sign of the gradient of u.
    %flx, %fly = stencil.apply(%l = %lap : !temp, %x = %tu : !temp) -> (!temp, !temp) {
      %none = arith.constant 0.0 : f64
      %l0 = stencil.access %l[0, 0, 0] : !temp
      %le = stencil.access %l[0, 0, 1] : !temp
      %ln = stencil.access %l[0, 1, 0] : !temp
      %u0_ = stencil.access %x[0, 0, 0] : !temp
      %ue = stencil.access %x[0, 0, 1] : !temp
      %un = stencil.access %x[0, 1, 0] : !temp
      %fe = arith.subf %le, %l0 : f64
      %ge = arith.subf %ue, %u0_ : f64
      %pe = arith.mulf %fe, %ge : f64
      %upe = arith.cmpf ogt, %pe, %none : f64
      %east = arith.select %upe, %none, %fe : f64
      %fn = arith.subf %ln, %l0 : f64
      %gn = arith.subf %un, %u0_ : f64
      %pn = arith.mulf %fn, %gn : f64
      %upn = arith.cmpf ogt, %pn, %none : f64
      %north = arith.select %upn, %none, %fn : f64
      stencil.return %east, %north : f64, f64
    }
    // u - k ((flx - flx_w) + (fly - fly_s))
    %new = stencil.apply(%x = %tu : !temp, %fx = %flx : !temp, %fy = %fly : !temp, %kk = %tk : !temp) -> (!temp) {
      %c = stencil.access %x[0, 0, 0] : !temp
      %kc = stencil.access %kk[0, 0, 0] : !temp
      %fe = stencil.access %fx[0, 0, 0] : !temp
      %fw = stencil.access %fx[0, 0, -1] : !temp
      %fn = stencil.access %fy[0, 0, 0] : !temp
      %fs = stencil.access %fy[0, -1, 0] : !temp
      %dx = arith.subf %fe, %fw : f64
      %dy = arith.subf %fn, %fs : f64
      %div = arith.addf %dx, %dy : f64
      %kdiv = arith.mulf %kc, %div : f64
      %res = arith.subf %c, %kdiv : f64
      stencil.return %res : f64
    }
    stencil.store %new to %v(<[0, 0, 0], [60, 63, 85]>) : !temp to !field
    scf.yield %v, %u : !field, !field
  }
  return
}
