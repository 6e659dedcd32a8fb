// RUN: stencil-opt %s --split-input-file --stencil-attach-target=chip=sm_90 --stencil-block-time=automatic | FileCheck %s
// RUN: stencil-opt %s --split-input-file --stencil-attach-target=chip=sm_90 --stencil-block-time=automatic --remarks-filter=Steps -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK

// Waves in planes: of radius one nine steps, of what is left three; of radius
// two five.

// REMARK: Remark="9 steps at once, of several states"
// CHECK-LABEL: func @near
// CHECK: stencil.steps = 9 : i64
// CHECK: stencil.steps = 3 : i64
!plane = !stencil.field<[-2,2050]x[-2,2050]xf64>
!temp = !stencil.temp<?x?xf64>
func.func @near(%a: !plane, %b: !plane, %n: index) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %r:2 = scf.for %i = %zero to %n step %one iter_args(%u = %a, %v = %b) -> (!plane, !plane) {
    %now = stencil.load %u : !plane -> !temp
    %old = stencil.load %v : !plane -> !temp
    %s = stencil.apply(%x = %now : !temp, %o = %old : !temp) -> (!temp) {
      %w = stencil.weighted_sum %x offsets [[-1, 0], [0, -1], [0, 0], [0, 1], [1, 0]] weights dense<[0.2, 0.2, 1.2, 0.2, 0.2]> : tensor<5xf64> : !temp
      %y = stencil.access %o[0, 0] : !temp
      %z = arith.subf %w, %y : f64
      stencil.return %z : f64
    }
    stencil.store %s to %v(<[0, 0], [2048, 2048]>) : !temp to !plane
    scf.yield %v, %u : !plane, !plane
  }
  return
}

// -----

// REMARK: Remark="5 steps at once, of several states"
// CHECK-LABEL: func @far
// CHECK: stencil.steps = 5 : i64
!plane = !stencil.field<[-2,2050]x[-2,2050]xf64>
!temp = !stencil.temp<?x?xf64>
func.func @far(%a: !plane, %b: !plane, %n: index) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %r:2 = scf.for %i = %zero to %n step %one iter_args(%u = %a, %v = %b) -> (!plane, !plane) {
    %now = stencil.load %u : !plane -> !temp
    %old = stencil.load %v : !plane -> !temp
    %s = stencil.apply(%x = %now : !temp, %o = %old : !temp) -> (!temp) {
      %w = stencil.weighted_sum %x offsets [[-2, 0], [0, -2], [0, 0], [0, 2], [2, 0]] weights dense<[0.2, 0.2, 1.2, 0.2, 0.2]> : tensor<5xf64> : !temp
      %y = stencil.access %o[0, 0] : !temp
      %z = arith.subf %w, %y : f64
      stencil.return %z : f64
    }
    stencil.store %s to %v(<[0, 0], [2048, 2048]>) : !temp to !plane
    scf.yield %v, %u : !plane, !plane
  }
  return
}

// -----

// REMARK: Remark="steps are taken one by one: several states of so few points were not measured"
// CHECK-LABEL: func @small
// CHECK-NOT: stencil.steps
!plane = !stencil.field<[-2,1026]x[-2,1026]xf64>
!temp = !stencil.temp<?x?xf64>
func.func @small(%a: !plane, %b: !plane, %n: index) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %r:2 = scf.for %i = %zero to %n step %one iter_args(%u = %a, %v = %b) -> (!plane, !plane) {
    %now = stencil.load %u : !plane -> !temp
    %old = stencil.load %v : !plane -> !temp
    %s = stencil.apply(%x = %now : !temp, %o = %old : !temp) -> (!temp) {
      %w = stencil.weighted_sum %x offsets [[-1, 0], [0, -1], [0, 0], [0, 1], [1, 0]] weights dense<[0.2, 0.2, 1.2, 0.2, 0.2]> : tensor<5xf64> : !temp
      %y = stencil.access %o[0, 0] : !temp
      %z = arith.subf %w, %y : f64
      stencil.return %z : f64
    }
    stencil.store %s to %v(<[0, 0], [1024, 1024]>) : !temp to !plane
    scf.yield %v, %u : !plane, !plane
  }
  return
}
