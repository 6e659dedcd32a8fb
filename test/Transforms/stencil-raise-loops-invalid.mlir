// What is no stencil: a remark says why, and the function stays as it is.
// RUN: stencil-opt %s --split-input-file --stencil-raise-loops --verify-diagnostics --remarks-filter=Loops -o %t
// RUN: stencil-opt %s --split-input-file -o %t.before
// RUN: diff %t.before %t

func.func @gauss_seidel(%u: memref<64xf64>) {
  affine.for %i = 1 to 63 {
    // expected-remark @+1 {{'memref.load' loads what the nest also stores to, at offset [-1] from the store in line 12: the order of the points matters}}
    %0 = affine.load %u[%i - 1] : memref<64xf64>
    %1 = affine.load %u[%i] : memref<64xf64>
    %2 = arith.addf %0, %1 : f64
    affine.store %2, %u[%i] : memref<64xf64>
  }
  return
}

// -----

func.func @leading_time(%u: memref<9x64xf64>) {
  affine.for %t = 0 to 8 {
    affine.for %i = 1 to 63 {
      // expected-remark @+1 {{at offset [-1, -1] from the store}}
      %0 = affine.load %u[%t, %i - 1] : memref<9x64xf64>
      affine.store %0, %u[%t + 1, %i] : memref<9x64xf64>
    }
  }
  return
}

// -----

func.func @red_black(%u: memref<64xf64>, %v: memref<64xf64>) {
  // expected-remark @+1 {{'scf.for' expected loops of step 1}}
  affine.for %i = 0 to 64 step 2 {
    %0 = affine.load %u[%i] : memref<64xf64>
    affine.store %0, %v[%i] : memref<64xf64>
  }
  return
}

// -----

func.func @two_loops(%u: memref<8x9xf64>, %v: memref<8x9xf64>, %w: memref<8x9xf64>) {
  affine.for %i = 0 to 8 {
    affine.for %j = 0 to 9 {
      %0 = affine.load %u[%i, %j] : memref<8x9xf64>
      affine.store %0, %v[%i, %j] : memref<8x9xf64>
    }
    // expected-remark @+1 {{'scf.for' is the second loop in the body of a loop: expected a perfect nest}}
    affine.for %j = 0 to 9 {
      %0 = affine.load %u[%i, %j] : memref<8x9xf64>
      affine.store %0, %w[%i, %j] : memref<8x9xf64>
    }
  }
  return
}

// -----

func.func @between_loops(%u: memref<8x9xf64>, %v: memref<8x9xf64>, %w: memref<8xf64>) {
  affine.for %i = 0 to 8 {
    %0 = affine.load %u[%i, 0] : memref<8x9xf64>
    // expected-remark @+1 {{'memref.store' is between the loops of a nest}}
    affine.store %0, %w[%i] : memref<8xf64>
    affine.for %j = 0 to 9 {
      affine.store %0, %v[%i, %j] : memref<8x9xf64>
    }
  }
  return
}

// -----

func.func @coarsen(%u: memref<64xf64>, %v: memref<32xf64>) {
  affine.for %i = 0 to 32 {
    // expected-remark @+1 {{subscript 0 has a factor of 2}}
    %0 = affine.load %u[%i * 2] : memref<64xf64>
    affine.store %0, %v[%i] : memref<32xf64>
  }
  return
}

// -----

func.func @gather(%u: memref<64xf64>, %at: memref<64xindex>, %v: memref<64xf64>) {
  affine.for %i = 0 to 64 {
    %j = affine.load %at[%i] : memref<64xindex>
    // expected-remark @+1 {{subscript 0 is no sum of induction variables and constants}}
    %0 = memref.load %u[%j] : memref<64xf64>
    affine.store %0, %v[%i] : memref<64xf64>
  }
  return
}

// -----

func.func @transpose(%u: memref<8x8xf64>, %v: memref<8x8xf64>) {
  affine.for %i = 0 to 8 {
    affine.for %j = 0 to 8 {
      // expected-remark @+1 {{reads at no constant offset from the point that is stored, along increasing axes}}
      %0 = affine.load %u[%j, %i] : memref<8x8xf64>
      affine.store %0, %v[%i, %j] : memref<8x8xf64>
    }
  }
  return
}

// -----

func.func @outside(%u: memref<64xf64>, %v: memref<64xf64>) {
  affine.for %i = 0 to 63 {
    %0 = affine.load %u[%i] : memref<64xf64>
    // expected-remark @+1 {{loads outside of its memref on axis 0}}
    %1 = affine.load %u[%i + 2] : memref<64xf64>
    %2 = arith.addf %0, %1 : f64
    affine.store %2, %v[%i] : memref<64xf64>
  }
  return
}

