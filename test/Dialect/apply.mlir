// RUN: stencil-opt %s | stencil-opt | FileCheck %s
// RUN: stencil-opt %s -mlir-print-op-generic | stencil-opt | FileCheck %s
// RUN: stencil-opt %s -emit-bytecode | stencil-opt | FileCheck %s

// CHECK-LABEL: @one_axis
// CHECK-SAME: (%[[T:.*]]: !stencil.temp<?xf64>, %[[K:.*]]: f64)
func.func @one_axis(%t: !stencil.temp<?xf64>, %k: f64) {
  // CHECK: stencil.apply(%[[X:.*]] = %[[T]] : !stencil.temp<?xf64>, %[[C:.*]] = %[[K]] : f64) -> (!stencil.temp<?xf64>) {
  // CHECK-NEXT: %[[L:.*]] = stencil.access %[[X]][-1] : !stencil.temp<?xf64>
  // CHECK-NEXT: %[[P:.*]] = arith.mulf %[[L]], %[[C]] : f64
  // CHECK-NEXT: stencil.return %[[P]] : f64
  // CHECK-NEXT: }
  %r = stencil.apply(%x = %t : !stencil.temp<?xf64>, %c = %k : f64) -> (!stencil.temp<?xf64>) {
    %l = stencil.access %x[-1] : !stencil.temp<?xf64>
    %p = arith.mulf %l, %c : f64
    stencil.return %p : f64
  }
  return
}

// The body has names of its own.
// CHECK-LABEL: @same_names
func.func @same_names(%t: !stencil.temp<?xf64>) {
  // CHECK: stencil.apply(%[[X:.*]] = %{{.*}} : !stencil.temp<?xf64>) -> (!stencil.temp<?xf64>) {
  // CHECK-NEXT: %[[V:.*]] = stencil.access %[[X]][0]
  // CHECK-NEXT: stencil.return %[[V]]
  %v = stencil.apply(%t = %t : !stencil.temp<?xf64>) -> (!stencil.temp<?xf64>) {
    %v = stencil.access %t[0] : !stencil.temp<?xf64>
    stencil.return %v : f64
  }
  return
}

// CHECK-LABEL: @two_axes
func.func @two_axes(%t: !stencil.temp<[-1,65]x[0,64]xf32>) {
  // CHECK: stencil.apply(%{{.*}} = %{{.*}} : !stencil.temp<[-1,65]x[0,64]xf32>) -> (!stencil.temp<[0,64]x[0,64]xf32>, !stencil.temp<[0,64]x[0,64]xi1>) {
  %r:2 = stencil.apply(%x = %t : !stencil.temp<[-1,65]x[0,64]xf32>) -> (!stencil.temp<[0,64]x[0,64]xf32>, !stencil.temp<[0,64]x[0,64]xi1>) {
    // CHECK: stencil.access %{{.*}}[-1, 0] : !stencil.temp<[-1,65]x[0,64]xf32>
    %a = stencil.access %x[-1, 0] : !stencil.temp<[-1,65]x[0,64]xf32>
    // CHECK: stencil.access %{{.*}}[1, 0] : !stencil.temp<[-1,65]x[0,64]xf32>
    %b = stencil.access %x[1, 0] : !stencil.temp<[-1,65]x[0,64]xf32>
    %c = arith.cmpf olt, %a, %b : f32
    // CHECK: stencil.return %{{.*}}, %{{.*}} : f32, i1
    stencil.return %a, %c : f32, i1
  }
  return
}

// An axis that an input does not have is written `_`.
// CHECK-LABEL: @lower_rank
func.func @lower_rank(%row: !stencil.temp<?xbf16>, %plane: !stencil.temp<?x?xbf16>, %t: !stencil.temp<?x?x?xbf16>) {
  %r = stencil.apply(%x = %row : !stencil.temp<?xbf16>, %y = %plane : !stencil.temp<?x?xbf16>, %z = %t : !stencil.temp<?x?x?xbf16>) -> (!stencil.temp<?x?x?xbf16>) {
    // CHECK: stencil.access %{{.*}}[_, 1, _] : !stencil.temp<?xbf16>
    %a = stencil.access %x[_, 1, _] : !stencil.temp<?xbf16>
    // CHECK: stencil.access %{{.*}}[0, _, -2] attributes {name = "x"} : !stencil.temp<?x?xbf16>
    %b = stencil.access %y[0, _, -2] attributes {name = "x"} : !stencil.temp<?x?xbf16>
    // CHECK: stencil.access %{{.*}}[0, 0, 0] : !stencil.temp<?x?x?xbf16>
    %c = stencil.access %z[0, 0, 0] : !stencil.temp<?x?x?xbf16>
    %d = arith.addf %a, %b : bf16
    %e = arith.addf %c, %d : bf16
    stencil.return %e : bf16
  }
  return
}

