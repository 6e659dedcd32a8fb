// RUN: stencil-opt %s --stencil-wrap-stages | FileCheck %s

// Nobody needs what the branch makes: it goes with all that is in it.

!field = !stencil.field<[-2,11]x[-2,8]xf64>
!temp = !stencil.temp<?x?xf64>

// CHECK-LABEL: @unused_branch
// CHECK: stencil.pipeline
// CHECK-NOT: scf.if
// CHECK: stencil.store
func.func @unused_branch(%u: !field, %v: !field) {
  stencil.pipeline {
    %x = stencil.load %u : !field -> !temp
    %s = stencil.apply(%a = %x : !temp) -> (!temp) {
      %c = stencil.access %a[1, 0] : !temp
      %zero = arith.constant 0.0 : f64
      %p = arith.cmpf ogt, %c, %zero : f64
      %unused = scf.if %p -> (f64) {
        %d = arith.mulf %c, %c : f64
        %q = arith.cmpf ogt, %d, %zero : f64
        %inner = scf.if %q -> (f64) {
          %e = arith.mulf %d, %d : f64
          scf.yield %e : f64
        } else {
          scf.yield %d : f64
        }
        scf.yield %inner : f64
      } else {
        %f = arith.addf %c, %c : f64
        scf.yield %f : f64
      }
      stencil.return %c : f64
    }
    %w = stencil.window shared %s boundary(<[0, 0], [9, 6]>) [#stencil.periodic, #stencil.neumann] : !temp
    %r = stencil.apply(%a = %w : !temp) -> (!temp) {
      %l = stencil.access %a[-1, 0] : !temp
      %h = stencil.access %a[1, 0] : !temp
      %c = arith.addf %l, %h : f64
      stencil.return %c : f64
    }
    stencil.store %r to %v(<[0, 0], [9, 6]>) : !temp to !field
  }
  return
}
