// RUN: stencil-opt %s --split-input-file --verify-diagnostics

func.func @rank(%t: !stencil.temp<?x?xf64>) {
  %r = stencil.apply(%x = %t : !stencil.temp<?x?xf64>) -> (!stencil.temp<?x?xf64>) {
    %i = stencil.index 0 <[0, 0]>
    // expected-error @+1 {{'stencil.matvec' op expected an apply and an input of one axis, got 2 and 2}}
    %v = stencil.matvec %x[%i] from 0 matrix dense<1.0> : tensor<1x1xf64> : !stencil.temp<?x?xf64>
    stencil.return %v : f64
  }
  return
}

// -----

func.func @type(%t: !stencil.temp<?xi32>) {
  %r = stencil.apply(%x = %t : !stencil.temp<?xi32>) -> (!stencil.temp<?xi32>) {
    %i = stencil.index 0 <[0]>
    // expected-error @+1 {{'stencil.matvec' op expected an input of floats, got 'i32'}}
    %v = stencil.matvec %x[%i] from 0 matrix dense<1> : tensor<1x1xi32> : !stencil.temp<?xi32>
    stencil.return %v : i32
  }
  return
}

// -----

func.func @matrix(%t: !stencil.temp<?xf64>) {
  %r = stencil.apply(%x = %t : !stencil.temp<?xf64>) -> (!stencil.temp<?xf64>) {
    %i = stencil.index 0 <[0]>
    // expected-error @+1 {{'stencil.matvec' op expected a dense matrix of 'f64' with at least one row and one column, got 'tensor<2xf64>'}}
    %v = stencil.matvec %x[%i] from 0 matrix dense<1.0> : tensor<2xf64> : !stencil.temp<?xf64>
    stencil.return %v : f64
  }
  return
}

// -----

func.func @elements(%t: !stencil.temp<?xf64>) {
  %r = stencil.apply(%x = %t : !stencil.temp<?xf64>) -> (!stencil.temp<?xf64>) {
    %i = stencil.index 0 <[0]>
    // expected-error @+1 {{'stencil.matvec' op expected a dense matrix of 'f64' with at least one row and one column, got 'tensor<1x2xf32>'}}
    %v = stencil.matvec %x[%i] from 0 matrix dense<1.0> : tensor<1x2xf32> : !stencil.temp<?xf64>
    stencil.return %v : f64
  }
  return
}

// -----

func.func @infinite(%t: !stencil.temp<?xf64>) {
  %r = stencil.apply(%x = %t : !stencil.temp<?xf64>) -> (!stencil.temp<?xf64>) {
    %i = stencil.index 0 <[0]>
    // expected-error @+1 {{'stencil.matvec' op expected finite elements, got 0x7FF0000000000000 : f64}}
    %v = stencil.matvec %x[%i] from 0 matrix dense<[[1.0, 0x7FF0000000000000]]> : tensor<1x2xf64> : !stencil.temp<?xf64>
    stencil.return %v : f64
  }
  return
}

// -----

// Of more elements than an i64 counts.

func.func @large(%t: !stencil.temp<?xf64>) {
  %r = stencil.apply(%x = %t : !stencil.temp<?xf64>) -> (!stencil.temp<?xf64>) {
    %i = stencil.index 0 <[0]>
    // expected-error @+1 {{'stencil.matvec' op expected a matrix of at most 16777216 elements, got 4294967296 x 4294967296}}
    %v = stencil.matvec %x[%i] from 0 matrix dense<1.0> : tensor<4294967296x4294967296xf64> : !stencil.temp<?xf64>
    stencil.return %v : f64
  }
  return
}

// -----

func.func @larger(%t: !stencil.temp<?xf64>) {
  %r = stencil.apply(%x = %t : !stencil.temp<?xf64>) -> (!stencil.temp<?xf64>) {
    %i = stencil.index 0 <[0]>
    // expected-error @+1 {{'stencil.matvec' op expected a matrix of at most 16777216 elements, got 100000 x 100000}}
    %v = stencil.matvec %x[%i] from 0 matrix dense<1.0> : tensor<100000x100000xf64> : !stencil.temp<?xf64>
    stencil.return %v : f64
  }
  return
}

// -----

func.func @far(%t: !stencil.temp<?xf64>) {
  %r = stencil.apply(%x = %t : !stencil.temp<?xf64>) -> (!stencil.temp<?xf64>) {
    %i = stencil.index 0 <[0]>
    // expected-error @+1 {{'stencil.matvec' op expected a first point within 2^32 of the row's, got -9223372036854775808}}
    %v = stencil.matvec %x[%i] from -9223372036854775808 matrix dense<1.0> : tensor<1x1xf64> : !stencil.temp<?xf64>
    stencil.return %v : f64
  }
  return
}

// -----

func.func @branch(%t: !stencil.temp<?xf64>, %b: i1) {
  %r = stencil.apply(%x = %t : !stencil.temp<?xf64>, %c = %b : i1) -> (!stencil.temp<?xf64>) {
    %i = stencil.index 0 <[0]>
    %v = scf.if %c -> f64 {
      // expected-error @+1 {{'stencil.matvec' op expected to be at the top level of the apply's body}}
      %w = stencil.matvec %x[%i] from 0 matrix dense<1.0> : tensor<1x1xf64> : !stencil.temp<?xf64>
      scf.yield %w : f64
    } else {
      %z = arith.constant 0.0 : f64
      scf.yield %z : f64
    }
    stencil.return %v : f64
  }
  return
}

// -----

func.func @shifted(%t: !stencil.temp<?xf64>) {
  %r = stencil.apply(%x = %t : !stencil.temp<?xf64>) -> (!stencil.temp<?xf64>) {
    %i = stencil.index 0 <[0]>
    // expected-error @+1 {{'stencil.matvec' op expected an apply without sums of its own values}}
    %v = stencil.matvec %x[%i] from 0 matrix dense<1.0> : tensor<1x1xf64> : !stencil.temp<?xf64>
    // expected-note @+1 {{the sum is here}}
    %s = stencil.weighted_sum %v offsets [[-1], [1]] weights dense<0.5> : tensor<2xf64> : f64
    stencil.return %s : f64
  }
  return
}

// -----

func.func @unrolled(%t: !stencil.temp<?xf64>) {
  %r = stencil.apply(%x = %t : !stencil.temp<?xf64>) -> (!stencil.temp<?xf64>) {
    %i = stencil.index 0 <[0]>
    // expected-error @+1 {{'stencil.matvec' op expected an apply that returns one point at a time}}
    %v = stencil.matvec %x[%i] from 0 matrix dense<1.0> : tensor<1x1xf64> : !stencil.temp<?xf64>
    stencil.return %v, %v unroll <[2]> : f64, f64
  }
  return
}

// -----

// The second row reads up to point 2.

func.func @reach(%f: !stencil.field<[0,4]xf64>, %g: !stencil.field<[0,4]xf64>) {
  // expected-note @+1 {{evaluated on #stencil.bounds<[0], [2]> here}}
  stencil.apply(%x = %f : !stencil.field<[0,4]xf64>) outs (%g : !stencil.field<[0,4]xf64>) {
    %i = stencil.index 0 <[0]>
    // expected-error @+1 {{accesses [-1,4) of axis 0, expected to stay in '!stencil.field<[0,4]xf64>'}}
    %v = stencil.matvec %x[%i] from 0 matrix dense<1.0> : tensor<2x3xf64> : !stencil.field<[0,4]xf64>
    stencil.return %v : f64
  } to <[0], [2]>
  return
}
