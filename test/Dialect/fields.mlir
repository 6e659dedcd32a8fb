// RUN: stencil-opt %s | stencil-opt | FileCheck %s
// RUN: stencil-opt %s -mlir-print-op-generic | stencil-opt | FileCheck %s
// RUN: stencil-opt %s -emit-bytecode | stencil-opt | FileCheck %s

// CHECK-LABEL: @cast
func.func @cast(%a: !stencil.field<?x?xf64>, %b: !stencil.field<[0,8]xi32>) {
  // CHECK: stencil.cast %{{.*}} : !stencil.field<?x?xf64> -> !stencil.field<[-4,68]x[-4,68]xf64>
  %0 = stencil.cast %a : !stencil.field<?x?xf64> -> !stencil.field<[-4,68]x[-4,68]xf64>
  // CHECK: stencil.cast %{{.*}} : !stencil.field<?x?xf64> -> !stencil.field<[-4,?+4]x[-1,?+1]xf64>
  %1 = stencil.cast %a : !stencil.field<?x?xf64> -> !stencil.field<[-4,?+4]x[-1,?+1]xf64>
  // CHECK: stencil.cast %{{.*}} : !stencil.field<[0,8]xi32> -> !stencil.field<[0,8]xi32>
  %2 = stencil.cast %b : !stencil.field<[0,8]xi32> -> !stencil.field<[0,8]xi32>
  // CHECK: stencil.cast %{{.*}} attributes {name = "x"} : !stencil.field<?x?xf64> -> !stencil.field<?x?xf64>
  %3 = stencil.cast %a attributes {name = "x"} : !stencil.field<?x?xf64> -> !stencil.field<?x?xf64>
  return
}

// CHECK-LABEL: @alloc
func.func @alloc() {
  // CHECK: stencil.alloc : !stencil.field<[-1,9]xf32>
  %0 = stencil.alloc : !stencil.field<[-1,9]xf32>
  // CHECK: stencil.alloc {name = "x"} : !stencil.field<[-1,?+1]x[0,3]xbf16>
  %1 = stencil.alloc {name = "x"} : !stencil.field<[-1,?+1]x[0,3]xbf16>
  return
}

// CHECK-LABEL: @external
func.func @external(%m: memref<72x72xf64>, %d: memref<?x?xf64>, %p: !llvm.ptr) {
  // CHECK: stencil.external_load %{{.*}} : memref<72x72xf64> -> !stencil.field<[-4,68]x[-4,68]xf64>
  %0 = stencil.external_load %m : memref<72x72xf64> -> !stencil.field<[-4,68]x[-4,68]xf64>
  // CHECK: stencil.external_load %{{.*}} : memref<?x?xf64> -> !stencil.field<[-4,?+4]x[-4,?+4]xf64>
  %1 = stencil.external_load %d : memref<?x?xf64> -> !stencil.field<[-4,?+4]x[-4,?+4]xf64>
  // CHECK: stencil.external_load %{{.*}} : memref<?x?xf64> -> !stencil.field<?x?xf64>
  %2 = stencil.external_load %d : memref<?x?xf64> -> !stencil.field<?x?xf64>
  // CHECK: stencil.external_load %{{.*}} : !llvm.ptr -> !stencil.field<[0,8]xf64>
  %3 = stencil.external_load %p : !llvm.ptr -> !stencil.field<[0,8]xf64>
  // CHECK: stencil.external_store %{{.*}} to %{{.*}} : !stencil.field<[-4,68]x[-4,68]xf64> to memref<72x72xf64>
  stencil.external_store %0 to %m : !stencil.field<[-4,68]x[-4,68]xf64> to memref<72x72xf64>
  // CHECK: stencil.external_store %{{.*}} to %{{.*}} : !stencil.field<[0,8]xf64> to !llvm.ptr
  stencil.external_store %3 to %p : !stencil.field<[0,8]xf64> to !llvm.ptr
  return
}

// The axes of tensor elements are axes of the memref.
// CHECK-LABEL: @external_tensor
func.func @external_tensor(%m: memref<16x16x512xf32>) {
  // CHECK: stencil.external_load %{{.*}} : memref<16x16x512xf32> -> !stencil.field<[0,16]x[0,16]xtensor<512xf32>>
  %0 = stencil.external_load %m : memref<16x16x512xf32> -> !stencil.field<[0,16]x[0,16]xtensor<512xf32>>
  return
}

