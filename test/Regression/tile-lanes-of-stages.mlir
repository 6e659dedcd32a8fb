// What lanes read of a window that a stage fills: in the first iterations, nobody has written the plane yet, and nobody needs it.
// RUN: stencil-run %s --target emulator --chip sm_90 --arg 0=random:1 --arg 1=zeros --verify
// RUN: stencil-run %s --target emulator --chip gfx942 --arg 0=random:1 --arg 1=zeros --verify
!field = !stencil.field<[-6,24]x[-6,44]xf64>
!temp = !stencil.temp<?x?xf64>
func.func @main(%u: !field, %out: !field) {
  stencil.pipeline axis 0 attributes {stencil.schedule = #stencil.schedule<block = [1, 8], points = [1, 2], stream = 0, segments = 2>} {
    %x = stencil.load %u : !field -> !temp
    %a = stencil.apply(%t = %x : !temp) -> (!temp) attributes {stencil.stage = #stencil.stage<lead = 2>} {
      %0 = stencil.access %t[0, 1] : !temp
      stencil.return %0 : f64
    }
    %w = stencil.window shared %a depth 4 lead 2 : !temp
    %h = stencil.window shuffle %w depth 1 lead 1 : !temp
    %b = stencil.apply(%t = %x : !temp) -> (!temp) attributes {stencil.stage = #stencil.stage<lead = 0>} {
      %0 = stencil.access %t[0, -1] : !temp
      stencil.return %0 : f64
    }
    %q = stencil.window registers %b depth 5 lead 0 : !temp
    %r = stencil.apply(%s = %h : !temp, %t = %q : !temp) -> (!temp) attributes {stencil.stage = #stencil.stage<lead = 0>} {
      %0 = stencil.access %s[1, -1] : !temp
      %1 = stencil.access %s[1, 1] : !temp
      %2 = stencil.access %t[-4, 0] : !temp
      %3 = arith.addf %0, %1 : f64
      %4 = arith.addf %3, %2 : f64
      stencil.return %4 : f64
    }
    stencil.store %r to %out(<[0, 0], [16, 37]>) : !temp to !field
  }
  return
}
