// What is beside the tile, dealt out in groups of a row and in points: as GPU code on the processor, what the program without tiles
// computes. Blocks whose threads all have groups, some of them, or some groups and some points; widths that are no multiple of a
// vector; other groups than stencil-map-stages chooses, of stages that keep values and look at points one by one.
//
// DEFINE: %{entry} =
// DEFINE: %{extents} =
// DEFINE: %{vector} =
// DEFINE: %{chip} =
// DEFINE: %{given} = --arg 0=wild:3:finite --arg 1=zeros --extents %{extents} --entry %{entry}
// DEFINE: %{expected} = stencil-run %s --target interpreter %{given} --out 1=%t-expected.npy
// DEFINE: %{run} = --target emulator --chip %{chip} --math strict %{given} --out 1=%t-emulator.npy && cmp %t-expected.npy %t-emulator.npy
// DEFINE: %{chosen} = stencil-run %s %{run}
// DEFINE: %{map} = stencil-opt %s --stencil-expand-weighted-sums --stencil-attach-target=chip=%{chip} --stencil-map-stages
// DEFINE: %{regroup} = sed -E 's/(#tile.core_and_rim<core = <[^>]*>, box = <[^>]*>)(, vector = [0-9]+)?>/\1, vector = %{vector}>/g'
// DEFINE: %{given-groups} = %{map} | %{regroup} > %t.mlir && FileCheck %s < %t.mlir -DVECTOR=%{vector} && stencil-run %t.mlir %{run}
// CHECK: #tile.core_and_rim<{{.*}}, vector = [[VECTOR]]>
//
// REDEFINE: %{chip} = sm_90
// REDEFINE: %{extents} = 7,13,37
// REDEFINE: %{entry} = some
// RUN: %{expected} && %{chosen}
// REDEFINE: %{vector} = 4
// RUN: %{given-groups}
// REDEFINE: %{entry} = all
// RUN: %{expected} && %{chosen} && %{given-groups}
// REDEFINE: %{entry} = rest
// RUN: %{expected} && %{chosen} && %{given-groups}
// REDEFINE: %{vector} = 1
// RUN: %{given-groups}
// REDEFINE: %{vector} = 4
// REDEFINE: %{entry} = kept
// RUN: %{expected} && %{chosen} && %{given-groups}
// REDEFINE: %{vector} = 2
// RUN: %{given-groups}
// REDEFINE: %{entry} = box
// RUN: %{expected} && %{chosen} && %{given-groups}
// REDEFINE: %{chip} = gfx942
// RUN: %{chosen} && %{given-groups}
// REDEFINE: %{entry} = kept
// RUN: %{expected} && %{chosen} && %{given-groups}
// REDEFINE: %{entry} = some
// RUN: %{expected} && %{chosen}
// REDEFINE: %{entry} = rest
// RUN: %{expected} && %{chosen}

!field = !stencil.field<[-8,?+8]x[-8,?+8]x[-8,?+8]xf64>
!temp = !stencil.temp<?x?x?xf64>

// 16 groups, then 12 points, for 32 threads.
func.func @some(%u: !field, %v: !field) {
  stencil.pipeline axis 0 attributes {stencil.schedule = #stencil.schedule<block = [1, 4, 8], points = [1, 1, 2], stream = 0, segments = 2>} {
    %x = stencil.load %u : !field -> !temp
    %xw = stencil.window shared %x depth 4 lead 3 : !temp
    %a = stencil.apply(%t = %xw : !temp) -> (!temp) attributes {stencil.stage = #stencil.stage<lead = 2>} {
      %0 = stencil.weighted_sum %t offsets [[-1, 0, 0], [0, -1, 0], [0, 0, -1], [0, 0, 2], [1, 0, 0]] weights dense<[0.5, 0.25, 0.125, 1.0, 2.0]> : tensor<5xf64> : !temp
      stencil.return %0 : f64
    }
    %aw = stencil.window shared %a depth 4 lead 2 : !temp
    %b = stencil.apply(%t = %aw : !temp) -> (!temp) attributes {stencil.stage = #stencil.stage<lead = 0>} {
      %0 = stencil.weighted_sum %t offsets [[-1, 0, 0], [0, -1, 0], [0, 1, 1], [0, 0, -1], [1, 0, 0]] weights dense<[0.5, 0.25, 0.125, 1.0, 2.0]> : tensor<5xf64> : !temp
      stencil.return %0 : f64
    }
    stencil.store %b to %v(<[0, 0, 0], [?, ?, ?]>) : !temp to !field
  }
  return
}

// Three rows before the tile and one behind, of 16 groups for 16 threads: each has four of them; then two stages' points.
func.func @all(%u: !field, %v: !field) {
  stencil.pipeline axis 0 attributes {stencil.schedule = #stencil.schedule<block = [1, 2, 8], points = [1, 2, 4], stream = 0>} {
    %x = stencil.load %u : !field -> !temp
    %xw = stencil.window shared %x depth 4 lead 3 : !temp
    %a:2 = stencil.apply(%t = %xw : !temp) -> (!temp, !temp) attributes {stencil.stage = #stencil.stage<lead = 2>} {
      %0 = stencil.weighted_sum %t offsets [[-1, 0, 0], [0, -1, 0], [0, 0, -1], [1, 0, 0]] weights dense<[0.5, 0.25, 0.125, 1.0]> : tensor<4xf64> : !temp
      %1 = stencil.access %t[0, 1, 1] : !temp
      stencil.return %0, %1 : f64, f64
    }
    %aw = stencil.window shared %a#0 depth 4 lead 2 : !temp
    %bw = stencil.window shared %a#1 depth 4 lead 2 : !temp
    %b = stencil.apply(%t = %aw : !temp, %s = %bw : !temp) -> (!temp) attributes {stencil.stage = #stencil.stage<lead = 0>} {
      %0 = stencil.weighted_sum %t offsets [[-1, 0, 0], [0, -3, 0], [0, 0, -2], [1, 0, 0]] weights dense<[0.5, 0.25, 0.125, 1.0]> : tensor<4xf64> : !temp
      %1 = stencil.weighted_sum %s offsets [[0, 1, 0], [0, 0, 1]] weights dense<[0.5, 0.25]> : tensor<2xf64> : !temp
      %2 = arith.subf %0, %1 : f64
      stencil.return %2 : f64
    }
    stencil.store %b to %v(<[0, 0, 0], [?, ?, ?]>) : !temp to !field
  }
  return
}

