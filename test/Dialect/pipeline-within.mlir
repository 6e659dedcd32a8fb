// RUN: stencil-opt %s | stencil-opt | FileCheck %s

!field = !stencil.field<[-1,10]x[-1,7]xf64>
!temp = !stencil.temp<?x?xf64>

// Beyond the box nothing is needed of the stage: the field is as wide as it has
// to be for the points within.
// CHECK-LABEL: @within
// CHECK: stencil.window shared %{{.*}} attributes {stencil.within = #stencil.bounds<[0, 0], [9, 6]>}
func.func @within(%u: !field, %v: !field) {
  stencil.pipeline {
    %x = stencil.load %u : !field -> !temp
    %s = stencil.apply(%a = %x : !temp) -> (!temp) {
      %c = stencil.access %a[-1, 0] : !temp
      stencil.return %c : f64
    }
    %w = stencil.window shared %s attributes {stencil.within = #stencil.bounds<[0, 0], [9, 6]>} : !temp
    %r = stencil.apply(%a = %w : !temp) -> (!temp) {
      %c = stencil.access %a[-1, 0] : !temp
      stencil.return %c : f64
    }
    stencil.store %r to %v(<[0, 0], [9, 6]>) : !temp to !field
  }
  return
}
