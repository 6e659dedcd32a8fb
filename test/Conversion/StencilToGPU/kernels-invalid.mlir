// What has no kernels; more is in invalid.mlir and pipeline-kernels-invalid.mlir.
// RUN: stencil-opt %s --stencil-attach-target=chip=sm_90 --convert-stencil-to-gpu --split-input-file --verify-diagnostics
// RUN: not stencil-opt %s --convert-stencil-to-gpu 2>&1 | FileCheck %s --check-prefix=CHIP
// CHIP: error: expected a module with the attribute stencil.target

func.func @branches(%u: !stencil.field<[0,8]xf64>) {
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

// expected-error@+1 {{no GPU lowering for a field of type '!stencil.field<[0,8]xf80>'}}
func.func @returned(%u: !stencil.field<[0,8]xf80>) -> !stencil.field<[0,8]xf80> {
  return %u : !stencil.field<[0,8]xf80>
}

// -----

func.func @own() {
  %u = stencil.alloc : !stencil.field<[-1,9]xf80>
  // expected-error@+1 {{no GPU lowering for a field of type '!stencil.field<[-1,9]xf80>'}}
  stencil.boundary %u(<[0], [8]>) [#stencil.periodic] : !stencil.field<[-1,9]xf80>
  return
}

// -----

func.func @value(%u: !stencil.temp<[0,8]xf64>) -> f64 {
  // expected-error@+1 {{expected fields; run stencil-bufferize}}
  %r = stencil.fold %u(<[0], [8]>) max : !stencil.temp<[0,8]xf64>
  return %r : f64
}
