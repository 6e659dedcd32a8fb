// Heat in an insulated plate of any size: u += a (u_xx + u_yy), a = 0.2.
//
//   examples/heat2d.sh                        # 1,000 steps on 1024 x 1024
//
// or, by hand, on an array of your own with one cell of halo around it
// (inputs.py --from FILE adds the halo to any 2D array):
//
//   examples/inputs.py heat2d out --size 300x400
//   stencil-run examples/heat2d.mlir --target cpu --arg 0=out/heat2d-u.npy --arg 1=zeros \
//       --arg 2=1000 --out 0=out/heat2d.npy --png 0=out/heat2d.png
//
// `?` is the number of interior points of an axis: the run binds it from the
// array, so one compiled kernel serves every size. After an even number of
// steps the newest temperature is in argument 0, after an odd one in argument 1.

!field = !stencil.field<[-1,?+1]x[-1,?+1]xf64>
!temp = !stencil.temp<?x?xf64>

func.func @heat2d(%arg0: !stencil.field<?x?xf64>, %arg1: !stencil.field<?x?xf64>, %steps: index) {
  %u0 = stencil.cast %arg0 : !stencil.field<?x?xf64> -> !field
  %v0 = stencil.cast %arg1 : !stencil.field<?x?xf64> -> !field
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  // The time loop: read u, write v, then swap them.
  %r:2 = scf.for %step = %zero to %steps step %one iter_args(%u = %u0, %v = %v0) -> (!field, !field) {
    // Insulated: no heat flows through the edge.
    stencil.boundary %u(<[0, 0], [?, ?]>) [#stencil.neumann, #stencil.neumann] : !field
    %old = stencil.load %u : !field -> !temp
    %new = stencil.apply(%x = %old : !temp) -> (!temp) {
      %n = stencil.access %x[-1, 0] : !temp
      %w = stencil.access %x[0, -1] : !temp
      %c = stencil.access %x[0, 0] : !temp
      %e = stencil.access %x[0, 1] : !temp
      %s = stencil.access %x[1, 0] : !temp
      %minus4 = arith.constant -4.0 : f64
      %a = arith.constant 0.2 : f64
      %s0 = arith.addf %n, %s : f64
      %s1 = arith.addf %w, %e : f64
      %s2 = arith.addf %s0, %s1 : f64
      %s3 = arith.mulf %minus4, %c : f64
      %lap = arith.addf %s2, %s3 : f64
      %du = arith.mulf %a, %lap : f64
      %res = arith.addf %c, %du : f64
      stencil.return %res : f64
    }
    stencil.store %new to %v(<[0, 0], [?, ?]>) : !temp to !field
    scf.yield %v, %u : !field, !field
  }
  return
}
