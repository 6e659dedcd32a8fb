// RUN: stencil-opt %s | stencil-opt | FileCheck %s
// RUN: stencil-opt %s -mlir-print-op-generic | stencil-opt | FileCheck %s
// RUN: stencil-opt %s -emit-bytecode | stencil-opt | FileCheck %s

// CHECK-LABEL: @combine
func.func @combine(%a: !stencil.temp<?x?xf64>, %b: !stencil.temp<?x?xf64>) {
  // CHECK: stencil.combine 0 at 11 lower = (%{{.*}} : !stencil.temp<?x?xf64>) upper = (%{{.*}} : !stencil.temp<?x?xf64>) : !stencil.temp<?x?xf64>
  %0 = stencil.combine 0 at 11 lower = (%a : !stencil.temp<?x?xf64>) upper = (%b : !stencil.temp<?x?xf64>) : !stencil.temp<?x?xf64>
  // CHECK: stencil.combine 1 at -3 lower = (%{{.*}}, %{{.*}} : !stencil.temp<?x?xf64>, !stencil.temp<?x?xf64>) upper = (%{{.*}}, %{{.*}} : !stencil.temp<?x?xf64>, !stencil.temp<?x?xf64>) lowerext = %{{.*}} : !stencil.temp<?x?xf64> upperext = %{{.*}}, %{{.*}} : !stencil.temp<?x?xf64>, !stencil.temp<?x?xf64> attributes {name = "x"} : !stencil.temp<?x?xf64>, !stencil.temp<?x?xf64>, !stencil.temp<?x?xf64>, !stencil.temp<?x?xf64>, !stencil.temp<?x?xf64>
  %1:5 = stencil.combine 1 at -3 lower = (%a, %b : !stencil.temp<?x?xf64>, !stencil.temp<?x?xf64>) upper = (%b, %a : !stencil.temp<?x?xf64>, !stencil.temp<?x?xf64>) lowerext = %a : !stencil.temp<?x?xf64> upperext = %b, %a : !stencil.temp<?x?xf64>, !stencil.temp<?x?xf64> attributes {name = "x"} : !stencil.temp<?x?xf64>, !stencil.temp<?x?xf64>, !stencil.temp<?x?xf64>, !stencil.temp<?x?xf64>, !stencil.temp<?x?xf64>
  return
}

// Each side needs its own points only.
// CHECK-LABEL: @combine_sized
func.func @combine_sized(%a: !stencil.temp<[0,4]x[0,8]xf64>, %b: !stencil.temp<[4,?]x[-1,9]xf64>, %c: !stencil.temp<[7,8]x[0,8]xf64>) {
  // CHECK: stencil.combine 0 at 4
  %0 = stencil.combine 0 at 4 lower = (%a : !stencil.temp<[0,4]x[0,8]xf64>) upper = (%b : !stencil.temp<[4,?]x[-1,9]xf64>) : !stencil.temp<[0,?]x[0,8]xf64>
  // Nothing of the lower side is asked for.
  // CHECK: stencil.combine 0 at 4
  %1 = stencil.combine 0 at 4 lower = (%c : !stencil.temp<[7,8]x[0,8]xf64>) upper = (%b : !stencil.temp<[4,?]x[-1,9]xf64>) : !stencil.temp<[5,9]x[0,8]xf64>
  // CHECK: stencil.combine 0 at 4
  %2:2 = stencil.combine 0 at 4 lower = (%a : !stencil.temp<[0,4]x[0,8]xf64>) upper = (%b : !stencil.temp<[4,?]x[-1,9]xf64>) lowerext = %a : !stencil.temp<[0,4]x[0,8]xf64> : !stencil.temp<[0,?]x[0,8]xf64>, !stencil.temp<[0,?]x[0,8]xf64>
  return
}

// CHECK-LABEL: @combine_tensors
func.func @combine_tensors(%a: !stencil.temp<?xtensor<8xf32>>) {
  // CHECK: stencil.combine 0 at 4
  %0 = stencil.combine 0 at 4 lower = (%a : !stencil.temp<?xtensor<8xf32>>) upper = (%a : !stencil.temp<?xtensor<8xf32>>) : !stencil.temp<?xtensor<8xf32>>
  return
}

