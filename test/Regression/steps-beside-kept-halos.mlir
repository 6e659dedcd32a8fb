// Several steps at once on a CPU, of which one axis keeps its halo and a later one is periodic: near the ends of that, points are computed
// step by step, and the rest read the halo that is kept at the wrong columns.
// RUN: stencil-run %s --extents 7,52 --arg 0=random:1 --arg 1=random:2 --arg 2=16 --threads 1 --schedule '#stencil.schedule<time = 3>' --math strict --verify=0 | FileCheck %s
// CHECK: 0 of 424 points beyond 0 ulp

!field = !stencil.field<[0,?+1]x[-1,?]xf64>
!temp = !stencil.temp<?x?xf64>

func.func @main(%a: !field, %b: !field, %n: index) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %r:2 = scf.for %i = %zero to %n step %one iter_args(%u = %a, %v = %b) -> (!field, !field) {
    stencil.boundary %u(<[0, 0], [?, ?]>) [#stencil.dirichlet<0.5> | #stencil.keep, #stencil.periodic] : !field
    %t = stencil.load %u : !field -> !temp
    %w = stencil.apply(%x = %t : !temp) -> (!temp) {
      %s = stencil.weighted_sum %x offsets [[0, -1], [0, 0], [1, 0]] weights dense<[0.25, 0.5, -0.125]> : tensor<3xf64> : !temp
      stencil.return %s : f64
    }
    stencil.store %w to %v(<[0, 0], [?, ?]>) : !temp to !field
    scf.yield %v, %u : !field, !field
  }
  return
}
