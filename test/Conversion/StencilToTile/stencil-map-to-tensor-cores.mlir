// The instruction and the patch: those that take a warp the least time.
// RUN: stencil-opt %s --stencil-attach-target=chip=sm_90 --stencil-map-to-tensor-cores=math=reassociate | FileCheck %s
// RUN: stencil-opt %s --stencil-attach-target=chip=sm_80 --stencil-map-to-tensor-cores=math=reassociate | FileCheck %s --check-prefix=SM80
// RUN: stencil-opt %s --stencil-attach-target=chip=sm_90 --stencil-map-to-tensor-cores=math=reassociate --remarks-filter=Engines -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK

// A box of 5 x 5 taps: (4 + 4) (2 + 4) inputs, or (2 + 4) (4 + 4).
// REMARK: remark: [Passed] Product {{.*}}"#tile.mma<{{.*}}>: 48 multiply-adds per output for 25 taps
// A row of 9 taps: 16.
// REMARK: remark: [Passed] Product {{.*}}"#tile.mma<{{.*}}>: 16 multiply-adds per output for 9 taps

// CHECK-LABEL: func.func @box
// CHECK: weighted_sum {{.*}} {stencil.matrix_product = #tile.mma<shape = [16, 8, 4], patch = [{{4, 2|2, 4}}], along = 1>}
// SM80: stencil.matrix_product = #tile.mma<shape = [8, 8, 4]
!field = !stencil.field<[-2,66]x[-2,130]xf64>
!temp = !stencil.temp<?x?xf64>
func.func @box(%u: !field, %v: !field) {
  stencil.pipeline attributes {stencil.schedule = #stencil.schedule<block = [4, 32], points = [4, 4], engine = mma>} {
    %x = stencil.load %u : !field -> !temp
    %w = stencil.window shared %x : !temp
    %r = stencil.apply(%a = %w : !temp) -> (!temp) {
      %s = stencil.weighted_sum %a offsets [[-2, -2], [-2, -1], [-2, 0], [-2, 1], [-2, 2], [-1, -2], [-1, -1], [-1, 0], [-1, 1], [-1, 2], [0, -2], [0, -1], [0, 0], [0, 1], [0, 2], [1, -2], [1, -1], [1, 0], [1, 1], [1, 2], [2, -2], [2, -1], [2, 0], [2, 1], [2, 2]] weights dense<0.04> : tensor<25xf64> : !temp
      stencil.return %s : f64
    }
    stencil.store %r to %v(<[0, 0], [64, 128]>) : !temp to !field
  }
  return
}

// CHECK-LABEL: func.func @row
// CHECK: #tile.mma<shape = [16, 8, 4], patch = [8], along = 0, stack = 4, gap = 4>
!row = !stencil.field<[-4,1028]xf64>
!line = !stencil.temp<?xf64>
func.func @row(%u: !row, %v: !row) {
  stencil.pipeline attributes {stencil.schedule = #stencil.schedule<block = [32], points = [16], engine = mma>} {
    %x = stencil.load %u : !row -> !line
    %w = stencil.window shared %x : !line
    %r = stencil.apply(%a = %w : !line) -> (!line) {
      %s = stencil.weighted_sum %a offsets [[-4], [-3], [-2], [-1], [0], [1], [2], [3], [4]] weights dense<[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0]> : tensor<9xf64> : !line
      stencil.return %s : f64
    }
    stencil.store %r to %v(<[0], [1024]>) : !line to !row
  }
  return
}

// Partial sums that neighbouring points share are multiplied out.
// CHECK-LABEL: func.func @factored
// CHECK: %[[S:.*]] = stencil.weighted_sum %{{.*}} offsets {{\[\[}}-1, -1], [-1, 0], [-1, 1], [0, -1], [0, 0], [0, 1], [1, -1], [1, 0], [1, 1]] {{.*}} {stencil.matrix_product = #tile.mma<shape = [16, 8, 4]
// CHECK: stencil.return %[[S]]
func.func @factored(%u: !field, %v: !field) {
  stencil.pipeline attributes {stencil.schedule = #stencil.schedule<block = [4, 32], points = [4, 4], engine = mma>} {
    %x = stencil.load %u : !field -> !temp
    %w = stencil.window shared %x : !temp
    %r = stencil.apply(%a = %w : !temp) -> (!temp) {
      %p = stencil.weighted_sum %a offsets [[0, -1], [0, 0], [0, 1]] weights dense<[1.0, 2.0, 1.0]> : tensor<3xf64> : !temp
      %s = stencil.weighted_sum %p offsets [[-1, 0], [0, 0], [1, 0]] weights dense<[1.0, 2.0, 1.0]> : tensor<3xf64> : f64
      stencil.return %s : f64
    }
    stencil.store %r to %v(<[0, 0], [64, 128]>) : !temp to !field
  }
  return
}

// Patches of a warp one behind the other share what they read; behind a row of A there is a gap, so that the next one begins in other banks.
// CHECK-LABEL: func.func @stack
// CHECK: #tile.mma<shape = [16, 8, 4], patch = [8], along = 0, stack = 3, gap = 4>
func.func @stack(%u: !row, %v: !row) {
  stencil.pipeline attributes {stencil.schedule = #stencil.schedule<block = [64], points = [12], engine = mma>} {
    %x = stencil.load %u : !row -> !line
    %w = stencil.window shared %x : !line
    %r = stencil.apply(%a = %w : !line) -> (!line) {
      %s = stencil.weighted_sum %a offsets [[-4], [-3], [-2], [-1], [0], [1], [2], [3], [4]] weights dense<[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0]> : tensor<9xf64> : !line
      stencil.return %s : f64
    }
    stencil.store %r to %v(<[0], [1024]>) : !line to !row
  }
  return
}