// CHECK-LABEL: @four_axes
func.func @four_axes(%t: !stencil.temp<?x?x?x?xi64>) {
  // CHECK: stencil.apply(%{{.*}} = %{{.*}} : !stencil.temp<?x?x?x?xi64>) -> (!stencil.temp<?x?x?x?xi64>) {
  %r = stencil.apply(%x = %t : !stencil.temp<?x?x?x?xi64>) -> (!stencil.temp<?x?x?x?xi64>) {
    // CHECK: stencil.access %{{.*}}[1, -2, 3, -4] : !stencil.temp<?x?x?x?xi64>
    %a = stencil.access %x[1, -2, 3, -4] : !stencil.temp<?x?x?x?xi64>
    stencil.return %a : i64
  }
  return
}

// Neither operands nor accesses are needed.
// CHECK-LABEL: @no_operand
func.func @no_operand() {
  // CHECK: stencil.apply() -> (!stencil.temp<?x?xindex>) attributes {name = "x"} {
  %r = stencil.apply() -> (!stencil.temp<?x?xindex>) attributes {name = "x"} {
    // CHECK: stencil.index 0 <[0, 0]>
    %i = stencil.index 0 <[0, 0]>
    // CHECK: stencil.index 1 <[-1, 2]>
    %j = stencil.index 1 <[-1, 2]>
    %k = arith.addi %i, %j : index
    stencil.return %k : index
  }
  return
}

// CHECK-LABEL: @dynamic
func.func @dynamic(%t: !stencil.temp<?x?xf64>, %f: !stencil.field<?x?xf64>) {
  %r = stencil.apply(%x = %t : !stencil.temp<?x?xf64>, %y = %f : !stencil.field<?x?xf64>) -> (!stencil.temp<?x?xf64>) {
    %i = stencil.index 0 <[0, 0]>
    %j = stencil.index 1 <[0, 1]>
    // CHECK: stencil.dyn_access %{{.*}}[%{{.*}}, %{{.*}}] in <[-1, 0]> : <[1, 2]> : !stencil.temp<?x?xf64>
    %a = stencil.dyn_access %x[%i, %j] in <[-1, 0]> : <[1, 2]> : !stencil.temp<?x?xf64>
    // CHECK: stencil.dyn_access %{{.*}}[%{{.*}}, %{{.*}}] in <[0, 0]> : <[0, 0]> attributes {name = "x"} : !stencil.field<?x?xf64>
    %b = stencil.dyn_access %y[%i, %i] in <[0, 0]> : <[0, 0]> attributes {name = "x"} : !stencil.field<?x?xf64>
    %c = arith.addf %a, %b : f64
    stencil.return %c : f64
  }
  return
}

// CHECK-LABEL: @store_result
func.func @store_result(%t: !stencil.temp<?xf64>, %p: i1) {
  %r:2 = stencil.apply(%x = %t : !stencil.temp<?xf64>, %q = %p : i1) -> (!stencil.temp<?xf64>, !stencil.temp<?xf64>) {
    %a = stencil.access %x[0] : !stencil.temp<?xf64>
    %b = scf.if %q -> (!stencil.result<f64>) {
      // CHECK: stencil.store_result %{{.*}} : !stencil.result<f64>
      %c = stencil.store_result %a : !stencil.result<f64>
      scf.yield %c : !stencil.result<f64>
    } else {
      // CHECK: stencil.store_result : !stencil.result<f64>
      %c = stencil.store_result : !stencil.result<f64>
      scf.yield %c : !stencil.result<f64>
    }
    // CHECK: stencil.store_result %{{.*}} attributes {name = "x"} : !stencil.result<f64>
    %d = stencil.store_result %a attributes {name = "x"} : !stencil.result<f64>
    // CHECK: stencil.return %{{.*}}, %{{.*}} : !stencil.result<f64>, !stencil.result<f64>
    stencil.return %b, %d : !stencil.result<f64>, !stencil.result<f64>
  }
  return
}

