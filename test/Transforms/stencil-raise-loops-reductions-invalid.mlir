// What is carried from point to point and is no fold: a remark says why, and the function stays as it is.
// RUN: stencil-opt %s --split-input-file --stencil-raise-loops --verify-diagnostics --remarks-filter=Loops -o %t
// RUN: stencil-opt %s --split-input-file -o %t.before
// RUN: diff %t.before %t

func.func @ordered(%u: memref<8xf64>) -> f64 {
  %z = arith.constant 0.0 : f64
  %s = affine.for %i = 0 to 8 iter_args(%acc = %z) -> f64 {
    %0 = affine.load %u[%i] : memref<8xf64>
    // expected-remark @+1 {{'arith.addf' adds up points in their order: expected fastmath<reassoc> or a parallel loop}}
    %1 = arith.addf %acc, %0 : f64
    affine.yield %1 : f64
  }
  return %s : f64
}

// -----

func.func @product(%u: memref<8xf64>, %k: f64) -> f64 {
  %s = affine.for %i = 0 to 8 iter_args(%acc = %k) -> f64 {
    %0 = affine.load %u[%i] : memref<8xf64>
    // expected-remark @+1 {{'arith.mulf' carries a value from point to point that is no sum, maximum or minimum}}
    %1 = arith.mulf %acc, %0 fastmath<reassoc> : f64
    affine.yield %1 : f64
  }
  return %s : f64
}

// -----

func.func @leaves_nan_out(%u: memref<8xf64>, %k: f64) -> f64 {
  %s = affine.for %i = 0 to 8 iter_args(%acc = %k) -> f64 {
    %0 = affine.load %u[%i] : memref<8xf64>
    // expected-remark @+1 {{'arith.maxnumf' carries a value from point to point that is no sum, maximum or minimum}}
    %1 = arith.maxnumf %acc, %0 : f64
    affine.yield %1 : f64
  }
  return %s : f64
}

// -----

// What was carried so far is seen by more than the sum.
func.func @prefix(%u: memref<8xf64>, %v: memref<8xf64>, %k: f64) -> f64 {
  // expected-remark @+1 {{'scf.for' carries a value from point to point that is no sum, maximum or minimum}}
  %s = affine.for %i = 0 to 8 iter_args(%acc = %k) -> f64 {
    %0 = affine.load %u[%i] : memref<8xf64>
    %1 = arith.addf %acc, %0 fastmath<reassoc> : f64
    affine.store %1, %v[%i] : memref<8xf64>
    affine.yield %1 : f64
  }
  return %s : f64
}

// -----

func.func @begins_anew(%u: memref<8x9xf64>, %k: f64) -> f64 {
  %s = affine.for %i = 0 to 8 iter_args(%outer = %k) -> f64 {
    // expected-remark @+1 {{'scf.for' carries a value from point to point that does not begin with that of the loop around it}}
    %r = affine.for %j = 0 to 9 iter_args(%inner = %k) -> f64 {
      %0 = affine.load %u[%i, %j] : memref<8x9xf64>
      %1 = arith.maximumf %inner, %0 : f64
      affine.yield %1 : f64
    }
    affine.yield %r : f64
  }
  return %s : f64
}

// -----

// A sum for each row.
func.func @rows(%u: memref<8x?xf64>, %v: memref<8xf64>, %n: index, %k: f64) {
  affine.for %i = 0 to 8 {
    // expected-remark @+1 {{'scf.for' carries a value from point to point}}
    %r = affine.for %j = 0 to %n iter_args(%inner = %k) -> f64 {
      %0 = affine.load %u[%i, %j] : memref<8x?xf64>
      %1 = arith.maximumf %inner, %0 : f64
      affine.yield %1 : f64
    }
    affine.store %r, %v[%i] : memref<8xf64>
  }
  return
}

// -----

func.func @outer_product(%u: memref<8xf64>, %v: memref<9xf64>, %k: f64) -> f64 {
  // expected-remark @+1 {{'scf.for' combines points: expected an access with every induction variable in one of its subscripts}}
  %s = affine.for %i = 0 to 8 iter_args(%outer = %k) -> f64 {
    %r = affine.for %j = 0 to 9 iter_args(%inner = %outer) -> f64 {
      %0 = affine.load %u[%i] : memref<8xf64>
      %1 = affine.load %v[%j] : memref<9xf64>
      %2 = arith.mulf %0, %1 : f64
      %3 = arith.maximumf %inner, %2 : f64
      affine.yield %3 : f64
    }
    affine.yield %r : f64
  }
  return %s : f64
}

// -----

func.func @positions(%u: memref<8xindex>, %k: index) -> index {
  %s = affine.for %i = 0 to 8 iter_args(%acc = %k) -> index {
    %0 = affine.load %u[%i] : memref<8xindex>
    // expected-remark @+1 {{'arith.maxsi' combines points to a value of a type that no fold has}}
    %1 = arith.maxsi %acc, %0 : index
    affine.yield %1 : index
  }
  return %s : index
}

// -----

func.func @any_reduction(%u: memref<8xf64>, %k: f64) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %s = scf.parallel (%i) = (%c0) to (%c8) step (%c1) init (%k) -> f64 {
    %0 = memref.load %u[%i] : memref<8xf64>
    // expected-remark @+1 {{'scf.reduce' combines points to what is no sum, maximum or minimum}}
    scf.reduce(%0 : f64) {
    ^bb0(%a: f64, %b: f64):
      %c = arith.addf %a, %a : f64
      scf.reduce.return %c : f64
    }
  }
  return %s : f64
}

// -----

// A sum in memory that something else reads meanwhile.
func.func @read_meanwhile(%u: memref<8xf64>, %sum: memref<1xf64>, %v: memref<8xf64>) {
  affine.for %i = 0 to 8 {
    %0 = affine.load %u[%i] : memref<8xf64>
    %1 = affine.load %sum[0] : memref<1xf64>
    %2 = arith.addf %1, %0 fastmath<reassoc> : f64
    // expected-remark @+1 {{stores to one place at several points: expected every induction variable in one of its subscripts}}
    affine.store %2, %sum[0] : memref<1xf64>
    %3 = affine.load %sum[0] : memref<1xf64>
    affine.store %3, %v[%i] : memref<8xf64>
  }
  return
}
