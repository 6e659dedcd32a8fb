// RUN: stencil-opt %s --allow-unregistered-dialect --pass-pipeline="builtin.module(gpu.module(stencil-lower-device-math))" | FileCheck %s --check-prefixes=CHECK,NVIDIA
// RUN: stencil-opt %s --allow-unregistered-dialect --pass-pipeline="builtin.module(gpu.module(stencil-lower-device-math{rocm=1}))" | FileCheck %s --check-prefixes=CHECK,AMD

gpu.module @kernels {
  // CHECK: gpu.func @intrinsics
  gpu.func @intrinsics(%x: f64, %v: vector<2xf32>, %i: i16) {
    // CHECK: %[[FALSE:.*]] = llvm.mlir.constant(false) : i1
    // CHECK: llvm.call_intrinsic "llvm.floor"(%{{.*}}) : (f64) -> f64
    %0 = math.floor %x : f64
    // CHECK: llvm.call_intrinsic "llvm.fma"(%{{.*}}) {fastmathFlags = #llvm.fastmath<contract>} : (vector<2xf32>, vector<2xf32>, vector<2xf32>) -> vector<2xf32>
    %1 = math.fma %v, %v, %v fastmath<contract> : vector<2xf32>
    // The smallest integer has itself for its magnitude.
    // CHECK: llvm.call_intrinsic "llvm.abs"(%{{.*}}, %[[FALSE]]) : (i16, i1) -> i16
    %2 = math.absi %i : i16
    "test.use"(%0, %1, %2) : (f64, vector<2xf32>, i16) -> ()
    gpu.return
  }

  // CHECK: gpu.func @library
  gpu.func @library(%x: f64, %n: i32) {
    // NVIDIA: math.tan
    // AMD: call @__ocml_tan_f64
    %0 = math.tan %x : f64
    // NVIDIA: math.fpowi
    // AMD: call @__ocml_pown_f64
    %1 = math.fpowi %x, %n : f64, i32
    "test.use"(%0, %1) : (f64, f64) -> ()
    gpu.return
  }
}
