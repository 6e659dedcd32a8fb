// A window that threads fill by way of registers, of which only a plane that has gone by is read: the first one that is needed came one iteration
// too late, and the kernel was refused.
// RUN: stencil-run %s --target emulator --chip gfx942 --arg 0=random:1 --arg 1=zeros --verify
// RUN: stencil-run %s --target emulator --chip gfx942 --arg 0=random:1 --arg 1=zeros --verify
!field = !stencil.field<[-2,34]x[-2,34]xf32>
!temp = !stencil.temp<?x?xf32>
func.func @previous(%a: !field, %b: !field) {
  %t = stencil.load %a : !field -> !temp
  %r = stencil.apply(%x = %t : !temp) -> (!temp) attributes {stencil.schedule = #stencil.schedule<block = [1, 32], points = [1, 1], stream = 0, segments = 4, window = shared, prefetch = registers>} {
    %l = stencil.access %x[-1, -1] : !temp
    %m = stencil.access %x[-1, 1] : !temp
    %s = arith.addf %l, %m : f32
    stencil.return %s : f32
  }
  stencil.store %r to %b(<[0, 0], [32, 32]>) : !temp to !field
  return
}
