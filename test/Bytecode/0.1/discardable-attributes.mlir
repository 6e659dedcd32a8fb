module {
  func.func @steps(%arg0: !stencil.field<[-1,?+1]x[-1,?+1]xf64>, %arg1: !stencil.field<[-1,?+1]x[-1,?+1]xf64>, %arg2: index) attributes {stencil.device_arrays} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %0:2 = scf.for %arg3 = %c0 to %arg2 step %c1 iter_args(%arg4 = %arg0, %arg5 = %arg1) -> (!stencil.field<[-1,?+1]x[-1,?+1]xf64>, !stencil.field<[-1,?+1]x[-1,?+1]xf64>) {
      %1 = stencil.load %arg4 : !stencil.field<[-1,?+1]x[-1,?+1]xf64> -> !stencil.temp<?x?xf64>
      %2 = stencil.apply(%arg6 = %1 : !stencil.temp<?x?xf64>) -> (!stencil.temp<?x?xf64>) attributes {stencil.assumed_extents = array<i64: 700, 500>, stencil.evidence = "model", stencil.name = "average", stencil.narrow = 191 : i64, stencil.region = #stencil.bounds<[0, 0], [?, 8]>, stencil.region_axes = array<i64: 1>, stencil.region_group = #stencil.region_group<2, streams>, stencil.regions = "two", stencil.steps = 3 : i64} {
        %3 = stencil.weighted_sum %arg6 offsets [[0, -1], [0, 1], [-1, 0], [1, 0]] weights dense<2.500000e-01> : tensor<4xf64> attributes {stencil.matrix_product = #tile.mma<shape = [16, 8, 4], patch = [4, 2], along = 1, stack = 2>, stencil.tap_loop} : !stencil.temp<?x?xf64>
        stencil.return %3 : f64
      }
      stencil.store %2 to %arg5(<[0, 0], [?, ?]>) : !stencil.temp<?x?xf64> to !stencil.field<[-1,?+1]x[-1,?+1]xf64>
      scf.yield %arg5, %arg4 : !stencil.field<[-1,?+1]x[-1,?+1]xf64>, !stencil.field<[-1,?+1]x[-1,?+1]xf64>
    } {stencil.time_loop = #stencil.time_loop<interior = <[0, 0], [?, ?]>, lower = <[-1, -1]>, upper = <[1, 1]>, buffers = 2, levels = 1, stages = 1, period = 2, step_dependent = true>}
    return
  }
  func.func @any_order(%arg0: !stencil.field<[-1,?+1]x[-1,?+1]xf64>, %arg1: !stencil.field<[-1,?+1]x[-1,?+1]xf64>) {
    stencil.pipeline axis 0 {
      %0 = stencil.load %arg0 : !stencil.field<[-1,?+1]x[-1,?+1]xf64> -> !stencil.temp<?x?xf64>
      %1:2 = stencil.apply(%arg2 = %0 : !stencil.temp<?x?xf64>) -> (!stencil.temp<?x?xf64>, !stencil.temp<?x?xf64>) attributes {stencil.stage = #stencil.stage<lead = 1>} {
        %3 = stencil.access %arg2[0, 0] : !stencil.temp<?x?xf64>
        %4 = stencil.access %arg2[0, 1] : !stencil.temp<?x?xf64>
        stencil.return %3, %4 : f64, f64
      }
      %2 = stencil.accumulate %1#0, %1#1 at [0, 1] attributes {stencil.any_order} : !stencil.temp<?x?xf64>
      stencil.store %2 to %arg1(<[0, 0], [?, ?]>) : !stencil.temp<?x?xf64> to !stencil.field<[-1,?+1]x[-1,?+1]xf64>
    }
    return
  }
  func.func @dealt(%arg0: index) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    scf.parallel (%arg1) = (%c0) to (%arg0) step (%c1) {
      scf.reduce 
    } {stencil.deal = 16 : i64}
    return
  }
}

