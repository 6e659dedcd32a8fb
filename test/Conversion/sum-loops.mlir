// Loops over taps: neighbouring points of a thread hand on what they have read; all add the taps in their order.
// RUN: stencil-opt %s --stencil-infer-shapes --stencil-bufferize --stencil-select-schedule="schedule=#stencil.schedule<block=[32],points=[3],window=shared>" --stencil-stream-windows --stencil-roll-sums --convert-stencil-to-gpu="chip=sm_90" --canonicalize | FileCheck %s --check-prefix=GPU
// RUN: stencil-opt %s --stencil-infer-shapes --stencil-bufferize --stencil-roll-sums=without-windows --convert-stencil-to-cpu="vector-bits=256 columns=2" --canonicalize | FileCheck %s --check-prefix=CPU
// RUN: stencil-translate %s --to-cuda --chip sm_90 --schedule "#stencil.schedule<window=shared>" | FileCheck %s --check-prefix=CUDA
// RUN: stencil-translate %s --to-cuda --chip sm_90 --schedule "#stencil.schedule<window=shared>" | FileCheck %s --check-prefix=NAME

// GPU: memref.global "private" constant @tap_weights0 : memref<65xf64, 4>
// GPU: %[[W:.*]] = memref.get_global @tap_weights0
// GPU: %[[A:.*]] = memref.load %[[S:.*]][{{.*}}] : memref<{{.*}}#gpu.address_space<workgroup>>
// GPU: %[[B:.*]] = memref.load %[[S]][
// GPU: %[[LOOP:.*]]:5 = scf.for {{.*}} iter_args({{.*}}, %[[X0:.*]] = %[[A]], %[[X1:.*]] = %[[B]])
// GPU:   %[[X2:.*]] = memref.load %[[S]]
// GPU:   %[[C:.*]] = memref.load %[[W]]
// GPU:   arith.mulf %[[C]], %[[X0]]
// GPU:   arith.mulf %[[C]], %[[X1]]
// GPU:   arith.mulf %[[C]], %[[X2]]
// GPU:   scf.yield
// All threads have gone through it, whether their points are in the box or not.
// GPU: scf.if

// CPU: memref.global "private" constant @tap_weights0 : memref<65xf64>
// CPU: scf.for {{.*}} iter_args({{.*}}) -> (vector<4xf64>, vector<4xf64>)
// CPU: vector.broadcast {{.*}} : f64 to vector<4xf64>

// CUDA: __constant__ const double tap_weights0[65] = {
// CUDA-NEXT: 1.0, 2.0, 3.0, 4.0,
// NAME: tap_weights0[{{.*}}]
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
