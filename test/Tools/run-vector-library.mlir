// Vectors of exponentials and their like come from the C library, where it has
// them (libmvec of glibc on x86-64); the numbers are right anyway, at ends of
// rows that do not fill a vector, and for what has no finite result.
// RUN: stencil-run %s --extents 67 --arg 0=random:1 --arg 1=zeros --verify
// RUN: stencil-run %s --extents 67 --arg 0=random:1 --arg 1=zeros --math strict --verify=1 --dump-ir %t
// RUN: not grep -r _ZGV %t

// A vector library can be declined.
// RUN: stencil-run %s --extents 67 --arg 0=random:1 --arg 1=zeros --cpu-options "vector-library=none" --dump-ir %t.none
// RUN: not grep -r _ZGV %t.none

!open = !stencil.field<?xf64>
!field = !stencil.field<[0,?]xf64>
!temp = !stencil.temp<?xf64>
func.func @elementary(%a: !open, %b: !open) {
  %u = stencil.cast %a : !open -> !field
  %v = stencil.cast %b : !open -> !field
  %t = stencil.load %u : !field -> !temp
  %r = stencil.apply(%x = %t : !temp) -> (!temp) {
    %0 = stencil.access %x[0] : !temp
    %one = arith.constant 1.0 : f64
    %half = arith.constant 0.5 : f64
    %quarter = arith.constant 0.25 : f64
    %big = arith.constant 1.0e4 : f64
    // NaN, infinity, numbers.
    %1 = arith.subf %0, %one : f64
    %2 = math.log %1 : f64
    %3 = arith.mulf %0, %big : f64
    %4 = math.exp %3 : f64
    %5 = math.powf %0, %half : f64
    %6 = math.tanh %5 : f64
    %c0 = arith.cmpf olt, %0, %quarter : f64
    %c1 = arith.cmpf olt, %0, %half : f64
    %7 = arith.select %c1, %4, %6 : f64
    %8 = arith.select %c0, %2, %7 : f64
    stencil.return %8 : f64
  }
  stencil.store %r to %v(<[0], [?]>) : !temp to !field
  return
}
