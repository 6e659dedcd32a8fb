// RUN: stencil-opt %s --stencil-attach-target=chip=sm_90 --convert-stencil-to-gpu --canonicalize --cse --split-input-file | FileCheck %s

// One kernel, a thread per halo point: 2 + 2 points of axis 0's slabs (over the
// interior of axis 1), 4 x 3 of axis 1's, both sides of a row together. The
// corners take what the halo of axis 0 has, a constant or the neighbour's value,
// at its source.

// CHECK: gpu.func @corners_boundary0
// CHECK-NOT: gpu.func
// CHECK: %[[ID:.*]] = arith.addi
// CHECK: %[[IN0:.*]] = arith.cmpi slt, %[[ID]], %c2_i32
// CHECK: scf.if
// CHECK:   memref.store %cst
// CHECK: scf.if
// CHECK:   memref.load
// CHECK:   memref.store
// CHECK: arith.remui %{{.*}}, %c3_i32
// CHECK:   %[[V:.*]] = memref.load
// CHECK:   %[[W:.*]] = arith.select %{{.*}}, %cst, %[[V]] : f64
// CHECK:   memref.store %[[W]]
// CHECK: gpu.return
// CHECK: gpu.launch_func {{.*}} @corners_kernels::@corners_boundary0 blocks in (%c1, %c1, %c1) threads in (%c128, %c1, %c1)
func.func @corners(%u: !stencil.field<[-1,3]x[-2,3]xf64>) {
  stencil.boundary %u(<[0, 0], [2, 2]>) [#stencil.dirichlet<3.5> | #stencil.neumann, #stencil.periodic] : !stencil.field<[-1,3]x[-2,3]xf64>
  return
}

// -----

// Extrapolation combines values: axis after axis.

// CHECK: gpu.func @polynomial_boundary0
// CHECK: arith.mulf %{{.*}}, %{{.*}}
// CHECK: gpu.func @polynomial_boundary1
// CHECK: gpu.launch_func {{.*}}@polynomial_boundary0
// CHECK: gpu.launch_func {{.*}}@polynomial_boundary1
func.func @polynomial(%u: !stencil.field<[-1,5]x[-1,5]xf64>) {
  stencil.boundary %u(<[0, 0], [4, 4]>) [#stencil.extrapolate<1>, #stencil.neumann] : !stencil.field<[-1,5]x[-1,5]xf64>
  return
}

// -----

// Nothing to fill, nothing to launch.

// CHECK-NOT: gpu.func
// CHECK: func.func @nothing
// CHECK-NOT: gpu.launch_func
func.func @nothing(%u: !stencil.field<[-1,5]x[0,4]xf64>) {
  stencil.boundary %u(<[0, 0], [4, 4]>) [#stencil.keep, #stencil.periodic] : !stencil.field<[-1,5]x[0,4]xf64>
  return
}

// -----

// Three fields, one kernel: their blocks take turns.

// CHECK: gpu.func @fields_boundary0(%[[A:.*]]: memref<{{.*}}>{{.*}}, %[[B:.*]]: memref<{{.*}}>{{.*}}, %[[C:.*]]: memref<{{.*}}>
// CHECK: %[[BLOCK:.*]] = gpu.block_id {{ *}}x
// CHECK: %[[NUMBER:.*]] = arith.index_cast %[[BLOCK]] : index to i32
// CHECK: %[[FIELD:.*]] = arith.remui %[[NUMBER]], %c3_i32
// CHECK: %[[IS1:.*]] = arith.cmpi sge, %[[FIELD]], %c1_i32
// CHECK: %[[AB:.*]] = arith.select %[[IS1]], %[[B]], %[[A]]
// CHECK: %[[IS2:.*]] = arith.cmpi sge, %[[FIELD]], %c2_i32
// CHECK: %[[ABC:.*]] = arith.select %[[IS2]], %[[C]], %[[AB]]
// CHECK: memref.store %{{.*}}, %[[ABC]]
// CHECK-NOT: gpu.func
// CHECK: gpu.launch_func {{.*}} @fields_kernels::@fields_boundary0 blocks in (%c3, %c1, %c1)
// CHECK-NOT: gpu.launch_func
// CHECK: return
func.func @fields(%a: !stencil.field<[-1,3]xf64>, %b: !stencil.field<[-1,3]xf64>, %c: !stencil.field<[-1,3]xf64>) {
  stencil.boundary %a(<[0], [2]>) [#stencil.periodic] : !stencil.field<[-1,3]xf64>
  stencil.boundary %b(<[0], [2]>) [#stencil.periodic] : !stencil.field<[-1,3]xf64>
  %one = arith.constant 1 : index
  stencil.boundary %c(<[0], [2]>) [#stencil.periodic] : !stencil.field<[-1,3]xf64>
  return
}

// -----

// Another condition, and the same field again: kernels of their own.

// CHECK: gpu.func @apart_boundary0
// CHECK: gpu.func @apart_boundary1
// CHECK: gpu.func @apart_boundary2
// CHECK-NOT: gpu.func
func.func @apart(%a: !stencil.field<[-1,3]xf64>, %b: !stencil.field<[-1,3]xf64>) {
  stencil.boundary %a(<[0], [2]>) [#stencil.periodic] : !stencil.field<[-1,3]xf64>
  stencil.boundary %b(<[0], [2]>) [#stencil.neumann] : !stencil.field<[-1,3]xf64>
  stencil.boundary %b(<[0], [2]>) [#stencil.neumann] : !stencil.field<[-1,3]xf64>
  return
}

// -----

// What is stored in between may be what the second one reads.

// CHECK: gpu.func @stored_boundary0
// CHECK: gpu.func @stored_boundary1
func.func @stored(%a: !stencil.field<[-1,3]xf64>, %b: !stencil.field<[-1,3]xf64>) {
  stencil.boundary %a(<[0], [2]>) [#stencil.symmetric] : !stencil.field<[-1,3]xf64>
  stencil.apply(%x = %a : !stencil.field<[-1,3]xf64>) outs (%b : !stencil.field<[-1,3]xf64>) {
    %l = stencil.access %x[-1] : !stencil.field<[-1,3]xf64>
    stencil.return %l : f64
  } to <[0], [2]>
  stencil.boundary %b(<[0], [2]>) [#stencil.symmetric] : !stencil.field<[-1,3]xf64>
  return
}
