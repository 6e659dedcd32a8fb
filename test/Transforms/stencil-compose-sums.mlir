// RUN: stencil-opt %s --stencil-compose-sums=math=reassociate --split-input-file | FileCheck %s
// RUN: stencil-opt %s --stencil-compose-sums --split-input-file | FileCheck %s --check-prefix=CONTRACT

// In one body. The weights are convolved.
// CHECK-LABEL: func.func @body
// CHECK: stencil.weighted_sum %{{.*}} offsets {{\[\[}}-1], [0], [1]] weights dense<[1.000000e+00, -2.000000e+00, 1.000000e+00]> : tensor<3xf64> : !stencil.temp<?xf64>
// CHECK-NOT: weighted_sum
// CONTRACT-LABEL: func.func @body
// CONTRACT-COUNT-2: stencil.weighted_sum
!field = !stencil.field<[-2,66]xf64>
!temp = !stencil.temp<?xf64>
func.func @body(%u: !field, %v: !field) {
  %t = stencil.load %u : !field -> !temp
  %r = stencil.apply(%x = %t : !temp) -> (!temp) {
    %d = stencil.weighted_sum %x offsets [[0], [1]] weights dense<[-1.0, 1.0]> : tensor<2xf64> : !temp
    %s = stencil.weighted_sum %d offsets [[-1], [0]] weights dense<[-1.0, 1.0]> : tensor<2xf64> : f64
    stencil.return %s : f64
  }
  stencil.store %r to %v(<[0], [64]>) : !temp to !field
  return
}

// -----

// Across applies; two inputs; a constant; what is not linear stays.
// CHECK-LABEL: func.func @chain
// CHECK-COUNT-1: stencil.apply
// CHECK-DAG: stencil.weighted_sum %[[X:.*]] offsets {{\[\[}}-1], [0], [1], [2]] weights dense<1.000000e+00> : tensor<4xf64>
// CHECK-DAG: stencil.weighted_sum %[[Y:.*]] offsets {{\[\[}}-1], [1]] weights dense<2.000000e+00>
// CHECK-DAG: arith.constant 6.000000e+00
// CHECK: arith.mulf
// CHECK-NOT: stencil.apply
// CONTRACT-LABEL: func.func @chain
// CONTRACT-COUNT-2: stencil.apply
!field = !stencil.field<[-4,68]xf64>
!temp = !stencil.temp<?xf64>
func.func @chain(%u: !field, %w: !field, %v: !field) {
  %t = stencil.load %u : !field -> !temp
  %tw = stencil.load %w : !field -> !temp
  %r = stencil.apply(%x = %t : !temp, %y = %tw : !temp) -> (!temp) {
    %two = arith.constant 2.0 : f64
    %three = arith.constant 3.0 : f64
    %d = stencil.weighted_sum %x offsets [[0], [1]] weights dense<1.0> : tensor<2xf64> : !temp
    %c = stencil.access %y[0] : !temp
    %m = arith.mulf %two, %c : f64
    %s = arith.addf %d, %m : f64
    %p = arith.addf %s, %three : f64
    stencil.return %p : f64
  }
  %q = stencil.apply(%x = %r : !temp) -> (!temp) {
    %a = stencil.access %x[-1] : !temp
    %b = stencil.access %x[1] : !temp
    %s = arith.addf %a, %b : f64
    %p = arith.mulf %s, %s : f64
    stencil.return %p : f64
  }
  stencil.store %q to %v(<[0], [64]>) : !temp to !field
  return
}

// -----

// c1 u + dt alpha (c2 u), u from another sum: one set of coefficients that are
// computed once (Astaroth).
// CHECK-LABEL: func.func @coefficients
// CHECK: %[[G:.*]] = arith.mulf %{{.*}}, %{{.*}} : f64
// CHECK: stencil.weighted_sum %{{.*}} offsets {{\[\[}}-2], [-1], [0], [1], [2]] weights (%{{.*}}) : !stencil.temp<?xf64>
// CHECK-NOT: weighted_sum
// CHECK: stencil.return
!field = !stencil.field<[-4,68]xf64>
!temp = !stencil.temp<?xf64>
func.func @coefficients(%u: !field, %v: !field, %dt: f64, %alpha: f64) {
  %t = stencil.load %u : !field -> !temp
  %r = stencil.apply(%x = %t : !temp, %h = %dt : f64, %a = %alpha : f64) -> (!temp) {
    %u1 = stencil.weighted_sum %x offsets [[-1], [0], [1]] weights dense<[0.25, 0.5, 0.25]> : tensor<3xf64> : !temp
    %g = arith.mulf %h, %a : f64
    %l = stencil.weighted_sum %u1 offsets [[-1], [0], [1]] weights dense<[1.0, -2.0, 1.0]> : tensor<3xf64> : f64
    %d = arith.mulf %g, %l : f64
    %s = arith.addf %u1, %d : f64
    stencil.return %s : f64
  }
  stencil.store %r to %v(<[0], [64]>) : !temp to !field
  return
}

// -----

// Two steps of Box-2D9P: 25 points.
// CHECK-LABEL: func.func @box
// CHECK: offsets {{\[\[}}-2, -2], [-2, -1],{{.*}}[2, 2]] weights dense<[1.000000e+00, 2.000000e+00, 3.000000e+00, 2.000000e+00, 1.000000e+00, 2.000000e+00, 4.000000e+00, 6.000000e+00, 4.000000e+00, 2.000000e+00, 3.000000e+00, 6.000000e+00, 9.000000e+00, {{.*}}]> : tensor<25xf64>
// CHECK-NOT: stencil.apply
!field = !stencil.field<[-4,68]x[-4,68]xf64>
!temp = !stencil.temp<?x?xf64>
func.func @box(%u: !field, %v: !field) {
  %t = stencil.load %u : !field -> !temp
  %r = stencil.apply(%x = %t : !temp) -> (!temp) {
    %s = stencil.weighted_sum %x offsets [[-1, -1], [-1, 0], [-1, 1], [0, -1], [0, 0], [0, 1], [1, -1], [1, 0], [1, 1]] weights dense<1.0> : tensor<9xf64> : !temp
    stencil.return %s : f64
  }
  %q = stencil.apply(%x = %r : !temp) -> (!temp) {
    %s = stencil.weighted_sum %x offsets [[-1, -1], [-1, 0], [-1, 1], [0, -1], [0, 0], [0, 1], [1, -1], [1, 0], [1, 1]] weights dense<1.0> : tensor<9xf64> : !temp
    stencil.return %s : f64
  }
  stencil.store %q to %v(<[0, 0], [64, 64]>) : !temp to !field
  return
}

// -----

// Integers need no permission; sums need it all.
// CHECK-LABEL: func.func @integers
// CONTRACT-LABEL: func.func @integers
// CONTRACT: offsets {{\[\[}}-1], [0], [1]] weights dense<[1, -2, 1]> : tensor<3xi32>
// CONTRACT-NOT: weighted_sum
!field = !stencil.field<[-2,66]xi32>
!temp = !stencil.temp<?xi32>
func.func @integers(%u: !field, %v: !field) {
  %t = stencil.load %u : !field -> !temp
  %r = stencil.apply(%x = %t : !temp) -> (!temp) {
    %d = stencil.weighted_sum %x offsets [[0], [1]] weights dense<[-1, 1]> : tensor<2xi32> : !temp
    %s = stencil.weighted_sum %d offsets [[-1], [0]] weights dense<[-1, 1]> : tensor<2xi32> : i32
    stencil.return %s : i32
  }
  stencil.store %r to %v(<[0], [64]>) : !temp to !field
  return
}
