// star-4b.mlir as a program.
!field = !stencil.field<[-1,?+1]x[-1,?+1]x[-1,?+1]xf64>
!read = !stencil.temp<?x?x?xf64>
func.func @star(%arg0: !stencil.field<?x?x?xf64>, %arg1: !stencil.field<?x?x?xf64>) {
  %u = stencil.cast %arg0 : !stencil.field<?x?x?xf64> -> !field
  %v = stencil.cast %arg1 : !stencil.field<?x?x?xf64> -> !field
  %x = stencil.load %u : !field -> !read
  %r = stencil.apply(%t = %x : !read) -> (!read) {
    %0 = stencil.access %t[-1, 0, 0] : !read
    %1 = stencil.access %t[1, 0, 0] : !read
    %2 = stencil.access %t[0, -1, 0] : !read
    %3 = stencil.access %t[0, 1, 0] : !read
    %4 = stencil.access %t[0, 0, -1] : !read
    %5 = stencil.access %t[0, 0, 1] : !read
    %6 = arith.addf %0, %1 : f64
    %7 = arith.addf %2, %3 : f64
    %8 = arith.subf %6, %7 : f64
    %9 = arith.addf %4, %5 : f64
    %10 = arith.mulf %8, %9 : f64
    stencil.return %10 : f64
  }
  stencil.store %r to %v(<[0,0,0],[?,?,?]>) : !read to !field
  return
}
