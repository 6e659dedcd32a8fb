// Tiles that overlap: what threads of a row have from each other of what a stage makes ends where the row does. The margin is computed, and not
// stored: as tiles and as GPU code on the processor, what the program without tiles computes.
//
// DEFINE: %{entry} =
// DEFINE: %{extents} =
// DEFINE: %{chip} =
// DEFINE: %{given} = --arg 0=wild:3:finite --arg 1=zeros --extents %{extents} --entry %{entry}
// DEFINE: %{expected} = stencil-run %s --target interpreter %{given} --out 1=%t-expected.npy
// DEFINE: %{map} = stencil-opt %s --stencil-expand-weighted-sums --stencil-attach-target=chip=%{chip} --stencil-map-stages
// DEFINE: %{tiles} = %{map} > %t.mlir && stencil-run %t.mlir --target interpreter %{given} --out 1=%t-tiles.npy && cmp %t-expected.npy %t-tiles.npy
// DEFINE: %{threads} = stencil-run %s --target emulator --chip %{chip} --math strict %{given} --out 1=%t-threads.npy && cmp %t-expected.npy %t-threads.npy
// DEFINE: %{all} = %{expected} && %{tiles} && %{threads}
//
// RUN: stencil-opt %s --stencil-expand-weighted-sums --stencil-attach-target=chip=sm_90 --stencil-map-stages | FileCheck %s
//
// REDEFINE: %{chip} = sm_90
// REDEFINE: %{entry} = row
// REDEFINE: %{extents} = 67
// RUN: %{all}
// Less than a tile stores.
// REDEFINE: %{extents} = 5
// RUN: %{all}
// Exactly three of them.
// REDEFINE: %{extents} = 72
// RUN: %{all}
// REDEFINE: %{chip} = gfx942
// RUN: %{all}
// REDEFINE: %{entry} = walk
// REDEFINE: %{extents} = 13,71
// RUN: %{all}
// REDEFINE: %{chip} = sm_80
// RUN: %{all}
// REDEFINE: %{entry} = rows
// REDEFINE: %{extents} = 6,9,41
// RUN: %{all}

!row = !stencil.field<[-3,?+3]xf64>
!rowTemp = !stencil.temp<?xf64>

// One point is read before, two behind: threads with two points of those that
// are stored begin behind the first one, and end two before the end.
// The row that is fetched has what the first stage reads around all threads.

// CHECK-LABEL: func @row
// CHECK: tile.kernel {{.*}} block = [16], points = [2], {{.*}}inner = <[2], [28]>>
// CHECK: %[[MADE:.*]] = stencil.apply
// CHECK: %[[WIDE:.*]] = tile.join %[[MADE]] : !stencil.temp<[0,32]xf64> -> !stencil.temp<[-1,35]xf64>
// CHECK: %[[BESIDE:.*]]:2 = stencil.apply(%[[T:.*]] = %[[WIDE]] {{.*}}, %{{.*}} = %[[MADE]] {{.*}} {tile.engine = #tile.lanes}
// CHECK-DAG: stencil.access %[[T]][-1]
// CHECK-DAG: stencil.access %[[T]][3]
// All threads compute; some store.
// CHECK: %[[RESULT:.*]] = stencil.apply
// CHECK: tile.where {
// CHECK-NEXT: tile.store %[[RESULT]]

func.func @row(%arg0: !stencil.field<?xf64>, %arg1: !stencil.field<?xf64>) {
  %u = stencil.cast %arg0 : !stencil.field<?xf64> -> !row
  %v = stencil.cast %arg1 : !stencil.field<?xf64> -> !row
  stencil.pipeline attributes {stencil.schedule = #stencil.schedule<block = [16], points = [2]>} {
    %x = stencil.load %u : !row -> !rowTemp
    %s = stencil.window shared %x : !rowTemp
    %t = stencil.apply(%a = %s : !rowTemp) -> (!rowTemp) {
      %c = stencil.access %a[-2] : !rowTemp
      %d = stencil.access %a[0] : !rowTemp
      %e = arith.subf %c, %d : f64
      stencil.return %e : f64
    }
    %w = stencil.window shuffle %t : !rowTemp
    %r = stencil.apply(%a = %w : !rowTemp) -> (!rowTemp) {
      %c = stencil.access %a[-1] : !rowTemp
      %d = stencil.access %a[3] : !rowTemp
      %e = arith.subf %c, %d : f64
      stencil.return %e : f64
    }
    stencil.store %r to %v(<[0], [?]>) : !rowTemp to !row
  }
  return
}

!field = !stencil.field<[-3,?+3]x[-3,?+3]xf32>
!temp = !stencil.temp<?x?xf32>

// Three stages. Of the first window, columns of the middle plane are read only:
// they are given when that is the middle one, and not kept. Of the second one,
// those of all planes. The margins of both add up, to all points of a thread.

