!field = !stencil.field<[-1,4097]xf64>
!temp = !stencil.temp<?xf64>
func.func @f(%a: !field, %b: !field, %n: index) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %r:2 = scf.for %i = %zero to %n step %one iter_args(%u = %a, %v = %b) -> (!field, !field) {
    %t = stencil.load %u : !field -> !temp
    %s = stencil.apply(%x = %t : !temp) -> (!temp) {
      %w = stencil.weighted_sum %x offsets [[-1], [1]] weights dense<1.0> : tensor<2xf64> : !temp
      stencil.return %w : f64
    }
    stencil.store %s to %v(<[0], [4096]>) : !temp to !field
    scf.yield %v, %u : !field, !field
  }
  return
}
