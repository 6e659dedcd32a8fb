// Threads copied a row of the caller's array to shared memory in vectors, the last of which went beyond its end.
// RUN: stencil-run %s --target emulator --chip sm_90 --device-arrays --extents 208 --arg 0=random:1 --arg 1=zeros --schedule '#stencil.schedule<block = [32], points = [2], window = shared>' --verify
// RUN: stencil-run %s --target emulator --chip sm_90 --device-arrays --any-extents --extents 208 --arg 0=random:1 --arg 1=zeros --schedule '#stencil.schedule<block = [32], points = [2], window = shared, prefetch = async>' --verify

!field = !stencil.field<[-2,?+1]xf64>
!temp = !stencil.temp<?xf64>
func.func @row(%u: !field, %v: !field) {
  %t = stencil.load %u : !field -> !temp
  %r = stencil.apply(%x = %t : !temp) -> (!temp) {
    %s = stencil.weighted_sum %x offsets [[-2], [0], [1]] weights dense<[1.0, 2.0, 3.0]> : tensor<3xf64> : !temp
    stencil.return %s : f64
  }
  stencil.store %r to %v(<[0], [?]>) : !temp to !field
  return
}
