// A load's window has a boundary, and what a stage makes of it, too, so that at the ends of the box less is read around it than
// tiles read around their own points: each tile has a halo as wide as it reads, and what is beyond the box is no wider than somebody reads it.
// RUN: split-file %s %t
// DEFINE: %{file} = stages
// DEFINE: %{chip} = sm_80
// DEFINE: %{run} = stencil-run %t/%{file}.mlir --target emulator --chip %{chip} --arg 0=random:1 --arg 1=random:2 --math strict --verify=0
// RUN: %{run} | FileCheck %s
// RUN: stencil-opt %t/stages.mlir --pass-pipeline='builtin.module(stencil-attach-target{chip=sm_80},func.func(stencil-expand-boundaries),stencil-map-stages)' | FileCheck %s --check-prefix=REACH
// REACH: #tile.boundary<box = <[0, 0], [2, 18]>, sides = [#stencil.periodic, #stencil.periodic], reach = <[-1, -1], [2, 3]>>
// In tiles that overlap, what is written beside the box has its place.
// REDEFINE: %{file} = lanes
// RUN: %{run} | FileCheck %s
// REDEFINE: %{chip} = gfx942
// RUN: %{run} | FileCheck %s
// CHECK: verify: argument 1: max 0 ulp

//--- stages.mlir
!field = !stencil.field<[-8,10]x[-8,26]xf64>
!temp = !stencil.temp<?x?xf64>
func.func @main(%u: !field, %v: !field) {
  stencil.pipeline axis 0 attributes {stencil.schedule = #stencil.schedule<block = [1, 4], points = [1, 2], stream = 0, segments = 1>} {
    %x = stencil.load %u : !field -> !temp
    %p = stencil.window shared %x depth 3 lead 2 boundary(<[0, 0], [2, 18]>) [#stencil.periodic, #stencil.periodic] : !temp
    %s = stencil.apply(%a = %p : !temp) -> (!temp) attributes {stencil.stage = #stencil.stage<lead = 1>} {
      %l = stencil.access %a[-1, -1] : !temp
      %h = stencil.access %a[1, 2] : !temp
      %c = arith.subf %l, %h : f64
      stencil.return %c : f64
    }
    %w = stencil.window shared %s depth 3 lead 1 boundary(<[0, 0], [2, 18]>) [#stencil.neumann, #stencil.neumann] : !temp
    %r = stencil.apply(%a = %w : !temp) -> (!temp) attributes {stencil.stage = #stencil.stage<lead = 0>} {
      %l = stencil.access %a[-1, -2] : !temp
      %h = stencil.access %a[1, 1] : !temp
      %c = arith.subf %l, %h : f64
      stencil.return %c : f64
    }
    stencil.store %r to %v(<[0, 0], [2, 18]>) : !temp to !field
  }
  return
}

//--- lanes.mlir
!field = !stencil.field<[-8,12]x[-8,17]xf64>
!temp = !stencil.temp<?x?xf64>
func.func @main(%u: !field, %v: !field) {
  stencil.pipeline attributes {stencil.schedule = #stencil.schedule<block = [4, 8], points = [1, 2]>} {
    %x = stencil.load %u : !field -> !temp
    %p = stencil.window shared %x prefetch none boundary(<[0, 0], [4, 9]>) [#stencil.neumann, #stencil.neumann] : !temp
    %s = stencil.apply(%a = %p : !temp) -> (!temp) {
      %l = stencil.access %a[0, 0] : !temp
      %h = stencil.access %a[1, -2] : !temp
      %c = arith.addf %l, %h : f64
      stencil.return %c : f64
    }
    %w = stencil.window shuffle %s : !temp
    %r = stencil.apply(%a = %w : !temp) -> (!temp) {
      %l = stencil.access %a[0, 0] : !temp
      %h = stencil.access %a[0, 1] : !temp
      %c = arith.addf %l, %h : f64
      stencil.return %c : f64
    }
    stencil.store %r to %v(<[0, 0], [4, 9]>) : !temp to !field
  }
  return
}
