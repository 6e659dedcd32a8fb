// A relay: three legs of two stages, each of a group of threads that hands its planes on. In the interpreter of tiles, with
// its walk and expanded, and as GPU code on the processor, what the pipeline computes; tiles reach beyond the domain.
//
// DEFINE: %{given} = --arg 0=wild:3:finite --arg 1=zeros
// DEFINE: %{map} = stencil-opt %s --stencil-expand-weighted-sums --stencil-attach-target=chip=sm_90 --stencil-map-stages
// RUN: %{map} | FileCheck %s
// RUN: %{map} --stencil-place-barriers | FileCheck %s --check-prefix=BARRIER
// RUN: %{map} -o %t-tiles.mlir
// RUN: stencil-opt %t-tiles.mlir --stencil-place-barriers --stencil-expand-walks -o %t-loops.mlir
// RUN: stencil-run %s --target interpreter %{given} --out 1=%t-expected.npy
// RUN: stencil-run %t-tiles.mlir --target interpreter %{given} --out 1=%t-tiles.npy
// RUN: stencil-run %t-loops.mlir --target interpreter %{given} --out 1=%t-loops.npy
// RUN: stencil-run %s --target emulator --chip sm_90 --math strict %{given} --out 1=%t-nvidia.npy
// RUN: stencil-run %s --target emulator --chip gfx942 --math strict %{given} --out 1=%t-amd.npy
// RUN: cmp %t-expected.npy %t-tiles.npy && cmp %t-expected.npy %t-loops.npy
// RUN: cmp %t-expected.npy %t-nvidia.npy && cmp %t-expected.npy %t-amd.npy

// Each leg begins three planes ahead of what it ends with; of a tile of 80
// columns, what is six from its ends is stored, but for whole sectors.
// CHECK: tile.kernel @pipeline0
// CHECK-SAME: inner = <[0, 8], [1, 72]>, relay = 3>
// CHECK: %[[IN:.*]] = tile.ring : !tile.ring<5 x [0,1]x[0,80]xf64>
// CHECK: %[[HANDED:.*]] = tile.ring relay : !tile.ring<2 x [0,1]x[0,80]xf64, fill = stage>
// CHECK: tile.walk lookback 15 plane %{{.*}} cursors(%[[C:.*]]: !tile.cursor<5>, %[[D:.*]]: !tile.cursor<2>)
// CHECK: tile.copy %{{.*}} to %[[IN]][%[[C]]] plane 13 needs <[-6, -6], [7, 7]>
// CHECK: tile.take %[[IN]][%[[C]]] or %[[HANDED]][%[[D]]] : {{.*}} -> !stencil.temp<[3,4]x[0,80]xf64>
// CHECK-COUNT-4: stencil.apply
// CHECK-NOT: stencil.apply
// CHECK: tile.put %{{.*}} to %[[HANDED]][%[[D]]] plane 1
// CHECK: %[[LAST:.*]] = tile.source %[[HANDED]][%[[D]]]
// CHECK: tile.store %[[LAST]]

// One barrier is for the copies, the planes that are handed on, and the store.
// BARRIER: tile.walk
// BARRIER-COUNT-1: tile.barrier
// BARRIER-NOT: tile.barrier
// BARRIER: return

!field = !stencil.field<[-6,59]x[-6,127]xf64>
!temp = !stencil.temp<?x?xf64>
func.func @legs(%u: !field, %v: !field) {
  stencil.pipeline axis 0 attributes {stencil.schedule = #stencil.schedule<block = [1, 16], points = [1, 5], stream = 0, segments = 2, relay = 3>} {
    %x = stencil.load %u : !field -> !temp
    %w = stencil.window shared %x depth 5 lead 6 : !temp
    %1 = stencil.apply(%t = %w : !temp) -> (!temp) attributes {stencil.stage = #stencil.stage<lead = 5>} {
      %0 = stencil.weighted_sum %t offsets [[-1, 0], [0, -1], [0, 0], [0, 1], [1, 0]] weights dense<[0.1, 0.2, 0.3, 0.15, 0.22]> : tensor<5xf64> : !temp
      stencil.return %0 : f64
    }
    %q1 = stencil.window shuffle %1 depth 3 lead 5 : !temp
    %2 = stencil.apply(%t = %q1 : !temp) -> (!temp) attributes {stencil.stage = #stencil.stage<lead = 4>} {
      %0 = stencil.weighted_sum %t offsets [[-1, 0], [0, -1], [0, 0], [0, 1], [1, 0]] weights dense<[0.22, 0.15, 0.3, 0.2, 0.1]> : tensor<5xf64> : !temp
      stencil.return %0 : f64
    }
    %q2 = stencil.window shuffle %2 depth 3 lead 4 : !temp
    %3 = stencil.apply(%t = %q2 : !temp) -> (!temp) attributes {stencil.stage = #stencil.stage<lead = 3>} {
      %0 = stencil.weighted_sum %t offsets [[-1, 0], [0, -1], [0, 0], [0, 1], [1, 0]] weights dense<[0.1, 0.2, 0.3, 0.15, 0.22]> : tensor<5xf64> : !temp
      stencil.return %0 : f64
    }
    %q3 = stencil.window shuffle %3 depth 3 lead 3 : !temp
    %4 = stencil.apply(%t = %q3 : !temp) -> (!temp) attributes {stencil.stage = #stencil.stage<lead = 2>} {
      %0 = stencil.weighted_sum %t offsets [[-1, 0], [0, -1], [0, 0], [0, 1], [1, 0]] weights dense<[0.22, 0.15, 0.3, 0.2, 0.1]> : tensor<5xf64> : !temp
      stencil.return %0 : f64
    }
    %q4 = stencil.window shuffle %4 depth 3 lead 2 : !temp
    %5 = stencil.apply(%t = %q4 : !temp) -> (!temp) attributes {stencil.stage = #stencil.stage<lead = 1>} {
      %0 = stencil.weighted_sum %t offsets [[-1, 0], [0, -1], [0, 0], [0, 1], [1, 0]] weights dense<[0.1, 0.2, 0.3, 0.15, 0.22]> : tensor<5xf64> : !temp
      stencil.return %0 : f64
    }
    %q5 = stencil.window shuffle %5 depth 3 lead 1 : !temp
    %6 = stencil.apply(%t = %q5 : !temp) -> (!temp) attributes {stencil.stage = #stencil.stage<lead = 0>} {
      %0 = stencil.weighted_sum %t offsets [[-1, 0], [0, -1], [0, 0], [0, 1], [1, 0]] weights dense<[0.22, 0.15, 0.3, 0.2, 0.1]> : tensor<5xf64> : !temp
      stencil.return %0 : f64
    }
    stencil.store %6 to %v(<[0, 0], [53, 121]>) : !temp to !field
  }
  return
}
