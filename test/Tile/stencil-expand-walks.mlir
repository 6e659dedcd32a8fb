// RUN: stencil-opt %s --stencil-place-barriers --stencil-expand-walks | FileCheck %s
// RUN: stencil-opt %s --stencil-place-barriers --stencil-expand-walks=unroll-slots | FileCheck %s --check-prefix=SLOTS
//
// No walk is left, and what is expanded stays as it is.
// RUN: stencil-opt %s --stencil-place-barriers --stencil-expand-walks -o %t.mlir
// RUN: not grep tile.walk %t.mlir
// RUN: stencil-opt %t.mlir --stencil-place-barriers --stencil-expand-walks | diff %t.mlir -

!field = !stencil.field<[-1,65]x[-1,65]xf64>
!row = !stencil.temp<[0,1]x[0,32]xf64>
!async4 = !tile.ring<4 x [0,1]x[0,32]xf64, fill = async>
!async9 = !tile.ring<9 x [0,1]x[0,32]xf64, fill = async>
!threads3 = !tile.ring<3 x [0,1]x[0,32]xf64>
!threads4 = !tile.ring<4 x [0,1]x[0,32]xf64>
!delayed4 = !tile.ring<4 x [0,1]x[0,32]xf64, fill = delayed>
!tma4 = !tile.ring<4 x [0,1]x[0,32]xf64, fill = tma>
!next = !stencil.temp<[1,2]x[0,32]xf64>
!both = !stencil.temp<[0,2]x[0,32]xf64>
!two = !stencil.temp<[-1,1]x[0,32]xf64>
!three = !stencil.temp<[-1,2]x[0,32]xf64>
!behind = !stencil.temp<[-1,0]x[0,32]xf64>
!further = !stencil.temp<[-2,-1]x[0,32]xf64>
!queue = !stencil.temp<[-2,1]x[0,32]xf64>

