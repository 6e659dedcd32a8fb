// Of volumes, several steps of a star are taken at once where that was measured, and one by one where not.
// RUN: stencil-opt %s --split-input-file --stencil-attach-target=chip=sm_90 --stencil-block-time=automatic | FileCheck %s
// RUN: stencil-opt %s --split-input-file --stencil-attach-target=chip=sm_90 --stencil-block-time=automatic --remarks-filter=Steps -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: stencil-opt %s --split-input-file --stencil-attach-target=chip=gfx942 --stencil-block-time=automatic | FileCheck %s --check-prefix=NOT
// RUN: stencil-opt %s --split-input-file --stencil-attach-target=chip=sm_100 --stencil-block-time=automatic | FileCheck %s --check-prefix=NOT
// NOT-NOT: stencil.steps

// REMARK: remark: [Passed] Blocked | Category:Steps | Remark="3 steps at once: predicted {{.*}} us per step, {{.*}} without it"
// CHECK-LABEL: func @star
// CHECK: stencil.pipeline axis 0 attributes {{.*}}stencil.steps = 3 : i64
// Both fields may keep different values: then these take all steps.
// CHECK: stencil.apply{{.*}}stencil.steps = 3 : i64
// CHECK: scf.for
// CHECK-NOT: stencil.steps
// CHECK: return

!volume = !stencil.field<[-1,513]x[-1,513]x[-1,513]xf64>
!temp = !stencil.temp<?x?x?xf64>
func.func @star(%a: !volume, %b: !volume, %n: index) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %r:2 = scf.for %i = %zero to %n step %one iter_args(%u = %a, %v = %b) -> (!volume, !volume) {
    %t = stencil.load %u : !volume -> !temp
    %s = stencil.apply(%x = %t : !temp) -> (!temp) {
      %w = stencil.weighted_sum %x offsets [[-1, 0, 0], [0, -1, 0], [0, 0, -1], [0, 0, 0], [0, 0, 1], [0, 1, 0], [1, 0, 0]] weights dense<[0.10, 0.11, 0.12, 0.13, 0.14, 0.15, 0.16]> : tensor<7xf64> : !temp
      stencil.return %w : f64
    }
    stencil.store %s to %v(<[0, 0, 0], [512, 512, 512]>) : !temp to !volume
    scf.yield %v, %u : !volume, !volume
  }
  return
}

// -----

// REMARK: remark: [Missed] Blocked | Category:Steps | Remark="steps are taken one by one: several at once are not predicted to be faster"
// CHECK-LABEL: func @box
// CHECK-NOT: stencil.steps
// CHECK: return

!volume = !stencil.field<[-1,513]x[-1,513]x[-1,513]xf64>
!temp = !stencil.temp<?x?x?xf64>
func.func @box(%a: !volume, %b: !volume, %n: index) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %r:2 = scf.for %i = %zero to %n step %one iter_args(%u = %a, %v = %b) -> (!volume, !volume) {
    %t = stencil.load %u : !volume -> !temp
    %s = stencil.apply(%x = %t : !temp) -> (!temp) {
      %w = stencil.weighted_sum %x offsets [[-1, 0, 0], [0, -1, 0], [0, 0, -1], [0, 0, 0], [0, 0, 1], [0, 1, 0], [1, 1, 0]] weights dense<[0.10, 0.11, 0.12, 0.13, 0.14, 0.15, 0.16]> : tensor<7xf64> : !temp
      stencil.return %w : f64
    }
    stencil.store %s to %v(<[0, 0, 0], [512, 512, 512]>) : !temp to !volume
    scf.yield %v, %u : !volume, !volume
  }
  return
}

// -----

// REMARK: remark: [Missed] Blocked | Category:Steps | Remark="steps are taken one by one: of volumes, it is no star of a radius of one"
// CHECK-LABEL: func @farther
// CHECK-NOT: stencil.steps
// CHECK: return

!volume = !stencil.field<[-2,514]x[-2,514]x[-2,514]xf64>
!temp = !stencil.temp<?x?x?xf64>
func.func @farther(%a: !volume, %b: !volume, %n: index) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %r:2 = scf.for %i = %zero to %n step %one iter_args(%u = %a, %v = %b) -> (!volume, !volume) {
    %t = stencil.load %u : !volume -> !temp
    %s = stencil.apply(%x = %t : !temp) -> (!temp) {
      %w = stencil.weighted_sum %x offsets [[-1, 0, 0], [0, -1, 0], [0, 0, -1], [0, 0, 0], [0, 0, 1], [0, 1, 0], [0, 2, 0]] weights dense<[0.10, 0.11, 0.12, 0.13, 0.14, 0.15, 0.16]> : tensor<7xf64> : !temp
      stencil.return %w : f64
    }
    stencil.store %s to %v(<[0, 0, 0], [512, 512, 512]>) : !temp to !volume
    scf.yield %v, %u : !volume, !volume
  }
  return
}

// -----

