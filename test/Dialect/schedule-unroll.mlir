// How many planes the loop of a walk is for: a key of schedules, and what a walk of tiles has of it.
// RUN: stencil-opt %s | stencil-opt | FileCheck %s
// RUN: stencil-opt %s --mlir-print-op-generic | stencil-opt | FileCheck %s

!field = !stencil.field<[-1,65]x[-1,65]xf64>

// CHECK-LABEL: func @key
func.func @key(%u: !field, %v: !field) {
  // CHECK: #stencil.schedule<stream = 0, step = 2, unroll = 4>
  stencil.apply(%x = %u : !field) outs (%v : !field) attributes {stencil.schedule = #stencil.schedule<stream = 0, step = 2, unroll = 4>} {
    %a = stencil.access %x[0, 0] : !field
    stencil.return %a : f64
  } to <[0, 0], [64, 64]>
  return
}

// CHECK-LABEL: func @walk
func.func @walk(%u: !field) {
  tile.kernel @k(%a = %u : !field) grid <domain = <[0, 0], [64, 64]>, block = [1, 32], points = [1, 1], walk = 0> {
    // CHECK: tile.walk unroll 2 plane %{{.*}} attributes {stencil.unroll = 4 : i64}
    tile.walk unroll 2 plane %p attributes {stencil.unroll = 4} {
    }
  }
  return
}
