// RUN: stencil-opt %s --stencil-attach-target=chip=sm_80 --stencil-map-to-tensor-cores=math=tf32 | FileCheck %s

// On sm_80 doubles have 8 rows, halves 16: two patches of doubles are held as one of halves is.
// CHECK: weighted_sum {{.*}} {stencil.matrix_product = #tile.mma<shape = [16, 8, 16], patch = [8], along = 0>}
// CHECK: weighted_sum {{.*}} {stencil.matrix_product = #tile.mma<shape = [8, 8, 4], patch = [8], along = 0, gap = 4>}
!row = !stencil.field<[-1,65]xf16>
!out = !stencil.field<[0,64]xf64>
!double = !stencil.field<[-1,65]xf64>
!half = !stencil.temp<?xf16>
!line = !stencil.temp<?xf64>
func.func @both(%u: !row, %d: !double, %v: !out) {
  stencil.pipeline attributes {stencil.schedule = #stencil.schedule<block = [32], points = [4], engine = mma>} {
    %x = stencil.load %u : !row -> !half
    %y = stencil.load %d : !double -> !line
    %w = stencil.window shared %x : !half
    %z = stencil.window shared %y : !line
    %r = stencil.apply(%a = %w : !half, %b = %z : !line) -> (!line) {
      %s = stencil.weighted_sum %a offsets [[-1], [1]] weights dense<[1.0, 2.0]> : tensor<2xf16> : !half
      %q = stencil.weighted_sum %b offsets [[-1], [1]] weights dense<[1.0, 2.0]> : tensor<2xf64> : !line
      %e = arith.extf %s : f16 to f64
      %c = arith.addf %e, %q : f64
      stencil.return %c : f64
    }
    stencil.store %r to %v(<[0], [64]>) : !line to !out
  }
  return
}

// Of floats, what TF32 has is multiplied.
// CHECK-LABEL: @float
// CHECK: weighted_sum {{.*}} {stencil.matrix_product = #tile.mma<shape = [16, 8, 8], patch = [8], along = 0, gap = 4>}
!floats = !stencil.field<[-1,257]xf32>
!float = !stencil.temp<?xf32>
func.func @float(%u: !floats, %v: !floats) {
  stencil.pipeline attributes {stencil.schedule = #stencil.schedule<block = [64], points = [4], engine = mma>} {
    %x = stencil.load %u : !floats -> !float
    %w = stencil.window shared %x : !float
    %r = stencil.apply(%a = %w : !float) -> (!float) {
      %s = stencil.weighted_sum %a offsets [[-1], [1]] weights dense<[1.0, 2.0]> : tensor<2xf32> : !float
      stencil.return %s : f32
    }
    stencil.store %r to %v(<[0], [256]>) : !float to !floats
  }
  return
}
