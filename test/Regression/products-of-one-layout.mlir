// Each sum of a kernel took the patch that suits it best, and threads held the results of one otherwise than those of the other. The longest sum chooses.
// RUN: stencil-opt %s --stencil-attach-target=chip=sm_90 --stencil-map-to-tensor-cores=math=reassociate | FileCheck %s
// RUN: stencil-opt %s --stencil-attach-target=chip=sm_90 --stencil-map-to-tensor-cores=math=reassociate --stencil-map-stages -o /dev/null

// CHECK: weighted_sum {{.*}} {stencil.matrix_product = #tile.mma<shape = [16, 8, 4], patch = [[PATCH:.*]]>}
// CHECK: weighted_sum {{.*}} {stencil.matrix_product = #tile.mma<shape = [16, 8, 4], patch = [[PATCH]]>}
!field = !stencil.field<[-4,68]x[-4,132]xf64>
!temp = !stencil.temp<?x?xf64>
func.func @two(%u: !field, %v: !field) {
  stencil.pipeline attributes {stencil.schedule = #stencil.schedule<block = [4, 32], points = [8, 8], engine = mma>} {
    %x = stencil.load %u : !field -> !temp
    %w = stencil.window shared %x : !temp
    %r = stencil.apply(%a = %w : !temp) -> (!temp) {
      %s = stencil.weighted_sum %a offsets [[-4, 0], [-3, 0], [-2, 0], [-1, 0], [0, 0], [1, 0], [2, 0], [3, 0], [4, 0]] weights dense<[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0]> : tensor<9xf64> : !temp
      %t = stencil.weighted_sum %a offsets [[0, -3], [0, -2], [0, -1], [0, 1], [0, 2]] weights dense<[1.0, 2.0, 3.0, 4.0, 5.0]> : tensor<5xf64> : !temp
      %m = arith.mulf %s, %t : f64
      stencil.return %m : f64
    }
    stencil.store %r to %v(<[0, 0], [64, 128]>) : !temp to !field
  }
  return
}
