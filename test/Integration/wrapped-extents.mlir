// A periodic boundary of what a stage makes, of extents that are known at run time only, down to one point: beyond the box it has
// the coordinates of the other end, and so has the stage that it reads there.
// RUN: stencil-run %s --target emulator --chip sm_90 --extents 1,2 --arg 0=random:1 --arg 1=random:2 --math strict --verify=0 | FileCheck %s
// RUN: stencil-run %s --target emulator --chip sm_90 --extents 3,3 --arg 0=random:1 --arg 1=random:2 --math strict --verify=0 | FileCheck %s
// RUN: stencil-run %s --target emulator --chip sm_90 --extents 5,17 --arg 0=random:1 --arg 1=random:2 --math strict --verify=0 | FileCheck %s
// RUN: stencil-run %s --target emulator --chip gfx942 --extents 1,2 --arg 0=random:1 --arg 1=random:2 --math strict --verify=0 | FileCheck %s
// RUN: stencil-run %s --target emulator --chip gfx942 --extents 3,3 --arg 0=random:1 --arg 1=random:2 --math strict --verify=0 | FileCheck %s
// RUN: stencil-run %s --target emulator --chip gfx942 --extents 5,17 --arg 0=random:1 --arg 1=random:2 --math strict --verify=0 | FileCheck %s
// RUN: stencil-run %s --target cpu --threads 2 --extents 1,2 --arg 0=random:1 --arg 1=random:2 --math strict --verify=0 | FileCheck %s
// RUN: stencil-run %s --target cpu --threads 3 --extents 5,17 --arg 0=random:1 --arg 1=random:2 --math strict --verify=0 | FileCheck %s
// CHECK: verify: argument 1: max 0 ulp

!field = !stencil.field<[-4,?+4]x[-4,?+4]xf64>
!temp = !stencil.temp<?x?xf64>
func.func @main(%u: !field, %v: !field) {
  stencil.pipeline axis 0 attributes {stencil.schedule = #stencil.schedule<block = [1, 8], points = [1, 2], stream = 0, segments = 1>} {
    %x = stencil.load %u : !field -> !temp
    %p = stencil.window shared %x depth 5 lead 3 : !temp
    %t = stencil.apply(%a = %p : !temp) -> (!temp) attributes {stencil.stage = #stencil.stage<lead = 2>} {
      %l = stencil.access %a[-1, -1] : !temp
      %h = stencil.access %a[1, 1] : !temp
      %c = arith.addf %l, %h : f64
      %i = stencil.index 0 <[0, 0]>
      %j = stencil.index 1 <[0, 0]>
      %k = arith.muli %i, %j : index
      %m = arith.index_cast %k : index to i64
      %f = arith.sitofp %m : i64 to f64
      %d = arith.addf %c, %f : f64
      stencil.return %d : f64
    }
    %q = stencil.window shared %t depth 3 lead 2 : !temp
    %s = stencil.apply(%a = %q : !temp) -> (!temp) attributes {stencil.stage = #stencil.stage<lead = 1>} {
      %l = stencil.access %a[-1, 0] : !temp
      %h = stencil.access %a[1, 1] : !temp
      %c = arith.subf %l, %h : f64
      stencil.return %c : f64
    }
    %w = stencil.window shared %s depth 3 lead 1 boundary(<[0, 0], [?, ?]>) [#stencil.periodic, #stencil.periodic] : !temp
    %r = stencil.apply(%a = %w : !temp) -> (!temp) attributes {stencil.stage = #stencil.stage<lead = 0>} {
      %l = stencil.access %a[-1, -2] : !temp
      %h = stencil.access %a[1, 1] : !temp
      %c = arith.addf %l, %h : f64
      stencil.return %c : f64
    }
    stencil.store %r to %v(<[0, 0], [?, ?]>) : !temp to !field
  }
  return
}
