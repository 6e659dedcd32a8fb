// A walk that reads only planes behind it changed the sign of planes that had not come yet, in its first iterations.
// DEFINE: %{run} = stencil-run %s --target emulator --chip sm_90 --arg 0=random:1 --arg 1=random:2 --arg 2=2 --verify=0 --math strict --entry
// RUN: %{run} next
// RUN: %{run} both

!field = !stencil.field<[-1,6]x[-1,34]xf64>
!temp = !stencil.temp<?x?xf64>
func.func @next(%a: !field, %b: !field, %n: index) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %r:2 = scf.for %i = %zero to %n step %one iter_args(%v = %b, %u = %a) -> (!field, !field)  {
    stencil.boundary %u(<[0, 0], [5, 33]>) [#stencil.antisymmetric | #stencil.symmetric, #stencil.antisymmetric | #stencil.symmetric] : !field
    %t = stencil.load %u : !field -> !temp
    %s = stencil.apply(%x = %t : !temp) -> (!temp) attributes {stencil.schedule = #stencil.schedule<stream = 0, window = shared, boundary = window, prefetch = async>} {
      %w = stencil.access %x[-1, 1] : !temp
      stencil.return %w : f64
    }
    stencil.store %s to %v(<[0, 0], [5, 33]>) : !temp to !field
    scf.yield %u, %v : !field, !field
  }
  return
}

!field2 = !stencil.field<[-3,6]x[-3,36]xf64>
func.func @both(%a: !field2, %b: !field2, %n: index) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %r:2 = scf.for %i = %zero to %n step %one iter_args(%v = %b, %u = %a) -> (!field2, !field2)  {
    stencil.boundary %u(<[0, 0], [5, 33]>) [#stencil.antisymmetric | #stencil.symmetric, #stencil.antisymmetric | #stencil.symmetric] : !field2
    %t = stencil.load %u : !field2 -> !temp
    %s = stencil.apply(%x = %t : !temp) -> (!temp) attributes {stencil.schedule = #stencil.schedule<stream = 0, window = shared, boundary = window, prefetch = tma>} {
      %w = stencil.access %x[-2, 1] : !temp
      %e = stencil.access %x[-3, -2] : !temp
      %d = arith.subf %w, %e : f64
      stencil.return %d : f64
    }
    stencil.store %s to %v(<[0, 0], [5, 33]>) : !temp to !field2
    scf.yield %u, %v : !field2, !field2
  }
  return
}
