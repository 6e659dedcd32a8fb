// RUN: not stencil-opt %s --stencil-coalesce-stores 2>&1 | FileCheck %s
// CHECK: error: expected a module with the attribute stencil.target; stencil-attach-target="chip=sm_90" sets it

!field = !stencil.field<[-8,1032]xf64>
!temp = !stencil.temp<?xf64>
func.func @row(%u: !field, %v: !field) {
  stencil.pipeline attributes {stencil.schedule = #stencil.schedule<block = [64], points = [5]>} {
    %x = stencil.load %u : !field -> !temp
    %r = stencil.apply(%a = %x : !temp) -> (!temp) {
      %l = stencil.access %a[-1] : !temp
      stencil.return %l : f64
    }
    stencil.store %r to %v(<[0], [1024]>) : !temp to !field
  }
  return
}
