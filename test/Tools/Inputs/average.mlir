// One step on 4 x 5 points with a halo of one cell: b = w (sum of neighbours).
!field = !stencil.field<[-1,5]x[-1,6]xf64>
!temp = !stencil.temp<?x?xf64>

func.func @average(%a: !field, %b: !field, %w: f64) -> f64 {
  %t = stencil.load %a : !field -> !temp
  %r = stencil.apply(%x = %t : !temp, %k = %w : f64) -> (!temp) {
    %n = stencil.access %x[-1, 0] : !temp
    %s = stencil.access %x[1, 0] : !temp
    %e = stencil.access %x[0, 1] : !temp
    %l = stencil.access %x[0, -1] : !temp
    %0 = arith.addf %n, %s : f64
    %1 = arith.addf %e, %l : f64
    %2 = arith.addf %0, %1 : f64
    %3 = arith.mulf %k, %2 : f64
    stencil.return %3 : f64
  }
  stencil.store %r to %b(<[0, 0], [4, 5]>) : !temp to !field
  %m = stencil.fold %r(<[0, 0], [4, 5]>) max : !temp
  return %m : f64
}
