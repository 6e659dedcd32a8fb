// RUN: stencil-opt %s | stencil-opt | FileCheck %s
// RUN: stencil-opt %s --mlir-print-op-generic | stencil-opt | FileCheck %s

!field = !stencil.field<[0,64]x[-1,65]xf64>
!out = !stencil.field<[0,64]x[0,64]xf64>
!temp = !stencil.temp<?x?xf64>

// What its readers need along axis 0 is not in the field.
// CHECK-LABEL: func @window
func.func @window(%u: !field, %v: !out) {
  stencil.pipeline axis 0 {
    %x = stencil.load %u : !field -> !temp
    // CHECK: stencil.window shared %{{.*}} depth 5 lead 3 prefetch tma boundary(<[0, 0], [64, 64]>) [#stencil.periodic, #stencil.dirichlet<0.000000e+00 : f64> | #stencil.keep] : !stencil.temp
    %w = stencil.window shared %x depth 5 lead 3 prefetch tma boundary(<[0, 0], [64, 64]>) [#stencil.periodic, #stencil.dirichlet<0.0> | #stencil.keep] : !temp
    %r = stencil.apply(%a = %w : !temp) -> (!temp) attributes {stencil.stage = #stencil.stage<lead = 0>} {
      %c = stencil.access %a[0, 1] : !temp
      stencil.return %c : f64
    }
    stencil.store %r to %v(<[0, 0], [64, 64]>) : !temp to !out
  }
  return
}

// Without an axis, and with extents that are known at run time.
!symbolic = !stencil.field<[0,?]xf32>
!line = !stencil.temp<?xf32>
// CHECK-LABEL: func @tile
func.func @tile(%u: !symbolic, %v: !symbolic) {
  stencil.pipeline {
    %x = stencil.load %u : !symbolic -> !line
    // CHECK: stencil.window shared %{{.*}} boundary(<[0], [?]>) [#stencil.symmetric] : !stencil.temp
    %w = stencil.window shared %x boundary(<[0], [?]>) [#stencil.symmetric] : !line
    %r = stencil.apply(%a = %w : !line) -> (!line) {
      %c = stencil.access %a[-3] : !line
      stencil.return %c : f32
    }
    stencil.store %r to %v(<[0], [?]>) : !line to !symbolic
  }
  return
}
