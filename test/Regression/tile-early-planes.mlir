// A stage that reads a field, of a plane that nobody needs in the first iterations: it was read all the same, which may be before the field begins. So
// with a stage that may fail, which is told its plane.
// RUN: stencil-run %s --entry semi --target emulator --chip gfx942 --math reassociate --arg 0=random:1 --arg 1=zeros --verify
// RUN: stencil-run %s --entry quotient --target emulator --chip gfx942 --arg 0=random:1 --arg 1=zeros --verify
// RUN: stencil-opt %s --stencil-to-tiles='chip=gfx942 math=reassociate' --stencil-place-barriers --stencil-expand-walks --stencil-distribute-tiles | FileCheck %s

!field = !stencil.field<[-1,14]x[-1,38]xf64>
!temp = !stencil.temp<?x?xf64>
!wide = !stencil.field<[-2,15]x[0,37]xi32>
!number = !stencil.temp<?x?xi32>

// There is a test in the loop of the first iterations, and none in the others.
// CHECK-LABEL: gpu.func @semi_pipeline0
// CHECK: scf.for
// CHECK-NEXT: arith.addi
// CHECK: %[[DUE:.*]] = arith.cmpi sle
// CHECK: %[[HERE:.*]] = arith.andi %[[DUE]], %{{.*}} : i1
// CHECK-NEXT: scf.if %[[HERE]]
// CHECK: scf.for
// CHECK-COUNT-2: arith.cmpi sge
// CHECK-NOT: arith.cmpi sle, %{{.*}}, %{{[0-9]+}} :
// CHECK: gpu.return
func.func @semi(%a: !field, %b: !field) {
  %t = stencil.load %a : !field -> !temp
  %r = stencil.apply(%x = %t : !temp) -> (!temp) attributes {stencil.schedule = #stencil.schedule<block = [1, 8], points = [1, 1], stream = 0, accumulate = semi, segments = 3, window = registers>} {
    %s = stencil.weighted_sum %x offsets [[-1, 0], [0, -1], [0, 0], [0, 1], [1, 0]] weights dense<0.2> : tensor<5xf64> : !temp
    stencil.return %s : f64
  }
  stencil.store %r to %b(<[0, 0], [13, 37]>) : !temp to !field
  return
}

func.func @quotient(%a: !wide, %b: !wide) {
  stencil.pipeline axis 0 attributes {stencil.schedule = #stencil.schedule<block = [1, 8], points = [1, 1], stream = 0, segments = 2>} {
    %t = stencil.load %a : !wide -> !number
    %one = stencil.apply(%x = %t : !number) -> (!number) attributes {stencil.stage = #stencil.stage<lead = 2>} {
      %0 = stencil.access %x[0, 0] : !number
      %c = arith.constant 1 : i32
      %1 = arith.ori %0, %c : i32
      stencil.return %1 : i32
    }
    %old = stencil.window registers %one depth 5 lead 2 : !number
    %q = stencil.apply(%x = %one : !number) -> (!number) attributes {stencil.stage = #stencil.stage<lead = 2>} {
      %c = arith.constant 1000 : i32
      %0 = stencil.access %x[0, 0] : !number
      %1 = arith.divsi %c, %0 : i32
      stencil.return %1 : i32
    }
    %new = stencil.window registers %q depth 3 lead 2 : !number
    %r = stencil.apply(%x = %old : !number, %y = %new : !number) -> (!number) attributes {stencil.stage = #stencil.stage<lead = 0>} {
      %0 = stencil.access %x[-2, 0] : !number
      %1 = stencil.access %y[0, 0] : !number
      %2 = arith.addi %0, %1 : i32
      stencil.return %2 : i32
    }
    stencil.store %r to %b(<[0, 0], [13, 37]>) : !number to !wide
  }
  return
}