func.func @first(%u: !field, %v: !field) {
  // First planes; the iterations before the first store, without the stage;
  // the others. Cursors go on from loop to loop.
  // CHECK-LABEL: @lookback
  // CHECK-DAG: %[[FIRST:.*]], %[[COUNT:.*]] = tile.segment lookback 1 : index
  // CHECK-DAG: %[[C0:.*]] = arith.constant 0 : index
  // CHECK-DAG: %[[C1:.*]] = arith.constant 1 : index
  // CHECK: %[[START:.*]] = tile.cursor %[[C0]] : !tile.cursor<4>
  // CHECK-NEXT: tile.copy %{{.*}}[%[[FIRST]]] to %{{.*}}[%[[START]]] :
  // CHECK-NEXT: tile.copy %{{.*}}[%[[FIRST]]] to %{{.*}}[%[[START]]] plane 1 :
  // CHECK-NEXT: %[[EMPTY:.*]] = arith.cmpi eq, %[[COUNT]], %[[C0]]
  // CHECK-NEXT: %[[BEGIN:.*]] = arith.select %[[EMPTY]], %[[COUNT]], %[[C1]]
  // CHECK-NEXT: %[[NEXT:.*]] = scf.for %[[I:.*]] = %[[C0]] to %[[BEGIN]] step %[[C1]] iter_args(%[[C:.*]] = %[[START]])
  // CHECK-NEXT:   %[[P:.*]] = arith.addi %[[FIRST]], %[[I]]
  // CHECK-NEXT:   tile.wait %{{.*}}[%[[C]]] plane 1
  // CHECK-NEXT:   tile.barrier
  // CHECK-NEXT:   tile.copy %{{.*}}[%[[P]]] to %{{.*}}[%[[C]]] plane 2
  // CHECK-NEXT:   %[[D:.*]] = tile.advance %[[C]]
  // CHECK-NEXT:   scf.yield %[[D]]
  // CHECK: scf.for %[[I:.*]] = %[[BEGIN]] to %[[COUNT]] step %[[C1]] iter_args(%[[C:.*]] = %[[NEXT]])
  // CHECK: tile.copy
  // CHECK: tile.where
  // CHECK: tile.store
  // CHECK: tile.advance %[[C]]
  // CHECK-NOT: scf.for
  tile.kernel @lookback(%a = %u : !field, %b = %v : !field) grid <domain = <[0, 0], [64, 64]>, block = [1, 32], points = [1, 1], walk = 0> {
    %w = tile.ring : !async4
    tile.walk lookback 1 plane %p cursors(%c: !tile.cursor<4>) {
      tile.wait %w[%c] plane 1 : !async4
      tile.copy %a[%p] to %w[%c] plane 2 : !field, !async4
      %x = tile.source %w[%c] : !async4 -> !three
      tile.where {
        %r = stencil.apply(%t = %x : !three) -> (!row) {
          %s = stencil.weighted_sum %t offsets [[-1, 0], [1, 0]] weights dense<0.5> : tensor<2xf64> : !three
          stencil.return %s : f64
        }
        tile.store %r to %b[%p] : !row to !field
      }
    }
  }

  // The iterations that are thought to have gone before have waited for what is
  // delayed; two planes are on their way. What the stage
  // reads in front of the loop's barrier is behind one.
  // CHECK-LABEL: @delayed
  // CHECK: tile.cursor
  // CHECK-NEXT: tile.copy %{{.*}} to %{{[^ ]*}} :
  // CHECK-NEXT: tile.copy {{.*}} plane 1 :
  // CHECK-NEXT: tile.wait %{{[^ ]*}} :
  // CHECK-NEXT: tile.copy {{.*}} plane 2 :
  // CHECK-NEXT: tile.barrier
  // CHECK: scf.for
  tile.kernel @delayed(%a = %u : !field, %b = %v : !field) grid <domain = <[0, 0], [64, 64]>, block = [1, 32], points = [1, 1], walk = 0> {
    %w = tile.ring : !delayed4
    tile.walk plane %p cursors(%c: !tile.cursor<4>) {
      %x = tile.source %w[%c] : !delayed4 -> !row
      %r = stencil.apply(%t = %x : !row) -> (!row) {
        %s = stencil.access %t[0, 0] : !row
        stencil.return %s : f64
      }
      tile.wait %w[%c] plane 1 : !delayed4
      tile.copy %a[%p] to %w[%c] plane 3 : !field, !delayed4
      tile.store %r to %b[%p] : !row to !field
      tile.barrier
    }
  }

  // The same of the copy engine: the stage relies on the wait of the iteration
  // before. That needs no barrier.
  // CHECK-LABEL: @tma
  // CHECK: tile.cursor
  // CHECK-NEXT: tile.copy %{{.*}} to %{{[^ ]*}} :
  // CHECK-NEXT: tile.copy {{.*}} plane 1 :
  // CHECK-NEXT: tile.wait %{{[^ ]*}} :
  // CHECK-NEXT: scf.for
  tile.kernel @tma(%a = %u : !field, %b = %v : !field) grid <domain = <[0, 0], [64, 64]>, block = [1, 32], points = [1, 1], walk = 0> {
    %w = tile.ring : !tma4
    tile.walk plane %p cursors(%c: !tile.cursor<4>) {
      %x = tile.source %w[%c] : !tma4 -> !row
      %r = stencil.apply(%t = %x : !row) -> (!row) {
        %s = stencil.access %t[0, 0] : !row
        stencil.return %s : f64
      }
      tile.wait %w[%c] plane 1 : !tma4
      tile.copy %a[%p] to %w[%c] plane 2 : !field, !tma4
      tile.store %r to %b[%p] : !row to !field
    }
  }

  // The first iteration's wait would be for plane 0, too, which the stage reads
  // without a barrier: that of the iteration before has seen to it.
  // CHECK-LABEL: @async
  // CHECK: tile.cursor
  // CHECK-NEXT: tile.copy %{{.*}} to %{{[^ ]*}} :
  // CHECK-NEXT: tile.wait %{{[^ ]*}} :
  // CHECK-NEXT: tile.copy {{.*}} plane 1 :
  // CHECK-NEXT: scf.for
  // CHECK-NEXT: arith.addi
  // CHECK-NEXT: tile.barrier
  tile.kernel @async(%a = %u : !field, %b = %v : !field) grid <domain = <[0, 0], [64, 64]>, block = [1, 32], points = [1, 1], walk = 0> {
    %w = tile.ring : !async4
    tile.walk plane %p cursors(%c: !tile.cursor<4>) {
      tile.barrier
      tile.wait %w[%c] plane 1 : !async4
      tile.copy %a[%p] to %w[%c] plane 2 : !field, !async4
      %x = tile.source %w[%c] : !async4 -> !row
      %r = stencil.apply(%t = %x : !row) -> (!row) {
        %s = stencil.access %t[0, 0] : !row
        stencil.return %s : f64
      }
      tile.store %r to %b[%p] : !row to !field
    }
  }

  // Threads have written the first plane, and read it in front of the loop's
  // barrier: one more.
  // CHECK-LABEL: @threads
  // CHECK: tile.cursor
  // CHECK-NEXT: tile.copy
  // CHECK-NEXT: tile.barrier
  // CHECK-NEXT: scf.for
  tile.kernel @threads(%a = %u : !field, %b = %v : !field) grid <domain = <[0, 0], [64, 64]>, block = [1, 32], points = [1, 1], walk = 0> {
    %w = tile.ring : !threads4
    tile.walk plane %p cursors(%c: !tile.cursor<4>) {
      %x = tile.source %w[%c] : !threads4 -> !row
      %r = stencil.apply(%t = %x : !row) -> (!row) {
        %s = stencil.access %t[0, 0] : !row
        stencil.return %s : f64
      }
      tile.store %r to %b[%p] : !row to !field
      tile.copy %a[%p] to %w[%c] plane 1 : !field, !threads4
      tile.barrier
    }
  }

  // One that the first iteration meets anyway is enough. Who is ahead less
  // begins later: copies are in the order in which the loop has them.
  // CHECK-LABEL: @two_rings
  // CHECK: !tile.cursor<9>
  // CHECK-NEXT: tile.copy %{{.*}} to %{{[^ ]*}} : {{.*}}ring<4
  // CHECK-NEXT: tile.copy {{.*}} plane 1 : {{.*}}ring<4
  // CHECK-NEXT: tile.copy %{{.*}} to %{{[^ ]*}} : {{.*}}ring<9
  // CHECK-NEXT: scf.for
  // CHECK-NEXT: arith.addi
  // CHECK-NEXT: tile.barrier
  //
  // 36 iterations would be too many: 9.
  // SLOTS-LABEL: @two_rings
  // SLOTS: %{{.*}}, %[[COUNT:.*]] = tile.segment
  // SLOTS: %[[LEFT:.*]] = arith.remui %[[COUNT]], %c9
  // SLOTS: %[[WHOLE:.*]] = arith.subi %[[COUNT]], %[[LEFT]]
  // SLOTS: scf.for %{{.*}} = %{{.*}} to %[[WHOLE]] step %c9
  // SLOTS-COUNT-9: tile.store
  // SLOTS-NOT: tile.store
  // SLOTS: scf.for %{{.*}} = %[[WHOLE]] to %[[COUNT]] step %c1
  tile.kernel @two_rings(%a = %u : !field, %b = %v : !field) grid <domain = <[0, 0], [64, 64]>, block = [1, 32], points = [1, 1], walk = 0> {
    %w = tile.ring : !threads4
    %y = tile.ring : !async9
    tile.walk plane %p cursors(%c: !tile.cursor<4>, %d: !tile.cursor<9>) {
      tile.copy %a[%p] to %w[%c] plane 2 : !field, !threads4
      tile.copy %a[%p] to %y[%d] plane 1 : !field, !async9
      %x = tile.source %w[%c] : !threads4 -> !row
      %r = stencil.apply(%t = %x : !row) -> (!row) {
        %s = stencil.access %t[0, 0] : !row
        stencil.return %s : f64
      }
      tile.store %r to %b[%p] : !row to !field
    }
  }
  return
}

