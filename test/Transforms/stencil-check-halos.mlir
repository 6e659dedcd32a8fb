// The program stays as it is: no box is kept.
// RUN: stencil-opt %s --stencil-check-halos | FileCheck %s

!field = !stencil.field<[-1,?+1]xf64>
!temp = !stencil.temp<?xf64>

// CHECK-LABEL: @left
// CHECK: stencil.load {{.*}} -> !stencil.temp<?xf64>
// CHECK: stencil.access %{{.*}}[-1] : !stencil.temp<?xf64>
func.func @left(%a: !field, %b: !field) {
  %t = stencil.load %a : !field -> !temp
  %r = stencil.apply(%x = %t : !temp) -> (!temp) {
    %l = stencil.access %x[-1] : !temp
    stencil.return %l : f64
  }
  stencil.store %r to %b(<[0], [?]>) : !temp to !field
  return
}
