// Where only an extra operand of a combine is needed, it becomes its pair: there is no text for a combine without one.
// RUN: stencil-opt %s --stencil-infer-shapes | stencil-opt | FileCheck %s
// CHECK: %[[U:.*]]:3 = stencil.apply
// CHECK: stencil.combine 0 at 3 lower = (%[[U]]#2 : !stencil.temp<[4,8]xf64>) upper = (%[[U]]#2 : !stencil.temp<[4,8]xf64>) : !stencil.temp<[4,8]xf64>

func.func @extra(%a: !stencil.field<[0,8]xf64>, %b: !stencil.field<[0,8]xf64>) {
  %t = stencil.load %a : !stencil.field<[0,8]xf64> -> !stencil.temp<?xf64>
  %u:3 = stencil.apply(%x = %t : !stencil.temp<?xf64>) -> (!stencil.temp<?xf64>, !stencil.temp<?xf64>, !stencil.temp<?xf64>) {
    %v = stencil.access %x[0] : !stencil.temp<?xf64>
    stencil.return %v, %v, %v : f64, f64, f64
  }
  %c:2 = stencil.combine 0 at 3 lower = (%u#0 : !stencil.temp<?xf64>) upper = (%u#1 : !stencil.temp<?xf64>) upperext = %u#2 : !stencil.temp<?xf64> : !stencil.temp<?xf64>, !stencil.temp<?xf64>
  stencil.store %c#1 to %b(<[4], [8]>) : !stencil.temp<?xf64> to !stencil.field<[0,8]xf64>
  return
}