// CHECK-LABEL: @unroll
func.func @unroll(%t: !stencil.temp<[0,66]x[0,64]xf16>) {
  %r:2 = stencil.apply(%x = %t : !stencil.temp<[0,66]x[0,64]xf16>) -> (!stencil.temp<[0,64]x[0,64]xf16>, !stencil.temp<[0,64]x[0,64]xf16>) {
    // The outermost points that are read are those of the last base point.
    %a = stencil.access %x[0, 0] : !stencil.temp<[0,66]x[0,64]xf16>
    %b = stencil.access %x[3, 1] : !stencil.temp<[0,66]x[0,64]xf16>
    // CHECK: stencil.return %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}} unroll <[2, 2]> : f16, f16, f16, f16, f16, f16, f16, f16
    stencil.return %a, %a, %a, %b, %b, %b, %b, %a unroll <[2, 2]> : f16, f16, f16, f16, f16, f16, f16, f16
  }
  return
}

// CHECK-LABEL: @bufferised
func.func @bufferised(%f: !stencil.field<[-4,68]x[-4,68]xf64>, %g: !stencil.field<[-4,68]x[-4,68]xf64>, %h: !stencil.field<[0,64]x[0,64]xi32>) {
  // CHECK: stencil.apply(%{{.*}} = %{{.*}} : !stencil.field<[-4,68]x[-4,68]xf64>) outs (%{{.*}} : !stencil.field<[-4,68]x[-4,68]xf64>, %{{.*}} : !stencil.field<[0,64]x[0,64]xi32>) attributes {name = "x"} {
  stencil.apply(%x = %f : !stencil.field<[-4,68]x[-4,68]xf64>) outs (%g : !stencil.field<[-4,68]x[-4,68]xf64>, %h : !stencil.field<[0,64]x[0,64]xi32>) attributes {name = "x"} {
    %a = stencil.access %x[4, -4] : !stencil.field<[-4,68]x[-4,68]xf64>
    %c = arith.fptosi %a : f64 to i32
    // CHECK: stencil.return %{{.*}}, %{{.*}} : f64, i32
    stencil.return %a, %c : f64, i32
  // CHECK: } to <[0, 0], [64, 64]>
  } to <[0, 0], [64, 64]>
  return
}

// In place, where the very point is read that is written.
// CHECK-LABEL: @in_place
func.func @in_place(%a: !stencil.field<?xf64>) {
  %f = stencil.cast %a : !stencil.field<?xf64> -> !stencil.field<[0,?]xf64>
  // CHECK: stencil.apply(%{{.*}} = %{{.*}} : !stencil.field<[0,?]xf64>) outs (%{{.*}} : !stencil.field<[0,?]xf64>)
  stencil.apply(%x = %f : !stencil.field<[0,?]xf64>) outs (%f : !stencil.field<[0,?]xf64>) {
    %v = stencil.access %x[0] : !stencil.field<[0,?]xf64>
    %w = arith.negf %v : f64
    stencil.return %w : f64
  } to <[1], [?-1]>
  return
}

// The halo of tensor elements is theirs, not ours.
// CHECK-LABEL: @tensors
func.func @tensors(%f: !stencil.field<[0,4]xtensor<8xf32>>) {
  %t = stencil.load %f : !stencil.field<[0,4]xtensor<8xf32>> -> !stencil.temp<?xtensor<8xf32>>
  %r = stencil.apply(%x = %t : !stencil.temp<?xtensor<8xf32>>) -> (!stencil.temp<?xtensor<6xf32>>) {
    %a = stencil.access %x[0] : !stencil.temp<?xtensor<8xf32>>
    %b = tensor.extract_slice %a[1] [6] [1] : tensor<8xf32> to tensor<6xf32>
    stencil.return %b : tensor<6xf32>
  }
  // CHECK: stencil.store %{{.*}} to %{{.*}}(<[0], [4]>) : !stencil.temp<?xtensor<6xf32>> to !stencil.field<[0,4]xtensor<8xf32>>
  stencil.store %r to %f(<[0], [4]>) : !stencil.temp<?xtensor<6xf32>> to !stencil.field<[0,4]xtensor<8xf32>>
  return
}
