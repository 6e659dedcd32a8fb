// RUN: stencil-opt %s --stencil-attach-target=chip=sm_90 --convert-stencil-to-gpu --canonicalize --cse --split-input-file | FileCheck %s

// A tile that divides the box needs no test. Two points per thread along the
// row: one aligned vector for the points themselves, and single loads for what
// is left and right of them. Rows are padded: coordinate 0 is element 4.

// CHECK: gpu.module @pair_kernels
// CHECK: gpu.func @pair_apply0(%[[IN:[^:]*]]: memref<72xf64> {llvm.align = 32 : i32, llvm.noalias, llvm.readonly}, %[[OUT:[^:]*]]: memref<64xf64> {llvm.align = 32 : i32, llvm.noalias}) kernel attributes {known_block_size = array<i32: 32, 1, 1>
// CHECK: %[[X:.*]] = arith.muli %{{.*}}, %c2_i32 overflow<nsw> : i32
// CHECK: %[[AT:.*]] = arith.addi %[[X]], %c4_i32 overflow<nsw> : i32
// CHECK: %[[BASE:.*]] = arith.index_cast %[[AT]] : i32 to index
// CHECK: %[[P0:.*]] = arith.addi %[[BASE]], %c-1
// CHECK: %[[L:.*]] = memref.load %[[IN]][%[[P0]]]
// CHECK: %[[V:.*]] = vector.load %[[IN]][%[[BASE]]] {alignment = 16 : i64} : memref<72xf64>, vector<2xf64>
// CHECK: %[[A:.*]] = vector.extract %[[V]][0]
// CHECK: %[[B:.*]] = vector.extract %[[V]][1]
// CHECK: %[[P2:.*]] = arith.addi %[[BASE]], %c2
// CHECK: %[[R:.*]] = memref.load %[[IN]][%[[P2]]]
// CHECK: %[[S0:.*]] = arith.addf %[[L]], %[[B]]
// CHECK: %[[S1:.*]] = arith.addf %[[A]], %[[R]]
// CHECK: %[[S:.*]] = vector.from_elements %[[S0]], %[[S1]] : vector<2xf64>
// CHECK: vector.store %[[S]], %[[OUT]]{{.*}} {alignment = 16 : i64}
// CHECK-NOT: scf.if
// CHECK: func.func @pair
func.func @pair(%u: !stencil.field<[-1,65]xf64>, %v: !stencil.field<[0,64]xf64>) {
  stencil.apply(%x = %u : !stencil.field<[-1,65]xf64>) outs (%v : !stencil.field<[0,64]xf64>)
      attributes {stencil.schedule = #stencil.schedule<block = [32], points = [2]>} {
    %l = stencil.access %x[-1] : !stencil.field<[-1,65]xf64>
    %r = stencil.access %x[1] : !stencil.field<[-1,65]xf64>
    %s = arith.addf %l, %r : f64
    stencil.return %s : f64
  } to <[0], [64]>
  return
}

// -----

// A box that begins and ends off the vectors: the grid begins before it, whole
// threads have code of their own, the others go point by point.

// CHECK-LABEL: gpu.func @odd_apply0
// CHECK: %[[X:.*]] = arith.muli %{{.*}}, %c2_i32
// CHECK: %[[FROM:.*]] = arith.cmpi sge, %[[X]], %c1_i32 : i32
// CHECK: %[[END:.*]] = arith.addi %[[X]], %c2_i32
// CHECK: %[[TO:.*]] = arith.cmpi sle, %[[END]], %c50_i32 : i32
// CHECK: %[[IN:.*]] = arith.andi %[[FROM]], %[[TO]] : i1
// CHECK: scf.if %[[IN]] {
// CHECK:   vector.store
// CHECK: } else {
// CHECK:   scf.for
// CHECK:     scf.if
// CHECK-NOT:   vector
// CHECK:       memref.store
func.func @odd(%u: !stencil.field<[0,64]xf64>, %v: !stencil.field<[0,64]xf64>) {
  stencil.apply(%x = %u : !stencil.field<[0,64]xf64>) outs (%v : !stencil.field<[0,64]xf64>)
      attributes {stencil.schedule = #stencil.schedule<block = [32], points = [2]>} {
    %l = stencil.access %x[0] : !stencil.field<[0,64]xf64>
    stencil.return %l : f64
  } to <[1], [50]>
  return
}

// -----

// Neighbouring rows of a register tile share their loads: five for four points.

// CHECK-LABEL: gpu.func @column_apply0
// CHECK-COUNT-5: memref.load
// CHECK-NOT: memref.load
// CHECK-COUNT-4: memref.store
// CHECK-NOT: memref.store
// CHECK: gpu.return
func.func @column(%u: !stencil.field<[0,65]x[0,64]xf64>, %v: !stencil.field<[0,64]x[0,64]xf64>) {
  stencil.apply(%x = %u : !stencil.field<[0,65]x[0,64]xf64>) outs (%v : !stencil.field<[0,64]x[0,64]xf64>)
      attributes {stencil.schedule = #stencil.schedule<block = [1, 64], points = [4, 1]>} {
    %a = stencil.access %x[0, 0] : !stencil.field<[0,65]x[0,64]xf64>
    %b = stencil.access %x[1, 0] : !stencil.field<[0,65]x[0,64]xf64>
    %s = arith.addf %a, %b : f64
    stencil.return %s : f64
  } to <[0, 0], [64, 64]>
  return
}