// CHECK-LABEL: @buffer
func.func @buffer() {
  %a:2 = stencil.apply() -> (!stencil.temp<?xf64>, !stencil.temp<?xf64>) {
    %c = arith.constant 1.0 : f64
    stencil.return %c, %c : f64, f64
  }
  // CHECK: stencil.buffer %{{.*}}#0 : !stencil.temp<?xf64> -> !stencil.temp<?xf64>
  %b = stencil.buffer %a#0 : !stencil.temp<?xf64> -> !stencil.temp<?xf64>
  // CHECK: stencil.buffer %{{.*}}#0 attributes {name = "x"} : !stencil.temp<?xf64> -> !stencil.temp<?xf64>
  %c = stencil.buffer %a#0 attributes {name = "x"} : !stencil.temp<?xf64> -> !stencil.temp<?xf64>
  %d = stencil.combine 0 at 3 lower = (%b : !stencil.temp<?xf64>) upper = (%c : !stencil.temp<?xf64>) : !stencil.temp<?xf64>
  // CHECK: stencil.buffer %{{.*}} : !stencil.temp<?xf64> -> !stencil.temp<?xf64>
  %e = stencil.buffer %d : !stencil.temp<?xf64> -> !stencil.temp<?xf64>
  return
}

// What an unfinished bufferisation of xDSL leaves.
// CHECK-LABEL: @buffer_to_field
func.func @buffer_to_field(%t: !stencil.temp<[0,8]xf64>) {
  // CHECK: stencil.buffer %{{.*}} : !stencil.temp<[0,8]xf64> -> !stencil.field<[0,8]xf64>
  %b = stencil.buffer %t : !stencil.temp<[0,8]xf64> -> !stencil.field<[0,8]xf64>
  return
}

// CHECK-LABEL: @fold
func.func @fold(%a: !stencil.temp<?x?xf64>, %b: !stencil.temp<[0,9]x[0,?]xf64>, %i: !stencil.temp<?xi16>, %f: !stencil.field<[0,?]xbf16>) {
  // CHECK: %[[M:.*]] = stencil.fold %{{.*}}(<[0, 0], [8, 8]>) max : !stencil.temp<?x?xf64>
  %0 = stencil.fold %a(<[0, 0], [8, 8]>) max : !stencil.temp<?x?xf64>
  // CHECK: stencil.fold %{{.*}}, %{{.*}}(<[0, 0], [8, ?]>) rms attributes {name = "x"} : !stencil.temp<?x?xf64>, !stencil.temp<[0,9]x[0,?]xf64>
  %1 = stencil.fold %a, %b(<[0, 0], [8, ?]>) rms attributes {name = "x"} : !stencil.temp<?x?xf64>, !stencil.temp<[0,9]x[0,?]xf64>
  // CHECK: stencil.fold %{{.*}}(<[0], [8]>) min : !stencil.temp<?xi16>
  %2 = stencil.fold %i(<[0], [8]>) min : !stencil.temp<?xi16>
  // CHECK: stencil.fold %{{.*}}(<[1], [?-1]>) sum : !stencil.field<[0,?]xbf16>
  %3 = stencil.fold %f(<[1], [?-1]>) sum : !stencil.field<[0,?]xbf16>
  // CHECK: arith.addf %[[M]], %{{.*}} : f64
  %4 = arith.addf %0, %1 : f64
  return
}

// CHECK-LABEL: @reduce
func.func @reduce(%a: f64, %b: f64) {
  // CHECK: stencil.reduce %{{.*}} init %{{.*}} {
  // CHECK-NEXT: ^bb0(%[[X:.*]]: f64, %[[Y:.*]]: f64):
  // CHECK-NEXT: %[[S:.*]] = arith.addf %[[X]], %[[Y]] : f64
  // CHECK-NEXT: stencil.yield %[[S]] : f64
  // CHECK-NEXT: } {name = "x"} : f64
  stencil.reduce %a init %b {
  ^bb0(%x: f64, %y: f64):
    %s = arith.addf %x, %y : f64
    stencil.yield %s : f64
  } {name = "x"} : f64
  return
}
