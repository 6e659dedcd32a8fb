// A loop that asks for diamonds stays as it is, without what would stand in their way: schedules of its step, and conditions that do nothing.
// RUN: stencil-opt %s --stencil-block-time="core-cache-bytes=1048576" | FileCheck %s
// RUN: stencil-opt %s --stencil-block-time="core-cache-bytes=1048576 schedule='#stencil.schedule<time = 3>'" | FileCheck %s
// RUN: stencil-opt %s --stencil-block-time="core-cache-bytes=1048576 cache-bytes=1 extents=4096,4096 automatic" | FileCheck %s

// On a GPU it is a loop as any other.
// RUN: stencil-opt %s --stencil-block-time | FileCheck %s --check-prefix=GPU
// GPU: stencil.steps = 2

!field = !stencil.field<[-1,4097]x[-1,4097]xf64>
!temp = !stencil.temp<?x?xf64>

// CHECK: scf.for
// CHECK-NEXT: stencil.load
// CHECK-NOT: stencil.schedule
// CHECK: } {stencil.diamonds = #stencil.diamonds<steps = 7>}
// CHECK-NOT: scf.for
func.func @f(%a: !field, %b: !field, %n: index) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %r:2 = scf.for %i = %zero to %n step %one iter_args(%u = %a, %v = %b) -> (!field, !field) {
    stencil.boundary %u(<[0, 0], [4096, 4096]>) [#stencil.keep, #stencil.keep] : !field
    %t = stencil.load %u : !field -> !temp
    %s = stencil.apply(%x = %t : !temp) -> (!temp) attributes {stencil.schedule = #stencil.schedule<time = 2>} {
      %p = stencil.access %x[0, 1] : !temp
      %q = stencil.access %x[-1, 0] : !temp
      %w = arith.addf %p, %q : f64
      stencil.return %w : f64
    }
    stencil.store %s to %v(<[0, 0], [4096, 4096]>) : !temp to !field
    scf.yield %v, %u : !field, !field
  } {stencil.diamonds = #stencil.diamonds<steps = 7>}
  return
}

// What a step does not store is a stage of a pipeline, also where it is to be in memory; what two chains read is one of each. It is computed as far around
// as it is read, and as early: here for two rows at a time.
// CHECK-LABEL: func.func @chains
// CHECK: scf.for
// CHECK-NEXT: stencil.pipeline axis 0 step 2
// CHECK-NEXT: %[[IN:.*]] = stencil.load
// CHECK-NEXT: %[[MADE:.*]] = stencil.apply(%{{.*}} = %[[IN]]
// CHECK: stencil.stage<lead = 1>
// CHECK: %[[KEPT:.*]] = stencil.window shared %[[MADE]] depth 4 lead 1
// CHECK-NEXT: %[[OUT:.*]] = stencil.apply(%{{.*}} = %[[KEPT]]
// CHECK: stencil.stage<lead = 0>
// CHECK: stencil.store %[[OUT]]
// CHECK: stencil.pipeline
// CHECK: stencil.load
// CHECK: stencil.load
// Of the point itself, and of its own plane, no window keeps anything.
// CHECK-NOT: stencil.window
// CHECK: stencil.store
// CHECK-NOT: stencil.apply
// CHECK: scf.yield
// CHECK-NEXT: stencil.diamonds
func.func @chains(%a: !field, %b: !field, %c: !field, %d: !field, %n: index) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %r:4 = scf.for %i = %zero to %n step %one iter_args(%u = %a, %v = %b, %s = %c, %w = %d) -> (!field, !field, !field, !field) {
    %t = stencil.load %u : !field -> !temp
    %o = stencil.load %s : !field -> !temp
    %m = stencil.apply(%x = %t : !temp) -> (!temp) {
      %p = stencil.access %x[0, 0] : !temp
      %q = arith.mulf %p, %p : f64
      stencil.return %q : f64
    }
    %k = stencil.buffer %m : !temp -> !temp
    %f = stencil.apply(%x = %k : !temp) -> (!temp) {
      %p = stencil.access %x[1, 0] : !temp
      %q = stencil.access %x[-1, 0] : !temp
      %e = arith.addf %p, %q : f64
      stencil.return %e : f64
    }
    stencil.store %f to %v(<[0, 0], [4096, 4096]>) : !temp to !field
    %g = stencil.apply(%x = %k : !temp, %y = %o : !temp) -> (!temp) {
      %p = stencil.access %x[0, 0] : !temp
      %q = stencil.access %y[0, 1] : !temp
      %e = arith.addf %p, %q : f64
      stencil.return %e : f64
    }
    stencil.store %g to %w(<[0, 0], [4096, 4096]>) : !temp to !field
    scf.yield %v, %u, %w, %s : !field, !field, !field, !field
  } {stencil.diamonds = #stencil.diamonds<steps = 7>}
  return
}
