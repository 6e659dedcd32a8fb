// A stage of tiles that overlap takes the columns beside its threads' own ones from other lanes.
// RUN: stencil-opt %s --stencil-shuffle-columns -o %t.mlir
// RUN: FileCheck %s < %t.mlir
//
// What lanes give stays as it is.
// RUN: stencil-opt %t.mlir --stencil-shuffle-columns | diff %t.mlir -
//
// Stars of two forms, and of single precision, stay as they are.
// RUN: sed '/kernel @star/s/ {$/ attributes {stencil.inner = #stencil.bounds<[1, 1, 1], [19, 18, 69]>} {/' %s | stencil-opt --stencil-shuffle-columns | FileCheck %s --check-prefix=FORMS
// RUN: sed 's/f64/f32/g' %s | stencil-opt --stencil-shuffle-columns | FileCheck %s --check-prefix=SINGLE
//
// Results are those of the interpreter: boxes, of which rows of other threads are read, too.
// DEFINE: %{sweep} = --target emulator --chip sm_90 --extents 9,19,70 --arg 0=random:1 --arg 1=random:1 --arg 2=9 --math strict --verify=0 --schedule
// RUN: stencil-run %benchmarks/kernels/conv_box3d27p.mlir %{sweep} '#stencil.schedule<time = 2, stream = 0, window = shared, chain = shuffle, prefetch = tma, block = [1, 3, 32], points = [1, 4, 2]>'
// Stars, and a tile that is not full.
// RUN: stencil-run %benchmarks/kernels/conv_heat3d.mlir %{sweep} '#stencil.schedule<time = 4, stream = 0, window = shared, chain = shuffle, prefetch = tma, block = [1, 3, 32], points = [1, 4, 2]>'

!field = !stencil.field<[-1,21]x[-1,20]x[-1,71]xf64>
!ring = !tile.ring<5 x [0,1]x[-1,13]x[-4,68]xf64, fill = tma>
!edges = !tile.ring<3 x [0,1]x[-1,13]x[-2,66]xf64, fill = stage, edges = 1 of 4>
!read = !stencil.temp<[0,3]x[-1,13]x[-4,68]xf64>
!beside = !stencil.temp<[0,1]x[-1,13]x[-2,66]xf64>
!newest = !stencil.temp<[1,2]x[0,12]x[0,64]xf64>
!now = !stencil.temp<[0,1]x[0,12]x[0,64]xf64>