// -----

func.func @sums_of_rows(%u: memref<8x8xf64>, %v: memref<8xf64>, %n: index) {
  affine.for %i = 0 to 8 {
    affine.for %j = 0 to %n {
      %0 = affine.load %u[%i, %j] : memref<8x8xf64>
      %1 = affine.load %v[%i] : memref<8xf64>
      %2 = arith.addf %0, %1 : f64
      // expected-remark @+1 {{stores to one place at several points: expected every induction variable in one of its subscripts}}
      affine.store %2, %v[%i] : memref<8xf64>
    }
  }
  return
}

// -----

func.func private @observe(f64)

func.func @call(%u: memref<8xf64>, %v: memref<8xf64>) {
  affine.for %i = 0 to 8 {
    %0 = affine.load %u[%i] : memref<8xf64>
    // expected-remark @+1 {{'func.call' is no arithmetic}}
    func.call @observe(%0) : (f64) -> ()
    affine.store %0, %v[%i] : memref<8xf64>
  }
  return
}

// -----

func.func @view(%u: memref<64xf64>, %k: index) {
  %v = memref.subview %u[%k] [8] [1] : memref<64xf64> to memref<8xf64, strided<[1], offset: ?>>
  affine.for %i = 0 to 8 {
    %0 = affine.load %u[%i] : memref<64xf64>
    // expected-remark @+1 {{expected a memref of row-major layout in the default memory space}}
    affine.store %0, %v[%i] : memref<8xf64, strided<[1], offset: ?>>
  }
  return
}

// -----

func.func @chosen(%u: memref<64xf64>, %v: memref<64xf64>, %w: memref<64xf64>, %c: i1) {
  %x = arith.select %c, %u, %w : memref<64xf64>
  affine.for %i = 0 to 63 {
    // expected-remark @+1 {{its memref may be the same memory as another one that the nest stores to}}
    %0 = affine.load %u[%i + 1] : memref<64xf64>
    affine.store %0, %x[%i] : memref<64xf64>
  }
  return
}

// -----

func.func @triangle(%u: memref<?x?xf64>) {
  %c1 = arith.constant 1 : index
  %c0 = arith.constant 0 : index
  %n = memref.dim %u, %c0 : memref<?x?xf64>
  %z = arith.constant 0.0 : f64
  scf.for %i = %c0 to %n step %c1 {
    // expected-remark @+1 {{'scf.for' its bounds change in the nest}}
    scf.for %j = %i to %n step %c1 {
      memref.store %z, %u[%i, %j] : memref<?x?xf64>
    }
  }
  return
}

// -----

func.func @unbound(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant 0.0 : f64
  %u = memref.alloc(%n) : memref<?xf64>
  scf.for %i = %c0 to %n step %c1 {
    // expected-remark @+1 {{needs an extent of axis 0 at run time, which no memref among the arguments of the function has}}
    memref.store %z, %u[%i] : memref<?xf64>
  }
  memref.dealloc %u : memref<?xf64>
  return
}

// -----

func.func @nothing(%u: memref<8xf64>) {
  // expected-remark @+1 {{'scf.for' stores nothing}}
  affine.for %i = 0 to 8 {
    %0 = affine.load %u[%i] : memref<8xf64>
  }
  return
}

// -----

func.func @tensors(%u: tensor<8xf64>, %v: tensor<8xf64>) -> tensor<8xf64> {
  // expected-remark @+1 {{expected memrefs, got tensors: bufferise first, as stencil-raise-tensors does}}
  %0 = linalg.copy ins(%u : tensor<8xf64>) outs(%v : tensor<8xf64>) -> tensor<8xf64>
  return %0 : tensor<8xf64>
}

// -----

func.func @product(%u: memref<?x?xf64>, %w: memref<?x?xf64>, %v: memref<?x?xf64>) {
  // expected-remark @+1 {{expected reductions over at most 1024 points in all, known at compile time}}
  linalg.matmul ins(%u, %w : memref<?x?xf64>, memref<?x?xf64>) outs(%v : memref<?x?xf64>)
  return
}

// -----

// expected-remark @+1 {{has branches between blocks: expected structured control flow (scf)}}
func.func @blocks(%u: memref<8xf64>, %c: i1) {
  cf.cond_br %c, ^a, ^b
^a:
  return
^b:
  return
}
