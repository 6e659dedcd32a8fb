// A window of the copy engine of which only a plane that has gone by is read: one plane more was asked for than the block waits for before it ends.
// RUN: stencil-run %s --target emulator --chip sm_90 --arg 0=random:1 --arg 1=zeros --math strict --verify=0
!field = !stencil.field<[-4,28]x[-4,60]xf32>
!temp = !stencil.temp<?x?xf32>
func.func @main(%u: !field, %v: !field) {
  %t = stencil.load %u : !field -> !temp
  %r = stencil.apply(%x = %t : !temp) -> (!temp) attributes {stencil.schedule = #stencil.schedule<block = [1, 8], points = [1, 2], stream = 0, window = shared, prefetch = tma>} {
    %a = stencil.access %x[-1, 0] : !temp
    %b = stencil.access %x[-1, 1] : !temp
    %s = arith.addf %a, %b : f32
    stencil.return %s : f32
  }
  stencil.store %r to %v(<[0, 0], [24, 48]>) : !temp to !field
  return
}
