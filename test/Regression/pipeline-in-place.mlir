// A field that is overwritten at the points that are read: the fetch of one block
// read what lies beside its tile, which another one stores. And a window that is
// stored, which nobody computed.
// RUN: stencil-run %s --target emulator --chip sm_90 --arg 0=random:1 --arg 1=random:2 --entry in_place --verify --schedule '#stencil.schedule<block = [1, 7], stream = 0, window = shared>'
// RUN: stencil-run %s --target emulator --chip sm_90 --arg 0=random:1 --arg 1=random:2 --entry in_place --verify --schedule '#stencil.schedule<block = [1, 8], stream = 0, window = shared, prefetch = tma>'
// RUN: stencil-run %s --target emulator --chip sm_90 --arg 0=random:1 --arg 1=random:2 --entry in_place --verify --schedule '#stencil.schedule<block = [2, 6], window = shared, prefetch = async>'
// RUN: stencil-run %s --target emulator --chip sm_90 --arg 0=random:1 --arg 1=random:2 --entry stored --verify
!field = !stencil.field<[-1,14]x[-1,31]xf64>
!temp = !stencil.temp<?x?xf64>
func.func @in_place(%u: !field, %v: !field) {
  %x = stencil.load %u : !field -> !temp
  %y = stencil.load %v : !field -> !temp
  %r = stencil.apply(%a = %x : !temp, %b = %y : !temp) -> (!temp) {
    %n = stencil.access %a[-1, 0] : !temp
    %s = stencil.access %a[0, 1] : !temp
    %old = stencil.access %b[0, 0] : !temp
    %sum = arith.addf %n, %s : f64
    %new = arith.subf %sum, %old : f64
    stencil.return %new : f64
  }
  stencil.store %r to %v(<[0, 0], [13, 30]>) : !temp to !field
  return
}
func.func @stored(%u: !field, %v: !field) {
  stencil.pipeline axis 0 {
    %x = stencil.load %u : !field -> !temp
    %w = stencil.window shared %x depth 4 lead 2 prefetch tma : !temp
    %r = stencil.apply(%a = %w : !temp) -> (!temp) attributes {stencil.stage = #stencil.stage<lead = 1>} {
      %c = stencil.access %a[0, 0] : !temp
      stencil.return %c : f64
    }
    %q = stencil.window registers %r depth 2 lead 1 : !temp
    stencil.store %q to %v(<[0, 0], [13, 30]>) : !temp to !field
  }
  return
}
