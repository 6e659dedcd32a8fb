// Heat in a rod whose ends are held at 1 and at 0: u += a u'', a = 0.4.
//
//   examples/inputs.py heat1d out --size 1000
//   stencil-run examples/heat1d.mlir --target cpu --arg 0=out/heat1d-u.npy --arg 1=zeros \
//       --arg 2=500 --out 0=out/heat1d.npy
//
// After an even number of steps the newest temperature is in argument 0, after
// an odd one in argument 1. One cell of halo on each side holds the ends.

!field = !stencil.field<[-1,?+1]xf64>
!temp = !stencil.temp<?xf64>

func.func @heat1d(%arg0: !stencil.field<?xf64>, %arg1: !stencil.field<?xf64>, %steps: index) {
  %u0 = stencil.cast %arg0 : !stencil.field<?xf64> -> !field
  %v0 = stencil.cast %arg1 : !stencil.field<?xf64> -> !field
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %r:2 = scf.for %step = %zero to %steps step %one iter_args(%u = %u0, %v = %v0) -> (!field, !field) {
    // lower end | upper end
    stencil.boundary %u(<[0], [?]>) [#stencil.dirichlet<1.0> | #stencil.dirichlet<0.0>] : !field
    %old = stencil.load %u : !field -> !temp
    %new = stencil.apply(%x = %old : !temp) -> (!temp) {
      %w = stencil.access %x[-1] : !temp
      %c = stencil.access %x[0] : !temp
      %e = stencil.access %x[1] : !temp
      %minus2 = arith.constant -2.0 : f64
      %a = arith.constant 0.4 : f64
      %s0 = arith.addf %w, %e : f64
      %s1 = arith.mulf %minus2, %c : f64
      %lap = arith.addf %s0, %s1 : f64
      %du = arith.mulf %a, %lap : f64
      %res = arith.addf %c, %du : f64
      stencil.return %res : f64
    }
    stencil.store %new to %v(<[0], [?]>) : !temp to !field
    scf.yield %v, %u : !field, !field
  }
  return
}
