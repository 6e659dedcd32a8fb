// RUN: stencil-opt %s --convert-stencil-to-cpu --split-input-file --verify-diagnostics

func.func @not_bufferised(%u: !stencil.field<[0,8]xf64>) {
  // expected-error @+1 {{failed to legalize operation 'stencil.load'}}
  %t = stencil.load %u : !stencil.field<[0,8]xf64> -> !stencil.temp<[0,8]xf64>
  return
}

// -----

// expected-error @+1 {{no CPU lowering for the element type 'tensor<4xf32>'}}
func.func @tensors(%u: !stencil.field<[0,8]xtensor<4xf32>>) {
  return
}

// -----

func.func @extent_unknown() {
  // expected-error @+2 {{'stencil.alloc' op the extent of axis 0 is not bound by a field argument or a cast before}}
  // expected-error @+1 {{failed to legalize operation 'stencil.alloc'}}
  %b = stencil.alloc : !stencil.field<[0,?]xf64>
  return
}

// -----

func.func @foreign_storage(%a: !llvm.ptr) {
  // expected-error @+2 {{'stencil.external_load' op expected a memref of row-major layout, got '!llvm.ptr'}}
  // expected-error @+1 {{failed to legalize operation 'stencil.external_load'}}
  %f = stencil.external_load %a : !llvm.ptr -> !stencil.field<[0,8]xf64>
  return
}

// -----

func.func @strided(%a: memref<8xf64, strided<[2]>>) {
  // expected-error @+2 {{'stencil.external_load' op expected a memref of row-major layout}}
  // expected-error @+1 {{failed to legalize operation 'stencil.external_load'}}
  %f = stencil.external_load %a : memref<8xf64, strided<[2]>> -> !stencil.field<[0,8]xf64>
  return
}

// -----

!end = !stencil.field<[?-9,?]xf64>

// The size of the field does not say where it lies.
func.func @extent_of_the_end(%a: !end) -> f64 {
  // expected-error @+2 {{'stencil.fold' op the extent of axis 0 is not bound by a field argument or a cast before}}
  // expected-error @+1 {{failed to legalize operation 'stencil.fold'}}
  %m = stencil.fold %a(<[?-9], [?]>) max : !end
  return %m : f64
}

// -----

func.func @no_extent() -> index {
  // expected-error @+2 {{'stencil.extent' op the extent of axis 0 is not bound by a field argument or a cast before}}
  // expected-error @+1 {{failed to legalize}}
  %n = stencil.extent 0
  return %n : index
}
