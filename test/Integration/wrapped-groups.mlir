// What groups of windows in a walk add to sums over planes, with periodic boundaries of the loads and of the sum, or of the sum alone.
// RUN: split-file %s %t
// RUN: stencil-run %t/repeats.mlir --target emulator --chip sm_90 --arg 0=random:1 --arg 1=random:2 --arg 2=random:3 --math strict --verify=0 | FileCheck %s
// RUN: stencil-run %t/repeats.mlir --target emulator --chip gfx942 --arg 0=random:1 --arg 1=random:2 --arg 2=random:3 --math strict --verify=0 | FileCheck %s
// RUN: stencil-run %t/loads.mlir --target emulator --chip sm_90 --arg 0=random:1 --arg 1=random:2 --arg 2=random:3 --math strict --verify=0 | FileCheck %s
// RUN: stencil-run %t/loads.mlir --target emulator --chip gfx942 --arg 0=random:1 --arg 1=random:2 --arg 2=random:3 --math strict --verify=0 | FileCheck %s
// RUN: stencil-run %t/repeats.mlir --target cpu --threads 3 --arg 0=random:1 --arg 1=random:2 --arg 2=random:3 --math strict --verify=0 | FileCheck %s
// RUN: stencil-run %t/loads.mlir --target cpu --threads 3 --arg 0=random:1 --arg 1=random:2 --arg 2=random:3 --math strict --verify=0 | FileCheck %s
// CHECK: verify: argument 2: max 0 ulp

//--- repeats.mlir
!field = !stencil.field<[-4,13]x[-4,24]xf64>
!temp = !stencil.temp<?x?xf64>
func.func @main(%u: !field, %k: !field, %v: !field) {
  stencil.pipeline axis 0 attributes {stencil.schedule = #stencil.schedule<block = [1, 8], points = [1, 2], stream = 0, segments = 1>} {
    %x = stencil.load %u : !field -> !temp
    %y = stencil.load %k : !field -> !temp
    %p = stencil.window shared %x depth 1 lead 2 group 0 boundary(<[0, 0], [9, 20]>) [#stencil.periodic, #stencil.periodic] : !temp
    %q = stencil.window shared %y depth 1 lead 2 group 1 boundary(<[0, 0], [9, 20]>) [#stencil.periodic, #stencil.periodic] : !temp
    %t:2 = stencil.apply(%a = %p : !temp) -> (!temp, !temp) attributes {stencil.stage = #stencil.stage<lead = 2>} {
      %l = stencil.access %a[0, -1] : !temp
      %h = stencil.access %a[0, 1] : !temp
      %c = arith.addf %l, %h : f64
      %d = arith.mulf %l, %h : f64
      stencil.return %c, %d : f64, f64
    }
    %s:2 = stencil.apply(%a = %q : !temp) -> (!temp, !temp) attributes {stencil.stage = #stencil.stage<lead = 2>} {
      %l = stencil.access %a[0, -1] : !temp
      %h = stencil.access %a[0, 1] : !temp
      %c = arith.subf %l, %h : f64
      stencil.return %c, %l : f64, f64
    }
    %m = stencil.accumulate %t#0, %s#0, %t#1 at [-1, 0, 1] : !temp
    %w = stencil.window shared %m depth 3 lead 1 boundary(<[0, 0], [9, 20]>) [#stencil.periodic, #stencil.periodic] : !temp
    %r = stencil.apply(%a = %w : !temp) -> (!temp) attributes {stencil.stage = #stencil.stage<lead = 0>} {
      %l = stencil.access %a[-1, -2] : !temp
      %h = stencil.access %a[1, 1] : !temp
      %c = arith.addf %l, %h : f64
      stencil.return %c : f64
    }
    stencil.store %r to %v(<[0, 0], [9, 20]>) : !temp to !field
  }
  return
}

//--- loads.mlir
!field = !stencil.field<[-4,13]x[-4,24]xf64>
!temp = !stencil.temp<?x?xf64>
func.func @main(%u: !field, %k: !field, %v: !field) {
  stencil.pipeline axis 0 attributes {stencil.schedule = #stencil.schedule<block = [1, 8], points = [1, 2], stream = 0, segments = 1>} {
    %x = stencil.load %u : !field -> !temp
    %y = stencil.load %k : !field -> !temp
    %p = stencil.window shared %x depth 1 lead 2 group 0 : !temp
    %q = stencil.window shared %y depth 1 lead 2 group 1 : !temp
    %t:2 = stencil.apply(%a = %p : !temp) -> (!temp, !temp) attributes {stencil.stage = #stencil.stage<lead = 2>} {
      %l = stencil.access %a[0, -1] : !temp
      %h = stencil.access %a[0, 1] : !temp
      %c = arith.addf %l, %h : f64
      %d = arith.mulf %l, %h : f64
      stencil.return %c, %d : f64, f64
    }
    %s:2 = stencil.apply(%a = %q : !temp) -> (!temp, !temp) attributes {stencil.stage = #stencil.stage<lead = 2>} {
      %l = stencil.access %a[0, -1] : !temp
      %h = stencil.access %a[0, 1] : !temp
      %c = arith.subf %l, %h : f64
      stencil.return %c, %l : f64, f64
    }
    %m = stencil.accumulate %t#0, %s#0, %t#1 at [-1, 0, 1] : !temp
    %w = stencil.window shared %m depth 3 lead 1 boundary(<[0, 0], [9, 20]>) [#stencil.periodic, #stencil.periodic] : !temp
    %r = stencil.apply(%a = %w : !temp) -> (!temp) attributes {stencil.stage = #stencil.stage<lead = 0>} {
      %l = stencil.access %a[-1, -2] : !temp
      %h = stencil.access %a[1, 1] : !temp
      %c = arith.addf %l, %h : f64
      stencil.return %c : f64
    }
    stencil.store %r to %v(<[0, 0], [9, 20]>) : !temp to !field
  }
  return
}
