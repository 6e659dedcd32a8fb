// RUN: stencil-opt %s | stencil-opt | FileCheck %s

!field = !stencil.field<[-1,10]x[-1,7]xf64>
!temp = !stencil.temp<?x?xf64>

// What the pipeline means does not depend on it.
// CHECK-LABEL: @inner
// CHECK: stencil.pipeline axis 0 attributes {stencil.inner = #stencil.bounds<[1, 0], [9, 6]>}
func.func @inner(%u: !field, %v: !field) {
  stencil.pipeline axis 0 attributes {stencil.inner = #stencil.bounds<[1, 0], [9, 6]>} {
    %x = stencil.load %u : !field -> !temp
    %r = stencil.apply(%a = %x : !temp) -> (!temp) attributes {stencil.stage = #stencil.stage<lead = 0>} {
      %zero = arith.constant 0 : index
      %i = stencil.index 0 <[0, 0]>
      %isFirst = arith.cmpi eq, %i, %zero : index
      %here = stencil.access %a[0, 0] : !temp
      %before = stencil.access %a[-1, 0] : !temp
      %c = arith.select %isFirst, %here, %before : f64
      stencil.return %c : f64
    }
    stencil.store %r to %v(<[0, 0], [9, 6]>) : !temp to !field
  }
  return
}
