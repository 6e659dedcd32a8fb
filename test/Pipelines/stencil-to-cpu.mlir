// RUN: stencil-opt %s --stencil-to-cpu | FileCheck %s
// RUN: stencil-opt %s --stencil-to-cpu="openmp=false" | FileCheck %s --check-prefix=SERIAL
// RUN: stencil-opt %s --stencil-to-cpu | mlir-translate --mlir-to-llvmir | FileCheck %s --check-prefix=LLVM
// RUN: stencil-opt %s --stencil-to-cpu="vector-library=libmvec-avx2" | FileCheck %s --check-prefix=LIBRARY
// RUN: stencil-opt %s --stencil-to-cpu="vector-library=libmvec-avx2 math=strict" | FileCheck %s --check-prefix=STRICT

// From level 0 to the LLVM dialect in one go: nothing of ours is left, loops
// run on OpenMP threads, and C can call the function.

// CHECK-NOT: stencil.
// CHECK-LABEL: llvm.func @average
// CHECK: omp.parallel
// CHECK: omp.wsloop
// CHECK: llvm.func @_mlir_ciface_average
// CHECK-NOT: stencil.

// SERIAL-LABEL: llvm.func @average
// SERIAL-NOT: omp.

// LLVM: define void @average(
// LLVM: call {{.*}} @__kmpc_fork_call
// LLVM: define void @_mlir_ciface_average(ptr %0, ptr %1)
func.func @average(%a: !stencil.field<[-1,129]x[-1,129]xf64>, %b: !stencil.field<[-1,129]x[-1,129]xf64>) {
  %t = stencil.load %a : !stencil.field<[-1,129]x[-1,129]xf64> -> !stencil.temp<?x?xf64>
  %r = stencil.apply(%x = %t : !stencil.temp<?x?xf64>) -> (!stencil.temp<?x?xf64>) {
    %l = stencil.access %x[0, -1] : !stencil.temp<?x?xf64>
    %h = stencil.access %x[0, 1] : !stencil.temp<?x?xf64>
    %half = arith.constant 0.5 : f64
    %s = arith.addf %l, %h : f64
    %m = arith.mulf %s, %half : f64
    stencil.return %m : f64
  }
  stencil.store %r to %b(<[0, 0], [128, 128]>) : !stencil.temp<?x?xf64> to !stencil.field<[-1,129]x[-1,129]xf64>
  return
}

// Vectors of exponentials from a library are close, which is not strict.

// LIBRARY-LABEL: llvm.func @exponential
// LIBRARY: llvm.call @_ZGVdN4v_exp

// STRICT-LABEL: llvm.func @exponential
// STRICT-NOT: _ZGV
func.func @exponential(%a: !stencil.field<[0,128]xf64>, %b: !stencil.field<[0,128]xf64>) {
  %t = stencil.load %a : !stencil.field<[0,128]xf64> -> !stencil.temp<?xf64>
  %r = stencil.apply(%x = %t : !stencil.temp<?xf64>) -> (!stencil.temp<?xf64>) {
    %0 = stencil.access %x[0] : !stencil.temp<?xf64>
    %1 = math.exp %0 : f64
    stencil.return %1 : f64
  }
  stencil.store %r to %b(<[0], [128]>) : !stencil.temp<?xf64> to !stencil.field<[0,128]xf64>
  return
}
