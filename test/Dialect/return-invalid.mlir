// RUN: stencil-opt %s --split-input-file --verify-diagnostics

func.func @return_outside(%c: f64) {
  // expected-error@+1 {{'stencil.return' op expects parent op 'stencil.apply'}}
  stencil.return %c : f64
}

// -----

func.func @return_count(%c: f64) {
  %r:2 = stencil.apply(%x = %c : f64) -> (!stencil.temp<?xf64>, !stencil.temp<?xf64>) {
    // expected-error@+1 {{expected 2 operands to match the parent stencil.apply result types, got 1}}
    stencil.return %x : f64
  }
  return
}

// -----

func.func @return_type(%c: f64) {
  %r:2 = stencil.apply(%x = %c : f64) -> (!stencil.temp<?xf64>, !stencil.temp<?xf32>) {
    // expected-error@+1 {{expected operand types to match the parent stencil.apply result element types, got 'f64' at index 1, expected 'f32'}}
    stencil.return %x, %x : f64, f64
  }
  return
}

// -----

func.func @return_tensor_type(%c: tensor<8xf64>) {
  %r = stencil.apply(%x = %c : tensor<8xf64>) -> (!stencil.temp<?xtensor<8xf32>>) {
    // expected-error@+1 {{got 'tensor<8xf64>' at index 0, expected 'tensor<8xf32>'}}
    stencil.return %x : tensor<8xf64>
  }
  return
}

// -----

func.func @unroll_rank(%c: f64) {
  %r = stencil.apply(%x = %c : f64) -> (!stencil.temp<?xf64>) {
    // expected-error@+1 {{expected one unroll factor per axis of the apply, 1, got 2}}
    stencil.return %x, %x unroll <[1, 2]> : f64, f64
  }
  return
}

// -----

func.func @unroll_sign(%c: f64) {
  %r = stencil.apply(%x = %c : f64) -> (!stencil.temp<?x?xf64>) {
    // expected-error@+1 {{expected positive unroll factors, got -1}}
    stencil.return %x, %x unroll <[-1, -2]> : f64, f64
  }
  return
}

// -----

func.func @unroll_large(%c: f64) {
  %r = stencil.apply(%x = %c : f64) -> (!stencil.temp<?xf64>) {
    // expected-error@+1 {{expected unroll factors of at most 1024 and a product of at most 65536, got #stencil.index<[1099511627776]>}}
    stencil.return %x unroll <[1099511627776]> : f64
  }
  return
}

// -----

func.func @unroll_count(%c: f64) {
  %r:2 = stencil.apply(%x = %c : f64) -> (!stencil.temp<?xf64>, !stencil.temp<?xf64>) {
    // expected-error@+1 {{expected 8 operands to match the parent stencil.apply result types, got 2}}
    stencil.return %x, %x unroll <[4]> : f64, f64
  }
  return
}
