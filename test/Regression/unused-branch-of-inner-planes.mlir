// RUN: stencil-opt %s "--pass-pipeline=builtin.module(stencil-attach-target{chip=sm_80},stencil-map-stages,func.func(stencil-place-barriers,stencil-expand-walks))" | FileCheck %s

// Between the ends of the walk nobody needs what the branch makes: it goes with
// all that is in it.

!field = !stencil.field<[-1,41]x[0,64]xf64>
!temp = !stencil.temp<?x?xf64>

// CHECK-LABEL: @unused_in_inner_planes
// CHECK: scf.if
// CHECK: arith.select {{.*}} : f64
// CHECK: scf.for
// CHECK-NOT: scf.if
// CHECK: stencil.return
// CHECK: scf.for
// CHECK: scf.if
// CHECK: arith.select {{.*}} : f64
func.func @unused_in_inner_planes(%u: !field, %v: !field) {
  stencil.pipeline axis 0 attributes {stencil.inner = #stencil.bounds<[1, 0], [39, 64]>, stencil.schedule = #stencil.schedule<block = [1, 32], points = [1, 2], stream = 0, segments = 1>} {
    %x = stencil.load %u : !field -> !temp
    %w = stencil.window shared %x depth 3 lead 1 : !temp
    %s = stencil.apply(%a = %w : !temp) -> (!temp) attributes {stencil.stage = #stencil.stage<lead = 0>} {
      %l = stencil.access %a[-1, 0] : !temp
      %h = stencil.access %a[1, 0] : !temp
      %zero = arith.constant 0.0 : f64
      %p = arith.cmpf ogt, %l, %zero : f64
      %edge = scf.if %p -> (f64) {
        %d = arith.mulf %h, %h : f64
        %q = arith.cmpf ogt, %d, %l : f64
        %inner = scf.if %q -> (f64) {
          %e = arith.mulf %d, %l : f64
          scf.yield %e : f64
        } else {
          scf.yield %d : f64
        }
        scf.yield %inner : f64
      } else {
        %f = arith.addf %l, %h : f64
        scf.yield %f : f64
      }
      %first = arith.constant 0 : index
      %i = stencil.index 0 <[0, 0]>
      %isFirst = arith.cmpi eq, %i, %first : index
      %c = arith.addf %l, %h : f64
      %r = arith.select %isFirst, %edge, %c : f64
      stencil.return %r : f64
    }
    stencil.store %s to %v(<[0, 0], [40, 64]>) : !temp to !field
  }
  return
}
