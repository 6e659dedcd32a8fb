// Heat in a block: periodic along axis 0, insulated along axis 1, along axis 2
// (the contiguous one) heated at one face and cooled at the other.
// u += a (u_xx + u_yy + u_zz), a = 0.125. The size is static here.
//
//   examples/inputs.py heat3d out
//   stencil-run examples/heat3d.mlir --target cpu --arg 0=out/heat3d-u.npy --arg 1=zeros \
//       --arg 2=200 --out 0=out/heat3d.npy --png 0=out/heat3d.png

!field = !stencil.field<[-1,49]x[-1,66]x[-1,82]xf64>
!temp = !stencil.temp<?x?x?xf64>

func.func @heat3d(%u0: !field, %v0: !field, %steps: index) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %r:2 = scf.for %step = %zero to %steps step %one iter_args(%u = %u0, %v = %v0) -> (!field, !field) {
    stencil.boundary %u(<[0, 0, 0], [48, 65, 81]>)
      [#stencil.periodic, #stencil.neumann, #stencil.dirichlet<1.0> | #stencil.dirichlet<0.25>] : !field
    %old = stencil.load %u : !field -> !temp
    %new = stencil.apply(%x = %old : !temp) -> (!temp) {
      %n0 = stencil.access %x[-1, 0, 0] : !temp
      %n1 = stencil.access %x[0, -1, 0] : !temp
      %n2 = stencil.access %x[0, 0, -1] : !temp
      %c = stencil.access %x[0, 0, 0] : !temp
      %p2 = stencil.access %x[0, 0, 1] : !temp
      %p1 = stencil.access %x[0, 1, 0] : !temp
      %p0 = stencil.access %x[1, 0, 0] : !temp
      %minus6 = arith.constant -6.0 : f64
      %a = arith.constant 0.125 : f64
      %s0 = arith.addf %n0, %p0 : f64
      %s1 = arith.addf %n1, %p1 : f64
      %s2 = arith.addf %n2, %p2 : f64
      %s3 = arith.addf %s0, %s1 : f64
      %s4 = arith.addf %s3, %s2 : f64
      %s5 = arith.mulf %minus6, %c : f64
      %lap = arith.addf %s4, %s5 : f64
      %du = arith.mulf %a, %lap : f64
      %res = arith.addf %c, %du : f64
      stencil.return %res : f64
    }
    stencil.store %new to %v(<[0, 0, 0], [48, 65, 81]>) : !temp to !field
    scf.yield %v, %u : !field, !field
  }
  return
}