// CHECK-LABEL: @load_store
func.func @load_store(%f: !stencil.field<[-4,68]x[-4,68]xf64>, %s: !stencil.field<[-1,?+1]xi16>) {
  // CHECK: stencil.load %{{.*}} : !stencil.field<[-4,68]x[-4,68]xf64> -> !stencil.temp<?x?xf64>
  %0 = stencil.load %f : !stencil.field<[-4,68]x[-4,68]xf64> -> !stencil.temp<?x?xf64>
  // CHECK: stencil.load %{{.*}} : !stencil.field<[-4,68]x[-4,68]xf64> -> !stencil.temp<[-4,68]x[0,1]xf64>
  %1 = stencil.load %f : !stencil.field<[-4,68]x[-4,68]xf64> -> !stencil.temp<[-4,68]x[0,1]xf64>
  // CHECK: stencil.load %{{.*}} : !stencil.field<[-1,?+1]xi16> -> !stencil.temp<[0,?]xi16>
  %2 = stencil.load %s : !stencil.field<[-1,?+1]xi16> -> !stencil.temp<[0,?]xi16>
  // CHECK: stencil.store %{{.*}} to %{{.*}}(<[0, 0], [64, 64]>) : !stencil.temp<?x?xf64> to !stencil.field<[-4,68]x[-4,68]xf64>
  stencil.store %0 to %f(<[0, 0], [64, 64]>) : !stencil.temp<?x?xf64> to !stencil.field<[-4,68]x[-4,68]xf64>
  // CHECK: stencil.store %{{.*}} to %{{.*}}(<[0, 0], [64, 1]>) : !stencil.temp<[-4,68]x[0,1]xf64> to !stencil.field<[-4,68]x[-4,68]xf64>
  stencil.store %1 to %f(<[0, 0], [64, 1]>) : !stencil.temp<[-4,68]x[0,1]xf64> to !stencil.field<[-4,68]x[-4,68]xf64>
  // CHECK: stencil.store %{{.*}} to %{{.*}}(<[1], [?-1]>) attributes {step = 1 : i32} : !stencil.temp<[0,?]xi16> to !stencil.field<[-1,?+1]xi16>
  stencil.store %2 to %s(<[1], [?-1]>) attributes {step = 1 : i32} : !stencil.temp<[0,?]xi16> to !stencil.field<[-1,?+1]xi16>
  return
}

// Fixed boxes may lie in a field of symbolic extent: the extent is checked
// when it is known.
// CHECK-LABEL: @fixed_in_symbolic
func.func @fixed_in_symbolic(%f: !stencil.field<[0,?]xf64>, %t: !stencil.temp<[-5,100]xf64>) {
  // CHECK: stencil.store %{{.*}} to %{{.*}}(<[3], [100]>)
  stencil.store %t to %f(<[3], [100]>) : !stencil.temp<[-5,100]xf64> to !stencil.field<[0,?]xf64>
  return
}

// CHECK-LABEL: @boundary
func.func @boundary(%f: !stencil.field<[-4,68]x[-4,68]xf64>, %i: !stencil.field<[-1,9]xi8>,
                    %s: !stencil.field<[-2,?+2]x[0,8]x[0,?]xf32>) {
  // CHECK: stencil.boundary %{{.*}}(<[0, 0], [64, 64]>) [#stencil.periodic, #stencil.dirichlet<0.000000e+00 : f64> | #stencil.neumann] : !stencil.field<[-4,68]x[-4,68]xf64>
  stencil.boundary %f(<[0, 0], [64, 64]>) [#stencil.periodic, #stencil.dirichlet<0.0> | #stencil.neumann] : !stencil.field<[-4,68]x[-4,68]xf64>
  // Two sides of one kind are printed once.
  // CHECK: stencil.boundary %{{.*}}(<[0, 0], [64, 64]>) [#stencil.symmetric, #stencil.antisymmetric | #stencil.extrapolate<2>] : !stencil.field<[-4,68]x[-4,68]xf64>
  stencil.boundary %f(<[0, 0], [64, 64]>) [#stencil.symmetric | #stencil.symmetric, #stencil.antisymmetric | #stencil.extrapolate<2>] : !stencil.field<[-4,68]x[-4,68]xf64>
  // A value of a field without sign is one or the other; a float field takes any number.
  // CHECK: stencil.boundary %{{.*}}(<[0], [8]>) [#stencil.dirichlet<-128 : i64> | #stencil.dirichlet<255 : i64>] : !stencil.field<[-1,9]xi8>
  stencil.boundary %i(<[0], [8]>) [#stencil.dirichlet<-128> | #stencil.dirichlet<255>] : !stencil.field<[-1,9]xi8>
  // CHECK: stencil.boundary %{{.*}}(<[0, 0, 0], [?, 8, ?]>) [#stencil.keep, #stencil.dirichlet<3 : i64>, #stencil.periodic] attributes {step = 1 : i32} : !stencil.field<[-2,?+2]x[0,8]x[0,?]xf32>
  stencil.boundary %s(<[0, 0, 0], [?, 8, ?]>) [#stencil.keep, #stencil.dirichlet<3>, #stencil.periodic] attributes {step = 1 : i32} : !stencil.field<[-2,?+2]x[0,8]x[0,?]xf32>
  return
}
