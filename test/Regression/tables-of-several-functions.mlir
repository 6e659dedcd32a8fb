// The weights of each function's kernels have the same symbol, in a module of their own: in C++ sources, each kernel reads its own.
// RUN: stencil-translate %s --to-cuda --chip sm_90 | FileCheck %s
// CHECK: const double [[FIRST:tap_weights[0-9_]*]][19] = {
// CHECK-NEXT: 1.0, 2.0
// CHECK: const double [[SECOND:tap_weights[0-9_]*]][19] = {
// CHECK-NEXT: 101.0, 102.0
// CHECK: first_pipeline0(
// CHECK-NOT: [[SECOND]]
// CHECK: [[FIRST]][
// CHECK: second_pipeline0(
// CHECK-NOT: [[FIRST]][
// CHECK: [[SECOND]][
!row = !stencil.field<[-9,110]xf64>
!any = !stencil.temp<?xf64>
func.func @first(%u: !row, %v: !row) {
  stencil.pipeline attributes {stencil.schedule = #stencil.schedule<block = [32], points = [3]>} {
    %t = stencil.load %u : !row -> !any
    %w = stencil.window shared %t : !any
    %r = stencil.apply(%x = %w : !any) -> (!any) {
      %s = stencil.weighted_sum %x offsets [[-9], [-8], [-7], [-6], [-5], [-4], [-3], [-2], [-1], [0], [1], [2], [3], [4], [5], [6], [7], [8], [9]] weights dense<[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0, 11.0, 12.0, 13.0, 14.0, 15.0, 16.0, 17.0, 18.0, 19.0]> : tensor<19xf64> attributes {stencil.tap_loop} : !any
      stencil.return %s : f64
    }
    stencil.store %r to %v(<[0], [101]>) : !any to !row
  }
  return
}
func.func @second(%u: !row, %v: !row) {
  stencil.pipeline attributes {stencil.schedule = #stencil.schedule<block = [32], points = [3]>} {
    %t = stencil.load %u : !row -> !any
    %w = stencil.window shared %t : !any
    %r = stencil.apply(%x = %w : !any) -> (!any) {
      %s = stencil.weighted_sum %x offsets [[-9], [-8], [-7], [-6], [-5], [-4], [-3], [-2], [-1], [0], [1], [2], [3], [4], [5], [6], [7], [8], [9]] weights dense<[101.0, 102.0, 103.0, 104.0, 105.0, 106.0, 107.0, 108.0, 109.0, 110.0, 111.0, 112.0, 113.0, 114.0, 115.0, 116.0, 117.0, 118.0, 119.0]> : tensor<19xf64> attributes {stencil.tap_loop} : !any
      stencil.return %s : f64
    }
    stencil.store %r to %v(<[0], [101]>) : !any to !row
  }
  return
}
