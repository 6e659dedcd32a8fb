// RUN: stencil-opt %s --stencil-shape-loops="vector-bits=512 threads=4 stream-rows prefetch-bytes=2048 stream-row-of-volume=512" --split-input-file | FileCheck %s
// RUN: stencil-opt %s --stencil-shape-loops="vector-bits=256 wide-vector-bits=512 threads=4 stream-stores=false rows=3 columns=5 tile=8,0" --split-input-file | FileCheck %s --check-prefix=ASKED
// RUN: stencil-opt %s --stencil-shape-loops="vector-bits=256 wide-vector-bits=512 many-loads=3" --split-input-file | FileCheck %s --check-prefix=WIDE
// RUN: stencil-opt %s --stencil-shape-loops="vector-bits=256 wide-vector-bits=512 threads=2 few-loads=2 few-loads-of-volume=3 wide-loads-of-volume=3 stream-row-of-volume=512" --split-input-file | FileCheck %s --check-prefix=STAR
// RUN: stencil-opt %s --stencil-shape-loops="vector-bits=256 wide-vector-bits=512 threads=2 few-loads=2 few-loads-of-volume=2 deal=0" --split-input-file | FileCheck %s --check-prefix=SHARES
// RUN: stencil-opt %s --stencil-shape-loops="vector-bits=256 threads=2 few-loads=2 few-loads-of-volume=3 stream-row-of-volume=512 joint-planes=2 joint-planes-percent=66 dealt-halos=3" --split-input-file | FileCheck %s --check-prefix=FACTS
// RUN: stencil-opt %s --stencil-shape-loops="vector-bits=256 threads=2 few-loads=2 few-loads-of-volume=3 stream-row-of-volume=512 joint-planes=2 joint-planes-percent=67 joint-planes-plain" --split-input-file | FileCheck %s --check-prefix=TWO
// RUN: stencil-opt %s --stencil-shape-loops="vector-bits=512 memory-vector-bits=256 threads=4 stream-rows" --split-input-file | FileCheck %s --check-prefix=MEMORY
// RUN: stencil-opt %s --stencil-shape-loops="vector-bits=512 memory-vector-bits=256 threads=4 stream-rows cache-bytes=1073741824" --split-input-file | FileCheck %s --check-prefix=INSIDE

// Rows that share what they read are computed together, unless they are written around the caches; 2048 points or more.

// CHECK-LABEL: func @plane
// CHECK: stencil.cpu_loops = #stencil.cpu_loops<lanes = 8, rows = 2, columns = 4, threads = 4, tile = [16, 0], prefetch = 2048, around = 33554432, around_row = 2048, deal = 1>
// ASKED-LABEL: func @plane
// ASKED: stencil.cpu_loops = #stencil.cpu_loops<lanes = 4, rows = 3, columns = 5, threads = 4, tile = [8, 0], deal = 1>
// WIDE-LABEL: func @plane
// WIDE: stencil.cpu_loops = #stencil.cpu_loops<lanes = 8, rows = 2, columns = 4, threads = 16, tile = [16, 0], deal = 1>
// MEMORY-LABEL: func @plane
// MEMORY: stencil.cpu_loops = #stencil.cpu_loops<lanes = 4, rows = 2,
// INSIDE-LABEL: func @plane
// INSIDE: stencil.cpu_loops = #stencil.cpu_loops<lanes = 8, rows = 2,
!u = !stencil.field<[-1,4097]x[0,4096]xf64>
func.func @plane(%u: !u, %v: !u) {
  stencil.apply(%x = %u : !u) outs (%v : !u) {
    %0 = stencil.access %x[-1, 0] : !u
    %1 = stencil.access %x[0, 0] : !u
    %2 = stencil.access %x[1, 0] : !u
    %a = arith.addf %0, %1 : f64
    %b = arith.addf %a, %2 : f64
    stencil.return %b : f64
  } to <[0, 0], [4096, 4096]>
  return
}

// -----

// Of open extents, the program sees whether there are points for several threads. Of a volume, whether a core's own cache
// holds a block of rows: of three planes that are read and one that is stored. What an op has already stays.

