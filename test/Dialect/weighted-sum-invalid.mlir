// RUN: stencil-opt %s --split-input-file --verify-diagnostics

func.func @f(%u: !stencil.field<[-4,12]xf64>, %k: f64) {
  %t = stencil.load %u : !stencil.field<[-4,12]xf64> -> !stencil.temp<?xf64>
  %r = stencil.apply(%x = %t : !stencil.temp<?xf64>, %c = %k : f64) -> (!stencil.temp<?xf64>) {
    %a = stencil.access %x[0] : !stencil.temp<?xf64>
    // expected-error @+1 {{expected at least one offset}}
    %s = stencil.weighted_sum %x offsets [] weights dense<1.0> : tensor<2xf64> : !stencil.temp<?xf64>
    stencil.return %a : f64
  }
  return
}

// -----

func.func @f(%u: !stencil.field<[-4,12]xf64>, %k: f64) {
  %t = stencil.load %u : !stencil.field<[-4,12]xf64> -> !stencil.temp<?xf64>
  %r = stencil.apply(%x = %t : !stencil.temp<?xf64>, %c = %k : f64) -> (!stencil.temp<?xf64>) {
    %a = stencil.access %x[0] : !stencil.temp<?xf64>
    // expected-error @+1 {{expected an offset}}
    %s = stencil.weighted_sum %x offsets [[]] weights dense<1.0> : tensor<2xf64> : !stencil.temp<?xf64>
    stencil.return %a : f64
  }
  return
}

// -----

func.func @f(%u: !stencil.field<[-4,12]xf64>, %k: f64) {
  %t = stencil.load %u : !stencil.field<[-4,12]xf64> -> !stencil.temp<?xf64>
  %r = stencil.apply(%x = %t : !stencil.temp<?xf64>, %c = %k : f64) -> (!stencil.temp<?xf64>) {
    %a = stencil.access %x[0] : !stencil.temp<?xf64>
    // expected-error @+1 {{expected offsets of one rank, 1, got 2}}
    %s = stencil.weighted_sum %x offsets [[0], [1, 2]] weights dense<1.0> : tensor<2xf64> : !stencil.temp<?xf64>
    stencil.return %a : f64
  }
  return
}

// -----

func.func @f(%u: !stencil.field<[-4,12]xf64>, %k: f64) {
  %t = stencil.load %u : !stencil.field<[-4,12]xf64> -> !stencil.temp<?xf64>
  %r = stencil.apply(%x = %t : !stencil.temp<?xf64>, %c = %k : f64) -> (!stencil.temp<?xf64>) {
    %a = stencil.access %x[0] : !stencil.temp<?xf64>
    // expected-error @+1 {{expected a weight per offset, 1, got 2}}
    %s = stencil.weighted_sum %x offsets [[0]] weights dense<1.0> : tensor<2xf64> : !stencil.temp<?xf64>
    stencil.return %a : f64
  }
  return
}

// -----

func.func @f(%u: !stencil.field<[-4,12]xf64>, %k: f64) {
  %t = stencil.load %u : !stencil.field<[-4,12]xf64> -> !stencil.temp<?xf64>
  %r = stencil.apply(%x = %t : !stencil.temp<?xf64>, %c = %k : f64) -> (!stencil.temp<?xf64>) {
    %a = stencil.access %x[0] : !stencil.temp<?xf64>
    // expected-error @+1 {{expected a weight per offset, 2, got 1}}
    %s = stencil.weighted_sum %x offsets [[0], [1]] weights (%c) : !stencil.temp<?xf64>
    stencil.return %a : f64
  }
  return
}

// -----

func.func @f(%u: !stencil.field<[-4,12]xf64>, %k: f64) {
  %t = stencil.load %u : !stencil.field<[-4,12]xf64> -> !stencil.temp<?xf64>
  %r = stencil.apply(%x = %t : !stencil.temp<?xf64>, %c = %k : f64) -> (!stencil.temp<?xf64>) {
    %a = stencil.access %x[0] : !stencil.temp<?xf64>
    // expected-error @+1 {{expected weights of rank 1, one per offset, got 'tensor<2x1xf64>'}}
    %s = stencil.weighted_sum %x offsets [[0], [1]] weights dense<1.0> : tensor<2x1xf64> : !stencil.temp<?xf64>
    stencil.return %a : f64
  }
  return
}

