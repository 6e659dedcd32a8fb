// RUN: stencil-opt %s --stencil-check-steps | FileCheck %s

!field = !stencil.field<[0,8]xf64>
!temp = !stencil.temp<[0,8]xf64>

// CHECK-LABEL: func.func @steps
// CHECK-SAME: %[[STEP:[a-z0-9]+]]: i32, %{{.*}}: i32
func.func @steps(%u: !field, %n: index, %step: i32, %other: i32) {
  %zero = arith.constant 0 : index
  %two = arith.constant 2 : index
  // Known.
  // CHECK-NOT: cf.assert
  // CHECK: scf.for
  scf.for %i = %zero to %n step %two {
    %c0 = arith.constant 0 : i32
    // CHECK: %[[HOLDS:.*]] = arith.cmpi sgt, %[[STEP]], %c0{{.*}} : i32
    // CHECK-NEXT: cf.assert %[[HOLDS]], "{{.*}}stencil-check-steps.mlir:[[#@LINE+2]]:5: expected a positive step"
    // CHECK-NEXT: scf.for
    scf.for %j = %c0 to %other step %step : i32 {
    }
  }
  %c1 = arith.constant 1 : i32
  // CHECK: arith.cmpi ugt
  // CHECK-NEXT: cf.assert
  // CHECK-NEXT: scf.for unsigned
  scf.for unsigned %j = %c1 to %other step %step : i32 {
  }
  %t = stencil.load %u : !field -> !temp
  // The lowering does it.
  // CHECK: stencil.apply
  // CHECK-NOT: cf.assert
  %r = stencil.apply(%x = %t : !temp, %s = %n : index) -> (!temp) {
    %lower = arith.constant 0 : index
    %v = stencil.access %x[0] : !temp
    %sum = scf.for %j = %lower to %s step %s iter_args(%a = %v) -> (f64) {
      %b = arith.addf %a, %v : f64
      scf.yield %b : f64
    }
    stencil.return %sum : f64
  }
  stencil.store %r to %u(<[0], [8]>) : !temp to !field
  return
}
