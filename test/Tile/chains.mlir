// Stages beside the tile, rings that they fill, and stores by all threads: as GPU code on the processor, and in the interpreter of
// tiles, what the program without tiles computes. Tiles reach beyond domains of odd sizes, and rims beyond what is needed.
//
// DEFINE: %{entry} =
// DEFINE: %{extents} =
// DEFINE: %{given} = --arg 0=wild:3:finite --arg 1=zeros --extents %{extents} --entry %{entry}
// DEFINE: %{expected} = stencil-run %s --target interpreter %{given} --out 1=%t-expected.npy
// DEFINE: %{tiles} = stencil-opt %s --stencil-expand-weighted-sums --stencil-attach-target=chip=sm_90 --stencil-map-stages -o %t-tiles.mlir && stencil-run %t-tiles.mlir --target interpreter %{given} --out 1=%t-tiles.npy
// DEFINE: %{nvidia} = stencil-run %s --target emulator --chip sm_90 --math strict %{given} --out 1=%t-nvidia.npy
// DEFINE: %{amd} = stencil-run %s --target emulator --chip gfx942 --math strict %{given} --out 1=%t-amd.npy
// DEFINE: %{same} = %{expected} && %{tiles} && %{nvidia} && %{amd} && cmp %t-expected.npy %t-tiles.npy && cmp %t-expected.npy %t-nvidia.npy && cmp %t-expected.npy %t-amd.npy
//
// REDEFINE: %{extents} = 37
// REDEFINE: %{entry} = line
// RUN: %{same}
// REDEFINE: %{extents} = 13,45
// REDEFINE: %{entry} = tile
// RUN: %{same}
// REDEFINE: %{entry} = sums
// RUN: %{same}
// REDEFINE: %{entry} = stored
// RUN: %{same}
// REDEFINE: %{extents} = 9,13,21
// REDEFINE: %{entry} = walk
// RUN: %{same}
// REDEFINE: %{extents} = 6,2,5
// RUN: %{same}

!line = !stencil.field<[-8,?+8]xf64>
!linear = !stencil.temp<?xf64>

// Along one axis, in three stages; the tile's result is stored by all threads.
func.func @line(%u: !line, %v: !line) {
  stencil.pipeline attributes {stencil.schedule = #stencil.schedule<block = [8], points = [3]>} {
    %x = stencil.load %u : !line -> !linear
    %a = stencil.apply(%t = %x : !linear) -> (!linear) {
      %0 = stencil.weighted_sum %t offsets [[-1], [2]] weights dense<[0.5, 0.25]> : tensor<2xf64> : !linear
      stencil.return %0 : f64
    }
    %aw = stencil.window shared %a : !linear
    %b = stencil.apply(%t = %aw : !linear) -> (!linear) {
      %0 = stencil.weighted_sum %t offsets [[-2], [0], [1]] weights dense<[0.5, 0.25, 0.125]> : tensor<3xf64> : !linear
      stencil.return %0 : f64
    }
    %bw = stencil.window shared %b : !linear
    %c = stencil.apply(%t = %bw : !linear, %d = %x : !linear) -> (!linear) {
      %0 = stencil.weighted_sum %t offsets [[-1], [1]] weights dense<[0.5, 0.25]> : tensor<2xf64> : !linear
      %1 = stencil.access %d[3] : !linear
      %2 = arith.addf %0, %1 : f64
      stencil.return %2 : f64
    }
    %cw = stencil.window shared %c : !linear
    stencil.store %cw to %v(<[0], [?]>) : !linear to !line
  }
  return
}

!field = !stencil.field<[-8,?+8]x[-8,?+8]xf64>
!temp = !stencil.temp<?x?xf64>

// A load that is shared, a stage of it that is, and a smaller stage of the same chain.
func.func @tile(%u: !field, %v: !field) {
  stencil.pipeline attributes {stencil.schedule = #stencil.schedule<block = [2, 8], points = [3, 2]>} {
    %x = stencil.load %u : !field -> !temp
    %xw = stencil.window shared %x : !temp
    %a = stencil.apply(%t = %xw : !temp) -> (!temp) {
      %0 = stencil.weighted_sum %t offsets [[-1, 0], [0, 2], [1, -1]] weights dense<[0.5, 0.25, 0.125]> : tensor<3xf64> : !temp
      stencil.return %0 : f64
    }
    %b = stencil.apply(%t = %a : !temp) -> (!temp) {
      %0 = stencil.access %t[0, 0] : !temp
      %1 = arith.mulf %0, %0 : f64
      stencil.return %1 : f64
    }
    %aw = stencil.window shared %a : !temp
    %bw = stencil.window shared %b : !temp
    %c = stencil.apply(%t = %aw : !temp, %d = %bw : !temp) -> (!temp) {
      %0 = stencil.weighted_sum %t offsets [[-2, 0], [0, 3]] weights dense<[0.5, 0.25]> : tensor<2xf64> : !temp
      %1 = stencil.weighted_sum %d offsets [[0, -1], [1, 0]] weights dense<[0.5, 0.25]> : tensor<2xf64> : !temp
      %2 = arith.subf %0, %1 : f64
      stencil.return %2 : f64
    }
    stencil.store %c to %v(<[0, 0], [?, ?]>) : !temp to !field
  }
  return
}