// -----

func.func @f(%u: !stencil.field<[-4,12]xf64>, %k: f64) {
  %t = stencil.load %u : !stencil.field<[-4,12]xf64> -> !stencil.temp<?xf64>
  %r = stencil.apply(%x = %t : !stencil.temp<?xf64>, %c = %k : f64) -> (!stencil.temp<?xf64>) {
    %a = stencil.access %x[0] : !stencil.temp<?xf64>
    // expected-error @+1 {{expected finite weights, got NaN for offset 1}}
    %s = stencil.weighted_sum %x offsets [[0], [1]] weights dense<[1.0, 0x7FF8000000000000]> : tensor<2xf64> : !stencil.temp<?xf64>
    stencil.return %a : f64
  }
  return
}

// -----

func.func @f(%u: !stencil.field<[-4,12]xf64>, %k: f64) {
  %t = stencil.load %u : !stencil.field<[-4,12]xf64> -> !stencil.temp<?xf64>
  %r = stencil.apply(%x = %t : !stencil.temp<?xf64>, %c = %k : f64) -> (!stencil.temp<?xf64>) {
    %a = stencil.access %x[0] : !stencil.temp<?xf64>
    // expected-error @+1 {{expected finite weights, got 0x7FF0000000000000}}
    %s = stencil.weighted_sum %x offsets [[0], [1]] weights dense<0x7FF0000000000000> : tensor<2xf64> : !stencil.temp<?xf64>
    stencil.return %a : f64
  }
  return
}

// -----

func.func @f(%u: !stencil.field<[-4,12]xf64>, %k: f64) {
  %t = stencil.load %u : !stencil.field<[-4,12]xf64> -> !stencil.temp<?xf64>
  %r = stencil.apply(%x = %t : !stencil.temp<?xf64>, %c = %k : f64) -> (!stencil.temp<?xf64>) {
    %a = stencil.access %x[0] : !stencil.temp<?xf64>
    // expected-error @+1 {{expected every offset once, got [0] twice}}
    %s = stencil.weighted_sum %x offsets [[0], [1], [0]] weights dense<1.0> : tensor<3xf64> : !stencil.temp<?xf64>
    stencil.return %a : f64
  }
  return
}

// -----

func.func @f(%u: !stencil.field<[-4,12]xf64>, %k: f64) {
  %t = stencil.load %u : !stencil.field<[-4,12]xf64> -> !stencil.temp<?xf64>
  %r = stencil.apply(%x = %t : !stencil.temp<?xf64>, %c = %k : f64) -> (!stencil.temp<?xf64>) {
    %a = stencil.access %x[0] : !stencil.temp<?xf64>
    // expected-error @+1 {{expected an offset of rank 1 to match the input, got 2}}
    %s = stencil.weighted_sum %x offsets [[0, 1], [1, 1]] weights dense<1.0> : tensor<2xf64> : !stencil.temp<?xf64>
    stencil.return %a : f64
  }
  return
}

// -----

func.func @f(%u: !stencil.field<[-4,12]xf64>, %k: f64) {
  %t = stencil.load %u : !stencil.field<[-4,12]xf64> -> !stencil.temp<?xf64>
  %r = stencil.apply(%x = %t : !stencil.temp<?xf64>, %c = %k : f64) -> (!stencil.temp<?xf64>) {
    %a = stencil.access %x[0] : !stencil.temp<?xf64>
    // expected-error @+1 {{expected offsets of rank 1 to match the apply, got 2}}
    %s = stencil.weighted_sum %a offsets [[0, 1], [1, 1]] weights dense<1.0> : tensor<2xf64> : f64
    stencil.return %a : f64
  }
  return
}

// -----

func.func @f(%u: !stencil.field<[-4,12]xf64>, %k: f64) {
  %t = stencil.load %u : !stencil.field<[-4,12]xf64> -> !stencil.temp<?xf64>
  %r = stencil.apply(%x = %t : !stencil.temp<?xf64>, %c = %k : f64) -> (!stencil.temp<?xf64>) {
    %a = stencil.access %x[0] : !stencil.temp<?xf64>
    // expected-error @+1 {{expected a result of the type of what is summed, 'f64', or a wider float, got 'f32'}}
    %s = stencil.weighted_sum %x offsets [[0], [1]] weights dense<1.0> : tensor<2xf32> : !stencil.temp<?xf64>
    stencil.return %a : f64
  }
  return
}

