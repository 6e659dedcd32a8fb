// A store takes an older plane of a shared window than the newest. In the first iterations no stage has put that there yet: it was read all the same, for a store
// that was left out.
// RUN: stencil-run %s --target emulator --chip sm_90 --math strict --verify=0 --arg 0=wild:1 --arg 1=wild:2 --arg 2=wild:3
// RUN: stencil-run %s --target emulator --chip gfx942 --math strict --verify=0 --arg 0=wild:1 --arg 1=wild:2 --arg 2=wild:3
// RUN: stencil-opt %s --stencil-to-tiles="chip=sm_90" | FileCheck %s

!field = !stencil.field<[-8,13]x[-8,15]x[-8,31]xf64>
!temp = !stencil.temp<?x?x?xf64>

// CHECK: %[[EARLY:.*]] = tile.where plane %[[P:.*]] needs <[0, 0, 0], [1, 1, 5]>
// CHECK: tile.where {
// CHECK: tile.store %[[EARLY]] to
func.func @early(%u: !field, %out: !field, %between: !field) {
  stencil.pipeline axis 2 attributes {stencil.schedule = #stencil.schedule<block = [2, 4, 1], stream = 2, segments = 2>} {
    %l = stencil.load %u : !field -> !temp
    %l_ring = stencil.window shared %l depth 1 lead 5 : !temp
    %s1 = stencil.apply(%a = %l_ring : !temp) -> (!temp) attributes {stencil.stage = #stencil.stage<lead = 5>} {
      %v = stencil.access %a[1, -1, 0] : !temp
      stencil.return %v : f64
    }
    %s1_ring = stencil.window shared %s1 depth 3 lead 5 : !temp
    %s1_held = stencil.window registers %s1_ring depth 2 lead 5 : !temp
    %s2 = stencil.apply(%a = %s1_held : !temp) -> (!temp) attributes {stencil.stage = #stencil.stage<lead = 3>} {
      %v = stencil.access %a[1, 0, 2] : !temp
      stencil.return %v : f64
    }
    %s2_ring = stencil.window shared %s2 depth 4 lead 3 : !temp
    %s3 = stencil.apply(%a = %s2_ring : !temp) -> (!temp) attributes {stencil.stage = #stencil.stage<lead = 0>} {
      %v = stencil.access %a[1, 1, 0] : !temp
      stencil.return %v : f64
    }
    stencil.store %s3 to %out(<[0, 0, 0], [5, 7, 23]>) : !temp to !field
    stencil.store %s1_held to %between(<[0, 0, 0], [5, 7, 23]>) : !temp to !field
  }
  return
}
