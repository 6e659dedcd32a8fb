// An apply that reads one field twice, and is put off until its result can be stored in place: what was known of its
// reads was moved for ever.
// RUN: stencil-opt %s --stencil-bufferize | FileCheck %s

!field = !stencil.field<[-3,?+3]xi32>
!low = !stencil.temp<[0,7]xi32>
!high = !stencil.temp<[7,?]xi32>
// CHECK-LABEL: @equal_inputs
// CHECK: } to <[7], [?]>
// CHECK: stencil.apply(%{{.*}} = %arg0 : {{.*}}, %{{.*}} = %arg0 : {{.*}}) outs (%arg2 :
// CHECK: } to <[0], [7]>
func.func @equal_inputs(%a: !field, %b: !field, %c: !field) {
  %old = stencil.load %a : !field -> !low
  %lower = stencil.apply(%x = %old : !low, %y = %old : !low) -> (!low) {
    %x0 = stencil.access %x[0] : !low
    %y0 = stencil.access %y[0] : !low
    %s = arith.addi %x0, %y0 : i32
    stencil.return %s : i32
  }
  %tb = stencil.load %b : !field -> !high
  %tc = stencil.load %c : !field -> !stencil.temp<[5,?+2]xi32>
  %upper = stencil.apply(%x = %tb : !high, %y = %tc : !stencil.temp<[5,?+2]xi32>) -> (!high) {
    %x0 = stencil.access %x[0] : !high
    %y0 = stencil.access %y[-2] : !stencil.temp<[5,?+2]xi32>
    %s = arith.addi %x0, %y0 : i32
    stencil.return %s : i32
  }
  %all = stencil.combine 0 at 7 lower = (%lower : !low) upper = (%upper : !high) : !stencil.temp<[0,?]xi32>
  stencil.store %all to %c(<[0], [?]>) : !stencil.temp<[0,?]xi32> to !field
  return
}
