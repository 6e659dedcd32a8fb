// Steps at once that read the state at computed coordinates were no error, but
// a crash of the pass that put one step into the next.
// RUN: not stencil-opt %s --stencil-block-time="schedule='#stencil.schedule<time = 3>'" 2>&1 | FileCheck %s
// RUN: not stencil-opt %s --stencil-block-time="core-cache-bytes=1048576 schedule='#stencil.schedule<time = 3>'" 2>&1 | FileCheck %s

!field = !stencil.field<[-1,?+1]xf64>
!temp = !stencil.temp<?xf64>
func.func @main(%a: !field, %b: !field, %n: index) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  // CHECK: :[[@LINE+1]]:10: error: cannot take 3 steps of this loop at once: a step reads the state at computed coordinates, or all of a row
  %r:2 = scf.for %i = %zero to %n step %one iter_args(%u = %a, %v = %b) -> (!field, !field) {
    %t = stencil.load %u : !field -> !temp
    %s = stencil.apply(%x = %t : !temp) -> (!temp) {
      %p = stencil.index 0 <[-1]>
      // CHECK: :[[@LINE+1]]:{{[0-9]+}}: note: because of this
      %w = stencil.dyn_access %x[%p] in <[-1]> : <[1]> : !temp
      stencil.return %w : f64
    }
    stencil.store %s to %v(<[0], [?]>) : !temp to !field
    scf.yield %v, %u : !field, !field
  }
  return
}
