// Loops over taps: neighbouring points of a thread hand on what they have read; all add the taps in their order.
// RUN: stencil-opt %s --stencil-infer-shapes --stencil-bufferize --stencil-select-schedule="schedule=#stencil.schedule<block=[32],points=[3],window=shared>" --stencil-stream-windows --stencil-roll-sums --stencil-attach-target=chip=sm_90 --convert-stencil-to-gpu --canonicalize | FileCheck %s --check-prefix=GPU
// RUN: stencil-opt %s --stencil-infer-shapes --stencil-bufferize --stencil-select-schedule="schedule=#stencil.schedule<block=[32],points=[3],window=shared>" --stencil-stream-windows --stencil-roll-sums --stencil-attach-target=chip=sm_90 --stencil-map-stages --stencil-place-barriers --stencil-expand-walks --convert-stencil-to-gpu --canonicalize | FileCheck %s --check-prefix=GPU
// RUN: stencil-opt %s --stencil-infer-shapes --stencil-bufferize --stencil-roll-sums=without-windows --stencil-shape-loops="vector-bits=256 columns=2" --convert-stencil-to-cpu --canonicalize | FileCheck %s --check-prefix=CPU
// RUN: stencil-translate %s --to-cuda --chip sm_90 --schedule "#stencil.schedule<window=shared>" | FileCheck %s --check-prefix=CUDA

// Four taps a turn; the last of them after the loop.
// GPU: memref.global "private" constant @tap_weights0 : memref<65xf64, 4> = dense<[1.000000e+00, 2.000000e+00, {{.*}}, 6.500000e+01]>
// GPU: gpu.barrier
// GPU-NOT: scf.if
// GPU: %[[W:.*]] = memref.get_global @tap_weights0
// GPU: %[[A:.*]] = memref.load %[[S:.*]][{{.*}}] : memref<{{.*}}#gpu.address_space<workgroup>>
// GPU: %[[B:.*]] = memref.load %[[S]][
// GPU: %[[LOOP:.*]]:5 = scf.for %[[I:.*]] = %c0 to %c64 step %c4 iter_args(%[[S0:.*]] = %[[ZERO:.*]], %[[S1:.*]] = %[[ZERO]], %[[S2:.*]] = %[[ZERO]], %[[X0:.*]] = %[[A]], %[[X1:.*]] = %[[B]])
// GPU:   %[[X2:.*]] = memref.load %[[S]]
// GPU:   %[[C:.*]] = memref.load %[[W]][%[[I]]]
// GPU:   %[[T0:.*]] = math.fma %[[C]], %[[X0]], %[[S0]]
// GPU:   %[[T1:.*]] = math.fma %[[C]], %[[X1]], %[[S1]]
// GPU:   %[[T2:.*]] = math.fma %[[C]], %[[X2]], %[[S2]]
// The next tap: one load for three points.
// GPU:   %[[X3:.*]] = memref.load %[[S]]
// GPU:   %[[D:.*]] = memref.load %[[W]]
// GPU:   math.fma %[[D]], %[[X1]], %[[T0]]
// GPU:   math.fma %[[D]], %[[X2]], %[[T1]]
// GPU:   math.fma %[[D]], %[[X3]], %[[T2]]
// GPU:   %[[X4:.*]] = memref.load %[[S]]
// GPU:   %[[X5:.*]] = memref.load %[[S]]
// GPU-NOT: memref.load %[[S]]
// GPU:   scf.yield %{{.*}}, %{{.*}}, %{{.*}}, %[[X4]], %[[X5]]
// GPU: %[[LAST:.*]] = memref.load %[[W]][%c64]
// GPU: math.fma %[[LAST]], %[[LOOP]]#3, %[[LOOP]]#0
// All threads have gone through it, whether their points are in the box or not.
// GPU-NOT: gpu.barrier
// GPU: scf.if
// GPU: memref.store

// Two vectors: the second is the first four taps later, with the same values.
// CPU: memref.global "private" constant @tap_weights0 : memref<65xf64> = dense<[1.000000e+00, 2.000000e+00, {{.*}}, 6.500000e+01]>
// CPU: %[[W:.*]] = memref.get_global @tap_weights0
// CPU: %[[LOOP:.*]]:2 = scf.for %[[I:.*]] = %c0 to %c60 step %c4 iter_args(%[[S0:.*]] = %{{.*}}, %[[S1:.*]] = %{{.*}}) -> (vector<4xf64>, vector<4xf64>)
// CPU: %[[X:.*]] = vector.load
// CPU: %[[J:.*]] = arith.addi %[[I]], %c4
// CPU: %[[C:.*]] = memref.load %[[W]][%[[J]]]
// CPU: %[[CS:.*]] = vector.broadcast %[[C]] : f64 to vector<4xf64>
// CPU: math.fma %[[CS]], %[[X]], %[[S0]]
// CPU: %[[D:.*]] = memref.load %[[W]][%[[I]]]
// CPU: %[[DS:.*]] = vector.broadcast %[[D]] : f64 to vector<4xf64>
// CPU: math.fma %[[DS]], %[[X]], %[[S1]]
// CPU: scf.yield
// CPU: %[[LAST:.*]] = memref.load %[[W]][%c64]
// CPU: math.fma %{{.*}}, %{{.*}}, %[[LOOP]]#0
// CPU: math.fma %{{.*}}, %{{.*}}, %[[LOOP]]#1

// The weights have their name, and are read in the loop by its counter.
// CUDA: __constant__ const double tap_weights0[65] = {
// CUDA-NEXT: 1.0, 2.0, 3.0, 4.0,
// CUDA: 65.0
// CUDA: for (int [[I:[a-z]+]] = 0; [[I]] < 60; [[I]] += 15) {
// CUDA: = tap_weights0{{\[}}[[I]]];
// CUDA: = tap_weights0{{\[}}[[I]] + 14];
// CUDA: = tap_weights0[64];
!field = !stencil.field<[-32,1032]xf64>
!temp = !stencil.temp<?xf64>
func.func @many(%u: !field, %v: !field) {
  %t = stencil.load %u : !field -> !temp
  %r = stencil.apply(%x = %t : !temp) -> (!temp) {
    %s = stencil.weighted_sum %x offsets [[-32], [-31], [-30], [-29], [-28], [-27], [-26], [-25], [-24], [-23], [-22], [-21], [-20], [-19], [-18], [-17], [-16], [-15], [-14], [-13], [-12], [-11], [-10], [-9], [-8], [-7], [-6], [-5], [-4], [-3], [-2], [-1], [0], [1], [2], [3], [4], [5], [6], [7], [8], [9], [10], [11], [12], [13], [14], [15], [16], [17], [18], [19], [20], [21], [22], [23], [24], [25], [26], [27], [28], [29], [30], [31], [32]] weights dense<[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0, 11.0, 12.0, 13.0, 14.0, 15.0, 16.0, 17.0, 18.0, 19.0, 20.0, 21.0, 22.0, 23.0, 24.0, 25.0, 26.0, 27.0, 28.0, 29.0, 30.0, 31.0, 32.0, 33.0, 34.0, 35.0, 36.0, 37.0, 38.0, 39.0, 40.0, 41.0, 42.0, 43.0, 44.0, 45.0, 46.0, 47.0, 48.0, 49.0, 50.0, 51.0, 52.0, 53.0, 54.0, 55.0, 56.0, 57.0, 58.0, 59.0, 60.0, 61.0, 62.0, 63.0, 64.0, 65.0]> : tensor<65xf64> : !temp
    stencil.return %s : f64
  }
  stencil.store %r to %v(<[0], [1000]>) : !temp to !field
  return
}
