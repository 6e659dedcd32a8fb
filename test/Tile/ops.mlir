// Every op, type and attribute, in both forms and in bytecode.
// RUN: stencil-opt %s | stencil-opt | FileCheck %s
// RUN: stencil-opt %s --mlir-print-op-generic | stencil-opt | FileCheck %s
// RUN: stencil-opt %s --emit-bytecode | stencil-opt | FileCheck %s
// RUN: stencil-opt %s --mlir-print-op-generic | FileCheck %s --check-prefix=GENERIC

// CHECK-LABEL: func private @types
func.func private @types() attributes {
  // CHECK-SAME: async = !tile.ring<4 x [0,1]x[-1,9]x[-1,33]xf64, fill = async>
  async = !tile.ring<4 x [0,1]x[-1,9]x[-1,33]xf64, pitch = 36, fill = async>,
  // CHECK-SAME: cursor = !tile.cursor<4>
  cursor = !tile.cursor<4>,
  // CHECK-SAME: delayed = !tile.ring<1 x [0,4]xi8, fill = delayed>
  delayed = !tile.ring<1 x [0,4]xi8, fill = delayed>,
  // CHECK-SAME: gaps = !tile.ring<1 x [-4,68]xf64, segment = 8, gap = 4, fill = async>
  gaps = !tile.ring<1 x [-4,68]xf64, gap = 4, fill = async, segment = 8, pitch = 108>,
  // CHECK-SAME: gaps_copied = !tile.ring<1 x [-8,72]xf64, segment = 8, gap = 4, fill = tma>
  gaps_copied = !tile.ring<1 x [-8,72]xf64, segment = 8, gap = 4, fill = tma, pitch = 120>,
  // CHECK-SAME: pitch = !tile.ring<1 x [0,4]x[-1,5]xf32, pitch = 9>
  pitch = !tile.ring<1 x [0,4]x[-1,5]xf32, pitch = 9>,
  // CHECK-SAME: threads = !tile.ring<1024 x [-3,-1]xbf16>
  threads = !tile.ring<1024 x [-3,-1]xbf16, fill = threads>,
  // CHECK-SAME: tma = !tile.ring<3 x [0,1]x[-2,34]xf64, fill = tma>
  tma = !tile.ring<3 x [0,1]x[-2,34]xf64, fill = tma>}

