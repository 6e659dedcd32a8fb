// Where extents are given, no field says any more what N0 is: "the extent of axis 0 is not bound by a field argument or a cast before".

// RUN: stencil-opt %s --stencil-specialize-extents=extents=9 | FileCheck %s
// RUN: stencil-run %s --target interpreter --extents 9 --arg 0=zeros | FileCheck %s --check-prefix=RESULT
// RUN: stencil-run %s --target emulator --chip sm_90 --extents 9 --arg 0=zeros | FileCheck %s --check-prefix=RESULT

// CHECK-NOT: stencil.extent
// CHECK: %[[N:.*]] = arith.constant 9 : index
// CHECK: return %[[N]]
// RESULT: 9

!field = !stencil.field<[0,?]xf64>
func.func @extent(%a: !stencil.field<?xf64>) -> index {
  %f = stencil.cast %a : !stencil.field<?xf64> -> !field
  %t = stencil.load %f : !field -> !stencil.temp<?xf64>
  %r = stencil.apply(%x = %t : !stencil.temp<?xf64>) -> (!stencil.temp<?xf64>) {
    %v = stencil.access %x[0] : !stencil.temp<?xf64>
    stencil.return %v : f64
  }
  stencil.store %r to %f(<[0], [?]>) : !stencil.temp<?xf64> to !field
  %n = stencil.extent 0
  return %n : index
}
