// The box of a load that is needed up to coordinate 5 by one and up to the extent by another was relative to the
// extent, so that interiors of less than five points were refused; the field has two more.
// RUN: stencil-run %s --extents 4 --arg 0=random:1 --arg 1=zeros --verify=0
// RUN: stencil-run %s --extents 4 --arg 0=random:1 --arg 1=zeros --verify=0 --target emulator --chip sm_90
// RUN: not stencil-run %s --extents 2 --arg 0=random:1 --arg 1=zeros 2>&1 | FileCheck %s --check-prefix=SMALL
// RUN: stencil-opt %s --stencil-infer-shapes | FileCheck %s

// SMALL: error: expected an interior extent of at least 4 on axis 0

!field = !stencil.field<[-2,?+2]xf64>
!temp = !stencil.temp<?xf64>

func.func @join(%u: !field, %v: !field) {
  // CHECK: stencil.load {{.*}} -> !stencil.temp<[2,?+2]xf64>
  %t = stencil.load %u : !field -> !temp
  %far = stencil.apply(%x = %t : !temp) -> (!temp) {
    %0 = stencil.access %x[2] : !temp
    stencil.return %0 : f64
  }
  %near = stencil.apply(%x = %t : !temp) -> (!temp) {
    %0 = stencil.access %x[0] : !temp
    stencil.return %0 : f64
  }
  %r = stencil.combine 0 at 3 lower = (%far : !temp) upper = (%near : !temp) : !temp
  stencil.store %r to %v(<[0], [?]>) : !temp to !field
  return
}
