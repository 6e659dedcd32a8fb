// Kernels over lists, and attributes that others leave out of their names: in both forms and in bytecode.
// RUN: stencil-opt %s | stencil-opt | FileCheck %s
// RUN: stencil-opt %s --mlir-print-op-generic | stencil-opt | FileCheck %s
// RUN: stencil-opt %s --emit-bytecode | stencil-opt | FileCheck %s

// CHECK: #[[EDGE:.*]] = #tile.boundary<box = <[0], [64]>, sides = [#stencil.neumann | #stencil.keep]>
// CHECK-LABEL: func private @attributes
func.func private @attributes() attributes {
  // CHECK-SAME: boundary = #[[EDGE]],
  boundary = #tile.boundary<box = <[0], [64]>, sides = [#stencil.neumann | #stencil.keep]>,
  // CHECK-SAME: fma = #tile.fma
  fma = #tile.fma,
  // CHECK-SAME: lanes = #tile.lanes
  lanes = #tile.lanes,
  // CHECK-SAME: list = #tile.list<[<[-1], [0]>] turns 2>
  list = #tile.list<[<[-1], [0]>] turns 2 blocks 0>,
  // CHECK-SAME: rim = #tile.core_and_rim<
  rim = #tile.core_and_rim<core = <rank = 1, registers = [], threads = [0: 32 by 1]>, box = <[-1], [33]>>,
  // CHECK-SAME: rows = #tile.core_and_rim<{{.*}}, vector = 2>
  rows = #tile.core_and_rim<core = <rank = 2, registers = [1: 2 by 1], threads = [1: 16 by 2]>, box = <[-1, -1], [2, 33]>, vector = 2>,
  // CHECK-SAME: taps = #tile.taps
  taps = #tile.taps}

!field = !stencil.field<[-1,65]x[-1,65]xf64>
!tile = !stencil.temp<[0,1]x[0,128]xf64>

// CHECK-LABEL: func @halos
func.func @halos(%u: !field, %v: !field) {
  // CHECK: tile.kernel @boundary({{.*}}) grid <{{.*}}> list <[<[-1, 0], [0, 64]>, <[64, 0], [65, 64]>, <[-1, -1], [65, 65]>] without <[-1, 0], [65, 64]> turns 2> {
  tile.kernel @boundary(%a = %u : !field, %b = %v : !field)
      grid <domain = <[-1, -1], [65, 65]>, block = [1, 128], points = [1, 1]>
      list <[<[-1, 0], [0, 64]>, <[64, 0], [65, 64]>, <[-1, -1], [65, 65]>] without <[-1, 0], [65, 64]> turns 2> {
    // CHECK: %[[F:.*]] = tile.turn %{{.*}}, %{{.*}} : !stencil.field
    %f = tile.turn %a, %b : !field
    // CHECK: tile.where part 0 {
    // CHECK-NEXT: %[[H:.*]] = tile.halo %[[F]] boundary(<[0, 0], [64, 64]>) [#stencil.neumann, #stencil.periodic] : !stencil.field<{{.*}}> -> !stencil.temp<[0,1]x[0,128]xf64>
    // CHECK-NEXT: tile.store %[[H]] to %[[F]]
    tile.where part 0 {
      %h = tile.halo %f boundary(<[0, 0], [64, 64]>) [#stencil.neumann, #stencil.periodic] : !field -> !tile
      tile.store %h to %f : !tile to !field
    }
  }
  return
}

!any = !stencil.temp<?x?xf64>

// CHECK-LABEL: func @largest
func.func @largest(%u: !field, %r: memref<1xf64>, %p: memref<8xf64>) {
  // CHECK: list <[<[0, 0], [64, 64]>] blocks 8> {
  tile.kernel @fold(%a = %u : !field, %all = %r : memref<1xf64>, %own = %p : memref<8xf64>)
      grid <domain = <[0, 0], [64, 64]>, block = [1, 128], points = [1, 1]> list <[<[0, 0], [64, 64]>] blocks 8> {
    %x = tile.source %a : !field -> !any
    // CHECK: tile.fold max %{{.*}} to %{{.*}} through %{{.*}} : !stencil.temp<?x?xf64> to memref<1xf64>, memref<8xf64>
    tile.fold max %x to %all through %own : !any to memref<1xf64>, memref<8xf64>
  }
  return
}

#edge = #tile.boundary<box = <[0], [64]>, sides = [#stencil.neumann | #stencil.keep]>

// CHECK-LABEL: func @edge
func.func @edge() {
  tile.kernel @k() grid <domain = <[0], [64]>, block = [32], points = [1]> {
    // CHECK: tile.at_edge needs <[-1], [1]> boundary #[[EDGE]] : i1
    %e = tile.at_edge needs <[-1], [1]> boundary #edge : i1
  }
  return
}
