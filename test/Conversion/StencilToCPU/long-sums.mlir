// Vectors of a row side by side read each position of it once, and none multiplies what is not its own.
// RUN: stencil-opt %s --stencil-infer-shapes --stencil-bufferize --stencil-roll-sums="without-windows min-taps=24" --stencil-shape-loops="vector-bits=256 columns=2" --convert-stencil-to-cpu --canonicalize --cse | FileCheck %s
// RUN: stencil-opt %s --stencil-infer-shapes --stencil-bufferize --stencil-roll-sums="without-windows min-taps=24" --stencil-shape-loops="vector-bits=2048 columns=2" --convert-stencil-to-cpu --canonicalize --cse | FileCheck %s --check-prefix=WIDE
// RUN: stencil-run %s --extents 3,203 --arg 0=random:1 --arg 1=zeros --arg 2=zeros --math strict --verify=0 --cpu-options "vector-bits=256"
// RUN: stencil-run %s --extents 3,203 --arg 0=random:1 --arg 1=zeros --arg 2=zeros --math strict --verify=0 --cpu-options "vector-bits=128 columns=7 rows=2"
// RUN: stencil-run %s --extents 2,1000 --arg 0=random:1 --arg 1=zeros --arg 2=zeros --math strict --verify=0 --cpu-options "vector-bits=512 wide-vector-bits=512 columns=3"

// 24 taps, two vectors of 4: positions 0 to 3 are the first one's, 24 to 27 the second one's.
// CHECK: memref.global "private" constant @tap_weights0 : memref<24xf64>
// CHECK-LABEL: func.func @sum
// CHECK: memref.get_global @tap_weights0
// CHECK: scf.for {{.*}} step %c8 {
// CHECK-COUNT-4: vector.load
// CHECK-NOT: vector.load
// CHECK: scf.for {{.*}} = %c0 to %c20 step %c4 iter_args({{.*}}) -> (vector<4xf64>, vector<4xf64>)
// CHECK: %[[X:.*]] = vector.load
// CHECK: memref.load
// CHECK: %[[W4:.*]] = vector.broadcast {{.*}} : f64 to vector<4xf64>
// CHECK: math.fma %[[W4]], %[[X]]
// CHECK: memref.load
// CHECK: %[[W0:.*]] = vector.broadcast {{.*}} : f64 to vector<4xf64>
// CHECK: math.fma %[[W0]], %[[X]]
// CHECK-COUNT-3: vector.load
// CHECK-NOT: vector.load
// CHECK: scf.yield {{.*}} : vector<4xf64>, vector<4xf64>
// LLVM is told to keep the loop.
// CHECK: {loop_annotation
// CHECK-COUNT-4: vector.load
// CHECK-NOT: vector.load
// CHECK-COUNT-2: vector.store

// Rows not much longer than a vector: a load for each tap of each vector.
// WIDE-LABEL: func.func @sum
// WIDE: memref.get_global @tap_weights0
// WIDE: scf.for {{.*}} iter_args({{.*}}) -> (vector<32xf64>, vector<32xf64>)
// WIDE-COUNT-8: vector.load
// WIDE-NOT: vector.load
// WIDE: scf.yield

// An infinity among random numbers: it is in 24 sums of a row, and no product of it with zero in any.
!field = !stencil.field<[0,?]x[-12,?+11]xf64>
!out = !stencil.field<[0,?]x[0,?]xf64>
!temp = !stencil.temp<?x?xf64>
func.func @sum(%f: !field, %u: !field, %g: !out) {
  %t = stencil.load %f : !field -> !temp
  %marked = stencil.apply(%x = %t : !temp) -> (!temp) {
    %i = stencil.index 1 <[0, 0]>
    %at = arith.constant 77 : index
    %isHere = arith.cmpi eq, %i, %at : index
    %infinity = arith.constant 0x7FF0000000000000 : f64
    %value = stencil.access %x[0, 0] : !temp
    %v = arith.select %isHere, %infinity, %value : f64
    stencil.return %v : f64
  }
  stencil.store %marked to %u(<[0, -12], [?, ?+11]>) : !temp to !field
  %s = stencil.load %u : !field -> !temp
  %r = stencil.apply(%x = %s : !temp) -> (!temp) {
    %sum = stencil.weighted_sum %x offsets [[0, -12], [0, -11], [0, -10], [0, -9], [0, -8], [0, -7], [0, -6], [0, -5], [0, -4], [0, -3], [0, -2], [0, -1], [0, 0], [0, 1], [0, 2], [0, 3], [0, 4], [0, 5], [0, 6], [0, 7], [0, 8], [0, 9], [0, 10], [0, 11]] weights dense<[0.3, -0.25, 0.1, 0.7, -0.4, 0.9, 0.15, -0.35, 0.6, 0.45, -0.05, 0.8, 0.2, -0.55, 0.65, 0.5, -0.1, 0.75, -0.3, 0.95, 0.05, -0.85, 0.4, 0.35]> : tensor<24xf64> : !temp
    stencil.return %sum : f64
  }
  stencil.store %r to %g(<[0, 0], [?, ?]>) : !temp to !out
  return
}
