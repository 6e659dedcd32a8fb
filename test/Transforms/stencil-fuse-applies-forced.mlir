// RUN: stencil-opt %s --stencil-fuse-applies='force=a,c+d automatic=false' | FileCheck %s

// Through a combine: `a` is both of its sides, and is read beside it.
// CHECK-LABEL: func.func @combine
// CHECK-COUNT-2: stencil.apply
// CHECK-NOT: stencil.apply
// CHECK: stencil.combine 0 at 11
// CHECK-NOT: stencil.combine
!field = !stencil.field<[-2,66]xf64>
!temp = !stencil.temp<?xf64>
func.func @combine(%u: !field, %v: !field) {
  %t = stencil.load %u : !field -> !temp
  %f:2 = stencil.apply(%x = %t : !temp) -> (!temp, !temp) attributes {stencil.name = "a"} {
    %a = stencil.access %x[0] : !temp
    %b = stencil.access %x[1] : !temp
    stencil.return %a, %b : f64, f64
  }
  %c = stencil.combine 0 at 11 lower = (%f#0 : !temp) upper = (%f#1 : !temp) : !temp
  %d = stencil.combine 0 at 11 lower = (%f#1 : !temp) upper = (%f#0 : !temp) : !temp
  %r = stencil.apply(%y = %c : !temp, %z = %d : !temp, %w = %f#0 : !temp) -> (!temp) {
    %e = stencil.access %y[0] : !temp
    %g = stencil.access %z[0] : !temp
    %h = stencil.access %w[0] : !temp
    %s = arith.addf %e, %g : f64
    %p = arith.mulf %s, %h : f64
    stencil.return %p : f64
  }
  stencil.store %r to %v(<[0], [64]>) : !temp to !field
  return
}

// Whatever it costs, and only what is asked for.
// CHECK-LABEL: func.func @siblings
// CHECK: stencil.apply({{.*}}) -> (!stencil.temp<?xf64>, !stencil.temp<?xf64>) attributes {stencil.name = "c+d"}
// CHECK: stencil.apply
func.func @siblings(%u: !field, %v: !field, %w: !field, %x: !field) {
  %t = stencil.load %u : !field -> !temp
  %tx = stencil.load %x : !field -> !temp
  %a = stencil.apply(%y = %t : !temp) -> (!temp) attributes {stencil.name = "c"} {
    %e = stencil.access %y[1] : !temp
    stencil.return %e : f64
  }
  stencil.store %a to %v(<[0], [64]>) : !temp to !field
  %b = stencil.apply(%y = %tx : !temp) -> (!temp) attributes {stencil.name = "d"} {
    %e = stencil.access %y[-1] : !temp
    stencil.return %e : f64
  }
  %c = stencil.apply(%y = %b : !temp) -> (!temp) {
    %e = stencil.access %y[0] : !temp
    %f = arith.addf %e, %e : f64
    stencil.return %f : f64
  }
  stencil.store %c to %w(<[0], [64]>) : !temp to !field
  return
}
