// A stage reads planes of a shared window of a field behind the walk only, and is kept in a shared window itself: in the first iterations, which are for what another
// window holds, it was computed as well, and read planes that no copy had brought.
// RUN: stencil-run %s --target emulator --chip sm_90 --math strict --verify=0 --arg 0=wild:1 --arg 1=wild:2
// RUN: stencil-run %s --target emulator --chip gfx942 --math strict --verify=0 --arg 0=wild:1 --arg 1=wild:2
// RUN: stencil-opt %s --stencil-to-tiles=chip=sm_90 | FileCheck %s

!field = !stencil.field<[-14,15]x[-14,79]xi32>
!temp = !stencil.temp<?x?xi32>

// CHECK: tile.walk lookback 6 plane %[[PLANE:[a-z0-9]+]]
// CHECK: tile.where plane %[[PLANE]] needs <[0, 0], [1, 1]>
// CHECK-NEXT: stencil.apply
// CHECK: stencil.access %{{.*}}[0, -1]
// CHECK: tile.put
// CHECK: tile.store
func.func @planes(%u: !field, %out: !field) {
  stencil.pipeline axis 1 attributes {stencil.schedule = #stencil.schedule<block = [2, 1], points = [4, 1], stream = 1, segments = 1>} {
    %t = stencil.load %u : !field -> !temp
    %behind = stencil.window shared %t depth 3 lead 0 : !temp
    %ahead = stencil.window registers %t depth 2 lead 3 : !temp
    %first = stencil.apply(%x = %ahead : !temp) -> (!temp) attributes {stencil.stage = #stencil.stage<lead = 4>} {
      %c = arith.constant 9 : i32
      %0 = stencil.access %x[0, -1] : !temp
      %1 = arith.muli %0, %c : i32
      stencil.return %1 : i32
    }
    %ring = stencil.window shared %first depth 4 lead 4 : !temp
    %kept = stencil.window registers %ring depth 5 lead 2 : !temp
    %second = stencil.apply(%x = %kept : !temp, %y = %behind : !temp) -> (!temp) attributes {stencil.stage = #stencil.stage<lead = 0>} {
      %0 = stencil.access %x[0, -2] : !temp
      %1 = stencil.access %x[0, 2] : !temp
      %2 = stencil.access %y[0, -1] : !temp
      %3 = arith.addi %0, %1 : i32
      %4 = arith.addi %3, %2 : i32
      stencil.return %4 : i32
    }
    %result = stencil.window shared %second depth 1 lead 0 : !temp
    stencil.store %result to %out(<[0, 0], [1, 65]>) : !temp to !field
  }
  return
}
