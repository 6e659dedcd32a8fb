// RUN: stencil-opt %s | stencil-opt | FileCheck %s

// Keys that are as without the attribute are not printed.

// CHECK-LABEL: func @loops
// CHECK-SAME: #stencil.cpu_blocks<cache = 1024, row = 8, halo = 0, rows = 4, planes = [2, 16], tiles = 1>
// CHECK: attributes {stencil.cpu_loops = #stencil.cpu_loops<>}
// CHECK: attributes {stencil.cpu_loops = #stencil.cpu_loops<lanes = 4, tile = [0, 16, 0], blocks = <cache = 1024, row = 8, halo = 0, rows = 4, planes = [2, 16], tiles = 1>, line = 128>}
// CHECK: attributes {stencil.cpu_loops = #stencil.cpu_loops<lanes = 4, around = 1024, around_lanes = 8, deal = 1>}
!u = !stencil.field<[0,8]x[0,8]x[0,8]xf64>
func.func @loops(%u: !u, %v: !u) attributes {test.blocks = #stencil.cpu_blocks<cache = 1024, row = 8, halo = 0, rows = 4, planes = [2, 16], tiles = 1>} {
  stencil.apply(%x = %u : !u) outs (%v : !u) attributes {stencil.cpu_loops = #stencil.cpu_loops<lanes = 1, threads = 0, line = 64>} {
    %0 = stencil.access %x[0, 0, 0] : !u
    stencil.return %0 : f64
  } to <[0, 0, 0], [8, 8, 8]>
  stencil.apply(%x = %u : !u) outs (%v : !u) attributes {stencil.cpu_loops = #stencil.cpu_loops<line = 128, tile = [0, 16, 0], lanes = 4, blocks = <row = 8, cache = 1024, halo = 0, rows = 4, planes = [2, 16], tiles = 1>>} {
    %0 = stencil.access %x[0, 0, 0] : !u
    stencil.return %0 : f64
  } to <[0, 0, 0], [8, 8, 8]>
  stencil.apply(%x = %u : !u) outs (%v : !u) attributes {stencil.cpu_loops = #stencil.cpu_loops<deal = 1, around_lanes = 8, lanes = 4, around = 1024>} {
    %0 = stencil.access %x[0, 0, 0] : !u
    stencil.return %0 : f64
  } to <[0, 0, 0], [8, 8, 8]>
  return
}
