// RUN: stencil-opt %s | stencil-opt | FileCheck %s
// RUN: stencil-opt %s --mlir-print-op-generic | stencil-opt | FileCheck %s
// RUN: stencil-opt %s --stencil-infer-shapes | FileCheck %s --check-prefix=SHAPE
// RUN: stencil-opt %s --stencil-infer-shapes --stencil-bufferize | FileCheck %s --check-prefix=BUFFER

!field = !stencil.field<[-4,?+4]x[-4,?+4]xf32>
!temp = !stencil.temp<?x?xf32>

// CHECK-LABEL: @sums
// SHAPE-LABEL: @sums
// BUFFER-LABEL: @sums
func.func @sums(%u: !stencil.field<?x?xf32>, %v: !stencil.field<?x?xf32>, %line: !stencil.field<[-9,99]xf16>, %k: f32) {
  %f = stencil.cast %u : !stencil.field<?x?xf32> -> !field
  %g = stencil.cast %v : !stencil.field<?x?xf32> -> !field
  // Shapes see through sums over values of the body: -1-1..1+1, 0-2..1+0.
  // SHAPE: stencil.load %{{.*}} -> !stencil.temp<[-2,?+2]x[-2,11]xf32>
  %t = stencil.load %f : !field -> !temp
  // SHAPE: stencil.load %{{.*}} -> !stencil.temp<[-5,15]xf16>
  %l = stencil.load %line : !stencil.field<[-9,99]xf16> -> !stencil.temp<?xf16>
  // BUFFER: stencil.apply(%{{.*}} = %{{.*}} : !stencil.field<[-4,?+4]x[-4,?+4]xf32>
  %r = stencil.apply(%x = %t : !temp, %y = %l : !stencil.temp<?xf16>, %c = %k : f32) -> (!temp) {
    // CHECK: %[[A:.*]] = stencil.weighted_sum %{{.*}} offsets {{\[\[}}-1, 0], [0, 1], [1, 0]] weights dense<[1.000000e+00, -2.000000e+00, 5.000000e-01]> : tensor<3xf32> : !stencil.temp<?x?xf32>{{$}}
    %a = stencil.weighted_sum %x offsets [[-1, 0], [0, 1], [1, 0]] weights dense<[1.0, -2.0, 0.5]> : tensor<3xf32> : !temp
    // CHECK: stencil.weighted_sum %[[A]] fastmath<reassoc> offsets {{\[\[}}-1, -2], [1, 0]] weights (%[[C:.*]], %[[C]]) : f32
    %b = stencil.weighted_sum %a fastmath<reassoc> offsets [[-1, -2], [1, 0]] weights (%c, %c) : f32
    // CHECK: stencil.weighted_sum %{{.*}} offsets {{\[\[}}-5], [5]] weights dense<5.000000e-01> : tensor<2xf32> attributes {offset_mapping = #stencil.index<[1]>} : !stencil.temp<?xf16> -> f32
    %d = stencil.weighted_sum %y offsets [[-5], [5]] weights dense<0.5> : tensor<2xf32> attributes {offset_mapping = #stencil.index<[1]>} : !stencil.temp<?xf16> -> f32
    // CHECK: stencil.weighted_sum %{{.*}} weights dense_resource<three> : tensor<3xf32> :
    %e = stencil.weighted_sum %x offsets [[0, 0], [0, -1], [-1, -1]] weights dense_resource<three> : tensor<3xf32> : !temp
    %s = arith.addf %b, %d : f32
    %z = arith.addf %s, %e : f32
    stencil.return %z : f32
  }
  stencil.store %r to %g(<[0, 0], [?, 10]>) : !temp to !field
  return
}

// A tap whose constant weight is zero is not read.
// SHAPE-LABEL: @zero
func.func @zero(%u: !stencil.field<[0,8]xi32>, %v: !stencil.field<[0,8]xi32>) {
  // SHAPE: -> !stencil.temp<[0,8]xi32>
  %t = stencil.load %u : !stencil.field<[0,8]xi32> -> !stencil.temp<?xi32>
  %r = stencil.apply(%x = %t : !stencil.temp<?xi32>) -> (!stencil.temp<?xi32>) {
    %s = stencil.weighted_sum %x offsets [[0], [1]] weights dense<[3, 0]> : tensor<2xi32> : !stencil.temp<?xi32>
    stencil.return %s : i32
  }
  stencil.store %r to %v(<[0], [8]>) : !stencil.temp<?xi32> to !stencil.field<[0,8]xi32>
  return
}

{-#
  dialect_resources: {
    builtin: { three: "0x040000000000803F0000004000004040" }
  }
#-}
