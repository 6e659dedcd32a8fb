// What the schedules of kernels without a pipeline leave open is chosen.
// RUN: stencil-opt %s --stencil-attach-target=chip=sm_90 --stencil-tile-applies | FileCheck %s
// RUN: stencil-opt %s --stencil-attach-target=chip=gfx942 --stencil-tile-applies | FileCheck %s --check-prefix=AMD

// It is nothing that a second run changes.
// RUN: stencil-opt %s --stencil-attach-target=chip=sm_90 --stencil-tile-applies -o %t.once
// RUN: stencil-opt %t.once --stencil-tile-applies | diff %t.once -

!field = !stencil.field<[-1,4097]x[-1,4097]xf64>
!volume = !stencil.field<[-1,2049]x[-1,2049]x[-1,2049]xf64>

// Rows of warps, a vector per thread; what neighbours read again stays in the
// second-level cache, where there are such policies.
// CHECK-LABEL: func.func @star
// CHECK: stencil.schedule = #stencil.schedule<block = [8, 32], points = [2, 2], eviction = last>
// AMD-LABEL: func.func @star
// AMD: stencil.schedule = #stencil.schedule<block = [8, 64], points = [2, 2]>
func.func @star(%u: !field, %v: !field) {
  stencil.apply(%x = %u : !field) outs (%v : !field) {
    %a = stencil.access %x[0, 1] : !field
    %b = stencil.access %x[1, 0] : !field
    %s = arith.addf %a, %b : f64
    stencil.return %s : f64
  } to <[0, 0], [4096, 4096]>
  return
}

// What a schedule has, stays.
// CHECK-LABEL: func.func @given
// CHECK: stencil.schedule = #stencil.schedule<block = [4, 16], points = [2, 2], eviction = normal>
func.func @given(%u: !field, %v: !field) {
  stencil.apply(%x = %u : !field) outs (%v : !field) attributes {stencil.schedule = #stencil.schedule<block = [4, 16], eviction = normal>} {
    %a = stencil.access %x[0, 1] : !field
    stencil.return %a : f64
  } to <[0, 0], [4096, 4096]>
  return
}

// Planes that the second-level cache does not hold: panels.
// CHECK-LABEL: func.func @panels
// CHECK: panel = [0, 16, 0]
func.func @panels(%u: !volume, %v: !volume) {
  stencil.apply(%x = %u : !volume) outs (%v : !volume) {
    %a = stencil.access %x[-1, 0, 0] : !volume
    %b = stencil.access %x[1, 0, 0] : !volume
    %s = arith.addf %a, %b : f64
    stencil.return %s : f64
  } to <[0, 0, 0], [2048, 2048, 2048]>
  return
}

// Walks and windows are for pipelines, and stages are tiled with these.
// CHECK-LABEL: func.func @others
// CHECK: stencil.schedule = #stencil.schedule<stream = 0>}
// CHECK-NOT: stencil.schedule
func.func @others(%u: !field, %v: !field) {
  stencil.apply(%x = %u : !field) outs (%v : !field) attributes {stencil.schedule = #stencil.schedule<stream = 0>} {
    %a = stencil.access %x[0, 1] : !field
    stencil.return %a : f64
  } to <[0, 0], [4096, 4096]>
  stencil.pipeline {
    %x = stencil.load %u : !field -> !stencil.temp<?x?xf64>
    %r = stencil.apply(%a = %x : !stencil.temp<?x?xf64>) -> (!stencil.temp<?x?xf64>) {
      %c = stencil.access %a[0, 1] : !stencil.temp<?x?xf64>
      stencil.return %c : f64
    }
    stencil.store %r to %v(<[0, 0], [4096, 4096]>) : !stencil.temp<?x?xf64> to !field
  }
  return
}