// Rows of 36 points of 4 bytes, 6 of a thread: groups of two, 36 of them for 18 threads. The stage has no column behind the tile.
!narrow = !stencil.temp<?x?x?xf32>
func.func @rest(%u: !field, %v: !field) {
  stencil.pipeline axis 0 attributes {stencil.schedule = #stencil.schedule<block = [1, 3, 6], points = [1, 1, 6], stream = 0>} {
    %x = stencil.load %u : !field -> !temp
    %xw = stencil.window shared %x depth 3 lead 2 : !temp
    %a = stencil.apply(%t = %xw : !temp) -> (!narrow) attributes {stencil.stage = #stencil.stage<lead = 2>} {
      %0 = stencil.access %t[0, 0, 0] : !temp
      %1 = stencil.access %t[0, 1, -1] : !temp
      %2 = arith.addf %0, %1 : f64
      %3 = arith.truncf %2 : f64 to f32
      stencil.return %3 : f32
    }
    %aw = stencil.window shared %a depth 4 lead 2 : !narrow
    %b = stencil.apply(%t = %aw : !narrow) -> (!temp) attributes {stencil.stage = #stencil.stage<lead = 0>} {
      %0 = stencil.weighted_sum %t offsets [[-1, 0, 0], [0, -1, 0], [0, 1, 0], [0, 0, -1], [1, 0, 0]] weights dense<[0.5, 0.25, 0.125, 1.0, 2.0]> : tensor<5xf32> : !narrow
      %1 = arith.extf %0 : f32 to f64
      stencil.return %1 : f64
    }
    stencil.store %b to %v(<[0, 0, 0], [?, ?, ?]>) : !temp to !field
  }
  return
}

// A thread keeps planes of its groups and points, which it reads in the field where somebody needs them.
func.func @kept(%u: !field, %v: !field) {
  stencil.pipeline axis 0 attributes {stencil.schedule = #stencil.schedule<block = [1, 4, 8], points = [1, 1, 2], stream = 0, segments = 2>} {
    %x = stencil.load %u : !field -> !temp
    %q = stencil.window registers %x depth 3 lead 3 : !temp
    %a = stencil.apply(%t = %q : !temp) -> (!temp) attributes {stencil.stage = #stencil.stage<lead = 2>} {
      %0 = stencil.weighted_sum %t offsets [[-1, 0, 0], [1, 0, 0]] weights dense<[0.5, 0.25]> : tensor<2xf64> : !temp
      stencil.return %0 : f64
    }
    %aw = stencil.window shared %a depth 4 lead 2 : !temp
    %b = stencil.apply(%t = %aw : !temp) -> (!temp) attributes {stencil.stage = #stencil.stage<lead = 0>} {
      %0 = stencil.weighted_sum %t offsets [[-1, 0, 0], [0, -1, 0], [0, 1, 1], [0, 0, -1], [1, 0, 0]] weights dense<[0.5, 0.25, 0.125, 1.0, 2.0]> : tensor<5xf64> : !temp
      stencil.return %0 : f64
    }
    stencil.store %b to %v(<[0, 0, 0], [?, ?, ?]>) : !temp to !field
  }
  return
}

// Without a walk: planes, rows and columns are beside the tile, of a smaller stage fewer.
func.func @box(%u: !field, %v: !field) {
  stencil.pipeline attributes {stencil.schedule = #stencil.schedule<block = [2, 2, 4], points = [1, 2, 2]>} {
    %x = stencil.load %u : !field -> !temp
    %xw = stencil.window shared %x : !temp
    %a = stencil.apply(%t = %xw : !temp) -> (!temp) {
      %0 = stencil.weighted_sum %t offsets [[-1, 0, 0], [0, -1, 0], [0, 0, -1], [1, 0, 0]] weights dense<[0.5, 0.25, 0.125, 1.0]> : tensor<4xf64> : !temp
      stencil.return %0 : f64
    }
    %b = stencil.apply(%t = %a : !temp) -> (!temp) {
      %0 = stencil.access %t[0, 0, 0] : !temp
      %1 = arith.mulf %0, %0 : f64
      stencil.return %1 : f64
    }
    %aw = stencil.window shared %a : !temp
    %bw = stencil.window shared %b : !temp
    %c = stencil.apply(%t = %aw : !temp, %s = %bw : !temp) -> (!temp) {
      %0 = stencil.weighted_sum %t offsets [[-2, 0, 0], [0, 1, 1], [0, -1, 0]] weights dense<[0.5, 0.25, 0.125]> : tensor<3xf64> : !temp
      %1 = stencil.weighted_sum %s offsets [[0, 1, 0], [1, 0, -1]] weights dense<[0.5, 0.25]> : tensor<2xf64> : !temp
      %2 = arith.subf %0, %1 : f64
      stencil.return %2 : f64
    }
    stencil.store %c to %v(<[0, 0, 0], [?, ?, ?]>) : !temp to !field
  }
  return
}
