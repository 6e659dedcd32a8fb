// RUN: stencil-opt %s --allow-unregistered-dialect --stencil-check-steps | FileCheck %s

!field = !stencil.field<[0,8]xf64>
!temp = !stencil.temp<[0,8]xf64>

// CHECK-LABEL: func.func @steps
// CHECK-SAME: %[[N:[a-z0-9]+]]: index, %[[STEP:[a-z0-9]+]]: i32, %{{.*}}: i32
func.func @steps(%u: !field, %n: index, %step: i32, %other: i32) {
  %zero = arith.constant 0 : index
  %two = arith.constant 2 : index
  // A step that is known, but not where the last one leads: counted.
  // CHECK-NOT: cf.assert
  // CHECK: %[[RUNS:.*]] = arith.cmpi slt, %c0, %[[N]]
  // CHECK: %[[WHOLE:.*]] = arith.divui %{{.*}}, %c2
  // CHECK: %[[MORE:.*]] = arith.addi
  // CHECK: %[[COUNT:.*]] = arith.select %[[RUNS]], %[[MORE]], %c0
  // CHECK: scf.for %[[I:.*]] = %c0{{.*}} to %[[COUNT]] step %c1
  // CHECK: %[[FURTHER:.*]] = arith.muli %[[I]], %c2
  // CHECK: %[[INDEX:.*]] = arith.addi %c0, %[[FURTHER]]
  // CHECK: "test.use"(%[[INDEX]])
  scf.for %i = %zero to %n step %two {
    "test.use"(%i) : (index) -> ()
    %c0 = arith.constant 0 : i32
    // CHECK: %[[HOLDS:.*]] = arith.cmpi sgt, %[[STEP]], %c0{{.*}} : i32
    // CHECK-NEXT: cf.assert %[[HOLDS]], "{{.*}}stencil-check-steps.mlir:[[#@LINE+2]]:5: expected a positive step"
    // CHECK: scf.for
    scf.for %j = %c0 to %other step %step : i32 {
    }
  }
  %c1 = arith.constant 1 : i32
  // CHECK: arith.cmpi ugt
  // CHECK-NEXT: cf.assert
  // CHECK: arith.cmpi ult
  // CHECK: scf.for
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
