// Blocks at the edge of the box have a walk of their own; that of the others
// has no test of it.
// RUN: stencil-opt %s --stencil-attach-target=chip=sm_90 --convert-stencil-to-gpu --canonicalize --cse | FileCheck %s

!field = !stencil.field<[-1,65]x[-1,65]x[-1,65]xf64>
!temp = !stencil.temp<?x?x?xf64>

// CHECK-LABEL: gpu.func @tma_pipeline0
// CHECK: nvvm.fence.mbarrier.init
// CHECK: gpu.barrier
// CHECK: scf.if %{{.*}} {
// What is to be written to a plane is loaded one iteration before. The plane
// itself comes from where it has its values.
// CHECK-COUNT-2: memref.load %arg0
// CHECK: scf.for
// CHECK: nvgpu.mbarrier.try_wait.parity
// CHECK-COUNT-2: memref.store {{.*}} : memref<{{.*}}workgroup
// CHECK-NEXT: }
// CHECK-NEXT: nvvm.fence.proxy
// CHECK: gpu.barrier
// CHECK: scf.if
// CHECK-NEXT: nvvm.fence.proxy
// CHECK: nvgpu.tma.async.load
// CHECK-COUNT-2: memref.load %arg0
// CHECK: scf.for
// CHECK-COUNT-2: memref.store {{.*}} : memref<{{.*}}workgroup
// CHECK: nvvm.fence.proxy
// CHECK-COUNT-2: memref.load %arg0
// The others.
// CHECK-NOT: memref.load %arg0
// CHECK-NOT: memref.store {{.*}}workgroup
// CHECK: gpu.return
func.func @tma(%u: !field, %v: !field) {
  stencil.pipeline axis 0 attributes {stencil.schedule = #stencil.schedule<block = [1, 4, 16], points = [1, 2, 1], stream = 0, segments = 4>} {
    %x = stencil.load %u : !field -> !temp
    %w = stencil.window shared %x depth 4 lead 2 prefetch tma boundary(<[0, 0, 0], [64, 64, 64]>) [#stencil.periodic, #stencil.neumann, #stencil.symmetric] : !temp
    %r = stencil.apply(%a = %w : !temp) -> (!temp) attributes {stencil.stage = #stencil.stage<lead = 0>} {
      %b = stencil.access %a[-1, 0, 0] : !temp
      %c = stencil.access %a[1, 1, 1] : !temp
      %s = arith.addf %b, %c : f64
      stencil.return %s : f64
    }
    stencil.store %r to %v(<[0, 0, 0], [64, 64, 64]>) : !temp to !field
  }
  return
}

// A plane whose values change is written over as a whole; what threads bring is
// there for others after a barrier.
// CHECK-LABEL: gpu.func @none_pipeline
// CHECK: scf.if %{{.*}} {
// CHECK: scf.for
// CHECK: gpu.barrier
// CHECK: scf.for %{{.*}} to %c64_i32 step %c64_i32
// CHECK: arith.negf
// CHECK: gpu.barrier
// CHECK: arith.negf
// CHECK: gpu.barrier
// The others.
// CHECK-NOT: arith.negf
// CHECK: gpu.return
func.func @none(%u: !field, %v: !field) {
  stencil.pipeline axis 0 attributes {stencil.schedule = #stencil.schedule<block = [1, 4, 16], stream = 0, segments = 4>} {
    %x = stencil.load %u : !field -> !temp
    %w = stencil.window shared %x depth 3 lead 1 boundary(<[0, 0, 0], [64, 64, 64]>) [#stencil.antisymmetric | #stencil.keep, #stencil.keep, #stencil.keep] : !temp
    %r = stencil.apply(%a = %w : !temp) -> (!temp) attributes {stencil.stage = #stencil.stage<lead = 0>} {
      %b = stencil.access %a[-1, 0, 0] : !temp
      %c = stencil.access %a[1, 0, 0] : !temp
      %s = arith.addf %b, %c : f64
      stencil.return %s : f64
    }
    stencil.store %r to %v(<[0, 0, 0], [64, 64, 64]>) : !temp to !field
  }
  return
}

// Nothing is read beyond the box.
// CHECK-LABEL: gpu.func @within_pipeline
// CHECK-COUNT-1: scf.for
// CHECK: gpu.barrier
// CHECK: gpu.return
func.func @within(%u: !field, %v: !field) {
  stencil.pipeline axis 0 attributes {stencil.schedule = #stencil.schedule<block = [1, 4, 16], stream = 0>} {
    %x = stencil.load %u : !field -> !temp
    %w = stencil.window shared %x depth 1 lead 0 boundary(<[0, 0, 0], [64, 64, 64]>) [#stencil.neumann, #stencil.neumann, #stencil.neumann] : !temp
    %r = stencil.apply(%a = %w : !temp) -> (!temp) attributes {stencil.stage = #stencil.stage<lead = 0>} {
      %b = stencil.access %a[0, 0, 1] : !temp
      stencil.return %b : f64
    }
    stencil.store %r to %v(<[0, 0, 0], [64, 64, 63]>) : !temp to !field
  }
  return
}
