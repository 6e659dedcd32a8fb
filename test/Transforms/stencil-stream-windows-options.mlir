// The option `schedule` is for applies without one that it suits.

// RUN: stencil-opt %s --stencil-stream-windows="schedule=#stencil.schedule<stream=1,window=shared>" | FileCheck %s

!plane = !stencil.field<[-1,65]x[-1,65]xf64>
!line = !stencil.field<[-1,65]xf64>

// CHECK-LABEL: func @plane
// CHECK: stencil.pipeline axis 1
func.func @plane(%u: !plane, %v: !plane) {
  stencil.apply(%x = %u : !plane) outs (%v : !plane) {
    %a = stencil.access %x[0, -1] : !plane
    stencil.return %a : f64
  } to <[0, 0], [64, 64]>
  return
}

// CHECK-LABEL: func @own
// CHECK: stencil.pipeline axis 0
func.func @own(%u: !plane, %v: !plane) {
  stencil.apply(%x = %u : !plane) outs (%v : !plane) attributes {stencil.schedule = #stencil.schedule<stream = 0>} {
    %a = stencil.access %x[0, -1] : !plane
    stencil.return %a : f64
  } to <[0, 0], [64, 64]>
  return
}

// CHECK-LABEL: func @line
// CHECK-NOT: stencil.pipeline
func.func @line(%u: !line, %v: !line) {
  stencil.apply(%x = %u : !line) outs (%v : !line) {
    %a = stencil.access %x[-1] : !line
    stencil.return %a : f64
  } to <[0], [64]>
  return
}
