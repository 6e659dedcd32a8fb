// Tiles overlap for a shuffle window: a stage that may fail, and that others read, is not for stores alone.
// RUN: stencil-run %s --target emulator --chip sm_90 --arg 0=random:1 --arg 1=random:2 --arg 2=random:3 --math strict --verify=0

!field = !stencil.field<[-4,71]xi32>
!temp = !stencil.temp<?xi32>
func.func @divided(%u: !field, %v: !field, %w: !field) {
  stencil.pipeline attributes {stencil.schedule = #stencil.schedule<block = [8], points = [1]>} {
    %x = stencil.load %u : !field -> !temp
    %s = stencil.apply(%a = %x : !temp) -> (!temp) {
      %c = stencil.access %a[0] : !temp
      stencil.return %c : i32
    }
    %q = stencil.window shuffle %s : !temp
    %r = stencil.apply(%a = %q : !temp) -> (!temp) {
      %c = stencil.access %a[-1] : !temp
      %d = stencil.access %a[1] : !temp
      %one = arith.constant 1 : i32
      %odd = arith.ori %d, %one : i32
      %e = arith.divsi %c, %odd : i32
      stencil.return %e : i32
    }
    %k = stencil.window shared %r : !temp
    stencil.store %k to %v(<[0], [67]>) : !temp to !field
    stencil.store %r to %w(<[0], [67]>) : !temp to !field
  }
  return
}
