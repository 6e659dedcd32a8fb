// What stencil-place-fields refuses; more is in invalid.mlir and
// device-arrays-invalid.mlir.
// RUN: stencil-opt %s --stencil-attach-target=chip=sm_90 --stencil-place-fields --split-input-file --verify-diagnostics
// RUN: not stencil-opt %s --stencil-place-fields --split-input-file 2>&1 | FileCheck %s --check-prefix=CHIP
// CHIP: error: expected a module with the attribute stencil.target

func.func @kernels_come_first(%u: !stencil.field<[0,64]xf64>, %v: !stencil.field<[0,64]xf64>) {
  // expected-error@+1 {{'stencil.apply' op has no GPU lowering}}
  stencil.apply(%x = %u : !stencil.field<[0,64]xf64>) outs (%v : !stencil.field<[0,64]xf64>) {
    %a = stencil.access %x[0] : !stencil.field<[0,64]xf64>
    stencil.return %a : f64
  } to <[0], [64]>
  return
}

// -----

// expected-error@+1 {{no GPU lowering for a function with branches; structured control flow has one}}
func.func @blocks(%u: !stencil.field<[0,8]xf64>) {
  cf.br ^next
^next:
  return
}

// -----

func.func @extent(%u: !stencil.field<[0,8]xf64>) -> index {
  // expected-error@+1 {{'stencil.extent' op the extent of axis 0 is not bound by a field argument or a cast before}}
  %n = stencil.extent 0
  return %n : index
}

// -----

gpu.module @k {
  gpu.func @f(%u: memref<8xf64>) kernel { gpu.return }
}
func.func @unknown_field(%n: index, %m: memref<8xf64>) {
  %u = builtin.unrealized_conversion_cast %m : memref<8xf64> to !stencil.field<[0,8]xf64>
  // expected-error@+1 {{'stencil.launch' op expected a field that the function is given or allocates, got one of type '!stencil.field<[0,8]xf64>'}}
  stencil.launch @k::@f blocks(%n) threads [1, 1, 1] args(%u : !stencil.field<[0,8]xf64> read)
  return
}

// -----

func.func @unknown_size(%m: memref<8xf64>) -> index {
  %u = builtin.unrealized_conversion_cast %m : memref<8xf64> to !stencil.field<[0,8]xf64>
  // expected-error@+1 {{'stencil.buffer_size' op expected a field that the function is given or allocates}}
  %n = stencil.buffer_size %u : !stencil.field<[0,8]xf64>
  return %n : index
}

// -----

!map = !nvgpu.tensormap.descriptor<tensor = memref<8xf64, 3>, swizzle = none, l2promo = none, oob = zero, interleave = none>
func.func @unknown_map(%m: memref<8xf64>) -> !map {
  %u = builtin.unrealized_conversion_cast %m : memref<8xf64> to !stencil.field<[0,8]xf64>
  // expected-error@+1 {{'stencil.tensor_map' op expected a field that the function is given or allocates}}
  %map = stencil.tensor_map %u : !stencil.field<[0,8]xf64> -> !map
  return %map : !map
}

// -----

gpu.module @k {
  gpu.func @f(%u: memref<8xf64>) kernel { gpu.return }
}
func.func @other_size(%n: index, %u: !stencil.field<[-1,9]xf64>) {
  // expected-error@+1 {{'gpu.launch_func' op type of function argument 0 does not match}}
  stencil.launch @k::@f blocks(%n) threads [1, 1, 1] args(%u : !stencil.field<[-1,9]xf64> read)
  return
}

// -----

gpu.module @k {
  gpu.func @f(%u: memref<8xf64>) kernel { gpu.return }
}
func.func @memory_of_the_host(%n: index, %m: memref<8xf64>, %u: !stencil.field<[0,8]xf64>) {
  // expected-error@+1 {{expected memory of the device, as stencil.scratch and stencil.error_word are, for argument 0}}
  stencil.launch @k::@f blocks(%n) threads [1, 1, 1] args(%m : memref<8xf64> read)
  return
}

// -----

func.func @host_reads(%n: index) -> f64 {
  // expected-error@+1 {{'stencil.scratch' op expected stencil.launch and stencil.fetch only to use memory of the device}}
  %p = stencil.scratch : memref<8xf64>
  // expected-note@+1 {{used here}}
  %r = memref.load %p[%n] : memref<8xf64>
  return %r : f64
}

// -----

func.func @host_asks(%n: index) -> i32 {
  // expected-error@+1 {{'stencil.error_word' op expected stencil.launch and stencil.fetch only to use memory of the device}}
  %e = stencil.error_word ["too far"] : memref<1xi32>
  // expected-note@+1 {{used here}}
  %r = memref.load %e[%n] : memref<1xi32>
  return %r : i32
}