func.func @needs(%u: !field, %v: !field) {
  // What the first plane that is stored needs begins with plane 1 of the first
  // iteration, in which nothing else is read, either.
  // CHECK-LABEL: @from_first_needed
  // CHECK: tile.cursor
  // CHECK-NEXT: tile.copy {{.*}} plane 1 needs
  // CHECK-NEXT: tile.copy {{.*}} plane 2 needs
  // CHECK-NEXT: arith.cmpi
  tile.kernel @from_first_needed(%a = %u : !field, %b = %v : !field) grid <domain = <[1, 0], [64, 64]>, block = [1, 32], points = [1, 1], walk = 0> {
    %w = tile.ring : !tma4
    %none = ub.poison : !row
    %l = tile.walk lookback 1 plane %p cursors(%c: !tile.cursor<4>) carry(%q = %none : !row) {
      tile.wait %w[%c] plane 1 : !tma4
      tile.copy %a[%p] to %w[%c] plane 3 needs <[0, 0], [2, 1]> : !field, !tma4
      %x = tile.source %w[%c] : !tma4 -> !next
      %n = stencil.apply(%t = %x : !next) -> (!next) {
        %s = stencil.access %t[0, 0] : !next
        stencil.return %s : f64
      }
      tile.store %q to %b[%p] : !row to !field
      %y = tile.shift %n : !next -> !row
      tile.yield %y : !row
    }
  }
  // But what is carried is made of plane 0, too.
  // CHECK-LABEL: @from_first_read
  // CHECK: tile.cursor
  // CHECK-NEXT: tile.copy {{.*}} : !stencil
  // CHECK-NEXT: tile.copy {{.*}} plane 1 needs
  // CHECK-NEXT: tile.copy {{.*}} plane 2 needs
  // CHECK-NEXT: tile.wait {{.*}}] :
  // CHECK-NEXT: arith.cmpi
  tile.kernel @from_first_read(%a = %u : !field, %b = %v : !field) grid <domain = <[1, 0], [64, 64]>, block = [1, 32], points = [1, 1], walk = 0> {
    %w = tile.ring : !tma4
    %none = ub.poison : !row
    %l = tile.walk lookback 1 plane %p cursors(%c: !tile.cursor<4>) carry(%q = %none : !row) {
      tile.wait %w[%c] plane 1 : !tma4
      tile.copy %a[%p] to %w[%c] plane 3 needs <[0, 0], [2, 1]> : !field, !tma4
      %x = tile.source %w[%c] : !tma4 -> !both
      %n = stencil.apply(%t = %x : !both) -> (!next) {
        %s = stencil.access %t[-1, 0] : !both
        stencil.return %s : f64
      }
      tile.store %q to %b[%p] : !row to !field
      %y = tile.shift %n : !next -> !row
      tile.yield %y : !row
    }
  }
  return
}

