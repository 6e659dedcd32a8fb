// Functions of the C library are called for each element of a vector.
// RUN: stencil-run %s --arg 0=random:1 --arg 1=random:2 --verify | FileCheck %s
// CHECK: argument 1: {{.*}} 0 of 33 points

func.func @functions(%a: !stencil.field<[0,33]xf64>, %b: !stencil.field<[0,33]xf64>) {
  %t = stencil.load %a : !stencil.field<[0,33]xf64> -> !stencil.temp<?xf64>
  %r = stencil.apply(%x = %t : !stencil.temp<?xf64>) -> (!stencil.temp<?xf64>) {
    %v = stencil.access %x[0] : !stencil.temp<?xf64>
    %e = math.erf %v : f64
    %c = math.cbrt %e : f64
    %s = math.asinh %c : f64
    stencil.return %s : f64
  }
  stencil.store %r to %b(<[0], [33]>) : !stencil.temp<?xf64> to !stencil.field<[0,33]xf64>
  return
}