// Of each row that is read beside a thread's columns, its own ones, and two of its neighbours'.
// The ring has no columns then that only lanes at the ends of a row have read.
// CHECK-LABEL: func.func @covered
// CHECK: tile.ring : !tile.ring<5 x [0,1]x[-1,13]x[0,64]xf64, fill = tma>
// CHECK: tile.where
// CHECK-NEXT: %[[OWN:.*]] = stencil.apply(%[[A:.*]] = %[[X:.*]] : !stencil.temp<[0,3]x[-1,13]x[0,64]xf64>)
// CHECK-NEXT: stencil.access %[[A]][0, 0, 0]
// CHECK: %[[WIDE:.*]] = tile.join %[[OWN]] : {{.*}} -> !stencil.temp<[1,2]x[0,12]x[-1,65]xf64>
// CHECK: %[[LANES:.*]]:2 = stencil.apply(%[[B:.*]] = %[[WIDE]] : {{.*}}, %{{.*}} = %[[OWN]] : {{.*}}) -> {{.*}} attributes {tile.engine = #tile.lanes} {
// CHECK-DAG: stencil.access %[[B]][0, 0, -1]
// CHECK-DAG: stencil.access %[[B]][0, 0, 1]
// CHECK: %[[BEFORE:.*]] = stencil.apply(%[[C:.*]] = %[[X]] :
// CHECK-NEXT: stencil.access %[[C]][-1, 1, 0]
// CHECK: %[[BEHIND:.*]] = tile.join %[[BEFORE]] : {{.*}} -> !stencil.temp<[1,2]x[0,12]x[0,65]xf64>
// CHECK: %[[DOWN:.*]] = stencil.apply(%{{.*}} = %[[BEHIND]] : {{.*}} attributes {tile.engine = #tile.lanes}
// CHECK: stencil.apply(%[[D:.*]] = %[[X]] : {{.*}}, %[[E:.*]] = %[[LANES]]#{{.}} : {{.*}}, %[[F:.*]] = %[[LANES]]#{{.}} : {{.*}}, %[[G:.*]] = %[[DOWN]] : {{.*}})
// CHECK-NOT: %[[D]][0, 0, {{-?}}1]
// CHECK: stencil.access %[[D]][1, 0, 0]
// CHECK: tile.yield
func.func @covered(%u: !field, %v: !field) {
  tile.kernel @covered(%a = %u : !field, %b = %v : !field) grid <domain = <[0, 0, 0], [20, 19, 70]>, block = [1, 3, 32], points = [1, 4, 2], align = 4, walk = 0, segments = 2, inner = <[0, 2, 2], [1, 10, 62]>> {
    %ring = tile.ring : !ring
    %rows = tile.ring : !edges
    %none = ub.poison : !now
    %last = tile.walk lookback 4 plane %p cursors(%c: !tile.cursor<5>, %d: !tile.cursor<3>) carry(%q = %none : !now) {
      tile.wait %ring[%c] plane 2 : !ring
      tile.copy %a[%p] to %ring[%c] plane 4 needs <[-2, -2, -2], [3, 3, 3]> : !field, !ring
      %x = tile.source %ring[%c] : !ring -> !read
      %1 = tile.where plane %p needs <[-1, -1, -1], [2, 2, 2]> -> (!newest) {
        %s = stencil.apply(%t = %x : !read) -> (!newest) {
          %f = stencil.access %t[0, 0, -1] : !read
          %g = stencil.access %t[-1, 1, 1] : !read
          %h = stencil.access %t[0, 0, 1] : !read
          %k = stencil.access %t[1, 0, 0] : !read
          %m = arith.addf %f, %g : f64
          %n = arith.addf %m, %h : f64
          %sum = arith.addf %n, %k : f64
          stencil.return %sum : f64
        }
        tile.yield %s : !newest
      }
      tile.put %1 to %rows[%d] plane 1 : !newest, !edges
      %e = tile.source %rows[%d] : !edges -> !beside
      %l, %r = stencil.apply(%t = %e : !beside, %o = %q : !now) -> (!now, !now) attributes {tile.engine = #tile.lanes} {
        %left = stencil.access %t[0, 0, -1] : !beside
        %down = stencil.access %t[0, 1, 1] : !beside
        stencil.return %left, %down : f64, f64
      }
      %2 = stencil.apply(%t = %l : !now, %o = %r : !now) -> (!now) {
        %f = stencil.access %t[0, 0, 0] : !now
        %g = stencil.access %o[0, 0, 0] : !now
        %sum = arith.addf %f, %g : f64
        stencil.return %sum : f64
      }
      tile.where {
        tile.store %2 to %b[%p] : !now to !field
      }
      %next = tile.shift %1 : !newest -> !now
      tile.yield %next : !now
    }
  }
  return
}