// Sums over planes beside the tile, of which a thread keeps a part for each of its points there.
func.func @sums(%u: !field, %v: !field) {
  stencil.pipeline axis 0 attributes {stencil.schedule = #stencil.schedule<block = [1, 8], points = [1, 2], stream = 0, segments = 2>} {
    %x = stencil.load %u : !field -> !temp
    %xw = stencil.window shared %x depth 2 lead 3 : !temp
    %t:3 = stencil.apply(%a = %xw : !temp) -> (!temp, !temp, !temp) attributes {stencil.stage = #stencil.stage<lead = 3>} {
      %0 = stencil.access %a[0, 1] : !temp
      %1 = stencil.weighted_sum %a offsets [[0, -1], [0, 2]] weights dense<[0.5, 0.25]> : tensor<2xf64> : !temp
      %2 = stencil.access %a[0, 0] : !temp
      stencil.return %0, %1, %2 : f64, f64, f64
    }
    %s = stencil.accumulate %t#0, %t#1, %t#2 at [-1, 0, 1] : !temp
    %sw = stencil.window shared %s depth 4 lead 2 : !temp
    %r = stencil.apply(%a = %sw : !temp) -> (!temp) attributes {stencil.stage = #stencil.stage<lead = 0>} {
      %0 = stencil.weighted_sum %a offsets [[-1, 0], [0, -2], [0, 1], [1, 0]] weights dense<[0.5, 0.25, 0.125, 1.0]> : tensor<4xf64> : !temp
      stencil.return %0 : f64
    }
    stencil.store %r to %v(<[0, 0], [?, ?]>) : !temp to !field
  }
  return
}

// What is stored is a window of what comes later than it is needed; in registers, and shared.
func.func @stored(%u: !field, %v: !field) {
  stencil.pipeline axis 0 attributes {stencil.schedule = #stencil.schedule<block = [1, 8], points = [1, 3], stream = 0, segments = 2>} {
    %x = stencil.load %u : !field -> !temp
    %a = stencil.apply(%t = %x : !temp) -> (!temp) attributes {stencil.stage = #stencil.stage<lead = 2>} {
      %0 = stencil.weighted_sum %t offsets [[0, -1], [0, 1]] weights dense<[0.5, 0.25]> : tensor<2xf64> : !temp
      stencil.return %0 : f64
    }
    %q = stencil.window registers %a depth 4 lead 2 : !temp
    %b = stencil.apply(%t = %q : !temp) -> (!temp) attributes {stencil.stage = #stencil.stage<lead = 0>} {
      %0 = stencil.weighted_sum %t offsets [[-1, 0], [1, 0]] weights dense<[0.5, 0.25]> : tensor<2xf64> : !temp
      stencil.return %0 : f64
    }
    %w = stencil.window shared %b depth 2 lead 0 : !temp
    stencil.store %w to %v(<[0, 0], [?, ?]>) : !temp to !field
  }
  return
}

!volume = !stencil.field<[-8,?+8]x[-8,?+8]x[-8,?+8]xf64>
!cube = !stencil.temp<?x?x?xf64>

// Three stages along a walk: who reads the newest plane waits, who reads older ones does not.
func.func @walk(%u: !volume, %v: !volume) {
  stencil.pipeline axis 0 attributes {stencil.schedule = #stencil.schedule<block = [1, 2, 8], points = [1, 2, 2], stream = 0, segments = 2>} {
    %x = stencil.load %u : !volume -> !cube
    %xw = stencil.window shared %x depth 4 lead 4 : !cube
    %a = stencil.apply(%t = %xw : !cube) -> (!cube) attributes {stencil.stage = #stencil.stage<lead = 3>} {
      %0 = stencil.weighted_sum %t offsets [[-1, 0, 0], [0, -1, 0], [0, 0, 1], [1, 0, 0]] weights dense<[0.5, 0.25, 0.125, 1.0]> : tensor<4xf64> : !cube
      stencil.return %0 : f64
    }
    %aw = stencil.window shared %a depth 4 lead 3 : !cube
    %b = stencil.apply(%t = %aw : !cube) -> (!cube) attributes {stencil.stage = #stencil.stage<lead = 1>} {
      %0 = stencil.weighted_sum %t offsets [[-1, 0, 0], [0, 2, 0], [0, 0, -2], [1, 0, 0]] weights dense<[0.5, 0.25, 0.125, 1.0]> : tensor<4xf64> : !cube
      stencil.return %0 : f64
    }
    %bw = stencil.window shared %b depth 3 lead 1 : !cube
    %c = stencil.apply(%t = %bw : !cube) -> (!cube) attributes {stencil.stage = #stencil.stage<lead = 0>} {
      %0 = stencil.weighted_sum %t offsets [[-1, 0, 0], [0, -1, 0], [0, 1, 0], [0, 0, -1], [0, 0, 1], [1, 0, 0]] weights dense<0.5> : tensor<6xf64> : !cube
      stencil.return %0 : f64
    }
    stencil.store %c to %v(<[0, 0, 0], [?, ?, ?]>) : !cube to !volume
  }
  return
}