// REMARK: remark: [Missed] Blocked | Category:Steps | Remark="steps are taken one by one: volumes of so few points were not measured"
// CHECK-LABEL: func @small
// CHECK-NOT: stencil.steps
// CHECK: return

!volume = !stencil.field<[-1,201]x[-1,201]x[-1,201]xf64>
!temp = !stencil.temp<?x?x?xf64>
func.func @small(%a: !volume, %b: !volume, %n: index) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %r:2 = scf.for %i = %zero to %n step %one iter_args(%u = %a, %v = %b) -> (!volume, !volume) {
    %t = stencil.load %u : !volume -> !temp
    %s = stencil.apply(%x = %t : !temp) -> (!temp) {
      %w = stencil.weighted_sum %x offsets [[-1, 0, 0], [0, -1, 0], [0, 0, -1], [0, 0, 0], [0, 0, 1], [0, 1, 0], [1, 0, 0]] weights dense<[0.10, 0.11, 0.12, 0.13, 0.14, 0.15, 0.16]> : tensor<7xf64> : !temp
      stencil.return %w : f64
    }
    stencil.store %s to %v(<[0, 0, 0], [200, 200, 200]>) : !temp to !volume
    scf.yield %v, %u : !volume, !volume
  }
  return
}

// -----

// REMARK: remark: [Missed] Blocked | Category:Steps | Remark="steps are taken one by one: volumes of such elements were not measured"
// CHECK-LABEL: func @floats
// CHECK-NOT: stencil.steps
// CHECK: return

!volume = !stencil.field<[-1,513]x[-1,513]x[-1,513]xf32>
!temp = !stencil.temp<?x?x?xf32>
func.func @floats(%a: !volume, %b: !volume, %n: index) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %r:2 = scf.for %i = %zero to %n step %one iter_args(%u = %a, %v = %b) -> (!volume, !volume) {
    stencil.boundary %u(<[0, 0, 0], [512, 512, 512]>) [#stencil.periodic, #stencil.periodic, #stencil.keep] : !volume
    %t = stencil.load %u : !volume -> !temp
    %s = stencil.apply(%x = %t : !temp) -> (!temp) {
      %w = stencil.weighted_sum %x offsets [[-1, 0, 0], [0, -1, 0], [0, 0, -1], [0, 0, 0], [0, 0, 1], [0, 1, 0], [1, 0, 0]] weights dense<[0.10, 0.11, 0.12, 0.13, 0.14, 0.15, 0.16]> : tensor<7xf32> : !temp
      stencil.return %w : f32
    }
    stencil.store %s to %v(<[0, 0, 0], [512, 512, 512]>) : !temp to !volume
    scf.yield %v, %u : !volume, !volume
  }
  return
}

// -----

// Two steps of 27 points, of which one alone takes longer than a copy. Fields that keep different values are left to single steps.
// REMARK: remark: [Passed] Blocked | Category:Steps | Remark="2 steps at once: predicted {{.*}} us per step, {{.*}} without it"
// CHECK-LABEL: func @cube
// CHECK: stencil.pipeline axis 0 attributes {{.*}}stencil.steps = 2 : i64
// CHECK-NOT: stencil.steps
// CHECK: return

!volume = !stencil.field<[-1,1025]x[-1,1025]x[-1,1025]xf64>
!temp = !stencil.temp<?x?x?xf64>
func.func @cube(%a: !volume, %b: !volume, %n: index) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %r:2 = scf.for %i = %zero to %n step %one iter_args(%u = %a, %v = %b) -> (!volume, !volume) {
    %t = stencil.load %u : !volume -> !temp
    %s = stencil.apply(%x = %t : !temp) -> (!temp) {
      %w = stencil.weighted_sum %x offsets [[-1, -1, -1], [-1, -1, 0], [-1, -1, 1], [-1, 0, -1], [-1, 0, 0], [-1, 0, 1], [-1, 1, -1], [-1, 1, 0], [-1, 1, 1], [0, -1, -1], [0, -1, 0], [0, -1, 1], [0, 0, -1], [0, 0, 0], [0, 0, 1], [0, 1, -1], [0, 1, 0], [0, 1, 1], [1, -1, -1], [1, -1, 0], [1, -1, 1], [1, 0, -1], [1, 0, 0], [1, 0, 1], [1, 1, -1], [1, 1, 0], [1, 1, 1]] weights dense<[0.01, 0.02, 0.03, 0.04, 0.05, 0.06, 0.07, 0.08, 0.09, 0.011, 0.021, 0.031, 0.041, 0.051, 0.061, 0.071, 0.081, 0.091, 0.012, 0.022, 0.032, 0.042, 0.052, 0.062, 0.072, 0.082, 0.092]> : tensor<27xf64> : !temp
      stencil.return %w : f64
    }
    stencil.store %s to %v(<[0, 0, 0], [1024, 1024, 1024]>) : !temp to !volume
    scf.yield %v, %u : !volume, !volume
  }
  return
}
