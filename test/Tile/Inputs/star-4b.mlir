// A star of six points in form 4b. The words in capitals are how its ring is filled.
!field = !stencil.field<[-1,?+1]x[-1,?+1]x[-1,?+1]xf64>
!ring = !tile.ring<5 x [0,1]x[-1,9]x[-4,36]xf64FILL>
!read = !stencil.temp<[-1,2]x[-1,9]x[-1,33]xf64>
!tile = !stencil.temp<[0,1]x[0,8]x[0,32]xf64>
func.func @star(%arg0: !stencil.field<?x?x?xf64>, %arg1: !stencil.field<?x?x?xf64>) {
  %u = stencil.cast %arg0 : !stencil.field<?x?x?xf64> -> !field
  %v = stencil.cast %arg1 : !stencil.field<?x?x?xf64> -> !field
  tile.kernel @star(%a = %u : !field, %b = %v : !field)
      grid <domain = <[0, 0, 0], [?, ?, ?]>, block = [1, 4, 32], points = [1, 2, 1], walk = 0, segments = 3, align = 4> {
    %w = tile.ring : !ring
    %zero = arith.constant 0 : index
    %one = arith.constant 1 : index
    %first, %count = tile.segment lookback 1 : index
    %c0 = tile.cursor %zero : !tile.cursor<5>
    FIRST
    %before = arith.minsi %one, %count : index
    %c1 = scf.for %i = %zero to %before step %one iter_args(%c = %c0) -> (!tile.cursor<5>) {
      %p = arith.addi %first, %i : index
      STEP
      %d = tile.advance %c : !tile.cursor<5>
      scf.yield %d : !tile.cursor<5>
    }
    %end = scf.for %i = %one to %count step %one iter_args(%c = %c1) -> (!tile.cursor<5>) {
      %p = arith.addi %first, %i : index
      STEP
      %x = tile.source %w[%c] : !ring -> !read
      tile.where {
        %r = stencil.apply(%t = %x : !read) -> (!tile) {
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
        tile.store %r to %b[%p] : !tile to !field
      }
      %d = tile.advance %c : !tile.cursor<5>
      scf.yield %d : !tile.cursor<5>
    }
  }
  return
}
