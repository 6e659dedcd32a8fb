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
