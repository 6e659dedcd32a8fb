!field = !stencil.field<[-1,9]xf64>
!temp = !stencil.temp<?xf64>
func.func @steps(%u0: !field, %v0: !field, %steps: index) attributes {llvm.emit_c_interface} {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %r:2 = scf.for %step = %zero to %steps step %one iter_args(%u = %u0, %v = %v0) -> (!field, !field) {
    %old = stencil.load %u : !field -> !temp
    %new = stencil.apply(%x = %old : !temp) -> (!temp) {
      %l = stencil.access %x[-1] : !temp
      %r = stencil.access %x[1] : !temp
      %sum = arith.addf %l, %r : f64
      stencil.return %sum : f64
    }
    stencil.store %new to %v(<[0], [8]>) : !temp to !field
    scf.yield %v, %u : !field, !field
  }
  return
}