// CHECK-LABEL: func @volume
// CHECK: stencil.cpu_loops = #stencil.cpu_loops<lanes = 8, columns = 4, threads = 4, tile = [1, 0, 0], alone = 8192, blocks = <cache = 524288, row = 32, halo = 16, rows = 4, planes = [4, 32], tiles = 32>, prefetch = 2048, around = 33554432, around_row = 512, deal = 1>
// CHECK: stencil.cpu_loops = #stencil.cpu_loops<lanes = 2>
!w = !stencil.field<[-1,?+1]x[-1,?+1]x[0,?]xf64>
func.func @volume(%u: !w, %v: !w) {
  stencil.apply(%x = %u : !w) outs (%v : !w) {
    %0 = stencil.access %x[-1, 0, 0] : !w
    %1 = stencil.access %x[0, 1, 0] : !w
    %2 = stencil.access %x[0, -1, 0] : !w
    %3 = stencil.access %x[1, 0, 0] : !w
    %a = arith.addf %0, %1 : f64
    %b = arith.addf %a, %2 : f64
    %c = arith.addf %b, %3 : f64
    stencil.return %c : f64
  } to <[0, 0, 0], [?, ?, ?]>
  stencil.apply(%x = %u : !w) outs (%v : !w) attributes {stencil.cpu_loops = #stencil.cpu_loops<lanes = 2>} {
    %0 = stencil.access %x[0, 0, 0] : !w
    stencil.return %0 : f64
  } to <[0, 0, 0], [?, ?, ?]>
  return
}

// -----

// A large star of a volume takes the widest vectors where it is written around the caches, and four planes together. Of more loads than
// memory is the bound for, longer rows are.

// STAR-LABEL: func @large_star
// STAR: stencil.cpu_loops = #stencil.cpu_loops<lanes = 4, columns = 4, planes = 4, threads = 2, {{.*}}around = 33554432, around_row = 512, around_lanes = 8, deal = 1>
// STAR: stencil.cpu_loops = #stencil.cpu_loops<lanes = 4, columns = 4, planes = 4, threads = 2, {{.*}}around = 33554432, around_row = 512, around_lanes = 8, deal = 1>
// SHARES-LABEL: func @large_star
// SHARES: stencil.cpu_loops = #stencil.cpu_loops<lanes = 4, columns = 4, threads = 2, {{.*}}around = 33554432, around_row = 2048>
// Two planes have two thirds of the loads of one by one.
// FACTS-LABEL: func @large_star
// FACTS: stencil.cpu_loops = #stencil.cpu_loops<lanes = 4, columns = 4, threads = 2, {{.*}}around = 33554432, around_row = 512, deal = 1>
// TWO-LABEL: func @large_star
// TWO: stencil.cpu_loops = #stencil.cpu_loops<lanes = 4, columns = 4, planes = 2, plain_planes = 2, threads = 2, {{.*}}around = 33554432, around_row = 512, deal = 1>
!large = !stencil.field<[-1,513]x[0,512]x[0,512]xf64>
!open = !stencil.field<[-1,?+1]x[0,?]x[0,?]xf64>
func.func @large_star(%u: !large, %v: !large, %p: !open, %q: !open) {
  stencil.apply(%x = %u : !large) outs (%v : !large) {
    %0 = stencil.access %x[-1, 0, 0] : !large
    %1 = stencil.access %x[0, 0, 0] : !large
    %2 = stencil.access %x[1, 0, 0] : !large
    %a = arith.addf %0, %1 : f64
    %b = arith.addf %a, %2 : f64
    stencil.return %b : f64
  } to <[0, 0, 0], [512, 512, 512]>
  stencil.apply(%x = %p : !open) outs (%q : !open) {
    %0 = stencil.access %x[-1, 0, 0] : !open
    %1 = stencil.access %x[0, 0, 0] : !open
    %2 = stencil.access %x[1, 0, 0] : !open
    %a = arith.addf %0, %1 : f64
    %b = arith.addf %a, %2 : f64
    stencil.return %b : f64
  } to <[0, 0, 0], [?, ?, ?]>
  return
}

// -----

// Few points are one thread's. What the body has no vectors for is computed point by point; what is stored at some points
// is in the caches anyway.

// CHECK-LABEL: func @few
// CHECK: stencil.cpu_loops = #stencil.cpu_loops<lanes = 8, columns = 8, prefetch = 2048, around = 33554432, around_row = 2048>
// CHECK: stencil.cpu_loops = #stencil.cpu_loops<prefetch = 2048>
!row = !stencil.field<[0,64]xf64>
!index = !stencil.field<[0,64]xindex>
func.func @few(%u: !row, %v: !row, %w: !index) {
  stencil.apply(%x = %u : !row) outs (%v : !row) {
    %0 = stencil.access %x[0] : !row
    stencil.return %0 : f64
  } to <[0], [64]>
  stencil.apply() outs (%w : !index) {
    %0 = stencil.index 0 <[0]>
    stencil.return %0 : index
  } to <[0], [64]>
  return
}

// -----

// A pipeline has the threads and the tiles, which fill half of a core's cache or are what the schedule says; its stages have
// the vectors. A plane of a walk along the rows has one row.