func.func @rotation(%u: !field, %v: !field) {
  // Two old planes and a new one, which is read together with the oldest: after
  // three iterations each is in the same registers again.
  // CHECK-LABEL: @queue
  // CHECK: %[[FIRST:.*]], %[[COUNT:.*]] = tile.segment lookback 2 : index
  // CHECK: %[[EMPTY:.*]] = arith.cmpi eq, %[[COUNT]], %c0
  // CHECK: %[[BEGIN:.*]] = arith.select %[[EMPTY]], %[[COUNT]], %c2
  // CHECK: %[[OLD:.*]]:2 = scf.for {{.*}} iter_args
  // CHECK-NOT: tile.store
  // CHECK: }
  // CHECK: %[[STORED:.*]] = arith.subi %[[COUNT]], %c2
  // CHECK: %[[LEFT:.*]] = arith.remui %[[STORED]], %c3
  // CHECK: %[[MOST:.*]] = arith.subi %[[COUNT]], %[[LEFT]]
  // CHECK: %[[WHOLE:.*]] = arith.select %[[EMPTY]], %[[COUNT]], %[[MOST]]
  // CHECK: %[[MAIN:.*]]:2 = scf.for %[[I:.*]] = %[[BEGIN]] to %[[WHOLE]] step %c3{{.*}} iter_args(%[[Q2:.*]] = %[[OLD]]#0, %[[Q1:.*]] = %[[OLD]]#1)
  // CHECK: %[[N0:.*]] = stencil.apply
  // CHECK: tile.join %[[Q2]], %[[Q1]], %[[N0]]
  // CHECK: %[[I1:.*]] = arith.addi %[[I]], %c1
  // CHECK: %[[P1:.*]] = arith.addi %[[FIRST]], %[[I1]]
  // CHECK: tile.source %{{.*}}[%[[P1]]]
  // CHECK-COUNT-2: tile.store
  // CHECK: scf.yield
  // CHECK: scf.for %{{.*}} = %[[WHOLE]] to %[[COUNT]] step %c1{{.*}} iter_args(%{{.*}} = %[[MAIN]]#0, %{{.*}} = %[[MAIN]]#1)
  // CHECK-COUNT-1: tile.store
  // CHECK-NOT: tile.store
  tile.kernel @queue(%a = %u : !field, %b = %v : !field) grid <domain = <[1, 0], [64, 64]>, block = [1, 32], points = [1, 1], walk = 0> {
    %none2 = ub.poison : !further
    %none1 = ub.poison : !behind
    %l:2 = tile.walk lookback 2 plane %p carry(%q2 = %none2 : !further, %q1 = %none1 : !behind) {
      %m = tile.source %a[%p] : !field -> !stencil.temp<?x?xf64>
      %n = stencil.apply(%t = %m : !stencil.temp<?x?xf64>) -> (!row) {
        %s = stencil.access %t[0, 0] : !stencil.temp<?x?xf64>
        stencil.return %s : f64
      }
      %x = tile.join %q2, %q1, %n : !further, !behind, !row -> !queue
      %r = stencil.apply(%t = %x : !queue) -> (!row) {
        %s = stencil.weighted_sum %t offsets [[-2, 0], [0, 0]] weights dense<0.5> : tensor<2xf64> : !queue
        stencil.return %s : f64
      }
      tile.store %r to %b[%p] : !row to !field
      %s2 = tile.shift %q1 : !behind -> !further
      %s1 = tile.shift %n : !row -> !behind
      tile.yield %s2, %s1 : !further, !behind
    }
  }

  // Partial sums are on their way like planes. The sum that begins is made by the
  // stage that reads the complete one.
  // CHECK-LABEL: @sums
  // CHECK: step %c3
  // CHECK-COUNT-3: tile.store
  // CHECK: scf.yield
  tile.kernel @sums(%a = %u : !field, %b = %v : !field) grid <domain = <[0, 0], [64, 64]>, block = [1, 32], points = [1, 1], walk = 0> {
    %none = ub.poison : !row
    %l:2 = tile.walk plane %p carry(%s0 = %none : !row, %s1 = %none : !row) {
      %m = tile.source %a[%p] : !field -> !stencil.temp<?x?xf64>
      %r:3 = stencil.apply(%t = %m : !stencil.temp<?x?xf64>, %o0 = %s0 : !row, %o1 = %s1 : !row) -> (!row, !row, !row) {
        %x = stencil.access %t[0, 0] : !stencil.temp<?x?xf64>
        %y0 = stencil.access %o0[0, 0] : !row
        %y1 = stencil.access %o1[0, 0] : !row
        %z0 = arith.addf %y0, %x : f64
        %z1 = arith.addf %y1, %x : f64
        stencil.return %z0, %z1, %x : f64, f64, f64
      }
      tile.store %r#0 to %b[%p] : !row to !field
      tile.yield %r#1, %r#2 : !row, !row
    }
  }

  // Of what is computed where it is needed, the iterations without stores have
  // what is carried: one stage of two.
  // CHECK-LABEL: @where
  // CHECK: scf.for
  // CHECK: tile.where
  // CHECK-COUNT-1: stencil.apply
  // CHECK-NOT: stencil.apply
  // CHECK: scf.for
  // CHECK-COUNT-2: stencil.apply
  tile.kernel @where(%a = %u : !field, %b = %v : !field) grid <domain = <[1, 0], [64, 64]>, block = [1, 32], points = [1, 1], walk = 0> {
    %none = ub.poison : !behind
    %l = tile.walk lookback 1 plane %p carry(%q1 = %none : !behind) {
      %m = tile.source %a[%p] : !field -> !stencil.temp<?x?xf64>
      %n = tile.where needs <[-1, 0], [1, 1]> -> (!row) {
        %o = stencil.apply(%t = %m : !stencil.temp<?x?xf64>) -> (!row) {
          %s = stencil.access %t[0, 0] : !stencil.temp<?x?xf64>
          stencil.return %s : f64
        }
        %x = tile.join %q1, %o : !behind, !row -> !two
        %r = stencil.apply(%t = %x : !two) -> (!row) {
          %s = stencil.access %t[-1, 0] : !two
          stencil.return %s : f64
        }
        tile.store %r to %b[%p] : !row to !field
        tile.yield %o : !row
      }
      %s1 = tile.shift %n : !row -> !behind
      tile.yield %s1 : !behind
    }
  }

  // What is added to in its place does not move.
  // CHECK-LABEL: @in_place
  // CHECK-NOT: arith.remui
  // CHECK: scf.for {{.*}} to %{{count.*}} step %c1
  tile.kernel @in_place(%a = %u : !field, %b = %v : !field) grid <domain = <[0, 0], [64, 64]>, block = [1, 32], points = [1, 1], walk = 0> {
    %none = ub.poison : !row
    %l = tile.walk plane %p carry(%s0 = %none : !row) {
      %m = tile.source %a[%p] : !field -> !stencil.temp<?x?xf64>
      %r = stencil.apply(%t = %m : !stencil.temp<?x?xf64>, %o0 = %s0 : !row) -> (!row) {
        %x = stencil.access %t[0, 0] : !stencil.temp<?x?xf64>
        %y0 = stencil.access %o0[0, 0] : !row
        %z0 = arith.addf %y0, %x : f64
        stencil.return %z0 : f64
      }
      tile.store %r to %b[%p] : !row to !field
      tile.yield %r : !row
    }
  }
  return
}