// The last points that are stored read beyond the tile by way of the stages: the ring has what no lane has.
// CHECK-LABEL: func.func @uncovered
// CHECK: tile.ring : !tile.ring<5 x [0,1]x[-1,13]x[-4,68]xf64, fill = tma>
// CHECK: tile.where plane
// CHECK-NEXT: stencil.apply
// CHECK-NEXT: stencil.access %{{.*}}[0, 0, -1]
// CHECK: tile.where {
func.func @uncovered(%u: !field, %v: !field) {
  tile.kernel @uncovered(%a = %u : !field, %b = %v : !field) grid <domain = <[0, 0, 0], [20, 19, 70]>, block = [1, 3, 32], points = [1, 4, 2], align = 4, walk = 0, segments = 2, inner = <[0, 2, 2], [1, 10, 64]>> {
    %ring = tile.ring : !ring
    %rows = tile.ring : !edges
    %none = ub.poison : !now
    %last = tile.walk lookback 4 plane %p cursors(%c: !tile.cursor<5>, %d: !tile.cursor<3>) carry(%q = %none : !now) {
      tile.wait %ring[%c] plane 2 : !ring
      tile.copy %a[%p] to %ring[%c] plane 4 needs <[-2, -2, -2], [3, 3, 3]> : !field, !ring
      %x = tile.source %ring[%c] : !ring -> !read
      %1 = tile.where plane %p needs <[-1, -1, -1], [2, 2, 2]> -> (!newest) {
        %s = stencil.apply(%t = %x : !read) -> (!newest) {
          %f = stencil.access %t[0, 0, -1] : !read
          %g = stencil.access %t[-1, 1, 1] : !read
          %h = stencil.access %t[0, 0, 1] : !read
          %k = stencil.access %t[1, 0, 0] : !read
          %m = arith.addf %f, %g : f64
          %n = arith.addf %m, %h : f64
          %sum = arith.addf %n, %k : f64
          stencil.return %sum : f64
        }
        tile.yield %s : !newest
      }
      tile.put %1 to %rows[%d] plane 1 : !newest, !edges
      %e = tile.source %rows[%d] : !edges -> !beside
      %l, %r = stencil.apply(%t = %e : !beside, %o = %q : !now) -> (!now, !now) attributes {tile.engine = #tile.lanes} {
        %left = stencil.access %t[0, 0, -1] : !beside
        %down = stencil.access %t[0, 1, 1] : !beside
        stencil.return %left, %down : f64, f64
      }
      %2 = stencil.apply(%t = %l : !now, %o = %r : !now) -> (!now) {
        %f = stencil.access %t[0, 0, 0] : !now
        %g = stencil.access %o[0, 0, 0] : !now
        %sum = arith.addf %f, %g : f64
        stencil.return %sum : f64
      }
      tile.where {
        tile.store %2 to %b[%p] : !now to !field
      }
      %next = tile.shift %1 : !newest -> !now
      tile.yield %next : !now
    }
  }
  return
}

// Nothing is read beside.
// CHECK-LABEL: func.func @own
// CHECK: tile.where plane
// CHECK-NEXT: stencil.apply
// CHECK-NEXT: stencil.access %{{.*}}[0, 1, 0]
// CHECK: tile.where {
func.func @own(%u: !field, %v: !field) {
  tile.kernel @own(%a = %u : !field, %b = %v : !field) grid <domain = <[0, 0, 0], [20, 19, 70]>, block = [1, 3, 32], points = [1, 4, 2], align = 4, walk = 0, segments = 2, inner = <[0, 2, 2], [1, 10, 62]>> {
    %ring = tile.ring : !ring
    %rows = tile.ring : !edges
    %none = ub.poison : !now
    %last = tile.walk lookback 4 plane %p cursors(%c: !tile.cursor<5>, %d: !tile.cursor<3>) carry(%q = %none : !now) {
      tile.wait %ring[%c] plane 2 : !ring
      tile.copy %a[%p] to %ring[%c] plane 4 needs <[-2, -2, -2], [3, 3, 3]> : !field, !ring
      %x = tile.source %ring[%c] : !ring -> !read
      %1 = tile.where plane %p needs <[-1, -1, -1], [2, 2, 2]> -> (!newest) {
        %s = stencil.apply(%t = %x : !read) -> (!newest) {
          %f = stencil.access %t[0, 1, 0] : !read
          %k = stencil.access %t[1, 0, 0] : !read
          %sum = arith.addf %f, %k : f64
          stencil.return %sum : f64
        }
        tile.yield %s : !newest
      }
      tile.put %1 to %rows[%d] plane 1 : !newest, !edges
      %e = tile.source %rows[%d] : !edges -> !beside
      %l, %r = stencil.apply(%t = %e : !beside, %o = %q : !now) -> (!now, !now) attributes {tile.engine = #tile.lanes} {
        %left = stencil.access %t[0, 0, -1] : !beside
        %down = stencil.access %t[0, 1, 1] : !beside
        stencil.return %left, %down : f64, f64
      }
      %2 = stencil.apply(%t = %l : !now, %o = %r : !now) -> (!now) {
        %f = stencil.access %t[0, 0, 0] : !now
        %g = stencil.access %o[0, 0, 0] : !now
        %sum = arith.addf %f, %g : f64
        stencil.return %sum : f64
      }
      tile.where {
        tile.store %2 to %b[%p] : !now to !field
      }
      %next = tile.shift %1 : !newest -> !now
      tile.yield %next : !now
    }
  }
  return
}

