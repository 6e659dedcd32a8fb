// What a stage makes beside the tile, for a shared window, a shuffle window has of the tile only.
// RUN: stencil-run %s --target emulator --chip sm_90 --arg 0=random:1 --arg 1=random:2 --math strict --verify=0 --entry tiles
// RUN: stencil-run %s --target emulator --chip sm_90 --arg 0=random:1 --arg 1=random:2 --math strict --verify=0 --entry walk
// RUN: stencil-run %s --target emulator --chip gfx942 --arg 0=random:1 --arg 1=random:2 --math strict --verify=0 --entry exchanged

!line = !stencil.field<[-4,71]xf64>
!points = !stencil.temp<?xf64>
func.func @tiles(%u: !line, %v: !line) {
  stencil.pipeline attributes {stencil.schedule = #stencil.schedule<block = [8], points = [2]>} {
    %x = stencil.load %u : !line -> !points
    %s = stencil.apply(%a = %x : !points) -> (!points) {
      %c = stencil.access %a[0] : !points
      stencil.return %c : f64
    }
    %q = stencil.window shuffle %s : !points
    %w = stencil.window shared %s : !points
    %r = stencil.apply(%a = %q : !points, %b = %w : !points) -> (!points) {
      %c = stencil.access %a[-1] : !points
      %d = stencil.access %b[2] : !points
      %e = arith.addf %c, %d : f64
      stencil.return %e : f64
    }
    stencil.store %r to %v(<[0], [67]>) : !points to !line
  }
  return
}

!field = !stencil.field<[-4,12]x[-4,12]x[-4,36]xf64>
!temp = !stencil.temp<?x?x?xf64>
func.func @walk(%u: !field, %v: !field) {
  stencil.pipeline axis 0 attributes {stencil.schedule = #stencil.schedule<block = [1, 2, 8], points = [1, 2, 2], stream = 0, segments = 2>} {
    %x = stencil.load %u : !field -> !temp
    %s = stencil.apply(%a = %x : !temp) -> (!temp) attributes {stencil.stage = #stencil.stage<lead = 1>} {
      %c = stencil.access %a[0, 0, 0] : !temp
      stencil.return %c : f64
    }
    %q = stencil.window shuffle %s depth 3 lead 1 : !temp
    %r = stencil.apply(%a = %q : !temp) -> (!temp) attributes {stencil.stage = #stencil.stage<lead = 0>} {
      %c = stencil.access %a[-1, 0, 1] : !temp
      %d = stencil.access %a[1, 1, -1] : !temp
      %e = arith.addf %c, %d : f64
      stencil.return %e : f64
    }
    stencil.store %r to %v(<[0, 0, 0], [8, 8, 32]>) : !temp to !field
  }
  return
}

func.func @exchanged(%u: !field, %v: !field) {
  stencil.pipeline axis 0 attributes {stencil.schedule = #stencil.schedule<block = [1, 4, 16], points = [1, 2, 2], stream = 0, segments = 1>} {
    %x = stencil.load %u : !field -> !temp
    %s = stencil.apply(%a = %x : !temp) -> (!temp) attributes {stencil.stage = #stencil.stage<lead = 1>} {
      %c = stencil.access %a[0, 0, 0] : !temp
      stencil.return %c : f64
    }
    %q = stencil.window shuffle %s depth 2 lead 1 exchange [1] : !temp
    %w = stencil.window shared %s depth 2 lead 1 : !temp
    %r = stencil.apply(%a = %q : !temp, %b = %w : !temp) -> (!temp) attributes {stencil.stage = #stencil.stage<lead = 0>} {
      %c = stencil.access %a[0, 1, 1] : !temp
      %d = stencil.access %b[0, 2, -1] : !temp
      %e = arith.addf %c, %d : f64
      stencil.return %e : f64
    }
    stencil.store %r to %v(<[0, 0, 0], [8, 8, 32]>) : !temp to !field
  }
  return
}