// -----

func.func @f(%u: !stencil.field<[-4,12]xf64>, %k: f64) {
  %t = stencil.load %u : !stencil.field<[-4,12]xf64> -> !stencil.temp<?xf64>
  %r = stencil.apply(%x = %t : !stencil.temp<?xf64>, %c = %k : f64) -> (!stencil.temp<?xf64>) {
    %a = stencil.access %x[0] : !stencil.temp<?xf64>
    // expected-error @+1 {{expected a result of the type of what is summed, 'f64', or a wider float, got 'i64'}}
    %s = stencil.weighted_sum %x offsets [[0], [1]] weights dense<1> : tensor<2xi64> : !stencil.temp<?xf64>
    stencil.return %a : f64
  }
  return
}

// -----

func.func @f(%u: !stencil.field<[-4,12]xf64>, %k: f64) {
  %t = stencil.load %u : !stencil.field<[-4,12]xf64> -> !stencil.temp<?xf64>
  %r = stencil.apply(%x = %t : !stencil.temp<?xf64>, %c = %k : f64) -> (!stencil.temp<?xf64>) {
    %a = stencil.access %x[0] : !stencil.temp<?xf64>
    // expected-error @+1 {{expected weights of the result's type 'f128', got 'f64'}}
    %s = stencil.weighted_sum %x offsets [[0], [1]] weights dense<1.0> : tensor<2xf64> : !stencil.temp<?xf64> -> f128
    stencil.return %a : f64
  }
  return
}

// -----

func.func @f(%u: !stencil.field<[-4,12]xf64>, %k: f64) {
  %t = stencil.load %u : !stencil.field<[-4,12]xf64> -> !stencil.temp<?xf64>
  // expected-note @+1 {{the stencil.apply is here}}
  %r = stencil.apply(%x = %t : !stencil.temp<?xf64>, %c = %k : f64) -> (!stencil.temp<?xf64>) {
    %a = stencil.access %x[0] : !stencil.temp<?xf64>
    // expected-error @+1 {{expected an input of the apply, or a value computed at the top level of its body}}
    %s = stencil.weighted_sum %c offsets [[0], [1]] weights dense<1.0> : tensor<2xf64> : f64
    stencil.return %a : f64
  }
  return
}

// -----

