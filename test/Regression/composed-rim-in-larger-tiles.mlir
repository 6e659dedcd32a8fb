// The rim of 32 points is one tile of 30 points and two points of another one, which reads on to where nobody has stored: the emulator must not find
// that a sum uses what has no value.
// RUN: stencil-run %s --target emulator --chip sm_90 --math reassociate --arg 0=random:1 --arg 1=random:2 --arg 2=70 --verify

!field = !stencil.field<[-1,258]xf64>
!temp = !stencil.temp<?xf64>

func.func @f(%a: !field, %b: !field, %n: index) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %r:2 = scf.for %i = %zero to %n step %one iter_args(%u = %a, %v = %b) -> (!field, !field) {
    stencil.boundary %u(<[0], [257]>) [#stencil.periodic] : !field
    %t = stencil.load %u : !field -> !temp
    %s = stencil.apply(%x = %t : !temp) -> (!temp) {
      %w = stencil.weighted_sum %x offsets [[-1], [0], [1]] weights dense<[0.25, 0.5, 0.125]> : tensor<3xf64> : !temp
      stencil.return %w : f64
    }
    stencil.store %s to %v(<[0], [257]>) : !temp to !field
    scf.yield %v, %u : !field, !field
  }
  return
}