// CHECK-LABEL: func private @attributes
func.func private @attributes() attributes {
  // CHECK-SAME: all = #tile.grid<domain = <[0, 0, 1], [?, 64, ?-1]>, block = [1, 4, 32], points = [1, 2, 1], order = [0, 2, 1], panel = [0, 8, 0], align = 4, walk = 0, segments = 2, launch_bounds = 3>
  all = #tile.grid<domain = <[0, 0, 1], [?, 64, ?-1]>, block = [1, 4, 32], points = [1, 2, 1], order = [0, 2, 1], panel = [0, 8, 0], align = 4, walk = 0, segments = 2, launch_bounds = 3>,
  // CHECK-SAME: few = #tile.grid<domain = <[0], [8]>, block = [8], points = [1]>
  few = #tile.grid<domain = <[0], [8]>, block = [8], points = [1], align = 1, segments = 1, launch_bounds = 0>,
  // CHECK-SAME: held = #tile.grid<domain = <[0], [256]>, block = [32], points = [4], layout = <rank = 1, registers = [0: 2 by 1, 0: 2 by 64], threads = [0: 4 by 2, 0: 8 by 8]>>
  held = #tile.grid<domain = <[0], [256]>, block = [32], points = [4], layout = <rank = 1, registers = [0: 2 by 1, 0: 2 by 64], threads = [0: 4 by 2, 0: 8 by 8]>>,
  // CHECK-SAME: layout = #tile.layout<rank = 3, registers = [1: 2 by 1], threads = [2: 32 by 1, 1: 4 by 2]>
  layout = #tile.layout<rank = 3, registers = [1: 2 by 1], threads = [2: 32 by 1, 1: 4 by 2]>,
  // CHECK-SAME: matrix = #tile.mma<shape = [16, 8, 4], patch = [1, 4, 2], along = 2>
  matrix = #tile.mma<shape = [16, 8, 4], patch = [1, 4, 2], along = 2>,
  // CHECK-SAME: none = #tile.layout<rank = 1, registers = [], threads = []>
  none = #tile.layout<rank = 1, registers = [], threads = []>}

!field = !stencil.field<[-1,65]x[-1,65]xf64>
!any = !stencil.temp<?x?xf64>
!ring = !tile.ring<4 x [0,1]x[-1,33]xf64, fill = async>
!read = !stencil.temp<[-1,2]x[-1,33]xf64>
!row = !stencil.temp<[0,1]x[0,32]xf64>
!lower = !stencil.temp<[-1,0]x[0,32]xf64>

// CHECK-LABEL: func @walk
func.func @walk(%u: !field, %v: !field, %s: f64) {
  // CHECK: tile.kernel @k(%[[A:.*]] = %{{.*}} : !stencil.field<{{.*}}>, %[[B:.*]] = %{{.*}} : {{.*}}, %{{.*}} = %{{.*}} : f64) grid <domain = <[0, 0], [64, 64]>, block = [1, 32], points = [1, 1], walk = 0> attributes {keeps_lines} {
  // GENERIC: "tile.kernel"(%{{.*}}, %{{.*}}, %{{.*}}) <{grid = #tile.grid<domain = <[0, 0], [64, 64]>, block = [1, 32], points = [1, 1], walk = 0>, keeps_lines, name = "k"}> ({
  tile.kernel @k(%a = %u : !field, %b = %v : !field, %f = %s : f64)
      grid <domain = <[0, 0], [64, 64]>, block = [1, 32], points = [1, 1], walk = 0> attributes {keeps_lines} {
    // CHECK: %[[W:.*]] = tile.ring : !tile.ring<4 x [0,1]x[-1,33]xf64, fill = async>
    %w = tile.ring : !ring
    %none = ub.poison : !lower
    // CHECK: %{{.*}} = tile.walk lookback 1 plane %[[P:.*]] cursors(%[[C:.*]]: !tile.cursor<4>) carry(%[[Q:.*]] = %{{.*}} : !stencil.temp<[-1,0]x[0,32]xf64>) {
    // GENERIC: "tile.walk"(%{{.*}}) <{lookback = 1 : i64, unroll = 1 : i64}> ({
    // GENERIC-NEXT: ^bb0(%{{.*}}: index, %{{.*}}: !tile.cursor<4>, %{{.*}}: !stencil.temp<[-1,0]x[0,32]xf64>):
    %last = tile.walk lookback 1 plane %p cursors(%c: !tile.cursor<4>) carry(%q = %none : !lower) {
      // CHECK: tile.wait %[[W]][%[[C]]] plane 1 : !tile.ring
      // GENERIC: "tile.wait"(%{{.*}}, %{{.*}}) <{plane = 1 : i64}>
      tile.wait %w[%c] plane 1 : !ring
      // CHECK: tile.barrier
      tile.barrier
      // CHECK: tile.copy %[[A]][%[[P]]] to %[[W]][%[[C]]] plane 2 needs <[-1, -1], [2, 2]> : !stencil.field<{{.*}}>, !tile.ring<{{.*}}>
      // GENERIC: "tile.copy"(%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}) <{needs = #stencil.bounds<[-1, -1], [2, 2]>, operandSegmentSizes = array<i32: 1, 1, 1, 1>, plane = 2 : i64}>
      tile.copy %a[%p] to %w[%c] plane 2 needs <[-1, -1], [2, 2]> : !field, !ring
      // CHECK: %[[X:.*]] = tile.source %[[W]][%[[C]]] : !tile.ring<{{.*}}> -> !stencil.temp<[-1,2]x[-1,33]xf64>
      %x = tile.source %w[%c] : !ring -> !read
      // CHECK: tile.source %[[A]][%[[P]]] : !stencil.field<{{.*}}> -> !stencil.temp<?x?xf64>
      %y = tile.source %a[%p] : !field -> !any
      // CHECK: %[[R:.*]] = tile.where needs <[0, 0], [1, 2]> -> (!stencil.temp<[0,1]x[0,32]xf64>) {
      // GENERIC: "tile.where"() <{needs = #stencil.bounds<[0, 0], [1, 2]>}> ({
      %r = tile.where needs <[0, 0], [1, 2]> -> (!row) {
        // CHECK: %[[M:.*]] = stencil.apply({{.*}}) -> ({{.*}}) attributes {tile.layout = #tile.layout<rank = 2, registers = [], threads = [1: 32 by 1]>} {
        %m = stencil.apply(%t = %x : !read, %g = %y : !any) -> (!row) attributes {tile.layout = #tile.layout<rank = 2, registers = [], threads = [1: 32 by 1]>} {
          %0 = stencil.access %t[-1, 1] : !read
          %1 = stencil.access %g[0, 0] : !any
          %2 = arith.addf %0, %1 : f64
          stencil.return %2 : f64
        }
        // CHECK: tile.yield %[[M]] : !stencil.temp
        tile.yield %m : !row
      }
      // CHECK: tile.join %[[Q]], %[[R]] : !stencil.temp<[-1,0]x[0,32]xf64>, !stencil.temp<[0,1]x[0,32]xf64> -> !stencil.temp<[-1,1]x[0,32]xf64>
      %j = tile.join %q, %r : !lower, !row -> !stencil.temp<[-1,1]x[0,32]xf64>
      // CHECK: tile.where {
      // CHECK-NEXT: tile.store %[[R]] to %[[B]][%[[P]]] : !stencil.temp<{{.*}}> to !stencil.field
      // CHECK-NEXT: }
      tile.where {
        tile.store %r to %b[%p] : !row to !field
      }
      // CHECK: %[[S:.*]] = tile.shift %[[R]] : !stencil.temp<[0,1]x[0,32]xf64> -> !stencil.temp<[-1,0]x[0,32]xf64>
      %n = tile.shift %r : !row -> !lower
      // CHECK: tile.yield %[[S]] : !stencil.temp<[-1,0]x[0,32]xf64>
      tile.yield %n : !lower
    }
  }
  return
}

// Without cursors, carried values and lookback; the end of the body is not printed.
// CHECK-LABEL: func @plain
func.func @plain(%u: !field) {
  // CHECK: tile.kernel @"a b"() grid <{{.*}}> {
  tile.kernel @"a b"() grid <domain = <[0, 0], [64, 64]>, block = [1, 32], points = [1, 1], walk = 0> {
    // CHECK-NEXT: tile.walk plane %{{.*}} {
    // CHECK-NEXT: }
    tile.walk plane %p {
    }
  }
  // CHECK: tile.kernel @empty() grid <{{.*}}> {
  // CHECK-NEXT: }
  tile.kernel @empty() grid <domain = <[0, 0], [64, 64]>, block = [2, 32], points = [1, 1]> {
  }
  return
}

// Form 4b.
// CHECK-LABEL: func @loop
func.func @loop(%u: !field) {
  tile.kernel @k(%a = %u : !field) grid <domain = <[0, 0], [64, 64]>, block = [1, 32], points = [1, 1], walk = 0> {
    %zero = arith.constant 0 : index
    // CHECK: %{{.*}}, %{{.*}} = tile.segment lookback 2 : index
    // GENERIC: "tile.segment"() <{lookback = 2 : i64}> : () -> (index, index)
    %first, %count = tile.segment lookback 2 : index
    // CHECK: %[[C:.*]] = tile.cursor %{{.*}} : !tile.cursor<4>
    %c = tile.cursor %zero : !tile.cursor<4>
    // CHECK: %[[D:.*]] = tile.advance %[[C]] by 2 : !tile.cursor<4>
    // GENERIC: "tile.advance"(%{{.*}}) <{distance = 2 : i64}>
    %d = tile.advance %c by 2 : !tile.cursor<4>
    // CHECK: tile.advance %[[D]] : !tile.cursor<4>
    %e = tile.advance %d : !tile.cursor<4>
  }
  return
}

// Without a walk: no planes, no cursors.
!flat = !tile.ring<1 x [-1,3]x[-1,33]xf64, fill = delayed>
// CHECK-LABEL: func @tile
func.func @tile(%u: !field) {
  tile.kernel @k(%a = %u : !field) grid <domain = <[0, 0], [64, 64]>, block = [2, 32], points = [1, 1]> {
    // CHECK: %[[W:.*]] = tile.ring overlay 3 : !tile.ring
    // GENERIC: "tile.ring"() <{overlay = 3 : i64}>
    %w = tile.ring overlay 3 : !flat
    // CHECK: tile.copy %{{.*}} to %[[W]] : !stencil.field
    // GENERIC: "tile.copy"(%{{.*}}, %{{.*}}) <{operandSegmentSizes = array<i32: 1, 0, 1, 0>, plane = 0 : i64}>
    tile.copy %a to %w : !field, !flat
    // CHECK: tile.wait %[[W]] : !tile.ring
    tile.wait %w : !flat
    // CHECK: tile.source %[[W]] : !tile.ring<{{.*}}> -> !stencil.temp
    %x = tile.source %w : !flat -> !stencil.temp<[0,3]x[-1,33]xf64>
  }
  return
}

// CHECK-LABEL: func.func private @edges
// CHECK-SAME: !tile.ring<2 x [0,1]x[-1,17]x[-2,66]xf64, fill = stage, edges = 1 of 4>
func.func private @edges() attributes {x = !tile.ring<2 x [0,1]x[-1,17]x[-2,66]xf64, fill = stage, edges = 1 of 4>}
