// Composed, this step has products of up to a thousand scalars, which no one waits for.
// RUN: not stencil-opt %s --stencil-compose-steps="steps=1000 math=reassociate" 2>&1 | FileCheck %s
// CHECK: error: cannot compose 1000 steps of this loop: multiplying out its sums would take more than

!field = !stencil.field<[0,9000]xf64>
!temp = !stencil.temp<?xf64>
func.func @f(%a: !field, %b: !field, %alpha: f64, %n: index) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %r:2 = scf.for %i = %zero to %n step %one iter_args(%u = %a, %v = %b) -> (!field, !field) {
    %t = stencil.load %u : !field -> !temp
    %s = stencil.apply(%x = %t : !temp, %c = %alpha : f64) -> (!temp) {
      %w = stencil.access %x[0] : !temp
      %e = stencil.access %x[1] : !temp
      %d = arith.subf %e, %w : f64
      %p = arith.mulf %c, %d : f64
      %q = arith.addf %w, %p : f64
      stencil.return %q : f64
    }
    stencil.store %s to %v(<[0], [8999]>) : !temp to !field
    scf.yield %v, %u : !field, !field
  }
  return
}
