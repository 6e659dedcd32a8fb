// RUN: stencil-opt %s --stencil-call-vector-library=library=libmvec-avx512 --split-input-file | FileCheck %s --check-prefixes=CHECK,AVX512
// RUN: stencil-opt %s --stencil-call-vector-library=library=libmvec-avx2 --split-input-file | FileCheck %s --check-prefixes=CHECK,AVX2
// RUN: stencil-opt %s --stencil-call-vector-library=library=libmvec-sse4 --split-input-file | FileCheck %s --check-prefixes=SSE4
// RUN: stencil-opt %s --stencil-call-vector-library --split-input-file | FileCheck %s --check-prefixes=NONE

// The form of the function for the width, with as many v as it has arguments,
// and what LLVM may assume of it.

// AVX512: llvm.func @_ZGVdN4vv_pow(vector<4xf64>, vector<4xf64>) -> vector<4xf64>
// AVX512: llvm.func @_ZGVeN16v_sinf(vector<16xf32>) -> vector<16xf32>
// AVX512: llvm.func @_ZGVeN8v_exp(vector<8xf64>) -> vector<8xf64> attributes
// AVX512-SAME: memory_effects = #llvm.memory_effects<other = none, argMem = none, inaccessibleMem = none, errnoMem = none, targetMem0 = none, targetMem1 = none>
// AVX512-SAME: no_unwind, will_return
// AVX512-LABEL: func @widths
// AVX512: llvm.call @_ZGVeN8v_exp(%{{.*}}) : (vector<8xf64>) -> vector<8xf64>
// AVX512: llvm.call @_ZGVeN16v_sinf
// AVX512: llvm.call @_ZGVdN4vv_pow

// Vectors that are wider than the library's are taken apart.

// AVX2-LABEL: func @widths
// AVX2: %[[LOW:.*]] = vector.extract_strided_slice %arg0 {offsets = [0], sizes = [4], strides = [1]}
// AVX2: %[[A:.*]] = llvm.call @_ZGVdN4v_exp(%[[LOW]])
// AVX2: %[[B:.*]] = vector.insert_strided_slice %[[A]], %{{.*}} {offsets = [0], strides = [1]}
// AVX2: %[[HIGH:.*]] = vector.extract_strided_slice %arg0 {offsets = [4], sizes = [4], strides = [1]}
// AVX2: %[[C:.*]] = llvm.call @_ZGVdN4v_exp(%[[HIGH]])
// AVX2: %[[EXP:.*]] = vector.insert_strided_slice %[[C]], %[[B]] {offsets = [4], strides = [1]}
// AVX2-COUNT-2: llvm.call @_ZGVdN8v_sinf
// AVX2: llvm.call @_ZGVdN4vv_pow
// AVX2: return %[[EXP]]

// SSE4-LABEL: func @widths
// SSE4-COUNT-4: llvm.call @_ZGVbN2v_exp(
// SSE4-COUNT-4: llvm.call @_ZGVbN4v_sinf(
// SSE4-COUNT-2: llvm.call @_ZGVbN2vv_pow(

// NONE-LABEL: func @widths
// NONE: math.exp
// NONE: math.sin
// NONE: math.powf
func.func @widths(%x: vector<8xf64>, %y: vector<16xf32>, %z: vector<4xf64>) -> (vector<8xf64>, vector<16xf32>, vector<4xf64>) {
  %0 = math.exp %x : vector<8xf64>
  %1 = math.sin %y : vector<16xf32>
  %2 = math.powf %z, %z : vector<4xf64>
  return %0, %1, %2 : vector<8xf64>, vector<16xf32>, vector<4xf64>
}

// -----

// What has no function of vectors, or no vector of a register: stays.

// CHECK-LABEL: func @left_alone
// CHECK: math.exp %{{.*}} : f64
// CHECK: math.exp %{{.*}} : vector<3xf64>
// CHECK: math.exp %{{.*}} : vector<2xf32>
// CHECK: math.exp %{{.*}} : vector<8xf16>
// CHECK: math.exp %{{.*}} : vector<2x4xf64>
// CHECK: math.sqrt
func.func @left_alone(%a: f64, %b: vector<3xf64>, %c: vector<2xf32>, %d: vector<8xf16>, %e: vector<2x4xf64>, %f: vector<4xf64>) {
  %0 = math.exp %a : f64
  %1 = math.exp %b : vector<3xf64>
  %2 = math.exp %c : vector<2xf32>
  %3 = math.exp %d : vector<8xf16>
  %4 = math.exp %e : vector<2x4xf64>
  %5 = math.sqrt %f : vector<4xf64>
  return
}

// -----

// A function of the program that has the name by chance is not called.

// CHECK-LABEL: func @_ZGVdN4v_exp
// CHECK-LABEL: func @taken
// CHECK: math.exp
func.func @_ZGVdN4v_exp(%x: f64) {
  return
}
func.func @taken(%x: vector<4xf64>) -> vector<4xf64> {
  %0 = math.exp %x : vector<4xf64>
  return %0 : vector<4xf64>
}
