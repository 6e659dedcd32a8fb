// A stage of a walk that asks for coordinates and reads nothing, or nothing but what another stage has made, is told which
// plane it is for: the emitter of tiles knew none.
// RUN: stencil-opt %s --stencil-attach-target=chip=gfx942 --stencil-map-stages | FileCheck %s
// RUN: stencil-run %s --target emulator --chip gfx942 --math strict --arg 0=random:1 --arg 1=zeros --verify
// RUN: stencil-run %s --target emulator --chip gfx942 --math strict --arg 0=random:1 --arg 1=zeros --verify

// CHECK: tile.walk lookback {{[0-9]+}} plane %[[P:[a-z0-9]+]]
// CHECK: stencil.apply(%{{.*}} = %[[P]] : index) -> {{.*}} attributes {tile.plane = 0 : i64}
// CHECK: stencil.apply(%{{.*}}, %{{.*}} = %[[P]] : index) -> {{.*}} attributes {tile.plane = 1 : i64}
!field = !stencil.field<[-1,15]x[-1,38]xf64>
!temp = !stencil.temp<?x?xf64>
func.func @coordinates(%u: !field, %v: !field) {
  stencil.pipeline axis 0 attributes {stencil.schedule = #stencil.schedule<block = [1, 8], points = [1, 2], stream = 0, segments = 2>} {
    %l = stencil.load %u : !field -> !temp
    %w = stencil.window shared %l depth 3 lead 1 : !temp
    %a = stencil.apply() -> (!temp) attributes {stencil.stage = #stencil.stage<lead = 1>} {
      %i = stencil.index 0 <[0, 0]>
      %0 = arith.index_cast %i : index to i64
      %1 = arith.sitofp %0 : i64 to f64
      stencil.return %1 : f64
    }
    %q = stencil.window registers %a depth 3 lead 1 : !temp
    %b = stencil.apply(%t = %q : !temp) -> (!temp) attributes {stencil.stage = #stencil.stage<lead = 0>} {
      %i = stencil.index 0 <[0, 0]>
      %0 = arith.index_cast %i : index to i64
      %1 = arith.sitofp %0 : i64 to f64
      %2 = stencil.access %t[-1, 0] : !temp
      %3 = stencil.access %t[1, 0] : !temp
      %4 = arith.mulf %2, %1 : f64
      %5 = arith.addf %4, %3 : f64
      stencil.return %5 : f64
    }
    %c = stencil.apply(%s = %w : !temp, %t = %b : !temp) -> (!temp) attributes {stencil.stage = #stencil.stage<lead = 0>} {
      %2 = stencil.access %s[-1, 0] : !temp
      %3 = stencil.access %s[1, 1] : !temp
      %4 = stencil.access %t[0, 0] : !temp
      %5 = arith.mulf %2, %3 : f64
      %6 = arith.addf %4, %5 : f64
      stencil.return %6 : f64
    }
    stencil.store %c to %v(<[0, 0], [14, 37]>) : !temp to !field
  }
  return
}
