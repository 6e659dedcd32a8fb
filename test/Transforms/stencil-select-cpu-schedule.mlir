// RUN: stencil-opt %s --stencil-select-cpu-schedule | FileCheck %s
// RUN: stencil-opt %s --stencil-select-cpu-schedule="schedule='#stencil.schedule<time = 3, stream = 0, chain = shared, block = [1, 8], points = [1, 64]>'" | FileCheck %s

// Of what was made for a GPU, the number of steps is left.

!field = !stencil.field<[-1,65]x[-1,65]xf64>
!temp = !stencil.temp<?x?xf64>
func.func @program(%u: !field, %v: !field) {
  %x = stencil.load %u : !field -> !temp
  // CHECK: stencil.apply
  // CHECK-SAME: {stencil.schedule = #stencil.schedule<time = 2>}
  %a = stencil.apply(%p = %x : !temp) -> (!temp) attributes {stencil.schedule = #stencil.schedule<stream = 0, window = shared, chain = shuffle, time = 2>} {
    %0 = stencil.access %p[1, 0] : !temp
    stencil.return %0 : f64
  }
  // CHECK: stencil.apply
  // CHECK-NOT: stencil.schedule
  // CHECK: stencil.return
  %b = stencil.apply(%p = %x : !temp) -> (!temp) attributes {stencil.schedule = #stencil.schedule<stream = 0, accumulate = scatter>} {
    %0 = stencil.access %p[1, 0] : !temp
    stencil.return %0 : f64
  }
  // CHECK: stencil.apply
  // CHECK-SAME: {stencil.schedule = #stencil.schedule<{{.*}}stream = 1, chain = shared>}
  %c = stencil.apply(%p = %x : !temp) -> (!temp) attributes {stencil.schedule = #stencil.schedule<stream = 1, chain = shared>} {
    %0 = stencil.access %p[1, 0] : !temp
    stencil.return %0 : f64
  }
  stencil.store %a to %v(<[0, 0], [64, 64]>) : !temp to !field
  return
}
