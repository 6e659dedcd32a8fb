// What computes a stage; what a store does beside storing.
// RUN: stencil-opt %s | stencil-opt | FileCheck %s
// RUN: stencil-opt %s --mlir-print-op-generic | stencil-opt | FileCheck %s

!field = !stencil.field<[-2,66]xf64>
!ring = !tile.ring<1 x [-2,34]xf64>
!read = !stencil.temp<[-2,34]xf64>
!tile = !stencil.temp<[0,32]xf64>

// CHECK-LABEL: func.func @taps
// CHECK: attributes {tile.engine = #tile.taps} {
// CHECK: attributes {tile.engine = #tile.fma}
func.func @taps(%u: !field, %v: !field) {
  tile.kernel @k(%a = %u : !field, %b = %v : !field) grid <domain = <[0], [64]>, block = [16], points = [2]> {
    %w = tile.ring : !ring
    tile.copy %a to %w : !field, !ring
    tile.barrier
    %x = tile.source %w : !ring -> !read
    %s = stencil.apply(%t = %x : !read) -> (!tile) attributes {tile.engine = #tile.taps} {
      %0 = stencil.weighted_sum %t offsets [[-2], [-1], [0], [1]] weights dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf64> : !read
      stencil.return %0 : f64
    }
    %r = stencil.apply(%t = %s : !tile) -> (!tile) attributes {tile.engine = #tile.fma} {
      %0 = stencil.access %t[0] : !tile
      %1 = arith.addf %0, %0 : f64
      stencil.return %1 : f64
    }
    tile.store %r to %b : !tile to !field
  }
  return
}

!plane = !stencil.field<[-1,17]x[-1,65]xf64>
!any = !stencil.temp<?x?xf64>
!part = !stencil.temp<[0,4]x[0,32]xf64>

// CHECK-LABEL: func.func @ahead
// CHECK: tile.prefetch %{{.*}} at [1] along 0 : !stencil.field
// CHECK: tile.store %{{.*}} to %{{.*}} images [0, 1] : !stencil.temp
func.func @ahead(%u: !plane, %v: !plane) {
  tile.kernel @k(%a = %u : !plane, %b = %v : !plane) grid <domain = <[0, 0], [16, 64]>, block = [4, 32], points = [1, 1]> {
    %x = tile.source %a : !plane -> !any
    tile.where {
      tile.prefetch %a at [1] along 0 : !plane
      %r = stencil.apply(%t = %x : !any) -> (!part) {
        %0 = stencil.access %t[1, 0] : !any
        stencil.return %0 : f64
      }
      tile.store %r to %b images [0, 1] : !part to !plane
    }
  }
  return
}