// A star reads columns in one row: of doubles, and where all blocks have one program, for the ring's sake.
// CHECK-LABEL: func.func @star
// CHECK: tile.ring : !tile.ring<5 x [0,1]x[-1,13]x[0,64]xf64, fill = tma>
// CHECK: tile.where plane
// CHECK-NEXT: stencil.apply
// CHECK-NEXT: stencil.access %{{.*}}[0, 0, 0]
// CHECK: tile.join
// FORMS-LABEL: func.func @star
// FORMS: tile.ring : !tile.ring<5 x [0,1]x[-1,13]x[-4,68]xf64, fill = tma>
// FORMS: tile.where plane
// FORMS-NEXT: stencil.apply
// FORMS-NEXT: stencil.access %{{.*}}[0, 0, 1]
// SINGLE-LABEL: func.func @star
// SINGLE: tile.ring : !tile.ring<5 x [0,1]x[-1,13]x[-4,68]xf32, fill = tma>
func.func @star(%u: !field, %v: !field) {
  tile.kernel @star(%a = %u : !field, %b = %v : !field) grid <domain = <[0, 0, 0], [20, 19, 70]>, block = [1, 3, 32], points = [1, 4, 2], align = 4, walk = 0, segments = 2, inner = <[0, 2, 2], [1, 10, 62]>> {
    %ring = tile.ring : !ring
    %rows = tile.ring : !edges
    %none = ub.poison : !now
    %last = tile.walk lookback 4 plane %p cursors(%c: !tile.cursor<5>, %d: !tile.cursor<3>) carry(%q = %none : !now) {
      tile.wait %ring[%c] plane 2 : !ring
      tile.copy %a[%p] to %ring[%c] plane 4 needs <[-2, -2, -2], [3, 3, 3]> : !field, !ring
      %x = tile.source %ring[%c] : !ring -> !read
      %1 = tile.where plane %p needs <[-1, -1, -1], [2, 2, 2]> -> (!newest) {
        %s = stencil.apply(%t = %x : !read) -> (!newest) {
          %f = stencil.access %t[0, 0, 1] : !read
          %k = stencil.access %t[1, 0, 0] : !read
          %sum = arith.addf %f, %k : f64
          stencil.return %sum : f64
        }
        tile.yield %s : !newest
      }
      tile.put %1 to %rows[%d] plane 1 : !newest, !edges
      %e = tile.source %rows[%d] : !edges -> !beside
      %l, %r = stencil.apply(%t = %e : !beside, %o = %q : !now) -> (!now, !now) attributes {tile.engine = #tile.lanes} {
        %left = stencil.access %t[0, 0, -1] : !beside
        %down = stencil.access %t[0, 1, 1] : !beside
        stencil.return %left, %down : f64, f64
      }
      %2 = stencil.apply(%t = %l : !now, %o = %r : !now) -> (!now) {
        %f = stencil.access %t[0, 0, 0] : !now
        %g = stencil.access %o[0, 0, 0] : !now
        %sum = arith.addf %f, %g : f64
        stencil.return %sum : f64
      }
      tile.where {
        tile.store %2 to %b[%p] : !now to !field
      }
      %next = tile.shift %1 : !newest -> !now
      tile.yield %next : !now
    }
  }
  return
}
