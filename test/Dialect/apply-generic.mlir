// The generic form, as xDSL prints it: attributes that are properties here may
// stand among the other attributes.
// RUN: stencil-opt %s | FileCheck %s
// RUN: stencil-opt %s -mlir-print-op-generic | FileCheck %s --check-prefix=GENERIC

// CHECK-LABEL: @generic
// GENERIC-LABEL: sym_name = "generic"
func.func @generic(%f: !stencil.field<[-1,9]x[-1,9]xf64>, %r: !stencil.temp<?xf64>) {
  // CHECK: %[[T:.*]] = stencil.load
  %t = "stencil.load"(%f) : (!stencil.field<[-1,9]x[-1,9]xf64>) -> !stencil.temp<?x?xf64>
  // CHECK: stencil.apply(%[[X:.*]] = %[[T]] : !stencil.temp<?x?xf64>, %[[Y:.*]] = %{{.*}} : !stencil.temp<?xf64>) -> (!stencil.temp<?x?xf64>) {
  // GENERIC: "stencil.apply"(%{{.*}}, %{{.*}}) <{operandSegmentSizes = array<i32: 2, 0>}> ({
  %v = "stencil.apply"(%t, %r) <{operandSegmentSizes = array<i32: 2, 0>}> ({
  ^bb0(%x: !stencil.temp<?x?xf64>, %y: !stencil.temp<?xf64>):
    // CHECK: stencil.access %[[X]][0, 1]
    // GENERIC: "stencil.access"(%{{.*}}) <{offset = #stencil.index<[0, 1]>}> : (!stencil.temp<?x?xf64>) -> f64
    %0 = "stencil.access"(%x) {offset = #stencil.index<[0, 1]>} : (!stencil.temp<?x?xf64>) -> f64
    // CHECK: stencil.access %[[Y]][_, -1]
    // GENERIC: "stencil.access"(%{{.*}}) <{offset = #stencil.index<[-1]>, offset_mapping = #stencil.index<[1]>}>
    %1 = "stencil.access"(%y) {offset = #stencil.index<[-1]>, offset_mapping = #stencil.index<[1]>} : (!stencil.temp<?xf64>) -> f64
    // A mapping of all axes says nothing.
    // CHECK: stencil.access %[[X]][0, 0]
    %2 = "stencil.access"(%x) {offset = #stencil.index<[0, 0]>, offset_mapping = #stencil.index<[0, 1]>} : (!stencil.temp<?x?xf64>) -> f64
    // CHECK: stencil.index 1 <[0, 0]>
    // GENERIC: "stencil.index"() <{dim = 1 : index, offset = #stencil.index<[0, 0]>}> : () -> index
    %i = "stencil.index"() {dim = 1 : index, offset = #stencil.index<[0, 0]>} : () -> index
    // CHECK: stencil.dyn_access %[[X]][%{{.*}}, %{{.*}}] in <[0, 0]> : <[1, 1]>
    %3 = "stencil.dyn_access"(%x, %i, %i) {lb = #stencil.index<[0, 0]>, ub = #stencil.index<[1, 1]>} : (!stencil.temp<?x?xf64>, index, index) -> f64
    %4 = arith.addf %0, %1 : f64
    %5 = arith.addf %2, %3 : f64
    %6 = arith.addf %4, %5 : f64
    %7 = "stencil.store_result"(%6) : (f64) -> !stencil.result<f64>
    %8 = "stencil.store_result"() : () -> !stencil.result<f64>
    // CHECK: stencil.return %{{.*}}, %{{.*}} unroll <[1, 2]> : !stencil.result<f64>, !stencil.result<f64>
    "stencil.return"(%7, %8) <{unroll = #stencil.index<[1, 2]>}> : (!stencil.result<f64>, !stencil.result<f64>) -> ()
  }) : (!stencil.temp<?x?xf64>, !stencil.temp<?xf64>) -> !stencil.temp<?x?xf64>
  // CHECK: stencil.store %{{.*}} to %{{.*}}(<[0, 0], [8, 8]>)
  "stencil.store"(%v, %f) {bounds = #stencil.bounds<[0, 0], [8, 8]>} : (!stencil.temp<?x?xf64>, !stencil.field<[-1,9]x[-1,9]xf64>) -> ()
  return
}
