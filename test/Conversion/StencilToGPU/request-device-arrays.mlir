// RUN: stencil-opt %s --stencil-request-device-arrays | FileCheck %s
// It says nothing to CPUs, and nothing of functions without fields.
// RUN: stencil-opt %s --stencil-request-device-arrays --stencil-to-cpu | FileCheck %s --check-prefix=CPU
// RUN: stencil-opt %s --stencil-to-nvvm="chip=sm_90 format=llvm device-arrays=true" | FileCheck %s --check-prefix=GPU
// CPU: llvm.func @f
// GPU-NOT: device_arrays

// CHECK: func.func @f(%{{.*}}: !stencil.field<?xf64>) attributes {stencil.device_arrays} {
func.func @f(%u: !stencil.field<?xf64>) {
  return
}

// CHECK: func.func @h(%{{.*}}: f64) -> f64 attributes {stencil.device_arrays} {
func.func @h(%x: f64) -> f64 {
  return %x : f64
}

// CHECK: func.func private @g(f64)
// CHECK-NOT: device_arrays
func.func private @g(f64)
