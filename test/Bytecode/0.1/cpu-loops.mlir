module {
  func.func @loops(%arg0: !stencil.field<[0,8]x[0,8]x[0,8]xf64>, %arg1: !stencil.field<[0,8]x[0,8]x[0,8]xf64>) attributes {test.blocks = #stencil.cpu_blocks<cache = 1024, row = 8, halo = 0, rows = 4, planes = [2, 16], tiles = 1>} {
    stencil.apply(%arg2 = %arg0 : !stencil.field<[0,8]x[0,8]x[0,8]xf64>) outs (%arg1 : !stencil.field<[0,8]x[0,8]x[0,8]xf64>) attributes {stencil.cpu_loops = #stencil.cpu_loops<>} {
      %0 = stencil.access %arg2[0, 0, 0] : !stencil.field<[0,8]x[0,8]x[0,8]xf64>
      stencil.return %0 : f64
    } to <[0, 0, 0], [8, 8, 8]>
    stencil.apply(%arg2 = %arg0 : !stencil.field<[0,8]x[0,8]x[0,8]xf64>) outs (%arg1 : !stencil.field<[0,8]x[0,8]x[0,8]xf64>) attributes {stencil.cpu_loops = #stencil.cpu_loops<lanes = 4, tile = [0, 16, 0], blocks = <cache = 1024, row = 8, halo = 0, rows = 4, planes = [2, 16], tiles = 1>, line = 128>} {
      %0 = stencil.access %arg2[0, 0, 0] : !stencil.field<[0,8]x[0,8]x[0,8]xf64>
      stencil.return %0 : f64
    } to <[0, 0, 0], [8, 8, 8]>
    return
  }
}

