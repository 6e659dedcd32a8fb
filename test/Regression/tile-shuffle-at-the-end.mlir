// Points at the end of the domain that a thread computes one by one, of values that it holds: all of them were given those of the first.
// RUN: stencil-run %s --target emulator --chip sm_90 --arg 0=random:1 --arg 1=zeros --math strict --verify=0
!field = !stencil.field<[-1,6]x[-1,22]xf64>
!temp = !stencil.temp<?x?xf64>
func.func @main(%a: !field, %b: !field) {
  %t = stencil.load %a : !field -> !temp
  %r = stencil.apply(%x = %t : !temp) -> (!temp) attributes {stencil.schedule = #stencil.schedule<block = [2, 4], points = [2, 4], window = shuffle>} {
    %s = stencil.weighted_sum %x offsets [[0, -1], [0, 0], [0, 1], [1, 0]] weights dense<0.3> : tensor<4xf64> : !temp
    stencil.return %s : f64
  }
  stencil.store %r to %b(<[0, 0], [5, 21]>) : !temp to !field
  return
}