// FACTS-LABEL: func @pipelines
// FACTS: row = 512, around = 33554432, deal = 3>
// CHECK-LABEL: func @pipelines
// CHECK: stencil.pipeline axis 0 attributes {stencil.cpu_loops = #stencil.cpu_loops<threads = 4, cache = 524288, row = 512, around = 33554432, deal = 64>}
// CHECK: stencil.cpu_loops = #stencil.cpu_loops<lanes = 8, columns = 4>
// CHECK: stencil.pipeline axis 0 attributes {stencil.cpu_loops = #stencil.cpu_loops<threads = 4, tile = [1, 256], cache = 524288, row = 512, around = 33554432, deal = 64>
!f = !stencil.field<[-1,1025]x[-1,1025]xf64>
!t = !stencil.temp<?x?xf64>
func.func @pipelines(%u: !f, %v: !f) {
  stencil.pipeline axis 0 {
    %x = stencil.load %u : !f -> !t
    %a = stencil.apply(%p = %x : !t) -> (!t) attributes {stencil.stage = #stencil.stage<lead = 0>} {
      %0 = stencil.access %p[-1, 0] : !t
      %1 = stencil.access %p[0, 0] : !t
      %2 = arith.addf %0, %1 : f64
      stencil.return %2 : f64
    }
    stencil.store %a to %v(<[1, 1], [1023, 1023]>) : !t to !f
  }
  stencil.pipeline axis 0 attributes {stencil.schedule = #stencil.schedule<block = [1, 64], points = [1, 4], stream = 0>} {
    %x = stencil.load %u : !f -> !t
    %a = stencil.apply(%p = %x : !t) -> (!t) attributes {stencil.stage = #stencil.stage<lead = 0>} {
      %0 = stencil.access %p[0, 0] : !t
      stencil.return %0 : f64
    }
    stencil.store %a to %v(<[1, 1], [1023, 1023]>) : !t to !f
  }
  return
}

// -----

// What is read of a stage before it is stored is stored by a stage of its own: on a CPU, a stage stores where it computes.

// CHECK-LABEL: func @delayed
// CHECK: %[[MADE:[0-9]+]] = stencil.apply
// CHECK: %[[COPY:[0-9]+]] = stencil.apply(%{{.*}} = %[[MADE]] : {{.*}} attributes {stencil.cpu_loops = #stencil.cpu_loops<lanes = 8, columns = 8>
// CHECK: stencil.store %[[COPY]]
!r = !stencil.field<[-2,66]xf64>
!s = !stencil.temp<?xf64>
func.func @delayed(%u: !r, %v: !r, %w: !r) {
  stencil.pipeline {
    %x = stencil.load %u : !r -> !s
    %a = stencil.apply(%p = %x : !s) -> (!s) {
      %0 = stencil.access %p[0] : !s
      stencil.return %0 : f64
    }
    %b = stencil.window shared %a : !s
    %c = stencil.apply(%p = %b : !s) -> (!s) {
      %0 = stencil.access %p[1] : !s
      stencil.return %0 : f64
    }
    stencil.store %a to %v(<[0], [64]>) : !s to !r
    stencil.store %c to %w(<[0], [64]>) : !s to !r
  }
  return
}

// -----

// Folds: vectors of the sum, which is of f64; chunks of a row. Boundaries: the columns of a plane, of which a point costs a
// line, and nothing for its rows.

// CHECK-LABEL: func @others
// CHECK: stencil.fold {{.*}} attributes {stencil.cpu_loops = #stencil.cpu_loops<lanes = 8, threads = 4, tile = [16384]>}
// CHECK: stencil.boundary {{.*}} attributes {stencil.cpu_loops = [#stencil.cpu_loops<>, #stencil.cpu_loops<threads = 4, tile = [4], alone = 1024>]}
func.func @others(%u: !stencil.field<[0,64]xf32>, %v: !stencil.field<[-1,65]x[-1,65]xf64>) -> f32 {
  %s = stencil.fold %u(<[0], [64]>) sum : !stencil.field<[0,64]xf32>
  stencil.boundary %v(<[0, 0], [64, 64]>) [#stencil.neumann, #stencil.neumann] : !stencil.field<[-1,65]x[-1,65]xf64>
  return %s : f32
}

// -----

// Slabs of a rim are many and small: each takes little code.
// CHECK-LABEL: func.func @slab
// CHECK: stencil.cpu_loops = #stencil.cpu_loops<lanes =
// CHECK-NOT: rows =
// CHECK-NOT: columns =
// CHECK-NOT: around =
// CHECK: regions = launch
!slab = !stencil.field<[-1,4097]x[-1,4097]xf64>
func.func @slab(%a: !slab, %b: !slab) {
  stencil.apply(%x = %a : !slab) outs (%b : !slab) attributes {stencil.schedule = #stencil.schedule<regions = launch>} {
    %p = stencil.access %x[-1, 0] : !slab
    %q = stencil.access %x[1, 0] : !slab
    %w = arith.addf %p, %q : f64
    stencil.return %w : f64
  } to <[0, 0], [64, 4096]>
  return
}