// CHECK-LABEL: func @walk
// CHECK: tile.kernel {{.*}} block = [1, 16], points = [1, 3], {{.*}}inner = <[0, 3], [1, 45]>>
// CHECK: tile.walk {{.*}} carry(%[[NOW:.*]] = {{.*}}<[1,2]x[0,48]xf32>, %[[OLD:.*]] = {{.*}}<[0,1]x[0,48]xf32>,
// CHECK: tile.join %[[NOW]] : !stencil.temp<[1,2]x[0,48]xf32> -> !stencil.temp<[1,2]x[-1,49]xf32>

func.func @walk(%arg0: !stencil.field<?x?xf32>, %arg1: !stencil.field<?x?xf32>) {
  %u = stencil.cast %arg0 : !stencil.field<?x?xf32> -> !field
  %v = stencil.cast %arg1 : !stencil.field<?x?xf32> -> !field
  stencil.pipeline axis 0 attributes {stencil.schedule = #stencil.schedule<block = [1, 16], points = [1, 3], stream = 0, segments = 2>} {
    %x = stencil.load %u : !field -> !temp
    %s = stencil.window shared %x depth 4 lead 3 prefetch registers : !temp
    %t = stencil.apply(%a = %s : !temp) -> (!temp) attributes {stencil.stage = #stencil.stage<lead = 2>} {
      %c = stencil.weighted_sum %a offsets [[-1, 0], [0, -1], [0, 1]] weights dense<[0.3, 0.5, -0.2]> : tensor<3xf32> : !temp
      stencil.return %c : f32
    }
    %w = stencil.window shuffle %t depth 3 lead 2 : !temp
    %y = stencil.apply(%a = %w : !temp) -> (!temp) attributes {stencil.stage = #stencil.stage<lead = 1>} {
      %c = stencil.weighted_sum %a offsets [[-1, 0], [0, -1], [0, 0], [0, 1], [1, 0]] weights dense<[0.3, 0.5, -0.2, 0.7, 0.9]> : tensor<5xf32> : !temp
      stencil.return %c : f32
    }
    %z = stencil.window shuffle %y depth 3 lead 1 : !temp
    %r = stencil.apply(%a = %z : !temp) -> (!temp) attributes {stencil.stage = #stencil.stage<lead = 0>} {
      %c = stencil.weighted_sum %a offsets [[-1, -1], [-1, 1], [0, 0], [1, 1], [1, -1]] weights dense<[0.25, 0.5, -0.125, 0.75, 0.3]> : tensor<5xf32> : !temp
      stencil.return %c : f32
    }
    stencil.store %r to %v(<[0, 0], [?, ?]>) : !temp to !field
  }
  return
}

!volume = !stencil.field<[-2,?+2]x[-2,?+2]x[-2,?+2]xf64>
!volumeTemp = !stencil.temp<?x?x?xf64>

// Rows of a volume: two of them in a warp, and two warps in a block.

// CHECK-LABEL: func @rows
// CHECK: tile.kernel {{.*}} inner = <[0, 0, 1], [1, 8, 15]>>

func.func @rows(%arg0: !stencil.field<?x?x?xf64>, %arg1: !stencil.field<?x?x?xf64>) {
  %u = stencil.cast %arg0 : !stencil.field<?x?x?xf64> -> !volume
  %v = stencil.cast %arg1 : !stencil.field<?x?x?xf64> -> !volume
  stencil.pipeline axis 0 attributes {stencil.schedule = #stencil.schedule<block = [1, 4, 16], points = [1, 2, 1], stream = 0>} {
    %x = stencil.load %u : !volume -> !volumeTemp
    %t = stencil.apply(%a = %x : !volumeTemp) -> (!volumeTemp) attributes {stencil.stage = #stencil.stage<lead = 1>} {
      %c = stencil.weighted_sum %a offsets [[0, -1, 0], [0, 0, 0], [0, 1, -1]] weights dense<[0.3, 0.5, -0.2]> : tensor<3xf64> : !volumeTemp
      stencil.return %c : f64
    }
    %w = stencil.window shuffle %t depth 3 lead 1 : !volumeTemp
    %r = stencil.apply(%a = %w : !volumeTemp) -> (!volumeTemp) attributes {stencil.stage = #stencil.stage<lead = 0>} {
      %c = stencil.weighted_sum %a offsets [[-1, 0, 0], [0, 0, -1], [0, 0, 1], [1, 0, 0]] weights dense<[0.3, 0.5, -0.2, 0.25]> : tensor<4xf64> : !volumeTemp
      stencil.return %c : f64
    }
    stencil.store %r to %v(<[0, 0, 0], [?, ?, ?]>) : !volumeTemp to !volume
  }
  return
}
