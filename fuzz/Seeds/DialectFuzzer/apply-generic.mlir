func.func @generic(%f: !stencil.field<[-1,9]x[-1,9]xf64>, %r: !stencil.temp<?xf64>) {
  %t = "stencil.load"(%f) : (!stencil.field<[-1,9]x[-1,9]xf64>) -> !stencil.temp<?x?xf64>
  %v = "stencil.apply"(%t, %r) <{operandSegmentSizes = array<i32: 2, 0>}> ({
  ^bb0(%x: !stencil.temp<?x?xf64>, %y: !stencil.temp<?xf64>):
    %0 = "stencil.access"(%x) {offset = #stencil.index<[0, 1]>} : (!stencil.temp<?x?xf64>) -> f64
    %1 = "stencil.access"(%y) {offset = #stencil.index<[-1]>, offset_mapping = #stencil.index<[1]>} : (!stencil.temp<?xf64>) -> f64
    %2 = "stencil.access"(%x) {offset = #stencil.index<[0, 0]>, offset_mapping = #stencil.index<[0, 1]>} : (!stencil.temp<?x?xf64>) -> f64
    %i = "stencil.index"() {dim = 1 : index, offset = #stencil.index<[0, 0]>} : () -> index
    %3 = "stencil.dyn_access"(%x, %i, %i) {lb = #stencil.index<[0, 0]>, ub = #stencil.index<[1, 1]>} : (!stencil.temp<?x?xf64>, index, index) -> f64
    %4 = arith.addf %0, %1 : f64
    %5 = arith.addf %2, %3 : f64
    %6 = arith.addf %4, %5 : f64
    %7 = "stencil.store_result"(%6) : (f64) -> !stencil.result<f64>
    %8 = "stencil.store_result"() : () -> !stencil.result<f64>
    "stencil.return"(%7, %8) <{unroll = #stencil.index<[1, 2]>}> : (!stencil.result<f64>, !stencil.result<f64>) -> ()
  }) : (!stencil.temp<?x?xf64>, !stencil.temp<?xf64>) -> !stencil.temp<?x?xf64>
  "stencil.store"(%v, %f) {bounds = #stencil.bounds<[0, 0], [8, 8]>} : (!stencil.temp<?x?xf64>, !stencil.field<[-1,9]x[-1,9]xf64>) -> ()
  return
}
