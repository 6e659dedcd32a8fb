// A plate with an insulated edge.

!array = !stencil.field<?x?xf64>
!field = !stencil.field<[-1,?+1]x[-1,?+1]xf64>
!temp = !stencil.temp<?x?xf64>

// One time step: v = u + a (u_xx + u_yy), with a of at most 0.25.
// The halo of u is filled first: no heat flows through the edge.
func.func @heat_step(%u: !array, %v: !array, %a: f64) {
  %old = stencil.cast %u : !array -> !field
  %new = stencil.cast %v : !array -> !field
  stencil.boundary %old(<[0, 0], [?, ?]>) [#stencil.neumann, #stencil.neumann] : !field
  %in = stencil.load %old : !field -> !temp
  %out = stencil.apply(%x = %in : !temp, %k = %a : f64) -> (!temp) {
    %n = stencil.access %x[-1, 0] : !temp
    %w = stencil.access %x[0, -1] : !temp
    %c = stencil.access %x[0, 0] : !temp
    %e = stencil.access %x[0, 1] : !temp
    %s = stencil.access %x[1, 0] : !temp
    %minus4 = arith.constant -4.0 : f64
    %0 = arith.addf %n, %s : f64
    %1 = arith.addf %w, %e : f64
    %2 = arith.addf %0, %1 : f64
    %3 = arith.mulf %minus4, %c : f64
    %4 = arith.addf %2, %3 : f64
    %5 = arith.mulf %k, %4 : f64
    %6 = arith.addf %c, %5 : f64
    stencil.return %6 : f64
  }
  stencil.store %out to %new(<[0, 0], [?, ?]>) : !temp to !field
  return
}

// The sum over the plate, without its halo.
func.func @heat_total(%u: !array) -> f64 {
  %field = stencil.cast %u : !array -> !field
  %in = stencil.load %field : !field -> !temp
  %sum = stencil.fold %in(<[0, 0], [?, ?]>) sum : !temp
  return %sum : f64
}
