// A body that returns several points of a column, where a thread has several of a row, too: rows of such tiles may be aligned.
// RUN: stencil-run %s --target emulator --chip gfx942 --arg 0=random:1 --arg 1=zeros --math strict --verify=0
!field = !stencil.field<[-1,9]x[-1,33]xf64>
!temp = !stencil.temp<?x?xf64>
func.func @main(%u: !field, %v: !field) {
  %t = stencil.load %u : !field -> !temp
  %r = stencil.apply(%x = %t : !temp) -> (!temp) attributes {stencil.schedule = #stencil.schedule<block = [2, 4], points = [2, 2]>} {
    %a = stencil.access %x[-1, 0] : !temp
    %b = stencil.access %x[0, 1] : !temp
    %c = stencil.access %x[1, 1] : !temp
    %s = arith.addf %a, %b : f64
    %d = arith.addf %b, %c : f64
    stencil.return %s, %d unroll <[2, 1]> : f64, f64
  }
  stencil.store %r to %v(<[0, 0], [8, 31]>) : !temp to !field
  return
}
