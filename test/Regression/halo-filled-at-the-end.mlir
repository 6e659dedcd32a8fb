// A step fills the halo that the next one reads: what the first one reads was there before the loop. Filled before it,
// it held the wrong values. What is read before that at the point alone is not the halo.
// RUN: stencil-run %s --entry end --arg 0=random:1 --arg 1=random:2 --arg 2=3 --verify=0
// RUN: stencil-run %s --entry end --arg 0=random:1 --arg 1=random:2 --arg 2=3 --target emulator --chip sm_90 --verify=0
// RUN: stencil-opt %s --stencil-hoist-boundaries | FileCheck %s
!field = !stencil.field<[-1,10]xf64>
!temp = !stencil.temp<?xf64>
// CHECK-LABEL: @end
// CHECK-NOT: stencil.boundary
// CHECK: scf.for
// CHECK: stencil.boundary
func.func @end(%a: !field, %b: !field, %n: index) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %r:2 = scf.for %i = %zero to %n step %one iter_args(%u = %a, %v = %b) -> (!field, !field) {
    %t = stencil.load %u : !field -> !temp
    %q = stencil.apply(%x = %t : !temp) -> (!temp) {
      %l = stencil.access %x[-1] : !temp
      %r = stencil.access %x[1] : !temp
      %s = arith.addf %l, %r : f64
      stencil.return %s : f64
    }
    stencil.store %q to %v(<[0], [9]>) : !temp to !field
    stencil.boundary %v(<[0], [9]>) [#stencil.dirichlet<1.0>] : !field
    scf.yield %v, %u : !field, !field
  }
  return
}
// CHECK-LABEL: @pointwise
// CHECK: stencil.boundary
// CHECK: scf.for
// CHECK-NOT: stencil.boundary
// CHECK: return
func.func @pointwise(%a: !field, %b: !field, %n: index) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %r:2 = scf.for %i = %zero to %n step %one iter_args(%u = %a, %v = %b) -> (!field, !field) {
    stencil.boundary %u(<[0], [9]>) [#stencil.dirichlet<1.0>] : !field
    %t = stencil.load %u : !field -> !temp
    %old = stencil.load %v : !field -> !temp
    %q = stencil.apply(%x = %t : !temp, %y = %old : !temp) -> (!temp) {
      %l = stencil.access %x[-1] : !temp
      %c = stencil.access %y[0] : !temp
      %s = arith.subf %l, %c : f64
      stencil.return %s : f64
    }
    stencil.store %q to %v(<[0], [9]>) : !temp to !field
    scf.yield %v, %u : !field, !field
  }
  return
}
