// What is said of boxes, threads do.
// RUN: stencil-opt --stencil-attach-target=chip=sm_90 --convert-stencil-to-gpu --canonicalize --cse %s | FileCheck %s

!field = !stencil.field<[-1,?+1]x[-1,65]x[-1,65]xf64>
!ring = !tile.ring<3 x [0,1]x[-1,9]x[-4,68]xf64>
!read = !stencil.temp<[1,2]x[-1,9]x[-4,68]xf64>
!next = !stencil.temp<[1,2]x[0,8]x[0,64]xf64>
!tile = !stencil.temp<[0,1]x[0,8]x[0,64]xf64>

// CHECK-LABEL: gpu.func @k_walk0
// 128 threads.
// CHECK-SAME: known_block_size = array<i32: 32, 4, 1>
func.func @k(%u: !field, %v: !field) {
  tile.kernel @walk(%a = %u : !field, %b = %v : !field)
      grid <domain = <[0, 0, 0], [?, 60, 64]>, block = [1, 4, 32], points = [1, 2, 2], walk = 0> {
    // Three slots of 10 rows of 72.
    // CHECK: memref.view {{.*}} to memref<2160xf64, #gpu.address_space<workgroup>>
    %w = tile.ring : !ring
    %zero = arith.constant 0 : index
    %one = arith.constant 1 : index
    %first, %count = tile.segment : index
    %c0 = tile.cursor %zero : !tile.cursor<3>
    %none = ub.poison : !tile
    // A slot, a parity, and 2 x 2 points of a thread.
    // CHECK: scf.for {{.*}} iter_args({{.*}}) -> (i64, i1, f64, f64, f64, f64)
    %end:2 = scf.for %i = %zero to %count step %one iter_args(%c = %c0, %q = %none) -> (!tile.cursor<3>, !tile) {
      %p = arith.addi %first, %i : index
      // 720 elements in pairs by 128 threads: three each.
      // CHECK-COUNT-3: vector.load {{.*}} memref<{{.*}}>, vector<2xf64>
      // CHECK-COUNT-3: vector.store {{.*}} #gpu.address_space<workgroup>>, vector<2xf64>
      tile.copy %a[%p] to %w[%c] plane 1 : !field, !ring
      // CHECK: gpu.barrier
      tile.barrier
      %x = tile.source %w[%c] : !ring -> !read
      // Two rows, of a pair each; what was carried is added.
      // CHECK: vector.load {{.*}} #gpu.address_space<workgroup>>, vector<2xf64>
      // CHECK-NOT: vector.load
      // CHECK: arith.addf %{{.*}}, %[[Q:arg[0-9]+]]
      // CHECK: vector.load {{.*}} #gpu.address_space<workgroup>>, vector<2xf64>
      // CHECK-NOT: gpu.barrier
      %n = stencil.apply(%t = %x : !read, %s = %q : !tile) -> (!next) {
        %0 = stencil.access %t[0, -1, 0] : !read
        %1 = stencil.access %s[-1, 0, 0] : !tile
        %2 = arith.addf %0, %1 : f64
        stencil.return %2 : f64
      }
      %m = tile.shift %n : !next -> !tile
      // In pairs where both rows lie in the domain, else row by row.
      // CHECK: scf.if
      // CHECK-COUNT-2: vector.store {{.*}}, vector<2xf64>
      // CHECK: else
      // CHECK-COUNT-4: memref.store
      // CHECK: scf.yield {{.*}} : i64, i1, f64, f64, f64, f64
      tile.store %q to %b[%p] : !tile to !field
      %d = tile.advance %c : !tile.cursor<3>
      scf.yield %d, %m : !tile.cursor<3>, !tile
    }
  }
  return
}

!rows = !stencil.field<[-1,65]x[-1,65]xf64>
!slots = !tile.ring<2 x [0,1]x[0,32]xf64>

// A plane that 32 bits do not hold: in them it would be another one. The field has none that far, so that nothing is read.
// CHECK-LABEL: gpu.func @far_walk0(%arg0
// CHECK-NOT: %arg0
// CHECK: vector.store
// CHECK-NOT: %arg0
// CHECK: gpu.return
func.func @far(%u: !rows) {
  tile.kernel @walk(%a = %u : !rows) grid <domain = <[0, 0], [64, 64]>, block = [1, 32], points = [1, 1], walk = 0> {
    %w = tile.ring : !slots
    %far = arith.constant 4294967296 : index
    %zero = arith.constant 0 : index
    %first, %count = tile.segment : index
    %c = tile.cursor %zero : !tile.cursor<2>
    %p = arith.addi %first, %far : index
    tile.copy %a[%p] to %w[%c] : !rows, !slots
  }
  return
}
