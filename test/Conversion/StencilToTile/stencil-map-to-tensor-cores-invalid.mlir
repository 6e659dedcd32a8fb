// RUN: stencil-opt %s --split-input-file --stencil-attach-target=chip=sm_90 --stencil-map-to-tensor-cores=math=reassociate --verify-diagnostics
// RUN: not stencil-opt %s --split-input-file --stencil-attach-target=chip=sm_90 --stencil-map-to-tensor-cores 2>&1 | FileCheck %s --check-prefix=MATH
// RUN: not stencil-opt %s --split-input-file --stencil-attach-target=chip=sm_75 --stencil-map-to-tensor-cores=math=reassociate 2>&1 | FileCheck %s --check-prefix=CHIP

// MATH: error: 'stencil.pipeline' op expected 'math = reassociate' or 'tf32' for 'engine = mma', which sums in the order of the matrix unit
// CHIP: error: {{.*}}got sm_75

!row = !stencil.field<[-1,65]xf64>
!line = !stencil.temp<?xf64>
func.func @tile(%u: !row, %v: !row) {
  stencil.pipeline attributes {stencil.schedule = #stencil.schedule<block = [32], points = [3], engine = mma>} {
    %x = stencil.load %u : !row -> !line
    %w = stencil.window shared %x : !line
    %r = stencil.apply(%a = %w : !line) -> (!line) {
      // expected-error@+1 {{is no product of matrices for 'engine = mma': expected a tile of whole patches of 8 outputs, 16 side by side, for each warp of 32 threads, got tiles of 96 points for 32 threads}}
      %s = stencil.weighted_sum %a offsets [[-1], [0], [1]] weights dense<[1.0, 2.0, 3.0]> : tensor<3xf64> : !line
      stencil.return %s : f64
    }
    stencil.store %r to %v(<[0], [64]>) : !line to !row
  }
  return
}

// -----

!row = !stencil.field<[-1,65]xf32>
!line = !stencil.temp<?xf32>
func.func @type(%u: !row, %v: !row) {
  stencil.pipeline attributes {stencil.schedule = #stencil.schedule<block = [32], points = [4], engine = mma>} {
    %x = stencil.load %u : !row -> !line
    %w = stencil.window shared %x : !line
    %r = stencil.apply(%a = %w : !line) -> (!line) {
      // expected-error@+1 {{is no product of matrices for 'engine = mma': expected 'math = tf32' for a sum of 'f32', whose factors matrix instructions round to TF32}}
      %s = stencil.weighted_sum %a offsets [[-1], [0], [1]] weights dense<[1.0, 2.0, 3.0]> : tensor<3xf32> : !line
      stencil.return %s : f32
    }
    stencil.store %r to %v(<[0], [64]>) : !line to !row
  }
  return
}

// -----

!row = !stencil.field<[-1,65]xf64>
!line = !stencil.temp<?xf64>
func.func @window(%u: !row, %v: !row) {
  stencil.pipeline attributes {stencil.schedule = #stencil.schedule<block = [32], points = [4], engine = mma>} {
    %x = stencil.load %u : !row -> !line
    %r = stencil.apply(%a = %x : !line) -> (!line) {
      // expected-error@+1 {{is no product of matrices for 'engine = mma': expected an input in a shared window of a field}}
      %s = stencil.weighted_sum %a offsets [[-1], [0], [1]] weights dense<[1.0, 2.0, 3.0]> : tensor<3xf64> : !line
      stencil.return %s : f64
    }
    stencil.store %r to %v(<[0], [64]>) : !line to !row
  }
  return
}

// -----

!row = !stencil.field<[-1,65]xf64>
!line = !stencil.temp<?xf64>
func.func @weights(%u: !row, %v: !row, %k: f64) {
  stencil.pipeline attributes {stencil.schedule = #stencil.schedule<block = [32], points = [4], engine = mma>} {
    %x = stencil.load %u : !row -> !line
    %w = stencil.window shared %x : !line
    %r = stencil.apply(%a = %w : !line, %c = %k : f64) -> (!line) {
      // expected-error@+1 {{is no product of matrices for 'engine = mma': expected constant weights and inputs of type 'f64', that of the sum}}
      %s = stencil.weighted_sum %a offsets [[-1], [0]] weights (%c, %c) : !line
      stencil.return %s : f64
    }
    stencil.store %r to %v(<[0], [64]>) : !line to !row
  }
  return
}

// -----

!row = !stencil.field<[-1,65]xf64>
!line = !stencil.temp<?xf64>
func.func @none(%u: !row, %v: !row) {
  // expected-error@+1 {{has no sum for 'engine = mma': expected a stencil.weighted_sum with constant weights of an input in a shared window}}
  stencil.pipeline attributes {stencil.schedule = #stencil.schedule<block = [32], points = [4], engine = mma>} {
    %x = stencil.load %u : !row -> !line
    %w = stencil.window shared %x : !line
    %r = stencil.apply(%a = %w : !line) -> (!line) {
      %s = stencil.access %a[0] : !line
      stencil.return %s : f64
    }
    stencil.store %r to %v(<[0], [64]>) : !line to !row
  }
  return
}

// -----

// A walk along the only axis leaves no patch.
!row = !stencil.field<[-1,65]xf64>
!line = !stencil.temp<?xf64>
func.func @no_tile(%u: !row, %v: !row) {
  stencil.pipeline axis 0 attributes {stencil.schedule = #stencil.schedule<block = [1], points = [1], stream = 0, engine = mma>} {
    %x = stencil.load %u : !row -> !line
    %w = stencil.window shared %x depth 3 lead 1 : !line
    %r = stencil.apply(%a = %w : !line) -> (!line) attributes {stencil.stage = #stencil.stage<lead = 0>} {
      // expected-error@+1 {{is no product of matrices for 'engine = mma': expected a tile of whole patches of 8 outputs, 16 side by side, for each warp of 32 threads, got tiles of 1 points for 1 threads}}
      %s = stencil.weighted_sum %a offsets [[-1], [0], [1]] weights dense<[1.0, 2.0, 3.0]> : tensor<3xf64> : !line
      stencil.return %s : f64
    }
    stencil.store %r to %v(<[0], [64]>) : !line to !row
  }
  return
}