// -----

// Extents that only the run knows: the buffers are bare pointers, positions are
// 64 bits wide, strides are computed from the extents.

// CHECK-LABEL: gpu.func @open_apply0
// CHECK-SAME: memref<f64>{{.*}}: i64 {stencil.name = "n0"}
// CHECK: memref.reinterpret_cast
// CHECK-NOT: i32
// CHECK: gpu.return
func.func @open(%u: !stencil.field<[-1,?+1]x[-1,?+1]xf64>, %v: !stencil.field<[-1,?+1]x[-1,?+1]xf64>) {
  stencil.apply(%x = %u : !stencil.field<[-1,?+1]x[-1,?+1]xf64>) outs (%v : !stencil.field<[-1,?+1]x[-1,?+1]xf64>) {
    %a = stencil.access %x[-1, 1] : !stencil.field<[-1,?+1]x[-1,?+1]xf64>
    stencil.return %a : f64
  } to <[0, 0], [?, ?]>
  return
}

// -----

// `order` and `panel`: eight rows of blocks, then the next plane, then the next
// eight rows. 16 blocks along a row, 64 rows of blocks, 4 planes.

// CHECK-LABEL: gpu.func @panels_apply0
// CHECK: %[[ID:.*]] = arith.index_cast %block_id_x : index to i32
// CHECK: %[[X:.*]] = arith.remui %[[ID]], %c16_i32
// CHECK: %[[R1:.*]] = arith.divui %[[ID]], %c16_i32
// CHECK: %[[Y:.*]] = arith.remui %[[R1]], %c8_i32
// CHECK: %[[R2:.*]] = arith.divui %[[R1]], %c8_i32
// CHECK: %[[Z:.*]] = arith.remui %[[R2]], %c4_i32
// CHECK: %[[PANEL:.*]] = arith.divui %[[R2]], %c4_i32
// CHECK: %[[FIRST:.*]] = arith.muli %[[PANEL]], %c8_i32
// CHECK: arith.addi %[[FIRST]], %[[Y]]
func.func @panels(%u: !stencil.field<[0,4]x[0,64]x[0,1024]xf32>, %v: !stencil.field<[0,4]x[0,64]x[0,1024]xf32>) {
  stencil.apply(%x = %u : !stencil.field<[0,4]x[0,64]x[0,1024]xf32>) outs (%v : !stencil.field<[0,4]x[0,64]x[0,1024]xf32>)
      attributes {stencil.schedule = #stencil.schedule<block = [1, 1, 64], points = [1, 1, 1], order = [2, 1, 0], panel = [0, 8, 0], launch_bounds = 3>} {
    %a = stencil.access %x[0, 0, 0] : !stencil.field<[0,4]x[0,64]x[0,1024]xf32>
    stencil.return %a : f32
  } to <[0, 0, 0], [4, 64, 1024]>
  return
}

// -----

// An output that is an input as well is one argument, and not read-only.

// CHECK-LABEL: gpu.func @in_place_apply0
// CHECK-SAME: (%{{[^:]*}}: memref<64xf64> {llvm.align = 32 : i32, llvm.noalias}) kernel
func.func @in_place(%u: !stencil.field<[0,64]xf64>) {
  stencil.apply(%x = %u : !stencil.field<[0,64]xf64>) outs (%u : !stencil.field<[0,64]xf64>) {
    %a = stencil.access %x[0] : !stencil.field<[0,64]xf64>
    %b = arith.addf %a, %a : f64
    stencil.return %b : f64
  } to <[0], [64]>
  return
}

// -----

// A computed access out of its range is noted in the function's error word, which
// the host looks at in the end.

// CHECK-LABEL: gpu.func @dynamic_apply0
// CHECK: scf.if %{{.*}} {
// CHECK:   memref.atomic_rmw assign %c1_i32, %{{.*}}[%c0]
// CHECK: func.func @dynamic
// CHECK: cf.assert %{{.*}}, "{{.*}}dynamic access outside of its declared range"
// CHECK: gpu.dealloc
func.func @dynamic(%u: !stencil.field<[-1,17]xf64>, %p: !stencil.field<[0,16]xi32>, %v: !stencil.field<[0,16]xf64>) {
  stencil.apply(%x = %u : !stencil.field<[-1,17]xf64>, %y = %p : !stencil.field<[0,16]xi32>) outs (%v : !stencil.field<[0,16]xf64>) {
    %o = stencil.access %y[0] : !stencil.field<[0,16]xi32>
    %i = arith.index_cast %o : i32 to index
    %a = stencil.dyn_access %x[%i] in <[-1]> : <[1]> : !stencil.field<[-1,17]xf64>
    stencil.return %a : f64
  } to <[0], [16]>
  return
}
