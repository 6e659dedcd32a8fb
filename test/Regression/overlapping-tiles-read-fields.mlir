// A stage that reads a field besides a shuffle window read it beyond its ends:
// in the margin of tiles that overlap, which nobody stores.
// RUN: stencil-run %s --arg 0=random:1 --arg 1=random:2 --arg 2=random:3 --target emulator --chip sm_90 --math strict --verify=0
// RUN: stencil-run %s --arg 0=random:1 --arg 1=random:2 --arg 2=random:3 --target emulator --chip gfx942 --math strict --verify=0

!field = !stencil.field<[-1,71]xf64>
!thin = !stencil.field<[0,70]xf64>
!temp = !stencil.temp<?xf64>
func.func @main(%u: !field, %f: !thin, %v: !thin) {
  stencil.pipeline attributes {stencil.schedule = #stencil.schedule<block = [32], points = [1]>} {
    %x = stencil.load %u : !field -> !temp
    %y = stencil.load %f : !thin -> !temp
    %s = stencil.apply(%a = %x : !temp) -> (!temp) {
      %c = stencil.access %a[0] : !temp
      stencil.return %c : f64
    }
    %w = stencil.window shuffle %s : !temp
    %r = stencil.apply(%a = %w : !temp, %b = %y : !temp) -> (!temp) {
      %l = stencil.access %a[-1] : !temp
      %h = stencil.access %a[1] : !temp
      %c = stencil.access %b[0] : !temp
      %d = arith.addf %l, %h : f64
      %e = arith.addf %d, %c : f64
      stencil.return %e : f64
    }
    stencil.store %r to %v(<[0], [70]>) : !temp to !thin
  }
  return
}
