// RUN: stencil-opt %s --split-input-file --stencil-block-time="schedule='#stencil.schedule<time = 3>' math=reassociate" | FileCheck %s
// RUN: stencil-opt %s --split-input-file --stencil-block-time="schedule='#stencil.schedule<time = 3>' math=contract" | FileCheck %s --check-prefix=CONTRACT
// CONTRACT-NOT: dense<[1.000000e+00

// The largest weight becomes one, and is first: it takes no operation. The
// last of three steps is multiplied by 0.5^3. The rim has the sum as it is.

// CHECK-LABEL: func @star
// CHECK: stencil.weighted_sum %[[X:.*]] offsets {{\[\[}}0, 0], [-1, 0], [0, -1], [0, 1], [1, 0]] weights dense<[1.000000e+00, 2.500000e-01, 5.000000e-01, -1.250000e-01, 6.250000e-02]>
// CHECK: stencil.weighted_sum %{{.*}} offsets {{\[\[}}0, 0], {{.*}} weights dense<[1.000000e+00,
// CHECK: %[[V:.*]] = stencil.weighted_sum %{{.*}} offsets {{\[\[}}0, 0], {{.*}} weights dense<[1.000000e+00,
// CHECK: %[[WHOLE:.*]] = arith.constant 1.250000e-01 : f64
// CHECK: arith.mulf %[[V]], %[[WHOLE]]
// CHECK-NOT: dense<[1.000000e+00
// CHECK: return
!field = !stencil.field<[-1,65]x[-1,65]xf64>
!temp = !stencil.temp<?x?xf64>
func.func @star(%a: !field, %b: !field, %n: index) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %r:2 = scf.for %i = %zero to %n step %one iter_args(%u = %a, %v = %b) -> (!field, !field) {
    stencil.boundary %u(<[0, 0], [64, 64]>) [#stencil.neumann, #stencil.neumann] : !field
    %t = stencil.load %u : !field -> !temp
    %s = stencil.apply(%x = %t : !temp) -> (!temp) {
      %w = stencil.weighted_sum %x offsets [[-1, 0], [0, -1], [0, 0], [0, 1], [1, 0]] weights dense<[0.125, 0.25, 0.5, -0.0625, 0.03125]> : tensor<5xf64> : !temp
      stencil.return %w : f64
    }
    stencil.store %s to %v(<[0, 0], [64, 64]>) : !temp to !field
    scf.yield %v, %u : !field, !field
  }
  return
}

// -----

// With a source term, which would differ from step to step, and where FP32
// would lose too much of its range, steps stay as they are.

// CHECK-LABEL: func @source
// CHECK-NOT: dense<[1.000000e+00
// CHECK-LABEL: func @small
// CHECK-NOT: dense<[1.000000e+00
// CHECK: return
!field = !stencil.field<[-1,65]xf64>
!temp = !stencil.temp<?xf64>
!field32 = !stencil.field<[-1,65]xf32>
!temp32 = !stencil.temp<?xf32>
func.func @source(%a: !field, %b: !field, %n: index) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %r:2 = scf.for %i = %zero to %n step %one iter_args(%u = %a, %v = %b) -> (!field, !field) {
    %t = stencil.load %u : !field -> !temp
    %s = stencil.apply(%x = %t : !temp) -> (!temp) {
      %source = arith.constant 0.75 : f64
      %w = stencil.weighted_sum %x offsets [[-1], [0], [1]] weights dense<[0.125, 0.5, 0.25]> : tensor<3xf64> : !temp
      %y = arith.addf %w, %source : f64
      stencil.return %y : f64
    }
    stencil.store %s to %v(<[0], [64]>) : !temp to !field
    scf.yield %v, %u : !field, !field
  }
  return
}
func.func @small(%a: !field32, %b: !field32, %n: index) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %r:2 = scf.for %i = %zero to %n step %one iter_args(%u = %a, %v = %b) -> (!field32, !field32) {
    %t = stencil.load %u : !field32 -> !temp32
    %s = stencil.apply(%x = %t : !temp32) -> (!temp32) {
      %w = stencil.weighted_sum %x offsets [[-1], [0], [1]] weights dense<[1.0e-4, 1.5e-3, 2.0e-4]> : tensor<3xf32> : !temp32
      stencil.return %w : f32
    }
    stencil.store %s to %v(<[0], [64]>) : !temp32 to !field32
    scf.yield %v, %u : !field32, !field32
  }
  return
}
