// RUN: stencil-opt %s | stencil-opt | FileCheck %s
// RUN: stencil-opt %s --mlir-print-op-generic | stencil-opt | FileCheck %s
// RUN: stencil-opt %s -emit-bytecode | stencil-opt | FileCheck %s

!field = !stencil.field<[-1,65]x[-1,?+1]xf64>
!temp = !stencil.temp<?x?xf64>

// The first stage is not needed beyond the box, so that it reads the field's
// halo and nothing beyond that.
// CHECK-LABEL: func @walk
func.func @walk(%u: !field, %v: !field) {
  stencil.pipeline axis 0 {
    %x = stencil.load %u : !field -> !temp
    // CHECK: %[[HALO:.*]] = stencil.load %arg1
    %h = stencil.load %v : !field -> !temp
    // CHECK: %[[MADE:.*]] = stencil.apply
    %s = stencil.apply(%a = %x : !temp) -> (!temp) attributes {stencil.stage = #stencil.stage<lead = 1>} {
      %c = stencil.access %a[-1, 1] : !temp
      stencil.return %c : f64
    }
    // CHECK: stencil.window shared %[[MADE]] depth 3 lead 1 boundary(<[0, 0], [64, ?]>) [#stencil.extrapolate<2>, #stencil.keep | #stencil.neumann] keep %[[HALO]] : !stencil.temp
    %w = stencil.window shared %s depth 3 lead 1 boundary(<[0, 0], [64, ?]>) [#stencil.extrapolate<2>, #stencil.keep | #stencil.neumann] keep %h : !temp
    %r = stencil.apply(%a = %w : !temp) -> (!temp) attributes {stencil.stage = #stencil.stage<lead = 0>} {
      %c = stencil.access %a[-1, 1] : !temp
      %d = stencil.access %a[1, -1] : !temp
      %e = arith.addf %c, %d : f64
      stencil.return %e : f64
    }
    stencil.store %r to %v(<[0, 0], [64, ?]>) : !temp to !field
  }
  return
}

// A condition that wraps, of an axis along which nobody reads beyond the box.
// CHECK-LABEL: func @part
func.func @part(%u: !field, %v: !field) {
  stencil.pipeline axis 0 {
    %x = stencil.load %u : !field -> !temp
    %s = stencil.apply(%a = %x : !temp) -> (!temp) attributes {stencil.stage = #stencil.stage<lead = 1>} {
      %c = stencil.access %a[0, 0] : !temp
      stencil.return %c : f64
    }
    // CHECK: stencil.window shared %{{.*}} depth 2 lead 1 boundary(<[0, 0], [64, ?]>) [#stencil.periodic, #stencil.dirichlet<1.000000e+00 : f64>] : !stencil.temp
    %w = stencil.window shared %s depth 2 lead 1 boundary(<[0, 0], [64, ?]>) [#stencil.periodic, #stencil.dirichlet<1.0>] : !temp
    %r = stencil.apply(%a = %w : !temp) -> (!temp) attributes {stencil.stage = #stencil.stage<lead = 0>} {
      %c = stencil.access %a[1, 1] : !temp
      stencil.return %c : f64
    }
    stencil.store %r to %v(<[1, 0], [63, ?]>) : !temp to !field
  }
  return
}
