// RUN: stencil-opt %s --canonicalize | FileCheck %s

!temp = !stencil.temp<?x?xf64>

// CHECK-LABEL: @sums
func.func @sums(%u: !stencil.field<[-1,9]x[-1,9]xf64>, %v: !stencil.field<[-1,9]x[-1,9]xf64>, %k: f64) {
  %t = stencil.load %u : !stencil.field<[-1,9]x[-1,9]xf64> -> !temp
  %r:6 = stencil.apply(%x = %t : !temp, %c = %k : f64) -> (!temp, !temp, !temp, !temp, !temp, !temp) {
    // CHECK-DAG: %[[ZERO:.*]] = arith.constant 0.0
    // Zero weights are no taps.
    // CHECK-DAG: %[[A:.*]] = stencil.weighted_sum %{{.*}} offsets {{\[\[}}0, 1], [1, 0]] weights dense<[2.000000e+00, 3.000000e+00]>
    %a = stencil.weighted_sum %x offsets [[0, 0], [0, 1], [1, 0]] weights dense<[0.0, 2.0, 3.0]> : tensor<3xf64> : !temp
    // A sum without taps is zero.
    %b = stencil.weighted_sum %x offsets [[0, 0], [0, 1]] weights dense<[0.0, -0.0]> : tensor<2xf64> : !temp
    // One tap of weight one.
    // CHECK-DAG: %[[C:.*]] = stencil.access %{{.*}}[0, -1]
    %d = stencil.weighted_sum %x offsets [[0, -1]] weights dense<1.0> : tensor<1xf64> : !temp
    %e = stencil.weighted_sum %a offsets [[0, 0]] weights dense<1.0> : tensor<1xf64> : f64
    // CHECK-DAG: %[[F:.*]] = stencil.weighted_sum %[[A]] offsets {{\[\[}}0, 1]]
    %f = stencil.weighted_sum %a offsets [[0, 1]] weights dense<1.0> : tensor<1xf64> : f64
    // Operands that are constant; but zero multiplies what is there.
    %two = arith.constant 2.0 : f64
    %zero = arith.constant 0.0 : f64
    // CHECK-DAG: %[[G:.*]] = stencil.weighted_sum %{{.*}} offsets {{\[\[}}0, 0], [1, 1]] weights dense<2.000000e+00>
    %g = stencil.weighted_sum %x offsets [[0, 0], [1, 1]] weights (%two, %two) : !temp
    // CHECK-DAG: %[[H:.*]] = stencil.weighted_sum %{{.*}} offsets {{\[\[}}0, 0], [1, 1]] weights (%{{.*}}, %{{.*}})
    %h = stencil.weighted_sum %x offsets [[0, 0], [1, 1]] weights (%two, %zero) : !temp
    // CHECK: %[[Z:.*]] = arith.addf %[[G]], %[[H]]
    %z = arith.addf %g, %h : f64
    // CHECK: stencil.return %[[A]], %{{.*}}, %[[C]], %[[F]], %[[Z]]
    stencil.return %a, %b, %d, %e, %f, %z : f64, f64, f64, f64, f64, f64
  }
  stencil.store %r#0 to %v(<[0, 0], [8, 1]>) : !temp to !stencil.field<[-1,9]x[-1,9]xf64>
  stencil.store %r#1 to %v(<[0, 1], [8, 2]>) : !temp to !stencil.field<[-1,9]x[-1,9]xf64>
  stencil.store %r#2 to %v(<[0, 2], [8, 3]>) : !temp to !stencil.field<[-1,9]x[-1,9]xf64>
  stencil.store %r#3 to %v(<[0, 3], [8, 4]>) : !temp to !stencil.field<[-1,9]x[-1,9]xf64>
  stencil.store %r#4 to %v(<[0, 4], [8, 5]>) : !temp to !stencil.field<[-1,9]x[-1,9]xf64>
  stencil.store %r#5 to %v(<[0, 5], [8, 6]>) : !temp to !stencil.field<[-1,9]x[-1,9]xf64>
  return
}
