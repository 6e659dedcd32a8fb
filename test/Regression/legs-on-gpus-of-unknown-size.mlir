// Of some chips it is not known how many multiprocessors their GPUs have. Segments of legs without a rim were chosen for none, which crashed.
// RUN: stencil-opt %s --stencil-to-tiles="chip=sm_89 extents=300,1300 schedule='#stencil.schedule<time = 4, relay = 2, stream = 0, window = shared, chain = shuffle, prefetch = async, block = [1, 32], points = [1, 5]>'" | FileCheck %s
// CHECK: tile.kernel @pipeline0({{.*}}domain = <[0, 0], [300, 1300]>{{.*}}relay = 2>

!field = !stencil.field<[-1,?+1]x[-1,?+1]xf64>
!temp = !stencil.temp<?x?xf64>
func.func @heat(%a: !field, %b: !field, %n: index) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %r:2 = scf.for %i = %zero to %n step %one iter_args(%u = %a, %v = %b) -> (!field, !field) {
    stencil.boundary %u(<[0, 0], [?, ?]>) [#stencil.neumann, #stencil.neumann] : !field
    %t = stencil.load %u : !field -> !temp
    %s = stencil.apply(%x = %t : !temp) -> (!temp) {
      %w = stencil.weighted_sum %x offsets [[-1, 0], [0, -1], [0, 0], [0, 1], [1, 0]] weights dense<[0.1, 0.2, 0.25, 0.15, 0.12]> : tensor<5xf64> : !temp
      stencil.return %w : f64
    }
    stencil.store %s to %v(<[0, 0], [?, ?]>) : !temp to !field
    scf.yield %v, %u : !field, !field
  }
  return
}
