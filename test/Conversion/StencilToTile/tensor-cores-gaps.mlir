// Rows of rings have gaps, or are longer, where patches would meet in banks of shared memory.
// DEFINE: %{map} = stencil-opt %s --stencil-attach-target=chip=sm_90 --stencil-map-to-tensor-cores=math=reassociate
// RUN: %{map} | FileCheck %s
// RUN: %{map} --stencil-map-stages | FileCheck %s --check-prefix=RING

!row = !stencil.field<[-4,1028]xf64>
!line = !stencil.temp<?xf64>

// Sums that read one window have the same gaps, those of the longest one.
// CHECK-LABEL: @both
// CHECK: tensor<2xf64> attributes {stencil.matrix_product = #tile.mma<shape = [16, 8, 4], patch = [8], along = 0, stack = 4, gap = 4>}
// CHECK: tensor<9xf64> attributes {stencil.matrix_product = #tile.mma<shape = [16, 8, 4], patch = [8], along = 0, stack = 4, gap = 4>}
// RING-LABEL: @both
// RING: tile.ring : !tile.ring<1 x [-4,516]xf64, segment = 32, gap = 4>
func.func @both(%u: !row, %v: !row, %w: !row) {
  stencil.pipeline attributes {stencil.schedule = #stencil.schedule<block = [32], points = [16], engine = mma>} {
    %x = stencil.load %u : !row -> !line
    %s = stencil.window shared %x : !line
    %r:2 = stencil.apply(%a = %s : !line) -> (!line, !line) {
      %p = stencil.weighted_sum %a offsets [[-1], [1]] weights dense<[1.0, 2.0]> : tensor<2xf64> : !line
      %q = stencil.weighted_sum %a offsets [[-4], [-3], [-2], [-1], [0], [1], [2], [3], [4]] weights dense<[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0]> : tensor<9xf64> : !line
      stencil.return %p, %q : f64, f64
    }
    stencil.store %r#0 to %v(<[0], [1024]>) : !line to !row
    stencil.store %r#1 to %w(<[0], [1024]>) : !line to !row
  }
  return
}

// What else reads the window knows of no gaps.
// CHECK-LABEL: @center
// CHECK-NOT: gap
// RING-LABEL: @center
// RING: tile.ring : !tile.ring<1 x [-4,516]xf64>
func.func @center(%u: !row, %v: !row) {
  stencil.pipeline attributes {stencil.schedule = #stencil.schedule<block = [32], points = [16], engine = mma>} {
    %x = stencil.load %u : !row -> !line
    %s = stencil.window shared %x : !line
    %r = stencil.apply(%a = %s : !line) -> (!line) {
      %p = stencil.weighted_sum %a offsets [[-1], [0], [1]] weights dense<[1.0, 2.0, 4.0]> : tensor<3xf64> : !line
      %c = stencil.access %a[0] : !line
      %q = arith.mulf %p, %c : f64
      stencil.return %q : f64
    }
    stencil.store %r to %v(<[0], [1024]>) : !line to !row
  }
  return
}

// Of a walk in a plane, a slot is a row.
!field = !stencil.field<[-1,65]x[-2,1026]xf64>
!temp = !stencil.temp<?x?xf64>
// CHECK-LABEL: @walk
// CHECK: #tile.mma<shape = [16, 8, 4], patch = [1, 8], along = 1, stack = 4, gap = 4>
// RING-LABEL: @walk
// RING: tile.ring : !tile.ring<{{.*}} x [0,1]x[-4,516]xf64, segment = 32, gap = 4
func.func @walk(%u: !field, %v: !field) {
  stencil.pipeline axis 0 attributes {stencil.schedule = #stencil.schedule<stream = 0, block = [1, 32], points = [1, 16], engine = mma>} {
    %x = stencil.load %u : !field -> !temp
    %s = stencil.window shared %x depth 4 lead 1 : !temp
    %r = stencil.apply(%a = %s : !temp) -> (!temp) attributes {stencil.stage = #stencil.stage<lead = 0>} {
      %p = stencil.weighted_sum %a offsets [[-1, 0], [0, -2], [0, 0], [0, 2], [1, 0]] weights dense<[1.0, 2.0, 3.0, 4.0, 5.0]> : tensor<5xf64> : !temp
      stencil.return %p : f64
    }
    stencil.store %r to %v(<[0, 0], [64, 1024]>) : !temp to !field
  }
  return
}

// The copy engine brings whole segments, and fills the gaps.
// CHECK-LABEL: @bulk
// CHECK: #tile.mma<shape = [16, 8, 4], patch = [8], along = 0, gap = 4>
// RING-LABEL: @bulk
// RING: tile.ring : !tile.ring<1 x [-8,136]xf64, segment = 8, gap = 4, fill = tma>
func.func @bulk(%u: !row, %v: !row) {
  stencil.pipeline attributes {stencil.schedule = #stencil.schedule<block = [32], points = [4], engine = mma>} {
    %x = stencil.load %u : !row -> !line
    %s = stencil.window shared %x prefetch tma : !line
    %r = stencil.apply(%a = %s : !line) -> (!line) {
      %p = stencil.weighted_sum %a offsets [[-1], [0], [1]] weights dense<[1.0, 2.0, 4.0]> : tensor<3xf64> : !line
      stencil.return %p : f64
    }
    stencil.store %r to %v(<[0], [1024]>) : !line to !row
  }
  return
}

// So a row may have more than the 256 points that it copies at once along an axis.
// CHECK-LABEL: @bulk_long
// CHECK: #tile.mma<shape = [16, 8, 4], patch = [8], along = 0, stack = 4, gap = 4>
// RING-LABEL: @bulk_long
// RING: tile.ring : !tile.ring<1 x [-32,4128]xf64, segment = 32, gap = 4, fill = tma>
func.func @bulk_long(%u: !row, %v: !row) {
  stencil.pipeline attributes {stencil.schedule = #stencil.schedule<block = [32], points = [128], engine = mma>} {
    %x = stencil.load %u : !row -> !line
    %s = stencil.window shared %x prefetch tma : !line
    %r = stencil.apply(%a = %s : !line) -> (!line) {
      %p = stencil.weighted_sum %a offsets [[-1], [0], [1]] weights dense<[1.0, 2.0, 4.0]> : tensor<3xf64> : !line
      stencil.return %p : f64
    }
    stencil.store %r to %v(<[0], [1024]>) : !line to !row
  }
  return
}
