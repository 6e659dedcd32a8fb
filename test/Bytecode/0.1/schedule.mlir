module {
  func.func @schedules(%arg0: !stencil.field<[0,8]x[0,8]xf64>, %arg1: !stencil.field<[0,8]x[0,8]xf64>, %arg2: !stencil.field<[0,8]x[0,8]xf64>) {
    stencil.apply(%arg3 = %arg0 : !stencil.field<[0,8]x[0,8]xf64>) outs (%arg1 : !stencil.field<[0,8]x[0,8]xf64>) attributes {stencil.schedule = #stencil.schedule<block = [4, 64], points = [2, 2], window = cache, order = [1, 0], panel = [0, 8], launch_bounds = 2>} {
      %0 = stencil.access %arg3[0, 0] : !stencil.field<[0,8]x[0,8]xf64>
      stencil.return %0 : f64
    } to <[0, 0], [8, 8]>
    stencil.apply(%arg3 = %arg0 : !stencil.field<[0,8]x[0,8]xf64>) outs (%arg1 : !stencil.field<[0,8]x[0,8]xf64>) attributes {stencil.schedule = #stencil.schedule<launch_bounds = 1>} {
      %0 = stencil.access %arg3[0, 0] : !stencil.field<[0,8]x[0,8]xf64>
      stencil.return %0 : f64
    } to <[0, 0], [8, 8]>
    stencil.apply(%arg3 = %arg0 : !stencil.field<[0,8]x[0,8]xf64>) outs (%arg1 : !stencil.field<[0,8]x[0,8]xf64>) attributes {stencil.schedule = #stencil.schedule<>} {
      %0 = stencil.access %arg3[0, 0] : !stencil.field<[0,8]x[0,8]xf64>
      stencil.return %0 : f64
    } to <[0, 0], [8, 8]>
    stencil.apply(%arg3 = %arg0 : !stencil.field<[0,8]x[0,8]xf64>) outs (%arg1 : !stencil.field<[0,8]x[0,8]xf64>) attributes {stencil.schedule = #stencil.schedule<block = [1, 64], points = [1, 2], stream = 0, segments = 4, window = shared, accumulate = scatter, prefetch = tma, stages = 5, boundary = window>} {
      %0 = stencil.access %arg3[0, 0] : !stencil.field<[0,8]x[0,8]xf64>
      stencil.return %0 : f64
    } to <[0, 0], [8, 8]>
    stencil.apply(%arg3 = %arg0 : !stencil.field<[0,8]x[0,8]xf64>) outs (%arg1 : !stencil.field<[0,8]x[0,8]xf64>) attributes {stencil.schedule = #stencil.schedule<stream = 1, window = registers, accumulate = semi>} {
      %0 = stencil.access %arg3[0, 0] : !stencil.field<[0,8]x[0,8]xf64>
      stencil.return %0 : f64
    } to <[0, 0], [8, 8]>
    stencil.apply(%arg3 = %arg0 : !stencil.field<[0,8]x[0,8]xf64>, %arg4 = %arg2 : !stencil.field<[0,8]x[0,8]xf64>) outs (%arg1 : !stencil.field<[0,8]x[0,8]xf64>) attributes {stencil.schedule = #stencil.schedule<stream = 0, window = [shared, registers], accumulate = shift, prefetch = registers>} {
      %0 = stencil.access %arg3[0, 0] : !stencil.field<[0,8]x[0,8]xf64>
      %1 = stencil.access %arg4[0, 0] : !stencil.field<[0,8]x[0,8]xf64>
      %2 = arith.addf %0, %1 : f64
      stencil.return %2 : f64
    } to <[0, 0], [8, 8]>
    stencil.apply(%arg3 = %arg0 : !stencil.field<[0,8]x[0,8]xf64>, %arg4 = %arg2 : !stencil.field<[0,8]x[0,8]xf64>) outs (%arg1 : !stencil.field<[0,8]x[0,8]xf64>) attributes {stencil.schedule = #stencil.schedule<stream = 0, window = [cache, shared], accumulate = gather, prefetch = async>} {
      %0 = stencil.access %arg3[0, 0] : !stencil.field<[0,8]x[0,8]xf64>
      %1 = stencil.access %arg4[0, 0] : !stencil.field<[0,8]x[0,8]xf64>
      %2 = arith.addf %0, %1 : f64
      stencil.return %2 : f64
    } to <[0, 0], [8, 8]>
    stencil.apply(%arg3 = %arg0 : !stencil.field<[0,8]x[0,8]xf64>) outs (%arg1 : !stencil.field<[0,8]x[0,8]xf64>) attributes {stencil.schedule = #stencil.schedule<window = shuffle, prefetch = none>} {
      %0 = stencil.access %arg3[0, 0] : !stencil.field<[0,8]x[0,8]xf64>
      stencil.return %0 : f64
    } to <[0, 0], [8, 8]>
    stencil.apply(%arg3 = %arg0 : !stencil.field<[0,8]x[0,8]xf64>) outs (%arg1 : !stencil.field<[0,8]x[0,8]xf64>) attributes {stencil.schedule = #stencil.schedule<block = [8, 8], regions = launch>} {
      %0 = stencil.access %arg3[0, 0] : !stencil.field<[0,8]x[0,8]xf64>
      stencil.return %0 : f64
    } to <[0, 0], [8, 8]>
    stencil.apply(%arg3 = %arg0 : !stencil.field<[0,8]x[0,8]xf64>) outs (%arg1 : !stencil.field<[0,8]x[0,8]xf64>) attributes {stencil.schedule = #stencil.schedule<stream = 0, window = shared, regions = streams, time = 4>} {
      %0 = stencil.access %arg3[0, 0] : !stencil.field<[0,8]x[0,8]xf64>
      stencil.return %0 : f64
    } to <[0, 0], [8, 8]>
    stencil.apply(%arg3 = %arg0 : !stencil.field<[0,8]x[0,8]xf64>) outs (%arg1 : !stencil.field<[0,8]x[0,8]xf64>) attributes {stencil.region_group = #stencil.region_group<3, launch>, stencil.schedule = #stencil.schedule<regions = separate>} {
      %0 = stencil.access %arg3[0, 0] : !stencil.field<[0,8]x[0,8]xf64>
      stencil.return %0 : f64
    } to <[0, 0], [8, 8]>
    stencil.apply(%arg3 = %arg0 : !stencil.field<[0,8]x[0,8]xf64>) outs (%arg1 : !stencil.field<[0,8]x[0,8]xf64>) attributes {stencil.schedule = #stencil.schedule<window = cache, prefetch = l2, boundary = store>} {
      %0 = stencil.access %arg3[0, 0] : !stencil.field<[0,8]x[0,8]xf64>
      stencil.return %0 : f64
    } to <[0, 0], [8, 8]>
    stencil.apply(%arg3 = %arg0 : !stencil.field<[0,8]x[0,8]xf64>) outs (%arg1 : !stencil.field<[0,8]x[0,8]xf64>) attributes {stencil.schedule = #stencil.schedule<eviction = last, boundary = kernel>} {
      %0 = stencil.access %arg3[0, 0] : !stencil.field<[0,8]x[0,8]xf64>
      stencil.return %0 : f64
    } to <[0, 0], [8, 8]>
    stencil.apply(%arg3 = %arg0 : !stencil.field<[0,8]x[0,8]xf64>) outs (%arg1 : !stencil.field<[0,8]x[0,8]xf64>) attributes {stencil.schedule = #stencil.schedule<eviction = normal>} {
      %0 = stencil.access %arg3[0, 0] : !stencil.field<[0,8]x[0,8]xf64>
      stencil.return %0 : f64
    } to <[0, 0], [8, 8]>
    stencil.apply(%arg3 = %arg0 : !stencil.field<[0,8]x[0,8]xf64>) outs (%arg1 : !stencil.field<[0,8]x[0,8]xf64>) attributes {stencil.schedule = #stencil.schedule<window = shared, engine = taps>} {
      %0 = stencil.access %arg3[0, 0] : !stencil.field<[0,8]x[0,8]xf64>
      stencil.return %0 : f64
    } to <[0, 0], [8, 8]>
    stencil.apply(%arg3 = %arg0 : !stencil.field<[0,8]x[0,8]xf64>) outs (%arg1 : !stencil.field<[0,8]x[0,8]xf64>) attributes {stencil.schedule = #stencil.schedule<stream = 0, window = shared, chain = shared, engine = fma, order = [1, 0]>} {
      %0 = stencil.access %arg3[0, 0] : !stencil.field<[0,8]x[0,8]xf64>
      stencil.return %0 : f64
    } to <[0, 0], [8, 8]>
    stencil.apply(%arg3 = %arg0 : !stencil.field<[0,8]x[0,8]xf64>) outs (%arg1 : !stencil.field<[0,8]x[0,8]xf64>) attributes {stencil.schedule = #stencil.schedule<engine = mma>} {
      %0 = stencil.access %arg3[0, 0] : !stencil.field<[0,8]x[0,8]xf64>
      stencil.return %0 : f64
    } to <[0, 0], [8, 8]>
    return
  }
}

