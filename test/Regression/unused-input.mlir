// An input that the body does not read has no box; the interpreter does not ask for one.
// RUN: stencil-run %s --arg 0=random:1 --arg 1=random:2 --verify=0 | FileCheck %s
// CHECK: argument 1: max 0 ulp

func.func @unused_input(%a: !stencil.field<[0,9]xf64>, %b: !stencil.field<[0,9]xf64>) {
  %t = stencil.load %a : !stencil.field<[0,9]xf64> -> !stencil.temp<?xf64>
  %unused = stencil.apply(%x = %t : !stencil.temp<?xf64>) -> (!stencil.temp<?xf64>) {
    %v = stencil.access %x[0] : !stencil.temp<?xf64>
    stencil.return %v : f64
  }
  %r = stencil.apply(%x = %t : !stencil.temp<?xf64>, %y = %unused : !stencil.temp<?xf64>) -> (!stencil.temp<?xf64>) {
    %v = stencil.access %x[0] : !stencil.temp<?xf64>
    stencil.return %v : f64
  }
  stencil.store %r to %b(<[0], [9]>) : !stencil.temp<?xf64> to !stencil.field<[0,9]xf64>
  return
}
