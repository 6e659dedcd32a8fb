// Regions whose stages have windows with a periodic boundary: it is along an axis that is not cut, and across it the box of the boundary
// reaches into the regions beside, as far as that is read. They are one launch, or in streams.
// RUN: stencil-opt %s --stencil-to-tiles=chip=sm_90 --remarks-filter=Regions -o /dev/null 2>&1 | FileCheck %s --check-prefix=GROUPED
// GROUPED: Remark="2 regions, regions = launch"
// RUN: sed 's/regions = launch/regions = streams/' %s > %t.mlir
// RUN: stencil-run %s --target emulator --chip sm_90 --arg 0=random:1 --arg 1=random:2 --math strict --verify=0 | FileCheck %s
// RUN: stencil-run %s --target emulator --chip gfx942 --arg 0=random:1 --arg 1=random:2 --math strict --verify=0 | FileCheck %s
// RUN: stencil-run %t.mlir --target emulator --chip sm_90 --arg 0=random:1 --arg 1=random:2 --math strict --verify=0 | FileCheck %s
// RUN: stencil-run %s --target cpu --threads 3 --arg 0=random:1 --arg 1=random:2 --math strict --verify=0 | FileCheck %s
// CHECK: verify: argument 1: max 0 ulp

!field = !stencil.field<[-4,45]x[-4,41]xf64>
!temp = !stencil.temp<?x?xf64>
func.func @main(%u: !field, %v: !field) {
  stencil.pipeline attributes {stencil.schedule = #stencil.schedule<block = [4, 16], points = [1, 1], regions = launch>} {
    %x = stencil.load %u : !field -> !temp
    %s = stencil.apply(%a = %x : !temp) -> (!temp) {
      %l = stencil.access %a[-1, -1] : !temp
      %h = stencil.access %a[1, 1] : !temp
      %i = stencil.index 1 <[0, 0]>
      %j = arith.index_cast %i : index to i64
      %f = arith.sitofp %j : i64 to f64
      %g = arith.mulf %h, %f : f64
      %c = arith.addf %l, %g : f64
      stencil.return %c : f64
    }
    %w = stencil.window shared %s boundary(<[-2, 0], [7, 37]>) [#stencil.neumann, #stencil.periodic] : !temp
    %r = stencil.apply(%a = %w : !temp) -> (!temp) {
      %l = stencil.access %a[-2, -2] : !temp
      %h = stencil.access %a[2, 1] : !temp
      %c = arith.subf %l, %h : f64
      stencil.return %c : f64
    }
    stencil.store %r to %v(<[0, 0], [5, 37]>) : !temp to !field
  }
  stencil.pipeline attributes {stencil.schedule = #stencil.schedule<block = [4, 16], points = [1, 1], regions = launch>} {
    %x = stencil.load %u : !field -> !temp
    %s = stencil.apply(%a = %x : !temp) -> (!temp) {
      %l = stencil.access %a[-1, -1] : !temp
      %h = stencil.access %a[1, 1] : !temp
      %i = stencil.index 1 <[0, 0]>
      %j = arith.index_cast %i : index to i64
      %f = arith.sitofp %j : i64 to f64
      %g = arith.mulf %h, %f : f64
      %c = arith.addf %l, %g : f64
      stencil.return %c : f64
    }
    %w = stencil.window shared %s boundary(<[3, 0], [43, 37]>) [#stencil.neumann, #stencil.periodic] : !temp
    %r = stencil.apply(%a = %w : !temp) -> (!temp) {
      %l = stencil.access %a[-2, -2] : !temp
      %h = stencil.access %a[2, 1] : !temp
      %c = arith.subf %l, %h : f64
      stencil.return %c : f64
    }
    stencil.store %r to %v(<[5, 0], [41, 37]>) : !temp to !field
  }
  return
}