func.func @f(%u: !stencil.field<[-4,12]xf64>, %k: f64) {
  %t = stencil.load %u : !stencil.field<[-4,12]xf64> -> !stencil.temp<?xf64>
  %r = stencil.apply(%x = %t : !stencil.temp<?xf64>, %c = %k : f64) -> (!stencil.temp<?xf64>) {
    %a = stencil.access %x[0] : !stencil.temp<?xf64>
    // expected-error @+1 {{expected offset mappings within the rank 1 of the apply, got 1}}
    %s = stencil.weighted_sum %x offsets [[0], [1]] weights dense<1.0> : tensor<2xf64> attributes {offset_mapping = #stencil.index<[1]>} : !stencil.temp<?xf64>
    stencil.return %a : f64
  }
  return
}

// -----

func.func @f(%u: !stencil.field<[-4,12]xf64>, %k: f64) {
  %t = stencil.load %u : !stencil.field<[-4,12]xf64> -> !stencil.temp<?xf64>
  %r = stencil.apply(%x = %t : !stencil.temp<?xf64>, %c = %k : f64) -> (!stencil.temp<?xf64>) {
    %a = stencil.access %x[0] : !stencil.temp<?xf64>
    // expected-error @+1 {{expected no offset mapping for a value of the body}}
    %s = stencil.weighted_sum %a offsets [[0], [1]] weights dense<1.0> : tensor<2xf64> attributes {offset_mapping = #stencil.index<[0]>} : f64
    stencil.return %a : f64
  }
  return
}

// -----

func.func @f(%u: !stencil.field<[-4,12]xf64>, %k: f64) {
  %t = stencil.load %u : !stencil.field<[-4,12]xf64> -> !stencil.temp<?xf64>
  %r = stencil.apply(%x = %t : !stencil.temp<?xf64>, %c = %k : f64) -> (!stencil.temp<?xf64>) {
    %a = stencil.access %x[0] : !stencil.temp<?xf64>
    // expected-error @+1 {{expected attribute 'weights' to be given once}}
    %s = stencil.weighted_sum %x offsets [[0], [1]] weights dense<1.0> : tensor<2xf64> attributes {weights = 1} : !stencil.temp<?xf64>
    stencil.return %a : f64
  }
  return
}

// -----

func.func @f(%u: !stencil.field<[-4,12]xf64>, %k: f64) {
  %t = stencil.load %u : !stencil.field<[-4,12]xf64> -> !stencil.temp<?xf64>
  %r = stencil.apply(%x = %t : !stencil.temp<?xf64>, %c = %k : f64) -> (!stencil.temp<?xf64>) {
    %a = stencil.access %x[0] : !stencil.temp<?xf64>
    %p = arith.cmpf olt, %a, %c : f64
    // expected-error @+1 {{expected floats, or integers of more than one bit, got 'i1'}}
    %s = stencil.weighted_sum %p offsets [[0], [1]] weights dense<true> : tensor<2xi1> : i1
    stencil.return %a : f64
  }
  return
}

// -----

func.func @f(%u: !stencil.field<[-4,12]xf64>, %k: f64) {
  %t = stencil.load %u : !stencil.field<[-4,12]xf64> -> !stencil.temp<?xf64>
  %r = stencil.apply(%x = %t : !stencil.temp<?xf64>, %c = %k : f64) -> (!stencil.temp<?xf64>) {
    %a = stencil.access %x[0] : !stencil.temp<?xf64>
    %i = stencil.index 0 <[0]>
    // expected-error @+1 {{expected floats, or integers of more than one bit, got 'index'}}
    %s = stencil.weighted_sum %i offsets [[0], [1]] weights (%i, %i) : index
    stencil.return %a : f64
  }
  return
}

// -----

func.func @f(%u: !stencil.field<[-4,12]xf64>, %k: f64) {
  %t = stencil.load %u : !stencil.field<[-4,12]xf64> -> !stencil.temp<?xf64>
  %r = stencil.apply(%x = %t : !stencil.temp<?xf64>, %c = %k : f64) -> (!stencil.temp<?xf64>) {
    %a = stencil.access %x[0] : !stencil.temp<?xf64>
    // expected-note @+1 {{the weight is computed here}}
    %b = arith.mulf %a, %c : f64
    // expected-error @+1 {{expected weights that follow from constants and scalar arguments of the apply, got another for offset 1}}
    %s = stencil.weighted_sum %x offsets [[0], [1]] weights (%c, %b) : !stencil.temp<?xf64>
    stencil.return %a : f64
  }
  return
}

// -----

func.func @f(%u: !stencil.field<[-4,12]xf64>, %k: f64) {
  %t = stencil.load %u : !stencil.field<[-4,12]xf64> -> !stencil.temp<?xf64>
  %r = stencil.apply(%x = %t : !stencil.temp<?xf64>, %c = %k : f64) -> (!stencil.temp<?xf64>) {
    %a = stencil.access %x[0] : !stencil.temp<?xf64>
    // expected-error @+1 {{expected dense weights, or a resource with the data of 'tensor<2xf64>'}}
    %s = stencil.weighted_sum %x offsets [[0], [1]] weights dense_resource<nothing> : tensor<2xf64> : !stencil.temp<?xf64>
    stencil.return %a : f64
  }
  return
}

// -----

func.func @f(%u: !stencil.field<[-4,12]xf64>, %k: f64) {
  %t = stencil.load %u : !stencil.field<[-4,12]xf64> -> !stencil.temp<?xf64>
  %r = stencil.apply(%x = %t : !stencil.temp<?xf64>, %c = %k : f64) -> (!stencil.temp<?xf64>) {
    %a = stencil.access %x[0] : !stencil.temp<?xf64>
    // expected-error @+1 {{expected a weight per offset, got 2 for 3 coordinates}}
    %s = "stencil.weighted_sum"(%x) <{offsets = array<i64: 0, 1, 2>, weights = dense<1.0> : tensor<2xf64>, fastmath = #arith.fastmath<none>}> : (!stencil.temp<?xf64>) -> f64
    stencil.return %a : f64
  }
  return
}

// -----

func.func @f(%u: !stencil.field<[-4,12]xf64>, %k: f64) {
  %t = stencil.load %u : !stencil.field<[-4,12]xf64> -> !stencil.temp<?xf64>
  %r = stencil.apply(%x = %t : !stencil.temp<?xf64>, %c = %k : f64) -> (!stencil.temp<?xf64>) {
    %a = stencil.access %x[0] : !stencil.temp<?xf64>
    // expected-error @+1 {{expected weights that are either constants or operands}}
    %s = "stencil.weighted_sum"(%x) <{offsets = array<i64: 0, 1>, fastmath = #arith.fastmath<none>}> : (!stencil.temp<?xf64>) -> f64
    stencil.return %a : f64
  }
  return
}

// -----

// A value that is computed in a region has no neighbours.
func.func @f(%u: !stencil.field<[-4,12]xf64>, %k: f64, %b: i1) {
  %t = stencil.load %u : !stencil.field<[-4,12]xf64> -> !stencil.temp<?xf64>
  // expected-note @+1 {{the stencil.apply is here}}
  %r = stencil.apply(%x = %t : !stencil.temp<?xf64>, %c = %b : i1) -> (!stencil.temp<?xf64>) {
    %a = stencil.access %x[0] : !stencil.temp<?xf64>
    %p = scf.if %c -> (f64) {
      %d = arith.addf %a, %a : f64
      // expected-error @+1 {{expected an input of the apply, or a value computed at the top level of its body}}
      %s = stencil.weighted_sum %d offsets [[0]] weights dense<1.0> : tensor<1xf64> : f64
      scf.yield %s : f64
    } else {
      scf.yield %a : f64
    }
    stencil.return %p : f64
  }
  return
}

// -----

// What a sum over sums reads in all has to be there.
func.func @f(%u: !stencil.field<[-4,12]xf64>, %v: !stencil.field<[-4,12]xf64>) {
  // expected-note @+1 {{evaluated on}}
  stencil.apply(%x = %u : !stencil.field<[-4,12]xf64>) outs (%v : !stencil.field<[-4,12]xf64>) {
    // expected-error @+1 {{accesses [-5,14) of axis 0, expected to stay in '!stencil.field<[-4,12]xf64>'}}
    %a = stencil.weighted_sum %x offsets [[-2], [3]] weights dense<1.0> : tensor<2xf64> : !stencil.field<[-4,12]xf64>
    %b = stencil.weighted_sum %a offsets [[-3], [3]] weights dense<1.0> : tensor<2xf64> : f64
    stencil.return %b : f64
  } to <[0], [8]>
  return
}

// -----

func.func @f(%u: !stencil.field<[-4,12]xf64>) {
  // expected-note @+1 {{the output is written here}}
  stencil.apply(%x = %u : !stencil.field<[-4,12]xf64>) outs (%u : !stencil.field<[-4,12]xf64>) {
    // expected-error @+1 {{reads an output of its bufferised apply at a non-zero offset}}
    %a = stencil.weighted_sum %x offsets [[0], [1]] weights dense<1.0> : tensor<2xf64> : !stencil.field<[-4,12]xf64>
    stencil.return %a : f64
  } to <[0], [8]>
  return
}

// -----

// expected-error @+1 {{expects ancestor op 'stencil.apply'}}
%s = "stencil.weighted_sum"(%x) <{offsets = array<i64: 0>, weights = dense<1.0> : tensor<1xf64>, fastmath = #arith.fastmath<none>}> : (f64) -> f64
%x = arith.constant 1.0 : f64

// -----

// It would be added to coordinates.
func.func @far_offset(%u: !stencil.temp<[0,8]xf64>) {
  %r = stencil.apply(%x = %u : !stencil.temp<[0,8]xf64>) -> (!stencil.temp<[0,8]xf64>) {
    // expected-error@+1 {{'stencil.weighted_sum' op offset out of range: expected a magnitude of at most 1099511627776, got 9223372036854775807}}
    %s = stencil.weighted_sum %x offsets [[9223372036854775807], [0]] weights dense<[0.1, 0.2]> : tensor<2xf64> : !stencil.temp<[0,8]xf64>
    stencil.return %s : f64
  }
  return
}
