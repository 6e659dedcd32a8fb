// A sum that its engine takes as it is stays whole: by the apply's own schedule, by the one that applies without any are going to get, and in a
// kernel of tiles.
// RUN: stencil-opt %s --stencil-factor-sums="math=reassociate at-least=0" | FileCheck %s --check-prefixes=CHECK,PLAIN
// RUN: stencil-opt %s --stencil-factor-sums="math=reassociate at-least=0 schedule='#stencil.schedule<window = shared, engine = mma>'" | FileCheck %s --check-prefixes=CHECK,ASKED
// What is no attribute is for others to judge.
// RUN: stencil-opt %s --stencil-factor-sums="math=reassociate at-least=0 schedule=unrolled" | FileCheck %s --check-prefixes=CHECK,PLAIN

!field = !stencil.field<[-1,17]x[-1,65]xf64>
!temp = !stencil.temp<?x?xf64>

// CHECK-LABEL: @open
// PLAIN: tensor<3xf64>
// PLAIN: tensor<3xf64>
// ASKED: tensor<9xf64>
func.func @open(%u: !field, %v: !field) {
  %t = stencil.load %u : !field -> !temp
  %r = stencil.apply(%x = %t : !temp) -> (!temp) {
    %s = stencil.weighted_sum %x offsets [[-1, -1], [-1, 0], [-1, 1], [0, -1], [0, 0], [0, 1], [1, -1], [1, 0], [1, 1]] weights dense<[1.0, 2.0, 1.0, 2.0, 4.0, 2.0, 1.0, 2.0, 1.0]> : tensor<9xf64> : !temp
    stencil.return %s : f64
  }
  stencil.store %r to %v(<[0, 0], [16, 64]>) : !temp to !field
  return
}

// CHECK-LABEL: @own
// CHECK: tensor<9xf64>
func.func @own(%u: !field, %v: !field) {
  %t = stencil.load %u : !field -> !temp
  %r = stencil.apply(%x = %t : !temp) -> (!temp) attributes {stencil.schedule = #stencil.schedule<window = shared, engine = mma>} {
    %s = stencil.weighted_sum %x offsets [[-1, -1], [-1, 0], [-1, 1], [0, -1], [0, 0], [0, 1], [1, -1], [1, 0], [1, 1]] weights dense<[1.0, 2.0, 1.0, 2.0, 4.0, 2.0, 1.0, 2.0, 1.0]> : tensor<9xf64> : !temp
    stencil.return %s : f64
  }
  stencil.store %r to %v(<[0, 0], [16, 64]>) : !temp to !field
  return
}

// CHECK-LABEL: @other
// CHECK: tensor<3xf64>
// CHECK: tensor<3xf64>
func.func @other(%u: !field, %v: !field) {
  %t = stencil.load %u : !field -> !temp
  %r = stencil.apply(%x = %t : !temp) -> (!temp) attributes {stencil.schedule = #stencil.schedule<window = shared, engine = fma>} {
    %s = stencil.weighted_sum %x offsets [[-1, -1], [-1, 0], [-1, 1], [0, -1], [0, 0], [0, 1], [1, -1], [1, 0], [1, 1]] weights dense<[1.0, 2.0, 1.0, 2.0, 4.0, 2.0, 1.0, 2.0, 1.0]> : tensor<9xf64> : !temp
    stencil.return %s : f64
  }
  stencil.store %r to %v(<[0, 0], [16, 64]>) : !temp to !field
  return
}

// CHECK-LABEL: @kernel
// CHECK: tensor<9xf64>
!ring = !tile.ring<1 x [-1,3]x[-4,68]xf64>
!read = !stencil.temp<[-1,3]x[-4,68]xf64>
!tile = !stencil.temp<[0,2]x[0,64]xf64>
func.func @kernel(%u: !field, %v: !field) {
  tile.kernel @k(%a = %u : !field, %b = %v : !field) grid <domain = <[0, 0], [16, 64]>, block = [1, 32], points = [2, 2], layout = <rank = 2, registers = [1: 2 by 1, 1: 2 by 32], threads = [1: 2 by 2, 0: 2 by 1, 1: 8 by 4]>> {
    %w = tile.ring : !ring
    tile.copy %a to %w : !field, !ring
    %z = tile.source %w : !ring -> !read
    %r = stencil.apply(%x = %z : !read) -> (!tile) attributes {tile.engine = #tile.mma<shape = [16, 8, 4], patch = [2, 4], along = 1>} {
      %s = stencil.weighted_sum %x offsets [[-1, -1], [-1, 0], [-1, 1], [0, -1], [0, 0], [0, 1], [1, -1], [1, 0], [1, 1]] weights dense<[1.0, 2.0, 1.0, 2.0, 4.0, 2.0, 1.0, 2.0, 1.0]> : tensor<9xf64> : !read
      stencil.return %s : f64
    }
    tile.where {
      tile.store %r to %b : !tile to !field
    }
  }
  return
}
